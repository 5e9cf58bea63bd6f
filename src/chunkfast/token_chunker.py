"""Generation 1: windows of N tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkfast import _core
from chunkfast.chunker import Chunker

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

    def _cutter(self) -> _core.Cutter:
        return _core.WindowCutter(self.tokenizer, self.limit, self.chunk_overlap)
