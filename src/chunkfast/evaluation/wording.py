"""How generated questions are worded, in Chinese and in English: `Chinese` and `English` have the same methods."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"\s*(?:[（(][一二三四五六七八九十百\d]+[）)]|第[〇零一二三四五六七八九十百千\d]+条(?:之[一二三四五六七八九十]+)?"
    r"|[一二三四五六七八九十]+、|\d+(?:\.\d+)*[.、．）)](?!\d)|\d+(?:\.\d+)+(?=[\s\u2e80-\uffff])(?!\s*[元万年月日周岁%])|[①-⑳]|[（(]?[a-zA-Z][)）.](?=\s)|\([ivx]+\)"
    r"|[-*+•](?=\s))[\s:：、.．]*"
)
_NEGATIVE = re.compile(
    r"不(?:承担|负|予|得|属于|在|含|包括|包含|适用|能|应|给付|赔|是|再|计|构成|视为|可以|需|须|退|受理|支持|享)|除外|免除|免责|禁止"
    r"|\b(?:not(?!\s(?:later|more|less|fewer|only|exceed))|never|nor|neither|except\w*|exclu\w+|without|prohibit\w*|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_ZH_DEFINED = re.compile(
    r"(?:本\w{1,8}?(?:中|内)?所称的?|所称的?)?[“\"「]?(?P<term>[^“”\"「」，。；：、,()（）]{2,15}?)[”\"」]?[，,]?"
    r"(?:是指|系指|指的是|指)(?![定示导出数标引南派挥纹控责向明令])"
)
_EN_DEFINED = re.compile(r"[“\"'*]+(?P<term>[^“”\"'*]{2,50})[”\"'*]+,?\s+(?:means|is defined as|refers to)\b")
_CONDITION = re.compile(r"(?P<condition>[^。；]{4,80}?的)，(?!但)")
_IF = re.compile(r"(?P<condition>(?:If|Where|When|Unless)\s[^.;]{10,120}?),\s")
_BACKWARD = re.compile(
    r"(?:It|Its|This|They|Their|Them|These|Those|That|He|She|His|Her|But|And|So|Or|Not|Then|Such|Both|Neither)\b"
    r"|其|该|此|前[款述项条]|上述|但|以上|否则|这"
)
_SMALL = re.compile(
    r"(?:an?|any|each|every|he|if|in|it|no|on|she|the|they|this|these|unless|we|when|where|you|your)\b", re.IGNORECASE
)
_DUTY = re.compile(r"(?P<who>[A-Z](?:[\w'’-]+\s){0,5}?[\w'’-]+)\s(?P<verb>must|shall|may|should|can)(?P<no>\s?not)?\s")


def unmarked(text: str) -> str:
    """A sentence or item in one line, without its number or bullet and without what closes it."""
    lines = [line.strip() for line in text.strip().splitlines()]
    joined = lines[0] if lines else ""
    for line in lines[1:]:
        joined += line if joined[-1:] > "\u2e7f" or line[:1] > "\u2e7f" else f" {line}"
    if found := _MARK.match(joined):
        joined = joined[found.end() :]
    return re.sub(r"(?:[;；。，,]|;?\s+(?:and|or))+$", "", joined.strip("*_ ").rstrip(".。"))


def negates(lead_in: str) -> bool:
    """Whether a lead-in says that something is not so, by the words at its end."""
    return bool(_NEGATIVE.search(lead_in[-30 if is_chinese(lead_in) else -70 :]))


def is_chinese(text: str) -> bool:
    """Whether a text has one Chinese character for every three ASCII letters, or more; tags aside."""
    text = re.sub(r"<[^<>]*>", "", text)
    wide = len(re.findall(r"[\u3400-\u9fff]", text))
    return 3 * wide > len(re.findall(r"[A-Za-z]", text))


def points_back(sentence: str) -> bool:
    """Whether a sentence begins with a word for something that stands before it."""
    return bool(_BACKWARD.match(unmarked(sentence)))


def bare(line: str) -> str:
    """A caption or condition line without the brackets and marks around it."""
    line = line.strip("#*-–— ").rstrip("。.")
    return line[1:-1] if line[:1] in "（(" and line[-1:] in "）)" else line


class Chinese:
    shortest, longest = 16, 300  # characters of an answer

    def defined(self, sentence: str) -> str | None:
        """The term that a sentence defines."""
        found = _ZH_DEFINED.match(unmarked(sentence))
        return found["term"].strip() if found else None

    def is_part(self, term: str, text: str) -> bool:
        return term in text

    def where(self, title: str | None, heading: str) -> str:
        return "，".join(filter(None, [title, "" if heading == title else heading])) + "："

    def cue(self, text: str) -> str:
        """The beginning of a sentence: enough to tell which, the rest being the answer."""
        text = unmarked(text)
        first = re.match(r"[^，,；;：:]{8,40}(?=[，,；;：:])", text)
        return first[0] if first else text[: max(8, min(24, len(text) // 2))]

    def text(self, where: str, sentence: str) -> str:
        if term := self.defined(sentence):
            return f"{where}什么是“{term}”？"
        if condition := _CONDITION.match(unmarked(sentence)):
            return f"{where}{condition['condition']}，怎么规定？"
        return f"{where}关于“{self.cue(sentence)}”，是怎么规定的？"

    def table(self, where: str, conditions: str, row: tuple[str, str], column: str) -> str:
        held = f"{conditions}，" if conditions else ""
        return f"{where}{held}{row[0].replace('/', '')}为{row[1]}的，{column.replace('/', '，')}是多少？"

    def item(self, where: str, item: str, lead_in: str) -> str:
        asked = "适用什么规定"
        if re.search(r"(?:不|免除|除外).{0,12}(?:责任|赔|给付|保险金)|责任免除", lead_in):
            asked = "保险公司承担责任吗"
        elif re.search(r"不得|禁止|严禁", lead_in):
            asked = "可以吗"
        elif negates(lead_in):
            asked = "也是这样吗"
        return f"{where}{item}，{asked}？"

    def reference(self, where: str, sentence: str, number: str, title: str) -> str:
        named = f"{number}“{title}”" if title else number
        return f"{where}{self.cue(sentence)}，其中所指的{named}是怎么规定的？"

    def term(self, where: str, sentence: str, term: str) -> str:
        return f"{where}{self.cue(sentence)}，怎么规定？其中的“{term}”指什么？"


class English:
    shortest, longest = 40, 900

    def defined(self, sentence: str) -> str | None:
        found = _EN_DEFINED.match(unmarked(sentence))
        return found["term"].strip() if found else None

    def is_part(self, term: str, text: str) -> bool:
        return bool(re.search(rf"\b{re.escape(term)}\b", text, re.IGNORECASE))

    def where(self, title: str | None, heading: str) -> str:
        return ", ".join(filter(None, [title, "" if heading == title else heading])) + ": "

    def cue(self, text: str) -> str:
        words = unmarked(text).split()
        return " ".join(words[: max(4, min(10, len(words) // 2))]).rstrip(",;:")

    def text(self, where: str, sentence: str) -> str:
        plain = unmarked(sentence)
        if term := self.defined(sentence):
            return f"{where}what does “{term}” mean?"
        if condition := _IF.match(plain):
            return f"{where}what applies {_lower(condition['condition'])}?"
        if (duty := _DUTY.match(plain)) and len(plain) - duty.end() > 15:
            beginning = " ".join(plain[duty.end() :].split()[:3]).rstrip(",;:")
            return f"{where}what {duty['verb']} {_lower(duty['who'])}{duty['no'] or ''} {beginning}, and how?"
        return f"{where}what is said of “{self.cue(sentence)}”?"

    def table(self, where: str, conditions: str, row: tuple[str, str], column: str) -> str:
        held = f" ({conditions})" if conditions else ""
        return f"{where}what is “{column.replace('/', ', ')}” where “{row[0].replace('/', ', ')}” is {row[1]}{held}?"

    def item(self, where: str, item: str, lead_in: str) -> str:
        if negates(lead_in):
            return f"{where}is this excluded or forbidden: {_lower(item)}?"
        return f"{where}what is said of {_lower(item)}?"

    def reference(self, where: str, sentence: str, number: str, title: str) -> str:
        number = re.sub(r"^(\w+)s\b", r"\1", number)  # "Rules 4.2 and 4.3": one is asked about
        named = f"{number} ({title})" if title else number
        return f"{where}“{self.cue(sentence)}...” refers to {named}: what do both say?"

    def term(self, where: str, sentence: str, term: str) -> str:
        return f"{where}what is said of “{self.cue(sentence)}...”, and what does “{term}” mean there?"


def _lower(text: str) -> str:
    """A sentence's beginning inside another one."""
    return text[:1].lower() + text[1:] if _SMALL.match(text) else text
