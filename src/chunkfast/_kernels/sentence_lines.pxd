"""What stands at a line end inside a sentence: page furniture, list items, notes, and whether the sentence goes on
after it."""
from libcpp.vector cimport vector

from chunkfast._kernels.numerals cimport read_digits
from chunkfast._kernels.page_marks cimport may_be_page_mark, page_mark_end, past_word
from chunkfast._kernels.text cimport (
    LOWER, cf_class, char_t, int32_t, int64_t, is_blank, is_cjk, is_letter, is_line_end, is_space, skip_blanks,
    uint32_t,
)
from chunkfast._kernels.wrapping cimport text_wrap_width, wrap_slack

cdef enum:
    PROSE_WIDTH_MIN = 40  # widths to which alphabetic prose is wrapped
    PROSE_WIDTH_MAX = 160

cdef struct Reader:
    int64_t size  # of the whole text
    int64_t end  # of the range, trailing white space left out
    int64_t wrap  # width of the text's hard-wrapped lines, 0 for none, -1 until it is looked for
    int64_t start  # of the sentence that is being read
    int64_t line  # where the line starts that is being read
    int64_t first  # ... and its first character that is not blank
    int64_t cell  # ... the first | or tab after that, or -1
    int64_t title  # the 》 of the title that is being read, or something before
    int64_t titles_read  # up to here it is known where the next 》 stands
    int64_t quotes_from  # start of the paragraph, where counting of straight quotes begins
    int64_t quotes_read
    bint quote_open  # a straight double quote is open at quotes_read
    int64_t gap  # content after the gap that `_read_gap` has read last
    bint gap_blank  # there is a blank line in it
    bint gap_furniture  # ... a page mark


# Characters


cdef inline bint is_stop(uint32_t c) noexcept nogil:
    if c < 128:
        return c == 46 or c == 33 or c == 63
    return c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 0x2026 or c == 0xFF61


cdef inline bint is_closer(uint32_t c) noexcept nogil:
    """A bracket or quote that can only close."""
    if c < 128:
        return c == 41 or c == 93 or c == 125
    return c == 0x201D or c == 0x2019 or c == 0x300F or c == 0x300D or c == 0xFF09 or c == 0x300B or c == 0x3009 \
        or c == 0x3011 or c == 0x3015 or c == 0xFF3D or c == 0xFF5D or c == 0xBB


cdef inline bint is_opener(uint32_t c) noexcept nogil:
    if c < 128:
        return c == 40 or c == 91 or c == 123 or c == 34 or c == 39 or c == 42 or c == 95
    return c == 0x201C or c == 0x2018 or c == 0x300E or c == 0x300C or c == 0xFF08 or c == 0x300A or c == 0x3008 \
        or c == 0x3010 or c == 0x3014 or c == 0xAB


cdef inline bint goes_on_with(uint32_t c) noexcept nogil:
    """Punctuation that stands inside a sentence: what comes before it was not the end."""
    if c < 128:
        return c == 44 or c == 59 or c == 58
    return c == 0xFF0C or c == 0x3001 or c == 0xFF1B or c == 0xFF1A


cdef inline bint is_wide(uint32_t c) noexcept nogil:
    """Ideographs and their punctuation: of a script that is written without spaces."""
    return c >= 0x2E80 and (is_cjk(c) or 0x3001 <= c <= 0x303F or 0xFF01 <= c <= 0xFFEF)


cdef inline bint is_digit(uint32_t c) noexcept nogil:
    return 48 <= c <= 57


cdef inline bint is_lower(uint32_t c) noexcept nogil:
    return (cf_class(c) & LOWER) != 0


cdef inline bint is_numeral(uint32_t c) noexcept nogil:
    """Chinese numeral: 一二三四五六七八九十百千零〇."""
    return c >= 0x3007 and (
        c == 0x4E00 or c == 0x4E8C or c == 0x4E09 or c == 0x56DB or c == 0x4E94 or c == 0x516D or c == 0x4E03
        or c == 0x516B or c == 0x4E5D or c == 0x5341 or c == 0x767E or c == 0x5343 or c == 0x96F6 or c == 0x3007)


cdef inline bint is_number(uint32_t c) noexcept nogil:
    return 48 <= c <= 57 or 0xFF10 <= c <= 0xFF19 or is_numeral(c)


cdef inline bint is_roman(uint32_t c) noexcept nogil:
    c |= 32
    return c == 105 or c == 118 or c == 120 or c == 108 or c == 99


