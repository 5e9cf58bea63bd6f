"""Sentence ends by the rules of the sentence kernel, in slow plain Python with regular expressions.

`sentence_ends(text, wrap)` is the whole; every function below it answers one question about one place.
"""

import re
from functools import cache

import regex

TITLE_SIZE = 128
PROSE = range(40, 161)  # widths of a line of alphabetic prose

LINE_END = re.compile("\r\n|[\n\x0b\x0c\r\x85\u2028\u2029]")
HARD = "。！？｡"
STOPS = HARD + ".!?…"
CLOSERS = ")]}”’』」）》〉】〕］｝»"
OPENERS = "([{\"'*_“‘『「（《〈【〔«"
INSIDE = ",;:，、；："  # punctuation that stands inside a sentence
HAN_NUMERALS = "一二三四五六七八九十百千零〇"
NUMBER = "0-9０-９" + HAN_NUMERALS


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER = words(
    """
    dr mr mrs ms mx prof messrs mme mlle hon rev gov sen rep gen col maj capt cmdr lt sgt cpl adm supt pres st
    mt ft vs cf viz eg ie approx ca esp resp excl incl ibid nee lit abbr aka spp subsp var
    """
)
NUMBERED = words(
    """
    no nos nr fig figs eq eqs eqn ref refs vol vols sec secs sect art arts ch chap pp pg para paras pt pts reg
    regs cl cls sch app ex tab ed eds ver max min
    """
)
MAY_END = words(
    """
    inc ltd co corp llc plc bros cie jr sr esq etc al et jan feb mar apr jun jul aug sept sep oct nov dec mon
    tue tues wed thu thur thurs fri ave blvd rd dept univ assn assoc inst intl natl govt mfg est misc avg std hr
    hrs mins lb lbs oz km cm mm kg tel calif minn penn tenn conn colo ariz fla wis bn mn phd dba op syn
    """
)
STARTERS = words(
    """
    the this that these those there then they their we our he his she her it its you your i my a an in on at as
    by for from of to with if when while where what which who why how but and or so yet not all any each both
    some many most such other one two also after before since until during under although because however thus
    hence here let is are was do does did can may has have had please see today now once only even despite
    unlike upon
    """
)
UNITS = words(
    """
    section sections article chapter part title rule schedule annex appendix exhibit figure table note step item
    question clause phase stage class type group grade category plan option tier series vitamin point letter
    book lemma theorem example
    """
)


# --- characters


@cache
def has(pattern: str, c: str) -> bool:
    return regex.fullmatch(pattern, c) is not None


def is_cjk(c: str) -> bool:
    return has(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]", c)


def is_wide(c: str) -> bool:
    return is_cjk(c) or "\u3001" <= c <= "\u303f" or "\uff01" <= c <= "\uffef"


def is_lower(c: str) -> bool:
    return has(r"\p{Ll}", c)


def is_blank(c: str) -> bool:
    return c.isspace() or c in "\u200b\u200e\u200f\ufeff"


def is_digit(c: str) -> bool:
    return c in "0123456789" and c != ""


def is_letter(c: str) -> bool:
    return c.isascii() and c.isalpha()


def blanks(text: str, p: int) -> int:
    """Past the blanks at p that end no line."""
    while p < len(text) and is_blank(text[p]) and not LINE_END.match(text, p):
        p += 1
    return p


# --- lines

BLANK = r"[^\S\n\x0b\x0c\r\x85\u2028\u2029]|[\u200b\u200e\u200f\ufeff]"
COUNTED = "〇零一壹二贰两三叁四肆五伍六陆七柒八捌九玖十拾百佰千仟万"  # what a page may be counted in
FORMS = {"b": f"(?:{BLANK})*+", "n": "[0-9０-９]{1,7}+(?![0-9０-９])"}
FORMS["w"] = "[第共]{b}(?:{n}|[%s]{{1,9}}+(?![%s])){b}[页頁]".format(**FORMS) % (COUNTED, COUNTED)
PAGE_MARKS = [
    r"\[[Pp]([Aa][Gg][Ee])?{b}{n}\]",
    "{w}(?:{b}(?:[/,，／|]{b})*+{w})?+",
    r"([-–—·~－])\1?+{b}{n}{b}\1{{1,2}}+",
    r"[Pp][Aa][Gg][Ee]{b}{n}(?:{b}(?:/|[Oo][Ff]){b}{n})?+",
]
PAGE_MARK = [regex.compile(form.format(**FORMS)) for form in PAGE_MARKS]
LONGEST_MARK = 100  # characters
PAGE_NUMBER = regex.compile("[0-9０-９]{1,7}+(?![0-9０-９])|[IVXLCivxlc]{1,7}+")
END_OF_LINE = regex.compile(f"(?:{BLANK})*+(?=[\n\x0b\x0c\r\x85\u2028\u2029]|$)")


