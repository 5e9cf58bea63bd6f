"""The text with its structure: what chunks are judged by."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from chunkfast import _core

if TYPE_CHECKING:
    from chunkfast.tokens import Int64Array

Range: TypeAlias = tuple[int, int]  # half open, code points of the source

_FURNITURE = 5  # Role in _kernels/document.pxd
_DATA, _HEADER, _BETWEEN = 0, 1, 4  # RowKind
_MARKS = "#*=_-"  # what marks a heading or rules a line is no text of a section
_BLANKS = np.array([c for c in range(0x3001) if chr(c).isspace()], np.uint32)
_TAG = re.compile(r"<[^<>]*>")
_OPENING = re.compile(r"(?:<(?!tr\b)[^<>]*>\s*)*", re.IGNORECASE)  # what opens a table or its head belongs to a row


class Source:
    """The text with its structure, and running counts of what is written in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.document = _core.parse(text)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        solid = ~np.isin(points, _BLANKS)
        self.places = np.flatnonzero(solid)  # of the squeezed text's characters
        self.squeezed = "".join(text.split())
        self._solid = _running(solid)
        ink = solid.copy()
        for _, first, end, _, _, role in self.document.lines():
            if role == _FURNITURE:
                ink[first:end] = False
        self._ink = _running(ink)  # without page marks and running heads, which may stand in anything
        self._inked = ink
        self._words = _running(ink & ~np.isin(points, np.array([ord(c) for c in _MARKS], np.uint32)))

    def solid(self, start: int, end: int) -> int:
        return int(self._solid[end] - self._solid[start]) if start < end else 0

    def ink(self, start: int, end: int) -> int:
        return int(self._ink[end] - self._ink[start]) if start < end else 0

    def words(self, start: int, end: int) -> int:
        return int(self._words[end] - self._words[start]) if start < end else 0

    def inked(self, start: int, end: int) -> str:
        """The text of a range without white space, page marks and running heads."""
        part = self.text[start:end]
        if self.ink(start, end) == self.solid(start, end):
            return squeeze(part)
        return "".join(char for char, ink in zip(part, self._inked[start:end].tolist(), strict=True) if ink)

    @cached_property
    def boundaries(self) -> Int64Array:
        """Positions where a cut breaks no sentence and no row, ascending."""
        text, document = self.text, self.document
        found = [(a, b) for _, a, b, *_ in document.blocks()]
        found += [(a, b) for a, b, *_ in document.items()]
        found += document.heading_lines()
        found += [
            (first, end)
            for kind, a, b, *_ in document.blocks()
            if kind in ("code", "contents", "table")
            for first, end in self.lines(a, b)
        ]
        found += [(first, end) for _, first, end, _, _, role in document.lines() if role == _FURNITURE]
        found.append((0, len(text)))
        ends = np.concatenate([_core.sentence_ends(text, document.wrap), np.array(found, np.int64).ravel()])
        rows = [span for table in self.tables for span in table.rows]
        if rows:  # what ends a sentence or a line inside a row does not end the row
            starts, stops = np.array(rows, np.int64).T
            row = np.searchsorted(starts, ends, "right") - 1
            ends = ends[(row < 0) | (ends <= starts[row]) | (ends >= stops[row])]
            ends = np.concatenate([ends, starts, stops])
        return np.unique(ends)

    def lines(self, start: int, end: int) -> Iterator[Range]:
        lines = self.document.lines()
        for i in range(bisect_right(self._line_starts, start) - 1, len(lines)):
            if lines[i][0] >= end:
                break
            yield max(start, lines[i][1]), min(end, lines[i][2])

    @cached_property
    def _line_starts(self) -> list[int]:
        return [line[0] for line in self.document.lines()]

    @cached_property
    def cluster_ends(self) -> Int64Array | None:
        """Where a cut breaks no grapheme cluster; None: everywhere."""
        if self.text.isascii() and "\r" not in self.text:
            return None
        return np.array([0, *_core.grapheme_ends(self.text)], np.int64)

    @cached_property
    def tables(self) -> list[Table]:
        tables, all_rows, cells = self.document.tables(), self.document.rows(), self.document.cells()
        found = []
        for kind, _, _, _, first, *_ in self.document.blocks():
            if kind == "table":
                table = tables[first]
                found.append(Table(self, table, all_rows[table["first"] : table["last"]], cells))
        return found

    @cached_property
    def items(self) -> list[Item]:
        """Each list item, and each section under a lead-in, with what it can't be understood without."""
        items = self.document.items()
        found = []
        for kind, _, _, _, first, last, lead_start, lead_end in self.document.blocks():
            if kind != "list":
                continue
            needs: dict[int, tuple[Range, ...]] = {-1: ((lead_start, lead_end),) if lead_start < lead_end else ()}
            for i in range(first, last):
                start, end, _, parent = items[i]
                above = needs.get(parent, needs[-1])
                needs[i] = (*above, (start, end))
                if above:
                    found.append(Item(start, end, above))
        bodies = self.document.heading_lines()
        for i, (start, lead_start, lead_end) in enumerate(self.document.heading_leads()):
            if lead_start < lead_end:
                end = bodies[i + 1][0] if i + 1 < len(bodies) else len(self.text)
                found.append(Item(start, end, ((lead_start, lead_end),)))
        return sorted(found, key=lambda item: item.start)

    @cached_property
    def sections(self) -> list[tuple[int, int, int, int]]:
        """(start, body, end, group) of each heading; those of one group may share a chunk."""
        headings = self.document.headings()
        groups: list[int] = []
        for i, heading in enumerate(headings):
            parent, apart = heading[9], heading[10]
            groups.append(i if apart or parent < 0 else groups[parent])
        ends = [*(heading[2] for heading in headings), len(self.text)][1:]
        return [(h[2], h[4], end, group) for h, end, group in zip(headings, ends, groups, strict=True)]

    def has_text_below(self, section: int) -> bool:
        """Whether a heading has text of its own, or below the headings under it."""
        headings = self.document.headings()
        for i in range(section, len(headings)):
            if i > section and headings[i][0] <= headings[section][0]:
                return False
            _, body, end, _ = self.sections[i]
            if self.words(body, end):
                return True
        return False


