"""Every promise, on every real document, in all three generations: `make verify`, or `python -m tests.verify --quick`.

Prints the number of broken promises by kind and tokenizer (to be 0 everywhere), and the structure score against
hand-made labels where those are. Ends with exit code 1 if anything is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from chunkfast import load_tokenizer, outline
from tests import corpora, invariants
from tests.chunkers import GENERATIONS, Chunker, chunker

LIMITS = (16, 64, 256, 512, 1024, 2048)
TOKENIZERS = ("chars", *corpora.REAL_TOKENIZERS)
PROMISES = (
    *("count", "limit", "prefix over half", "spans", "half grapheme", "prefix", "text", "twice", "lost", "blank"),
    *("progress", "index", "id", "mixed", "overlap", "heading alone", "furniture alone", "sequence", "error"),
)
KEPT = 3  # examples printed for each kind of broken promise


class Broken(NamedTuple):
    promise: str
    document: str
    tokenizer: str
    generation: str
    limit: int
    index: int
    seen: str


@cache
def loaded(name: str, generation: str, limit: int) -> Chunker:
    return chunker(generation, counter(name), limit)


@cache
def counter(name: str) -> object:
    return load_tokenizer(corpora.tokenizer(name).spec)


def broken_promises(document: corpora.Document, settings: Sequence[tuple[str, str, int]]) -> list[Broken]:
    """What is broken in one document's chunks; an exception is a broken promise too."""
    broken, headings = [], outline(document.text)
    for name, generation, limit in settings:
        used = loaded(name, generation, limit)
        known = headings if generation == "structure" else None
        try:
            chunks = used.chunk(document.text)
            found = [*invariants.problems(chunks, document.text, corpora.tokenizer(name), used, known)]
        except Exception as error:  # counted and shown; the run goes on to the other documents
            found = [invariants.Problem("error", -1, f"{type(error).__name__}: {error}")]
        broken += [Broken(p.promise, document.name, name, generation, limit, p.index, p.seen) for p in found]
    return broken


def verify(
    documents: Sequence[corpora.Document], settings: Sequence[tuple[str, str, int]], jobs: int
) -> Iterator[Broken]:
    """All that is broken, the largest documents first, so that no process is left with one at the end."""
    ordered = sorted(documents, key=lambda document: -len(document.text))
    check = partial(broken_promises, settings=settings)
    begun, done, size = time.perf_counter(), 0, sum(len(document.text) for document in documents)
    os.environ["TOKENIZERS_PARALLELISM"] = str(jobs == 1).lower()
    with ProcessPoolExecutor(jobs) as pool:  # starts no process before it has work
        results = pool.map(check, ordered) if jobs > 1 else map(check, ordered)
        for number, (document, broken) in enumerate(zip(ordered, results, strict=True), 1):
            yield from broken
            done += len(document.text)
            if number % 50 == 0 or number == len(ordered):
                seconds = time.perf_counter() - begun
                print(f"{number} documents, {done / size:.0%} of the text, {seconds:.0f} s", flush=True)


def table(counts: Counter[tuple[str, str]], names: Sequence[str]) -> str:
    """Broken promises as a Markdown table, one row a promise, one column a tokenizer."""
    rows = [["broken promise", *names], ["---", *["---:"] * len(names)]]
    rows += [[promise, *(str(counts[promise, name]) for name in names)] for promise in PROMISES]
    rows.append(["**total**", *(str(sum(counts[promise, name] for promise in PROMISES)) for name in names)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def structure_score() -> None:
    """Run the score of headings, lists and tables against hand-made labels, where both are beside the project."""
    script = corpora.DATA.parent / "tools" / "structure_score.py"
    if not script.exists():
        print("structure score: no labels here")
        return
    sys.stdout.flush()
    subprocess.run([sys.executable, str(script), str(corpora.DATA / "gold")], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a sample of the documents, two limits")
    parser.add_argument("--tokenizers", nargs="+", default=TOKENIZERS, help="of: %(default)s")
    parser.add_argument("--limits", nargs="+", type=int, default=None)
    parser.add_argument("--generations", nargs="+", default=GENERATIONS, help="of: %(default)s")
    parser.add_argument("--largest", type=int, default=None, help="leave out longer documents")
    parser.add_argument("--jobs", type=int, default=1, help="processes; default: %(default)s")
    parser.add_argument("--list", type=Path, default=None, help="write all that is broken to this file, as JSON lines")
    arguments = parser.parse_args()
    if not corpora.have_data():
        print("real documents (../shared/data) are not on this machine: verifying the samples with chars and bytes")
        documents, names = corpora.samples(), ["chars", "bytes"]
    else:
        documents = corpora.some_real_documents() if arguments.quick else corpora.real_documents()
        names = arguments.tokenizers
    documents = [d for d in documents if arguments.largest is None or len(d.text) <= arguments.largest]
    limits = arguments.limits or ((16, 512) if arguments.quick else LIMITS)
    size = sum(len(document.text.encode()) for document in documents)
    settings = [*product(names, arguments.generations, limits)]
    print(f"{len(documents)} documents, {size / 1e6:.1f} MB", *(arguments.generations, names, limits), flush=True)
    counts: Counter[tuple[str, str]] = Counter()
    shown: Counter[str] = Counter()
    with open(arguments.list or os.devnull, "w", encoding="utf-8") as listed:
        for broken in verify(documents, settings, arguments.jobs):
            counts[broken.promise, broken.tokenizer] += 1
            shown[broken.promise] += 1
            if shown[broken.promise] <= KEPT:
                print(*broken, sep=" | ", flush=True)
            print(json.dumps(broken._asdict(), ensure_ascii=False), file=listed, flush=True)
    print(table(counts, names))
    if corpora.have_data():
        structure_score()
    print(f"broken promises: {sum(counts.values())}")
    return int(sum(counts.values()) > 0)


if __name__ == "__main__":
    sys.exit(main())
