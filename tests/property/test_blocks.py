"""Blocks and heading lines cover the text: every character that is not white space once, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfast._core import parse

PIECES = [
    *(
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "  ",
        "\t",
        "\u3000",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\f",
        "# ",
        "## ",
        "> ",
        "- ",
        "* ",
        "```",
    ),
    *("|", "|---|", "<table>", "<tr><td>", "</td></tr></table>", "[P1]", "- 2 -", "目录", "......"),
    *("(1)", "（1）", "(2）", "1.", "2．", "3、", "1.1 ", "一、", "（一）", "（二）", "①", "②", "a)", "(i)", "(ii)"),
    *("第一条 ", "第二章 ", "下列情形之一：", "包括以下内容：", "；", "。", "，", "：", "the following:", "and "),
    *("保险责任", "word ", "本合同终止"),
]
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.text(max_size=80),
    st.text("a1.\n ()-", max_size=80),
)
kinds = st.sampled_from(["", "é", "中", "😀"])  # a str of 1, 1, 2 or 4 bytes a character


def check_cover(text: str) -> None:
    document = parse(text)
    spans = [(start, end) for _, start, end, *_ in document.blocks()] + document.heading_lines()
    at = 0
    for start, end in sorted(spans):
        assert at <= start < end, "spans overlap or are empty"
        assert not text[at:start].strip(), "characters outside of every block and heading line"
        assert not text[start].isspace()
        at = end
    assert not text[at:].strip()


def check_items(text: str) -> None:
    document = parse(text)
    items = document.items()
    at = 0
    for kind, start, end, _, first, last, lead_start, lead_end in document.blocks():
        if kind != "list":
            assert first == last or kind == "table"
            continue
        assert first == at < last, "every item in one list, in order"
        at = last
        assert 0 <= lead_start <= lead_end <= len(text)
        previous = start
        for i in range(first, last):
            item_start, item_end, depth, parent = items[i]
            assert previous <= item_start < item_end <= end
            assert not text[item_start].isspace()
            previous = item_end
            assert (parent == -1) == (depth == 0)
            if parent >= 0:
                assert first <= parent < i, "a parent in the same list"
                assert items[parent][2] == depth - 1
    assert at == len(items)


@given(texts, kinds)
def test_every_character_once(text: str, kind: str) -> None:
    check_cover(text + kind)


@given(texts, kinds)
def test_items_in_order_inside_their_list(text: str, kind: str) -> None:
    check_items(text + kind)


@pytest.mark.parametrize("marker", ["- ", "(1)", "1. ", "（一）", "(a) x:\n", "(i)", "> ", "①", "x:\n(1) "])
@pytest.mark.parametrize("indent", [False, True])
def test_hundred_thousand_markers(marker: str, indent: bool) -> None:
    text = "".join(" " * (i % 64 if indent else 0) + marker + "x\n" for i in range(100_000))
    check_cover(text)
    check_items(text)


def test_markers_on_one_line() -> None:
    for text in (
        "x：" + "（1）" * 100_000,
        "x：" + "（1）x；" * 100_000,
        "x：" + "".join(f"（{i}）x；" for i in range(1, 100_000)),
    ):
        check_cover(text)
        check_items(text)
