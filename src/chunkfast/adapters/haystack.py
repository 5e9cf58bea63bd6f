"""Haystack (extra `haystack`): a component over a chunker."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

from chunkfast import Chunk
from chunkfast.adapters.settings import AnyChunker, from_settings, to_settings

__all__ = ["ChunkfastDocumentSplitter"]


@component
class ChunkfastDocumentSplitter:
    """Split Haystack documents with a chunker.

    A document's `title` metadata is the title of its chunks. Each chunk is a `Document` with the metadata of its
    source, and `source_id`, `parent_id`, `split_id`, `split_idx_start` (code points), `page_number`, `_split_overlap`,
    `chunk_id`, `token_count`, `kind` and `headings`. Ids are Haystack's own hashes of content and metadata.

    Parameters
    ----------
    chunker : TokenChunker, SentenceChunker or StructureChunker
    """

    def __init__(self, chunker: AnyChunker) -> None:
        self.chunker = chunker

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents.

        Raises
        ------
        TypeError
            `documents` is no list of documents.
        ValueError
            A document has no text.
        """
        if not isinstance(documents, list) or not all(isinstance(document, Document) for document in documents):
            raise TypeError("documents must be a list of Document")
        split: list[Document] = []
        for document in documents:
            if document.content is None:
                raise ValueError(f"document {document.id!r} has no text: its content is None")
            split += self._split(document, document.content)
        return {"documents": split}

    def _split(self, source: Document, text: str) -> list[Document]:
        title = source.meta.get("title")
        parts: list[Document] = []
        before: Chunk | None = None
        for chunk in self.chunker.chunk(text, title if isinstance(title, str) else None):
            meta = deepcopy(source.meta) | {
                "source_id": source.id,
                "parent_id": source.id,
                "split_id": chunk.index,
                "split_idx_start": chunk.start_index,
                "page_number": chunk.page[0] if chunk.page else 1 + text.count("\f", 0, chunk.start_index),
                "chunk_id": chunk.id,
                "token_count": chunk.token_count,
                "kind": chunk.kind,
                "headings": list(chunk.headings),
            }
            part = Document(content=chunk.text, meta=meta)
            part.meta["_split_overlap"] = []
            shared = chunk.overlap.rstrip()  # the chunk before ends without the white space
            if before is not None and shared and before.text.endswith(shared):
                length, head = len(shared), len(chunk.prefix)
                behind = (len(before.text) - length, len(before.text))
                part.meta["_split_overlap"].append({"doc_id": parts[-1].id, "range": behind})
                parts[-1].meta["_split_overlap"].append({"doc_id": part.id, "range": (head, head + length)})
            parts.append(part)
            before = chunk
        return parts

    def to_dict(self) -> dict[str, Any]:
        """The component as plain data; a tokenizer given as an object is a ValueError."""
        data: dict[str, Any] = default_to_dict(self, chunker=to_settings(self.chunker))
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ChunkfastDocumentSplitter:
        """The component that `to_dict` wrote."""
        settings = from_settings(data["init_parameters"]["chunker"])
        made: ChunkfastDocumentSplitter = default_from_dict(cls, {**data, "init_parameters": {"chunker": settings}})
        return made
