"""Chunks to JSONL, Parquet, Arrow or plain text, batch by batch."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from chunkfast import Chunks

if TYPE_CHECKING:
    import pyarrow as pa

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


def rows_of(document_id: str, chunks: Chunks) -> list[Row]:
    """A row for each chunk, in the order of the output's columns."""
    return [
        {
            "document_id": document_id,
            "title": chunks.title,
            "chunk_id": chunk.id,
            "index": chunk.index,
            "text": chunk.text,
            "token_count": chunk.token_count,
            "start_index": chunk.start_index,
            "end_index": chunk.end_index,
            "kind": chunk.kind,
            "headings": list(chunk.headings),
            "prefix": chunk.prefix,
            "overlap": chunk.overlap,
            "page": chunk.page,
        }
        for chunk in chunks
    ]


def schema() -> "pa.Schema":
    """Columns of the Parquet and Arrow output."""
    import pyarrow as pa

    types = {name: pa.int64() for name in ("index", "token_count", "start_index", "end_index")}
    types |= {"headings": pa.list_(pa.string()), "page": pa.list_(pa.int64(), 2)}
    names = ("document_id", "title", "chunk_id", "index", "text", "token_count", "start_index", "end_index", "kind")
    return pa.schema(
        [(name, types.get(name, pa.string())) for name in (*names, "headings", "prefix", "overlap", "page")]
    )


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
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = schema()
    with pq.ParquetWriter(out, columns, compression="zstd") as file:
        yield lambda rows: file.write_table(pa.Table.from_pylist(list(rows), schema=columns))


@contextlib.contextmanager
def _arrow(out: IO[bytes]) -> Iterator[Write]:
    import pyarrow as pa

    columns = schema()
    with pa.ipc.new_file(out, columns) as file:
        yield lambda rows: file.write_table(pa.Table.from_pylist(list(rows), schema=columns))


WRITERS: Mapping[OutputFormat, Opener] = {
    OutputFormat.jsonl: _jsonl,
    OutputFormat.text: _text,
    OutputFormat.parquet: _parquet,
    OutputFormat.arrow: _arrow,
}
