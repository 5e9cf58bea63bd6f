"""HTML tables as converted documents hold them: tags in any case, attributes quoted or not, cells left open."""
from libc.stdint cimport uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Cell, Document, ROW_DATA, ROW_HEADER, Row, T_HTML, Table
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_line_end, is_space, uint16_t, uint32_t

cdef extern from "html_names.h" nogil:
    uint32_t cf_entity_code(uint64_t name) noexcept
    bint cf_breaks(uint64_t name) noexcept
    uint64_t TAG_TABLE, TAG_TR, TAG_TD, TAG_TH, TAG_THEAD, TAG_TBODY, TAG_TFOOT, TAG_CAPTION

cdef enum:
    MOST_COLUMNS = 1000  # of one cell, as browsers have it
    MOST_ROWS = 65534


cdef inline bint is_tag(const char_t* text, int64_t n, int64_t p) noexcept nogil:
    """Whether the `<` at `p` may open a tag: a letter, a slash or an exclamation mark follows."""
    cdef uint32_t c
    if p + 1 >= n:
        return False
    c = text[p + 1]
    return 97 <= (c | 32) <= 122 or c == 47 or c == 33


cdef inline int64_t tag_end(const char_t* text, int64_t n, int64_t p) noexcept nogil:
    """Position after the `>` of the tag at `p`; 0 where another `<` or the end comes first: then it is no tag."""
    cdef int64_t q = p + 1, r
    cdef uint32_t c
    while q < n:
        c = text[q]
        if c == 62:
            return q + 1
        if c == 60:
            return 0
        if (c == 34 or c == 39) and text[q - 1] == 61:
            r = q + 1
            while r < n and text[r] != c and text[r] != 60:
                r += 1
            if r < n and text[r] == c:
                q = r
        q += 1
    return 0


cdef inline uint64_t tag_name(const char_t* text, int64_t n, int64_t p, bint* closing) noexcept nogil:
    """Name of the tag at `p`, lower case, as a number; 0 where it is longer than any we know."""
    cdef uint64_t name = 0
    cdef uint32_t c
    cdef int32_t length = 0
    p += 1
    closing[0] = p < n and text[p] == 47
    if closing[0]:
        p += 1
    while p < n:
        c = text[p]
        if 65 <= c <= 90:
            c |= 32
        if not (97 <= c <= 122 or 48 <= c <= 57):
            break
        length += 1
        if length > 8:
            return 0
        name = name << 8 | c
        p += 1
    return name


cdef inline bint tag_breaks(const char_t* text, int64_t n, int64_t p) noexcept nogil:
    cdef bint closing
    return cf_breaks(tag_name(text, n, p, &closing))


cdef inline int64_t decode_entity(const char_t* text, int64_t n, int64_t p, uint32_t* code) noexcept nogil:
    """The character that the `&` at `p` writes: returns the position after it, 0 where it writes none that we know."""
    cdef int64_t q = p + 1
    cdef uint64_t name = 0
    cdef uint32_t c, value = 0
    cdef uint32_t base = 10
    cdef bint digits = False
    if q < n and text[q] == 35:
        q += 1
        if q < n and (text[q] | 32) == 120:
            base = 16
            q += 1
        while q < n and q - p < 12:
            c = text[q]
            if 48 <= c <= 57:
                c -= 48
            elif base == 16 and 97 <= (c | 32) <= 102:
                c = (c | 32) - 87
            else:
                break
            value = value * base + c
            if value > 0x10FFFF:
                return 0
            digits = True
            q += 1
        if not digits or value == 0 or 0xD800 <= value < 0xE000:
            return 0
    else:
        while q < n and q - p < 9:
            c = text[q]
            if not (97 <= (c | 32) <= 122 or 48 <= c <= 57):
                break
            name = name << 8 | c
            q += 1
        value = cf_entity_code(name)
        if value == 0:
            return 0
    if q >= n or text[q] != 59:
        return 0
    code[0] = value
    return q + 1


cdef inline int64_t read_spans(const char_t* text, int64_t n, int64_t p, int32_t* columns,
                               int32_t* rows) noexcept nogil:
    """colspan and rowspan of the tag at `p`, 1 where not given: returns the position after it, 0 without end."""
    cdef int64_t q = p + 3, r, name
    cdef uint32_t c
    cdef int32_t value
    columns[0] = rows[0] = 1
    while q < n:
        c = text[q]
        if c == 62:
            return q + 1
        if c == 60:
            return 0
        if c != 61:
            q += 1
            continue
        name = q - 1
        while is_space(text[name]):
            name -= 1
        q += 1
        while q < n and is_space(text[q]):
            q += 1
        r = q
        if q < n and (text[q] == 34 or text[q] == 39):
            c = text[q]
            r = q + 1
            while r < n and text[r] != c and text[r] != 60:
                r += 1
            q += 1
            r = r + 1 if r < n and text[r] == c else q
        if name - p > 7 and (text[name] | 32) == 110 and (text[name - 1] | 32) == 97 and (text[name - 2] | 32) == 112 \
                and (text[name - 3] | 32) == 115:
            value = 0
            while q < n and 48 <= text[q] <= 57:
                if value < MOST_ROWS:
                    value = value * 10 + text[q] - 48
                q += 1
            if (text[name - 4] | 32) == 108:
                columns[0] = min(max(value, 1), MOST_COLUMNS)
            elif (text[name - 4] | 32) == 119:
                rows[0] = min(max(value, 1), MOST_ROWS)
        q = max(q, r)
    return 0


