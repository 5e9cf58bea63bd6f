"""Split patterns of pre-tokenizers, compiled to a table that a loop can run.

A pattern is read as the encoder's regex engine has it: at each place the alternatives are tried in order, quantifiers
take as much as they can, and the first way through wins. That order is kept while the pattern is made deterministic:
a state of the automaton is the list of places in the pattern that are still in the race, best first, and a place that
reaches the end strikes out those behind it. Whether a match may end is decided on seeing the next character, so that
`\\s+(?!\\S)` costs nothing extra.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

CATEGORIES = (
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
    "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs",
)  # fmt: skip # as numbered in tools/make_category_tables.py
CELLS = tuple(
    number | flag
    for number, name in enumerate(CATEGORIES)
    for flag in (
        0,
        *((32,) if name in ("Zs", "Zl", "Zp", "Cc") else ()),  # white space
        *((64,) if name[0] == "N" or name == "Cn" else ()),  # numeric
    )
)
SPACE_CELLS = frozenset(cell for cell in CELLS if cell & 32)
NUMERIC_CELLS = frozenset(cell for cell in CELLS if cell & 64)
END = 0  # the class that stands for the end of the text
ROW = 64  # entries of a state in the table, one a class
ACCEPT = 128  # flag of an entry: a match may end before this character
MAX_STATES = 127
MAX_PATTERN = 4096  # characters
MAX_DEPTH = 20  # of groups
MAX_NODES = 1000  # of a pattern once its repetitions are written out
LAST = 0x10FFFF


class UnsupportedPattern(ValueError):
    """The pattern has something that this compiler does not know."""


@dataclass(frozen=True)
class CharSet:
    """Characters by code point range and by cell of the category table."""

    ranges: tuple[tuple[int, int], ...] = ()  # both ends included
    cells: frozenset[int] = frozenset()
    negated: bool = False

    def holds(self, listed: bool, cell: int) -> bool:
        """Membership of a character of `cell`, where `listed` says whether its code point is in `ranges`."""
        return (listed or cell in self.cells) != self.negated

    def lists(self, point: int) -> bool:
        return any(low <= point <= high for low, high in self.ranges)


NO_SPACE = CharSet(cells=SPACE_CELLS, negated=True)
NUMERIC = CharSet(cells=NUMERIC_CELLS)  # what the `Digits` pre-tokenizer splits off


# A node continues at `next`; several entries of a Fork are tried in order.
@dataclass(eq=False)
class Take:
    chars: CharSet
    next: Node | None = None


@dataclass(eq=False)
class Fork:
    ways: list[Node]


@dataclass(eq=False)
class Ahead:
    """Goes on where the next character is not in `barred`, or the text ends."""

    barred: CharSet
    next: Node


class Match:
    pass


Node = Take | Fork | Ahead | Match
Build = Callable[[Node], Node]  # given what follows, the entry node


def _sequence(parts: list[Build]) -> Build:
    def build(after: Node) -> Node:
        for part in reversed(parts):
            after = part(after)
        return after

    return build


def _repeat(part: Build, low: int, high: int | None) -> Build:
    def build(after: Node) -> Node:
        if high is None:
            loop = Fork([])
            loop.ways = [part(loop), after]
            after = loop
        else:
            for _ in range(high - low):
                after = Fork([part(after), after])
        for _ in range(low):
            after = part(after)
        return after

    return build


class _Parser:
    """Recursive descent over the subset of the syntax that split patterns use; anything else is UnsupportedPattern.

    `rust`: as tiktoken's engine reads it. The encoder's has other rules for `$`, for `+` behind a quantifier, and for
    sets whose case is ignored, so that it knows none of them here.
    """

    ESCAPES = {"r": "\r", "n": "\n", "t": "\t", "f": "\f", "v": "\v"}  # noqa: RUF012
    FOLDS = {"s": "\u017f", "k": "\u212a"}  # noqa: RUF012 # one-character case variants outside ASCII
    LONG_FOLDS = ("ss", "ff", "fi", "fl", "st")  # the engine also matches ligatures for these

    def __init__(self, pattern: str, rust: bool = False) -> None:
        if len(pattern) > MAX_PATTERN:
            raise UnsupportedPattern(f"a pattern of {len(pattern)} characters")
        self.pattern = pattern
        self.rust = rust
        self.at = 0
        self.nodes = self.depth = 0
        self.kept: list[tuple[CharSet, Node]] = []  # of possessive quantifiers: what they repeat, and what follows

    def fail(self) -> UnsupportedPattern:
        return UnsupportedPattern(f"pattern {self.pattern!r:.200} at {self.at}")

    def peek(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def accept(self, text: str) -> bool:
        if self.peek(text):
            self.at += len(text)
            return True
        return False

    def parse(self) -> Build:
        build = self.alternatives(False)
        if self.at < len(self.pattern):
            raise self.fail()
        return build

    def alternatives(self, fold: bool) -> Build:
        ways = [self.sequence(fold)]
        while self.accept("|"):
            ways.append(self.sequence(fold))
        return ways[0] if len(ways) == 1 else lambda after: Fork([way(after) for way in ways])

    def sequence(self, fold: bool) -> Build:
        if fold:
            branch = re.match(r"[^|)]*", self.pattern[self.at :])
            if branch and any(long in branch[0].lower() for long in self.LONG_FOLDS):
                raise self.fail()
        parts: list[Build] = []
        while self.at < len(self.pattern) and not self.peek("|") and not self.peek(")"):
            parts.append(self.quantified(fold))
        if not parts:
            raise self.fail()
        return _sequence(parts)

    def quantified(self, fold: bool) -> Build:
        if self.accept(r"(?!\S)"):
            return self.counted(lambda after: Ahead(NO_SPACE, after))
        if self.rust and self.accept("$"):
            return self.counted(lambda after: Ahead(CharSet(negated=True), after))
        chars: CharSet | None = None
        if self.accept("(?i:"):
            part = self.group(True)
        elif self.accept("(?:"):
            part = self.group(fold)
        else:
            chars = self.charset(fold)
            part = self.counted(self.take(chars))
        low, high = 1, 1
        bounds: tuple[int, int | None] = (low, high)
        if self.accept("?"):
            bounds = (0, 1)
        elif self.accept("*"):
            bounds = (0, None)
        elif self.accept("+"):
            bounds = (1, None)
        elif match := re.compile(r"\{(\d+)(,?)(\d*)\}").match(self.pattern, self.at):
            self.at = match.end()
            low = int(match[1])
            bounds = (low, int(match[3]) if match[3] else None if match[2] else low)
            if bounds[1] is not None and not low <= bounds[1] <= 16:
                raise self.fail()
        else:
            return part
        keeps = chars if self.rust and chars is not None and self.accept("+") else None
        if self.peek("?") or self.peek("+") or self.peek("*") or self.peek("{"):  # lazy, possessive, nested
            raise self.fail()
        return _repeat(part, *bounds) if keeps is None else self.possessive(_repeat(part, *bounds), keeps)

    def group(self, fold: bool) -> Build:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail()
        part = self.alternatives(fold)
        if not self.accept(")"):
            raise self.fail()
        self.depth -= 1
        return part

    def counted(self, part: Build) -> Build:
        def build(after: Node) -> Node:
            self.nodes += 1
            if self.nodes > MAX_NODES:
                raise UnsupportedPattern(f"more than {MAX_NODES} places in the pattern")
            return part(after)

        return build

    def possessive(self, part: Build, chars: CharSet) -> Build:
        def build(after: Node) -> Node:
            self.kept.append((chars, after))
            return part(after)

        return build

    @staticmethod
    def take(chars: CharSet) -> Build:
        return lambda after: Take(chars, after)

    def charset(self, fold: bool) -> CharSet:
        if not self.accept("["):
            chars = self.item(in_set=False)
            return self.folded(chars) if fold else chars
        if fold and not self.rust:
            raise self.fail()
        negated = self.accept("^")
        if fold and negated:
            raise self.fail()
        ranges: list[tuple[int, int]] = []
        cells: frozenset[int] = frozenset()
        if self.peek("]"):
            raise self.fail()
        while not self.accept("]"):
            item = self.item(in_set=True)
            if item.negated:
                raise self.fail()
            if fold:
                ranges.extend(self.folded(item).ranges)
            elif self.peek("-") and not self.peek("-]"):
                self.at += 1
                high = self.item(in_set=True)
                if item.cells or high.cells or high.negated or item.ranges[0][0] > high.ranges[0][0]:
                    raise self.fail()
                ranges.append((item.ranges[0][0], high.ranges[0][0]))
            else:
                ranges.extend(item.ranges)
                cells |= item.cells
        return CharSet(tuple(ranges), cells, negated)

    def folded(self, chars: CharSet) -> CharSet:
        if chars.cells or chars.negated:
            raise self.fail()
        letter = chr(chars.ranges[0][0])
        if not letter.isascii():
            raise self.fail()
        variants = {letter.lower(), letter.upper(), self.FOLDS.get(letter.lower(), letter)}
        return CharSet(tuple((ord(c), ord(c)) for c in sorted(variants)))

    def item(self, in_set: bool) -> CharSet:
        """One literal, escape or property."""
        if self.at >= len(self.pattern):
            raise self.fail()
        c = self.pattern[self.at]
        if c != "\\":
            if c in ("[]" if in_set else "[](){}*+?.^$|") or self.peek("&&"):
                raise self.fail()  # inside a set `[` nests and `&&` intersects
            self.at += 1
            return CharSet(((ord(c), ord(c)),))
        if match := re.compile(r"\\p\{(\w+)\}").match(self.pattern, self.at):
            cells = frozenset(cell for cell in CELLS if CATEGORIES[cell & 31].startswith(match[1]))
            if not cells or len(match[1]) > 2:
                raise self.fail()
            self.at = match.end()
            return CharSet(cells=cells)
        escaped = self.pattern[self.at + 1 : self.at + 2]
        self.at += 2
        if escaped == "s":
            return CharSet(cells=SPACE_CELLS)
        if escaped == "S":
            return NO_SPACE
        literal = self.ESCAPES.get(escaped, escaped)
        if not literal or (escaped.isalnum() and escaped not in self.ESCAPES):
            raise self.fail()
        return CharSet(((ord(literal), ord(literal)),))


@dataclass(frozen=True)
class Automaton:
    """A pre-tokenizer as a table.

    `segments` cuts the code points into ranges by their first one; `cell_class[i * 128 + cell]` is the class of the
    characters of `cell` in segment i (1 to 63). `table[state * 64 + class]` is the next state, 0 where no match can
    go on, with 128 added where the match may end before the character; class 0 is the end of the text, state 1 the
    start. `kinds[class]`: characters of different kinds never share a piece."""

    segments: tuple[int, ...]
    cell_class: bytes
    table: bytes
    kinds: bytes

    def covers_all(self) -> bool:
        """Whether each text is matched from end to end: wherever a match starts, one character will do."""
        classes = range(1, max(self.cell_class) + 1)
        after = [self.table[ROW + c] * ROW for c in classes]
        return all(state and self.table[state + c] >= ACCEPT for state in after for c in (END, *classes))


def _nodes(start: Node) -> Iterator[Node]:
    seen: set[int] = set()
    stack: list[Node | None] = [start]
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        stack.extend(node.ways if isinstance(node, Fork) else [node.next] if isinstance(node, Take | Ahead) else [])


def _cells(low: int, high: int) -> Iterable[int]:
    """Cells that occur among the code points [low, high), or more: class numbers are few."""
    if high - low > 32768:
        return CELLS
    if high <= 128:
        return {
            CATEGORIES.index(unicodedata.category(chr(c))) | (c in b"\t\n\v\f\r ") << 5 | (c in b"0123456789") << 6
            for c in range(low, high)
        }
    names = {unicodedata.category(chr(c)) for c in range(low, high)}
    return [cell for cell in CELLS if CATEGORIES[cell & 31] in names]


class _Classes:
    """Characters that no set of the pattern tells apart share a class."""

    def __init__(self, sets: list[CharSet]) -> None:
        cuts = sorted({0} | {c for s in sets for low, high in s.ranges for c in (low, high + 1)})
        self.segments = tuple(c for c in cuts if c <= LAST)
        self.members: list[frozenset[CharSet]] = [frozenset()]  # by class: the sets that hold it; class 0 is the end
        number: dict[frozenset[CharSet], int] = {}
        out: list[bytes] = []
        for point, after in pairwise([*self.segments, LAST + 1]):
            listed = frozenset(s for s in sets if s.lists(point))
            row = bytearray(128)
            for cell in _cells(point, after):
                held = frozenset(s for s in sets if s.holds(s in listed, cell))
                if held not in number:
                    number[held] = len(self.members)
                    self.members.append(held)
                row[cell] = number[held]
            out.append(bytes(row))
            if len(self.members) > ROW:
                raise UnsupportedPattern(f"more than {ROW} character classes")
        self.cell_class = b"".join(out)


def compile_pattern(
    pattern: str, isolated: tuple[tuple[CharSet, int | None], ...] = (), rust: bool = False
) -> Automaton:
    """The pattern as an automaton.

    Parameters
    ----------
    pattern
        Regex of a `Split` pre-tokenizer with behaviour "isolated": matches are pieces, and so is what lies between two.
    isolated
        Character sets that earlier `Split`s of a sequence put apart before the pattern sees the text, each with the
        greatest number of characters in a piece (None: no limit).
    rust
        The pattern is one of tiktoken, and is read as its engine has it.

    Raises
    ------
    UnsupportedPattern
        Where exactness or linear time is not proven.
    """
    parser = _Parser(pattern, rust)
    entry = parser.parse()(Match())
    sets = list(dict.fromkeys(node.chars if isinstance(node, Take) else node.barred
                              for node in _nodes(entry) if isinstance(node, Take | Ahead)))  # fmt: skip
    sets += [chars for chars, _ in isolated if chars not in sets]
    classes = _Classes(sets)
    for chars, after in parser.kept:
        _check_possessive(chars, after, classes)
    count = len(classes.members)
    kinds = [0] * count
    for kind, (chars, _) in enumerate(isolated, 1):
        for c in range(1, count):
            if chars in classes.members[c]:
                if kinds[c]:
                    raise UnsupportedPattern("sets of earlier splits overlap")
                kinds[c] = kind
    starts: list[Node] = [entry]
    for kind, (chars, limit) in enumerate(isolated, 1):
        if limit is None:
            starts.append(entry)  # the pattern goes on inside the piece
        else:
            _check_whole(entry, classes, [c for c in range(1, count) if kinds[c] == kind], limit)
            starts.append(_repeat(_Parser.take(chars), 1, limit)(Match()))
    table = _determinize(starts, classes, kinds)
    _check_linear(table, count)
    return Automaton(classes.segments, classes.cell_class, bytes(table), bytes(kinds + [0] * (ROW - count)))


def read_set(pattern: str) -> tuple[CharSet, int | None]:
    """The set of a pattern that is one set with `+`, `{1,k}` or nothing behind; its greatest length or None."""
    match = re.fullmatch(r"(.+?)(\+|\{1,(\d+)\})?", pattern, re.DOTALL)
    assert match is not None
    parser = _Parser(match[1])
    chars = parser.charset(False)
    if parser.at < len(match[1]):
        raise parser.fail()
    return chars, None if match[2] == "+" else int(match[3] or 1)


def _step(places: tuple[Node, ...], c: int, classes: _Classes, apart: bool) -> tuple[tuple[Node, ...], bool]:
    """The places after a character of class `c`, and whether a match may end before it; `apart`: the piece does."""
    held = frozenset() if apart else classes.members[c]
    after: dict[int, Node] = {}
    seen: set[int] = set()
    stack = list(reversed(places))
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Match):
            return tuple(after.values()), True
        if isinstance(node, Fork):
            stack.extend(reversed(node.ways))
        elif isinstance(node, Ahead):
            if node.barred not in held:
                stack.append(node.next)
        elif node.chars in held:
            assert node.next is not None
            after.setdefault(id(node.next), node.next)
    return tuple(after.values()), False


def _determinize(starts: list[Node], classes: _Classes, kinds: list[int]) -> bytearray:
    table = bytearray(2 * ROW)
    number: dict[tuple[int, ...], int] = {}
    todo: list[tuple[int, int, tuple[Node, ...]]] = []  # state, kind, places

    def state_of(kind: int, places: tuple[Node, ...]) -> int:
        if not places:
            return 0
        key = (kind, *map(id, places))
        if key not in number:
            number[key] = len(number) + 2
            if number[key] > MAX_STATES:
                raise UnsupportedPattern(f"more than {MAX_STATES} states")
            table.extend(bytes(ROW))
            todo.append((number[key], kind, places))
        return number[key]

    for c in range(1, len(classes.members)):
        places, accepts = _step((starts[kinds[c]],), c, classes, False)
        if accepts:
            raise UnsupportedPattern("the pattern matches nothing at all")
        table[ROW + c] = state_of(kinds[c], places)
    while todo:
        state, kind, places = todo.pop()
        for c in range(len(classes.members)):
            apart = c == END or kinds[c] != kind
            after, accepts = _step(places, c, classes, apart)
            table[state * ROW + c] = (0 if apart else state_of(kind, after)) | ACCEPT * accepts
    return table


def _check_possessive(chars: CharSet, after: Node, classes: _Classes) -> None:
    """The quantifier must be no other than the greedy one, which gives back characters where what follows needs them.

    Nothing that follows takes one of its characters; and if a match may end behind one of them, it may end there
    whatever comes next, so that the greedy one ends it behind the last of them too.
    """
    ways, ends = [after], False
    while ways:
        node = ways.pop()
        ends = ends or isinstance(node, Match)
        ways.extend(node.ways if isinstance(node, Fork) else ())
    for c in range(1, len(classes.members)):
        if chars in classes.members[c]:
            places, accepts = _step((after,), c, classes, False)
            if places or (accepts and not ends):
                raise UnsupportedPattern("a possessive quantifier that keeps what follows from matching")


def _check_whole(entry: Node, classes: _Classes, members: list[int], limit: int) -> None:
    """A piece of `members` alone, of at most `limit` characters, must pass through the pattern in one."""
    front: set[tuple[Node, ...]] = {(entry,)}
    ends: set[bool] = set()  # whether a match may end after each length
    for _ in range(limit):
        front = {_step(places, c, classes, False)[0] for places in front for c in members}
        ends |= {_step(places, END, classes, True)[1] for places in front}
    if len(ends) > 1:
        raise UnsupportedPattern("a later split may cut pieces of an earlier one")


def _check_linear(table: bytearray, count: int) -> None:
    """What a match reads past its end without limit, the next match must take at once.

    Reading on without a limit is a cycle of entries that end no match; over the characters of such a cycle the
    automaton, from its start, must be able to end a match at every step.
    """
    plain: dict[int, dict[int, int]] = {  # state: next state of each class, where no match may end before it
        state: {c: entry for c in range(1, count) if 0 < (entry := table[state * ROW + c]) < ACCEPT}
        for state in range(1, len(table) // ROW)
    }
    reach = {state: _reach(state, plain) for state in plain}
    for state in plain:
        if state not in reach[state]:
            continue
        loop = {t for t in reach[state] if state in reach[t]}
        chars = [c for c in range(1, count) if any(plain[t].get(c) in loop for t in loop)]
        every = {s: {c: table[s * ROW + c] & ~ACCEPT for c in chars} for s in range(len(table) // ROW)}
        if any(table[s * ROW + c] < ACCEPT for s in _reach(1, every) for c in chars):
            raise UnsupportedPattern("a match may read ahead without limit")


def _reach(state: int, edges: dict[int, dict[int, int]]) -> set[int]:
    """States that are reached from `state` in one step or more."""
    out: set[int] = set()
    todo = [state]
    while todo:
        new = set(edges[todo.pop()].values()) - out
        out |= new
        todo.extend(new)
    return out
