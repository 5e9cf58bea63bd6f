"""An evaluation as one page for a browser: `report.html`, filled in, with everything escaped and no script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import chunkfast
from chunkfast.evaluation import charts
from chunkfast.evaluation.causes import CAUSES
from chunkfast.evaluation.charts import Line
from chunkfast.evaluation.metrics import wilson
from chunkfast.evaluation.runner import BUDGETS, Outcome
from chunkfast.evaluation.sweep import Swept

SHARES = {"answerable": "answerable@k", "answerable_budget": "in budget"}
COLUMNS = {"hit": "hit@k", "recall": "recall@k", "mrr": "MRR", "char_recall": "character recall",
           "char_precision": "precision", "char_iou": "IoU", "possible": "possible"}  # fmt: skip


def report(
    outcomes: Sequence[Outcome] = (),
    swept: Sequence[Swept] = (),
    about: Mapping[str, object] | None = None,
    cases: int = 10,
) -> str:
    """One self-contained HTML page.

    Parameters
    ----------
    outcomes : sequence of Outcome
        Of `evaluate`: bars by question type, a table with significance, storage, retrieved tokens, bad cases.
    swept : sequence of Swept
        Of `sweep`: curves of each setting.
    about : mapping, optional
        What stands at the head: `{"k": 5, "tokenizer": "deepseek"}`.
    cases : int
        Bad cases shown of each contender and cause; all are counted.

    Raises
    ------
    ImportError
        The extra `eval` is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader
    except ImportError as error:
        raise ImportError("the report needs jinja2: pip install 'chunkfast[eval]'") from error
    loader = PackageLoader("chunkfast.evaluation", ".")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["share"] = lambda value: f"{value:.3f}".removeprefix("0")
    environment.filters["visible"] = _visible
    return environment.get_template("report.html").render(
        version=chunkfast.__version__,
        about=about or {},
        names=[outcome.name for outcome in outcomes],
        bars={label: _bars(outcomes, metric) for metric, label in SHARES.items()} if outcomes else {},
        columns=[*SHARES.values(), *COLUMNS.values()],
        rows=list(_rows(outcomes)),
        chunks=outcomes,
        against_storage=_against_storage(outcomes),
        against_tokens=_against_tokens(outcomes),
        overlaps=_overlaps(swept),
        series=[_series(one) for one in swept],
        causes=CAUSES,
        cases=[_cases(outcome, cases) for outcome in outcomes],
        shown=cases,
    )


def _interval(outcome: Outcome, metric: str, kind: str | None = None) -> tuple[float, float]:
    values = outcome.of(metric, kind)
    return wilson(float(values.mean()), len(values))


def _mean(outcome: Outcome, metric: str, kind: str | None = None) -> float:
    return float(outcome.of(metric, kind).mean())


def _bars(outcomes: Sequence[Outcome], metric: str) -> str:
    types = outcomes[0].types
    return charts.bars(
        [f"{kind} ({len(outcomes[0].of(metric, kind))})" for kind in types],
        [outcome.name for outcome in outcomes],
        [[_mean(outcome, metric, kind) for outcome in outcomes] for kind in types],
        [[_interval(outcome, metric, kind) for outcome in outcomes] for kind in types],
    )


def _rows(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    for kind in outcomes[0].types if outcomes else ():
        values = {metric: [_mean(outcome, metric, kind) for outcome in outcomes] for metric in (*SHARES, *COLUMNS)}
        for i, outcome in enumerate(outcomes):
            yield {
                "type": kind if i == 0 else "",
                "questions": len(outcome.of("hit", kind)),
                "span": len(outcomes),
                "colour": i % charts.COLOURS,
                "name": outcome.name,
                "cells": [
                    {
                        "value": values[metric][i],
                        "best": values[metric][i] == max(values[metric]) > min(values[metric]),
                        "interval": _interval(outcome, metric, kind) if metric in SHARES else None,
                        "p": outcome.p_against(outcomes[0], metric, kind) if metric in SHARES and i else None,
                    }
                    for metric in (*SHARES, *COLUMNS)
                ],
            }


def _against_storage(outcomes: Sequence[Outcome]) -> str:
    lines = [Line(o.name, i, [(o.storage, _mean(o, "answerable"))], [o.name], low_high=[_interval(o, "answerable")])
             for i, o in enumerate(outcomes)]  # fmt: skip
    return charts.curves(lines, "characters stored, documents = 1") if lines else ""


def _against_tokens(outcomes: Sequence[Outcome]) -> str:
    places = range(len(BUDGETS))
    lines = [Line(o.name, i, list(zip(places, o.by_tokens(BUDGETS), strict=True))) for i, o in enumerate(outcomes)]
    ticks = [(float(i), f"{budget:,}") for i, budget in enumerate(BUDGETS)]
    return charts.curves(lines, "tokens retrieved, at most", ticks) if lines else ""


def _overlaps(swept: Sequence[Swept]) -> dict[str, Any] | None:
    """All overlaps in one chart, over storage."""
    chosen = [one for one in swept if one.series.setting in ("chunk_overlap", "overlap_sentences")]
    if not chosen:
        return None
    lines = [
        Line(
            f"{one.series.chunker}, {one.series.setting}",
            i,
            [(o.storage, share) for o, share in zip(one.outcomes, one.shares("answerable"), strict=True)],
            [str(value) for value in one.series.values],
            one.knee("answerable"),
        )
        for i, one in enumerate(chosen)
    ]
    return {
        "names": [line.name for line in lines],
        "chart": charts.curves(lines, "characters stored, documents = 1"),
    }


def _series(one: Swept) -> dict[str, Any]:
    places = range(len(one.outcomes))
    labels = [str(value) for value in one.series.values]
    lines = [
        Line(
            label,
            i,
            list(zip(map(float, places), one.shares(metric), strict=True)),
            knee=one.knee(metric),
            dashed=bool(i),
            low_high=[_interval(outcome, metric) for outcome in one.outcomes] if not i else (),
        )
        for i, (metric, label) in enumerate(SHARES.items())
    ]
    ticks = list(zip(map(float, places), labels, strict=True))
    return {
        "chunker": one.series.chunker,
        "setting": one.series.setting,
        "chart": charts.curves(lines, one.series.setting, ticks, 240),
        "storage": charts.columns([outcome.storage for outcome in one.outcomes], labels),
        "types": one.outcomes[0].types if one.outcomes else [],
        "rows": [
            {
                "value": label,
                "outcome": outcome,
                "shares": [_mean(outcome, metric) for metric in SHARES],
                "by_type": [_mean(outcome, "answerable", kind) for kind in outcome.types],
                "knees": [name for metric, name in SHARES.items() if one.knee(metric) == i],
            }
            for i, (label, outcome) in enumerate(zip(labels, one.outcomes, strict=True))
        ],
    }


def _cases(outcome: Outcome, most: int) -> dict[str, Any]:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for failure in outcome.failures:
        groups[failure["cause"]].append(failure)
    return {
        "name": outcome.name,
        "failures": len(outcome.failures),
        "questions": len(outcome.questions),
        "groups": [
            {"cause": cause, "count": len(groups[cause]), "cases": groups[cause][:most]}
            for cause in CAUSES
            if groups[cause]
        ],
    }


def _visible(text: str) -> str:
    """Control characters as signs, so that none of them does anything."""
    return "".join(chr(0x2400 + ord(c)) if ord(c) < 32 and c not in "\n\t" else c for c in text)
