"""Chonkie (extra `chonkie`): a `BaseChunker` over a chunker."""

from __future__ import annotations

from collections.abc import Sequence

from chonkie.chunker.base import BaseChunker
from chonkie.types import Chunk

from chunkfast import Chunks
from chunkfast.adapters.settings import AnyChunker

__all__ = ["ChunkfastChunker"]


class ChunkfastChunker(BaseChunker):
    """Split texts with a chunker: chunks with its ids and true offsets, and the heading path as context.

    `metadata` has `kind`, `headings`, `prefix` and `overlap`.
    """

    def __init__(self, chunker: AnyChunker) -> None:
        super().__init__("character")  # not used: the chunker counts
        self.chunker = chunker

    def chunk(self, text: str) -> list[Chunk]:
        """The chunks of one text."""
        return _converted(self.chunker.chunk(text))

    def chunk_batch(self, texts: Sequence[str], show_progress: bool = True) -> list[list[Chunk]]:
        """The chunks of each text, cut on threads; there is no progress bar."""
        return [_converted(chunks) for chunks in self.chunker.chunk_batch(texts)]

    def __repr__(self) -> str:
        return f"ChunkfastChunker({self.chunker!r})"


def _converted(chunks: Chunks) -> list[Chunk]:
    return [
        Chunk(
            id=chunk.id,
            text=chunk.text,
            start_index=chunk.start_index,
            end_index=chunk.end_index,
            token_count=chunk.token_count,
            context=" > ".join(chunk.headings) or None,
            metadata={
                "kind": chunk.kind,
                "headings": list(chunk.headings),
                "prefix": chunk.prefix,
                "overlap": chunk.overlap,
            },
        )
        for chunk in chunks
    ]
