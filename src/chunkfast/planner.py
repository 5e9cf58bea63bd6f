"""What is repeated before chunks (headers of tables, lead-ins, headings), shortened to half of the limit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunkfast import _core
from chunkfast.tokens import TokenCounter

_LINE_END = re.compile(r"(?:\r\n|[\n\v\f\r\x85\u2028\u2029])\Z")
_PLACES = re.compile(r"[。！？!?；;，,：:、|\t]+|\s+|</t[dh]>")  # the ends of sentences, clauses, cells
_LONGEST_TAG = len("</td>")


def shorten(cutter: _core.StructureCutter, counter: TokenCounter, prefix: int, most: int) -> None:
    """Drop the outermost spans of a prefix until `most` tokens are left; cut the last at a sentence, clause or cell.

    A table's header keeps its beginning; a lead-in its end, where it says what holds for the items. Spans without text,
    which say where the beginning comes from, stay with it.
    """
    spans = cutter.prefix_spans(prefix)
    kept = spans[:-1] if cutter.prefix_is_header(prefix) else []
    for dropped in range(len(kept) + 1, len(spans)):
        tokens = counter.count("".join(cutter.slice(*span) for span in spans[dropped:]))
        if tokens <= most:
            cutter.set_prefix(prefix, spans[dropped:], tokens)
            return
    start, end, rendered = spans[-1]
    text = cutter.slice(start, end, rendered)
    last_end = _LINE_END.search(text, max(len(text) - 2, 0))
    line_end = [(start + last_end.start(), end, rendered)] if last_end else []
    token_starts = counter.token_starts(text)
    for keep in range(most, 0, -1):
        if cutter.prefix_is_header(prefix):
            fitting = [p for p in _places(text, 0, int(token_starts[keep])) if _ends_cell(text, p) or not rendered]
            lines = [p for p in fitting if _LINE_END.search(text, p - 1, p)]
            cut = max(lines or fitting, default=0)
            shorter = [*kept, (start, start + cut, rendered), *([] if lines else line_end)] if cut else []
        else:
            cut = next(_places(text, int(token_starts[-keep]), len(text.rstrip()) - 1), len(text))
            shorter = [(start + cut, end, rendered)] if cut < len(text) else []
        tokens = counter.count("".join(cutter.slice(*span) for span in shorter))
        if tokens <= most:
            break
    else:
        shorter, tokens = [], 0
    cutter.set_prefix(prefix, shorter, tokens)


def _places(text: str, first: int, last: int) -> Iterator[int]:
    """Where in [first, last] a prefix may be cut: behind sentences, clauses and cells, never inside a cluster."""
    for match in _PLACES.finditer(text, max(first - _LONGEST_TAG, 0)):
        if match.end() > last:
            return
        if match.end() >= first and _core.is_boundary(text, match.end()):
            yield match.end()


def _ends_cell(text: str, place: int) -> bool:
    """Whether a place in a rendered header lies behind a whole cell, or above the rows of cells."""
    if text[place - 1] == "|":
        return text[place - 2 : place - 1] not in ("", "\n", "\\")
    return text[place - 1] == "\n" or not text.startswith("|", text.rfind("\n", 0, place) + 1)
