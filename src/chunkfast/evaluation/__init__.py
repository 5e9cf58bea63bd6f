"""Which chunker's chunks answer questions: metrics on offsets, by question type. Needs the extra `eval`."""

from chunkfast.evaluation.causes import CAUSES
from chunkfast.evaluation.contenders import Contender, Piece, contender
from chunkfast.evaluation.generator import generate
from chunkfast.evaluation.questions import Question, Source, Span, read_questions, read_sources, write_questions
from chunkfast.evaluation.retrieval import BM25, Embedding, Fusion, Retriever
from chunkfast.evaluation.runner import Outcome, evaluate

__all__ = [
    "BM25",
    "CAUSES",
    "Contender",
    "Embedding",
    "Fusion",
    "Outcome",
    "Piece",
    "Question",
    "Retriever",
    "Source",
    "Span",
    "contender",
    "evaluate",
    "generate",
    "read_questions",
    "read_sources",
    "write_questions",
]
