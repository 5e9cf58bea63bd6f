"""Generation 1: windows of N tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkfast import _core
from chunkfast.chunker import Chunker
from chunkfast.chunks import Chunks
from chunkfast.tokens import Int64Array

if TYPE_CHECKING:
    from chunkfast.tokens import TokenizerLike

__all__ = ["TokenChunker"]


@dataclass(frozen=True, init=False)
class TokenChunker(Chunker):
    """Generation 1: a chunk every `chunk_size` tokens, with `chunk_overlap` tokens in common with the one before.

    Windows are cut at grapheme clusters, and counted again by themselves where the tokenizer's counts don't add up.

    Parameters
    ----------
    tokenizer
        See `load_tokenizer`.
    chunk_size : int
        Most tokens of a chunk.
    chunk_overlap : int, optional
        Tokens repeated from the chunk before, at most; None: 50, or a quarter of the limit where that is less.
    reserve_tokens : int
        Taken off `chunk_size`, for tokens that a model adds.

    Raises
    ------
    TypeError, ValueError
        A setting of the wrong type or out of range; `chunk_overlap >= chunk_size`; a tokenizer that can't be loaded.
    """

    chunk_overlap: int

    def __init__(
        self,
        tokenizer: TokenizerLike,
        chunk_size: int = 512,
        chunk_overlap: int | None = None,
        *,
        reserve_tokens: int = 0,
    ) -> None:
        self._set("tokenizer", tokenizer)
        self._set("chunk_size", chunk_size)
        self._set("chunk_overlap", chunk_overlap)
        self._set("reserve_tokens", reserve_tokens)
        self.__post_init__()
        self._check_overlap(50)

    def _chunk(self, text: str, title: str | None) -> Chunks:
        counter, limit = self.tokenizer, self.limit
        if counter.is_additive:
            starts = None if isinstance(counter.model, _core.Chars) else counter.token_starts(text)
            windows = _core.token_windows(text, starts, 0, 0, limit, limit, self.chunk_overlap, len(text))
            counts = counter.count_spans(text, windows[:, 0].copy(), windows[:, 1].copy())
        elif text:
            windows, counts = self._verified(text)
        else:
            windows, counts = np.empty((0, 2), np.int64), np.empty(0, np.int64)
        return Chunks(_core.Rows.of_windows(text, windows, counts), title)

    def _verified(self, text: str) -> tuple[Int64Array, Int64Array]:
        """Windows whose own count is in the limit: one that comes out too large is made again with fewer tokens.

        Windows are tried in batches that grow while all is well, so that few are thrown away.
        """
        counter, limit = self.tokenizer, self.limit
        starts, places = counter.token_places(text)
        done: list[Int64Array] = []
        counts: list[Int64Array] = []
        start, before, first_limit, batch = 0, 0, limit, len(text) + 2
        while start < len(text):
            following = len(text)
            windows = _core.token_windows(text, starts, start, before, first_limit, limit, self.chunk_overlap, batch)
            tokens = counter.count_windows(text, windows, places)
            over = (
                i for i in np.nonzero(tokens > limit)[0].tolist() if not _core.is_cluster(text, *windows[i].tolist())
            )
            bad = next(over, None)
            if (
                bad == 0 and first_limit == 1
            ):  # one token that stands for several clusters, and for more tokens by itself
                start = before
                end, count = self._first_fit(text, start, int(windows[0, 1]))
                windows, tokens = np.array([[start, end]], np.int64), np.array([count], np.int64)
                good, first_limit = 1, limit
                following = end
            elif bad is not None:
                good, batch = bad, 8 if bad else max(batch // 2, 2)
                first_limit = max((limit if good else first_limit) - int(tokens[good]) + limit, 1)
            elif windows[-1, 1] < len(text):
                good, batch, first_limit = len(windows) - 1, 2 * batch, limit
            else:
                good = len(windows)
            done.append(windows[:good])
            counts.append(tokens[:good])
            if good:
                before = int(windows[good - 1, 1])
            start = int(windows[good, 0]) if good < len(windows) else following
        return np.concatenate(done), np.concatenate(counts)

    def _first_fit(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Where a window from `start` to a cluster's end before `end` fits the limit, else the first, and its count."""
        ends = _core.grapheme_ends(text[start:end])
        low, high = 0, len(ends) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.tokenizer.count(text[start : start + ends[middle]]) <= self.limit:
                low = middle
            else:
                high = middle - 1
        return start + ends[low], self.tokenizer.count(text[start : start + ends[low]])
