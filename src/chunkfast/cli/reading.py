"""Documents from files, folders, globs and stdin, one at a time."""

import csv
import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from chunkfast.jsonl import kind_of, parse_row

STDIN = "-"
BATCH_ROWS = 256


class InputFormat(str, Enum):
    """How the bytes of an input become documents."""

    text = "text"
    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"


SUFFIXES: Mapping[str, InputFormat] = {
    ".txt": InputFormat.text,
    ".md": InputFormat.text,
    ".markdown": InputFormat.text,
    ".html": InputFormat.text,
    ".htm": InputFormat.text,
    ".jsonl": InputFormat.jsonl,
    ".ndjson": InputFormat.jsonl,
    ".csv": InputFormat.csv,
    ".tsv": InputFormat.tsv,
    ".parquet": InputFormat.parquet,
}


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what; without an id column, ids are `path:row`."""

    text: str = "text"
    id: str | None = None
    title: str | None = None

    def names(self) -> list[str]:
        """Names in use, each once."""
        return list(dict.fromkeys(name for name in (self.text, self.id, self.title) if name is not None))


@dataclass(frozen=True)
class Document:
    """One text to cut.

    `id` names it in the output and in messages; `done` is the share of its file that has been read with it, 0 to 1.
    """

    id: str
    title: str | None
    text: str
    path: str
    done: float


@dataclass(frozen=True)
class Problem:
    """An input, or a row of one, that could not be read or cut."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


Report = Callable[[Problem], None]


class BrokenInput(Exception):
    """A row that cannot be used; the message is the reason."""


def expand(inputs: Iterable[str], report: Report, skip: Path | None = None) -> list[str]:
    """Paths of the files meant by paths, folders and globs, each once, in the order given.

    A folder is read with all its subfolders, in order of name, for files whose suffix says what they are; hidden files
    are left out. `skip` (the output file) is left out of folders and globs.
    """
    found: dict[str, None] = {}
    for name in inputs:
        if name == STDIN:
            found[name] = None
        elif os.path.isdir(name):
            files = [file for file in _walk(name) if not _same(file, skip)]
            if not files:
                report(Problem(name, f"holds no {', '.join(SUFFIXES)} file"))
            found.update(dict.fromkeys(files))
        elif os.path.lexists(name):
            found[name] = None
        elif glob.has_magic(name):
            files = [
                file
                for file in sorted(glob.glob(name, recursive=True))
                if os.path.isfile(file) and not _same(file, skip)
            ]
            if not files:
                report(Problem(name, "matches no file"))
            found.update(dict.fromkeys(files))
        else:
            report(Problem(name, "no such file or folder"))
    return list(found)


def _walk(folder: str) -> Iterator[str]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(files):
            if not file.startswith(".") and os.path.splitext(file)[1].lower() in SUFFIXES:
                yield os.path.join(here, file)


def _same(path: str, other: Path | None) -> bool:
    return other is not None and Path(path).absolute() == other.absolute()


def read(
    paths: Iterable[str], columns: Columns, report: Report, input_format: InputFormat | None = None
) -> Iterator[Document]:
    """Documents of each file in turn; what is broken goes to `report` and the rest is read.

    `input_format` overrides the suffix; without it, stdin and unknown suffixes are text.
    """
    for path in paths:
        kind = input_format or SUFFIXES.get(os.path.splitext(path)[1].lower(), InputFormat.text)
        try:
            yield from READERS[kind](path, columns, report)
        except UnicodeDecodeError as error:
            report(Problem(_shown(path), _not_utf8(error)))
        except (OSError, BrokenInput) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            report(Problem(_shown(path), reason))


def _shown(path: str) -> str:
    return "stdin" if path == STDIN else path


def _not_utf8(error: UnicodeDecodeError) -> str:
    return f"not UTF-8 (byte 0x{error.object[error.start]:02x} at {error.start})"


def _open(path: str) -> Any:
    return open(sys.stdin.fileno(), "rb", closefd=False) if path == STDIN else open(path, "rb")


def _size(path: str) -> int:
    return 0 if path == STDIN else os.path.getsize(path)


