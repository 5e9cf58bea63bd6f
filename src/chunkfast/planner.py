"""From a plan's atoms to chunks: asks the counter what the core can't know, until each count is exact and fits."""

from __future__ import annotations

import re

import numpy as np

from chunkfast import _core
from chunkfast.chunks import texts_of
from chunkfast.tokens import Int64Array, TokenCounter

_LINE_END = re.compile(r"(?:\r\n|[\n\v\f\r\x85\u2028\u2029])\Z")
_PLACES = re.compile(
    r"[。！？!?；;，,：:、|\t]+|\s+|</t[dh]>"
)  # where a prefix may be cut: behind sentences, clauses, cells


def run(plan: _core.Plan, counter: TokenCounter, limit: int) -> bool:
    """Fill a plan with chunks.

    Parameters
    ----------
    plan : _core.Plan
        Fresh.
    counter : TokenCounter
    limit : int
        The smallest limit of any chunk, in tokens: a prefix is shortened to half of it.

    Returns
    -------
    bool
        False where a rendered table has a row too large for a chunk: such tables are now left as they are in the
        source, and the plan must be made anew.
    """
    rendered = np.empty(0, np.int64), np.empty(0, np.uint8)
    if plan.rendered:
        rendered = counter.ranks(plan.rendered, plan.positions(True))
    plan.set_ranks(*counter.ranks(plan.text, plan.positions(False)), *rendered)
    _count_prefixes(plan, counter, limit // 2)
    while True:
        if not _cut_oversize(plan, counter):
            return False
        blocks = plan.doubtful_blocks()
        if len(blocks):
            plan.set_measured(blocks[:, 0], counter.count_spans(plan.text, blocks[:, 1].copy(), blocks[:, 2].copy()))
        plan.pack()
        drafts = plan.inexact()
        if not len(drafts):
            return True
        pieces, piece_ends, *_ = plan.assemble()
        texts = texts_of(plan.text, plan.rendered, pieces, piece_ends, drafts)
        if not plan.set_tokens(drafts, counter.count_batch(texts)):
            return True


def _cut_oversize(plan: _core.Plan, counter: TokenCounter) -> bool:
    """Cut the atoms that are too large. False where one is a row of a rendered table, which is not cut."""
    oversize = [(plan.atom(atom), atom, first_room, room) for atom, first_room, room in plan.oversize().tolist()]
    rows = [atom for (_, _, rendered), atom, _, _ in oversize if rendered]
    for atom in rows:
        plan.unrender(atom)
    if rows:
        return False
    for (start, end, _), atom, first_room, room in oversize:
        plan.cut(atom, counter.token_starts(plan.text[start:end]) if room else None, first_room, room)
    if oversize:
        plan.apply_cuts()
    return True


def _count_prefixes(plan: _core.Plan, counter: TokenCounter, most: int) -> None:
    if plan.prefix_count == 0:
        return
    tokens = _sums(plan, counter) if counter.is_additive else counter.count_batch(plan.prefix_texts())
    plan.set_prefix_tokens(tokens)
    for prefix in np.nonzero(tokens > most)[0].tolist():
        _shorten(plan, counter, prefix, most)


def _sums(plan: _core.Plan, counter: TokenCounter) -> Int64Array:
    """Tokens of each prefix, added up over its spans."""
    prefixes, starts, ends, rendered = np.ascontiguousarray(plan.prefix_parts().T)
    if plan.rendered:
        parts = np.where(
            rendered, counter.count_spans(plan.rendered, starts * rendered, ends * rendered), 0
        ) + np.where(rendered, 0, counter.count_spans(plan.text, starts * (1 - rendered), ends * (1 - rendered)))
    else:
        parts = counter.count_spans(plan.text, starts, ends)
    tokens = np.bincount(prefixes, parts, plan.prefix_count)  # as float64, exact below 2**53
    return tokens.astype(np.int64)


def _shorten(plan: _core.Plan, counter: TokenCounter, prefix: int, most: int) -> None:
    """Drop the outermost spans of a prefix until `most` tokens are left; cut the last at a sentence, clause or cell.

    A table's header keeps its beginning; a lead-in its end, where it says what holds for the items.
    """
    spans = plan.prefix_spans(prefix)
    for dropped in range(1, len(spans)):
        tokens = counter.count("".join(_slice(plan, *span) for span in spans[dropped:]))
        if tokens <= most:
            plan.set_prefix(prefix, spans[dropped:], tokens)
            return
    start, end, rendered = spans[-1]
    text = _slice(plan, start, end, rendered)
    clusters = set(_core.grapheme_ends(text))
    places = [m.end() for m in _PLACES.finditer(text) if m.end() in clusters]
    last_end = _LINE_END.search(text)
    line_end = [(start + last_end.start(), end, rendered)] if last_end else []
    token_starts = counter.token_starts(text)
    for keep in range(most, 0, -1):
        if plan.prefix_is_header(prefix):
            fitting = [p for p in places if p <= token_starts[keep]]
            lines = [p for p in fitting if _LINE_END.search(text, p - 1, p)]
            cut = max(lines or fitting, default=0)
            shorter = [(start, start + cut, rendered), *([] if lines else line_end)] if cut else []
        else:
            cut = min((p for p in places if p >= token_starts[-keep]), default=len(text))
            shorter = [(start + cut, end, rendered)] if cut < len(text) else []
        tokens = counter.count("".join(_slice(plan, *span) for span in shorter))
        if tokens <= most:
            break
    else:
        shorter, tokens = [], 0
    plan.set_prefix(prefix, shorter, tokens)


def _slice(plan: _core.Plan, start: int, end: int, rendered: bool) -> str:
    return plan.rendered[start:end] if rendered else plan.text[start:end]
