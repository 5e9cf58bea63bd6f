"""Overlap and sizes on real questions, beside the published curve: `python -m bench.overlap` prints tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from bench.quality import FILES
from chunkfast import load_tokenizer
from chunkfast.evaluation import Swept, experiments, read_questions, read_sources, sweep
from tests.corpora import DATA

PUBLISHED = """
| published, overlap in tokens | 0 | 50 | 100 | 200 | 300 |
| --- | ---: | ---: | ---: | ---: | ---: |
| Recall@5 | 0.81 | 0.86 | 0.89 | 0.90 | 0.90 |
| storage | 1.00 | 1.05 | 1.10 | 1.20 | 1.30 |"""
FOLDERS = {  # folder and preset, and the question files that are asked together
    "insurance": ("table", "negation"),
    "law": ("law", "multi_hop"),
}


def lines(one: Swept) -> Iterator[str]:
    """A small table, a column for each value; bold: the knee."""
    yield f"\n| {one.series.chunker}, {one.series.setting} | " + " | ".join(map(str, one.series.values)) + " |"
    yield "| --- |" + " ---: |" * len(one.series.values)
    for metric in ("answerable", "answerable_budget"):
        cells = [f"{share:.3f}" for share in one.shares(metric)]
        cells[one.knee(metric)] = f"**{cells[one.knee(metric)]}**"
        yield f"| {metric} | " + " | ".join(cells) + " |"
    yield "| storage | " + " | ".join(f"{outcome.storage:.2f}" for outcome in one.outcomes) + " |"


def main(presets: Sequence[str]) -> int:
    print(PUBLISHED)
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