def _text(path: str, columns: Columns, report: Report) -> Iterator[Document]:
    with _open(path) as file:
        text = file.read().decode("utf-8")
    yield Document(_shown(path), None, text, path, 1.0)


def _jsonl(path: str, columns: Columns, report: Report) -> Iterator[Document]:
    size = _size(path)
    position = 0
    with _open(path) as file:
        for number, line in enumerate(file, 1):
            position += len(line)
            where = f"{_shown(path)}:{number}"
            try:
                row = parse_row(line, number)
                document = row and _document(row, columns, where, path, position / size if size else 0.0)
            except (BrokenInput, ValueError) as error:
                report(Problem(where, str(error)))
                continue
            if document:
                yield document


def _delimited(delimiter: str) -> Callable[[str, Columns, Report], Iterator[Document]]:
    def rows(path: str, columns: Columns, report: Report) -> Iterator[Document]:
        csv.field_size_limit(sys.maxsize)
        size = _size(path)
        position = 0

        def lines() -> Iterator[str]:
            nonlocal position
            for number, line in enumerate(file, 1):
                position += len(line)
                try:
                    yield line.decode("utf-8-sig" if number == 1 else "utf-8")
                except (
                    UnicodeDecodeError
                ) as error:  # the rest of the file may stand in another row's quotes: give it up
                    raise BrokenInput(f"line {number}: {_not_utf8(error)}; the rest of the file is left out") from error

        with _open(path) as file:
            reader = csv.DictReader(lines(), delimiter=delimiter, strict=True)
            try:
                _require(reader.fieldnames or [], columns)
                for number, row in enumerate(reader, 1):
                    where = f"{_shown(path)}:{number}"
                    try:
                        yield _document(row, columns, where, path, position / size if size else 0.0)
                    except BrokenInput as error:
                        report(Problem(where, str(error)))
            except csv.Error as error:
                raise BrokenInput(f"line {reader.line_num}: {error}; the rest of the file is left out") from error

    return rows


def _parquet(path: str, columns: Columns, report: Report) -> Iterator[Document]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    with _open(path) as file:
        try:
            source = pq.ParquetFile(pa.py_buffer(file.read()) if path == STDIN else file)
            _require(source.schema_arrow.names, columns)
            total = source.metadata.num_rows
            for batch in source.iter_batches(batch_size=BATCH_ROWS, columns=columns.names()):
                for row in batch.to_pylist():
                    number += 1
                    where = f"{_shown(path)}:{number}"
                    try:
                        yield _document(row, columns, where, path, number / total)
                    except BrokenInput as error:
                        report(Problem(where, str(error)))
        except (pa.ArrowException, UnicodeDecodeError) as error:
            where = f"after row {number}: " if number else ""
            raise BrokenInput(f"{where}not readable as Parquet ({error})") from error


READERS: Mapping[InputFormat, Callable[[str, Columns, Report], Iterator[Document]]] = {
    InputFormat.text: _text,
    InputFormat.jsonl: _jsonl,
    InputFormat.csv: _delimited(","),
    InputFormat.tsv: _delimited("\t"),
    InputFormat.parquet: _parquet,
}


def _require(names: Iterable[str], columns: Columns) -> None:
    names = list(names)
    for name in columns.names():
        if name not in names:
            raise BrokenInput(f"has no column {name!r} (columns: {', '.join(map(str, names)) or 'none'})")


def _document(row: Mapping[str, Any], columns: Columns, where: str, path: str, done: float) -> Document:
    _require(row, columns)
    text = row[columns.text]
    if not isinstance(text, str):
        raise BrokenInput(f"column {columns.text!r} holds {kind_of(text)}, not text")
    identity = where
    if columns.id is not None:
        value = row[columns.id]
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BrokenInput(f"column {columns.id!r} holds {kind_of(value)}, not text or a whole number")
        identity = str(value)
    title = row[columns.title] if columns.title is not None else None
    if title is not None and not isinstance(title, str):
        raise BrokenInput(f"column {columns.title!r} holds {kind_of(title)}, not text")
    return Document(identity, title or None, text, path, done)
