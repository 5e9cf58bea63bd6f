"""Lines: where they start and end, what characters they hold."""
from chunkfast._kernels.document cimport Document, Line, M_ANGLE, M_COMMA, M_PIPE, M_TAB, R_BLANK, R_NONE
from chunkfast._kernels.text cimport char_t, int64_t, is_blank, is_line_end, uint8_t, uint32_t


cdef inline int64_t scan_line(const char_t* text, int64_t n, int64_t p, Line& line) noexcept nogil:
    """Read the line that starts at p; returns the start of the next."""
    cdef int64_t q
    cdef uint32_t c
    line.start = p
    line.marks = 0
    while p < n:
        c = text[p]
        if c < 128:
            if c == 124:
                line.marks |= M_PIPE
            elif c == 60:
                line.marks |= M_ANGLE
            elif c == 44:
                line.marks |= M_COMMA
            elif c == 9:
                line.marks |= M_TAB
            elif 10 <= c <= 13:
                break
        elif c == 0x85 or c == 0x2028 or c == 0x2029:
            break
        p += 1
    q = p
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
    return p


cdef inline void scan_lines(const char_t* text, int64_t n, Document& doc) except + nogil:
    cdef Line line
    cdef int64_t p = 0
    doc.lines.reserve(n // 48 + 8)
    while p < n:
        p = scan_line(text, n, p, line)
        doc.lines.push_back(line)
