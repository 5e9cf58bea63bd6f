"""Exact, fast chunking for retrieval: token windows, sentences, document structure."""

from chunkfast.chunks import Chunk, Chunks
from chunkfast.sentence_chunker import SentenceChunker, split_sentences
from chunkfast.structure import HeaderLevel, Heading, detect_header_level, outline
from chunkfast.structure_chunker import StructureChunker, split_table
from chunkfast.token_chunker import TokenChunker
from chunkfast.tokens import TokenCounter, load_tokenizer

__all__ = [
    "Chunk",
    "Chunks",
    "HeaderLevel",
    "Heading",
    "SentenceChunker",
    "StructureChunker",
    "TokenChunker",
    "TokenCounter",
    "detect_header_level",
    "load_tokenizer",
    "outline",
    "split_sentences",
    "split_table",
]
__version__ = "0.1.0.dev0"
