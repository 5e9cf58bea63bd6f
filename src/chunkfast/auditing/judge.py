"""What is wrong with pieces of a text, by its outline, lists and tables."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from chunkfast.auditing.pieces import Piece, readings
from chunkfast.auditing.report import Audit, Count, Fault, add, tally
from chunkfast.auditing.source import Range, Source, Table, squeeze

TINY = 60  # bytes of UTF-8 without white space: 20 Chinese characters, 10 English words, some 15 tokens
EXCERPT = 60  # code points


class Judge:
    def __init__(self, source: Source, pieces: list[Piece], tokens: list[int | None], chunk_size: int | None) -> None:
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
            "mixed": tally(map(self.mixes, found)),
            "headless": add(map(self.headless, found)),
            "leadless": add(map(self.leadless, found)),
            "cuts": add(map(self.cuts, found)),
            "graphemes": tally(map(self.splits_a_grapheme, found)),
            "over": self.over(),
            "tiny": tally(map(self.is_tiny, range(len(self.pieces)))),
            "lone_headings": tally(map(self.is_lone_heading, found)),
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
            squeezed = squeezed or readings(self.pieces[i].text)
            bad = any(
                not self._has(i, span) and not all(any(part in text for text in squeezed) for part in parts)
                for span, parts in table.needs
            )
            if bad:
                self.fault("headless", i, row)
            found = found.plus(Count(bad, 1))
        return found

    def _tables_in(self, ranges: Sequence[Range]) -> list[Table]:
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


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