cdef inline int64_t next_line(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past the line end at p."""
    return p + 2 if text[p] == 13 and p + 1 < end and text[p + 1] == 10 else p + 1


# Lines


cdef inline int _furniture(const char_t* text, int64_t p, int64_t end, int64_t* line_end) noexcept nogil:
    """What the line whose first character is at p is: 2 a page mark, 1 a page number if a page mark is near, 0 text.

    Where it is not text, `line_end` is set to its line end, or `end`.
    """
    cdef int64_t q = p
    cdef int32_t value = 0
    cdef int kind = 2
    if may_be_page_mark(text, p, end):
        q = page_mark_end(text, p, end)
    elif 0x4E00 <= text[p] <= 0x9FFF:
        return 0  # most Chinese lines
    if q == p:
        kind = 1
        q = read_digits(text, p, end, &value)
        if q == p:
            while q < end and q - p < 7 and is_roman(text[q]):
                q += 1
        if q == p:
            return 0
    q = skip_blanks(text, q, end)
    if q < end and not is_line_end(text[q]):
        return 0
    line_end[0] = q
    return kind


cdef inline bint _near_page_mark(const char_t* text, int64_t p, Reader& r) noexcept nogil:
    """The next line after the line end at p that is not blank is a page mark."""
    cdef int64_t line_end
    while p < r.end:
        if text[p] == 12:
            return True
        p = skip_blanks(text, next_line(text, p, r.end), r.end)
        if p < r.end and not is_line_end(text[p]):
            return _furniture(text, p, r.end, &line_end) == 2
    return False


cdef inline void read_gap(const char_t* text, int64_t p, bint page, Reader& r, vector[int64_t]* ends) except + nogil:
    """From p, the start of a line: over blank lines and page furniture to the next content, into r.gap, r.line and
    r.first.

    `page`: a form feed stands before p. Where `ends` is given, each line of furniture is appended as a sentence of its
    own.
    """
    cdef int64_t f, q = 0
    cdef int kind
    r.gap_blank = False
    r.gap_furniture = page
    while True:
        f = skip_blanks(text, p, r.end)
        if f == r.end:  # only characters that show as nothing
            f -= 1
            break
        if is_line_end(text[f]):
            if text[f] == 12:
                r.gap_furniture = True
            else:
                r.gap_blank = True
            p = next_line(text, f, r.end)
            continue
        kind = _furniture(text, f, r.end, &q)
        if kind == 0 or q == r.end or (kind == 1 and not r.gap_furniture and not _near_page_mark(text, q, r)):
            break
        r.gap_furniture = True
        p = next_line(text, q, r.end)
        if ends != NULL:
            while is_space(text[q - 1]):
                q -= 1
            ends.push_back(q)
    r.gap = f
    r.line = p
    r.first = f
    r.cell = -1


cdef inline bint _starts_item(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The line whose first character is at p starts a list item, heading, table row or fence."""
    cdef int64_t q
    cdef uint32_t c = text[p], d
    if (c == 0x201C or c == 34) and p + 1 < end:
        p += 1
        c = text[p]
    if 0x4E00 <= c <= 0x9FFF and c != 0x7B2C and not is_numeral(c):
        return False
    if c == 35 or c == 124 or c == 62:  # # | >
        return True
    d = text[p + 1] if p + 1 < end else 0
    if c == 61:  # == Heading ==
        return d == 61 or d == 32
    if c == 60:  # <td>, </table>
        return d == 47 or is_letter(d)
    if c == 96 or c == 126:  # fence
        return p + 2 < end and d == c and text[p + 2] == c
    if c == 36:  # $\\textcircled{1}$
        return d == 92 and past_word(text, p + 2, end, b"textc") > p + 2
    if c == 45 or c == 42 or c == 43 or c == 0x2013:
        return is_space(d)
    if c == 0x2022 or c == 0xB7 or c == 0x25CF or c == 0x25CB or c == 0x25A0 or c == 0x25A1 or c == 0x25C6 \
            or c == 0x25AA:
        return True
    if 0x2460 <= c <= 0x249B or 0x2776 <= c <= 0x2793:  # ① ⑴ ⒈ ❶
        return True
    q = p + 1
    if c == 40 or c == 0xFF08:  # (1) (a) (iv) （一）
        if is_letter(d):
            q += 1
            while q < end and q - p < 6 and is_roman(text[q]):
                q += 1
        else:
            while q < end and q - p < 6 and is_number(text[q]):
                q += 1
        return p + 1 < q < end and (text[q] == 41 or text[q] == 0xFF09)
    if c == 0x7B2C:  # 第三条
        while q < end and q - p < 9 and is_number(text[q]):
            q += 1
        if q == p + 1 or q == end:
            return False
        d = text[q]
        return d == 0x6761 or d == 0x7AE0 or d == 0x8282 or d == 0x7F16 or d == 0x90E8  # 条章节编部
    if is_number(c):  # 1. 1、 1) 1.1 一、
        while q < end and q - p < 4 and is_number(text[q]):
            q += 1
        if q + 1 >= end:
            return False
        d = text[q]
        if d == 0x3001 or d == 41 or d == 0xFF09 or d == 0xFF0E:
            return True
        if d != 46 or is_numeral(c):
            return False
        p = q
        q += 1
        if is_digit(text[q]):  # 1.1 title
            while q < end and q - p < 12 and (is_digit(text[q]) or text[q] == 46):
                q += 1
        return q < end and (is_space(text[q]) or is_cjk(text[q]))
    if is_letter(c):  # a) A. iv)
        while q < end and q - p < 6 and is_roman(c) and is_roman(text[q]):
            q += 1
        return q + 1 < end and (text[q] == 41 or (text[q] == 46 and q == p + 1)) and is_space(text[q + 1])
    return False


cdef inline bint _closes_clause(const char_t* text, int64_t start, int64_t p) noexcept nogil:
    """What ends before p lets a list item follow: it ends in a colon, semicolon or stop, or in "; or" and the like."""
    cdef uint32_t c = text[p - 1]
    if c == 59 or c == 58 or c == 0xFF1B or c == 0xFF1A or is_stop(c):
        return True
    if is_closer(c) or c == 34:
        return p - 1 > start and is_stop(text[p - 2])
    if c == 100 and p - start > 4 and text[p - 2] == 110 and text[p - 3] == 97:  # and
        p -= 3
    elif c == 114 and p - start > 3 and text[p - 2] == 111:  # or
        p -= 2
    elif (c == 0x6216 or c == 0x53CA or c == 0x548C) and p - start > 1:  # 或 及 和
        p -= 1
    else:
        return False
    while p > start and is_blank(text[p - 1]):
        p -= 1
    return p > start and (text[p - 1] == 59 or text[p - 1] == 0xFF1B or text[p - 1] == 44)


cdef inline bint _starts_with_note(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A line that starts with the number of a footnote, which its superscript has put there: digits and no mark after
    them."""
    cdef int64_t q = p
    while q < end and q - p < 4 and is_digit(text[q]):
        q += 1
    if q == p or q - p > 3:
        return False
    if q == end or is_line_end(text[q]) or is_cjk(text[q]):
        return True
    return text[q] == 0x3002 or text[q] == 0xFF0C or text[q] == 0xFF1B or text[q] == 0xFF1A


cdef inline int64_t _line_text_end(const char_t* text, int64_t p, int64_t limit) noexcept nogil:
    """Where the line that p stands in ends, or limit."""
    while p < limit and not is_line_end(text[p]):
        p += 1
    return p


cdef inline bint _next_is_longer(const char_t* text, int64_t p, int64_t end, int64_t size) noexcept nogil:
    """The first word at p would have fitted on the line before it, of `size` characters, to judge by the length of this
    line."""
    cdef int64_t q = p, limit = p + size + 1
    while q < end and q - p <= size and not is_space(text[q]):
        q += 1
    limit += q - p
    return _line_text_end(text, p, min(limit, end)) >= limit


cdef inline bint line_goes_on(
    const char_t* text, int64_t v, int64_t line, int64_t first, bint cells, Reader& r,
) except + nogil:
    """The sentence whose line ends before v goes on at r.gap, on the next line. `line`, `first`, `cells`: those of its
    line."""
    cdef uint32_t last = text[v - 1], head
    cdef int64_t size = v - line, p = r.gap, q
    cdef bint wide, full, item
    if text[p] == 62 and text[first] == 62 and p + 1 < r.end:  # > both lines in one quotation
        q = skip_blanks(text, p + 1, r.end)
        if q < r.end and not is_line_end(text[q]):
            p = q
    head = text[p]
    if goes_on_with(head) or (is_closer(head) and head != 125) or head == 0x3002:
        return True
    wide = is_wide(head)
    q = v
    while q > first and q > v - 8 and not wide:
        q -= 1
        wide = is_wide(text[q])
    item = _starts_item(text, p, r.end)
    if item and _closes_clause(text, first, v):
        return False
    if r.wrap < 0:
        r.wrap = text_wrap_width(text, r.size)
    full = r.wrap > 0 and size >= r.wrap - wrap_slack(r.wrap)
    if r.gap_furniture:
        if item:
            return False
        if _closes_clause(text, first, v):
            return full
        if r.wrap > 0 and size * 2 < r.wrap:
            return False
        return wide or full or is_lower(head) or size >= PROSE_WIDTH_MIN
    if head == 124 or text[first] == 124 or text[first] == 35 or (cells and not full):
        return False
    if r.wrap > 0 and not full and not wide:
        q = p
        while q < r.end and q - p <= r.wrap and not is_space(text[q]):
            q += 1
        full = size + 1 + q - p > r.wrap
    if full:
        return True
    if wide and (last == 0xFF0C or last == 0x3001):
        return not item
    if wide and r.wrap > 0 and not _closes_clause(text, first, v):
        # an indented line, or one whose last character may not stand at the end
        if size >= r.wrap - 2 * wrap_slack(r.wrap):
            return not item
        if _starts_with_note(text, p, r.end):
            return size * 4 >= r.wrap or r.start != first or _starts_with_note(text, first, v)
        if r.start != first and _starts_with_note(text, first, v):
            return not item
    if wide or item or last == 58:
        return False
    if is_lower(head):
        return True
    return r.wrap == 0 and PROSE_WIDTH_MIN <= size <= PROSE_WIDTH_MAX and not _next_is_longer(text, p, r.end, size)
