"""What one setting does: recall and storage for each of its values, and where more storage stops to pay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chunkfast import TokenCounter
from chunkfast.evaluation.contenders import Contender, contender
from chunkfast.evaluation.metrics import wilson
from chunkfast.evaluation.questions import Question, Source
from chunkfast.evaluation.retrieval import Retriever
from chunkfast.evaluation.runner import Outcome, evaluate

Value = int | str  # "none" for None

TOLERANCE = 0.01
OVERLAPS: dict[str, tuple[str, Sequence[Value]]] = {  # by generation: the published values
    "token": ("chunk_overlap", (0, 50, 100, 200, 300)),
    "sentence": ("overlap_sentences", (0, 1, 2, 4, 8)),
    "structure": ("chunk_overlap", (0, 50, 100, 200, 300)),
}
SIZES: dict[str, Sequence[Value]] = {
    "chunk_size": (256, 512, 1024, 1536, 2048),
    "table_size": (150, 300, 600, 1200, "none"),
    "list_size": (150, 300, 600, 1200, "none"),
    "pack_size": (0, 128, 256, 384, 512),
}


@dataclass(frozen=True)
class Series:
    """A chunker and the values of one of its settings.

    Attributes
    ----------
    chunker : str
        As for `contender`, settings allowed.
    setting : str
    values : sequence of int or "none"
    """

    chunker: str
    setting: str
    values: Sequence[Value]

    def spec(self, value: Value) -> str:
        """The chunker with one value, as for `contender`."""
        return f"{self.chunker}{',' if ':' in self.chunker else ':'}{self.setting}={value}"


@dataclass(frozen=True)
class Swept:
    """A series with what each value gave, in the same order."""

    series: Series
    outcomes: Sequence[Outcome]

    def shares(self, metric: str) -> list[float]:
        """A metric's mean over all questions, for each value."""
        return [float(outcome.of(metric).mean()) for outcome in self.outcomes]

    def knee(self, metric: str) -> int:
        """Position of the value with the least storage among those within one point (0.01) of the best."""
        return knee(self.shares(metric), [outcome.storage for outcome in self.outcomes])

    def summary(self) -> dict[str, Any]:
        """Everything for JSON."""
        rows = []
        for value, outcome in zip(self.series.values, self.outcomes, strict=True):
            row: dict[str, Any] = {"value": value, "storage": outcome.storage, "chunks": outcome.chunks}
            for metric in ("answerable", "answerable_budget", "recall"):
                share = float(outcome.of(metric).mean())
                row[metric] = {
                    "mean": share,
                    "interval": wilson(share, len(outcome.questions)),
                    "types": {kind: float(outcome.of(metric, kind).mean()) for kind in outcome.types},
                }
            rows.append(row)
        knees = {metric: self.series.values[self.knee(metric)] for metric in ("answerable", "answerable_budget")}
        return {"chunker": self.series.chunker, "setting": self.series.setting, "knee": knees, "values": rows}


def knee(shares: Sequence[float], storage: Sequence[float]) -> int:
    """Position of the least storage among the shares within one point (0.01) of the best; of equals the better share.

    With the published account's Recall@5 of 0.81, 0.86, 0.89, 0.90 and 0.90 for an overlap of 0 to 300 tokens it is
    that of 100, which the account chose.
    """
    enough = [i for i, share in enumerate(shares) if share >= max(shares) - TOLERANCE - 1e-9]
    return min(enough, key=lambda i: (storage[i], -shares[i]))


def experiments(base: str = "structure") -> list[Series]:
    """The overlap of all three generations, then the sizes of the third.

    Parameters
    ----------
    base : str
        The third generation: "structure" or a preset, settings allowed.
    """
    overlaps = [Series(base if name == "structure" else name, *setting) for name, setting in OVERLAPS.items()]
    return overlaps + [Series(base, name, values) for name, values in SIZES.items()]


def sweep(
    questions: Sequence[Question],
    sources: Sequence[Source],
    series: Sequence[Series],
    tokenizer: TokenCounter,
    retriever: Retriever | None = None,
    k: int = 5,
    budget: int = 2560,
    context: bool = True,
    within_document: bool = False,
    advance: Callable[[str, int, int], None] = lambda name, done, total: None,
) -> list[Swept]:
    """What each value of each series gives; `evaluate` says what the parameters mean.

    Parameters
    ----------
    advance
        Called with a contender's name and how many of its questions are done.

    Raises
    ------
    ValueError
        No such chunker, setting or value; a question about a document that is not there.
    """
    made: dict[str, Contender] = {}
    for one in series:
        for value in one.values:
            made.setdefault(one.spec(value), contender(one.spec(value), tokenizer, context=context))
    outcomes = evaluate(
        questions, sources, list(made.values()), retriever, k, budget,
        within_document=within_document, advance=advance,
    )  # fmt: skip
    by_spec = dict(zip(made, outcomes, strict=True))
    return [Swept(one, [by_spec[one.spec(value)] for value in one.values]) for one in series]
