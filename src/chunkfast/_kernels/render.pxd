"""Tables written anew as compact Markdown or as a line of `name: value` pairs a row, cell for cell, spans filled in."""
from libcpp.vector cimport vector

from chunkfast._kernels.cells cimport read_char, read_ink, same_text, stands_for_itself
from chunkfast._kernels.document cimport Cell, Document, ROW_DATA, ROW_HEADER, ROW_REPEAT, Row, T_HTML, Table
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_line_end, uint32_t

cdef enum Format:  # as `table_format` of the chunker
    AUTO = 0  # HTML tables as Markdown, others as they are
    MARKDOWN
    SOURCE
    ROWS

cdef enum:
    GROWTH = 4  # a table whose spans would make it more than this many times its source is left as it is


cdef struct Place:  # a cell and the row it stands in
    int32_t row
    int32_t cell
    int64_t until  # first row that it no longer covers


cdef cppclass Pen:  # what one table needs while it is written
    vector[Place] above  # by column: the last cell that stood there
    vector[uint32_t] names  # of the columns, one after the other
    vector[int64_t] name_ends


cdef inline void write_cell(const char_t* text, int64_t start, int64_t end, int32_t kind, bint escape,
                            vector[uint32_t]& out) except + nogil:
    """What a reader sees of the cell: runs of white space as one blank, none at its ends."""
    cdef size_t before = out.size()
    cdef int64_t at = start
    cdef uint32_t* p
    cdef uint32_t* first
    cdef int32_t c
    cdef bint space = False
    while at < end and stands_for_itself(text[at]):
        out.push_back(text[at])
        at += 1
    if at == end:  # most cells
        return
    out.resize(out.size() + 2 * (end - at))  # no character writes more than itself, escaped
    first = out.data() + before
    p = first + (at - start)
    while True:
        c = read_char(text, end, &at, kind)
        if c < 0:
            break
        if c == 32:
            space = p > first
            continue
        if space:
            p[0] = 32
            p += 1
            space = False
        if c == 124 and escape:
            p[0] = 92
            p += 1
        p[0] = <uint32_t>c
        p += 1
    out.resize(before + (p - first))


cdef inline void write_place(const char_t* text, Place place, Table& table, bint escape, Document& doc,
                             vector[uint32_t]& out) except + nogil:
    cdef int64_t start = doc.rows[place.row].start
    write_cell(text, start + doc.cells[place.cell].start, start + doc.cells[place.cell].end, table.kind, escape, out)


cdef inline void write_lines(const char_t* text, int64_t start, int64_t end, vector[uint32_t]& out) except + nogil:
    """The lines of a caption, without blank ones and Markdown heading signs."""
    cdef int64_t p = start, q
    while p < end:
        while p < end and (is_blank(text[p]) or text[p] == 35):
            p += 1
        q = p
        while q < end and not is_line_end(text[q]):
            q += 1
        start = q
        while q > p and is_blank(text[q - 1]):
            q -= 1
        if p < q:
            while p < q:
                out.push_back(text[p])
                p += 1
            out.push_back(10)
        p = start


cdef inline int32_t title_cell(const char_t* text, Row& row, Table& table, Document& doc) noexcept nogil:
    """The cell that is all there is in a header row, over several columns, -1 where there is more or less."""
    cdef int32_t i, filled = -1, count = 0
    cdef int64_t at
    cdef bint same = True
    for i in range(row.first, row.last):
        at = row.start + doc.cells[i].start
        if read_ink(text, row.start + doc.cells[i].end, &at, table.kind) < 0:
            continue
        if filled >= 0 and same:
            same = same_text(text, row.start + doc.cells[filled].start, row.start + doc.cells[filled].end,
                             row.start + doc.cells[i].start, row.start + doc.cells[i].end, table.kind)
        filled = i if filled < 0 else filled
        count += 1
    if count == 1:
        if doc.cells[filled].rows == 1 and (row.last - row.first == 1 or doc.cells[filled].columns > 1):
            return filled
    elif count > 2 and same and count == row.last - row.first:
        return filled
    return -1


