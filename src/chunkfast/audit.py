"""What is wrong with a list of chunks, ours or another library's, by the outline, lists and tables of the text."""

from __future__ import annotations

import html
import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from chunkfast import _core
from chunkfast.arguments import check_int, check_iterable, describe
from chunkfast.tokens import load_tokenizer

if TYPE_CHECKING:
    from chunkfast.tokens import Int64Array, TokenizerLike

__all__ = ["Audit", "Count", "Fault", "audit"]

Range: TypeAlias = tuple[int, int]  # half open, code points of the source
ChunkLike: TypeAlias = "str | Range | Mapping[str, Any] | Any"

TINY = 60  # bytes of UTF-8 without white space: 20 Chinese characters, 10 English words, some 15 tokens
EXCERPT = 60  # code points
_FURNITURE = 5  # Role in _kernels/document.pxd
_DATA, _HEADER, _BETWEEN = 0, 1, 4  # RowKind
_MARKS = "#*=_-"  # what marks a heading or rules a line is no text of a section
_BLANKS = np.array([c for c in range(0x3001) if chr(c).isspace()], np.uint32)
_TAG = re.compile(r"<[^<>]*>")
_OPENING = re.compile(r"(?:<(?!tr\b)[^<>]*>\s*)*", re.IGNORECASE)  # what opens a table or its head belongs to a row
_CELL = re.compile(r"<[^<>]*>|[|\t\n]")


class Count(NamedTuple):
    """How many were found, of how many that could be judged."""

    found: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        """`found / of`; None where there was nothing to judge."""
        return self.found / self.of if self.of else None

    def plus(self, other: Count) -> Count:
        return Count(self.found + other.found, self.of + other.of)


NOTHING = Count()


class Fault(NamedTuple):
    """One thing that is wrong.

    Attributes
    ----------
    kind : str
        The name of the count in `Audit` that it is part of.
    chunk : int
        Position of the chunk in the list.
    offset : int or None
        Where in the source, in code points; None for what was not found there.
    excerpt : str
        What stands there.
    """

    kind: str
    chunk: int
    offset: int | None
    excerpt: str


@dataclass(frozen=True)
class Audit:
    """What is wrong with chunks: each count is (found, judged), and what could not be judged is in neither number.

    A chunk's own text is what no chunk before it has: of overlap, only the chunk that has it first is judged. One that
    has nothing of its own is judged by all of its text.

    Attributes
    ----------
    chunks : int
        Number of chunks.
    not_found : Count
        Chunks whose text does not stand in the source, white space apart, of all chunks. Nothing else that needs a
        place in the source is told of them.
    mixed : Count
        Chunks with own text of two sections, of all that were found. A section is a heading at the first or second
        level, or an article, with what stands below it; the text before the first heading is none.
    headless : Count
        Table slices (a chunk and a table of which it has rows) without the whole header, caption, unit and conditions
        included, of all slices of tables that have one.
    leadless : Count
        List items (an item and a chunk that has text of it) without the whole lead-in, and the items that it is nested
        in, of all in lists that have one.
    cuts : Count
        Ends of own texts inside a sentence or a table row, of all but the document's end.
    graphemes : Count
        Chunks that begin or end inside a grapheme cluster, of all that were found.
    over : Count or None
        Chunks over `chunk_size`, of all; None where tokens or limit are not known.
    tiny : Count
        Chunks of less than 60 bytes of UTF-8 without white space, of all.
    lone_headings : Count
        Chunks that hold headings alone, with text below them in other chunks, of all that were found.
    duplicates : Count
        Chunks with the same text as one before or, where found, nothing that those before do not have, of all.
    covered : Count
        Characters of the source, white space apart, that are in some chunk; (0, 0) where a chunk was not found.
    stored : Count
        Bytes of UTF-8 of all chunks, of the source.
    fill : Count or None
        Tokens of all chunks, of the room in as many chunks; None as for `over`.
    faults : tuple of Fault
        What was found, in order of the chunks.
    """

    chunks: int = 0
    not_found: Count = NOTHING
    mixed: Count = NOTHING
    headless: Count = NOTHING
    leadless: Count = NOTHING
    cuts: Count = NOTHING
    graphemes: Count = NOTHING
    over: Count | None = None
    tiny: Count = NOTHING
    lone_headings: Count = NOTHING
    duplicates: Count = NOTHING
    covered: Count = NOTHING
    stored: Count = NOTHING
    fill: Count | None = None
    faults: tuple[Fault, ...] = field(default=(), repr=False)

    def counts(self) -> dict[str, Count | None]:
        """Each count by its name, in the order of the attributes."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("chunks", "faults")}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as for JSON: for each count its `found`, `of` and `share`, None where it is not known."""
        return {
            "chunks": self.chunks,
            **{
                name: count and {"found": count.found, "of": count.of, "share": count.share}
                for name, count in self.counts().items()
            },
            "faults": [fault._asdict() for fault in self.faults],
        }

    @staticmethod
    def sum(audits: Iterable[Audit]) -> Audit:
        """The audit of several documents together. Its faults keep the chunk numbers and offsets of their documents."""
        check_iterable("audits", audits, "Audit")
        all_of = list(audits)
        for i, one in enumerate(all_of):
            _check_audit(f"audits[{i}]", one)
        total: dict[str, Any] = {"chunks": sum(a.chunks for a in all_of)}
        for name in Audit().counts():
            counts = [getattr(a, name) for a in all_of]
            known = [count for count in counts if count is not None]
            total[name] = (
                None if len(known) < len(counts) or (not counts and name in ("over", "fill")) else _total(known)
            )
        return Audit(**total, faults=tuple(fault for a in all_of for fault in a.faults))

    @staticmethod
    def compare(audits: Mapping[str, Audit]) -> str:
        """Several chunkers side by side, as a table in Markdown: a row for each count, a column for each audit."""
        if not isinstance(audits, Mapping):
            raise TypeError(f"audits must be a mapping of names to audits, not {describe(audits)}")
        for name, one in audits.items():
            _check_audit(f"audits[{name!r:.80}]", one)
        lines = ["| | " + " | ".join(map(str, audits)) + " |", "| --- |" + " ---: |" * len(audits)]
        for label, values in rows(audits):
            lines.append(f"| {label} | " + " | ".join(values) + " |")
        return "\n".join(lines)


