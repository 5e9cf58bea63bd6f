"""Numbers and signs at the start of a line."""

import pytest

from chunkfast._core import read_mark

# line, number as it stands, value of its last part, number of parts
NUMBERS = [
    ("第三章 总则", "第三章", 3, 1),
    ("第十七条之一 已满", "第十七条之一", 17, 1),
    ("第 一 章", "第 一 章", 1, 1),
    ("第二分编 合同", "第二分编", 2, 1),
    ("第三百零一条", "第三百零一条", 301, 1),
    ("十二、其他", "十二、", 12, 1),
    ("（一）保险责任", "（一）", 1, 1),
    ("(三) 其他", "(三)", 3, 1),
    ("1．基本保险金额", "1．", 1, 1),
    ("１、总则", "１、", 1, 1),
    ("1\\. Markdown", "1\\.", 1, 1),
    ("1.1合同构成", "1.1", 1, 2),
    ("１．２ 全角", "１．２", 2, 2),
    ("3.1.2.(1)\tThe", "3.1.2.(1)", 1, 4),
    ("A.1.2 范围", "A.1.2", 2, 3),
    ("（1) 混用", "（1)", 1, 1),
    ("12）x", "12）", 12, 1),
    ("⑵甲", "⑵", 2, 1),
    ("㈠ 甲", "㈠", 1, 1),
    ("$\\textcircled { 2 }$ 乙", "$\\textcircled { 2 }$", 2, 1),
    ("(iv) four", "(iv)", 4, 1),
    ("IV、四", "IV、", 4, 1),
    ("(c) three", "(c)", 3, 1),
    ("(bb) more", "(bb)", 28, 1),
    ("附录A 规范", "附录A", 1, 1),
    ("附件 2：清单", "附件 2：", 2, 1),
    ("Part II", "Part II", 2, 1),
    ("Chapter One", "Chapter One", 1, 1),
    ("Section 1.2 Scope", "Section 1.2", 2, 2),
    ("§ 3 Scope", "§ 3", 3, 1),
    ("Schedule B", "Schedule B", 2, 1),
]
NONE = [
    *(
        "2024-12-24 发布",
        "20%，且",
        "9/L，血小板",
        "1:30",
        "1,000 yuan",
        "10.5x",
        "U.S. law",
        "e.g. this",
        "mix) a",
        "iiii) a",
    ),
    *(
        "Section 5(1) says",
        "part 1",
        "-4-",
        "#tag",
        "####### seven",
        "(2024) 1 号",
        "二〇二四年",
        "1.2.3.4.5.6.7.8.9",
        "12345678",
    ),
]


@pytest.mark.parametrize(("line", "number", "value", "parts"), NUMBERS)
@pytest.mark.parametrize("before", ["", "# ", "**", "“", "## “"])
def test_number(line, number, value, parts, before):
    mark = read_mark(before + line)
    assert before + line[: len(number)] == (before + line)[: mark["number_end"]]
    assert (mark["number_start"], mark["value"], mark["parts"]) == (len(before), value, parts)
    assert mark["hashes"] == before.count("#")


@pytest.mark.parametrize("line", NONE)
def test_no_number(line):
    assert read_mark(line) is None


@pytest.mark.parametrize("line", ["- a", "* a", "+ a", "• a", "·条款", "——第1部分", "$\\clubsuit$ 签收", "● a"])
def test_bullet(line):
    assert read_mark(line)["value"] == 0
    assert read_mark(line)["number_end"] > 0


def test_blank_inside_a_number_is_told():
    mark = read_mark("9. 11 机动车")
    assert (mark["value"], mark["spaced"], mark["spaced_end"]) == (9, 11, 5)


def test_letter_and_roman_reading():
    mark = read_mark("(i) one")
    assert (mark["value"], mark["roman"]) == (9, 1)


def test_bold_number_alone():
    mark = read_mark("**1.1** 保险责任")
    assert (mark["number_end"], mark["rest"]) == (5, 8)
