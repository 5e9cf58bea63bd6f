"""Other chunkers beside ours: rate, share of chunks over the limit, share that is no slice of the source.

Limits are 512 tokens (o200k_base, or the small BPE without ../shared/data) or 1000 characters, no overlap, one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

from bench.bench_chunkers import column, family
from tests import corpora
from tests.chunkers import chunker

TOKENS, CHARACTERS = 512, 1000


class Piece(NamedTuple):
    text: str
    start: int | None  # where the package says it stands, code points; None where it says nothing


Splitter = Callable[[str], Any]  # what is timed
Reader = Callable[[Any, str], Iterable[Piece]]  # of what it returned, for the shares; not timed


def bpe() -> tuple[corpora.UserTokenizer, Any]:
    from tokenizers import Tokenizer

    tokenizer = family("byte-level BPE")
    return tokenizer, Tokenizer.from_file(tokenizer.spec) if isinstance(tokenizer.spec, str) else tokenizer.spec


def read_chunks(chunks: Any, source: str) -> Iterable[Piece]:
    return [Piece(c.text, c.start_index) for c in chunks]


def ours(generation: str, unit: str) -> tuple[Splitter, Reader]:
    spec, size = (bpe()[0].spec, TOKENS) if unit == "tokens" else ("chars", CHARACTERS)

    def read(chunks: Any, source: str) -> Iterable[Piece]:
        """By the spans: a rendered table is none of the source, and is counted as that."""
        return [Piece(c.text, c.start_index if len(c.spans) == 1 else None) for c in chunks]

    return chunker(generation, spec, size, 0).chunk, read


def semantic_text_splitter(unit: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("semantic_text_splitter")
    if unit == "tokens":
        splitter = package.TextSplitter.from_huggingface_tokenizer(bpe()[1], TOKENS)
    else:
        splitter = package.TextSplitter(CHARACTERS)
    return splitter.chunk_indices, lambda found, source: [Piece(text, start) for start, text in found]


def semchunk(unit: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("semchunk")
    tokenizer = bpe()[1] if unit == "tokens" else len
    split = package.chunkerify(tokenizer, TOKENS if unit == "tokens" else CHARACTERS, memoize=False)

    def run(text: str) -> Any:
        return split(text, offsets=True)

    return run, lambda found, source: [Piece(t, a) for t, (a, _) in zip(*found, strict=True)]


def chonkie(kind: str, unit: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("chonkie")
    tokenizer, size = (bpe()[1], TOKENS) if unit == "tokens" else ("character", CHARACTERS)
    return getattr(package, kind)(tokenizer, chunk_size=size).chunk, read_chunks


def langchain(unit: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("langchain_text_splitters")
    count = bpe()[0].count if unit == "tokens" else len
    size = TOKENS if unit == "tokens" else CHARACTERS
    splitter = package.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, length_function=count)
    return splitter.split_text, lambda found, source: [Piece(text, None) for text in found]


def blazechunk(kind: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("blazechunk")
    if kind == "chunk_offsets":  # works on UTF-8: as many bytes as characters asked for

        def run(text: str) -> Any:
            return package.chunk_offsets(text.encode(), size=CHARACTERS)

        def read(found: Any, source: str) -> Iterable[Piece]:
            data = source.encode()
            return [Piece(data[a:b].decode(errors="replace"), None) for a, b in found]

        return run, read
    return getattr(package, kind)(tokenizer="character", chunk_size=CHARACTERS).chunk, read_chunks  # offsets in bytes


def chunkr(kind: str) -> tuple[Splitter, Reader]:
    package = pytest.importorskip("chunkr")
    if kind == "HFTokenChunker":
        splitter = package.HFTokenChunker(bpe()[1].to_str(), chunk_size=TOKENS, overlap=0)
    else:
        splitter = getattr(package, kind)(chunk_size=CHARACTERS, overlap=0)

    def read(found: Any, source: str) -> Iterable[Piece]:
        return [Piece(c if isinstance(c, str) else getattr(c, "text", None) or c.content, None) for c in found]

    return splitter.chunk, read


PEERS: dict[str, dict[str, Callable[[], tuple[Splitter, Reader]]]] = {
    "tokens": {
        "chunkfast TokenChunker": lambda: ours("token", "tokens"),
        "chunkfast SentenceChunker": lambda: ours("sentence", "tokens"),
        "chunkfast StructureChunker": lambda: ours("structure", "tokens"),
        "semantic-text-splitter": lambda: semantic_text_splitter("tokens"),
        "semchunk": lambda: semchunk("tokens"),
        "chonkie TokenChunker": lambda: chonkie("TokenChunker", "tokens"),
        "chonkie SentenceChunker": lambda: chonkie("SentenceChunker", "tokens"),
        "chonkie RecursiveChunker": lambda: chonkie("RecursiveChunker", "tokens"),
        "langchain Recursive": lambda: langchain("tokens"),
        "chunkr HFTokenChunker": lambda: chunkr("HFTokenChunker"),
    },
    "characters": {
        "chunkfast TokenChunker": lambda: ours("token", "characters"),
        "chunkfast SentenceChunker": lambda: ours("sentence", "characters"),
        "chunkfast StructureChunker": lambda: ours("structure", "characters"),
        "semantic-text-splitter": lambda: semantic_text_splitter("characters"),
        "semchunk": lambda: semchunk("characters"),
        "chonkie SentenceChunker": lambda: chonkie("SentenceChunker", "characters"),
        "chonkie RecursiveChunker": lambda: chonkie("RecursiveChunker", "characters"),
        "langchain Recursive": lambda: langchain("characters"),
        "chunkr RecursiveChunker": lambda: chunkr("RecursiveChunker"),
        "chunkr MarkdownChunker": lambda: chunkr("MarkdownChunker"),
        "blazechunk chunk_offsets (bytes)": lambda: blazechunk("chunk_offsets"),
        "blazechunk RecursiveChunker": lambda: blazechunk("RecursiveChunker"),
    },
}
CASES = [(unit, name) for unit, peers in PEERS.items() for name in peers]


@pytest.mark.parametrize(("unit", "name"), CASES, ids=[f"{unit}-{name}" for unit, name in CASES])
def test_peer(unit: str, name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest) -> None:
    split, read = PEERS[unit][name]()
    if unit == "tokens":  # many of them take a second for each 100 KB
        text = corpora.cut([text], 100_000)
    pieces = list(read(split(text), text))
    over, torn = shares(pieces, text, unit)
    notes = {"over the limit": f"{over:.1%}", "not a slice": f"{torn:.1%}"}
    limit = TOKENS if unit == "tokens" else CHARACTERS
    measure(f"Peers, {limit} {unit}", name, column(request), split, text, size=len(text.encode()), **notes)


def shares(pieces: list[Piece], source: str, unit: str) -> tuple[float, float]:
    """Share of pieces over the limit, and of pieces that aren't the source where they say they stand (or anywhere)."""
    counts = bpe()[0].count_batch([p.text for p in pieces]) if unit == "tokens" else [len(p.text) for p in pieces]
    limit = TOKENS if unit == "tokens" else CHARACTERS
    over = sum(count > limit for count in counts)
    torn = sum(p.text not in source if p.start is None else not source.startswith(p.text, p.start) for p in pieces)
    return over / max(1, len(pieces)), torn / max(1, len(pieces))