cdef inline int32_t place_row(Table& table, int32_t r, Pen& pen, Document& doc) except + nogil:
    """Puts the cells of row `r` into `pen.above`; returns how many columns the row has, those from above included."""
    cdef int32_t i, k, end, columns = 0
    cdef Cell cell
    cdef Place place
    place.row = r
    for i in range(doc.rows[r].first, doc.rows[r].last):
        cell = doc.cells[i]
        if cell.column >= table.columns and table.kind == T_HTML:
            break
        end = min(cell.column + cell.columns, table.columns) if table.kind == T_HTML else cell.column + 1
        if <int32_t>pen.above.size() < end:
            place.cell = -1
            place.until = 0
            pen.above.resize(end, place)
        place.cell = i
        place.until = r + cell.rows
        table.tall = table.tall or cell.rows > 1
        for k in range(cell.column, end):
            pen.above[k] = place
        columns = max(columns, end)
    while columns < <int32_t>pen.above.size() and pen.above[columns].until > r:
        columns += 1
    return columns


cdef inline bint write_markdown(const char_t* text, int32_t r, Table& table, int32_t pad, int64_t limit, Pen& pen,
                                Document& doc) except + nogil:
    """Row `r` as `|a|b|`, with at least `pad` columns; False where the limit is passed."""
    cdef int32_t columns = place_row(table, r, pen, doc), k
    doc.rendered.push_back(124)
    for k in range(max(columns, pad)):
        if k < columns and pen.above[k].until > r:
            write_place(text, pen.above[k], table, True, doc, doc.rendered)
        doc.rendered.push_back(124)
        if <int64_t>doc.rendered.size() > limit:
            return False
    doc.rendered.push_back(10)
    return True


cdef inline bint write_pairs(const char_t* text, int32_t r, Table& table, int64_t limit, Pen& pen,
                             Document& doc) except + nogil:
    """Row `r` as `name: value; name: value`, empty cells left out; False where the limit is passed."""
    cdef int32_t columns = place_row(table, r, pen, doc), k
    cdef int64_t at, row_start = doc.rendered.size(), name, p
    for k in range(columns):
        if pen.above[k].until <= r:
            continue
        at = doc.rendered.size()
        if at > row_start:
            doc.rendered.push_back(59)
            doc.rendered.push_back(32)
        if k < <int32_t>pen.name_ends.size():
            name = pen.name_ends[k - 1] if k else 0
            if name < pen.name_ends[k]:
                for p in range(name, pen.name_ends[k]):
                    doc.rendered.push_back(pen.names[p])
                doc.rendered.push_back(58)
                doc.rendered.push_back(32)
        p = doc.rendered.size()
        write_place(text, pen.above[k], table, False, doc, doc.rendered)
        if p == <int64_t>doc.rendered.size():
            doc.rendered.resize(at)
        if <int64_t>doc.rendered.size() > limit:
            return False
    doc.rendered.push_back(10)
    return True


cdef inline bint name_columns(const char_t* text, Table& table, int32_t first, int32_t last, int64_t limit, Pen& pen,
                              Document& doc) except + nogil:
    """The header rows [first, last) as one name a column, its parts joined with `/`, a part that repeats left out."""
    cdef vector[Place] grid
    cdef Place none, place, before
    cdef int32_t r, k, columns = table.columns, rows = 0, found
    cdef int64_t start = 0
    none.row = none.cell = -1
    none.until = 0
    for r in range(first, last):
        if doc.rows[r].kind != ROW_HEADER:
            continue
        found = place_row(table, r, pen, doc)
        grid.resize((rows + 1) * columns, none)
        for k in range(min(found, columns)):
            if pen.above[k].until > r:
                grid[rows * columns + k] = pen.above[k]
        rows += 1
    for k in range(columns):
        before = none
        start = pen.names.size()
        for r in range(rows):
            place = grid[r * columns + k]
            if place.cell < 0 or place.cell == before.cell:
                continue
            if before.cell >= 0 and same_place(text, place, before, table, doc):
                continue
            if <int64_t>pen.names.size() > start:
                pen.names.push_back(47)
            write_place(text, place, table, False, doc, pen.names)
            if <int64_t>pen.names.size() > start and pen.names.back() == 47:
                pen.names.pop_back()
            before = place
            if <int64_t>pen.names.size() > limit:
                return False
        pen.name_ends.push_back(pen.names.size())
    return True


cdef inline bint same_place(const char_t* text, Place a, Place b, Table& table, Document& doc) noexcept nogil:
    cdef int64_t p = doc.rows[a.row].start, q = doc.rows[b.row].start
    return same_text(text, p + doc.cells[a.cell].start, p + doc.cells[a.cell].end,
                     q + doc.cells[b.cell].start, q + doc.cells[b.cell].end, table.kind)


