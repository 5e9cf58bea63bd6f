"""Questions against contenders: cut, index, retrieve, judge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfast import StructureChunker, outline
from chunkfast.evaluation.causes import cause
from chunkfast.evaluation.contenders import Contender, Piece
from chunkfast.evaluation.metrics import Ranges, mcnemar, shared, union, wilson
from chunkfast.evaluation.questions import Question, Source, Span
from chunkfast.evaluation.retrieval import BM25, Retriever

FIELDS = ("hit", "answerable", "answerable_budget", "recall", "recall_budget", "mrr", "possible",
          "char_recall", "char_precision", "char_iou")  # fmt: skip
BUDGETS = (256, 512, 1024, 1536, 2048, 2560, 3584, 5120, 7168, 10240)  # tokens, of `answerable_by_tokens`


@dataclass
class Outcome:
    """What one contender did.

    Attributes
    ----------
    name : str
    questions : sequence of Question
    figures : dict of str to ndarray of float64, shape (questions,)
        A figure for each question: those of FIELDS, and `retrieved`, the tokens of the `k` chunks.
    needed : list of ndarray of float64, shape (golds,)
        For each question and gold: how many tokens had been retrieved when it was answered; inf where it never was.
    chunks, largest : int
        How many there are; tokens of the largest.
    storage : float
        Characters of all chunks, as they are given out, of those of the documents.
    failures : list of dict
        Each question that was not answered in whole within k.
    """

    name: str
    questions: Sequence[Question]
    figures: dict[str, NDArray[np.float64]]
    needed: list[NDArray[np.float64]]
    chunks: int
    largest: int
    storage: float
    failures: list[dict[str, Any]] = field(default_factory=list)

    def of(self, metric: str, question_type: str | None = None) -> NDArray[np.float64]:
        """A metric's figures, of one type's questions or of all."""
        return np.asarray(self.figures[metric][self._chosen(question_type)])

    def p_against(self, other: Outcome, metric: str, question_type: str | None = None) -> float:
        """Exact two-sided p that two chunkers, asked the same questions, are as good: McNemar, by the questions where
        they differ."""
        return mcnemar(self.of(metric, question_type), other.of(metric, question_type))

    def by_tokens(self, budgets: Sequence[int], question_type: str | None = None) -> list[float]:
        """Mean share of golds that are answered within each budget of retrieved tokens."""
        chosen = np.flatnonzero(self._chosen(question_type))
        return [float(np.mean([(self.needed[i] <= budget).mean() for i in chosen])) for budget in budgets]

    def _chosen(self, question_type: str | None) -> NDArray[np.bool_]:
        return np.array([question_type in (None, question.type) for question in self.questions], bool)

    @property
    def types(self) -> list[str]:
        """Question types, in the order in which they come."""
        return list(dict.fromkeys(question.type for question in self.questions))

    def causes(self, question_type: str | None = None) -> Counter[str]:
        """How many failed questions each cause has."""
        return Counter(f["cause"] for f in self.failures if question_type in (None, f["type"]))

    def summary(self, against: Outcome | None = None) -> dict[str, Any]:
        """Everything for JSON: by type, a metric's mean, 95 % interval and, beside another chunker, p."""
        by_type = {}
        for name in self.types:
            rows: dict[str, dict[str, Any]] = {}
            for metric in FIELDS:
                values = self.of(metric, name)
                rows[metric] = {"mean": float(values.mean()), "interval": wilson(float(values.mean()), len(values))}
                if against is not None:
                    rows[metric]["p"] = self.p_against(against, metric, name)
            by_type[name] = {
                "questions": len(values),
                **rows,
                "retrieved_tokens": float(self.of("retrieved", name).mean()),
                "answerable_by_tokens": dict(zip(BUDGETS, self.by_tokens(BUDGETS, name), strict=True)),
                "causes": dict(self.causes(name)),
            }
        about = {"chunks": self.chunks, "largest_chunk": self.largest, "storage": self.storage}
        return {"name": self.name, **about, "types": by_type, "failures": self.failures}


