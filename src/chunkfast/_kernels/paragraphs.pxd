"""Where a paragraph ends: whether a line is the rest of the sentence that the line before leaves open."""
from chunkfast._kernels.text cimport LOWER, cf_class, char_t, int64_t, is_blank, is_cjk, uint32_t

cdef enum:
    LONG = 20  # characters; a shorter line without a closing mark may be a label, not the start of what follows a blank


cdef struct Piece:  # what a line holds, or the part of it between headings and tables
    int64_t start  # first code point that is not blank
    int64_t content  # the same, past the signs of a Markdown quote
    int64_t end
    int64_t indent  # from the start of the line to `content`


cdef inline bint is_closing(uint32_t c) noexcept nogil:
    """A mark that can end a paragraph."""
    if c < 128:
        return c == 46 or c == 58 or c == 59 or c == 33 or c == 63
    return c == 0x3002 or c == 0xFF1B or c == 0xFF1A or c == 0xFF01 or c == 0xFF1F or c == 0x2026 or c == 0xFF0E \
        or c == 0x2014


cdef inline bint is_closer(uint32_t c) noexcept nogil:
    """A quote or bracket that may stand after the mark that ends a paragraph."""
    if c < 128:
        return c == 34 or c == 39 or c == 41 or c == 93 or c == 42 or c == 95 or c == 96
    return c == 0x201D or c == 0x2019 or c == 0x300D or c == 0x300F or c == 0xFF09 or c == 0x300B or c == 0x3011


cdef inline int64_t before_closers(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Index of the last character of [start, end), `start` < `end`, that is not one of a few closers at its end."""
    cdef int64_t p = end - 1
    while p > start and end - p < 5 and is_closer(text[p]):
        p -= 1
    if p > start and text[p] == 45 and text[p - 1] == 58:  # `:-` announces as a colon does
        p -= 1
    return p


cdef inline bint ends_closed(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    return is_closing(text[end - 1]) or is_closing(text[before_closers(text, start, end)])


cdef inline bint _never_starts(uint32_t c) noexcept nogil:
    """A mark or closer that stands at no sentence's start."""
    return c == 0xFF0C or c == 0x3002 or c == 0xFF1B or c == 0x3001 or c == 0xFF1A or c == 0xFF09 or c == 0x201D \
        or c == 0x300B or c == 44 or c == 59 or c == 41


cdef inline int64_t _word_size(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Length of what can't be parted from the start of a line: a word, or one ideograph with the mark after it."""
    cdef int64_t p = start
    while p < end and not is_blank(text[p]) and text[p] < 0x2E80:
        p += 1
    return max(p - start, 2)


cdef inline bint goes_on(
    const char_t* text, const Piece& last, const Piece& piece, bint blank, bint torn, int64_t wrap,
) noexcept nogil:
    """Whether `piece` goes on with the paragraph of `last`, the text before it.

    Between the two is one line end, or blank lines (`blank`) or page furniture (`torn`). `wrap`: the width to which
    lines are filled, or 0.
    """
    cdef uint32_t a = text[last.end - 1], b = text[piece.content]
    cdef int64_t size = last.end - last.content, p = piece.content
    if b == 35:  # a line that a converter has marked by mistake
        while p < piece.end and (text[p] == 35 or is_blank(text[p])):
            p += 1
        b = text[p] if p < piece.end else b
    if (piece.content > piece.start) != (last.content > last.start):
        return False
    if ends_closed(text, last.content, last.end):
        # a closed line is the last of its paragraph, unless not even the next word had room in it
        return wrap > 0 and not blank and piece.indent <= last.indent \
            and last.end - last.content + last.indent + _word_size(text, piece.content, piece.end) > wrap
    if _never_starts(b) or torn or a == 0xFF0C or a == 0x3001 or a == 44:
        return True
    if blank:
        return size >= LONG and (is_cjk(b) if is_cjk(a) else b < 0x2E80 and (cf_class(b) & LOWER) != 0)
    if wrap > 0:
        return True
    if is_cjk(a) or is_cjk(b):
        return False
    # a line was broken where the next word had no room: the next line is hardly longer than both
    if piece.end - piece.content > size + _word_size(text, piece.content, piece.end) + LONG:
        return False
    return (cf_class(b) & LOWER) != 0 or size >= 2 * LONG
