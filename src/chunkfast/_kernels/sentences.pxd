"""Sentence ends.

Three kinds of place can end a sentence: a full stop, exclamation or question mark of a script without spaces, which
always does (outside a 《title》); one of the alphabetic scripts, where the words around it decide; and a line end, where
the lines around it decide. `；` ends a clause, not a sentence. A run of marks is one end, and closing brackets and
quotes belong to it.

The skip loop finds these characters; all that is said here runs at them alone. Every look-ahead is bounded or
remembered, so that the cost is linear in any text.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.sentence_lines cimport (
    Reader, goes_on_with, is_closer, is_digit, is_lower, is_number, is_numeral, is_opener, is_roman, is_stop, is_wide,
    line_goes_on, next_line, read_gap,
)
from chunkfast._kernels.text cimport (
    ALNUM, LOWER, UPPER, cf_class, char_t, int64_t, is_blank, is_cjk, is_letter, is_line_end, is_space, skip_blanks,
    uint32_t, uint64_t,
)

cdef extern from "skip.h" nogil:
    int64_t cf_next_sentence_mark[T](const T* text, int64_t i, int64_t n) noexcept

cdef extern from "sentence_words.h" nogil:
    int cf_word_class(uint64_t key) noexcept
    enum:
        CF_WORD_PLAIN
        CF_WORD_NEVER
        CF_WORD_NUMBERED
        CF_WORD_MAY_END
        CF_WORD_STARTER
        CF_WORD_UNIT

cdef enum:
    TITLE_SIZE = 128  # 《 without 》 within so many characters opens no title
    LINE_BEFORE = 256  # how far before the range the start of its first line is looked for
    MARK_SIZE = 24  # a sentence that is only a number or mark is shorter


cdef inline int64_t _at_line_end(const char_t* text, int64_t p, Reader& r, vector[int64_t]& out) except + nogil:
    """Decide at the line end at p whether the sentence ends there. Returns where to read on."""
    cdef int64_t v = p, line = r.line, first = r.first, cell = r.cell, next = next_line(text, p, r.end)
    cdef bint page = text[p] == 12, paragraph = text[p] == 0x2029
    while v > r.start and is_blank(text[v - 1]):
        v -= 1
    read_gap(text, next, page, r, NULL)
    if v > r.start and not paragraph and (r.gap_furniture or not r.gap_blank) \
            and line_goes_on(text, v, line, first, cell > first and cell < v, r):
        return r.gap
    if v > r.start:
        while is_space(text[p - 1]):
            p -= 1
        out.push_back(p)
    if r.gap_furniture:
        read_gap(text, next, page, r, &out)
    r.start = r.quotes_from = r.quotes_read = r.gap
    r.quote_open = False
    r.title = -1
    return r.gap


# Words around a full stop


cdef inline uint64_t _word_at(const char_t* text, int64_t p, int64_t end, bint* capital) noexcept nogil:
    """Key of the ASCII word at p, 0 where there is none or it is longer than 8 letters."""
    cdef uint64_t key = 0
    cdef int64_t q = p
    capital[0] = p < end and 65 <= text[p] <= 90
    while q < end and q - p < 9 and is_letter(text[q]):
        key = key << 8 | <uint64_t>(text[q] | 32)
        q += 1
    return 0 if q - p > 8 else key


cdef inline uint64_t _word_before(const char_t* text, int64_t start, int64_t p) noexcept nogil:
    """Key of the ASCII word that ends at p."""
    cdef int64_t q = p
    cdef bint capital
    while q > start and p - q < 9 and is_letter(text[q - 1]):
        q -= 1
    return _word_at(text, q, p, &capital) if p - q < 9 else 0


cdef inline bint _is_starter(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The word at p opens a sentence: a capital, and no name."""
    cdef bint capital
    cdef uint64_t key = _word_at(text, p, end, &capital)
    if not capital or cf_word_class(key) != CF_WORD_STARTER:
        return False
    return not (p + 1 < end and text[p + 1] == 46)  # A. Smith


