"""LangChain (extra `langchain`): a `TextSplitter` over a chunker."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from chunkfast.adapters.settings import AnyChunker

__all__ = ["ChunkfastTextSplitter"]


class ChunkfastTextSplitter(TextSplitter):
    """Split LangChain documents with a chunker.

    A document's `title` metadata is the title of its chunks. Each chunk is a `Document` with the metadata of its
    source, and `chunk_id`, `token_count`, `kind`, `headings` (one line) and, with `add_start_index`, `start_index`
    and `end_index` in code points: told by the chunker, never searched for.

    `chunk_id` is a hash of headings and text, the same in every document. The id of the `Document`, by which vector
    stores add and replace, is the same from run to run but differs between documents: it is made of `chunk_id` and of
    the source's id or, without one, its `source` metadata; no two of one call are equal.

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
        abouts = metadatas or [{}] * len(texts)
        return self._split(Document(text, metadata=about) for text, about in zip(texts, abouts, strict=True))

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """A `Document` for each chunk of each document, in order."""
        return self._split(documents)

    def _split(self, sources: Iterable[Document]) -> list[Document]:
        documents = []
        seen: Counter[tuple[object, str]] = Counter()
        for source in sources:
            title, owner = source.metadata.get("title"), source.id or source.metadata.get("source")
            for chunk in self.chunker.chunk(source.page_content, title if isinstance(title, str) else None):
                about = copy.deepcopy(source.metadata) | {
                    "chunk_id": chunk.id,
                    "token_count": chunk.token_count,
                    "kind": chunk.kind,
                    "headings": " > ".join(chunk.headings),
                }
                if self._add_start_index:
                    about |= {"start_index": chunk.start_index, "end_index": chunk.end_index}
                key = str(owner or ""), chunk.id
                made = Document(id=_id(*key, seen[key]), page_content=chunk.text, metadata=about)
                seen[key] += 1
                documents.append(made)
        return documents


def _id(owner: str, chunk_id: str, nth: int) -> str:
    """The chunk's own id, where nothing else is known that tells it from others."""
    if not owner and not nth:
        return chunk_id
    return hashlib.blake2b(f"{chunk_id} {nth} {owner}".encode(), digest_size=16).hexdigest()