def evaluate(
    questions: Sequence[Question],
    sources: Sequence[Source],
    contenders: Sequence[Contender],
    retriever: Retriever | None = None,
    k: int = 5,
    budget: int = 2560,
    depth: int = 200,
    within_document: bool = False,
    advance: Callable[[str, int, int], None] = lambda name, done, total: None,
) -> list[Outcome]:
    """What each contender's chunks answer.

    A question's figure is the share of its gold spans: `recall` those whole in one of the `k` chunks retrieved,
    `answerable` those that also have all their context there (in the same words, wherever they stand), `possible` those
    that any chunk answers. `_budget` takes as many chunks as have at most `budget` tokens. White space and mark-up
    do not count.

    Parameters
    ----------
    depth : int
        Chunks ranked for `mrr` and `budget`.
    within_document : bool
        Retrieve from the documents that hold the gold only (an index filtered by title).
    advance
        Called with the contender's name and how many of the questions are done.

    Raises
    ------
    ValueError
        A question about a document that is not there, or a chunker that makes no chunks.
    """
    known = {source.name for source in sources}
    for question in questions:
        for span in (*question.gold, *question.context):
            if span.document not in known:
                raise ValueError(f"question {question.id!r} asks about {span.document!r}, which is not there")
    titler = StructureChunker("chars")
    titles = {source.name: titler.chunk(source.text).title for source in sources}
    return [
        _Run(c, sources, titles, retriever or BM25()).outcome(questions, k, budget, depth, within_document, advance)
        for c in contenders
    ]


