"""Code blocks of Markdown: fenced, and indented after a blank line."""
from chunkfast._kernels.document cimport Document, Line, R_BLANK, R_CODE
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t


cdef inline int64_t fence_size(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Length of the run of three or more ` or ~ at `p`, 0 where there is none."""
    cdef uint32_t c
    cdef int64_t q = p
    if p >= end:
        return 0
    c = text[p]
    if c != 96 and c != 126:
        return 0
    while q < end and text[q] == c:
        q += 1
    return q - p if q - p >= 3 else 0


cdef inline int64_t indent_of(const char_t* text, const Line& line) noexcept nogil:
    """Columns of ASCII blanks before the line's first character, a tab going to the next multiple of four; at most
    64."""
    cdef int64_t p = line.start, columns = 0
    while p < line.first and columns < 64:
        if text[p] == 9:
            columns += 4 - columns % 4
        elif text[p] == 32:
            columns += 1
        else:
            break
        p += 1
    return columns


cdef inline bint _opens(const char_t* text, const Line& line, int64_t size) noexcept nogil:
    """A fence of backticks may have none in its info string, else it is a code span."""
    cdef int64_t p = line.first + size
    if text[line.first] == 96:
        while p < line.end:
            if text[p] == 96:
                return False
            p += 1
    return True


cdef inline void scan_code(const char_t* text, Document& doc) noexcept nogil:
    """Give R_CODE to the lines of fenced blocks, the fences included. A fence that is never closed runs to the text's
    end."""
    cdef size_t i
    cdef int64_t size, open_size = 0
    cdef uint32_t sign = 0
    for i in range(doc.lines.size()):
        if doc.lines[i].role == R_BLANK:
            if open_size:
                doc.lines[i].role = R_CODE
            continue
        size = 0
        if text[doc.lines[i].first] == 96 or text[doc.lines[i].first] == 126:
            size = fence_size(text, doc.lines[i].first, doc.lines[i].end)
        if open_size:
            doc.lines[i].role = R_CODE
            if size >= open_size and text[doc.lines[i].first] == sign and doc.lines[i].first + size == doc.lines[i].end:
                open_size = 0
        elif size and _opens(text, doc.lines[i], size):
            doc.lines[i].role = R_CODE
            open_size = size
            sign = text[doc.lines[i].first]