LABELS: Mapping[str, str] = {
    "not_found": "chunks not found in the source",
    "mixed": "chunks that mix sections",
    "headless": "table slices without their header",
    "leadless": "list items without their lead-in",
    "cuts": "cuts inside a sentence or a row",
    "graphemes": "chunks cut inside a grapheme cluster",
    "over": "chunks over the limit",
    "tiny": "tiny chunks",
    "lone_headings": "headings alone",
    "duplicates": "duplicates",
    "covered": "source covered",
    "stored": "bytes stored, source = 1",
    "fill": "fill",
}
_RATIOS = {"covered": "{:.2%}", "stored": "{:.2f}", "fill": "{:.0%}"}


def rows(audits: Mapping[str, Audit]) -> Iterator[tuple[str, list[str]]]:
    """A label and a value for each audit: "3 of 59", a ratio, or "-" for what is not known."""
    yield "chunks", [str(a.chunks) for a in audits.values()]
    for name, label in LABELS.items():
        counts = [a.counts()[name] for a in audits.values()]
        yield label, [shown(name, count) for count in counts]


def shown(name: str, count: Count | None) -> str:
    if count is None or (name in _RATIOS and count.share is None):
        return "-"
    return _RATIOS[name].format(count.share) if name in _RATIOS else f"{count.found} of {count.of}"


def _check_audit(name: str, value: object) -> None:
    if not isinstance(value, Audit):
        raise TypeError(f"{name} must be an Audit, not {describe(value)}")


def _total(counts: Iterable[Count]) -> Count:
    total = Count()
    for count in counts:
        total = total.plus(count)
    return total


def audit(
    text: str,
    chunks: Iterable[ChunkLike],
    *,
    tokenizer: TokenizerLike | None = None,
    chunk_size: int | None = None,
) -> Audit:
    """Tell what is wrong with the chunks of a text.

    Parameters
    ----------
    text : str
        The source. Text and chunks may also be given the other way round.
    chunks : iterable
        In the order of the source. Each is one of

        * a `Chunk`, or any object or mapping with `text` and, if it has them, `start_index` and `end_index`: the
          offsets count where they agree with the text, else it is looked for;
        * a str: looked for in the source, after the chunk before, white space apart. One that isn't there, or could
          stand in several places, is counted as not found;
        * a pair (start, end) of code points, half open.
    tokenizer : optional
        See `load_tokenizer`; None: the counts that the chunks bring (`token_count`), if all of them have one.
    chunk_size : int, optional
        The limit that the chunks should keep, in tokens.

    Raises
    ------
    TypeError
        `text` is no str, or a chunk none of the above.
    ValueError
        A pair that is no range of the text; `chunk_size` under 1.
    """
    if isinstance(chunks, str) and not isinstance(text, str):
        text, chunks = chunks, text
    if not isinstance(text, str):  # one with lone surrogates is judged too
        raise TypeError(f"text must be a str, not {describe(text)}")
    text = str.__str__(text)
    check_iterable("chunks", chunks, "chunks")
    if chunk_size is not None:
        chunk_size = check_int("chunk_size", chunk_size, 1)
    source = _Source(text)
    pieces = list(_pieces(source, chunks))
    if tokenizer is not None:
        tokens: list[int | None] = [*map(int, load_tokenizer(tokenizer).count_batch([p.text for p in pieces]))]
    else:
        tokens = [piece.tokens for piece in pieces]
    return _Judge(source, pieces, tokens, chunk_size).verdict()


