"""Chunks of any kind as pieces of the source: where each stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from chunkfast.arguments import check_iterable, describe
from chunkfast.auditing.source import Range, Source, plain, squeeze

ChunkLike: TypeAlias = "str | Range | Mapping[str, Any] | Any"

_CELL = re.compile(r"<[^<>]*>|[|\t\n]")


class Piece(NamedTuple):
    """A chunk: its text, the source ranges that it says or was found to have (None: not found), and its tokens."""

    text: str
    ranges: tuple[Range, ...] | None
    tokens: int | None
    start: int = 0  # of what is not repeated ahead of its place: prefixes come from before

    @property
    def main(self) -> tuple[Range, ...]:
        return tuple((a, b) for a, b in self.ranges or () if b > self.start)


def locate(source: Source, chunks: Iterable[ChunkLike]) -> Iterator[Piece]:
    search = _Search(source)
    for i, chunk in enumerate(chunks):
        text: Any
        if isinstance(chunk, str):
            text, tokens = chunk, None
        elif isinstance(chunk, tuple) and len(chunk) == 2:
            if not all(isinstance(place, int | np.integer) for place in chunk):
                raise TypeError(f"chunks[{i}] must be a pair of int, not {describe(chunk)}")
            place = _range(f"chunks[{i}]", chunk, len(source.text))
            text = source.text[slice(*place)]
            search.move(*place)
            yield Piece(text, (place,), None, place[0])
            continue
        else:
            read = chunk.get if isinstance(chunk, Mapping) else lambda name, chunk=chunk: getattr(chunk, name, None)
            text, tokens, spans = read("text"), read("token_count"), read("spans")
            start, end = read("start_index"), read("end_index")
            if not isinstance(text, str):
                raise TypeError(f"chunks[{i}] must be a str, a pair of int or have a text, not {describe(chunk)}")
            tokens = None if tokens is None else _whole(f"token_count of chunks[{i}]", tokens)
            if start is not None and end is not None:
                place = _whole(f"start_index of chunks[{i}]", start), _whole(f"end_index of chunks[{i}]", end)
                ranges = (place,) if spans is None else _ranges(f"spans of chunks[{i}]", spans, len(source.text))
                ranges = ranges or (place,)
                if _agrees(source, text, place):
                    search.move(*place)
                    yield Piece(text, ranges, tokens, place[0])
                    continue
        found = search.find(text)
        yield Piece(text, None if found is None else (found,), tokens, found[0] if found else 0)


def _whole(name: str, value: Any) -> int:
    """A number as a chunk of another library has it: of a data frame, it may be a float."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must be an int, not {describe(value)}") from None


def _range(name: str, pair: Any, length: int) -> Range:
    try:
        start, end = pair
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a pair of int, not {describe(pair)}") from None
    start, end = _whole(name, start), _whole(name, end)
    if not 0 <= start <= end <= length:
        raise ValueError(f"{name} is {pair!r:.80}, no range of a text of {length} characters")
    return start, end


def _ranges(name: str, spans: Any, length: int) -> tuple[Range, ...]:
    check_iterable(name, spans, "pairs of int")
    return tuple(_range(name, span, length) for span in spans)


def _agrees(source: Source, text: str, place: Range) -> bool:
    """Whether a text holds what stands at a place: as it is, or most of its cells where it is a rendering."""
    start, end = place
    if not 0 <= start < end <= len(source.text):
        return False
    squeezed, raw = squeeze(text), squeeze(source.text[start:end])
    if squeezed.endswith(raw):
        return bool(raw)
    if raw == "" or squeezed in source.squeezed:  # it stands as it is, somewhere else
        return False
    read = readings(text)
    cells = [plain(cell) for cell in _CELL.split(source.text[start:end])]
    held = sum(len(cell) for cell in cells if any(cell in reading for reading in read))
    return 2 * held > sum(map(len, cells)) > 0


class _Search:
    """Finds texts in the source, in order, white space apart."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.start = self.end = 0  # of the chunk before, in the squeezed source

    def move(self, start: int, end: int) -> None:
        self.start, self.end = self.source.solid(0, start), self.source.solid(0, end)

    def find(self, text: str) -> Range | None:
        wanted, source = squeeze(text), self.source.squeezed
        if not wanted:
            return None
        at = self.end
        if not source.startswith(wanted, at):
            # it goes on, with overlap or after a gap
            at = source.find(wanted, max(self.start, self.end - len(wanted) + 1))
            if at > self.end and source.find(wanted, at + 1) >= 0:
                return None  # several places, and nothing says which
            if at < 0:
                at = source.find(wanted, self.start, self.end)  # inside the one before
        if at < 0:
            return None
        self.start, self.end = at, max(self.end, at + len(wanted))
        return int(self.source.places[at]), int(self.source.places[at + len(wanted) - 1]) + 1


def readings(text: str) -> tuple[str, str]:
    """A chunk's text as `plain` reads cells, for Markdown and for HTML."""
    return squeeze(text).replace("\\", ""), plain(text)