cdef cppclass Scan:  # one table while it is read
    vector[int64_t] until  # first row that a column is free again from, for columns that a rowspan has ever covered
    int64_t row  # number of the `<tr>`
    int64_t row_start  # where the row begins; rows are pushed with their first cell
    int64_t cell  # where the open cell's text begins, -1 while none is open
    int64_t work  # steps spent on spans, to be paid for by characters
    int64_t heads  # <th> cells of the row
    int32_t column  # next free column
    int32_t columns  # of the open cell
    int32_t rows
    int64_t tag  # a <td> tag, its length and spans: most are like the one before
    int64_t tag_length
    int32_t tag_columns
    int32_t tag_rows
    bint open  # the row has been pushed
    bint head  # inside <thead>


cdef inline int64_t read_tag(const char_t* text, int64_t n, int64_t p, Scan& scan, uint64_t* name, bint* closing,
                             int32_t* columns, int32_t* rows) noexcept nogil:
    """Position after the tag at `p`, 0 where it is none of a table's; sets its name, and the spans of a cell's.

    Nearly all are `<td>` tags like the one before, or `</td>`: these are told without being read.
    """
    cdef int64_t after
    name[0] = TAG_TD
    closing[0] = text[p + 1] == 47
    if closing[0]:
        if p + 4 < n and text[p + 4] == 62 and (text[p + 2] | 32) == 116 and (text[p + 3] | 32) == 100:
            return p + 5
    elif scan.tag_length <= n - p and memcmp(text + scan.tag, text + p, scan.tag_length * sizeof(char_t)) == 0:
        columns[0] = scan.tag_columns
        rows[0] = scan.tag_rows
        return p + scan.tag_length
    name[0] = tag_name(text, n, p, closing)
    if (name[0] == TAG_TD or name[0] == TAG_TH) and not closing[0]:
        after = read_spans(text, n, p, columns, rows)
        if name[0] == TAG_TD:
            scan.tag = p
            scan.tag_length = after - p if after else n
            scan.tag_columns = columns[0]
            scan.tag_rows = rows[0]
        return after
    if (name[0] == TAG_TD or name[0] == TAG_TH or name[0] == TAG_TR or name[0] == TAG_TABLE or name[0] == TAG_THEAD
            or name[0] == TAG_TBODY or name[0] == TAG_TFOOT or name[0] == TAG_CAPTION):
        return tag_end(text, n, p)
    return 0


cdef inline void place_cell(Scan& scan, int64_t paid, Table& table) except + nogil:
    """Gives the open cell its column: the next that no rowspan from above covers."""
    cdef int64_t column
    scan.work += scan.columns - 1
    if scan.work > 2 * paid + 1024:  # spans that cover far more than is written: a table that can't be filled in
        table.overfull = True
        scan.until.clear()
    if table.overfull:
        scan.columns = scan.rows = 1
    while scan.column < <int64_t>scan.until.size() and scan.until[scan.column] > scan.row:
        scan.column += 1
        scan.work += 1
    if scan.rows > 1:
        column = scan.column + scan.columns
        if <int64_t>scan.until.size() < column:
            scan.until.resize(column, 0)
        for column in range(scan.column, scan.column + scan.columns):
            scan.until[column] = scan.row + scan.rows
        scan.work += scan.columns


cdef inline void close_cell(const char_t* text, int64_t end, Scan& scan, Document& doc, Table& table) except + nogil:
    cdef Cell cell
    cdef int64_t start = scan.cell
    if start < 0:
        return
    while end > start and is_space(text[end - 1]):
        end -= 1
    while start < end and is_space(text[start]):
        start += 1
    cell.start = <uint32_t>(start - doc.rows.back().start)
    cell.end = <uint32_t>(end - doc.rows.back().start)
    cell.column = scan.column
    cell.columns = <uint16_t>scan.columns
    cell.rows = <uint16_t>scan.rows
    doc.cells.push_back(cell)
    doc.rows.back().last = <int32_t>doc.cells.size()
    scan.column += scan.columns
    scan.cell = -1


