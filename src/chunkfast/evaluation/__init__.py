"""Which chunker's chunks answer questions: metrics on offsets, by question type. Needs the extra `eval`."""

from chunkfast.evaluation.causes import CAUSES
from chunkfast.evaluation.contenders import Contender, Piece, contender
from chunkfast.evaluation.generator import generate
from chunkfast.evaluation.questions import Question, Source, Span, read_questions, read_sources, write_questions
from chunkfast.evaluation.report import report
from chunkfast.evaluation.retrieval import BM25, Embedding, Fusion, Retriever, retriever
from chunkfast.evaluation.runner import Outcome, evaluate
from chunkfast.evaluation.sweep import Series, Swept, experiments, sweep

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
    "Series",
    "Source",
    "Span",
    "Swept",
    "contender",
    "evaluate",
    "experiments",
    "generate",
    "read_questions",
    "read_sources",
    "report",
    "retriever",
    "sweep",
    "write_questions",
]