class _Piece(NamedTuple):
    """A chunk: its text, the source ranges that it says or was found to have (None: not found), and its tokens."""

    text: str
    ranges: tuple[Range, ...] | None
    tokens: int | None
    start: int = 0  # of what is not repeated ahead of its place: prefixes come from before

    @property
    def main(self) -> tuple[Range, ...]:
        return tuple((a, b) for a, b in self.ranges or () if b > self.start)


class _Source:
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
    def tables(self) -> list[_Table]:
        tables, all_rows, cells = self.document.tables(), self.document.rows(), self.document.cells()
        found = []
        for kind, _, _, _, first, *_ in self.document.blocks():
            if kind == "table":
                table = tables[first]
                found.append(_Table(self, table, all_rows[table["first"] : table["last"]], cells))
        return found

    @cached_property
    def items(self) -> list[_Item]:
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
                    found.append(_Item(start, end, above))
        bodies = self.document.heading_lines()
        for i, (start, lead_start, lead_end) in enumerate(self.document.heading_leads()):
            if lead_start < lead_end:
                end = bodies[i + 1][0] if i + 1 < len(bodies) else len(self.text)
                found.append(_Item(start, end, ((lead_start, lead_end),)))
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


class _Item(NamedTuple):
    start: int
    end: int
    needs: tuple[Range, ...]


class _Table:
    """A table: its data rows, and what its slices must repeat."""

    def __init__(
        self, source: _Source, table: dict[str, Any], all_rows: list[dict[str, Any]], cells: list[Any]
    ) -> None:
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
                self.needs.append(((start, end), [_plain(line) for line in source.text[start:end].split("\n")]))
        for row in header:
            start = row["start"]
            inside = [(start + c["start"], start + c["end"]) for c in cells[row["first"] : row["last"]]]
            self.needs.append(((start, row["end"]), [_plain(source.text[a:b]) for a, b in inside]))


