"""Headings as they are shown: on one line, without the signs that mark a line as a heading."""
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int64_t, is_line_end, is_space, uint32_t


cdef inline bint is_sign(uint32_t c) noexcept nogil:
    return c == 32 or c == 9 or c == 35 or c == 42 or c == 0xFEFF  # blank, tab, # * and a byte order mark


cdef inline int64_t skip_tags(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past the tags between a cell, which closes at `p`, and the next one; `p` itself where there are none."""
    cdef int64_t q = p, opening = 0
    if end - p < 9 or text[p + 1] != 47 or text[p + 2] | 32 != 116 \
            or text[p + 4] != 62:  # </td><td>
        return p
    while q < end:
        if text[q] == 60:
            opening = q
            while q < end and text[q] != 62:
                q += 1
        elif not is_space(text[q]):
            break
        q += 1
    return min(q, end) if text[opening + 1] != 47 else p


cdef inline int64_t skip_hashes(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past `#` to `######` and the blanks behind, which mark the second line of a title as well; else `p`."""
    cdef int64_t q = p
    while q < end and text[q] == 35 and q - p < 6:
        q += 1
    if q == p or q == end or not is_space(text[q]):
        return p
    while q < end and is_space(text[q]):
        q += 1
    return q


cdef inline void add_heading_line(const char_t* text, int64_t start, int64_t end, vector[uint32_t]& out) except + nogil:
    """Append text[start:end) to `out`, the lines or table cells of a title joined, without a blank between two wide
    characters."""
    cdef int64_t stop, first, last, gap
    cdef size_t begun = out.size()
    while start < end and is_sign(text[start]):
        start += 1
    while start < end and is_sign(text[end - 1]):
        end -= 1
    while start < end:
        stop = gap = start
        while stop < end and not is_line_end(text[stop]) and not 28 <= text[stop] <= 30:  # as `str.splitlines` has it
            gap = stop = stop + 1
            if stop < end and text[stop] == 60:
                gap = skip_tags(text, stop, end)
                if gap > stop:
                    break
        first = start
        last = stop
        while first < last and is_space(text[first]):
            first += 1
        while first < last and is_space(text[last - 1]):
            last -= 1
        first = skip_hashes(text, first, last)
        if first < last:
            if out.size() > begun and not (out.back() > 0x2E7F and text[first] > 0x2E7F):
                out.push_back(32)
            out.insert(out.end(), text + first, text + last)
        start = max(gap, stop + 1)
