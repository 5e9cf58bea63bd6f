"""The three generations under one name each, for tests that hold for all of them."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

from chunkfast import Chunk, SentenceChunker, StructureChunker, TokenChunker
from tests import invariants
from tests.corpora import UserTokenizer

Chunker: TypeAlias = TokenChunker | SentenceChunker | StructureChunker

CLASSES: dict[str, Any] = {"token": TokenChunker, "sentence": SentenceChunker, "structure": StructureChunker}
GENERATIONS = tuple(CLASSES)
USUAL = {
    "token": {"chunk_size": 512, "chunk_overlap": 50},
    "sentence": {"chunk_size": 512, "overlap_sentences": 2},
    "structure": {"chunk_size": 1024, "chunk_overlap": 100},
}


def chunker(generation: str, spec: Any, chunk_size: int, overlap: int | None = None, **settings: Any) -> Chunker:
    """A chunker of one generation. `overlap`: in tokens, in sentences for "sentence"; None: what suits the size."""
    if overlap is None:
        overlap = 2 if generation == "sentence" else chunk_size // 10
    name = "overlap_sentences" if generation == "sentence" else "chunk_overlap"
    return CLASSES[generation](spec, chunk_size=chunk_size, **{name: overlap}, **settings)  # type: ignore[no-any-return]


def checked(
    generation: str, tokenizer: UserTokenizer, text: str, chunk_size: int, overlap: int | None = None, **settings: Any
) -> list[Chunk]:
    """The chunks of a text, after every promise has been asserted."""
    made = chunker(generation, tokenizer.spec, chunk_size, overlap, **settings)
    chunks = made.chunk(text)
    invariants.check(chunks, text, tokenizer, made)
    return list(chunks)


@st.composite
def chunkers(draw: st.DrawFn, generation: str, spec: Any, sizes: st.SearchStrategy[int]) -> Chunker:
    """A chunker with any legal settings."""
    size = draw(sizes)
    settings: dict[str, Any] = {"reserve_tokens": draw(st.sampled_from((0, 0, 0, 1, 2)))} if size > 2 else {}
    overlap = draw(
        st.integers(0, 4) if generation == "sentence" else st.integers(0, size - 1 - settings.get("reserve_tokens", 0))
    )
    if generation == "structure":
        settings |= {
            "table_size": draw(st.sampled_from((300, 40, 12))),
            "list_size": draw(st.sampled_from((300, 40, 12, None))),
            "pack_size": draw(st.sampled_from((0, 0, 24, 384))),
            "table_format": draw(st.sampled_from(("auto", "auto", "markdown", "source", "rows"))),
            "headings": draw(st.sampled_from(("metadata", "metadata", "prepend"))),
        }
    return chunker(generation, spec, size, overlap, **settings)
