"""Overlap and sizes on real questions, beside the published curve: `python -m bench.overlap` prints tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from bench.quality import FILES
from chunkfast import load_tokenizer
from chunkfast.evaluation import Swept, experiments, read_questions, read_sources, sweep
from tests.corpora import DATA

PUBLISHED = {
    0: (0.81, 1.0),
    50: (0.86, 1.05),
    100: (0.89, 1.1),
    200: (0.90, 1.2),
    300: (0.90, 1.3),
}  # Recall@5, storage
FOLDERS = {  # folder and preset, and the question files that are asked together
    "insurance": ("table", "negation"),
    "law": ("law", "multi_hop"),
}


def lines(one: Swept) -> Iterator[str]:
    yield f"\n{one.series.chunker}, {one.series.setting}\n"
    yield "| value | answerable | answerable_budget | recall | storage | chunks | |"
    yield "| --- |" + " ---: |" * 5 + " --- |"
    knees = {metric: one.knee(metric) for metric in ("answerable", "answerable_budget")}
    for i, (value, outcome) in enumerate(zip(one.series.values, one.outcomes, strict=True)):
        shares = [f"{outcome.of(metric).mean():.3f}" for metric in ("answerable", "answerable_budget", "recall")]
        knee = ", ".join(f"knee of {metric}" for metric, place in knees.items() if place == i)
        yield f"| {value} | {' | '.join(shares)} | {outcome.storage:.2f} | {outcome.chunks:,} | {knee} |"


def main(presets: Sequence[str]) -> int:
    print("published: overlap Recall@5, storage: " + "; ".join(f"{k} {r} {s}" for k, (r, s) in PUBLISHED.items()))
    counter = load_tokenizer("deepseek")
    for preset in presets or FOLDERS:
        files = FOLDERS[preset]
        questions = [q for name in files for q in read_questions(DATA / "questions" / f"{name}.jsonl")]
        sources = read_sources(DATA, [FILES[files[0]][0]])
        print(f"\n**{preset}**: {' and '.join(files)} ({len(questions)} questions)")
        for one in sweep(questions, sources, experiments(preset), counter):
            print("\n".join(lines(one)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
