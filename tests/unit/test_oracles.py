"""The oracles and invariants themselves: right on inputs that can be read at a glance, and able to fail."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests import corpora, invariants
from tests.reference.sentence_packing import pack_sentences, sentence_spans
from tests.reference.structure import structure_chunks
from tests.reference.token_windows import token_windows

SOURCE = "One two. Three e\u0301. Four."
SETTINGS = SimpleNamespace(chunk_size=12, reserve_tokens=0)


def chunk(index: int, *spans: tuple[int, int], **changes: object) -> SimpleNamespace:
    text = "".join(SOURCE[a:b] for a, b in spans)
    row = {
        "text": text, "token_count": len(text), "index": index, "id": str(index), "kind": "text", "headings": (),
        "prefix": "", "overlap": "", "spans": spans, "start_index": spans[0][0], "end_index": spans[-1][1],
    }  # fmt: skip
    return SimpleNamespace(**{**row, **changes})


GOOD = (chunk(0, (0, 8)), chunk(1, (9, 18)), chunk(2, (19, 24)))


def promises(rows: object) -> set[str]:
    return {p.promise for p in invariants.problems(rows, SOURCE, corpora.CHARS, SETTINGS)}  # type: ignore[arg-type]


def test_good_chunks_break_no_promise() -> None:
    assert promises(GOOD) == set()


@pytest.mark.parametrize(
    ("promise", "rows"),
    [
        ("count", [chunk(0, (0, 8), token_count=7), *GOOD[1:]]),
        ("limit", [chunk(0, (0, 18)), GOOD[2]]),
        ("text", [chunk(0, (0, 8), text="One two!"), *GOOD[1:]]),
        ("half grapheme", [GOOD[0], chunk(1, (9, 16)), chunk(2, (16, 24))]),
        ("lost", [GOOD[0], GOOD[2]]),
        ("lost", list(GOOD[:2])),
        ("twice", [GOOD[0], chunk(1, (4, 8), (9, 16), start_index=4), GOOD[2]]),
        ("progress", [GOOD[0], chunk(1, (0, 8), overlap="One two."), *GOOD[1:]]),
        ("blank", [GOOD[0], chunk(1, (8, 9)), *GOOD[1:]]),
        ("prefix", [chunk(0, (0, 8), prefix="two"), *GOOD[1:]]),
        ("prefix over half", [GOOD[0], chunk(1, (0, 8), (9, 12), prefix="One two.", start_index=9), *GOOD[1:]]),
        ("index", [chunk(5, (0, 8)), *GOOD[1:]]),
        ("id", [chunk(0, (0, 8), id="2"), *GOOD[1:]]),
    ],
)
def test_each_broken_promise_is_seen(promise: str, rows: list[SimpleNamespace]) -> None:
    assert promise in promises(rows)


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ((9, 27), set()),
        ((27,), {"mixed"}),
        ((3, 9, 27), {"heading alone"}),
        ((9, 17, 27), {"heading alone"}),  # with a page mark
        ((9, 12, 17, 27), {"heading alone", "furniture alone"}),
    ],
)
def test_mixed_sections_and_lonely_headings_are_seen(chunks: tuple[int, ...], expected: set[str]) -> None:
    source = "# A\nabc.\n# B\n[P2]\ndef. ghi."
    headings = [
        SimpleNamespace(level=1, number="", title=title, start_index=start, end_index=start + 3)
        for title, start in (("A", 0), ("B", 9))
    ]
    settings = SimpleNamespace(chunk_size=40, reserve_tokens=0, pack_size=0)
    rows = [
        SimpleNamespace(
            spans=((a, b),), start_index=a, prefix="", overlap="", headings=(), token_count=b - a, text=source[a:b]
        )
        for a, b in zip((0, *chunks), chunks, strict=False)
    ]
    found = invariants.section_problems(rows, source, corpora.CHARS, settings, headings)
    assert {p.promise for p in found} == expected


def test_token_windows() -> None:
    assert token_windows("abcdefg", range(7), 3, 1) == [(0, 3), (2, 5), (4, 7)]
    assert token_windows("abcdef", [0, 2, 4], 2, 0) == [(0, 4), (4, 6)]
    assert token_windows("", [], 3, 1) == []


def test_sentences_are_packed_with_those_before_them() -> None:
    text = "aa。bb。cc。dd。"
    sentences = sentence_spans(text)
    assert sentences == [(0, 3), (3, 6), (6, 9), (9, 12)]
    assert pack_sentences(text, sentences, len, 9, 2) == [(0, 9), (3, 12)]
    assert pack_sentences(text, sentences, len, 6, 0) == [(0, 6), (6, 12)]
    assert pack_sentences(text, sentences, len, 3, 2) == sentences


def test_header_rows_and_lead_ins_are_repeated() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
    found = structure_chunks(f"第一章 总则\n有下列情形的：\n（一）甲；\n（二）乙乙乙乙。\n{table}", len, 20, 30)
    assert [(p.prefix, p.text.splitlines()[-1]) for p in found] == [
        ("", "第一章 总则"),
        ("有下列情形的：", "（一）甲；"),
        ("有下列情形的：", "（二）乙乙乙乙。"),
        ("| a | b |\n|---|---|", "| 1 | 2 |"),
        ("| a | b |\n|---|---|", "| 3 | 4 |"),
    ]
