"""LangChain (extra `langchain`): a `TextSplitter` over a chunker."""

from __future__ import annotations

import copy
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from chunkfast.adapters.settings import AnyChunker

__all__ = ["ChunkfastTextSplitter"]


class ChunkfastTextSplitter(TextSplitter):
    """Split LangChain documents with a chunker.

    A document's `title` metadata is the title of its chunks. Each chunk is a `Document` whose id is the chunk's, with
    the metadata of its source, and `chunk_id`, `token_count`, `kind`, `headings` (one line) and, with
    `add_start_index`, `start_index` and `end_index` in code points: told by the chunker, never searched for.
    Equal chunks of two documents have equal ids.

    Parameters
    ----------
    chunker : TokenChunker, SentenceChunker or StructureChunker
    add_start_index : bool
        As for every `TextSplitter`.
    """

    def __init__(self, chunker: AnyChunker, add_start_index: bool = False) -> None:
        super().__init__(
            chunk_size=chunker.limit,
            chunk_overlap=0,
            length_function=chunker.tokenizer.count,
            add_start_index=add_start_index,
            strip_whitespace=False,
        )
        self.chunker = chunker

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks."""
        return self.chunker.chunk(text).texts

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """A `Document` for each chunk of each text, in order."""
        documents = []
        for text, metadata in zip(texts, metadatas or [{}] * len(texts), strict=True):
            title = metadata.get("title")
            for chunk in self.chunker.chunk(text, title if isinstance(title, str) else None):
                about = copy.deepcopy(metadata) | {
                    "chunk_id": chunk.id,
                    "token_count": chunk.token_count,
                    "kind": chunk.kind,
                    "headings": " > ".join(chunk.headings),
                }
                if self._add_start_index:
                    about |= {"start_index": chunk.start_index, "end_index": chunk.end_index}
                documents.append(Document(id=chunk.id, page_content=chunk.text, metadata=about))
        return documents
