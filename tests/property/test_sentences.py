"""Sentence ends: as the reference has them in strings of every kind, with nothing lost, whatever the line ends."""

import re

from hypothesis import given
from hypothesis import strategies as st

from chunkfast._core import parse, sentence_ends, wrap_width
from tests.corpora import real_documents, samples
from tests.reference.sentences import sentence_ends as reference_ends
from tests.strategies import raw_text

CHARACTERS = "aAbI.!?。！？…；，、:;\"'”“）)(（《》[]*_-—·~|#<>=123０一二第共页条的等或中$iv\U00020000éÉ§9/"
BLANKS = "\n\r\f\t \u2028\u2029\x85\u200b\u3000"
WORDS = (
    "Dr.",
    "No. ",
    "e.g. ",
    "U.S. ",
    "Inc. ",
    "The ",
    "Section ",
    "Plan B. ",
    "etc. ",
    "p. ",
    "al. ",
    "vitamin ",
    "the ",
)
LINES = ("[P3]\n", "- 2 -\n", "第 3 页 共 4 页\n", "Page 3 of 4\n", "\r\n", ". ", "; or\n", "...", "……", "\n> ", "\n\n")
STARTS = ("\n(a) ", "\n（一）", "\n1. ", "\n1.1 ", "\n$\\textcircled{1}$", "我们按确定的领取金额给付", "被保险人的年龄")
PIECES = st.sampled_from((*CHARACTERS, *BLANKS, *WORDS, *LINES, *STARTS))
mixed_text = st.lists(PIECES, max_size=40).map("".join)
wraps = st.sampled_from([0, 16, 20, 36, 80])


@given(st.one_of(raw_text, mixed_text), wraps, st.sampled_from(["", "é", "中", "\U00020000"]))
def test_same_ends_as_the_reference(text, wrap, wide):
    text += wide  # one character makes the whole string of its kind
    assert sentence_ends(text, wrap).tolist() == reference_ends(text, wrap)


def test_same_ends_as_the_reference_in_documents():
    for document in samples():
        for wrap in {0, wrap_width(document.text)}:
            assert sentence_ends(document.text, wrap).tolist() == reference_ends(document.text, wrap), document.name


@given(st.one_of(raw_text, mixed_text), wraps)
def test_every_character_is_in_one_sentence(text, wrap):
    ends = sentence_ends(text, wrap).tolist()
    assert ends == sorted(set(ends))
    assert (ends[-1] if ends else 0) == len(text.rstrip())
    for start, end in zip([0, *ends], ends, strict=False):
        assert text[start:end].strip()
        assert not text[end - 1].isspace()


@given(mixed_text, wraps, st.sampled_from(["\r\n", "\r", "\u2028", "\x85"]))
def test_every_line_end_counts_alike(text, wrap, line_end):
    lines = re.split("\r\n|[\n\r\u2028\x85]", text)
    plain, other = "\n".join(lines), line_end.join(lines)

    def sentences(text):
        ends = sentence_ends(text, wrap).tolist()
        return [text[a:b].strip().replace(line_end, "\n") for a, b in zip([0, *ends], ends, strict=False)]

    assert sentences(other) == sentences(plain)


@given(mixed_text)
def test_the_width_is_that_of_the_parsed_document(text):
    assert wrap_width(text) == parse(text).wrap
    assert sentence_ends(text).tolist() == sentence_ends(text, wrap_width(text)).tolist()


def test_the_width_of_long_documents_is_that_of_the_parsed_document():
    for document in real_documents("reports"):
        assert wrap_width(document.text) == parse(document.text).wrap > 0, document.name