class _Judge:
    def __init__(self, source: _Source, pieces: list[_Piece], tokens: list[int | None], chunk_size: int | None) -> None:
        self.source, self.pieces, self.tokens, self.chunk_size = source, pieces, tokens, chunk_size
        self.faults: list[Fault] = []
        self.own, self.new = self._own_ranges()

    def _own_ranges(self) -> tuple[list[tuple[Range, ...]], list[bool]]:
        """Of each piece, the ranges that none before it has, or all where none is left; and whether any was left."""
        own: list[tuple[Range, ...]] = [()] * len(self.pieces)
        new = [True] * len(self.pieces)
        reach = 0
        for i in sorted(range(len(self.pieces)), key=lambda i: (self.pieces[i].start, i)):
            ranges = self.pieces[i].main
            own[i] = tuple((max(a, reach), b) for a, b in ranges if self.source.solid(max(a, reach), b))
            if ranges and not own[i]:
                own[i], new[i] = ranges, False
            reach = max([reach, *(b for _, b in ranges)])
        return own, new

    def verdict(self) -> Audit:
        found = [i for i, piece in enumerate(self.pieces) if piece.ranges is not None]
        lost = [i for i, piece in enumerate(self.pieces) if piece.ranges is None]
        self.faults += [Fault("not_found", i, None, self.pieces[i].text[:EXCERPT]) for i in lost]
        counts: dict[str, Any] = {
            "not_found": Count(len(lost), len(self.pieces)),
            "mixed": _tally(map(self.mixes, found)),
            "headless": _total(map(self.headless, found)),
            "leadless": _total(map(self.leadless, found)),
            "cuts": _total(map(self.cuts, found)),
            "graphemes": _tally(map(self.splits_a_grapheme, found)),
            "over": self.over(),
            "tiny": _tally(map(self.is_tiny, range(len(self.pieces)))),
            "lone_headings": _tally(map(self.is_lone_heading, found)),
            "duplicates": self.duplicates(),
            "covered": Count() if lost else self.covered(),
            "stored": Count(
                sum(_size(piece.text) for piece in self.pieces),
                _size(self.source.text),
            ),
            "fill": self.fill(),
        }
        self.faults.sort(key=lambda fault: fault.chunk)
        return Audit(len(self.pieces), **counts, faults=tuple(self.faults))

    def fault(self, kind: str, chunk: int, offset: int) -> None:
        self.faults.append(Fault(kind, chunk, offset, self.source.text[offset : offset + EXCERPT]))

    def mixes(self, i: int) -> bool:
        group = None
        for section in self.sections_in(self.own[i]):
            _, body, end, own_group = self.source.sections[section]
            for a, b in self.own[i]:
                if self.source.words(max(a, body), min(b, end)):
                    if group not in (None, own_group):
                        self.fault("mixed", i, self.source.sections[section][0])
                        return True
                    group = own_group
        return False

    def sections_in(self, ranges: Sequence[Range]) -> list[int]:
        starts = self._section_starts
        return sorted(
            {s for a, b in ranges for s in range(max(0, bisect_right(starts, a) - 1), bisect_left(starts, b))}
        )

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section[0] for section in self.source.sections]

    def headless(self, i: int) -> Count:
        found = Count()
        squeezed = None
        for table in self._tables_in(self.own[i]):
            row = next((a for a, b in table.data if self._holds(self.own[i], a, b)), None)
            if row is None or not table.needs:
                continue
            squeezed = squeezed or _readings(self.pieces[i].text)
            bad = any(
                not self._has(i, span) and not all(any(part in text for text in squeezed) for part in parts)
                for span, parts in table.needs
            )
            if bad:
                self.fault("headless", i, row)
            found = found.plus(Count(bad, 1))
        return found

    def _tables_in(self, ranges: Sequence[Range]) -> list[_Table]:
        starts = self._table_starts
        found = {t for a, b in ranges for t in range(max(0, bisect_right(starts, a) - 1), bisect_left(starts, b))}
        return [self.source.tables[t] for t in sorted(found)]

    @cached_property
    def _table_starts(self) -> list[int]:
        return [table.start for table in self.source.tables]

    def leadless(self, i: int) -> Count:
        found = Count()
        squeezed = None
        starts = self._item_starts
        for a, b in self.own[i]:
            first = bisect_left(self._item_reach, a + 1)  # the first that reaches into the range, or one before it does
            for item in self.source.items[first : bisect_left(starts, b)]:
                if not self.source.ink(max(a, item.start), min(b, item.end)):
                    continue
                squeezed = squeezed if squeezed is not None else squeeze(self.pieces[i].text)
                bad = any(not self._has(i, span) and self.source.inked(*span) not in squeezed for span in item.needs)
                if bad:
                    self.fault("leadless", i, max(a, item.start))
                found = found.plus(Count(bad, 1))
        return found

    @cached_property
    def _item_starts(self) -> list[int]:
        return [item.start for item in self.source.items]

    @cached_property
    def _item_reach(self) -> list[int]:
        return np.maximum.accumulate([item.end for item in self.source.items]).tolist() if self.source.items else []

    def _holds(self, ranges: Sequence[Range], start: int, end: int) -> bool:
        return any(self.source.ink(max(a, start), min(b, end)) for a, b in ranges)

    def _has(self, i: int, span: Range) -> bool:
        """Whether a piece's ranges have the whole of a span."""
        start, end = span
        held = reach = start
        inside = 0
        for a, b in sorted(self.pieces[i].ranges or ()):
            held = max(a, reach)
            inside += self.source.ink(held, min(b, end))
            reach = max(reach, min(b, end))
        return inside >= self.source.ink(start, end)

    def cuts(self, i: int) -> Count:
        end = max((b for _, b in self.own[i]), default=0)
        if not self.source.solid(end, len(self.source.text)):
            return Count()
        places, done = self.source.places, self.source.solid(0, end)
        before = int(places[done - 1]) + 1 if done else 0
        after = int(places[done])
        boundaries = self.source.boundaries
        at = int(np.searchsorted(boundaries, before))
        bad = at == len(boundaries) or int(boundaries[at]) > after
        if bad:
            self.fault("cuts", i, end)
        return Count(bad, 1)

    def splits_a_grapheme(self, i: int) -> bool:
        ends = self.source.cluster_ends
        if ends is None:
            return False
        for place in sorted({place for span in self.pieces[i].ranges or () for place in span}):
            if ends[np.searchsorted(ends, place)] != place:
                self.fault("graphemes", i, place)
                return True
        return False

    def over(self) -> Count | None:
        if self.chunk_size is None or None in self.tokens:
            return None
        over = [i for i, tokens in enumerate(self.tokens) if tokens is not None and tokens > self.chunk_size]
        self.faults += [Fault("over", i, self._offset(i), self.pieces[i].text[:EXCERPT]) for i in over]
        return Count(len(over), len(self.pieces))

    def fill(self) -> Count | None:
        if self.chunk_size is None or None in self.tokens:
            return None
        return Count(sum(filter(None, self.tokens)), self.chunk_size * len(self.pieces))

    def _offset(self, i: int) -> int | None:
        return None if self.pieces[i].ranges is None else self.pieces[i].start

    def is_tiny(self, i: int) -> bool:
        tiny = _size(squeeze(self.pieces[i].text)) < TINY
        if tiny:
            self.faults.append(Fault("tiny", i, self._offset(i), self.pieces[i].text[:EXCERPT]))
        return tiny

    def is_lone_heading(self, i: int) -> bool:
        sections, own = self.sections_in(self.own[i]), self.own[i]
        inside = sum(
            self.source.words(max(a, start), min(b, body))
            for a, b in own
            for start, body, _, _ in (self.source.sections[s] for s in sections)
        )
        alone = inside > 0 and inside == sum(self.source.words(a, b) for a, b in own)
        if alone and self.source.has_text_below(sections[-1]):
            self.fault("lone_headings", i, own[0][0])
            return True
        return False

    def duplicates(self) -> Count:
        seen: set[str] = set()
        found = 0
        for i, piece in enumerate(self.pieces):
            squeezed = squeeze(piece.text)
            if squeezed in seen or not self.new[i]:
                found += 1
                self.faults.append(Fault("duplicates", i, self._offset(i), piece.text[:EXCERPT]))
            seen.add(squeezed)
        return Count(found, len(self.pieces))

    def covered(self) -> Count:
        held, reach = 0, 0
        for a, b in sorted(span for piece in self.pieces for span in piece.ranges or ()):
            held += self.source.solid(max(a, reach), b)
            reach = max(reach, b)
        return Count(held, len(self.source.squeezed))