class Item(NamedTuple):
    start: int
    end: int
    needs: tuple[Range, ...]


class Table:
    """A table: its data rows, and what its slices must repeat."""

    def __init__(self, source: Source, table: dict[str, Any], all_rows: list[dict[str, Any]], cells: list[Any]) -> None:
        self.start, self.end = table["start"], table["end"]
        self.rows = [
            (_OPENING.match(source.text, row["start"], row["end"]).end(), row["end"])  # type: ignore[union-attr]  # matches anywhere
            for row in all_rows
            if row["kind"] != _BETWEEN
        ]
        self.data = [(row["start"], row["end"]) for row in all_rows if row["kind"] == _DATA]
        header = [row for row in all_rows[: table["header"]] if row["kind"] == _HEADER]
        spans = [(table["note_start"], table["note_end"]), (table["start"], table["body"])]
        self.needs: list[tuple[Range, list[str]]] = []  # source range, and the pieces of text that stand for it
        for start, end in spans:
            if source.ink(start, end):
                self.needs.append(((start, end), [plain(line) for line in source.text[start:end].split("\n")]))
        for row in header:
            start = row["start"]
            inside = [(start + c["start"], start + c["end"]) for c in cells[row["first"] : row["last"]]]
            self.needs.append(((start, row["end"]), [plain(source.text[a:b]) for a, b in inside]))


def squeeze(text: str) -> str:
    """`text` without white space."""
    return "".join(text.split())


def plain(cell: str) -> str:
    """What a cell says, without tags, entities, white space and what escapes pipes."""
    return squeeze(html.unescape(_TAG.sub(" ", cell))).replace("\\", "")


def _running(mask: Any) -> Int64Array:
    return np.concatenate([[0], np.cumsum(mask, dtype=np.int64)])
