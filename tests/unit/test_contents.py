"""Contents lists and page furniture: neither opens a section."""

import pytest

from chunkfast import outline
from chunkfast._core import parse

CONTENTS, FURNITURE, CODE = 6, 5, 2
BODY = "本合同的内容由双方约定，并在保险单上载明。"
TITLES = ["1. 合同", "1.1 合同构成", "1.2 投保年龄", "2. 保障", "2.1 保险责任", "2.2 责任免除"]
PAGES = ["投保人应当如实告知。", "保险人及时核定并通知。", "受益人可以变更保险金的领取方式。", "争议由双方协商解决。"]
BODIES = "\n".join(f"{title}\n{BODY}" for title in TITLES)


def roles(text: str, role: int) -> list[str]:
    return [text[line[1] : line[2]] for line in parse(text).lines() if line[5] == role]


@pytest.mark.parametrize("end", ["", "......3", " ………… 12", " 7"])
@pytest.mark.parametrize("head", ["", "目录\n", "目  次\n", "Contents\n", "·条款目录\n"])
def test_contents_list(end, head):
    entries = [title + end for title in TITLES]
    text = head + "\n".join(entries) + f"\n{BODY}\n{BODIES}\n"
    assert [h.start_index for h in outline(text)] == [text.rindex(t + "\n") for t in TITLES]
    assert roles(text, CONTENTS)[-len(entries) :] == entries


def test_chapters_with_dots_alone():
    text = "".join(f"第{n}章 总则 ..... {n}\n" for n in range(1, 21))
    assert outline(text) == []


def test_broken_entry_and_stray_mark():
    text = (
        "1．合同\n1.1合同构成\n1.2 先天性畸形、变形或染色体异\n常\n\n# 1.3转换年金\n\n2.保障\n2.1责任\n"
        + f"\n{BODY}\n"
        + "\n".join(f"# {t}\n\n{BODY}\n" for t in ("1. 合同", "1.1 合同构成", "1.3 转换年金", "2. 保障", "2.1 责任"))
    )
    assert [h.number for h in outline(text)] == ["1.", "1.1", "1.3", "2.", "2.1"]
    assert "常" in roles(text, CONTENTS)


def test_regrouped_articles():
    head = "1.我们保什么\n第二条 责任\n第三条 期间\n2.其他\n第一条 构成\n第四条 争议\n"
    text = (
        head
        + f"\n{BODY}\n"
        + "".join(f"第{n}条 {t}\n{BODY}\n" for n, t in zip("一二三四", ["构成", "责任", "期间", "争议"], strict=True))
    )
    assert [h.number for h in outline(text)] == ["第一条", "第二条", "第三条", "第四条"]


def test_titles_cut_off_by_the_contents():
    text = (
        "\n".join(TITLES)
        + f"\n{BODY}\n1. 合同\n{BODY}\n1.1 合同构成\n{BODY}\n1.2 投保年龄您应当如实告知，{BODY}\n2. 保障\n{BODY}\n"
    )
    assert [h.title for h in outline(text)] == ["合同", "合同构成", "投保年龄", "保障"]


def test_title_whose_end_has_got_out_of_its_place():
    entries = "8. 其他\n8.1 明确说明与如实告知\n8.2 解除权的限制\n8.3 未还款项\n"
    text = (
        f"{entries}\n{BODY}\n\n# 8. 其他\n\n8.1 明确说明与如订立合同时，应当说明内容。\n\n# 实告知\n\n{BODY}\n\n"
        f"# 8.2 解除权的限制\n\n{BODY}\n\n# 8.3 未还款项\n\n{BODY}\n"
    )
    assert [(h.level, h.number) for h in outline(text)] == [(1, "8."), (2, "8.1"), (2, "8.2"), (2, "8.3")]


def test_chapters_without_sections_that_the_contents_list():
    entries = "1\n范围.... 1\n2\n术语.... 1\n2.1\n甲.... 1\n3\n方法.... 2\n参考文献.... 3\n"
    text = f"{entries}\n{BODY}\n1\n范围\n{BODY}\n2\n术语\n2.1\n甲\n{BODY}\n3\n方法\n{BODY}\n参考文献\n{BODY}\n"
    assert [(h.level, h.number or h.title) for h in outline(text)] == [
        (1, "1"),
        (1, "2"),
        (2, "2.1"),
        (1, "3"),
        (1, "参考文献"),
    ]


def test_entries_without_number_are_titles_where_they_come_again():
    text = f"前言.... I\n1 范围.... 1\n2 术语.... 2\n3 方法.... 3\n前  言\n{BODY}\n1 范围\n{BODY}\n2 术语\n{BODY}\n3 方法\n{BODY}\n"
    assert next(h.title for h in outline(text)) == "前  言"


def test_number_of_a_chapter_below_the_page_number():
    pages = "".join(f"\n[P{n}]\n{n}\n第{n}页的文字到此为止。\n{BODY}\n" for n in range(1, 6))
    text = f"{pages}\n[P6]\n6\n6\n代码表\n6.1\n甲\n{BODY}\n"
    assert [h.number for h in outline(text)] == ["6", "6.1"]


def test_two_headings_in_a_row_are_headings():
    text = f"{BODIES}\n3. 恢复\n3.1 中止\n3.2 恢复\n{BODY}\n"
    assert [h.number for h in outline(text)][-3:] == ["3.", "3.1", "3.2"]


@pytest.mark.parametrize(
    "mark",
    [
        "[P{0}]",
        "- {0} -",
        "—{0}—",
        "第 {0} 页 共 9 页",
        "第{0}页",
        "Page {0} of 9",
        "page {0}",
        "[P{0}]\n{0}",
        "[P{0}]\n某某条款（{0}）",
    ],
)
def test_page_marks(mark):
    marks = [mark.format(n) for n in range(2, 6)]
    text = BODY + "\n" + "".join(f"{m}\n{page}\n" for m, page in zip(marks, PAGES, strict=True))
    assert roles(text, FURNITURE) == "\n".join(marks).split("\n")


def test_lone_number_without_a_page_is_none():
    text = f"{BODY}\n3\n术语\n{BODY}\n3.1\n主体\n{BODY}\n"
    assert roles(text, FURNITURE) == []
    assert [h.number for h in outline(text)] == ["3", "3.1"]


def test_numbers_at_page_tops_are_no_running_heads():
    text = "".join(f"[P{n}]\n{n}.1\n{page}\n" for n, page in enumerate(PAGES, 1))
    assert roles(text, FURNITURE) == [f"[P{n}]" for n in range(1, 5)]


def test_form_feeds_are_pages():
    text = "\f".join(f"某某条款\n{page}\n" for page in PAGES)
    assert roles(text, FURNITURE) == ["某某条款"] * 4


def test_fences():
    text = "a\n```\nb\n~~~\n```\nc\n~~~ x\n# d\n~~~\n"
    assert roles(text, CODE) == ["```", "b", "~~~", "```", "~~~ x", "# d", "~~~"]
