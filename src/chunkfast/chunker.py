"""What the three generations share: checked settings, checked texts, and the verbs over many documents."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from chunkfast import _core
from chunkfast.chunks import Chunks
from chunkfast.tokens import TokenCounter, TokenizerLike, load_tokenizer

if TYPE_CHECKING:
    import pyarrow

OnError = Literal["raise", "skip", "collect"]


@dataclass(frozen=True)
class Chunker(ABC):
    """Base of the chunkers: immutable, hashable and picklable settings, and the same verbs for all.

    Attributes
    ----------
    tokenizer : TokenCounter
        Made by `load_tokenizer` of the argument, which may be anything that function takes.
    chunk_size : int
        Most tokens of a chunk's text, prefix and overlap included.
    reserve_tokens : int
        Taken off `chunk_size`, for tokens that a model adds ([CLS], [SEP]).
    """

    tokenizer: TokenCounter
    chunk_size: int
    reserve_tokens: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        self._set("tokenizer", load_tokenizer(self.tokenizer))
        self._set("chunk_size", check_int("chunk_size", self.chunk_size, 1))
        self._set("reserve_tokens", check_int("reserve_tokens", self.reserve_tokens, 0))
        if self.reserve_tokens >= self.chunk_size:
            raise ValueError(f"reserve_tokens ({self.reserve_tokens}) must be less than chunk_size ({self.chunk_size})")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_overlap(self, default: int) -> None:
        """Check `chunk_overlap`; None stands for `default`, or a quarter of the limit where that is less."""
        given: int | None = self.chunk_overlap  # type: ignore[attr-defined]  # a field of the chunkers that call this
        overlap = min(default, self.limit // 4) if given is None else check_int("chunk_overlap", given, 0)
        if overlap >= self.limit:
            reserved = f" less reserve_tokens ({self.reserve_tokens})" if self.reserve_tokens else ""
            raise ValueError(f"chunk_overlap ({overlap}) must be less than chunk_size ({self.chunk_size}){reserved}")
        self._set("chunk_overlap", overlap)

    @property
    def limit(self) -> int:
        """Most tokens of a chunk's text: `chunk_size - reserve_tokens`."""
        return self.chunk_size - self.reserve_tokens

    @abstractmethod
    def _chunk(self, text: str, title: str | None) -> Chunks: ...

    def chunk(self, text: str, title: str | None = None) -> Chunks:
        """Cut one document.

        Parameters
        ----------
        text : str
        title : str, optional
            Title of the document; None: the document's own, where it has one.

        Raises
        ------
        TypeError
            `text` or `title` is no str, or a tokenizer given as a callable returns no int.
        ValueError
            `text` holds a lone surrogate, which no encoding has.
        """
        return self._chunk(check_text("text", text), None if title is None else check_text("title", title))

    def chunk_batch(
        self,
        texts: Sequence[str],
        threads: int | None = None,
        on_error: OnError = "raise",
    ) -> list[Any]:
        """Cut many documents: `[chunk(text) for text in texts]`, on several threads.

        Parameters
        ----------
        texts : sequence of str
        threads : int, optional
            None: as many as there are processors.
        on_error : {"raise", "skip", "collect"}
            What to do with a document that can't be cut: raise its error, leave it out of the result, or put the
            exception in its place.

        Returns
        -------
        list of Chunks
            In the order of `texts`; with "collect", exceptions among them.

        Raises
        ------
        TypeError, ValueError
            As `chunk`, with the document's position in the message; also for a bad `threads` or `on_error`.
        """
        if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
            raise TypeError(f"texts must be a sequence of str, not {type(texts).__name__} {texts!r:.80}")
        _check_on_error(on_error)
        documents = list(texts)
        workers = (os.cpu_count() or 1) if threads is None else check_int("threads", threads, 1)
        workers = min(workers, len(documents))
        if workers > 1:
            with ThreadPoolExecutor(workers) as pool:
                results = list(pool.map(self._attempt, range(len(documents)), documents))
        else:
            results = [self._attempt(i, text) for i, text in enumerate(documents)]
        return list(_settled(results, on_error))

    def iter_chunks(self, texts: Iterable[str], on_error: OnError = "raise") -> Iterator[Any]:
        """Cut documents one by one as they come: yields the `Chunks` of each, in order; holds one document at a time.

        `on_error` and the exceptions are those of `chunk_batch`.
        """
        if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
            raise TypeError(f"texts must be an iterable of str, not {type(texts).__name__} {texts!r:.80}")
        _check_on_error(on_error)
        return _settled((self._attempt(i, text) for i, text in enumerate(texts)), on_error)

    def _attempt(self, position: int, text: str) -> Chunks | Exception:
        try:
            return self._chunk(check_text(f"texts[{position}]", text), None)
        except (TypeError, ValueError) as error:
            return error

    def chunk_arrow(
        self,
        table: pyarrow.Table | pyarrow.RecordBatch,
        text_column: str = "text",
        id_column: str | None = None,
        title_column: str | None = None,
    ) -> pyarrow.Table:
        """Cut the documents of an Arrow table; one row for each chunk. See `chunkfast.arrow.chunk_table`."""
        from chunkfast.arrow import chunk_table

        return chunk_table(self, table, text_column, id_column, title_column)


def _check_on_error(on_error: str) -> None:
    if on_error not in ("raise", "skip", "collect"):
        raise ValueError(f'on_error must be "raise", "skip" or "collect", not {on_error!r}')


def _settled(results: Iterable[Chunks | Exception], on_error: str) -> Iterator[Chunks | Exception]:
    for result in results:
        if isinstance(result, Exception) and on_error != "collect":
            if on_error == "raise":
                raise result
            continue
        yield result


def check_text(name: str, text: object) -> str:
    """`text` as an exact str that can be encoded; the errors name it `name`."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__} {text!r:.80}")
    text = str.__str__(text)
    if (index := _core.find_surrogate(text)) >= 0:
        raise ValueError(f"{name} has a lone surrogate, {text[index]!r}, at index {index}")
    return text


def check_int(name: str, value: object, least: int) -> int:
    """`value` as an int of at least `least`; the errors name it `name`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__} {value!r:.80}")
    number: int = value.__index__()
    if not least <= number < 2**62:
        raise ValueError(
            f"{name} must be at least {least}, not {number}" if number < least else f"{name} is too large: {number}"
        )
    return number


__all__ = ["Chunker", "OnError", "TokenizerLike", "check_int", "check_text"]
