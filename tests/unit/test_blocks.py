"""Blocks: where paragraphs end, and what kind of block a stretch of text is."""

import pytest

from chunkfast._core import parse


def kinds(text):
    return [(kind, text[start:end]) for kind, start, end, *_ in parse(text).blocks()]


def paragraphs(text):
    found = kinds(text)
    assert {kind for kind, _ in found} <= {"text"}
    return [body for _, body in found]


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000\n"])
def test_nothing(text):
    assert kinds(text) == []


@pytest.mark.parametrize("gap", ["\n\n", "\n \u3000\n", "\r\n\r\n", "\u2028\u2029"])
def test_blank_line_ends_a_paragraph(gap):
    assert paragraphs(f"一句话。{gap}又一句。") == ["一句话。", "又一句。"]


def test_line_end_ends_a_paragraph_of_closed_lines():
    assert paragraphs("今天晴。\n明天雨。\n") == ["今天晴。", "明天雨。"]


@pytest.mark.parametrize(
    "text",
    [
        "the cat sat on\nthe mat.",
        "The quick brown fox jumps over the lazy dog and\nJack looks on.",
        "先看左边，\n再看右边。",
        "他喝了一杯水\n，然后走了。",
    ],
)
def test_open_line_goes_on(text):
    assert paragraphs(text) == [text]


def test_wrapped_lines_are_one_paragraph():
    body = "从前有一座山山上有一座庙庙里有一个老和尚在给小和尚讲故事讲的是什么呢" * 6
    lines = [body[i : i + 24] for i in range(0, len(body), 24)]
    text = "\n".join([*lines[:-1], "到此为止。", *lines[:-1], "完。"])
    assert [p.count("\n") for p in paragraphs(text)] == [len(lines) - 1] * 2


def test_sentence_goes_on_over_a_blank_line():
    text = "租客在合同期间没有得到房东的同意就把房屋\n\n转租给了别人。\n\n另一段。"
    assert paragraphs(text) == [text[: text.index("另")].strip(), "另一段。"]
    assert len(paragraphs("附注\n\n这是一段新的话。")) == 2


def test_sentence_goes_on_over_page_furniture():
    text = "第一页的内容到这里还没有结束而是一直\n\n[P2]\n2\n延续到了下一页。\n新的一段。"
    assert paragraphs(text)[0].endswith("下一页。")


def test_markdown_quote():
    text = "Before.\n> one line\n> goes on\n>\n> Another paragraph.\nAfter."
    assert paragraphs(text) == ["Before.", "> one line\n> goes on\n>", "> Another paragraph.", "After."]


def test_code_is_a_block():
    text = "Look:\n```\na\n\n# b\n```\nDone."
    assert kinds(text) == [("text", "Look:"), ("code", "```\na\n\n# b\n```"), ("text", "Done.")]


def test_sections():
    text = "before\n\n# One\n\nbody\n\n# Two\n\n# Three\n\nlast"
    found = [(text[start:end], section) for _, start, end, section, *_ in parse(text).blocks()]
    assert found == [("before", -1), ("body", 0), ("last", 2)]


def test_glued_heading_leaves_its_text_to_the_block():
    text = "第一条 甲方交付房屋，乙方支付租金。\n第二条 乙方不得转租房屋。\n"
    assert paragraphs(text) == ["甲方交付房屋，乙方支付租金。", "乙方不得转租房屋。"]


def test_lead_in_stands_in_the_block_of_its_list():
    text = "前面的话。应当带上以下物品：\n（1）书；\n（2）笔。\n后面的话。"
    assert kinds(text) == [("list", text[: text.index("\n后")]), ("text", "后面的话。")]


def test_invisible_characters_are_in_a_block():
    assert kinds("\ufeff甲。\n\u200b\n乙。\u200b") == [("text", "\ufeff甲。\n\u200b"), ("text", "乙。\u200b")]
    assert kinds("\u200b") == [("text", "\u200b")]
