"""Chunks of a Spark DataFrame (extra `spark`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chunkfast.arrow import check_columns, chunk_batches, schema_of

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

    from chunkfast.chunker import Chunker

__all__ = ["chunk"]


def chunk(
    df: DataFrame,
    chunker: Chunker,
    text_column: str = "text",
    id_column: str = "id",
    title_column: str | None = None,
) -> DataFrame:
    """Cut the documents of a DataFrame, where they are: a row for each chunk.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
    chunker : Chunker
        Sent to the workers once; each of their processes compiles its tokenizer once.
    text_column : str
        Texts; nulls and texts of white space give no rows.
    id_column : str
        Becomes `document_id`, of the same type.
    title_column : str, optional
        Titles; null, and without it: the document's own.

    Returns
    -------
    pyspark.sql.DataFrame
        With the columns of `chunkfast.arrow.schema`, the chunks of a document in order. Computed when it is used.

    Raises
    ------
    ImportError
        pyspark is not installed.
    TypeError
        `df` is no DataFrame, or the text or title column holds something other than strings.
    ValueError
        There is no such column. A text that can't be cut fails its task, with the id of its document.
    """
    try:
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
    except ImportError as error:
        raise ImportError("Spark needs pyspark: pip install 'chunkfast[spark]'") from error
    if not hasattr(df, "mapInArrow"):
        raise TypeError(f"df must be a pyspark.sql.DataFrame, not {type(df).__name__} {df!r:.80}")
    names = check_columns(df.columns, text_column, id_column, title_column)
    needed = df.select(*names)
    made = schema_of(to_arrow_schema(needed.schema), text_column, id_column, title_column)

    def cut(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return chunk_batches(chunker, batches, text_column, id_column, title_column)

    return needed.mapInArrow(cut, from_arrow_schema(made))
