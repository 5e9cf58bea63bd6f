"""Chunks to JSONL, Parquet, Arrow or plain text, batch by batch."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import IO, Any

from chunkfast.arrow import schema, to_table

BATCH_ROWS = 4096  # rows held before a batch is written
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

Row = dict[str, Any]
Write = Callable[[Sequence[Row]], None]


@contextlib.contextmanager
def writer(path: Path | None, output_format: OutputFormat) -> Iterator[Write]:
    """A function that takes rows; what was given to it is on disk when the context ends.

    A file appears under its name only when it is complete: until then it is `<name>.part`, which is removed after an
    error. Without a path, rows go to stdout.
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
    waiting: list[Row] = []
    with open_writer(out) as write:

        def add(rows: Sequence[Row]) -> None:
            waiting.extend(rows)
            if len(waiting) >= BATCH_ROWS:
                write(waiting)
                waiting.clear()

        yield add
        if waiting:
            write(waiting)


Opener = Callable[[IO[bytes]], contextlib.AbstractContextManager[Write]]


@contextlib.contextmanager
def _jsonl(out: IO[bytes]) -> Iterator[Write]:
    def write(rows: Sequence[Row]) -> None:
        out.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8"))

    yield write


@contextlib.contextmanager
def _text(out: IO[bytes]) -> Iterator[Write]:
    def write(rows: Sequence[Row]) -> None:
        for row in rows:
            about = f"{row['document_id']} #{row['index']} {row['kind']}, {row['token_count']} tokens"
            path = HEADINGS.join(row["headings"])
            rule = f"===== {about}{': ' if path else ''}{path}"
            out.write(f"{rule}\n{row['text'].rstrip()}\n\n".encode())

    yield write


@contextlib.contextmanager
def _parquet(out: IO[bytes]) -> Iterator[Write]:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, schema(), compression="zstd") as file:
        yield lambda rows: file.write_table(to_table(rows))


@contextlib.contextmanager
def _arrow(out: IO[bytes]) -> Iterator[Write]:
    import pyarrow as pa

    with pa.ipc.new_file(out, schema()) as file:
        yield lambda rows: file.write_table(to_table(rows))


WRITERS: Mapping[OutputFormat, Opener] = {
    OutputFormat.jsonl: _jsonl,
    OutputFormat.text: _text,
    OutputFormat.parquet: _parquet,
    OutputFormat.arrow: _arrow,
}
