"""What one core does with a corpus, what a second thread adds, and the memory of a Parquet run.

python -m bench.scale [--tokenizer deepseek] [--run 200]    # --run: also MB of Parquet through `chunkfast chunk`
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from chunkfast import StructureChunker

SAMPLES = Path(__file__).parents[1] / "samples"
SIZES = 300, 4_000, 20_000  # characters
CORPUS = 6_000_000  # characters that are measured
ROW_GROUP = 10_000  # documents: 65 MB of text
HEAD = (
    "documents of characters",
    "bytes",
    "documents/s a core",
    "MB/s",
    "chunks each",
    "text out, in = 1",
    "tokens each",
)


def documents(text: str, size: int) -> Iterator[str]:
    """Endless different documents of about `size` characters, each from the start of a line of `text`."""
    text = text * (2 + size // len(text))
    start = number = 0
    while True:
        number += 1
        start = text.find("\n", start + size) % (len(text) - 2 * size) + 1
        end = text.find("\n", start + size)
        yield f"{text[start:end]}\n{number}"


def sample_text(language: str) -> str:
    suffixes = {"Chinese": "_zh.", "English": "_en."}[language]
    return "\n".join(p.read_text(encoding="utf-8") for p in sorted(SAMPLES.iterdir()) if suffixes in p.name)


def measured(language: str, tokenizer: str, size: int) -> str:
    """A row of the table, by the processor time of one thread, so that a busy machine does not count."""
    made = documents(sample_text(language), size)
    texts = [next(made) for _ in range(CORPUS // size)]
    chunker = StructureChunker.for_documents("general", tokenizer)
    table = pa.table({"text": texts, "id": range(len(texts))})
    chunker.chunk_arrow(table.slice(0, 20))
    seconds = []
    for _ in range(3):
        begin = time.thread_time()
        chunks = chunker.chunk_arrow(table, id_column="id")
        seconds.append(time.thread_time() - begin)
    least = min(seconds)
    size_in = sum(len(t.encode()) for t in texts)
    rows, tokens = chunks.num_rows, int(chunks["token_count"].to_numpy().sum())
    text_out = sum(len(t.encode()) for t in chunks["text"].to_pylist())
    cells = (
        f"{language}, {size:,}",
        f"{size_in / len(texts):,.0f}",
        f"{len(texts) / least:,.0f}",
        f"{size_in / least / 1e6:.0f}",
        f"{rows / len(texts):.1f}",
        f"{text_out / size_in:.2f}",
        f"{tokens / len(texts):,.0f}",
    )
    return f"| {' | '.join(cells)} |"


def alternating(runs: dict[str, Callable[[], object]], rounds: int = 11) -> dict[str, float]:
    """Seconds of each, the median of rounds that take one after the other: a clock that changes changes all."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begin = time.perf_counter()
            made = run()
            seconds[name].append(time.perf_counter() - begin)
            del made
    return {name: statistics.median(values) for name, values in seconds.items()}


def cut_when_told(texts: list[str], tokenizer: str, start: Any, done: Any) -> None:
    chunker = StructureChunker.for_documents("general", tokenizer)
    chunker.chunk_batch(texts[:20], threads=1)
    while True:
        start.wait()
        chunker.chunk_batch(texts, threads=1)
        done.wait()


