"""The three generations end to end, with the tokenizer's own time and the pure-Python versions as rows of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chunkfast import load_tokenizer
from tests import corpora
from tests.chunkers import GENERATIONS, USUAL, chunker
from tests.reference.sentence_packing import pack_sentences, sentence_spans
from tests.reference.structure import structure_chunks
from tests.reference.token_windows import token_windows

FAMILIES = {
    "chars": ("chars", "chars"),
    "byte-level BPE": ("o200k_base", "small BPE"),
    "WordPiece": ("bert-base-chinese", "small WordPiece"),
    "Unigram": ("use_multilingual_v3_unigram", "small Unigram"),
}
COLUMNS = ("English", "Chinese", "rate tables")


def family(name: str) -> corpora.UserTokenizer:
    real, small = FAMILIES[name]
    return corpora.tokenizer(real if corpora.have_data() else small)


def column(request: pytest.FixtureRequest) -> str:
    return str(request.node.callspec.params["text"])


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("generation", GENERATIONS)
def test_chunker(
    generation: str, name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    used = chunker(generation, family(name).spec, *USUAL[generation].values())
    measure(f"Chunkers, {name}", f"{type(used).__name__}", column(request), used.chunk, text, size=len(text.encode()))


@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "chars"])
def test_tokenizer_alone(name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest) -> None:
    """The one pass that each chunker makes: where tokens start."""
    counter = load_tokenizer(family(name).spec)
    kind = "native counter" if counter.is_native else "encoder"
    measure(
        f"Chunkers, {name}",
        f"the tokenizer alone ({kind})",
        column(request),
        counter.token_starts,
        text,
        size=len(text.encode()),
    )


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("generation", GENERATIONS)
def test_pure_python(
    generation: str, name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    text = text[: 200_000 if name == "chars" else 60_000]
    function = pure_python(generation, name)
    measure(f"Chunkers, {name}", f"{generation}, pure Python", column(request), function, text, size=len(text.encode()))


def pure_python(generation: str, name: str) -> Callable[[str], Any]:
    """The published account's version of a generation, over the encoder."""
    tokenizer = family(name)
    if generation == "structure":
        return lambda text: structure_chunks(text, tokenizer.count, 1024)
    if generation == "sentence":
        return lambda text: pack_sentences(text, sentence_spans(text), tokenizer.count, 512, 2)
    if name == "chars":
        return lambda text: [text[a:b] for a, b in token_windows(text, range(len(text)), 512, 50)]
    from tokenizers import Tokenizer

    encoder = Tokenizer.from_file(str(tokenizer.spec)) if isinstance(tokenizer.spec, str) else tokenizer.spec

    def windows(text: str) -> list[str]:
        starts = [a for a, _ in encoder.encode(text, add_special_tokens=False).offsets]
        return [text[a:b] for a, b in token_windows(text, starts, 512, 50)]

    return windows


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("generation", GENERATIONS)
def test_one_small_document(
    generation: str, name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest, benchmark: Any
) -> None:
    """A document of 10 KB, a thousand times: the rate, and the 99th percentile of the time."""
    document = corpora.cut([text], 10_000)
    used = chunker(generation, family(name).spec, *USUAL[generation].values())
    times = []

    def thousand() -> None:
        from time import perf_counter

        for _ in range(1000 if name == "chars" else 200):
            begun = perf_counter()
            used.chunk(document)
            times.append(perf_counter() - begun)

    thousand()
    times.clear()
    thousand()
    p99 = f"{sorted(times)[len(times) * 99 // 100] * 1e6:.0f}"
    size = len(document.encode())
    measure(
        "One document of 10 KB",
        f"{type(used).__name__}, {name}",
        column(request),
        used.chunk,
        document,
        size=size,
        **{"p99 µs": p99},
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["chars", "byte-level BPE", "WordPiece"])
def test_threads(
    name: str, threads: int, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    step = len(text) // 64 + 1
    texts = [text[i : i + step] for i in range(0, len(text), step)]
    used = chunker("structure", family(name).spec, 1024, 100)

    def batch() -> Any:
        return used.chunk_batch(texts, threads=threads)

    row = f"StructureChunker, {name}, {threads} thread{'s' * (threads > 1)}"
    measure("A batch of 64 documents", row, column(request), batch, size=len(text.encode()))
