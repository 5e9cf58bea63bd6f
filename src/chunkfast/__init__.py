"""Exact, fast chunking for retrieval: token windows, sentences, document structure."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkfast.audit import Audit, audit
    from chunkfast.chunker import DocumentError
    from chunkfast.chunks import Chunk, Chunks
    from chunkfast.sentence_chunker import SentenceChunker, split_sentences
    from chunkfast.structure import HeaderLevel, Heading, detect_header_level, outline
    from chunkfast.structure_chunker import StructureChunker, split_table
    from chunkfast.token_chunker import TokenChunker
    from chunkfast.tokens import TokenCounter, load_tokenizer

__all__ = [
    "Audit",
    "Chunk",
    "Chunks",
    "DocumentError",
    "HeaderLevel",
    "Heading",
    "SentenceChunker",
    "StructureChunker",
    "TokenChunker",
    "TokenCounter",
    "audit",
    "detect_header_level",
    "load_tokenizer",
    "outline",
    "split_sentences",
    "split_table",
]
__version__ = "0.1.0"

# Names are imported when they are first used (PEP 562): `import chunkfast` alone loads neither numpy nor the core.
_MODULES = {
    "audit": ("Audit", "audit"),
    "chunker": ("DocumentError",),
    "chunks": ("Chunk", "Chunks"),
    "sentence_chunker": ("SentenceChunker", "split_sentences"),
    "structure": ("HeaderLevel", "Heading", "detect_header_level", "outline"),
    "structure_chunker": ("StructureChunker", "split_table"),
    "token_chunker": ("TokenChunker",),
    "tokens": ("TokenCounter", "load_tokenizer"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
