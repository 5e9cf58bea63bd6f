"""The kernel reads the number at a line's start as the plain one does, in strings of every kind."""

from hypothesis import given
from hypothesis import strategies as st

from chunkfast._core import read_mark
from tests.reference import marks

NUMBER = st.sampled_from("一二三十百零〇0123456789０１２").flatmap(
    lambda c: st.text(c + "一二十0159２", max_size=3).map(lambda t: c + t)
)
SIGN = st.sampled_from(["第", "(", "（", "", "章", "条", "节", ")", "）", ".", "．", "、", " ", "之", "部分"])


@given(st.lists(SIGN | NUMBER, max_size=7).map("".join), st.sampled_from(["甲", " 甲", "", "\U00020000"]))
def test_same_number_as_the_reference(head, tail):
    line = head + tail
    told, expected = read_mark(line), marks.read_mark(line)
    if told is None:
        # an amount is refused by the character after it, more than seven digits are no number
        assert expected is None or expected[0] in ("1", "1.1", "(1)") or sum(c.isdigit() for c in head) > 7
    elif told["family"] and not told["letters"]:
        assert expected is not None
        assert tuple(told["path"][: told["parts"]]) == expected[1]


@given(st.text(max_size=30))
def test_spans_lie_in_order(line):
    mark = read_mark(line)
    if mark is not None:
        assert 0 <= mark["start"] <= mark["number_start"] <= mark["number_end"] <= mark["rest"] <= len(line)
