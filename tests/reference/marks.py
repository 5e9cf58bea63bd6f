"""Marks at the start of a line, by regular expressions: (family, parts, number) or None. Slow and plain."""

import re
import unicodedata

HAN = "〇零一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟"
DIGIT = "[0-9０-９]"
FAMILIES = [
    ("第X章", rf"第\s*([{HAN}]{{1,9}}|{DIGIT}{{1,7}})\s*(条|章|节|编|篇|卷|部分|分编)(之([{HAN}]{{1,9}}))?"),
    ("一、", rf"([{HAN.replace('零', '').replace('〇', '')}][{HAN}]{{0,8}})[.．、]"),
    ("（一）", rf"[(（〔]\s?([{HAN}]{{1,9}})\s*[)）〕]"),
    ("(1)", rf"[(（〔]\s?({DIGIT}{{1,3}})\s*[)）〕]"),
    ("1)", rf"({DIGIT}{{1,7}})[)）〕]"),
    ("1.1", rf"({DIGIT}{{1,7}}(?:[.．]{DIGIT}{{1,4}})+)[.．、]?(?![0-9０-９])"),
    ("1.", rf"({DIGIT}{{1,7}})[.．、]"),
    ("1", rf"({DIGIT}{{1,7}})(?!{DIGIT})"),
]


def han_number(digits):
    """Value of a Chinese numeral: 三百零一, or one digit after the other as in 二〇二四."""
    values = dict(
        zip("〇零一二两三四五六七八九壹贰叁肆伍陆柒捌玖", [0, 0, 1, 2, 2, *range(3, 10), *range(1, 10)], strict=True)
    )
    units = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
    total, digit, seen = 0, 0, False
    for char in digits:
        if char in units:
            total, digit, seen = total + units[char] * (digit or 1), 0, True
        else:
            digit = values[char] if seen else digit * 10 + values[char]
    return total + digit


def read_mark(line):
    """The first family that fits at the start of `line`, as (family, values of the number's parts), or None."""
    for family, pattern in FAMILIES:
        found = re.match(pattern, line)
        if found:
            number = found.group(1)
            if number[0] in HAN:
                return family, (han_number(number),)
            return family, tuple(int(unicodedata.normalize("NFKC", part)) for part in re.split("[.．]", number))
    return None