class _Run:
    """One contender's chunks of all documents, numbered through."""

    def __init__(self, c: Contender, sources: Sequence[Source], titles: Any, retriever: Retriever) -> None:
        self.name, self.sources = c.name, {source.name: source for source in sources}
        self.pieces: list[Piece] = []
        self.spans: list[Ranges] = []  # by chunk, in content characters
        self.first: dict[str, tuple[int, int]] = {}
        self._reach: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        for source in sources:
            begin = len(self.pieces)
            for piece in c.cut(source.text, titles[source.name]):
                self.pieces.append(piece)
                self.spans.append(union(source.content(np.array(piece.spans, np.int64)).reshape(-1, 2)))
            self.first[source.name] = begin, len(self.pieces)
        if not self.pieces:
            raise ValueError(f"chunker {c.name!r} made no chunks of the documents")
        self.tokens = np.array([piece.tokens for piece in self.pieces], np.int64)
        self.index = retriever.index([piece.index_text for piece in self.pieces])
        self._headings: dict[str, list[int]] = {}

    def outcome(
        self, questions: Sequence[Question], k: int, budget: int, depth: int, within: bool, advance: Any
    ) -> Outcome:
        figures: dict[str, list[float]] = defaultdict(list)
        failures, needed = [], []
        for done, question in enumerate(questions, 1):
            ranking = self.ranking(question, depth, within)
            spent = np.cumsum(self.tokens[ranking])
            fitting = int((spent <= budget).sum())
            judged = [self.judged(question, gold) for gold in question.gold]
            top, budgeted = set(ranking[:k].tolist()), set(ranking[:fitting].tolist())
            order = {chunk: rank for rank, chunk in enumerate(ranking.tolist(), 1)}
            ranks = [min((order[chunk] for chunk in good if chunk in order), default=0) for _, good in judged]
            needed.append(np.array([float(spent[rank - 1]) if rank else np.inf for rank in ranks]))
            found = [bool(whole & top) for whole, _ in judged]
            answered = [bool(good & top) for _, good in judged]
            best = min((order[chunk] for whole, _ in judged for chunk in whole if chunk in order), default=0)
            row = {
                "hit": any(found),
                "answerable": np.mean(answered),
                "answerable_budget": (needed[-1] <= budget).mean(),
                "recall": np.mean(found),
                "recall_budget": np.mean([bool(whole & budgeted) for whole, _ in judged]),
                "mrr": 1 / best if best else 0,
                "possible": np.mean([bool(good) for _, good in judged]),
                "retrieved": spent[:k][-1] if len(spent) else 0,
                **self.characters(question, ranking[:k]),
            }
            for metric, value in row.items():
                figures[metric].append(float(value))
            if not all(answered):
                which = answered.index(False)
                failures.append(self.failure(question, which, judged, ranking[:k], ranks[which]))
            advance(self.name, done, len(questions))
        size = sum(len(source.text) for source in self.sources.values())
        stored = sum(piece.characters for piece in self.pieces)
        arrays = {metric: np.array(values) for metric, values in figures.items()}
        largest = int(self.tokens.max(initial=0))
        storage = stored / max(1, size)
        return Outcome(self.name, questions, arrays, needed, len(self.pieces), largest, storage, failures)

    def ranking(self, question: Question, depth: int, within: bool) -> NDArray[np.int64]:
        scores = self.index.scores(question.text)
        if within:
            allowed = np.zeros(len(scores), bool)
            for span in question.gold:
                allowed[slice(*self.first[span.document])] = True
            candidates = np.flatnonzero(allowed)
        else:
            candidates = np.arange(len(scores))
        if len(candidates) > 2 * depth:  # the best of them, with all that are as good as the last
            least = np.partition(scores[candidates], len(candidates) - depth)[len(candidates) - depth]
            candidates = candidates[scores[candidates] >= least]
        return np.asarray(candidates[np.argsort(-scores[candidates], kind="stable")[:depth]])

    def judged(self, question: Question, gold: Span) -> tuple[set[int], set[int]]:
        """The chunks that hold the gold, and those of them that hold its context too."""
        source = self.sources[gold.document]
        begin, end = self.first[gold.document]
        a, b = source.content([gold.start, gold.end]).tolist()
        if gold.document not in self._reach:
            inside = self.spans[begin:end]
            self._reach[gold.document] = (
                np.array([s[0, 0] if len(s) else 0 for s in inside], np.int64),
                np.array([s[-1, 1] if len(s) else 0 for s in inside], np.int64),
            )
        low, high = self._reach[gold.document]
        near = (begin + np.flatnonzero((low <= a) & (high >= b))).tolist()
        whole = {chunk for chunk in near if shared(self.spans[chunk], a, b) == b - a}
        needed = [source.alike(c.start, c.end) for c in question.context if c.document == gold.document]
        good = {
            chunk
            for chunk in whole
            if all(any(shared(self.spans[chunk], x, y) == y - x for x, y in ranges) for ranges in needed)
        }
        return whole, good

    def characters(self, question: Question, chunks: NDArray[np.int64]) -> dict[str, float]:
        """Recall, precision and IoU of content characters: repeated retrieval costs precision, as in Chroma's."""
        common = size = retrieved = 0
        for chunk in chunks.tolist():
            retrieved += int((self.spans[chunk][:, 1] - self.spans[chunk][:, 0]).sum())
        for document in {span.document for span in question.gold}:
            source, (begin, end) = self.sources[document], self.first[document]
            here = [self.spans[chunk] for chunk in chunks.tolist() if begin <= chunk < end]
            seen = union(np.concatenate([np.zeros((0, 2), np.int64), *here]))
            gold = [source.content([s.start, s.end]) for s in question.gold if s.document == document]
            for a, b in union(np.array(gold, np.int64)).tolist():
                common, size = common + shared(seen, a, b), size + b - a
        together = retrieved + size - common
        return {
            "char_recall": common / size if size else 0.0,
            "char_precision": common / retrieved if retrieved else 0.0,
            "char_iou": common / together if together else 0.0,
        }

    def failure(
        self, question: Question, which: int, judged: Any, retrieved: NDArray[np.int64], rank: int
    ) -> dict[str, Any]:
        gold = question.gold[which]
        whole, good = judged[which]
        text = self.sources[gold.document].text[gold.start : gold.end]
        mixed = bool(good) and all(self.mixed(gold.document, chunk) for chunk in good)
        return {
            "id": question.id,
            "type": question.type,
            "question": question.text,
            "gold": [list(span) for span in question.gold],
            "document": gold.document,
            "gold_text": text,
            "context_text": [self.sources[c.document].text[c.start : c.end] for c in question.context],
            "rank": rank or None,  # of the first chunk that answers it
            "retrieved": [
                {"document": self.document(chunk), "text": self.pieces[chunk].index_text}
                for chunk in retrieved.tolist()
            ],
            "cause": cause(text, bool(whole), bool(good), mixed),
        }

    def document(self, chunk: int) -> str:
        """The document that a chunk is of."""
        return next(name for name, (begin, end) in self.first.items() if begin <= chunk < end)

    def mixed(self, document: str, chunk: int) -> bool:
        """Whether a heading stands inside one of the chunk's ranges, behind text of another section."""
        if document not in self._headings:
            self._headings[document] = [h.start_index for h in outline(self.sources[document].text) if h.level <= 2]
        content = self.sources[document].content
        starts = content(np.array(self._headings[document], np.int64))
        return any(bool(((starts > a) & (starts < b)).any()) for a, b in self.spans[chunk].tolist())
