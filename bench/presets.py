"""What the presets rest on: `python -m bench.presets [PRESETS]` prints, for each value, what it answers.

One setting of a preset is changed at a time; where that is `chunk_size`, no `size_rules` go beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from bench.quality import FILES
from chunkfast import StructureChunker, load_tokenizer
from chunkfast.evaluation import Outcome, contender, evaluate, read_questions, read_sources
from chunkfast.structure_chunker import DocumentKind
from tests.corpora import DATA

SETTINGS: Mapping[DocumentKind, Mapping[str, Sequence[int | str]]] = {
    "insurance": {
        "chunk_size": (512, 1024, 1536),
        "chunk_overlap": (50, 100),
        "table_size": (150, 600),
        "list_size": (600, "none"),
        "pack_size": (0, 180, 200, 256, 384),
    },
    "law": {"chunk_size": (512, 1536), "chunk_overlap": (0, 200), "pack_size": (0, 256, 512)},
    "general": {"chunk_size": (400, 768, 1024), "chunk_overlap": (0, 100), "pack_size": (0, 256, 512)},
}


def table(preset: DocumentKind) -> Iterator[str]:
    """Lines of Markdown: a row for each value, `answerable` / `answerable_budget` of each question file."""
    counter = load_tokenizer("deepseek")
    own = StructureChunker.for_documents(preset, counter).chunk_overlap  # not that of another chunk_size
    changes = [f"{setting}={value}" for setting, values in SETTINGS[preset].items() for value in values]
    contenders = [contender(f"{preset}:chunk_overlap={own},{change}", counter) for change in ("", *changes)]
    files = [name for name, (_, used) in FILES.items() if used == preset]
    columns = []
    for name in files:
        questions = read_questions(DATA / "questions" / f"{name}.jsonl")
        columns.append(evaluate(questions, read_sources(DATA, [FILES[name][0]]), contenders))
    yield f"\n**{preset}**\n"
    yield f"| changed | {' | '.join(files)} |"
    yield "| --- |" + " ---: |" * len(files)
    for change, *row in zip(["nothing", *changes], *columns, strict=True):
        yield f"| {change} | " + " | ".join(map(shares, row)) + " |"


def shares(outcome: Outcome) -> str:
    return " / ".join(f"{outcome.of(metric).mean():.3f}" for metric in ("answerable", "answerable_budget"))


def main(presets: Sequence[str]) -> int:
    for preset in [preset for preset in SETTINGS if not presets or preset in presets]:
        for line in table(preset):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
