"""Chunks of a Ray Dataset (extra `ray`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkfast.arrow import chunk_table

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

    from chunkfast.chunker import Chunker

__all__ = ["chunk"]


def chunk(
    ds: Dataset,
    chunker: Chunker,
    text_column: str = "text",
    id_column: str = "id",
    title_column: str | None = None,
    **options: Any,
) -> Dataset:
    """Cut the documents of a Dataset, where they are: a row for each chunk.

    Parameters
    ----------
    ds : ray.data.Dataset
        A row for each document. Columns other than those named below are not carried along: join on `document_id`.
    chunker : TokenChunker, SentenceChunker or StructureChunker
        Sent to the workers by Ray's own pickling; each of their processes compiles its tokenizer once.
    text_column : str
        Column of the texts (string, large_string, string_view, or a dictionary of these); nulls and texts of white
        space alone give no rows.
    id_column : str
        Column whose values become `document_id`, of any type; the result has the same.
    title_column : str, optional
        Column of the documents' titles, strings. Without it, and where a title is null: the document's own title.
    **options
        Further arguments of `Dataset.map_batches`: `batch_size` in documents, `concurrency`, `num_cpus`, `memory` in
        bytes, and others, but for `batch_format` and `zero_copy_batch`, which are set here.

    Returns
    -------
    ray.data.Dataset
        A row for each chunk, the chunks of a document in order, with the columns of `chunkfast.arrow.schema`:
        `document_id`, `title` string, `chunk_id` string, `index` int64, `text` large_string, `token_count` int64,
        `start_index` and `end_index` int64 (code points, half open), `kind` string, `headings` list<string>, `prefix`
        string, `overlap` string, `page` list<int64>. Computed when it is used.

    Raises
    ------
    TypeError
        `ds` is no Dataset, or `options` has an argument that is set here.
    ray.exceptions.RayTaskError
        When the result is used: there is no such column, a column holds something other than strings, or a text can't
        be cut; the message has column, row and the document's id.
    """
    if not hasattr(ds, "map_batches"):
        raise TypeError(f"ds must be a ray.data.Dataset, not {type(ds).__name__} {ds!r:.80}")

    def cut(table: pyarrow.Table) -> pyarrow.Table:
        return chunk_table(chunker, table, text_column, id_column, title_column)

    return ds.map_batches(cut, batch_format="pyarrow", zero_copy_batch=True, **options)
