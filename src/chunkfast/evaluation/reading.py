"""What a document offers to ask about: sentences, list items with their lead-in, table rows with their header."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from chunkfast import Chunk, StructureChunker, outline, split_sentences
from chunkfast.evaluation.questions import Source

Range = tuple[int, int]  # half open, code points

# One item, or as few rows as a slice may have, to a chunk; nothing is too large.
_CUTTER = StructureChunker("chars", 10**9, 0, table_size=1, list_size=1, table_format="rows")
_UNIT = re.compile(r"<tr\b.*?(?=<tr\b|</table|</thead|</tbody|\Z)|<[^<>]*>|[^\n<]+", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[dh]\b[^<>]*>(.*?)(?=<t[dh]\b|</t[dh]|</tr|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_PAGE_MARK = re.compile(r"\s*(?:\[P?\d+\]|-\s*\d+\s*-|\d+|第\s*\d+\s*页.*|[Pp]age\s+\d+.*)\s*")
_NOISE = re.compile(r"[.…·•]{3}|[$\\]|^#|</?t[drh]")  # contents lines, formulas, tables for layout
_END = re.compile(r"[。！？.!?][”’』」）》)\]\"']*$")


class Passage(NamedTuple):
    """A sentence, or a list item with the ranges that it can't be understood without."""

    start: int
    end: int
    section: int  # index in the outline, -1 before the first heading
    needs: tuple[Range, ...] = ()


class Row(NamedTuple):
    """A table row: label and value of each cell, the first being the row's own label."""

    start: int
    end: int
    section: int
    needs: tuple[Range, ...]
    cells: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]  # caption, unit and condition lines


