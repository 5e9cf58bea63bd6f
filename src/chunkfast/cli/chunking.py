"""Documents through a chunker, a batch at a time, with the progress shown."""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich import progress
from rich.console import Console
from rich.text import Text

from chunkfast import Chunks
from chunkfast.cli.options import Chunker
from chunkfast.cli.reading import Document, Problem
from chunkfast.cli.writing import Write

BATCH_CHARACTERS = 1_000_000  # text that a thread takes at once: much beside taking it, little beside a Parquet batch
BATCH_DOCUMENTS = 64


@dataclass
class Tally:
    """What has been done so far."""

    documents: int = 0
    chunks: int = 0
    bytes: int = 0
    problems: int = 0
    started: float = field(default_factory=time.perf_counter)

    def rate(self) -> float:
        """MB of UTF-8 a second since the start."""
        return self.bytes / 1e6 / max(time.perf_counter() - self.started, 1e-9)

    def __str__(self) -> str:
        seconds = time.perf_counter() - self.started
        broken = f", {self.problems} broken" if self.problems else ""
        return (
            f"{self.documents:,} documents, {self.chunks:,} chunks{broken}, "
            f"{self.bytes / 1e6:.2f} MB in {seconds:.1f} s ({self.rate():.1f} MB/s)"
        )


class Progress:
    """Where the work stands, told on stderr: a bar and a closing line on a terminal, only the problems elsewhere."""

    def __init__(self, files: int, bar: bool = True) -> None:
        self.tally = Tally()
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._shown = self._console.is_terminal and bar
        self._bar = progress.Progress(
            progress.SpinnerColumn(),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TextColumn("{task.fields[tally]}"),
            progress.TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._shown,
        )
        self._task = self._bar.add_task("", total=max(files, 1), tally="")
        self._path: str | None = None
        self._files_before = -1

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the bar meanwhile, and what was done at the end."""
        with self._bar:
            yield
        if self._shown:
            self._console.print(str(self.tally))

    def report(self, problem: Problem) -> None:
        """Count and tell a problem."""
        self.tally.problems += 1
        self._console.print(Text(f"chunkfast: {visible(str(problem))}"))

    def advance(self, document: Document, chunks: Chunks) -> None:
        """Count a document that is done."""
        self.tally.documents += 1
        self.tally.chunks += len(chunks)
        self.tally.bytes += len(document.text.encode("utf-8"))
        if document.path != self._path:
            self._path = document.path
            self._files_before += 1
        self._bar.update(
            self._task,
            completed=self._files_before + document.done,
            tally=f"{self.tally.documents:,} documents, {self.tally.rate():.1f} MB/s",
        )


def run(documents: Iterable[Document], chunker: Chunker, write: Write, shown: Progress, jobs: int) -> None:
    """Cut each document and write its chunks, in order; a document that cannot be cut is reported and left out.

    `jobs` threads cut while this one reads and writes, a batch of documents ahead of each of them.
    """
    waiting: deque[tuple[list[Document], Future[list[Chunks | Problem]]]] = deque()
    ended = threading.Event()

    def settle() -> None:
        batch, results = waiting.popleft()
        for document, result in zip(batch, results.result(), strict=True):
            if isinstance(result, Problem):
                shown.report(result)
            else:
                write(document.id, result)
                shown.advance(document, result)

    pool = ThreadPoolExecutor(jobs)
    try:
        for batch in _batches(documents):
            waiting.append((batch, pool.submit(_cut, chunker, batch, ended)))
            if len(waiting) > 2 * jobs:
                settle()
        while waiting:
            settle()
    finally:  # Ctrl-C waits for a document at most
        ended.set()
        pool.shutdown(wait=False, cancel_futures=True)


def _cut(chunker: Chunker, documents: Iterable[Document], ended: threading.Event) -> list[Chunks | Problem]:
    results: list[Chunks | Problem] = []
    for document in documents:
        if ended.is_set():
            break
        try:
            results.append(chunker.chunk(document.text, title=document.title))
        except ValueError as error:
            results.append(Problem(document.id, str(error)))
    return results


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if characters >= BATCH_CHARACTERS or len(batch) >= BATCH_DOCUMENTS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


CONTROLS = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: 0x2421}


def visible(text: str) -> str:
    """`text` with control characters as their symbols, so that a document cannot steer the terminal."""
    return text.translate(CONTROLS)