cdef inline bint _is_only_number(const char_t* text, int64_t start, int64_t p) noexcept nogil:
    """text[start:p) is a number or letter of a list or section, with or without its word: `2`, `(a`, `iv`, `Section
    5`."""
    cdef int64_t q = start, b
    if p - start > MARK_SIZE:
        return False
    while q < p and not (cf_class(text[q]) & ALNUM):
        q += 1
    b = q
    while b < p and is_letter(text[b]):
        b += 1
    if b < p and b - q > 1 and is_space(text[b]) and cf_word_class(_word_before(text, q, b)) == CF_WORD_UNIT:
        q = b + 1
    b = q
    while b < p and (is_number(text[b]) or text[b] == 46):
        b += 1
    if b == p:
        return p - q <= 10
    if b > q:
        return False
    while b < p and is_roman(text[b]):
        b += 1
    return (b == p and p - q <= 5) or (p - q == 1 and is_letter(text[q]))


cdef inline bint _lower_text(const char_t* text, int64_t start, int64_t p) noexcept nogil:
    """The sentence starts with a small letter: the text is one without capitals."""
    cdef int64_t q = start
    while q < p and q - start < 8 and not (cf_class(text[q]) & (UPPER | LOWER)):
        q += 1
    return is_lower(text[q])


cdef inline bint _stop_ends(const char_t* text, int64_t p, int64_t x, Reader& r) noexcept nogil:
    """The full stop at p, with white space after it, ends the sentence. x: the next character that is not white
    space."""
    cdef int64_t b, q, size
    cdef uint64_t word = 0  # before the stop
    cdef uint32_t before = text[p - 1], c
    cdef int kind, shift = 0
    q = x
    while q < r.end and q - x < 3 and is_opener(text[q]):
        q += 1
    if q == r.end:
        q = x
    c = text[q]
    if is_wide(before) and before != 0xFF0E and not is_numeral(before):
        return True
    if _is_only_number(text, r.start, p):
        return False
    b = p
    while b > r.start and is_space(text[b - 1]):  # a stop set apart, as in tokenised text
        b -= 1
    if b == r.start:
        return False
    if is_digit(text[b - 1]) and is_digit(c) and x == q:
        size = b
        while size > r.start and is_digit(text[size - 1]):
            size -= 1
        if b - size <= 2:
            return False
    p = b
    before = text[p - 1]
    if is_letter(before):
        while b > r.start and p - b < 10 and is_letter(text[b - 1]):
            b -= 1
            if shift < 64:
                word |= <uint64_t>(text[b] | 32) << shift
                shift += 8
        size = p - b
        if size <= 2 and b - 1 > r.start and text[b - 1] == 46 and is_letter(text[b - 2]):  # U.S. e.g. Ph.D.
            if size == 1 and (before == 103 or before == 101) and (text[b - 2] | 32) == (101 if before == 103 else 105):
                return False
            return _is_starter(text, q, r.end)
        if size == 1:
            if b > r.start and not is_blank(text[b - 1]) and not is_opener(text[b - 1]):
                return not is_lower(c)  # 5 m. Then
            if b > r.start + 1 and cf_word_class(_word_before(text, r.start, b - 1)) == CF_WORD_UNIT:
                return True
            return _is_starter(text, q, r.end)
        kind = cf_word_class(word) if size <= 8 else CF_WORD_PLAIN
        if kind == CF_WORD_NEVER:
            return False
        if kind == CF_WORD_NUMBERED:
            if c == 73 and b == r.start and q + 1 < r.end and is_space(text[q + 1]):  # No. I will not.
                return True
            if is_number(c) or c == 0xA7 or (65 <= c <= 90 and q + 1 < r.end and not is_letter(text[q + 1])):
                return False
            if is_roman(c) and c < 97 and q + 1 < r.end and is_roman(text[q + 1]) and text[q + 1] < 97:
                return False
        elif kind == CF_WORD_MAY_END:
            return _is_starter(text, q, r.end)
    return not is_lower(c) or _lower_text(text, r.start, p)


cdef inline bint _quote_closes(const char_t* text, int64_t p, Reader& r) noexcept nogil:
    """The straight quote at p, right after a stop, closes."""
    cdef uint32_t c
    cdef int64_t q
    if p + 1 >= r.end:
        return True
    c = text[p + 1]
    if is_space(c) or is_closer(c) or is_stop(c) or goes_on_with(c) or c == 34 or c == 39:
        return True
    if text[p] == 39:
        return is_cjk(c)
    for q in range(r.quotes_read, p):
        if text[q] == 34:
            r.quote_open = not r.quote_open
    r.quotes_read = p
    return r.quote_open


