"""C078 to C084: where sentences end. In the examples `/` marks each end but the last."""

import pytest

from chunkfast._core import sentence_ends


def sentences(text: str) -> list[str]:
    found, start = [], 0
    for end in sentence_ends(text).tolist():
        found.append(text[start:end].strip())
        start = end
    return found


def check(marked: str) -> None:
    assert sentences(marked.replace("/", "")) == [s.strip() for s in marked.split("/")]


@pytest.mark.parametrize(
    "marked",
    [
        '他说："这是对的。"/然后走了。',
        "他说：“这是对的。”/然后走了。",
        "他说：「这是对的。」/然后走了。",
        "他说：『这是对的！』/然后走了。",
        "（见附件一。）/第二条另有规定。",
        "【注意：请仔细阅读。】/本条款适用。",
        "(See Annex A.) /The rule applies.",
        'He said "Go." /Then he left.',
        "He said “Go!” /Then he left.",
        "It is true [really.] /So be it.",
        "**请注意。** /正文。",
        "**Take care.** /Then go on.",
        "“甲。”）/乙。",
        "他问：“去吗？”/她答：“不去。”",
        '他问："去吗？"/"不去。"/她答。',
        '他走了。/"你好"是什么意思？',
        "他说：“走吧。\n”/她走了。",
        "什么是“为什么？”、“怎么办？”的问题。/完。",
        "“好！”，他说。/走了。",
        "《为什么？怎么办。》这本书很好。/买吧。",
        "依照《关于适用〈民法典〉的解释。第一部分》执行。/完。",
        '"Really?" he asked. /Yes.',
    ],
)
def test_c078_closers_stay_with_their_sentence(marked):
    check(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "真的？！……/算了。",
        "真的吗？？？/是。",
        "好！！/走。",
        "等等……/算了。",
        "等等…/算了。",
        "等等。。。/算了。",
        "等等....../好",
        "What?! /No way.",
        "Wait... what? /Yes.",
        "He paused... /Then he left.",
        "She said … and left. /Done.",
        "到底（……）。/好。",
        "您有退保的权利………………6.3",
        "Contents .......... 12",
        "“为什么……”的问题。/完。",
    ],
)
def test_c080_a_run_is_one_end(marked):
    check(marked)


@pytest.mark.parametrize(
    "text",
    [
        "圆周率约为3.14，版本为v1.2.3。",
        "Pi is 3.14 in v1.2.3 of the file.",
        "The U.S. law of 1990 applies.",
        "Books by C.S. Lewis and J. R. R. Tolkien sell.",
        "It was written by George W. Bush himself.",
        "1. Mash the potatoes.",
        "a. Mash the potatoes.",
        "iv. Mash the potatoes.",
        "Section 5. Powers of the board.",
        "Dr. Smith and Mr. Jones met Prof. Li.",
        "See No. 5, Fig. 3, Eq. (4) and pp. 10-12.",
        "Acme Inc. and Widget Ltd. agreed, e.g. on price, i.e. cost.",
        "Gardner et al. (2002) found it.",
        "It opens at 9 a.m. on Monday.",
        "The P. falciparum genome is known.",
        "Visit www.example.com?a.b=c!d or mail a.b@c.org now.",
        "Open setup.cfg, pyproject.toml and .gitignore first.",
        "The market (approx. five days) is open on Jan. 5.",
        "1.您与我们订立的合同",
        "2.1 保险责任",
        "附件A.中文标题",
        "请访问www.example.com查询。",
        "费用为9. 11元。",
        "No.5文件。",
        "He said (?) that it works.",
        "The value a != b holds.",
        "Jeopardy! is a show, and Yahoo! was a company.",
    ],
)
def test_c082_no_cut(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "marked",
    [
        "1. Mash. /2. Boil.",
        "It is Section 5. /The next one is 6.",
        "We met at 5 p.m. /The rest is known.",
        "It is in the U.S. /However, it works.",
        "Ask for No. 5. /No. /I will not.",
        "See Schedule A. /Nothing else.",
        "It was 2003. /In 2004 it ended.",
        "Use option B. /Then stop.",
        "as of 2017, it fell. /in 2018 it rose.",
        "我来了./他走了.",
    ],
)
def test_c082_but_a_cut_where_a_sentence_ends(marked):
    check(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "甲；乙！/丙？",
        "甲；乙；丙。/丁。",
        "first; second! /Third?",
        "甲：乙，丙、丁；戊。",
        "（一）甲；/（二）乙。",
        "(a) one;/(b) two.",
    ],
)
def test_c084_a_semicolon_ends_a_clause_but_an_item_ends_with_its_line(marked):
    text = marked.replace("/（", "\n（").replace("/(", "\n(").replace("/", "")
    expected = [s.strip() for s in marked.split("/")]
    assert sentences(text) == expected
