"""A text of any kind of str, for what isn't a loop over its characters: the kind is looked at for each span."""
from libcpp.vector cimport vector

from chunkfast._kernels.heading_lines cimport add_heading_line
from chunkfast._kernels.text cimport int64_t, uint8_t, uint16_t, uint32_t
from chunkfast._kernels.utf8 cimport write_utf8


cdef struct Characters:  # of a str, to be read without the GIL while the str is held; or of a text of our own
    int kind  # bytes a character
    int64_t n
    const void* data


cdef inline void append_span(vector[uint32_t]& out, const Characters& text, int64_t start, int64_t end) except + nogil:
    if text.kind == 1:
        out.insert(out.end(), <const uint8_t*>text.data + start, <const uint8_t*>text.data + end)
    elif text.kind == 2:
        out.insert(out.end(), <const uint16_t*>text.data + start, <const uint16_t*>text.data + end)
    else:
        out.insert(out.end(), <const uint32_t*>text.data + start, <const uint32_t*>text.data + end)


cdef inline int64_t write_span(const Characters& text, int64_t start, int64_t end, uint8_t* out) noexcept nogil:
    """Write a span as UTF-8. Returns how many bytes it has, at most `utf8_width` for each character."""
    if text.kind == 1:
        return write_utf8(<const uint8_t*>text.data, start, end, out)
    if text.kind == 2:
        return write_utf8(<const uint16_t*>text.data, start, end, out)
    return write_utf8(<const uint32_t*>text.data, start, end, out)


cdef inline int utf8_width(int kind) noexcept nogil:
    return 2 if kind == 1 else 3 if kind == 2 else 4


cdef inline void append_heading_line(vector[uint32_t]& out, const Characters& text, int64_t start,
                                     int64_t end) except + nogil:
    """Append a heading as one line: see `heading_lines.pxd`."""
    if text.kind == 1:
        add_heading_line(<const uint8_t*>text.data, start, end, out)
    elif text.kind == 2:
        add_heading_line(<const uint16_t*>text.data, start, end, out)
    else:
        add_heading_line(<const uint32_t*>text.data, start, end, out)
