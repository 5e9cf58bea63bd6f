"""Every promise on real documents: a fixed sample of them here, all of them with `make verify`."""

from __future__ import annotations

from functools import cache

import pytest

from chunkfast import outline
from tests import corpora, invariants
from tests.chunkers import GENERATIONS, USUAL, Chunker, chunker

# Minutes long: `make verify`, not `make test`.
pytestmark = pytest.mark.sweep
each_generation = pytest.mark.parametrize("generation", GENERATIONS)


@cache
def made(generation: str, name: str, size: int, overlap: int | None = None) -> Chunker:
    return chunker(generation, corpora.tokenizer(name).spec, size, overlap)


def assert_promises(documents: tuple[corpora.Document, ...], name: str, chunkers: list[Chunker]) -> None:
    tokenizer = corpora.tokenizer(name)
    broken = []
    for document in documents:
        for used in chunkers:
            headings = outline(document.text) if hasattr(used, "pack_size") else None
            chunks = used.chunk(document.text)
            found = list(invariants.problems(chunks, document.text, tokenizer, used, headings))
            broken += [f"{document.name}, {used!r}, chunk {p.index}: {p.promise}: {p.seen}" for p in found[:2]]
    assert not broken, "\n".join(broken[:10])


@each_generation
@pytest.mark.parametrize("name", ["chars", "bytes"])
def test_samples(generation: str, name: str) -> None:
    sizes = [1, 2, 3, 5, 8, 13, 16, 21, 34, 64, 128, 256, USUAL[generation]["chunk_size"]]
    assert_promises(corpora.samples(), name, [made(generation, name, size) for size in sizes])


@each_generation
@pytest.mark.parametrize(
    "name", ["small BPE", "small WordPiece", "small Unigram", "small tiktoken", "words", "deepseek"]
)
def test_samples_with_other_tokenizers(generation: str, name: str) -> None:
    chunkers = [made(generation, name, size) for size in (16, USUAL[generation]["chunk_size"])]
    assert_promises(corpora.samples(), name, chunkers)


@each_generation
@pytest.mark.parametrize("size", [16, 64, 256, 512, 1024, 2048])
def test_real_documents(generation: str, size: int) -> None:
    assert_promises(corpora.some_real_documents(), "chars", [made(generation, "chars", size)])


@each_generation
@pytest.mark.parametrize("name", corpora.REAL_TOKENIZERS)
def test_real_documents_with_real_tokenizers(generation: str, name: str) -> None:
    chunkers = [made(generation, name, size) for size in (16, 512)]
    assert_promises(corpora.some_real_documents(30_000, 70), name, chunkers)
