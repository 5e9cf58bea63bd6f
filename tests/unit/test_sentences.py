"""Sentence ends at line ends and page marks, the width of wrapped lines, wrong arguments."""

import json

import numpy as np
import pytest

from chunkfast import StructureChunker
from chunkfast._core import sentence_ends, wrap_width
from tests.corpora import DATA, real_documents

WRAPPED = """本公司按照约定在收到完整的申请资料之后，应当在三
十日内作出核定，并将核定结果以书面形式通知申请人以
及被保险人。
对不属于保险责任的，应当自作出核定之日起三日内向申
请人发出拒绝给付通知书并说明理由；
（一）申请人应当提供下列材料以及本公司要求提供的其
他与确认事故有关的证明；
（二）受益人的身份证明。
第三条
本合同自本公司收取首期保险费并且签发保险单的次日零
时起生效。"""


def sentences(text, wrap=None):
    ends = sentence_ends(text, wrap).tolist()
    return [text[a:b].strip() for a, b in zip([0, *ends], ends, strict=False)]


def joined(text, wrap=None):
    """Sentences with their line ends left out."""
    return [s.replace("\n", "") for s in sentences(text, wrap)]


def test_full_lines_of_wrapped_chinese_text_end_no_sentence():
    assert wrap_width(WRAPPED) == 25
    assert joined(WRAPPED) == [
        "本公司按照约定在收到完整的申请资料之后，应当在三十日内作出核定，并将核定结果以书面形式通知申请人以及被保险人。",
        "对不属于保险责任的，应当自作出核定之日起三日内向申请人发出拒绝给付通知书并说明理由；",
        "（一）申请人应当提供下列材料以及本公司要求提供的其他与确认事故有关的证明；",
        "（二）受益人的身份证明。",
        "第三条",
        "本合同自本公司收取首期保险费并且签发保险单的次日零时起生效。",
    ]


def test_every_line_ends_a_sentence_in_chinese_text_that_is_not_wrapped():
    assert sentences("第一章 总则\n第一条 为了规范\n本法适用于境内") == [
        "第一章 总则",
        "第一条 为了规范",
        "本法适用于境内",
    ]


MARKS = (
    "[P12]",
    "[Page 12]",
    "第 3 页 共 20 页",
    "第3页/共20页",
    "共二十頁",
    "- 12 -",
    "—12—",
    "——１２——",
    "Page 3 of 20",
)


@pytest.mark.parametrize("mark", MARKS)
def test_structure_and_sentences_know_the_same_page_marks(mark):
    text = f"保险人应当在收到申请\n{mark}\n后三十日内赔付。"
    assert sentences(text) == [text]
    (chunk,) = StructureChunker("chars", 64).chunk(text)
    assert chunk.page is not None


@pytest.mark.parametrize("mark", [*MARKS, "[P2]\n7", "7\n[P2]"])
@pytest.mark.parametrize("around", ["\n{}\n", "\n\n{}\n", "\n\n{}\n\n"])
def test_page_marks_end_no_sentence_that_goes_on(mark, around):
    text = "保险人应当在收到申请" + around.format(mark) + "后三十日内赔付。"
    assert sentences(text) == [text]


def test_a_form_feed_ends_no_sentence_that_goes_on():
    assert len(sentences("保险人应当在收到申请\f后三十日内赔付。")) == 1
    assert len(sentences("保险人应当在收到申请\n\f3\n后三十日内赔付。")) == 1
    assert len(sentences("the insurer shall pay\n\n\fwithin thirty days.")) == 1


def test_page_marks_stand_alone_after_a_sentence_that_has_ended():
    assert sentences("赔付完毕。\n[P3]\n3\n第二条 甲") == ["赔付完毕。", "[P3]", "3", "第二条 甲"]
    assert sentences("甲；\n\n[P3]\n（二）乙。") == ["甲；", "[P3]", "（二）乙。"]


def test_a_blank_line_ends_a_sentence():
    assert sentences("the quick brown\n\nfox", 80) == ["the quick brown", "fox"]
    assert len(sentences("the quick brown\n \u200b \nfox", 80)) == 2
    assert sentences("他说：“走。\n\n”好") == ["他说：“走。", "”好"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick brown fox jumps\nover the lazy dog. Then\nit slept.", 2),
        ("Introduction\nThis is the first sentence.", 2),
        ("The Company means any of\n(a) this one;\n(b) that one.", 3),
        ("It includes:\n- apples\n- pears", 3),
        ("# Ownership\nit is a set of rules", 2),
        ("name | age\nada | 36", 2),
        ("name\tage\nada\t36", 2),
        ("> quoted text goes on\n> over two lines.", 1),
        ("A line of prose that was wrapped somewhere near\nSixty characters.", 1),
        ("A line of prose that was wrapped somewhere near\nSixty characters, before a longer line could follow it.", 2),
        ("one two\r\nthree four\rfive six\u2028seven\x85eight", 1),
    ],
)
def test_line_ends_in_alphabetic_prose(text, expected):
    assert len(sentences(text, 0)) == expected


def test_notes_set_by_superscript_on_lines_of_their_own_end_no_sentence():
    text = "在约定的开始领取日之前，被保险人经医院\n5的专科医生\n6\n确诊的，我们给付保险金。"
    assert len(sentences(text, 36)) == 1


def test_ends_are_an_int64_array_that_owns_its_memory():
    ends = sentence_ends("a. B.")
    assert ends.dtype == np.int64
    assert ends.flags.owndata
    assert sentence_ends("").tolist() == sentence_ends(" \n\u3000").tolist() == []


def test_wrong_arguments():
    with pytest.raises(TypeError):
        sentence_ends(b"a")
    with pytest.raises(TypeError):
        wrap_width(None)
    with pytest.raises(ValueError, match=r"wrap must be at least 0, not -1"):
        sentence_ends("a", -1)


def test_the_width_where_it_is_known_whether_lines_are_wrapped():
    labels = [json.loads(path.read_text("utf-8")) for path in sorted((DATA / "gold").glob("*.json"))]
    if not labels:
        pytest.skip("labelled documents (../shared/data/gold) are not on this machine")
    for label in labels:
        text = (DATA / label["source"]).read_bytes().decode("utf-8")
        assert (wrap_width(text) > 0) == label["hard_wrapped"], label["source"]


@pytest.mark.parametrize(
    ("folder", "wrapped"), [("insurance/wordings", True), ("insurance/clauses", False), ("laws", False)]
)
def test_the_width_in_folders_of_one_kind(folder, wrapped):
    for document in real_documents(folder):
        assert (wrap_width(document.text) > 0) == wrapped, document.name


PIECES = ("a", ".", '"', "《", "。", "。 ", "\n", "[P1]\n", "1\n\n", "a.b.", "《a。", '."a', "。”", ". ", "1\n")


@pytest.mark.parametrize("piece", PIECES)
def test_time_is_linear_in_what_invites_looking_ahead(piece):
    assert len(sentence_ends(piece * 1_000_000, 36)) <= 1_000_001
