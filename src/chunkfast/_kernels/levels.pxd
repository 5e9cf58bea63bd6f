"""The level that one line would have as a heading, told from that line alone."""
from chunkfast._kernels.features cimport (
    Candidate, END_CLOSED, END_COLON, ending_of, introduces, is_word_family, read_title, without_leader,
)
from chunkfast._kernels.headings cimport refers
from chunkfast._kernels.marks cimport (
    FORM_BARE, FORM_COMMA, F_ARABIC, F_ARTICLE, F_BULLET, F_DECIMAL, F_EN_PART, F_GLYPH, F_HAN, F_LETTER, F_NONE,
    F_UPPER_ROMAN, read_mark,
)
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, skip_blanks, uint32_t


cdef inline bint _is_unit(uint32_t c, bint decimal) noexcept nogil:
    """A character that makes the number before it an amount; after 1.1 only those that no title starts with."""
    if c == 0x4EBF or c == 0x4E07 or c == 0x500D or c == 0x5143 or c == 0x5343 or c == 0x767E or c == 0x2103 \
            or c == 0xFF05:
        return True  # 亿 万 倍 元 千 百 ℃ ％
    if decimal:
        return False
    return c == 0x5E74 or c == 0x6708 or c == 0x65E5 or c == 0x5468 or c == 0x5C81 or c == 0x4E2A or c == 0x5929 \
            or c == 0x79CD \
        or c == 0x9879 or c == 0x540D or c == 0x6B21 or c == 0x9875 or c == 0x53F7 or c == 0x4EFD or c == 0x4EBA \
        or c == 0x7EA7 \
        or c == 0x6B3E or c == 0x6761  # 年 月 日 周 岁 个 天 种 项 名 次 页 号 份 人 级 款 条


cdef inline int header_level(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """1, 2 or 3 for the line [p, end); 0 where it is no heading."""
    cdef Candidate c
    cdef int32_t family
    cdef uint32_t first
    while end > p and is_blank(text[end - 1]):
        end -= 1
    p = skip_blanks(text, p, end)
    if not read_mark(text, p, end, &c.mark):
        return 0
    family = c.mark.family
    if c.mark.bold and end - c.mark.rest > 2 and (text[end - 1] == 42 or text[end - 1] == 95) \
            and text[end - 2] == text[end - 1]:
        end -= 2
    end = without_leader(text, c.mark.rest, end, &c.leader, &c.tail)
    if c.leader:
        return 0
    c.gapped = c.full = False
    c.ending = ending_of(text, c.mark.rest, end)
    read_title(text, c.mark.rest, end, &c)
    if F_NONE < family < F_EN_PART:  # an article's number is a heading whatever follows
        if refers(text, c.mark.number_end, end, False) or (family != F_ARTICLE and (c.ending == END_CLOSED or c.long)):
            return 0
        return 1
    if c.ending == END_CLOSED or c.long or (c.ending == END_COLON and introduces(text, c.mark.rest, end)):
        return 0
    if family == F_NONE:
        return min(c.mark.hashes, 3) if c.size else 0
    if family == F_BULLET or family == F_GLYPH:
        return 0
    first = text[c.mark.rest] if c.mark.rest < end else 0
    if is_word_family(family):
        if 97 <= first <= 122:
            return 0  # Article 5 applies
        return 1 if c.mark.parts == 1 else min(c.mark.parts, 3)
    if family == F_ARABIC or family == F_DECIMAL:
        if c.mark.form == FORM_BARE \
                and (_is_unit(first, family == F_DECIMAL) or first == 0x7684 or c.mark.path[0] >= 1900
                     or c.mark.path[0] == 0
                                         or (family == F_ARABIC and c.mark.rest == c.mark.number_end)):
            return 0
        if family == F_ARABIC:
            return 1
        return 2 if c.mark.parts == 2 else 3
    if family == F_UPPER_ROMAN \
            or (family == F_LETTER and c.mark.sign == 65 and c.mark.form <= FORM_COMMA and 0 < c.mark.roman <= 10):
        return 1
    return 2 if family == F_HAN else 3
