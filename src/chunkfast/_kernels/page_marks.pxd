"""Page marks: what says on a line of its own that a page starts or ends: [P12], - 12 -, 第 3 页 共 20 页, Page 3 of 20.

Structure and sentences read them alike. A mark ends no line and takes at most LONGEST_MARK characters.
"""
from chunkfast._kernels.numerals cimport digit_value, read_digits, read_han
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_letter, is_line_end, is_space, skip_blanks, uint32_t

cdef enum:
    LONGEST_MARK = 100


cdef inline bint is_page_sign(uint32_t c) noexcept nogil:
    return c == 0x7B2C or c == 0x5171  # 第 共


cdef inline int64_t past_word(const char_t* text, int64_t p, int64_t end, const char* word) noexcept nogil:
    """Past `word`, in lower case, or the same with capitals; `p` where it does not stand there."""
    cdef int64_t q = p
    while word[q - p] != 0:
        if q >= end or (text[q] | 32) != <uint32_t>word[q - p]:
            return p
        q += 1
    return q


cdef inline int64_t _number(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past blanks and digits; `p` where there are none."""
    cdef int32_t value = 0
    cdef int64_t first = skip_blanks(text, p, end), q = read_digits(text, first, end, &value)
    return q if q > first else p


cdef inline int64_t _page_word(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past `第 3 页`, `共二十页`; `p` where there is none."""
    cdef int32_t value = 0
    cdef int64_t first, q
    if p >= end or not is_page_sign(text[p]):
        return p
    first = skip_blanks(text, p + 1, end)
    q = read_digits(text, first, end, &value)
    if q == first:
        q = read_han(text, first, end, &value)
    if q == first:
        return p
    q = skip_blanks(text, q, end)
    return q + 1 if q < end and (text[q] == 0x9875 or text[q] == 0x9801) else p


cdef inline int64_t _page_words(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past `第 3 页 / 共 20 页`, one of them or both."""
    cdef int64_t q = _page_word(text, p, end), r
    if q == p:
        return p
    r = skip_blanks(text, q, end)
    while r < end and (text[r] == 47 or text[r] == 0xFF0F or text[r] == 44 or text[r] == 0xFF0C or text[r] == 124):
        r = skip_blanks(text, r + 1, end)
    return max(q, _page_word(text, r, end)) if _page_word(text, r, end) > r else q


cdef inline int64_t _between_dashes(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past `- 12 -`, `—— 12 ——`."""
    cdef uint32_t c = text[p]
    cdef int64_t q = p + 2 if p + 1 < end and text[p + 1] == c else p + 1
    cdef int64_t r = _number(text, q, end)
    if r == q:
        return p
    q = r = skip_blanks(text, r, end)
    while r < end and r - q < 2 and text[r] == c:
        r += 1
    return r if r > q else p


cdef inline int64_t _english(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past `Page 3`, `page 3 of 20`, `Page 3/20`."""
    cdef int64_t word = past_word(text, p, end, b"page"), q = _number(text, word, end), r, of, last
    if word == p or q == word:
        return p
    r = skip_blanks(text, q, end)
    of = r + 1 if r < end and text[r] == 47 else past_word(text, r, end, b"of")
    last = _number(text, of, end)
    return last if last > of > r else q


cdef inline bint is_page_dash(uint32_t c) noexcept nogil:
    return c == 45 or c == 0x2014 or c == 0x2013 or c == 0xFF0D or c == 126 or c == 0xB7


cdef inline bint may_be_page_mark(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The first characters of [p, end) may be those of a page mark: for most text they are not."""
    cdef uint32_t c = text[p], d = text[p + 1] if p + 1 < end else 0
    if is_page_sign(c):
        return True
    if c == 91:
        return d | 32 == 112
    if c | 32 == 112:
        return past_word(text, p, end, b"page") > p
    if not is_page_dash(c):
        return False
    p = skip_blanks(text, p + 2 if d == c else p + 1, end)
    return p < end and digit_value(text[p]) >= 0


cdef inline int64_t page_mark_end(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past the page mark at `p`, where one may be; `p` where there is none. What follows on the line is the caller's to
    judge."""
    cdef uint32_t c = text[p]
    cdef int64_t q, r
    end = min(end, p + LONGEST_MARK)
    if is_page_sign(c):
        return _page_words(text, p, end)
    if c == 91:  # [P12], [Page 12]
        q = past_word(text, p + 1, end, b"page")
        q = q if q > p + 1 else p + 2
        r = _number(text, q, end)
        return r + 1 if r > q and r < end and text[r] == 93 else p
    return _english(text, p, end) if is_letter(c) else _between_dashes(text, p, end)


cdef inline bint is_page_mark(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The whole of [p, end) is a page mark."""
    return may_be_page_mark(text, p, end) and page_mark_end(text, p, end) == end


cdef inline bint is_number(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The whole of [p, end) is digits: a page number, behind a page mark."""
    cdef int32_t value = 0
    return read_digits(text, p, end, &value) == end


cdef inline int64_t short_line_end(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """End of the ink of the line that has its first at `start`; `start` itself where it is longer than any page
    mark."""
    cdef int64_t p = start
    while p < end and not is_line_end(text[p]):
        if p - start == LONGEST_MARK:
            return start
        p += 1
    while is_space(text[p - 1]):
        p -= 1
    return p
