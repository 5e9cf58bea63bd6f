"""Chunks to JSONL, Parquet, Arrow or plain text, batch by batch."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import IO

from chunkfast import Chunks
from chunkfast.arrow import schema, to_table

BATCH_ROWS = 4096  # chunks, or
BATCH_CHARACTERS = (
    16_000_000  # characters of documents, that are held before a batch (in Parquet, a row group) is written
)
HEADINGS = " > "


class OutputFormat(str, Enum):
    """What the chunks are written as."""

    jsonl = "jsonl"
    parquet = "parquet"
    arrow = "arrow"
    text = "text"


SUFFIXES: Mapping[str, OutputFormat] = {
    ".jsonl": OutputFormat.jsonl,
    ".ndjson": OutputFormat.jsonl,
    ".parquet": OutputFormat.parquet,
    ".arrow": OutputFormat.arrow,
    ".feather": OutputFormat.arrow,
    ".txt": OutputFormat.text,
    ".md": OutputFormat.text,
}

Batch = list[tuple[str, Chunks]]  # documents' ids and chunks
Write = Callable[[str, Chunks], None]


@contextlib.contextmanager
def writer(path: Path | None, output_format: OutputFormat) -> Iterator[Write]:
    """A function that takes a document's id and chunks; what was given to it is on disk when the context ends.

    A file appears under its name only when it is complete: until then it is `<name>.part`, which is removed after an
    error. Without a path, chunks go to stdout.
    """
    if path is None:
        out = sys.stdout.buffer
        with _batches(WRITERS[output_format], out) as write:
            yield write
        out.flush()
        return
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "wb") as out, _batches(WRITERS[output_format], out) as write:
            yield write
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _batches(open_writer: "Opener", out: IO[bytes]) -> Iterator[Write]:
    waiting: Batch = []
    rows = characters = 0
    with open_writer(out) as write:

        def add(document_id: str, chunks: Chunks) -> None:
            nonlocal rows, characters
            waiting.append((document_id, chunks))
            rows += len(chunks)
            characters += len(chunks.source)
            if rows >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
                write(waiting)
                waiting.clear()
                rows = characters = 0

        yield add
        if waiting:
            write(waiting)


Opener = Callable[[IO[bytes]], contextlib.AbstractContextManager[Callable[[Batch], None]]]


@contextlib.contextmanager
def _jsonl(out: IO[bytes]) -> Iterator[Callable[[Batch], None]]:
    def write(batch: Batch) -> None:
        rows = (row for document_id, chunks in batch for row in chunks.to_dicts(document_id))
        out.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8"))

    yield write


@contextlib.contextmanager
def _text(out: IO[bytes]) -> Iterator[Callable[[Batch], None]]:
    def write(batch: Batch) -> None:
        for document_id, chunks in batch:
            for chunk in chunks:
                about = f"{document_id} #{chunk.index} {chunk.kind}, {chunk.token_count} tokens"
                path = HEADINGS.join(chunk.headings)
                rule = f"===== {about}{': ' if path else ''}{path}"
                out.write(f"{rule}\n{chunk.text.rstrip()}\n\n".encode())

    yield write


@contextlib.contextmanager
def _parquet(out: IO[bytes]) -> Iterator[Callable[[Batch], None]]:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, schema(), compression="zstd") as file:
        yield lambda batch: file.write_table(to_table(batch))


@contextlib.contextmanager
def _arrow(out: IO[bytes]) -> Iterator[Callable[[Batch], None]]:
    import pyarrow as pa

    with pa.ipc.new_file(out, schema()) as file:
        yield lambda batch: file.write_table(to_table(batch))


WRITERS: Mapping[OutputFormat, Opener] = {
    OutputFormat.jsonl: _jsonl,
    OutputFormat.text: _text,
    OutputFormat.parquet: _parquet,
    OutputFormat.arrow: _arrow,
}
