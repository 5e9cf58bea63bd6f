"""Tables that only lay out a page: their cells are read as lines of text, headings and list items among them."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, Line, M_CELL, R_NONE, Table
from chunkfast._kernels.lines cimport scan_lines
from chunkfast._kernels.marks cimport F_ARABIC, F_DECIMAL, LineMark, read_mark
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, skip_blanks


cdef struct Extent:  # of a table
    int64_t start
    int64_t end


cdef inline int64_t _second_number(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Where behind a section number at `p` another begins, `end` where none does: a cell may hold those of two rows."""
    cdef LineMark m
    cdef LineMark next
    if not 48 <= text[p] <= 57 or not read_mark(text, p, end, &m) or m.family != F_DECIMAL and m.family != F_ARABIC:
        return end
    if m.spaced:
        p = skip_blanks(text, m.spaced_end, end)
        if p > m.spaced_end and p < end and read_mark(text, p, end, &next) and next.family == F_DECIMAL:
            return p
    if m.rest > m.number_end and m.rest < end and read_mark(text, m.rest, end, &next) and next.family == F_DECIMAL:
        return m.rest
    return end


cdef inline void _add_numbers(const char_t* text, Line line, vector[Line]& cells) except + nogil:
    """Append the line, cut before each section number that follows another."""
    cdef Line part
    cdef int64_t p = _second_number(text, line.first, line.end)
    while p < line.end:
        part = line
        part.end = part.next = p
        while is_blank(text[part.end - 1]):
            part.end -= 1
        cells.push_back(part)
        line.start = line.first = p
        p = _second_number(text, p, line.end)
    cells.push_back(line)


cdef inline void add_layout(
    const char_t* text, const Table& table, const Document& doc, vector[Extent]& layouts, vector[Line]& cells,
) except + nogil:
    """Append the lines that the table's cells hold, without those that are blank."""
    cdef vector[Line] lines
    cdef Extent extent
    cdef int64_t row
    cdef int32_t i, k
    cdef size_t j
    extent.start = table.start
    extent.end = table.end
    layouts.push_back(extent)
    for i in range(table.first, table.last):
        row = doc.rows[i].start
        for k in range(doc.rows[i].first, doc.rows[i].last):
            lines.clear()
            scan_lines(text, row + doc.cells[k].end, row + doc.cells[k].start, row + doc.cells[k].end, lines)
            for j in range(lines.size()):
                if lines[j].role == R_NONE:
                    lines[j].marks |= M_CELL
                    _add_numbers(text, lines[j], cells)


cdef inline void _add_rest(
    const char_t* text, Line line, int64_t start, int64_t end, vector[Line]& lines,
) except + nogil:
    """Append what text[start:end) holds of the line, unless it is blank."""
    line.start = line.first = start
    line.end = min(line.end, end)
    line.next = end
    while line.first < line.end and is_blank(text[line.first]):
        line.first += 1
    while line.end > line.first and is_blank(text[line.end - 1]):
        line.end -= 1
    if line.first < line.end:
        lines.push_back(line)


cdef inline void put_cells(
    const char_t* text, const vector[Extent]& layouts, const vector[Line]& cells, Document& doc,
) except + nogil:
    """Put the lines of cells in the place of those that hold the tables, where they are no code."""
    cdef vector[Line] lines
    cdef Line line
    cdef size_t i, k = 0, c = 0
    cdef int64_t p
    lines.reserve(doc.lines.size() + cells.size())
    for i in range(doc.lines.size()):
        line = doc.lines[i]
        if k == layouts.size() or line.next <= layouts[k].start:
            lines.push_back(line)
            continue
        p = line.start
        while k < layouts.size() and layouts[k].start < line.next:
            if p < layouts[k].start:
                _add_rest(text, line, p, layouts[k].start, lines)
            while c < cells.size() and cells[c].start < layouts[k].end:
                lines.push_back(cells[c])
                c += 1
            p = layouts[k].end
            if p > line.next:
                break
            k += 1
        if p < line.next:
            _add_rest(text, line, p, line.next, lines)
    doc.lines.swap(lines)