cdef inline int64_t _at_stop(const char_t* text, int64_t p, Reader& r, vector[int64_t]& out) except + nogil:
    """Decide at the stop at p. Returns where to read on."""
    cdef int64_t q = p, x, after
    cdef uint32_t c, d
    cdef bint hard = False, ends
    cdef int64_t ellipsis = 0
    while q < r.end and is_stop(text[q]):
        c = text[q]
        if c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 0xFF61:
            hard = True
        elif c == 46:
            ellipsis += 1
        elif c == 0x2026:
            ellipsis += 2
        q += 1
    if p < r.title:
        return q
    after = q
    while q < r.end:
        c = text[q]
        if is_closer(c) or ((c == 34 or c == 39) and _quote_closes(text, q, r)):
            q += 1
        elif c == 42 or c == 95:  # **bold.**
            x = q
            while x < r.end and x - q < 4 and text[x] == c:
                x += 1
            if x < r.end and not is_space(text[x]):
                break
            q = x
        else:
            break
    if q == r.end:
        return q
    d = text[q]
    if is_stop(d) or goes_on_with(d) or (q > after and (d == 0x7684 or d == 0x7B49)):  # “为什么？”的 “……”等
        return q
    x = q
    while is_space(text[x]):
        x += 1
    if hard:
        if q > after and p > r.start and (text[p - 1] == 40 or text[p - 1] == 0xFF08):  # （？）
            return q
        x = skip_blanks(text, q, r.end)
        if x < r.end and is_line_end(text[x]):  # what closes may stand on the next line
            after = next_line(text, x, r.end)
            x = skip_blanks(text, after, r.end)
            if x < r.end and is_closer(text[x]) and text[x] > 127:
                r.line = after
                r.first = x
                r.cell = -1
                while x < r.end and is_closer(text[x]):
                    x += 1
                q = x
        ends = True
    elif p == r.start:
        return q
    elif ellipsis == 1 and after == p + 1:
        if x > q:
            ends = _stop_ends(text, p, x, r)
        elif after == q:
            ends = is_wide(d) and is_wide(text[p - 1]) and not is_numeral(text[p - 1])
        else:
            ends = is_wide(d)
    elif ellipsis >= 2:
        if ellipsis >= 8 or is_digit(text[x]) or is_lower(text[x]) or text[x] == 0x7B2C:
            ends = False
        else:
            ends = x > q or is_wide(d) or d == 0x201C
    elif x > q:
        ends = is_wide(text[p - 1]) or not is_lower(text[x]) or (q == after and _lower_text(text, r.start, p))
    else:
        ends = is_wide(d) or (is_wide(text[p - 1]) and d != 61)
    if not ends or q == r.end:
        return q
    out.push_back(q)
    r.start = skip_blanks(text, q, r.end)
    return q


cdef inline void sentence_ends(
    const char_t* text, int64_t n, int64_t start, int64_t end, int64_t wrap, vector[int64_t]& out
) except + nogil:
    """Append the ends of the sentences of text[start:end) in ascending order, in code points.

    An end is past the last closing mark of its sentence; white space belongs to none. The last end is that of the
    range's last character that is not white space; nothing is appended where there is none. `wrap`: see `wrap_width`;
    -1 where it is to be looked for, once a line's end asks for it.
    """
    cdef Reader r
    cdef int64_t p = start
    cdef uint32_t c
    while end > start and is_space(text[end - 1]):
        end -= 1
    if end == start:
        return
    r.size = n
    r.end = end
    r.wrap = wrap
    r.titles_read = start
    r.quote_open = False
    r.title = -1
    read_gap(text, start, False, r, &out)
    if r.line == start:
        while r.line > 0 and start - r.line < LINE_BEFORE and not is_line_end(text[r.line - 1]):
            r.line -= 1
    p = r.start = r.quotes_from = r.quotes_read = r.gap
    while True:
        p = cf_next_sentence_mark(text, p, end)
        if p >= end:
            break
        c = text[p]
        if is_line_end(c):
            p = _at_line_end(text, p, r, out)
        elif c == 124 or c == 9:
            if p > r.first and r.cell < 0:
                r.cell = p
            p += 1
        elif c == 0x300A:
            if p >= r.title:
                r.titles_read = max(r.titles_read, p)
                while r.titles_read < end and r.titles_read < p + TITLE_SIZE and text[r.titles_read] != 0x300B:
                    r.titles_read += 1
                if r.titles_read < end and r.titles_read < p + TITLE_SIZE:
                    r.title = r.titles_read
            p += 1
        else:
            p = _at_stop(text, p, r, out)
    out.push_back(end)