def furniture(text: str, p: int) -> tuple[str, int]:
    """What the line at p is: ("mark" | "number" | "", its end)."""
    marks = [form.match(text, p, p + LONGEST_MARK) for form in PAGE_MARK]
    for kind, m in [*(("mark", m) for m in marks), ("number", PAGE_NUMBER.match(text, p))]:
        if m and (line := END_OF_LINE.match(text, m.end())):
            return kind, line.end()
    return "", p


def next_line(text: str, p: int) -> int:
    m = LINE_END.match(text, p)
    assert m
    return m.end()


def near_page_mark(text: str, p: int) -> bool:
    while p < len(text):
        if text[p] == "\f":
            return True
        p = blanks(text, next_line(text, p))
        if p < len(text) and not LINE_END.match(text, p):
            return furniture(text, p)[0] == "mark"
    return False


def read_gap(text: str, p: int, page: bool) -> tuple[int, int, bool, bool, list[int]]:
    """From the start of a line: (content, its line, blank line?, page mark?, ends of furniture)."""
    blank, ends = False, []
    while True:
        f = blanks(text, p)
        if f == len(text):
            return f - 1, p, blank, page, ends
        if LINE_END.match(text, f):
            if text[f] == "\f":
                page = True
            else:
                blank = True
            p = next_line(text, f)
            continue
        kind, q = furniture(text, f)
        if not kind or q == len(text) or (kind == "number" and not page and not near_page_mark(text, q)):
            return f, p, blank, page, ends
        page = True
        p = next_line(text, q)
        ends.append(len(text[:q].rstrip()))


BULLET = re.compile(r"[#|>]|=[= ]|</|<[A-Za-z]|```|~~~|\$\\[Tt][Ee][Xx][Tt][Cc]|[-*+–]\s|[•·●○■□◆▪①-⒛❶-➓]")
BRACKETED = regex.compile(rf"[(（](?:[A-Za-z][ivxlcIVXLC]{{0,4}}+|[{NUMBER}]{{1,5}}+)[)）]")
ORDINAL = regex.compile(rf"第[{NUMBER}]{{1,8}}+[条章节编部]")
NUMBERED_LINE = regex.compile(rf"[{NUMBER}]{{1,4}}+(?:[、)）．].|(\.(?:[0-9][0-9.]{{0,10}}+)?+)(.))", regex.DOTALL)
LETTERED = regex.compile(r"(?:[A-Za-z]\.|[IVXLCivxlc]{1,6}+\)|[A-Za-z]\))\s")


def starts_item(text: str, p: int) -> bool:
    if text[p] in '“"' and p + 1 < len(text):
        p += 1
    if BULLET.match(text, p) or BRACKETED.match(text, p) or ORDINAL.match(text, p) or LETTERED.match(text, p):
        return True
    m = NUMBERED_LINE.match(text, p)
    if m and m[1] and (text[p] in HAN_NUMERALS or not (m[2].isspace() or is_cjk(m[2]))):
        return False
    return m is not None


def closes_clause(text: str, first: int, v: int) -> bool:
    line = text[first:v]
    if line[-1] in STOPS or line[-1] in ";:；：":
        return True
    if line[-1] in CLOSERS + '"':
        return len(line) > 1 and line[-2] in STOPS
    for word, least in (("and", 5), ("or", 4), ("或", 2), ("及", 2), ("和", 2)):
        if line.endswith(word) and len(line) >= least:
            before = line[: -len(word)]
            while before and is_blank(before[-1]):
                before = before[:-1]
            return before.endswith((";", "；", ","))
    return False


def starts_with_note(text: str, p: int, end: int) -> bool:
    digits = re.compile("[0-9]*").match(text, p, end).end() - p
    if not 1 <= digits <= 3:
        return False
    q = p + digits
    return q == end or bool(LINE_END.match(text, q)) or is_cjk(text[q]) or text[q] in "。，；："


def word_size(text: str, p: int) -> int:
    return len(re.compile(r"\S*").match(text, p)[0])


