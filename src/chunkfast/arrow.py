"""Chunks as Arrow columns (extra `arrow`): what a table of them holds, and documents cut from tables and streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkfast import _core
from chunkfast.arguments import describe
from chunkfast.chunker import portions_of
from chunkfast.chunks import KINDS, Chunks

if TYPE_CHECKING:
    import pyarrow

    from chunkfast.chunker import Chunker

__all__ = ["check_columns", "chunk_batches", "chunk_table", "schema", "schema_of", "to_batch", "to_table"]

DOCUMENTS = 1024  # most documents, and
CHARACTERS = 16_000_000  # most characters of them (one document may have more), whose chunks are held before a batch
DECODED = 16  # documents that are made str at a time


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("Arrow tables need pyarrow: pip install 'chunkfast[arrow]'") from error
    return pyarrow


def schema(id_type: pyarrow.DataType | None = None) -> pyarrow.Schema:
    """The columns of a table of chunks: the fields of `Chunk`, and whose they are.

    Parameters
    ----------
    id_type : pyarrow.DataType, optional
        Of `document_id`. None: string.

    Returns
    -------
    pyarrow.Schema
        ============== ============== ========================================================================
        document_id    `id_type`      the document's id, or its position in the table
        title          string         given, else the document's own; null where it has none
        chunk_id       string         32 hexadecimal digits: a hash of headings and text
        index          int64          the chunk's place in its document, from 0
        text           large_string
        token_count    int64          of `text`
        start_index    int64          code point of the document's text at which the chunk's own text starts,
        end_index      int64          and that behind its end
        kind           string         "text", "list", "table", "code" or "contents"
        headings       list<string>   heading lines above, outermost first; empty where there are none
        prefix         string         what `text` begins with and repeats: header rows, a lead-in; else empty
        overlap        string         the end of the chunk before, repeated behind `prefix`; else empty
        page           list<int64>    first and last page; null where the text has no page marks
        ============== ============== ========================================================================

    Raises
    ------
    ImportError
        pyarrow is not installed.
    """
    pa = _pyarrow()
    text, whole = pa.string(), pa.int64()
    return pa.schema(
        [
            ("document_id", text if id_type is None else id_type),
            ("title", text),
            ("chunk_id", text),
            ("index", whole),
            ("text", pa.large_string()),
            ("token_count", whole),
            ("start_index", whole),
            ("end_index", whole),
            ("kind", text),
            ("headings", pa.list_(text)),
            ("prefix", text),
            ("overlap", text),
            ("page", pa.list_(whole)),
        ]
    )


def to_batch(ids: pyarrow.Array, documents: Sequence[Chunks]) -> pyarrow.RecordBatch:
    """The chunks of documents as one batch of `schema(ids.type)`; `ids` has a value for each document."""
    pa = _pyarrow()
    made = schema(ids.type)
    rows = [chunks._rows for chunks in documents]
    text, prefix, overlap, lines, path_ends, chunk_ids, numbers, pages = _core.columns_of(rows)
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    owners = pa.array(np.repeat(np.arange(len(documents)), sizes))
    _, _, starts, ends, kinds, _, tokens = numbers
    arrays = {
        "document_id": ids.take(owners),
        "title": pa.array([chunks.title for chunks in documents], pa.string()).take(owners),
        "chunk_id": _text_column(chunk_ids, np.arange(len(chunk_ids) + 1) * chunk_ids.shape[1]),
        "index": pa.array(np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)),
        "text": _text_column(*text),
        "token_count": pa.array(tokens),
        "start_index": pa.array(starts),
        "end_index": pa.array(ends),
        "kind": pa.array(KINDS).take(pa.array(kinds)),
        "headings": pa.LargeListArray.from_arrays(path_ends, _text_column(*lines)),
        "prefix": _text_column(*prefix),
        "overlap": _text_column(*overlap),
        "page": _page_column(pages),
    }
    return pa.RecordBatch.from_arrays([arrays[field.name].cast(field.type) for field in made], schema=made)


def _text_column(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> pyarrow.LargeStringArray:
    pa = _pyarrow()
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


def _page_column(pages: NDArray[np.int64]) -> pyarrow.ListArray:
    """First and last page of each chunk, as a list; null for -1."""
    pa = _pyarrow()
    marked = pages[:, 0] >= 0
    offsets = np.concatenate([[0], 2 * np.cumsum(marked)]).astype(np.int32)
    starts = pa.array(offsets, mask=np.append(~marked, False))
    return pa.ListArray.from_arrays(starts, pages[marked].ravel())


def to_table(documents: Sequence[tuple[str | None, Chunks]]) -> pyarrow.Table:
    """The chunks of documents, each with its id, as a table of `schema()`."""
    pa = _pyarrow()
    ids = pa.array([document_id for document_id, _ in documents], pa.string())
    return pa.Table.from_batches([to_batch(ids, [chunks for _, chunks in documents])])


def chunk_table(
    chunker: Chunker,
    table: pyarrow.Table | pyarrow.RecordBatch | pyarrow.RecordBatchReader,
    text_column: str = "text",
    id_column: str | None = None,
    title_column: str | None = None,
) -> pyarrow.Table | pyarrow.RecordBatchReader:
    """Cut the documents of a table: one row for each chunk, in order.

    Parameters
    ----------
    chunker : Chunker
    table : pyarrow.Table, RecordBatch or RecordBatchReader
    text_column : str
        Column of the texts (string, large_string, string_view, or a dictionary of these); nulls and texts without a
        character that is no white space give no rows.
    id_column, title_column : str, optional
        Columns whose values become `document_id` and the document's title; without them, and where a title is null, the
        position in the table, and the document's own title.

    Returns
    -------
    pyarrow.Table or RecordBatchReader
        With the columns of `schema`; `document_id` has the type of `id_column`, without dictionary or view, and int64
        without it. Of a reader, a reader, that cuts as it is read and holds a batch at a time.

    Raises
    ------
    ImportError
        pyarrow is not installed.
    TypeError
        `table` is none, or the text or title column holds something other than strings.
    ValueError
        There is no such column, or a text can't be cut; the message names column and row.
    """
    pa = _pyarrow()
    if not isinstance(table, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        raise TypeError(f"table must be a pyarrow.Table, RecordBatch or RecordBatchReader, not {describe(table)}")
    made = schema_of(table.schema, text_column, id_column, title_column)
    batches = (
        [table] if isinstance(table, pa.RecordBatch) else table.to_batches() if isinstance(table, pa.Table) else table
    )
    chunks = chunk_batches(chunker, batches, text_column, id_column, title_column)
    if isinstance(table, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(made, chunks)
    return pa.Table.from_batches(chunks, made)


def chunk_batches(
    chunker: Chunker,
    batches: Iterable[pyarrow.RecordBatch],
    text_column: str = "text",
    id_column: str | None = None,
    title_column: str | None = None,
) -> Iterator[pyarrow.RecordBatch]:
    """The chunks of a stream of batches of documents, as batches; `chunk_table` says more.

    No batch that comes out has chunks of documents of two that went in.
    """
    before = 0
    for batch in batches:
        schema_of(batch.schema, text_column, id_column, title_column)
        for first in range(0, batch.num_rows, DOCUMENTS):
            part = batch.slice(first, DOCUMENTS)
            yield from _chunk_part(chunker, part, before + first, text_column, id_column, title_column)
        before += batch.num_rows


def _chunk_part(
    chunker: Chunker,
    batch: pyarrow.RecordBatch,
    before: int,
    text_column: str,
    id_column: str | None,
    title_column: str | None,
) -> Iterator[pyarrow.RecordBatch]:
    pa = _pyarrow()
    if id_column is None:
        ids = pa.array(range(before, before + batch.num_rows), pa.int64())
    else:
        ids = batch[id_column].cast(_plain(batch[id_column].type))
    titles = None if title_column is None else batch[title_column].to_pylist()
    column = batch[text_column]

    def failed(row: int, error: Exception) -> Exception:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        where = f"column {text_column!r}, row {before + row}"
        return kind(f"{where}{f' (id {ids[row].as_py()!r})' if id_column else ''}: {error}")

    def texts_of(first: int, count: int) -> list[Any]:
        try:
            made: list[Any] = column.slice(first, count).to_pylist()
        except ValueError as error:  # no UTF-8
            if count == 1:
                raise failed(first, error) from error
            return [text for row in range(first, first + count) for text in texts_of(row, 1)]
        return made

    parts = ((row, min(DECODED, batch.num_rows - row)) for row in range(0, batch.num_rows, DECODED))
    all_texts = (text for part in parts for text in texts_of(*part))
    given = ((text, row) for row, text in enumerate(all_texts) if text is not None)
    kept: list[int] = []
    documents: list[Chunks] = []
    characters = 0
    for _, texts, rows in portions_of(given, DOCUMENTS):
        found = chunker._cut(texts, None if titles is None else [titles[row] for row in rows])
        for row, text, chunks in zip(rows, texts, found, strict=True):
            if not isinstance(chunks, Chunks):
                raise failed(row, chunks) from chunks
            if len(chunks._rows):
                kept.append(row)
                documents.append(chunks)
                characters += len(text)
            if characters >= CHARACTERS:
                yield to_batch(ids.take(pa.array(kept, pa.int64())), documents)
                kept, documents, characters = [], [], 0
    if kept:
        yield to_batch(ids.take(pa.array(kept, pa.int64())), documents)


def check_columns(names: Sequence[str], text_column: str, id_column: str | None, title_column: str | None) -> list[str]:
    """The columns that are needed, each once; a ValueError where one is not among `names`."""
    asked = {"text_column": text_column, "id_column": id_column, "title_column": title_column}
    for argument, column in asked.items():
        if column is not None and column not in names:
            raise ValueError(f"{argument}: there is no column {column!r}; there are {', '.join(map(repr, names))}")
    return list(dict.fromkeys(column for column in asked.values() if column is not None))


def schema_of(
    documents: pyarrow.Schema, text_column: str, id_column: str | None, title_column: str | None
) -> pyarrow.Schema:
    """The schema of the chunks of a table of `documents`; exceptions as of `chunk_table`."""
    check_columns(documents.names, text_column, id_column, title_column)
    for column in (text_column, title_column):
        if column is not None and not _is_text(held := documents.field(column).type):
            raise TypeError(f"column {column!r} holds {held}, not strings")
    return schema(_pyarrow().int64() if id_column is None else _plain(documents.field(id_column).type))


def _is_text(held: pyarrow.DataType) -> bool:
    types, plain = _pyarrow().types, _plain(held)
    return bool(types.is_string(plain) or types.is_large_string(plain) or types.is_null(plain))


def _plain(held: pyarrow.DataType) -> pyarrow.DataType:
    """The type without what only says how values are stored: dictionaries, views."""
    pa = _pyarrow()
    if pa.types.is_dictionary(held):
        return _plain(held.value_type)
    is_view = getattr(pa.types, "is_string_view", lambda _: False)  # since pyarrow 16
    return pa.string() if is_view(held) else held
