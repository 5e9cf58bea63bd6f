"""Lines: where they start and end, what characters they hold."""
from chunkfast._kernels.document cimport Document, Line, R_BLANK, R_NONE
from chunkfast._kernels.text cimport char_t, int64_t, is_blank, uint16_t

cdef extern from "skip.h" nogil:
    int64_t cf_next_line_end[T](const T* text, int64_t i, int64_t n, unsigned int& marks) noexcept


cdef inline int64_t scan_line(const char_t* text, int64_t n, int64_t p, Line& line) noexcept nogil:
    """Read the line that starts at p; returns the start of the next."""
    cdef int64_t q
    cdef unsigned int marks = 0  # the bits of Mark
    line.start = p
    p = cf_next_line_end(text, p, n, marks)
    line.marks = <uint16_t>marks
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