def threads(tokenizer: str, size: int) -> str:
    """A row: what two threads are worth, beside two processes, which share nothing but the machine."""
    made = documents(sample_text("Chinese"), size)
    texts = [next(made) for _ in range(CORPUS // size)]
    chunker = StructureChunker.for_documents("general", tokenizer)
    chunker.chunk_batch(texts[:20], threads=1)
    context = get_context("spawn")
    start, done = context.Barrier(2), context.Barrier(2)
    half = texts[: len(texts) // 2]
    other = context.Process(target=cut_when_told, args=(texts[len(texts) // 2 :], tokenizer, start, done), daemon=True)
    other.start()

    def two_processes() -> None:
        start.wait()
        chunker.chunk_batch(half, threads=1)
        done.wait()

    two_processes()
    seconds = alternating(
        {
            "one": lambda: chunker.chunk_batch(texts, threads=1),
            "two": lambda: chunker.chunk_batch(texts, threads=2),
            "processes": two_processes,
        }
    )
    other.terminate()
    ratios = (seconds["one"] / seconds[name] for name in ("two", "processes"))
    return f"| {tokenizer}, {size:,} | {len(texts) / seconds['one']:,.0f} | {' | '.join(f'{r:.2f}' for r in ratios)} |"


def columns(tokenizer: str, size: int) -> str:
    """A row: `chunk_arrow` beside `chunk_batch` alone, which makes neither ids nor texts, and beside both with them."""
    made = documents(sample_text("Chinese"), size)
    texts = [next(made) for _ in range(CORPUS // size)]
    chunker = StructureChunker.for_documents("general", tokenizer)
    table = pa.table({"text": texts, "id": range(len(texts))})
    chunker.chunk_arrow(table.slice(0, 20))
    seconds = alternating(
        {
            "batch": lambda: chunker.chunk_batch(texts, threads=1),
            "read": lambda: [chunks.to_dicts() for chunks in chunker.chunk_batch(texts, threads=1)],
            "arrow": lambda: chunker.chunk_arrow(table, id_column="id"),
        }
    )
    rates = (f"{len(texts) / seconds[name]:,.0f}" for name in ("batch", "arrow", "read"))
    return f"| {tokenizer}, {size:,} | {' | '.join(rates)} |"


def parquet_run(megabytes: int, tokenizer: str) -> str:
    """A Parquet file through the command line, with the largest resident memory of the process."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.parquet"
        made = documents(sample_text("Chinese"), 4_000)
        with pq.ParquetWriter(source, pa.schema([("text", pa.string())])) as file:
            left = megabytes * 1_000_000
            while left > 0:
                texts = [next(made) for _ in range(ROW_GROUP)]
                left -= sum(len(text.encode()) for text in texts)
                file.write_table(pa.table({"text": texts}))
        code = (
            "import resource, sys; from chunkfast.cli import main\n"
            "try: main()\n"
            "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                code,
                "chunk",
                str(source),
                "-o",
                str(Path(folder) / "out.parquet"),
                "-t",
                tokenizer,
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = pq.ParquetFile(Path(folder) / "out.parquet").metadata
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return (
            f"{megabytes} MB of text in Parquet: {out.num_rows:,} chunks in {out.num_row_groups} row groups, "
            f"{seconds:.0f} s of processor time, at most {int(done.stderr.split()[-1]) / 1e3:.0f} MB resident"
        )


def print_table(head: Sequence[str], rows: Sequence[str]) -> None:
    print(f"\n| {' | '.join(head)} |\n| --- |{' ---: |' * (len(head) - 1)}")
    print(*rows, sep="\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", default="deepseek")
    parser.add_argument("--run", type=int, default=0, metavar="MB")
    arguments = parser.parse_args()
    rows = [measured(language, arguments.tokenizer, size) for language in ("Chinese", "English") for size in SIZES]
    print_table(HEAD, rows)
    tokenizers = dict.fromkeys(("chars", arguments.tokenizer))
    rows = [threads(tokenizer, size) for tokenizer in tokenizers for size in (2_000, 20_000)]
    print_table(("documents of characters", "documents/s, 1 thread", "2 threads, 1 = 1", "2 processes, 1 = 1"), rows)
    rows = [columns(tokenizer, size) for tokenizer in tokenizers for size in SIZES]
    print_table(("documents/s, of characters", "chunk_batch", "chunk_arrow", "chunk_batch and to_dicts"), rows)
    if arguments.run:
        print(parquet_run(arguments.run, arguments.tokenizer))


if __name__ == "__main__":
    main()
