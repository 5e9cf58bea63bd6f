"""Every promise, on every real document, in all three generations: `make verify`, or `python -m tests.verify --quick`.

Prints the number of broken promises by kind and tokenizer (to be 0 everywhere), and the structure score against
hand-made labels where those are. Ends with exit code 1 if anything is broken.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence

from chunkfast import outline
from tests import corpora, invariants
from tests.chunkers import GENERATIONS, Chunker, chunker

LIMITS = (16, 64, 256, 512, 1024, 2048)
TOKENIZERS = ("chars", *corpora.REAL_TOKENIZERS)
PROMISES = (
    *("count", "limit", "prefix over half", "spans", "half grapheme", "prefix", "text"),
    *("twice", "lost", "blank", "progress", "index", "id", "mixed", "overlap", "heading alone", "sequence", "error"),
)
KEPT = 3  # examples printed for each kind of broken promise


def broken_promises(
    document: corpora.Document, used: Chunker, tokenizer: corpora.UserTokenizer
) -> list[invariants.Problem]:
    """What is broken in one document's chunks; an exception is a broken promise too."""
    try:
        chunks = used.chunk(document.text)
        found = list(invariants.problems(chunks, document.text, tokenizer, used))
        if hasattr(used, "pack_size"):
            found += invariants.section_problems(chunks, document.text, outline(document.text), used)
    except Exception as error:  # counted and shown; the run goes on to the other documents
        return [invariants.Problem("error", -1, f"{type(error).__name__}: {error}")]
    return found


def verify(
    documents: Sequence[corpora.Document], names: Sequence[str], limits: Sequence[int]
) -> Counter[tuple[str, str]]:
    """Broken promises by (promise, tokenizer). Documents outermost, so that what is known of one is worked out once."""
    counts: Counter[tuple[str, str]] = Counter()
    shown: Counter[str] = Counter()
    for name in names:
        tokenizer = corpora.tokenizer(name)
        chunkers = [chunker(generation, tokenizer.spec, limit) for generation in GENERATIONS for limit in limits]
        begun, size = time.perf_counter(), 0
        for document in documents:
            size += len(document.text.encode())
            for used in chunkers:
                for problem in broken_promises(document, used, tokenizer):
                    counts[problem.promise, name] += 1
                    shown[problem.promise] += 1
                    if shown[problem.promise] <= KEPT:
                        print(f"{problem.promise}: {document.name}, {used!r}, chunk {problem.index}: {problem.seen}")
        seconds = time.perf_counter() - begun
        print(
            f"{name}: {len(documents)} documents, {size / 1e6:.1f} MB, {len(chunkers)} chunkers, {seconds:.0f} s",
            flush=True,
        )
    return counts


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
    arguments = parser.parse_args()
    if not corpora.have_data():
        print("real documents (../shared/data) are not on this machine: verifying the samples with chars and bytes")
        documents, names = corpora.samples(), ["chars", "bytes"]
    else:
        documents = corpora.some_real_documents() if arguments.quick else corpora.real_documents()
        names = arguments.tokenizers
    counts = verify(documents, names, arguments.limits or ((16, 512) if arguments.quick else LIMITS))
    print(table(counts, names))
    if corpora.have_data():
        structure_score()
    total = sum(counts.values())
    print(f"broken promises: {total}")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
