"""Chunks as Arrow tables (extra `arrow`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

    from chunkfast.chunker import Chunker

__all__ = ["chunk_table", "schema", "to_table"]


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("Arrow tables need pyarrow: pip install 'chunkfast[arrow]'") from error
    return pyarrow


def schema(id_type: pyarrow.DataType | None = None) -> pyarrow.Schema:
    """The columns of a table of chunks; `id_type` is the type of `document_id`, a string where it is None."""
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
            ("page", pa.list_(whole, 2)),
        ]
    )


def to_table(rows: Sequence[Mapping[str, Any]], id_type: pyarrow.DataType | None = None) -> pyarrow.Table:
    """Rows of `Chunks.to_dicts` as a table of `schema(id_type)`."""
    return _pyarrow().Table.from_pylist(list(rows), schema=schema(id_type))


def chunk_table(
    chunker: Chunker,
    table: pyarrow.Table | pyarrow.RecordBatch,
    text_column: str = "text",
    id_column: str | None = None,
    title_column: str | None = None,
) -> pyarrow.Table:
    """Cut the documents of a table: one row for each chunk, in order.

    Parameters
    ----------
    chunker : Chunker
    table : pyarrow.Table or pyarrow.RecordBatch
    text_column : str
        Column of the texts; nulls and texts without a character that is no white space give no rows.
    id_column, title_column : str, optional
        Columns whose values become `document_id` and the document's title; without them the position in the table, and
        the document's own title.

    Returns
    -------
    pyarrow.Table
        With the columns of `schema`; `document_id` has the type of `id_column`, int64 without it.

    Raises
    ------
    ImportError
        pyarrow is not installed.
    TypeError
        `table` is none, or the text column holds something other than strings.
    ValueError
        There is no such column, or a text can't be cut; the message names column and row.
    """
    pa = _pyarrow()
    if not isinstance(table, pa.Table | pa.RecordBatch):
        raise TypeError(f"table must be a pyarrow.Table or RecordBatch, not {type(table).__name__} {table!r:.80}")
    for name, column in (("text_column", text_column), ("id_column", id_column), ("title_column", title_column)):
        if column is not None and column not in table.schema.names:
            raise ValueError(
                f"{name}: there is no column {column!r}; there are {', '.join(map(repr, table.schema.names))}"
            )
    ids = range(table.num_rows) if id_column is None else table[id_column].to_pylist()
    titles = [None] * table.num_rows if title_column is None else table[title_column].to_pylist()
    rows: list[dict[str, Any]] = []
    for row, (text, document_id, title) in enumerate(zip(table[text_column].to_pylist(), ids, titles, strict=True)):
        if text is None:
            continue
        try:
            rows += chunker.chunk(text, title).to_dicts(document_id)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"column {text_column!r}, row {row}: {error}") from error
    return to_table(rows, pa.int64() if id_column is None else table.schema.field(id_column).type)
