"""What chunks answer, on the questions of ../shared/data: `python -m bench.quality [FILES]` prints a table for each.

Generations 1 and 2 and the peers have 512 tokens and the document's title in the index text, ours title and headings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version

from chunkfast import __version__, load_tokenizer
from chunkfast.evaluation import contender, evaluate, read_questions, read_sources
from tests.corpora import DATA

FILES = {  # questions: folder of the documents that are indexed, preset
    "table": ("insurance/clauses", "insurance"),
    "negation": ("insurance/clauses", "insurance"),
    "text": ("insurance/fragments", "insurance"),
    "law": ("laws", "law"),
    "multi_hop": ("laws", "law"),
    "english": ("english/chroma", "general"),
}
PEERS = ("langchain", "semchunk", "chonkie", "semantic-text-splitter")
PACKAGES = ("bm25s", "jieba", "langchain-text-splitters", "semchunk", "chonkie", "semantic-text-splitter")
COLUMNS = ("answerable", "answerable_budget", "recall", "mrr", "char_recall", "char_precision", "char_iou", "possible")


def table(name: str, others: Sequence[str]) -> Iterator[str]:
    """Lines of Markdown for one question file; p: exact McNemar of answerable_budget against the preset."""
    folder, preset = FILES[name]
    counter = load_tokenizer("deepseek")
    questions = read_questions(DATA / "questions" / f"{name}.jsonl")
    names = [preset, "token", "sentence", *others]
    outcomes = evaluate(questions, read_sources(DATA, [folder]), [contender(n, counter) for n in names])
    yield f"\n**{name}** ({len(questions)} questions, {folder})\n"
    yield "| chunker | " + " | ".join([*COLUMNS, "p", "chunks", "storage", "largest"]) + " |"
    yield "| --- |" + " ---: |" * (len(COLUMNS) + 4)
    for o in outcomes:
        shares = [f"{o.of(column).mean():.3f}" for column in COLUMNS]
        about = [
            "" if o is outcomes[0] else f"{o.p_against(outcomes[0], 'answerable_budget'):.1g}",
            f"{o.chunks:,}",
            f"{o.storage:.2f}",
            f"{o.largest:,}",
        ]
        yield f"| {o.name} | " + " | ".join([*shares, *about]) + " |"
    yield "\nfailures of the preset within k = 5, by cause: " + ", ".join(
        f"{cause} {count}" for cause, count in outcomes[0].causes().most_common()
    )


def main(files: Sequence[str]) -> int:
    print(f"chunkfast {__version__}, " + ", ".join(f"{package} {version(package)}" for package in PACKAGES))
    for name in files or FILES:
        for line in table(name, PEERS):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