class Reading:
    """A document by its outline, as `StructureChunker` reads lists and tables.

    Attributes
    ----------
    name : str
    text : str
    title : str or None
        Its own title.
    headings : list of Heading
        The outline.
    """

    def __init__(self, source: Source) -> None:
        self.name, self.text = source.name, source.text
        self._chunks = _CUTTER.chunk(source.text)
        self.title = self._chunks.title
        self.headings = outline(source.text)
        self._starts = [heading.start_index for heading in self.headings]
        self._lines = Counter(line.strip() for line in source.text.splitlines())

    def section(self, offset: int) -> int:
        """The heading that an offset stands under; -1 before the first."""
        return bisect_right(self._starts, offset) - 1

    def title_of(self, section: int) -> str:
        """The title of a heading, or of the nearest one above that has a title; "" where none has."""
        level = 100
        while section >= 0:
            heading = self.headings[section]
            if heading.level < level:
                if heading.title:
                    return heading.title
                level = heading.level
            section -= 1
        return ""

    def __getitem__(self, span: Range) -> str:
        return self.text[span[0] : span[1]]

    @property
    def _pairs(self) -> Iterator[tuple[Chunk, Chunk | None]]:
        """Each chunk and the next one."""
        return zip(self._chunks, [*self._chunks[1:], None], strict=False)

    @cached_property
    def sentences(self) -> list[Passage]:
        """Sentences of running text, without headings and what page marks and running heads stand in."""
        running = [(c.start_index, c.end_index) for c in self._chunks if c.kind == "text" and not c.prefix]
        starts = [start for start, _ in running]
        found, at = [], 0
        for sentence in split_sentences(self.text):
            start = self.text.index(sentence, at)
            at = start + len(sentence)
            around = bisect_right(starts, start) - 1
            section = self.section(start)
            if section >= 0:  # text that is glued to a number belongs to the section
                start = max(start, min(at, self.headings[section].end_index))
            start, end = self._trimmed(start, at)
            inside = around >= 0 and end <= running[around][1]
            if inside and section == self.section(end - 1) and self._is_clean(start, end):
                found.append(Passage(start, end, section))
        return found

    @cached_property
    def items(self) -> list[Passage]:
        """List items that have a lead-in."""
        found = []
        for chunk, following in self._pairs:
            needs = tuple(self._trimmed(*span) for span in self._before(chunk, following))
            if not needs or any("</t" in self[span] for span in needs):
                continue
            if chunk.kind != "list" and not (chunk.kind == "text" and self[needs[-1]].endswith(("：", ":"))):
                continue
            start, end = self._trimmed(max(chunk.start_index, needs[-1][1]), chunk.end_index)
            section = self.section(start)
            if start < end and section == self.section(end - 1) and self._is_clean(start, end, whole=False):
                found.append(Passage(start, end, section, needs))
        return found

    @staticmethod
    def _before(chunk: Chunk, following: Chunk | None) -> list[Range]:
        """The source ranges that a chunk repeats, and those of its own that the next one does: what its end needs."""
        own = [(a, b) for a, b in chunk.spans if b <= chunk.start_index]
        repeated = [(a, b) for a, b in following.spans if b <= following.start_index] if following else []
        return own + [(a, b) for a, b in repeated if chunk.start_index <= a and b <= chunk.end_index]

    @cached_property
    def rows(self) -> list[Row]:
        """Table rows whose cells the table's rendering names in the same words as the source."""
        return [
            row
            for chunk, following in self._pairs
            if chunk.kind == "table"
            for row in self._rows_of(chunk, self._before(chunk, following))
        ]

    def _rows_of(self, chunk: Chunk, prefix: list[Range]) -> Iterator[Row]:
        units = [unit for span in chunk.spans for unit in self._units(*span)]
        at = next((i for i, (start, _) in enumerate(units) if start >= chunk.start_index), len(units))
        first = at
        for line in chunk.text.splitlines():
            named = [tuple(part.split(": ", 1)) for part in line.split("; ")]
            cells = tuple((pair[0].strip(), pair[1].strip()) for pair in named if len(pair) == 2)
            row = next((i for i in range(at, len(units)) if _same(self._cells(units[i]), cells)), None)
            if len(cells) < 2 or row is None:
                continue
            if at == first:
                first = row  # what stands before the first row of data is its header, or text around the table
            at = row + 1
            start, end = units[row]
            own = self._cells(units[row])
            label, value = cells[0]
            if value != own[0]:  # a cell that spans rows, in another row
                continue
            section = self.section(start)
            head = [unit for unit in units[:first] if self._is_head(unit, cells, prefix, section)]
            words = _squeezed("".join(self[unit] for unit in head))
            good = tuple((name, value) for name, value in cells[1:] if value in own and _is_named(name, words))
            if head and good and _is_named(label, words):
                lines = tuple(self[unit].strip() for unit in head if not self._cells(unit))
                yield Row(start, end, section, tuple(head), ((label, value), *good), lines)

    def _is_head(self, unit: Range, cells: Sequence[tuple[str, str]], prefix: list[Range], section: int) -> bool:
        """Whether something above the rows of data is a header row, or a line that slices of this section repeat."""
        if own := set(self._cells(unit)):
            return bool(own & {part for name, _ in cells for part in (name, *name.split("/"))})
        return self.section(unit[0]) == section and any(a <= unit[0] and unit[1] <= b for a, b in prefix)

    def _units(self, start: int, end: int) -> Iterator[Range]:
        """Table rows, and lines outside of tables."""
        for found in _UNIT.finditer(self.text, start, end):
            if found[0].lower().startswith("<tr") or not found[0].startswith("<"):
                a, b = self._trimmed(found.start(), found.end())
                if a < b:
                    yield a, b

    def _cells(self, unit: Range) -> list[str]:
        text = self[unit]
        if text[:3].lower() == "<tr":
            cells = [html.unescape(_TAG.sub(" ", cell)) for cell in _CELL.findall(text)]
        elif "|" in text:
            cells = text.strip().strip("|").split("|")
        else:
            cells = text.split("\t") if "\t" in text else []
        return [" ".join(cell.split()) for cell in cells if cell.strip()]

    def _trimmed(self, start: int, end: int) -> Range:
        part = self.text[start:end]
        return start + len(part) - len(part.lstrip()), max(start, end - len(part) + len(part.rstrip()))

    def _is_clean(self, start: int, end: int, whole: bool = True) -> bool:
        lines = [line.strip() for line in self.text[start:end].splitlines()]
        if len(lines) > 1 and any(self._lines[line] > 1 or _PAGE_MARK.fullmatch(line) for line in lines):
            return False
        if any(_NOISE.search(line) for line in lines):
            return False
        return bool(lines) and (not whole or bool(_END.search(lines[-1])))


def _same(own: Sequence[str], cells: Sequence[tuple[str, str]]) -> bool:
    """Whether a rendered row has all cells of a source row, in order."""
    values = iter([value for _, value in cells])
    return len(own) > 1 and all(cell in values for cell in own)


def _is_named(label: str, words: str) -> bool:
    return bool(label) and all(_squeezed(part) in words for part in label.split("/"))


def _squeezed(text: str) -> str:
    return "".join(html.unescape(_TAG.sub("", text)).split())
