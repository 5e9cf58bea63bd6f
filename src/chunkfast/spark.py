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
        A row for each document. Columns other than those named below are not carried along: join on `document_id`.
    chunker : TokenChunker, SentenceChunker or StructureChunker
        Sent to the workers by Spark's own pickling; each of their processes compiles its tokenizer once.
    text_column : str
        Column of the texts, string; nulls and texts of white space alone give no rows.
    id_column : str
        Column whose values become `document_id`, of any type; the result has the same.
    title_column : str, optional
        Column of the documents' titles, string. Without it, and where a title is null: the document's own title.

    Returns
    -------
    pyspark.sql.DataFrame
        A row for each chunk, in the order of the documents of a partition; nothing is shuffled. Columns, as in
        `chunkfast.arrow.schema`: `document_id`, `title` string, `chunk_id` string, `index` bigint, `text` string,
        `token_count` bigint, `start_index` and `end_index` bigint (code points, half open), `kind` string, `headings`
        array<string>, `prefix` string, `overlap` string, `page` array<bigint>. Computed when it is used.

    Raises
    ------
    ImportError
        pyspark or pyarrow is not installed.
    TypeError
        `df` is no DataFrame, or the text or title column holds something other than strings.
    ValueError
        There is no such column; the message names the argument and the columns that there are.
    pyspark.errors.PythonException
        When the result is used: a text can't be cut; the message has column, row and the document's id.
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
