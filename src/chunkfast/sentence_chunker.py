"""Generation 2: whole sentences, packed to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkfast import _core
from chunkfast.arguments import check_int, check_text
from chunkfast.chunker import Chunker

if TYPE_CHECKING:
    from chunkfast.tokens import TokenizerLike

__all__ = ["SentenceChunker", "split_sentences"]


@dataclass(frozen=True, init=False)
class SentenceChunker(Chunker):
    """Generation 2: sentences packed to `chunk_size` tokens, the last ones of a chunk repeated in the next.

    A sentence over the limit is cut at clauses, then white space, then grapheme clusters.

    Parameters
    ----------
    tokenizer
        See `load_tokenizer`.
    chunk_size : int
        Most tokens of a chunk, the repeated sentences included.
    overlap_sentences : int
        Sentences repeated from the chunk before; fewer where the next one has no room beside them.
    reserve_tokens : int
        Taken off `chunk_size`, for tokens that a model adds.

    Raises
    ------
    TypeError, ValueError
        A setting of the wrong type or out of range; a tokenizer that can't be loaded.
    """

    overlap_sentences: int

    def __init__(
        self,
        tokenizer: TokenizerLike,
        chunk_size: int = 512,
        overlap_sentences: int = 2,
        *,
        reserve_tokens: int = 0,
    ) -> None:
        self._set("tokenizer", tokenizer)
        self._set("chunk_size", chunk_size)
        self._set("overlap_sentences", check_int("overlap_sentences", overlap_sentences, 0))
        self._set("reserve_tokens", reserve_tokens)
        self.__post_init__()

    def _cutter(self) -> _core.Cutter:
        return _core.SentenceCutter(self.tokenizer, self.limit, self.overlap_sentences)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each a slice of it; white space between them is left out.

    Parameters
    ----------
    text : str
        Chinese or alphabetic, hard-wrapped or not: which, is found out.

    Raises
    ------
    TypeError
        `text` is no str.
    ValueError
        `text` holds a lone surrogate.
    """
    text = check_text("text", text)
    ends = _core.sentence_ends(text).tolist()
    return [text[a:b].lstrip() for a, b in zip([0, *ends], ends, strict=False)]
