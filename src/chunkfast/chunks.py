"""Chunks: columns inside, rows made on access. Knows nothing of how chunks are made."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from chunkfast import _core
from chunkfast.arguments import describe

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Chunk", "Chunks"]

KINDS = ("text", "list", "table", "code", "contents")  # by BlockKind in _kernels/document.pxd
_, _, _START, _END, _KIND, _SECTION, _TOKENS = range(7)  # columns, see _kernels/assembly.pxd

_TAGS = re.compile(r"</?t(?:able|body|r|d|h)\b[^<>]*>", re.IGNORECASE)

Int64Array = NDArray[np.int64]


class Chunk(NamedTuple):
    """One chunk of a document.

    Attributes
    ----------
    text : str
        What is to be embedded or shown: `prefix`, then `overlap`, then the chunk's own text.
    token_count : int
        Tokens of `text`, exactly as the chunker's tokenizer counts them, without added special tokens.
    start_index, end_index : int
        Half-open range of code points of the source from which overlap and own text come; the prefix comes from before
        it.
    index : int
        Position in its document.
    kind : str
        "text", "list", "table", "code" or "contents" (a table of contents, so that an index may skip it). A chunk that
        holds a rendered table is a "table".
    headings : tuple of str
        The headings it stands under, outermost first.
    prefix : str
        Repeated header rows, lead-in or, with `headings="prepend"`, headings at the head of `text`; "" where there are
        none.
    overlap : str
        The repeated end of the chunk before; "" where there is none.
    spans : tuple of (int, int)
        Half-open ranges of the source that `text` is made of, in the order of `text`: `text` is their join, except
        where a table is rendered; there they name the source rows that the text renders, header rows first.
    page : tuple of (int, int) or None
        First and last page, where the document marks its pages.
    id : str
        32 hexadecimal digits: a versioned 128-bit hash of headings and text, and among equal chunks which of them it
        is.
    title : str or None
        The title of the document.
    """

    text: str
    token_count: int
    start_index: int
    end_index: int
    index: int  # type: ignore[assignment]  # goes before tuple.index
    kind: str
    headings: tuple[str, ...]
    prefix: str
    overlap: str
    spans: tuple[tuple[int, int], ...]
    page: tuple[int, int] | None
    id: str
    title: str | None = None

    def contextualize(self) -> str:
        """Title and headings, a line each, then the text. No heading is repeated that the text begins with."""
        lines = [line for line in (self.title, *self.headings) if line]
        begins = _squeezed(self.text)
        shown = next(n for n in range(len(lines) + 1) if begins.startswith("".join(map(_squeezed, lines[n:]))))
        return "\n".join([*lines[:shown], self.text])


def _squeezed(text: str) -> str:
    """Without white space, and without the signs and tags that mark a line as a heading or lay it out."""
    if "<" in text:
        text = _TAGS.sub("", text)
    return "".join("".join(line.strip("#*= \t").split()) for line in text.splitlines())


class Chunks(Sequence[Chunk]):
    """The chunks of one document: an immutable sequence of `Chunk`.

    Holds the source once, and a few integers for each chunk; texts and ids are made when they are asked for. Two are
    equal if all their chunks are.

    Attributes
    ----------
    source : str
        The text that was passed in.
    title : str or None
        The title given, else the document's own.
    token_counts, starts, ends : ndarray of int64, shape (len(self),)
        `token_count`, `start_index` and `end_index` of all chunks; read-only.
    """

    __slots__ = ("_ids", "_paths", "_rows", "_title")

    def __init__(self, rows: _core.Rows, title: str | None) -> None:
        if not isinstance(rows, _core.Rows):
            raise TypeError(f"rows must be made by a chunker, not {describe(rows)}")
        self._rows = rows
        self._title = title
        self._paths: HeadingPaths | None = None
        self._ids: list[str] | None = None

    @property
    def title(self) -> str | None:
        return self._rows.title() or None if self._title is None else self._title

    @property
    def source(self) -> str:
        return self._rows.source

    @property
    def token_counts(self) -> Int64Array:
        return self._rows.column(_TOKENS)

    @property
    def starts(self) -> Int64Array:
        return self._rows.column(_START)

    @property
    def ends(self) -> Int64Array:
        return self._rows.column(_END)

    @property
    def ids(self) -> list[str]:
        """The id of each chunk."""
        if self._ids is None:
            self._ids = self._rows.ids()
        return list(self._ids)

    @property
    def texts(self) -> list[str]:
        """The text of each chunk."""
        return self._rows.texts()

    def to_dicts(self, document_id: object = None) -> list[dict[str, Any]]:
        """A dict for each chunk, in the order of `chunkfast.arrow.schema`; `headings` and `page` are lists."""
        return [
            {
                "document_id": document_id,
                "title": self.title,
                "chunk_id": chunk.id,
                "index": chunk.index,
                "text": chunk.text,
                "token_count": chunk.token_count,
                "start_index": chunk.start_index,
                "end_index": chunk.end_index,
                "kind": chunk.kind,
                "headings": list(chunk.headings),
                "prefix": chunk.prefix,
                "overlap": chunk.overlap,
                "page": None if chunk.page is None else list(chunk.page),
            }
            for chunk in self
        ]

    def to_arrow(self, document_id: str | None = None) -> pyarrow.Table:
        """The chunks as an Arrow table of `chunkfast.arrow.schema` (extra `arrow`)."""
        from chunkfast.arrow import to_table

        return to_table([(document_id, self)])

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> list[Chunk]: ...
    def __getitem__(self, index: int | slice) -> Chunk | list[Chunk]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = operator.index(index)
        if i < 0:
            i += len(self)
        if not 0 <= i < len(self):
            raise IndexError(f"chunk index {index} out of range: there are {len(self)} chunks")
        rows = self._rows
        if self._ids is None:
            self._ids = rows.ids()
        if self._paths is None:
            self._paths = HeadingPaths(rows)
        prefix, overlap, start, end, kind, section, tokens = rows.row(i)
        text = rows.text(i)
        return Chunk(
            text,
            tokens,
            start,
            end,
            i,
            KINDS[kind],
            self._paths[section],
            text[:prefix],
            text[prefix : prefix + overlap],
            rows.spans(i),
            rows.page(i),
            self._ids[i],
            self.title,
        )

    def __iter__(self) -> Iterator[Chunk]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chunks):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equality is by content, and computing it is not cheap

    def __repr__(self) -> str:
        tokens = int(self.token_counts.sum())
        return f"<Chunks: {len(self)} chunks, {tokens} tokens, of {len(self.source)} characters>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._title)


class HeadingPaths(Sequence[tuple[str, ...]]):
    """By section: its heading lines, outermost first. The last is empty: that of the text before the first heading."""

    def __init__(self, rows: _core.Rows) -> None:
        self._rows = rows
        self._known: dict[int, tuple[str, ...]] = {-1: ()}

    def __len__(self) -> int:
        return self._rows.heading_count() + 1

    def __getitem__(self, section: Any) -> Any:
        path = self._known.get(section)
        return self._made(section) if path is None else path

    def _made(self, section: int) -> tuple[str, ...]:
        if section == len(self) - 1:
            return ()
        missing = []
        while section not in self._known:
            line, above = self._rows.heading(section)
            missing.append((section, line))
            section = above
        path = self._known[section]
        for section, line in reversed(missing):
            path = self._known[section] = (*path, line)
        return path
