"""Rows of chunks from JSONL and Parquet files, ours or another tool's."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from chunkfast.cli.reading import BrokenInput
from chunkfast.jsonl import parse_row

Row = dict[str, Any]

# Names that tools give to what a chunk has, the first that is there counts: ours, LangChain's, LlamaIndex's, others.
TEXT = ("text", "page_content", "content", "chunk")
START = ("start_index", "start", "start_char_idx", "start_char")
END = ("end_index", "end", "end_char_idx", "end_char")
DOCUMENT = ("document_id", "doc_id", "ref_doc_id", "source", "document", "file_path")


def read_records(path: Path) -> Iterator[Row]:
    """The rows of a file; what stands in an object `metadata` counts as columns of the row.

    Raises
    ------
    BrokenInput
        The file is no JSONL or Parquet, with the row.
    OSError
        It can't be read.
    """
    if path.suffix.lower() == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            for batch in pq.ParquetFile(path).iter_batches():
                yield from map(_flat, batch.to_pylist())
        except pa.ArrowException as error:
            raise BrokenInput(f"not readable as Parquet ({error})") from error
        return
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = parse_row(line, number)
            except ValueError as error:
                raise BrokenInput(f"line {number}: {error}") from error
            if row is not None:
                yield _flat(row)


def _flat(row: Row) -> Row:
    metadata = row.get("metadata")
    return {**metadata, **row} if isinstance(metadata, dict) else row


def column(names: Sequence[str], row: Mapping[str, Any]) -> Any:
    """The value of the first of the columns that the row has; None where it has none."""
    return next((row[name] for name in names if row.get(name) is not None), None)