cdef inline bint render_table(const char_t* text, Table& table, bint pairs, Document& doc) except + nogil:
    """The table into `doc.rendered`; False, and nothing written, where it would grow beyond its bound."""
    cdef Pen pen
    cdef int64_t begin = doc.rendered.size(), size = table.end - table.start + table.note_end - table.note_start
    cdef int64_t limit = begin + GROWTH * size + 64
    cdef int32_t r, _i, cell, title = table.first, columns
    cdef bint fits = True
    write_lines(text, table.note_start, table.note_end, doc.rendered)
    write_lines(text, table.start, table.body, doc.rendered)
    while title < table.first + table.header:  # titles and units over all columns: a line each, not many cells
        cell = title_cell(text, doc.rows[title], table, doc)
        if cell < 0:
            break
        doc.rows[title].out_start = doc.rendered.size()
        write_cell(text, doc.rows[title].start + doc.cells[cell].start, doc.rows[title].start + doc.cells[cell].end,
                   table.kind, False, doc.rendered)
        doc.rendered.push_back(10)
        doc.rows[title].out_end = doc.rendered.size()
        title += 1
    if pairs:
        fits = name_columns(text, table, title, table.first + table.header, limit - begin, pen, doc)
    else:
        columns = table.columns
        for r in range(title, table.first + table.header):
            if doc.rows[r].kind != ROW_HEADER:
                continue
            doc.rows[r].out_start = doc.rendered.size()
            fits = fits and write_markdown(text, r, table, columns, limit, pen, doc)
            doc.rows[r].out_end = doc.rendered.size()
            if columns:  # Markdown wants the delimiter below the first header row, however many there are
                doc.rendered.push_back(124)
                for _i in range(max(columns, <int32_t>pen.above.size())):
                    doc.rendered.push_back(45)
                    doc.rendered.push_back(124)
                doc.rendered.push_back(10)
                columns = 0
    table.out_start = begin
    table.out_end = doc.rendered.size()
    for r in range(table.first + table.header, table.last):
        if doc.rows[r].kind == ROW_DATA and fits:
            doc.rows[r].out_start = doc.rendered.size()
            if pairs:
                fits = write_pairs(text, r, table, limit, pen, doc)
            else:
                fits = write_markdown(text, r, table, 0, limit, pen, doc)
            doc.rows[r].out_end = doc.rendered.size()
    if fits:
        return True
    doc.rendered.resize(begin)
    for r in range(table.first, table.last):
        doc.rows[r].out_start = doc.rows[r].out_end = begin
    return False


cdef inline void render_tables(const char_t* text, int32_t table_format, Document& doc) except + nogil:
    cdef size_t i, size = 0
    cdef Table* table
    doc.rendered.clear()
    for i in range(doc.tables.size()):
        if table_format != SOURCE and (table_format != AUTO or doc.tables[i].kind == T_HTML):
            size += doc.tables[i].end - doc.tables[i].start
    doc.rendered.reserve(size // 4)  # what rate tables with their tags come to
    for i in range(doc.tables.size()):
        table = &doc.tables[i]
        table.tall = False
        table.rendered = (not table.overfull and table_format != SOURCE
                          and (table_format != AUTO or table.kind == T_HTML)
                          and render_table(text, table[0], table_format == ROWS, doc))
        if not table.rendered:
            table.out_start = table.out_end = doc.rendered.size()


cdef inline size_t table_at(const Document& doc, int64_t out_start) noexcept nogil:
    """Index of the rendered table that begins at `out_start` of the rendered text; how many tables there are where none
    does."""
    cdef size_t low = 0, high = doc.tables.size(), middle
    while low < high:
        middle = (low + high) // 2
        if doc.tables[middle].out_start < out_start:
            low = middle + 1
        else:
            high = middle
    while low < doc.tables.size() and doc.tables[low].out_start == out_start and not doc.tables[low].rendered:
        low += 1
    return low if low < doc.tables.size() and doc.tables[low].out_start == out_start else doc.tables.size()


cdef inline bint show_repeats(Document& doc, size_t t) noexcept nogil:
    """Let a table's repeated header rows be rows like others, which are rendered; whether there are any."""
    cdef int32_t r
    cdef bint found = False
    for r in range(doc.tables[t].first, doc.tables[t].last):
        if doc.rows[r].kind == ROW_REPEAT and doc.rows[r].first < doc.rows[r].last:
            doc.rows[r].kind = ROW_DATA
            found = True
    return found
