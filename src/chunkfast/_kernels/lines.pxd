"""Lines: where they start and end, what characters they hold."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Line, M_ANGLE, M_COMMA, M_PIPE, M_TAB, R_BLANK, R_NONE
from chunkfast._kernels.text cimport char_t, int64_t, is_blank, uint32_t

cdef extern from "skip.h" nogil:
    unsigned int cf_next_line_signs[T](const T* text, int64_t& i, int64_t n) noexcept
    bint cf_parts_values[T](const T* text, int64_t i, int64_t n) noexcept
    int cf_lowest_bit(unsigned int mask) noexcept


cdef inline void _end_line(const char_t* text, int64_t n, int64_t p, Line& line) noexcept nogil:
    """Fill what follows from the line's start and its end `p`, a line end or `n`."""
    cdef int64_t q = p
    if p < n:
        p += 2 if text[p] == 13 and p + 1 < n and text[p + 1] == 10 else 1
    line.next = p
    while q > line.start and is_blank(text[q - 1]):
        q -= 1
    line.end = q
    line.first = line.start
    while line.first < q and is_blank(text[line.first]):
        line.first += 1
    line.role = R_BLANK if line.first == q else R_NONE


cdef inline int64_t scan_lines(
    const char_t* text, int64_t n, int64_t start, int64_t stop, vector[Line]& lines,
) except + nogil:
    """Append the lines that start in text[start:stop), where `start` is a line's; returns the start of the one
    after."""
    cdef Line line
    cdef int64_t p, i = start
    cdef unsigned int signs
    cdef uint32_t c
    line.start = line.next = start
    line.marks = 0
    while line.start < stop:
        signs = cf_next_line_signs(text, i, n)
        if not signs:
            break
        while signs:
            p = i + cf_lowest_bit(signs)
            signs &= signs - 1
            c = text[p]
            if c == 44:
                if cf_parts_values(text, p, n):
                    line.marks |= M_COMMA
            elif c == 124:
                line.marks |= M_PIPE
            elif c == 60:
                line.marks |= M_ANGLE
            elif c == 9:
                line.marks |= M_TAB
            elif p >= line.start:  # else the LF of a CR LF
                _end_line(text, n, p, line)
                lines.push_back(line)
                line.start = line.next
                line.marks = 0
                if line.start >= stop:
                    break
        i += 16
    if line.start < min(stop, n):
        _end_line(text, n, n, line)
        lines.push_back(line)
    return line.next