cdef inline void open_cell(const char_t* text, int64_t at, int64_t inside, Scan& scan, Document& doc,
                           Table& table) except + nogil:
    """A cell whose text begins at `inside`, its tag at `at`; opens its row as well where this is the first."""
    cdef Row row
    cdef int64_t end
    if not scan.open:
        row.start = at if scan.row_start < 0 else scan.row_start
        if <int32_t>doc.rows.size() == table.first:
            row.start = table.start
        else:
            end = row.start
            while is_space(text[end - 1]):
                end -= 1
            doc.rows.back().end = end
        row.end = row.start
        row.out_start = row.out_end = 0
        row.first = row.last = <int32_t>doc.cells.size()
        row.kind = ROW_DATA
        doc.rows.push_back(row)
        scan.open = True
        scan.column = 0
        scan.heads = 0
    place_cell(scan, inside - table.start, table)
    scan.cell = inside


cdef inline void close_row(Scan& scan, Document& doc, Table& table) noexcept nogil:
    cdef int32_t cells
    if scan.open:
        cells = doc.rows.back().last - doc.rows.back().first
        if scan.head or scan.heads == cells:
            doc.rows.back().kind = ROW_HEADER
        if cells > 1:  # `colspan="100"` in a title means all columns, however many there are
            table.columns = max(table.columns, scan.column)
    scan.open = False
    scan.row_start = -1


cdef inline bint scan_html(const char_t* text, int64_t n, int64_t start, bint nested, Document& doc,
                           Table& table) except + nogil:
    """Reads the table that opens at `start`: rows and cells into `doc`, its end into `table`; False without rows.

    Rows share the table out among them: the first begins at `<table>`, each ends where the next begins, the last after
    `</table>`. A table in a cell is a part of that cell's text. Text outside cells is a cell of its own. A table
    that is never closed ends with the line of its last tag; where it holds others, it is False: try again without
    `nested`, which has every table end where the next begins.
    """
    cdef Scan scan
    cdef int64_t p, after = 0, gap, last
    cdef int32_t depth = 1, columns = 1, rows = 1
    cdef uint64_t name
    cdef bint closing, deep = False
    table.start = table.body = start
    table.first = table.last = <int32_t>doc.rows.size()
    table.columns = 1
    table.kind = T_HTML
    table.overfull = False
    scan.row = 0
    scan.row_start = scan.cell = -1
    scan.work = scan.heads = 0
    scan.tag = start
    scan.tag_length = n
    scan.column = 0
    scan.open = scan.head = False
    p = gap = last = tag_end(text, n, start)
    if p == 0:
        return False
    while True:
        while p < n and text[p] != 60:
            p += 1
        if p >= n:
            break
        if not is_tag(text, n, p):
            p += 1
            continue
        after = read_tag(text, n, p, scan, &name, &closing, &columns, &rows)
        if after == 0:
            p += 1
            continue
        if name == TAG_TABLE and not closing:
            if scan.cell < 0 or not nested:
                break
            depth += 1
            deep = True
        elif depth > 1:
            depth -= name == TAG_TABLE
        else:
            if scan.cell >= 0:
                close_cell(text, p, scan, doc, table)
            else:
                while gap < p and is_space(text[gap]):
                    gap += 1
                if gap < p:
                    scan.columns = scan.rows = 1
                    open_cell(text, gap, gap, scan, doc, table)
                    close_cell(text, p, scan, doc, table)
            if name == TAG_TABLE:
                last = after
                depth = 0
                break
            if name == TAG_TD or name == TAG_TH:
                if not closing:
                    scan.columns = columns
                    scan.rows = rows
                    open_cell(text, p, after, scan, doc, table)
                    scan.heads += name == TAG_TH
            else:
                close_row(scan, doc, table)
                if name == TAG_TR and not closing:
                    scan.row_start = p
                    scan.row += 1
                elif name == TAG_CAPTION and not closing:
                    scan.columns = scan.rows = 1
                    open_cell(text, p, after, scan, doc, table)
                elif name == TAG_THEAD:
                    scan.head = not closing
        p = gap = last = after
    if depth:
        if deep:  # which of them is never closed is not to be told
            return False
        while last < n and last < p and not is_line_end(text[last]):
            last += 1
        if scan.cell < 0:
            while gap < last and is_space(text[gap]):
                gap += 1
            if gap < last:
                scan.columns = scan.rows = 1
                open_cell(text, gap, gap, scan, doc, table)
        close_cell(text, last, scan, doc, table)
    close_row(scan, doc, table)
    while is_space(text[last - 1]):
        last -= 1
    table.end = last
    table.last = <int32_t>doc.rows.size()
    if table.last == table.first:
        return False
    doc.rows.back().end = last
    return True
