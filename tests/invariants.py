"""What is promised of every list of chunks, checked from the chunks, the source and the user's own tokenizer alone.

Nothing here knows how chunks are made, and nothing is taken from the package: a chunker is read for its settings only.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tests.reference.graphemes import clusters

TAG = re.compile(r"<[^<>]*>")
CELL_OF_HTML = re.compile(r"<t[dh]\b[^<>]*>(.*?)</t[dh]\s*>", re.DOTALL | re.IGNORECASE)
LEADER = re.compile(r"[^\S\n]*\.{4,}[^\S\n]*\d{0,4}[^\S\n]*$", re.MULTILINE)  # from a heading to its page
INK = re.compile(r"[^\s#*=_-]")  # text, other than what marks a heading or is drawn as a rule
UNSEEN = re.compile(  # page marks, heading signs with no title, and characters that show as nothing
    r"^[^\S\n]*(?:\[[Pp](?:age)? ?\d+\]|([-—–－~·])\1?[^\S\n]*\d+[^\S\n]*\1+|[第共] ?\d+ ?[页頁](?:[ ,，/|]*共 ?\d+ ?[页頁])?"
    r"|[Pp]age ?\d+(?: ?(?:of|/) ?\d+)?)[^\S\n]*$(?:\n[^\S\n]*\d{1,4}[^\S\n]*$)?|^#{1,6}[^\S\n]*$|[\u200b\u2060\ufeff]",
    re.MULTILINE,
)
DELIMITER = re.compile(r"[-:\s]*")


class Problem(NamedTuple):
    """One broken promise: which one, in which chunk (-1: in the list as a whole), and what was seen."""

    promise: str
    index: int
    seen: str


def check(chunks: Sequence[Any], source: str, tokenizer: Any, chunker: Any) -> None:
    """Assert every promise that can be seen from outside; `tokenizer` is a `corpora.UserTokenizer`."""
    found = list(problems(chunks, source, tokenizer, chunker))
    assert not found, f"{chunker!r} on {source[:200]!r}...: " + "; ".join(
        f"{p.promise} [{p.index}] {p.seen}" for p in found[:8]
    )


def problems(
    chunks: Sequence[Any], source: str, tokenizer: Any, chunker: Any, headings: Iterable[Any] | None = None
) -> Iterator[Problem]:
    """Every broken promise, in no particular order; those about sections where the `headings` are given."""
    rows = list(chunks)
    if len(rows) != len(chunks):
        yield Problem("sequence", -1, f"len() says {len(chunks)}, iteration gives {len(rows)}")
    yield from limit_problems(rows, tokenizer, chunker)
    yield from text_problems(rows, source, chunker)
    yield from coverage_problems(rows, source)
    yield from progress_problems(rows)
    yield from identity_problems(rows)
    if headings is not None:
        yield from section_problems(rows, source, tokenizer, chunker, headings)


# --- promise 1


def limits(chunk: Any, chunker: Any) -> list[int]:
    """The limits that may hold for a chunk: the chunk size, or that of a size rule on its heading path."""
    sizes = [chunker.chunk_size]
    rules = getattr(chunker, "size_rules", None) or {}
    for pattern, size in rules.items() if hasattr(rules, "items") else rules:
        if any(
            re.search(pattern, path)
            for path in (*chunk.headings, "\n".join(chunk.headings), " > ".join(chunk.headings))
        ):
            sizes.append(size)
    return [size - chunker.reserve_tokens for size in sizes]


def limit_problems(rows: Sequence[Any], tokenizer: Any, chunker: Any) -> Iterator[Problem]:
    texts = [chunk.text for chunk in rows]
    prefixes = {chunk.prefix for chunk in rows if chunk.prefix}
    true_counts = tokenizer.count_batch(texts)
    prefix_counts = dict(zip(sorted(prefixes), tokenizer.count_batch(sorted(prefixes)), strict=True))
    for i, (chunk, true) in enumerate(zip(rows, true_counts, strict=True)):
        if chunk.token_count != true:
            yield Problem(
                "count", i, f"token_count {chunk.token_count}, the tokenizer says {true}: {chunk.text[:80]!r}"
            )
        limit = max(limits(chunk, chunker))
        if true > limit and len(list(clusters(chunk.text))) != 1:
            yield Problem("limit", i, f"{true} tokens, limit {limit}: {chunk.text[:80]!r}")
        if chunk.prefix and prefix_counts[chunk.prefix] > limit / 2:
            yield Problem(
                "prefix over half", i, f"{prefix_counts[chunk.prefix]} tokens, limit {limit}: {chunk.prefix[:80]!r}"
            )


# --- promise 2


@lru_cache(maxsize=4)
def grapheme_insides(source: str) -> bytearray:
    """1 at each index that lies inside a grapheme cluster, where nothing may be cut."""
    inside = bytearray(len(source) + 1)
    if not source.isascii() or "\r" in source:
        for start, end in clusters(source):
            for i in range(start + 1, end):
                inside[i] = 1
    return inside


def text_problems(rows: Sequence[Any], source: str, chunker: Any) -> Iterator[Problem]:
    inside = grapheme_insides(source)
    renders = getattr(chunker, "table_format", "source") != "source"
    inserts = getattr(chunker, "headings", "metadata") == "prepend"
    for i, chunk in enumerate(rows):
        if not chunk.spans or any(not 0 <= a < b <= len(source) for a, b in chunk.spans):
            yield Problem("spans", i, f"{chunk.spans} in a text of {len(source)}")
            continue
        for cut in {index for span in chunk.spans for index in span}:
            if inside[cut]:
                yield Problem("half grapheme", i, f"cut at {cut}: {source[max(0, cut - 5) : cut + 5]!r}")
        joined = "".join(source[a:b] for a, b in chunk.spans)
        if chunk.end_index != chunk.spans[-1][1]:
            yield Problem("spans", i, f"end_index {chunk.end_index}, last span {chunk.spans[-1]}")
        if not any(a == chunk.start_index for a, _ in chunk.spans):
            yield Problem("spans", i, f"start_index {chunk.start_index} begins none of {chunk.spans}")
        if not chunk.text.startswith(chunk.prefix + chunk.overlap):
            yield Problem(
                "prefix", i, f"prefix {chunk.prefix[:60]!r}, overlap {chunk.overlap[:60]!r}, text {chunk.text[:120]!r}"
            )
        if chunk.text == joined or (inserts and chunk.text.endswith(joined) and chunk.prefix):
            continue
        if not renders:
            yield Problem("text", i, f"{chunk.text[:120]!r} is not {joined[:120]!r}")
        else:
            for seen in rendering_problems(chunk, source):
                yield Problem("text", i, seen)


def squash(text: str) -> str:
    """The text without white space, and without the backslashes that may escape pipes."""
    return "".join(text.replace("\\", "").split())


def rendering_problems(chunk: Any, source: str) -> Iterator[str]:
    """A rendered table: each cell of it stands in the source spans, each whole cell of the spans in the text."""
    raw = "\n".join(source[a:b] for a, b in chunk.spans)
    if "<" not in raw and "|" not in raw and "\t" not in raw and "," not in raw:
        yield f"not the source, and no table in it: {chunk.text[:80]!r} for {raw[:80]!r}"
        return
    plain, tagless, verbatim = squash(html.unescape(TAG.sub(" ", raw))), squash(TAG.sub(" ", raw)), squash(raw)
    for line in chunk.text.splitlines():
        if squash(line) in verbatim:
            continue
        for cell in re.split(r"(?<!\\)\||; |: |/", line):
            wanted = squash(cell)
            if not DELIMITER.fullmatch(wanted) and not (wanted in plain or wanted in tagless or wanted in verbatim):
                yield f"cell {cell!r} stands in none of the spans"
    text = squash(chunk.text)
    for cell in (cell for a, b in chunk.spans for cell in CELL_OF_HTML.findall(source[a:b])):
        if squash(html.unescape(TAG.sub(" ", cell))) not in text and squash(cell) not in text:
            yield f"cell {cell!r} of the source is not in the text"


# --- promise 3


def body(chunk: Any) -> list[tuple[int, int]]:
    """The source spans of a chunk without what it repeats: the prefix, then the overlap.

    Where the text is the source, what is repeated is counted off; else the prefix has the spans before the one that
    begins at `start_index`.
    """
    rendered = len(chunk.text) != sum(b - a for a, b in chunk.spans)
    repeated, spans = len(chunk.overlap) + (0 if rendered else len(chunk.prefix)), []
    own = next((k for k, (a, _) in enumerate(chunk.spans) if a == chunk.start_index), 0) if rendered else 0
    for a, b in chunk.spans[own:]:
        cut = min(repeated, b - a)
        repeated -= cut
        if a + cut < b:
            spans.append((a + cut, b))
    return spans


def coverage_problems(rows: Sequence[Any], source: str) -> Iterator[Problem]:
    done = 0
    for i, chunk in enumerate(rows):
        for a, b in body(chunk):
            if a < done:
                yield Problem("twice", i, f"body from {a}, but {done} was reached: {source[a : min(done, a + 60)]!r}")
            elif gap := source[done:a].strip():
                yield Problem("lost", i, f"{gap[:80]!r} before {a} is in no body")
            done = max(done, b)
    if gap := source[done:].strip():
        yield Problem("lost", -1, f"{gap[:80]!r} at the end is in no body")


# --- promise 4


def progress_problems(rows: Sequence[Any]) -> Iterator[Problem]:
    for i, chunk in enumerate(rows):
        if not chunk.text.strip():
            yield Problem("blank", i, repr(chunk.text))
        if not body(chunk):
            yield Problem("progress", i, f"nothing but what is repeated: {chunk.text[:80]!r}")
        if i and chunk.start_index <= rows[i - 1].start_index:
            yield Problem("progress", i, f"starts at {chunk.start_index}, the one before at {rows[i - 1].start_index}")
        if i and chunk.end_index <= rows[i - 1].end_index:
            yield Problem("progress", i, f"ends at {chunk.end_index}, the one before at {rows[i - 1].end_index}")


# --- promise 8


def identity_problems(rows: Sequence[Any]) -> Iterator[Problem]:
    seen: dict[Any, int] = {}
    for i, chunk in enumerate(rows):
        if chunk.index != i:
            yield Problem("index", i, f"index {chunk.index}")
        if chunk.id in seen:
            yield Problem("id", i, f"{chunk.id} is that of chunk {seen[chunk.id]} too")
        seen[chunk.id] = i


# --- promise 5: for chunkers that know sections


@lru_cache(maxsize=4)
def seen_text(source: str) -> str:
    return UNSEEN.sub(lambda mark: " " * len(mark[0]), source)


def title_end(text: str, title: str) -> int:
    """Past the title and the signs and blanks around it, where the text begins with it; else 0."""
    letters = [re.escape(char) for char in title if not char.isspace()]
    begun = re.compile(r"[\s#*]*" + r"[\s#*]*".join(letters)).match(text)
    return begun.end() if letters and begun else 0


class Sections:
    """An outline laid over its source. Sections are numbered as its headings are; -1 is the text before the first.

    `text` is the source with blanks for page marks, the document's own title and the like, which are no text of any
    section.
    """

    def __init__(self, headings: Iterable[Any], source: str, title: str | None) -> None:
        self.headings, self.text = list(headings), seen_text(source)
        self.title_end = title_end(self.text, title or "")
        self.text = " " * self.title_end + self.text[self.title_end :]
        self.starts = [h.start_index for h in self.headings]

    def at(self, index: int) -> int:
        """The section that holds a source index."""
        return bisect_right(self.starts, index) - 1

    def top(self, i: int) -> int:
        """The section at level 1 or 2 that section i is or lies in."""
        while i >= 0 and self.headings[i].level > 2:
            level = self.headings[i].level
            while i >= 0 and self.headings[i].level >= level:
                i -= 1
        return i

    def is_below(self, i: int, j: int) -> bool:
        """Whether section j is section i or lies in it."""
        return j >= i >= 0 and all(h.level > self.headings[i].level for h in self.headings[i + 1 : j + 1])

    def with_text(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """Sections of which the spans hold more than the heading."""
        found = []
        for i in sorted({i for a, b in spans for i in range(self.at(a), self.at(b - 1) + 1)}):
            first = self.text_start(i)
            end = self.starts[i + 1] if i + 1 < len(self.starts) else len(self.text)
            if any(INK.search(self.text, max(a, first), min(b, end)) for a, b in spans if a < end and b > first):
                found.append(i)
        return found

    def text_start(self, i: int) -> int:
        """Where the text of section i may begin: behind its heading and a leader."""
        end = self.headings[i].end_index if i >= 0 else 0
        leader = LEADER.match(self.text, end) if i >= 0 else None
        return leader.end() if leader else end

    def first_text(self, spans: Sequence[tuple[int, int]]) -> int:
        """Where the text of the spans begins, -1 where page marks are all they hold."""
        return next((m.start() for a, b in spans if (m := re.compile(r"\S").search(self.text, a, b))), -1)

    def text_from(self, start: int) -> int:
        """Where the first text from `start` on begins that is no heading and no rule (`-----`)."""
        for i in range(self.at(start), len(self.headings)):
            end = self.starts[i + 1] if i + 1 < len(self.starts) else len(self.text)
            if found := INK.search(self.text, max(start, self.text_start(i)), end):
                return found.start()
        return len(self.text)

    def path(self, i: int) -> str:
        return f"{self.headings[i].number} {self.headings[i].title}" if i >= 0 else "the text before the first heading"


def section_problems(
    chunks: Sequence[Any], source: str, tokenizer: Any, chunker: Any, headings: Iterable[Any]
) -> Iterator[Problem]:
    """Chunks against an outline: text of two sections at level 1 or 2, lonely headings, overlap across a heading.

    Page marks are no text. The headings above a text may stand apart from it where they would take more than three
    quarters of a chunk, less what is repeated in it.
    """
    rows = list(chunks)
    sections = Sections(headings, source, next((getattr(chunk, "title", None) for chunk in rows), None))
    bodies = [body(chunk) for chunk in rows]
    for i, (chunk, spans) in enumerate(zip(rows, bodies, strict=True)):
        held = sections.with_text(spans)
        tops = {sections.top(s): s for s in held}
        if len(tops) > 1 and not chunker.pack_size:
            yield Problem("mixed", i, " and ".join(map(sections.path, tops.values())))
        if chunk.overlap and spans and sections.at(chunk.start_index) != sections.at(spans[0][0]):
            yield Problem("overlap", i, f"{chunk.overlap[:60]!r} comes from another section")
        if held or not spans or spans[0][0] < sections.title_end:  # the title may be too long to go with text
            continue
        limit, first = max(limits(chunk, chunker)), sections.first_text(spans)
        if first < 0:
            section, start, end = sections.at(spans[0][0]), spans[0][0], spans[-1][1]
            joined = []  # with the chunk before or behind it
            if i and bodies[i - 1] and sections.at(bodies[i - 1][-1][1] - 1) == section:
                joined.append(rows[i - 1].text + source[bodies[i - 1][-1][1] : end])
            if i + 1 < len(rows) and bodies[i + 1] and (section < 0 or sections.at(bodies[i + 1][0][0]) == section):
                joined.append(source[start : bodies[i + 1][0][0]] + rows[i + 1].text)
            if any(tokenizer.count(text) < limit for text in joined):
                yield Problem("furniture alone", i, repr(chunk.text[:80]))
        elif first in sections.starts and i + 1 < len(rows):  # the end of a heading that was cut may stand alone
            a, b = sections.at(spans[-1][1] - 1), sections.at(bodies[i + 1][0][0])
            text = sections.text_from(first)
            room = limit - tokenizer.count(chunk.prefix)
            taken = tokenizer.count(source[first:text]) + 2  # where parts are joined, counts may not add up
            if sections.is_below(a, b) and 4 * taken <= 3 * room:
                yield Problem("heading alone", i, repr(chunk.text[:80]))