def _pieces(source: _Source, chunks: Iterable[ChunkLike]) -> Iterator[_Piece]:
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
            yield _Piece(text, (place,), None, place[0])
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
                    yield _Piece(text, ranges, tokens, place[0])
                    continue
        found = search.find(text)
        yield _Piece(text, None if found is None else (found,), tokens, found[0] if found else 0)


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


def _agrees(source: _Source, text: str, place: Range) -> bool:
    """Whether a text holds what stands at a place: as it is, or most of its cells where it is a rendering."""
    start, end = place
    if not 0 <= start < end <= len(source.text):
        return False
    squeezed, raw = squeeze(text), squeeze(source.text[start:end])
    if squeezed.endswith(raw):
        return bool(raw)
    if raw == "" or squeezed in source.squeezed:  # it stands as it is, somewhere else
        return False
    readings = _readings(text)
    cells = [_plain(cell) for cell in _CELL.split(source.text[start:end])]
    held = sum(len(cell) for cell in cells if any(cell in reading for reading in readings))
    return 2 * held > sum(map(len, cells)) > 0


class _Search:
    """Finds texts in the source, in order, white space apart."""

    def __init__(self, source: _Source) -> None:
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


def squeeze(text: str) -> str:
    """`text` without white space."""
    return "".join(text.split())


def _plain(cell: str) -> str:
    """What a cell says, without tags, entities, white space and what escapes pipes."""
    return squeeze(html.unescape(_TAG.sub(" ", cell))).replace("\\", "")


def _readings(text: str) -> tuple[str, str]:
    """A chunk's text as `_plain` reads cells, for Markdown and for HTML."""
    return squeeze(text).replace("\\", ""), _plain(text)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _running(mask: Any) -> Int64Array:
    return np.concatenate([[0], np.cumsum(mask, dtype=np.int64)])


def _tally(verdicts: Iterable[bool]) -> Count:
    every = list(verdicts)
    return Count(sum(every), len(every))


class _Callable(ModuleType):
    """Lets `chunkfast.audit(...)` work after `import chunkfast.audit`, which binds this module to that name."""

    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _Callable
