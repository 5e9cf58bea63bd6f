"""What the three generations share: checked settings, checked texts, and the verbs over many documents."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeGuard, get_args

from chunkfast import _core
from chunkfast.arguments import check_choice, check_int, check_iterable, check_text, describe
from chunkfast.chunks import Chunks
from chunkfast.tokens import TokenCounter, TokenizerLike, load_tokenizer

if TYPE_CHECKING:
    import pyarrow

OnError = Literal["raise", "skip", "collect"]
MOST_THREADS = 1024
_PORTION = 64  # documents that a thread takes at a time
_KEPT = 1 << 16  # code points; a cutter that has cut a longer text is not kept


class Portion(NamedTuple):
    """Documents that are cut with one call."""

    first: int  # position of the first of them
    texts: list[Any]
    ids: list[Any]


class DocumentError(Exception):
    """A document of a batch that can't be cut; always a `TypeError` or a `ValueError` too.

    Attributes
    ----------
    position : int
        Of the document in its batch.
    id : object
        What `ids` has for it, None without `ids`.
    """

    def __init__(self, message: str, position: int, id: object = None) -> None:
        super().__init__(message, position, id)
        self.position = position
        self.id = id

    def __str__(self) -> str:
        return str(self.args[0])

    @staticmethod
    def of(cause: TypeError | ValueError, message: str, position: int, id: object) -> DocumentError:
        kind = _DocumentTypeError if isinstance(cause, TypeError) else _DocumentValueError
        error = kind(message, position, id)
        error.__cause__ = cause
        return error


class _DocumentTypeError(DocumentError, TypeError): ...


class _DocumentValueError(DocumentError, ValueError): ...


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

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_idle"}

    @abstractmethod
    def _cutter(self) -> _core.Cutter: ...

    def _cut(
        self, texts: list[Any], titles: Sequence[str | None] | None = None
    ) -> list[Chunks | TypeError | ValueError]:
        """The chunks of each text, or why it can't be cut. Titles are checked."""
        # A cutter has memory for its next text; it is taken out while it is used, for other threads make their own.
        cutter = self.__dict__.pop("_idle", None) or self._cutter()
        made = cutter.cut(texts, titles)
        if cutter.longest <= _KEPT:
            self.__dict__["_idle"] = cutter
        if titles is None:
            titles = [None] * len(made)
        return [
            Chunks(rows, title) if isinstance(rows, _core.Rows) else rows
            for rows, title in zip(made, titles, strict=True)
        ]

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
        [made] = self._cut([text], [None if title is None else check_text("title", title)])
        if isinstance(made, Exception):
            check_text("text", text)
            raise made  # from a tokenizer given as a callable
        return made

    def chunk_batch(
        self,
        texts: Sequence[str],
        threads: int | None = None,
        on_error: OnError = "raise",
        *,
        ids: Iterable[object] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Cut many documents: `[chunk(text) for text in texts]`, on several threads.

        Parameters
        ----------
        texts : sequence of str
        threads : int, optional
            None: as many as there are processors.
        on_error : {"raise", "skip", "collect"}
            What to do with a document that can't be cut: raise its error, leave it out of the result, or put its
            `DocumentError` in its place.
        ids : iterable, optional
            One for each text; an error names it beside the position.
        progress : callable, optional
            Called in this thread with the number of documents done, after each of them.

        Returns
        -------
        list of Chunks
            In the order of `texts`; with "collect", errors among them.

        Raises
        ------
        TypeError, ValueError
            A bad document, as a `DocumentError` that is also the error of `chunk`; a bad argument; `ids` of another
            length than `texts`.
        """
        check_iterable("texts", texts, "str")
        return list(chain.from_iterable(self._stream(list(texts), threads, on_error, ids, progress, ahead=_PORTION)))

    def iter_chunks(
        self,
        texts: Iterable[str],
        threads: int | None = 1,
        on_error: OnError = "raise",
        *,
        ids: Iterable[object] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Iterator[Any]:
        """Cut documents as they come: yields the `Chunks` of each, in order, in bounded memory.

        One thread takes a document when the one before has been used. Several read ahead, by at most four times
        `threads` portions of 64 documents or 64,000 characters (a longer document is a portion of its own).
        Parameters and exceptions are those of `chunk_batch`.
        """
        check_iterable("texts", texts, "str")
        portions = self._stream(texts, threads, on_error, ids, progress, ahead=1)
        return (chunks for portion in portions for chunks in portion)

    def _stream(
        self,
        texts: Iterable[str],
        threads: int | None,
        on_error: OnError,
        ids: Iterable[object] | None,
        progress: Callable[[int], None] | None,
        ahead: int,
    ) -> Iterator[Sequence[Any]]:
        """The documents of `iter_chunks` in portions; one thread reads at most `ahead` documents at a time."""
        check_choice("on_error", on_error, get_args(OnError))
        if ids is not None and not isinstance(ids, str):
            check_iterable("ids", ids, "ids")
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be callable, not {describe(progress)}")
        workers = (os.cpu_count() or 1) if threads is None else check_int("threads", threads, 1, MOST_THREADS)
        if isinstance(texts, Sequence):
            workers = min(workers, len(texts))
        most = 1 if not self.tokenizer.is_native else _PORTION if workers > 1 else ahead
        documents = zip(texts, repeat(None)) if ids is None else zip(texts, ids, strict=True)
        portions = portions_of(documents, most)
        results = _in_threads(self._attempt, portions, workers) if workers > 1 else map(self._attempt, portions)
        return _settled(results, on_error, progress)

    def _attempt(self, portion: Portion) -> Sequence[Chunks | DocumentError]:
        made = self._cut(portion.texts)
        if _are_chunks(made):
            return made
        return [
            chunks if isinstance(chunks, Chunks) else self._error(chunks, portion, i) for i, chunks in enumerate(made)
        ]

    def _error(self, cause: TypeError | ValueError, portion: Portion, i: int) -> DocumentError:
        position, id = portion.first + i, portion.ids[i]
        name = f"texts[{position}]" + (f" (id {id!r})" if id is not None else "")
        try:
            check_text(name, portion.texts[i])
        except (TypeError, ValueError) as error:
            return DocumentError.of(error, str(error), position, id)
        return DocumentError.of(cause, f"{name}: {cause}", position, id)  # from a tokenizer given as a callable

    def chunk_arrow(
        self,
        table: pyarrow.Table | pyarrow.RecordBatch | pyarrow.RecordBatchReader,
        text_column: str = "text",
        id_column: str | None = None,
        title_column: str | None = None,
    ) -> pyarrow.Table | pyarrow.RecordBatchReader:
        """Cut the documents of an Arrow table, or of a reader as it is read; one row for each chunk, in order.

        Parameters
        ----------
        table : pyarrow.Table, RecordBatch or RecordBatchReader
        text_column : str
            Column of the texts; nulls and texts of white space alone give no rows.
        id_column, title_column : str, optional
            Columns whose values become `document_id` and the document's title; without them, and where a title is null:
            the position in the table, and the document's own title.

        Returns
        -------
        pyarrow.Table or RecordBatchReader
            With the columns of `chunkfast.arrow.schema`; of a reader a reader, which holds a batch at a time.

        Raises
        ------
        ImportError
            pyarrow is not installed.
        TypeError
            `table` is none, or the text or title column holds something other than strings.
        ValueError
            There is no such column, or a text can't be cut; the message names column and row.
        """
        from chunkfast.arrow import chunk_table

        return chunk_table(self, table, text_column, id_column, title_column)


def portions_of(documents: Iterable[tuple[Any, Any]], most: int) -> Iterator[Portion]:
    """Documents, each with its id, in portions of `most`, or fewer where they are long."""
    portion = Portion(0, [], [])
    characters = 0
    for text, id in documents:
        portion.texts.append(text)
        portion.ids.append(id)
        characters += len(text) if isinstance(text, str) else 0
        if characters >= 64_000 or len(portion.texts) >= most:
            yield portion
            portion, characters = Portion(portion.first + len(portion.texts), [], []), 0
    if portion.texts:
        yield portion


def _in_threads(
    attempt: Callable[[Portion], Sequence[Any]], portions: Iterator[Portion], workers: int
) -> Iterator[Sequence[Any]]:
    """`map(attempt, portions)` on one pool of threads, which ends with the iterator."""
    waiting: deque[Future[Sequence[Any]]] = deque()
    ended = False

    def work(portion: Portion) -> Sequence[Any]:
        return [] if ended else attempt(portion)

    pool = ThreadPoolExecutor(workers, thread_name_prefix="chunkfast")
    try:
        for portion in portions:
            waiting.append(pool.submit(work, portion))
            if len(waiting) >= 4 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # No wait: Ctrl-C is not to wait, and the collector may end this in a thread that holds locks of `threading`.
        ended = True
        pool.shutdown(wait=False, cancel_futures=True)


def _are_chunks(results: Sequence[Chunks | Exception]) -> TypeGuard[list[Chunks]]:
    return set(map(type, results)) == {Chunks}


def _settled(
    results: Iterable[Sequence[Chunks | DocumentError]], on_error: str, progress: Callable[[int], None] | None
) -> Iterator[Sequence[Chunks | DocumentError]]:
    """Portion by portion; document by document where there is something to look at in each."""
    done = 0
    for portion in results:
        if progress is None and _are_chunks(portion):
            yield portion
            continue
        for result in portion:
            done += 1
            if on_error == "raise" and isinstance(result, DocumentError):
                raise result
            if progress is not None:
                progress(done)
            if on_error == "collect" or not isinstance(result, DocumentError):
                yield [result]


__all__ = ["Chunker", "DocumentError", "OnError", "TokenizerLike"]
