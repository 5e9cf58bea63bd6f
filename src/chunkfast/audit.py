"""What is wrong with a list of chunks, ours or another library's, by the outline, lists and tables of the text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from chunkfast.arguments import check_int, check_iterable, describe
from chunkfast.auditing.judge import Judge
from chunkfast.auditing.pieces import locate
from chunkfast.auditing.report import LABELS, Audit, Count, Fault, rows
from chunkfast.auditing.source import Source
from chunkfast.tokens import load_tokenizer

if TYPE_CHECKING:
    from chunkfast.auditing.pieces import ChunkLike
    from chunkfast.tokens import TokenizerLike

__all__ = ["LABELS", "Audit", "Count", "Fault", "audit", "rows"]


def audit(
    text: str,
    chunks: Iterable[ChunkLike],
    *,
    tokenizer: TokenizerLike | None = None,
    chunk_size: int | None = None,
) -> Audit:
    """Tell what is wrong with the chunks of a text.

    Parameters
    ----------
    text : str
        The source. Text and chunks may also be given the other way round.
    chunks : iterable
        In the order of the source. Each is one of

        * a `Chunk`, or any object or mapping with `text` and, if it has them, `start_index` and `end_index`: the
          offsets count where they agree with the text, else it is looked for;
        * a str: looked for in the source, after the chunk before, white space apart. One that isn't there, or could
          stand in several places, is counted as not found;
        * a pair (start, end) of code points, half open.
    tokenizer : optional
        See `load_tokenizer`; None: the counts that the chunks bring (`token_count`), if all of them have one.
    chunk_size : int, optional
        The limit that the chunks should keep, in tokens.

    Raises
    ------
    TypeError
        `text` is no str, or a chunk none of the above.
    ValueError
        A pair that is no range of the text; `chunk_size` under 1.
    """
    if isinstance(chunks, str) and not isinstance(text, str):
        text, chunks = chunks, text
    if not isinstance(text, str):  # one with lone surrogates is judged too
        raise TypeError(f"text must be a str, not {describe(text)}")
    text = str.__str__(text)
    check_iterable("chunks", chunks, "chunks")
    if chunk_size is not None:
        chunk_size = check_int("chunk_size", chunk_size, 1)
    source = Source(text)
    pieces = list(locate(source, chunks))
    if tokenizer is not None:
        tokens: list[int | None] = [*map(int, load_tokenizer(tokenizer).count_batch([p.text for p in pieces]))]
    else:
        tokens = [piece.tokens for piece in pieces]
    return Judge(source, pieces, tokens, chunk_size).verdict()


class _Callable(ModuleType):
    """Lets `chunkfast.audit(...)` work after `import chunkfast.audit`, which binds this module to that name."""

    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _Callable