def line_goes_on(text: str, start: int, v: int, line: int, first: int, gap: int, furniture: bool, wrap: int) -> bool:
    """The sentence from `start`, whose line [line, v) with `first` ends at v, goes on at `gap` on a later line."""
    p = gap
    if text[p] == ">" and text[first] == ">":
        q = blanks(text, p + 1)
        if q < len(text) and not LINE_END.match(text, q):
            p = q
    head, size, last = text[p], v - line, text[v - 1]
    if head in INSIDE + "。" or (head in CLOSERS and head != "}"):
        return True
    wide = is_wide(head) or any(is_wide(c) for c in text[max(first, v - 8) : v])
    item = starts_item(text, p)
    slack = wrap // 8 if wrap >= 24 else 3
    full = wrap > 0 and size >= wrap - slack
    if furniture:
        if item:
            return False
        if closes_clause(text, first, v):
            return full
        if wrap and size * 2 < wrap:
            return False
        return wide or full or is_lower(head) or size >= PROSE.start
    cells = any(c in "|\t" for c in text[first + 1 : v])  # a tab or bar inside the line
    if head == "|" or text[first] in "|#" or (cells and not full):
        return False
    if wrap and not wide and size + 1 + min(word_size(text, p), wrap + 1) > wrap:
        full = True
    if full:
        return not (item and closes_clause(text, first, v))
    if wide and last in "，、":
        return not item
    if wide and wrap and not closes_clause(text, first, v):
        if size >= wrap - 2 * slack:
            return not item
        note = starts_with_note(text, first, v)
        if starts_with_note(text, p, len(text)):
            return size * 4 >= wrap or start != first or note
        if start != first and note:
            return not item
    if wide or item or last == ":":
        return False
    if is_lower(head):
        return True
    if wrap or size not in PROSE:
        return False
    next_end = LINE_END.search(text, p)
    next_size = (next_end.start() if next_end else len(text)) - p
    return next_size < size + 1 + min(word_size(text, p), size + 1)


# --- words around a full stop


def word_before(text: str, start: int, p: int) -> str:
    """The lower-cased ASCII word that ends at p, "" where it has more than 8 letters."""
    word = re.search("[A-Za-z]*$", text[start:p])[0]
    return word.lower() if len(word) <= 8 else ""


def is_starter(text: str, p: int) -> bool:
    word = re.compile("[A-Za-z]*").match(text, p)[0]
    return word[:1].isupper() and word.lower() in STARTERS and text[p + 1 : p + 2] != "."


def is_only_number(text: str, start: int, p: int) -> bool:
    part = text[start:p]
    if len(part) > 24:
        return False
    while part and not has(r"[\p{L}\p{N}]", part[0]):
        part = part[1:]
    m = re.match(r"([A-Za-z]{2,8})\s", part)
    if m and m[1].lower() in UNITS:
        part = part[m.end() :]
    if re.fullmatch(f"[{NUMBER}.]*", part):
        return len(part) <= 10
    return re.fullmatch("[IVXLCivxlc]{1,5}|[A-Za-z]", part) is not None


def lower_text(text: str, start: int, p: int) -> bool:
    q = start
    while q < p and q - start < 8 and not has(r"[\p{Lu}\p{Lt}\p{Ll}]", text[q]):
        q += 1
    return is_lower(text[q])


def full_stop_ends(text: str, start: int, p: int, x: int) -> bool:
    """The full stop at p, with white space after it and then x, ends the sentence from `start`."""
    q = x
    while q < len(text) and q - x < 3 and text[q] in OPENERS:
        q += 1
    if q == len(text):
        q = x
    after = text[q]
    before = text[p - 1]
    if is_wide(before) and before not in HAN_NUMERALS + "．":
        return True
    if is_only_number(text, start, p):
        return False
    said = text[start:p].rstrip()
    if not said:
        return False
    p = start + len(said)
    if is_digit(said[-1]) and is_digit(after) and x == q and len(re.search("[0-9]*$", said)[0]) <= 2:
        return False
    word = re.search("[A-Za-z]*$", said)[0]
    if word:
        b = len(said) - len(word)
        if len(word) <= 2 and b >= 2 and said[b - 1] == "." and is_letter(said[b - 2]):
            if (said[b - 2].lower(), word) in (("e", "g"), ("i", "e")):
                return False
            return is_starter(text, q)
        if len(word) == 1:
            if b > 0 and not is_blank(said[b - 1]) and said[b - 1] not in OPENERS:
                return not is_lower(after)
            if b > 1 and word_before(said, 0, b - 1) in UNITS:
                return True
            return is_starter(text, q)
        key = word.lower() if len(word) <= 8 else ""
        if key in NEVER:
            return False
        if key in NUMBERED:
            two = text[q : q + 2]
            if b == 0 and two[0] == "I" and two[1:].isspace():
                return True
            if re.match(f"[{NUMBER}§]", two) or re.fullmatch("(?s)[A-Z][^A-Za-z]|[IVXLC]{2}", two):
                return False
        if key in MAY_END:
            return is_starter(text, q)
    return not is_lower(after) or lower_text(text, start, p)


