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
    chunker : Chunker
        Sent to the workers once; each of their processes compiles its tokenizer once.
    text_column : str
        Texts; nulls and texts of white space give no rows.
    id_column : str
        Becomes `document_id`, of the same type.
    title_column : str, optional
        Titles; null, and without it: the document's own.
    **options
        Further arguments of `Dataset.map_batches`: `batch_size`, `concurrency`, `num_cpus`, `memory` and others.

    Returns
    -------
    ray.data.Dataset
        With the columns of `chunkfast.arrow.schema`, the chunks of a document in order. Computed when it is used.

    Raises
    ------
    TypeError
        `ds` is no Dataset.
    ValueError, TypeError
        In a task: there is no such column, it holds no strings, or a text can't be cut; with the id of its document.
    """
    if not hasattr(ds, "map_batches"):
        raise TypeError(f"ds must be a ray.data.Dataset, not {type(ds).__name__} {ds!r:.80}")

    def cut(table: pyarrow.Table) -> pyarrow.Table:
        return chunk_table(chunker, table, text_column, id_column, title_column)

    return ds.map_batches(cut, batch_format="pyarrow", zero_copy_batch=True, **options)
