"""Code units and character classes: what every kernel knows of a text."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused char_t:  # a str of 1, 2 or 4 bytes a character
    uint8_t
    uint16_t
    uint32_t

cdef extern from "unicode_tables.h" nogil:
    uint16_t cf_class(uint32_t c) noexcept

cdef enum:  # bits of cf_class, see tools/make_unicode_tables.py
    GCB_MASK = 15
    EXT_PICT = 1 << 4
    INCB_MASK = 3 << 5
    SPACE = 1 << 7
    ALNUM = 1 << 8
    UPPER = 1 << 9
    LOWER = 1 << 10
    CJK = 1 << 11
    DIGIT = 1 << 12


cdef inline bint is_space(uint32_t c) noexcept nogil:
    """White space as `str.isspace` has it."""
    if c < 128:
        return c == 32 or 9 <= c <= 13 or 28 <= c <= 31
    return (cf_class(c) & SPACE) != 0


cdef inline bint is_blank(uint32_t c) noexcept nogil:
    """White space, or a character that shows as nothing (zero width space, direction marks, byte order mark)."""
    if c < 128:
        return c == 32 or 9 <= c <= 13 or 28 <= c <= 31
    if c == 0x200B or c == 0x200E or c == 0x200F or c == 0xFEFF:
        return True
    return (cf_class(c) & SPACE) != 0


cdef inline bint is_line_end(uint32_t c) noexcept nogil:
    """LF, VT, FF, CR, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR. A CR LF pair is one line end: callers look ahead."""
    return (10 <= c <= 13) or c == 0x85 or c == 0x2028 or c == 0x2029


cdef inline int64_t skip_blanks(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past blanks on the same line."""
    while p < end and is_blank(text[p]) and not is_line_end(text[p]):
        p += 1
    return p


cdef inline bint is_letter(uint32_t c) noexcept nogil:
    """ASCII letter."""
    return (c | 32) - 97 < 26


cdef inline bint is_cjk(uint32_t c) noexcept nogil:
    """Ideograph, kana or bopomofo: a script written without spaces."""
    if c < 0x2E80:
        return False
    if 0x4E00 <= c <= 0x9FFF:
        return True
    return (cf_class(c) & CJK) != 0


cdef inline bint has_ink(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Whether text[start:end) holds more than white space."""
    while start < end:
        if not is_space(text[start]):
            return True
        start += 1
    return False