def quote_closes(text: str, p: int, paragraph: int) -> bool:
    """The straight quote at p, right after a stop, closes what was opened in the paragraph."""
    if p + 1 == len(text):
        return True
    c = text[p + 1]
    if c.isspace() or c in CLOSERS + STOPS + INSIDE + "\"'":
        return True
    if text[p] == "'":
        return is_cjk(c)
    return text.count('"', paragraph, p) % 2 == 1


def sentence_ends(text: str, wrap: int = 0) -> list[int]:
    text = text.rstrip()
    ends: list[int] = []
    if not text:
        return ends
    gap, line, _, _, furniture_ends = read_gap(text, 0, False)
    ends += furniture_ends
    start = paragraph = first = p = gap
    title = -1
    while p < len(text):
        c = text[p]
        if LINE_END.match(text, p):
            v = p
            while v > start and is_blank(text[v - 1]):
                v -= 1
            gap, next_start, blank, page, furniture_ends = read_gap(text, next_line(text, p), c == "\f")
            one_paragraph = v > start and c != "\u2029" and (page or not blank)
            if one_paragraph and line_goes_on(text, start, v, line, first, gap, page, wrap):
                p = first = gap
                line = next_start
                continue
            if v > start:
                ends.append(len(text[:p].rstrip()))
            if page:
                ends += furniture_ends
            p = start = paragraph = first = gap
            line = next_start
            title = -1
        elif c == "《" and p >= title:
            found = text.find("》", p, p + TITLE_SIZE)
            title = found if found >= 0 else title
            p += 1
        elif c in STOPS:
            p, ended, line, first = at_stop(text, p, start, paragraph, title, line, first)
            if ended:
                ends.append(p)
                start = blanks(text, p)
        else:
            p += 1
    return [*ends, len(text)]


def at_stop(
    text: str, p: int, start: int, paragraph: int, title: int, line: int, first: int
) -> tuple[int, bool, int, int]:
    """(where to read on, whether the sentence ends there, start and first of the line there)."""
    run = re.compile(f"[{re.escape(STOPS)}]+").match(text, p)[0]
    q = after = p + len(run)
    if p < title:
        return q, False, line, first
    while q < len(text):
        c = text[q]
        if c in CLOSERS or (c in "\"'" and quote_closes(text, q, paragraph)):
            q += 1
        elif (bold := regex.compile(r"(\*{1,4}+|_{1,4}+)").match(text, q)) and (
            bold.end() == len(text) or text[bold.end()].isspace()
        ):
            q = bold.end()
        else:
            break
    if q == len(text) or text[q] in STOPS + INSIDE or (q > after and text[q] in "的等"):
        return q, False, line, first
    x = q + len(re.compile(r"\s*").match(text, q)[0])
    d, apart, before = text[q], x > q, text[p - 1] if p else ""
    dots = run.count(".") + 2 * run.count("…")
    if any(c in HARD for c in run):
        if q > after and p > start and before in "(（":
            return q, False, line, first
        end_of_line = blanks(text, q)
        if LINE_END.match(text, end_of_line):
            next_start = next_line(text, end_of_line)
            y = blanks(text, next_start)
            if y < len(text) and text[y] in CLOSERS and not text[y].isascii():
                line, first = next_start, y
                q = y + len(re.compile(f"[{re.escape(CLOSERS)}]*").match(text, y)[0])
        return q, q < len(text), line, first
    if p == start:
        ends = False
    elif run == ".":
        if apart:
            ends = full_stop_ends(text, start, p, x)
        elif after == q:
            ends = is_wide(d) and is_wide(before) and before not in HAN_NUMERALS
        else:
            ends = is_wide(d)
    elif dots >= 2:
        leader = dots >= 8 or is_digit(text[x]) or is_lower(text[x]) or text[x] == "第"
        ends = not leader and (apart or is_wide(d) or d == "“")
    elif apart:
        ends = is_wide(before) or not is_lower(text[x]) or (q == after and lower_text(text, start, p))
    else:
        ends = is_wide(d) or (is_wide(before) and d != "=")
    return q, ends, line, first
