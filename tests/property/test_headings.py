"""Headings of any text: in order, inside it, their levels a tree; and as many lines as one likes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfast import outline
from chunkfast._core import parse

PIECES = st.sampled_from(
    [
        *(
            "\n",
            "\n",
            "\n\n",
            " ",
            "# ",
            "## ",
            "1. ",
            "1.1 ",
            "1.2",
            "2. ",
            "9. 11 ",
            "第一章",
            "第二条",
            "第三条之一 ",
            "一、",
            "（一）",
            "（二）",
        ),
        *(
            "(1)",
            "(i) ",
            "I. ",
            "A. ",
            "B.1 ",
            "①",
            "\uf075",
            "\uf076",
            "附录A",
            "Part I",
            "Section 2 ",
            "[P1]",
            "- 2 -",
            "第 3 页",
            "\f",
            "3",
        ),
        *(
            "目录",
            "......3",
            "总则",
            "保险责任",
            "本合同成立。",
            "Title",
            "is body text.",
            "```",
            "---",
            "===",
            "**",
            "  ",
            "\t",
            "\u200b",
            "：",
        ),
    ]
)


@given(st.lists(PIECES, max_size=80).map("".join))
def test_spans_and_levels(text):
    end, path = 0, []  # path: indexes of the headings that are open
    for i, row in enumerate(parse(text).headings()):
        level, _, start, stop, body, number, number_end, title, title_end, parent, _ = row
        assert end <= start < stop <= body <= len(text)
        assert start <= number <= number_end <= stop
        assert title <= title_end <= stop
        del path[level - 1 :]
        assert len(path) == level - 1
        assert parent == (path[-1] if path else -1)
        path.append(i)
        end = stop


@given(st.text(max_size=200) | st.text("#1.、（一)第条章\n ", max_size=200))
def test_outline_takes_any_text(text):
    for heading in outline(text):
        assert text[heading.start_index : heading.end_index].strip() == text[heading.start_index : heading.end_index]
        assert heading.number in text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "# a\nb\n" * 50_000,
            "#" * 5_000_000,
            "1." * 2_500_000,
            "." * 5_000_000,
            "x" * 5_000_000,
            "1\n" * 100_000,
            "\f" * 100_000,
        ),
        *(
            "1. 总则\n正文。\n2. 分则\n正文。\n" * 25_000,
            "第7条 总则\n正文。\n第3章 甲\n" * 30_000,
            "总则\n\n\n" * 60_000,
            "\uf076\n总则\n" * 50_000,
        ),
        "".join(f"{i}. title\ntext here.\n" for i in range(1, 100_000)),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_large_inputs_end(text):
    assert len(parse(text).headings()) <= text.count("\n") + 1
