"""What is found: counts, faults with their places, and a table of several audits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from chunkfast.arguments import check_iterable, describe


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
            total[name] = None if len(known) < len(counts) or (not counts and name in ("over", "fill")) else add(known)
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


def add(counts: Iterable[Count]) -> Count:
    total = Count()
    for count in counts:
        total = total.plus(count)
    return total


def tally(verdicts: Iterable[bool]) -> Count:
    every = list(verdicts)
    return Count(sum(every), len(every))
