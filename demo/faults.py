"""Counts what is wrong with chunks of a labelled sample.

Knows nothing of chunkfast: a chunk is a text, the source ranges that its own text (nothing repeated) comes from, and a
token count. What is right is in `samples/labels.json`, written by hand.
"""

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

SENTENCE_END = re.compile(r"(?:[。！？；：…]|[.!?;:](?=[\s”’」』）》)\]\"']|$))[”’」』）》)\]\"'*_`]*\s*$")
TAG_OR_PIPE = re.compile(r"<[^>]*>|\||\t|\n")
TAIL = 20  # characters at the end of a lead-in that must stand in a chunk for the lead-in to count as there

Range = tuple[int, int]  # half open, code points


@dataclass(frozen=True)
class Piece:
    """A chunk as this module sees it."""

    text: str
    body: tuple[Range, ...]
    tokens: int


@dataclass
class Faults:
    """Each fault as (number found, number of chances to find it)."""

    mixed: Range = (0, 0)  # chunks that hold text of two sections, of all chunks
    headless: Range = (0, 0)  # chunks with rows of a table but not its whole header, of all chunks with rows
    orphans: Range = (0, 0)  # list items in a chunk without their lead-in, of all list items in chunks
    cuts: Range = (0, 0)  # cuts inside a sentence or a table row, of all cuts
    over: Range = (0, 0)  # chunks over the limit, of all chunks
    bytes: Range = (0, 0)  # UTF-8 bytes of all chunks, of the source

    def __add__(self, other: "Faults") -> "Faults":
        return Faults(*((a + c, b + d) for (a, b), (c, d) in zip(self.values(), other.values(), strict=True)))

    def values(self) -> list[Range]:
        """The counts in the order of the fields."""
        return [getattr(self, field.name) for field in fields(self)]


class Sample:
    """A sample with its labels."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.text = path.read_bytes().decode("utf-8")
        labels: dict[str, Any] = json.loads((path.parent / "labels.json").read_text(encoding="utf-8"))[path.name]
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        headings = labels["sections"]
        ends = [heading - 1 for heading, _ in headings[1:]] + [len(self.lines)]
        self.sections = [self.span(body, end) for (_, body), end in zip(headings, ends, strict=False)]
        numbers = range(1, len(self.lines) + 1) if labels["paragraphs"] is None else labels["paragraphs"]
        self.paragraphs = {self.starts[number - 1] for number in numbers}
        self.items = [item for group in labels["lists"] for item in self._items(group)]
        self.tables = [self._table(table) for table in labels["tables"]]

    def span(self, first: int, last: int) -> Range:
        """Range of the lines from `first` to `last`."""
        return self.starts[first - 1], self.starts[last]

    def _items(self, group: dict[str, Any]) -> list[tuple[Range, str]]:
        """Range of each item, and the end of its lead-in."""
        lead = "".join(self.lines[group["lead_in"] - 1 : group["items"][0] - 1])
        ends = [number - 1 for number in group["items"][1:]] + [group["last"]]
        return [
            (self.span(first, last), squeeze(lead)[-TAIL:]) for first, last in zip(group["items"], ends, strict=True)
        ]

    def _table(self, table: dict[str, Any]) -> tuple[list[Range], set[str]]:
        """Range of each data row, and the cells and lines of the header."""
        first, last = table["header"]
        header = "\n".join(self.lines[first - 1 : last])
        cells = {squeeze(cell) for cell in TAG_OR_PIPE.split(header)}
        rows = [self.span(row, row) for start, stop in table["rows"] for row in range(start, stop + 1)]
        return rows, {cell for cell in cells if cell.strip("-: ")}

    def holds(self, piece: Piece, span: Range) -> bool:
        """Whether anything of `span` but white space is in the piece's own text."""
        return any(
            self.text[max(a, span[0]) : min(b, span[1])].strip() for a, b in piece.body if a < span[1] and span[0] < b
        )

    def faults(self, pieces: list[Piece], limit: int) -> Faults:
        """What is wrong with `pieces`, the chunks of this sample in order."""
        found = Faults()
        for number, piece in enumerate(pieces):
            squeezed = squeeze(piece.text)
            mixed = sum(self.holds(piece, section) for section in self.sections) > 1
            found += Faults(
                mixed=(mixed, 1), over=(piece.tokens > limit, 1), bytes=(len(piece.text.encode("utf-8")), 0)
            )
            for rows, header in self.tables:
                if any(self.holds(piece, row) for row in rows):
                    found += Faults(headless=(any(cell not in squeezed for cell in header), 1))
            for item, lead_in in self.items:
                if self.holds(piece, item):
                    found += Faults(orphans=(lead_in not in squeezed, 1))
            if number < len(pieces) - 1:
                found += Faults(cuts=(self.cuts_a_sentence(max(end for _, end in piece.body)), 1))
        return found + Faults(bytes=(0, len(self.text.encode("utf-8"))))

    def cuts_a_sentence(self, position: int) -> bool:
        """Whether `position` is in a sentence or a row: no sentence ends before it, no paragraph starts after it."""
        after = position
        while after < len(self.text) and self.text[after].isspace():
            after += 1
        between = range(len(self.text[:position].rstrip()), after + 1)
        if any(start in self.paragraphs for start in between):
            return False
        before = self.text[:position]
        return not SENTENCE_END.search(before[-40:]) or (
            before[-1:] in ".:" and not self.text[position : position + 1].isspace()
        )


def squeeze(text: str) -> str:
    """`text` without white space."""
    return "".join(text.split())
