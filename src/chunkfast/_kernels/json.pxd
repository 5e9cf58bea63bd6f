"""JSON where it stands: the large members of a tokenizer.json are read without a Python object for each token.

Text that is no JSON, or no UTF-8, is not always noticed, but never read past its end. Places are of bytes; NOWHERE
stands for what is not there or not understood.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport int64_t, uint8_t, uint32_t
from chunkfast._kernels.utf8 cimport decode_utf8

cdef enum:
    NOWHERE = -1
    QUOTE = 34
    BACKSLASH = 92
    COMMA = 44
    COLON = 58


cdef inline int64_t past_blanks(const uint8_t* text, int64_t p, int64_t n) noexcept nogil:
    while p < n and (text[p] == 32 or text[p] == 10 or text[p] == 13 or text[p] == 9):
        p += 1
    return p


cdef inline int64_t past_mark(const uint8_t* text, int64_t p, int64_t n, uint32_t mark) noexcept nogil:
    """Behind white space, the mark, and white space once more."""
    if p == NOWHERE:
        return NOWHERE
    p = past_blanks(text, p, n)
    return past_blanks(text, p + 1, n) if p < n and text[p] == mark else NOWHERE


cdef inline int64_t string_end(const uint8_t* text, int64_t p, int64_t n) noexcept nogil:
    """Behind the string that starts at the quote `p`."""
    p += 1
    while p < n:
        if text[p] == QUOTE:
            return p + 1
        p += 2 if text[p] == BACKSLASH else 1
    return NOWHERE


cdef inline int64_t value_end(const uint8_t* text, int64_t p, int64_t n) noexcept nogil:
    """Behind the value that starts at `p`."""
    cdef int64_t depth = 0
    while p < n:
        if text[p] == QUOTE:
            p = string_end(text, p, n)
            if depth == 0 or p == NOWHERE:
                return p
            continue
        if text[p] == 91 or text[p] == 123:  # [ {
            depth += 1
        elif depth == 0 and (text[p] == COMMA or text[p] == 93 or text[p] == 125):  # behind a number or a word
            return p
        elif text[p] == 93 or text[p] == 125:  # ] }
            depth -= 1
            if depth == 0:
                return p + 1
        p += 1
    return NOWHERE


cdef inline bint is_named(const uint8_t* text, int64_t p, int64_t end, const char* name) noexcept nogil:
    """Whether the string text[p:end), quotes and all, is the name."""
    p += 1
    while name[0] and p < end and text[p] == <uint32_t>name[0]:
        p += 1
        name += 1
    return name[0] == 0 and p + 1 == end


cdef inline bint find_member(
    const uint8_t* text, int64_t p, int64_t n, const char* name, int64_t* first, int64_t* last,
) noexcept nogil:
    """Find the value text[first:last) of a member of the object that starts at `p`, NOWHERE if it has none.

    False where there are two, a name is written with escapes, or this is no object.
    """
    cdef int64_t end, i
    cdef bint named
    first[0] = last[0] = NOWHERE
    p = past_mark(text, p, n, 123)
    while 0 <= p < n and text[p] == QUOTE:
        end = string_end(text, p, n)
        for i in range(p, end):
            if text[i] == BACKSLASH:
                return False
        named = is_named(text, p, end, name)
        p = past_mark(text, end, n, COLON)
        end = value_end(text, p, n) if p != NOWHERE else NOWHERE
        if end == NOWHERE:
            return False
        if named:
            if first[0] != NOWHERE:
                return False
            first[0] = p
            last[0] = end
        p = past_blanks(text, end, n)
        if p < n and text[p] == 125:
            return True
        p = past_mark(text, p, n, COMMA)
    return 0 <= p < n and text[p] == 125


cdef inline int64_t read_hex(const uint8_t* text, int64_t p, int64_t n, uint32_t* value) noexcept nogil:
    """Four digits."""
    cdef uint32_t digit
    cdef int64_t i
    value[0] = 0
    if p + 4 > n:
        return NOWHERE
    for i in range(p, p + 4):
        digit = text[i]
        if 48 <= digit < 58:
            digit -= 48
        elif 97 <= digit | 32 < 103:
            digit = (digit | 32) - 87
        else:
            return NOWHERE
        value[0] = value[0] << 4 | digit
    return p + 4


cdef inline int64_t read_escape(const uint8_t* text, int64_t p, int64_t n, uint32_t* value) noexcept nogil:
    """The character that a backslash before `p` and what is there stand for."""
    cdef uint32_t low
    if p >= n:
        return NOWHERE
    value[0] = text[p]
    if text[p] == 110:  # n
        value[0] = 10
    elif text[p] == 114:  # r
        value[0] = 13
    elif text[p] == 116:  # t
        value[0] = 9
    elif text[p] == 98:  # b
        value[0] = 8
    elif text[p] == 102:  # f
        value[0] = 12
    elif text[p] == 117:  # u
        p = read_hex(text, p + 1, n, value)
        if p == NOWHERE or not 0xD800 <= value[0] < 0xE000:
            return p
        if value[0] >= 0xDC00 or p + 2 > n or text[p] != BACKSLASH or text[p + 1] != 117:
            return NOWHERE
        p = read_hex(text, p + 2, n, &low)
        if not 0xDC00 <= low < 0xE000:
            return NOWHERE
        value[0] = 0x10000 + ((value[0] - 0xD800) << 10) + (low - 0xDC00)
        return p
    elif text[p] != QUOTE and text[p] != BACKSLASH and text[p] != 47:
        return NOWHERE
    return p + 1


cdef inline int64_t read_string(const uint8_t* text, int64_t p, int64_t n, vector[uint32_t]& out) except? -2 nogil:
    """Add the characters of the string that starts at `p`; returns its end."""
    cdef uint32_t c = 0
    if not 0 <= p < n or text[p] != QUOTE:
        return NOWHERE
    p += 1
    while 0 <= p < n:
        if text[p] == QUOTE:
            return p + 1
        if text[p] == BACKSLASH:
            p = read_escape(text, p + 1, n, &c)
        else:
            p = decode_utf8(text, p, n, &c)
        out.push_back(c)
    return NOWHERE


cdef inline int64_t read_number(const uint8_t* text, int64_t p, int64_t n, int64_t* value) noexcept nogil:
    """A number of digits alone, of 32 bits; returns its end."""
    cdef int64_t begin = p
    value[0] = 0
    while 0 <= p < n and 48 <= text[p] < 58:
        value[0] = 10 * value[0] + text[p] - 48
        if value[0] >= <int64_t>1 << 32:
            return NOWHERE
        p += 1
    return p if p > begin else NOWHERE
