"""Tables: pipe, Markdown, TSV, CSV and HTML, with captions and header rows, those that go on over pages as one."""
from libcpp.vector cimport vector

from chunkfast._kernels.captions cimport (
    A_BLANK, A_CONDITION, A_PAGE, A_UNIT, MOST_LINES, find_captions, is_page_line, read_above,
)
from chunkfast._kernels.cells cimport L_NUMBER, look, split_line
from chunkfast._kernels.document cimport (
    Document, Line, M_ANGLE, M_COMMA, M_PIPE, M_TAB, ROW_BETWEEN, ROW_DATA, ROW_DELIMITER, ROW_HEADER, ROW_REPEAT,
    R_NONE, R_TABLE, Row, T_COMMAS, T_HTML, T_PIPE, T_TABS, Table,
)
from chunkfast._kernels.html cimport TAG_TABLE, scan_html, tag_name
from chunkfast._kernels.marks cimport F_APPENDIX, F_DECIMAL, F_EN_PART, LineMark, read_mark
from chunkfast._kernels.page_layout cimport Extent, add_layout, put_cells
from chunkfast._kernels.table_rows cimport (
    DIFFERENT, MISREAD, Prose, RowLook, SAME, SERIES, has_labels, header_rows, is_data, is_layout, look_at_row,
    match_rows,
)
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_space, uint32_t

cdef extern from "skip.h" nogil:
    int64_t cf_next_of[T](const T* text, int64_t i, int64_t n, int a, int b) noexcept

cdef enum:
    TOP = 12  # rows that may be header or titles; rows at the end that may hold the last number
    MOST_FIELD = 64  # characters of a field of a CSV line
    LONG_FIELD = 80  # characters of a cell between tabs that is a paragraph


cdef cppclass Walk:  # what is known while the lines are read from the first to the last
    vector[RowLook] looks  # of the rows of the table at hand
    vector[Extent] layouts  # tables that only lay out a page
    vector[Line] cells  # ... and the lines in their cells
    int64_t last  # last number in the first column of the table before, -1 where none
    int64_t note_start  # condition line of a table to come, -1 where none
    int64_t note_end
    bint linked  # the table before may go on
    bint nested  # HTML tables may hold tables


cdef inline void drop_rows(Table& table, Document& doc) except + nogil:
    if <int32_t>doc.rows.size() > table.first:
        doc.cells.resize(doc.rows[table.first].first)
        doc.rows.resize(table.first)


cdef inline bint same_header(const char_t* text, Table& before, int32_t first, int32_t rows, bint strict,
                             Document& doc) noexcept nogil:
    """Whether the `rows` rows from `first` repeat the last header rows of the table before: all to the letter; or,
    unless `strict`, at least half with recognition errors, and none tells another of a series (方案一, 方案二)."""
    cdef int32_t a = before.first + before.header, b = first + rows, match, pairs = 0, same = 0
    while a > before.first and b > first:
        if doc.rows[a - 1].kind == ROW_DELIMITER:
            a -= 1
            continue
        if doc.rows[b - 1].kind == ROW_DELIMITER:
            b -= 1
            continue
        a -= 1
        b -= 1
        match = match_rows(text, doc.rows[a], doc.rows[b], before.kind, doc)
        if match == SERIES:
            return False
        pairs += 1
        same += match >= (SAME if strict else MISREAD)
    return pairs > 0 and (same == pairs if strict else 2 * same >= pairs)


cdef inline bint goes_on(const char_t* text, int64_t line, int32_t header, Table& table, Walk& walk,
                         Document& doc) except + nogil:
    """Whether the table whose first line is `line`, with `header` header rows, is the rest of the table before."""
    cdef Table* before
    cdef RowLook* data
    cdef int64_t i = line - 1, condition_start = -1, condition_end = -1
    cdef int32_t kind, rows = table.last - table.first
    cdef Row row
    cdef size_t at
    cdef bint next_number
    if not walk.linked or doc.tables.back().kind != table.kind or header >= rows:
        return False
    before = &doc.tables.back()
    data = &walk.looks[header]
    if header and is_data(walk.looks[0]) and walk.looks[0].value == walk.last + 1:
        header = 0  # Markdown needs a header row: a row of data stands in its place
        data = &walk.looks[0]
    next_number = walk.last >= 0 and data.value == walk.last + 1
    while i >= 0 and doc.lines[i].start >= before.end and line - i <= MOST_LINES:
        kind = read_above(text, doc.lines[i])
        if kind == A_CONDITION and next_number:
            condition_start = doc.lines[i].first
            if condition_end < 0:
                condition_end = doc.lines[i].end
        elif kind != A_BLANK and kind != A_PAGE and kind != A_UNIT:
            return False
        i -= 1
    if i >= 0 and (doc.lines[i].start >= before.end or doc.lines[i].end > before.end):
        return False
    if header == 0:
        if condition_end >= 0 and not next_number:
            return False
        if data.value >= 0 and walk.last >= 0:
            if data.value < walk.last:
                return False
        elif table.columns != before.columns:
            return False
        elif before.header == 0:
            if before.last - before.first > 1:
                return False
            mark_header(before[0], 1, doc)  # a header alone on its page
    elif same_header(text, before[0], table.first, header, True, doc):
        if data.value >= 0 and walk.last >= 0 and data.value <= walk.last:
            return False
    elif not next_number or not same_header(text, before[0], table.first, header, False, doc):
        return False
    for kind in range(header):
        doc.rows[table.first + kind].kind = ROW_REPEAT
    for kind in range(table.first, table.last):
        if doc.rows[kind].kind == ROW_DELIMITER:
            doc.rows[kind].kind = ROW_REPEAT
        elif doc.rows[kind].kind == ROW_HEADER:
            doc.rows[kind].kind = ROW_DATA
    at = table.first
    for i in range(i + 1, line):
        if doc.lines[i].role == R_NONE:
            row.start = doc.lines[i].first
            row.end = doc.lines[i].end
            row.first = row.last = doc.rows[at].first
            row.out_start = row.out_end = 0
            row.kind = ROW_BETWEEN
            doc.rows.insert(doc.rows.begin() + at, row)
            at += 1
            doc.lines[i].role = R_TABLE
    before.end = table.end
    before.last = <int32_t>doc.rows.size()
    before.columns = max(before.columns, table.columns)
    before.overfull = before.overfull or table.overfull
    if condition_end >= 0:
        walk.note_start = condition_start
        walk.note_end = condition_end
    note_last(rows, walk)
    return True


cdef inline void note_last(int32_t rows, Walk& walk) noexcept nogil:
    """Remembers the last number in the first column."""
    cdef int32_t i = rows - 1
    walk.last = -1
    walk.linked = True
    while i >= 0 and rows - i <= TOP:
        if is_data(walk.looks[i]):
            walk.last = walk.looks[i].last
            return
        i -= 1


cdef inline void add_table(const char_t* text, int64_t line, Table& table, Walk& walk, Document& doc) except + nogil:
    """The table whose rows have just been read; `line` is its first line, -1 where other text stands before it."""
    cdef Prose prose
    cdef Table part
    cdef int32_t rows = table.last - table.first, header, begin = 0, i, run, r
    cdef int64_t top, floor = 0
    cdef bint condition = False, marked = False, differs = False
    prose.length = prose.prose = prose.sections = prose.paired = 0
    walk.looks.resize(rows)
    for i in range(rows):
        walk.looks[i] = look_at_row(text, doc.rows[table.first + i], table, i < TOP, doc, prose)
        marked = marked or doc.rows[table.first + i].kind != ROW_DATA
    if is_layout(table, prose, rows, marked or has_labels(walk.looks.data(), rows)):
        if table.kind == T_HTML:
            add_layout(text, table, doc, walk.layouts, walk.cells)
        drop_rows(table, doc)
        walk.linked = False
        return
    claim_lines(line if line >= 0 else 0, table, doc)
    header = header_rows(text, 0, rows, table, walk.looks.data(), doc)
    if line >= 0:
        if goes_on(text, line, header, table, walk, doc):
            return
        floor = doc.tables.back().end if doc.tables.size() else 0
        top = find_captions(text, line, floor, doc, &condition)
        if top < line:
            table.start = doc.lines[top].first
    table.note_start = table.note_end = table.body
    if walk.note_start >= 0 and not condition:
        table.note_start = walk.note_start
        table.note_end = walk.note_end
    elif line >= 0 and table.start == table.body and doc.tables.size() and same_columns(text, table, header, doc):
        inherit_captions(text, doc.tables.back(), table)
    walk.note_start = -1
    part = table
    mark_header(part, header, doc)
    i = header
    while i < rows:
        run = repeated_header(text, i, rows, begin, table, part, walk, doc, &differs)
        i += max(run, 1)
        if run == 0:
            continue
        if not differs:
            for r in range(i - run, i):
                doc.rows[table.first + r].kind = ROW_REPEAT
            continue
        begin = i - run
        part.end = doc.rows[table.first + begin - 1].end  # header rows of another table, under the same captions
        part.last = table.first + begin
        doc.tables.push_back(part)
        inherit_captions(text, doc.tables.back(), part)
        part.start = part.body = doc.rows[table.first + begin].start
        part.end = table.end
        part.first = table.first + begin
        part.last = table.last
        mark_header(part, run, doc)
    doc.tables.push_back(part)
    note_last(rows, walk)


cdef inline bint same_columns(const char_t* text, Table& table, int32_t header, Document& doc) noexcept nogil:
    """Whether the last header row is that of the table before: the conditions above that one hold for this one too."""
    cdef Table* before = &doc.tables.back()
    if header == 0 or before.header == 0 or before.kind != table.kind:
        return False
    return SAME == match_rows(text, doc.rows[before.first + before.header - 1], doc.rows[table.first + header - 1],
                              table.kind, doc)


cdef inline void inherit_captions(const char_t* text, Table& before, Table& table) noexcept nogil:
    table.note_start = before.note_start
    table.note_end = before.note_end
    if before.note_start == before.note_end and before.start < before.body:
        table.note_start = before.start
        table.note_end = before.body
        while is_space(text[table.note_end - 1]):
            table.note_end -= 1


cdef inline int32_t repeated_header(const char_t* text, int32_t i, int32_t rows, int32_t begin, Table& table,
                                    Table& part, Walk& walk, Document& doc, bint* differs) noexcept nogil:
    """How many rows from `i` on are the last header rows of `part` once more, 0 where they are not or no row follows.

    `differs`: they are those of another table: a cell tells another of a series (男性, 女性), or numbers start again.
    Rows are counted from the first of `table`; those of `part` start at `begin`.
    """
    cdef int32_t s, r, run, match
    cdef bint exact
    cdef Row row = doc.rows[table.first + i]
    if table.kind == T_HTML and row.first < row.last and doc.cells[row.first].column > 0:
        return 0  # a cell above reaches into the row, so it goes on with that one
    for s in range(part.header):
        if doc.rows[part.first + s].kind == ROW_DELIMITER or walk.looks[i].first != walk.looks[begin + s].first:
            continue
        run = 0
        exact = differs[0] = False
        r = s
        while r < part.header and i + run < rows:
            if doc.rows[part.first + r].kind != ROW_DELIMITER:
                match = match_rows(text, doc.rows[table.first + i + run], doc.rows[part.first + r], table.kind, doc)
                if match == DIFFERENT:
                    break
                exact = exact or match >= MISREAD
                differs[0] = differs[0] or match == SERIES
                run += 1
            r += 1
        if r == part.header and exact and i + run < rows:
            differs[0] = differs[0] or 0 <= walk.looks[i + run].value < walk.looks[i - 1].last
            return run
    return 0


cdef inline void mark_header(Table& table, int32_t header, Document& doc) noexcept nogil:
    """Gives the table its number of header rows, and its rows their kinds."""
    cdef int32_t i
    table.header = header
    for i in range(table.first, table.last):
        if doc.rows[i].kind == ROW_DELIMITER:
            if i >= table.first + header:
                doc.rows[i].kind = ROW_REPEAT
        elif i < table.first + header:
            doc.rows[i].kind = ROW_HEADER
        elif doc.rows[i].kind == ROW_HEADER:
            doc.rows[i].kind = ROW_DATA


cdef inline void claim_lines(int64_t line, Table& table, Document& doc) noexcept nogil:
    cdef size_t i = line
    while i < doc.lines.size() and doc.lines[i].start < table.end:
        if doc.lines[i].role == R_NONE and doc.lines[i].first >= table.start:
            doc.lines[i].role = R_TABLE
        i += 1


cdef inline bint is_delimiter(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """`|---|:-:|`: nothing but pipes, dashes, colons and blanks, a dash in every cell."""
    cdef bint dash = False, pipe = False
    cdef uint32_t c
    if text[p] == 124:
        p += 1
        pipe = True
    while p < end:
        c = text[p]
        if c == 45:
            dash = True
        elif c == 124:
            if not dash:
                return False
            pipe = True
            dash = False
        elif c != 58 and not is_space(c):
            return False
        p += 1
    return pipe and (dash or text[end - 1] == 124)


cdef inline bint names_part(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """`Part 2`, `APP1`, `A2.1` and nothing else: in front of a title."""
    cdef LineMark mark
    return 65 <= text[p] <= 90 and end - p < 16 and read_mark(text, p, end, &mark) and mark.number_end == end \
        and (F_EN_PART <= mark.family <= F_APPENDIX or (mark.family == F_DECIMAL and mark.letters))


cdef inline bint is_mark(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A number or letter in front of a paragraph, as `1.1.`, `(a)`, `2.3.(i)`, or a bullet."""
    cdef uint32_t c
    if p >= end or end - p > 10:
        return False
    c = text[end - 1]
    if end - p == 1:
        return (c == 42 or c == 45 or c == 0xB7 or 0x2022 <= c <= 0x2043 or 0x25A0 <= c <= 0x25FF
                or 0xF000 <= c <= 0xF0FF)
    return c == 41 or c == 46 or c == 0xFF09


cdef inline bint is_thousands(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether all commas of the line stand in numbers, whose digits they group in threes: 1,234,567.00."""
    cdef int64_t i = cf_next_of(text, p, end, 44, 44), before, after
    while i < end:
        before = i
        while before > p and i - before < 4 and 48 <= text[before - 1] <= 57:
            before -= 1
        after = i + 1
        while after < end and 48 <= text[after] <= 57:
            after += 1
        if after - i != 4 or not 1 <= i - before <= 3:
            return False
        i = cf_next_of(text, after, end, 44, 44)
    return True


cdef inline bint is_table(const char_t* text, int32_t kind, int32_t usual, bint told, Table& table,
                          Document& doc) noexcept nogil:
    """Whether lines that hold pipes, tabs or commas, mostly `usual` cells, are a table; `told`: by a delimiter row."""
    cdef int32_t rows = <int32_t>doc.rows.size() - table.first, i, k, filled
    cdef int32_t fit = 0, marks = 0, outer = 0, paired = 0, numbers = 0, prose = 0
    cdef int64_t start, end
    cdef Row row
    if rows < 2 or (usual < 2 and not told):
        return False
    if told:
        return True
    for i in range(table.first, table.first + rows):
        row = doc.rows[i]
        fit += row.last - row.first == usual
        outer += text[row.start] == 124
        filled = 0
        for k in range(row.first, row.last):
            start = row.start + doc.cells[k].start
            end = row.start + doc.cells[k].end
            if start == end:
                continue
            marks += filled == 0 and (is_mark(text, start, end) or usual == 2 and names_part(text, start, end))
            prose += end - start > LONG_FIELD
            filled += 1
            if kind == T_COMMAS:
                if end - start > MOST_FIELD or (k > row.first and is_space(text[start - 1])):
                    return False
                numbers += look(text, start, end, kind).kind == L_NUMBER
        paired += filled > 1
        if kind == T_COMMAS:
            marks += is_thousands(text, row.start, row.end)
    if 2 * paired < rows:
        return False
    if kind == T_COMMAS:
        return usual > 2 and rows > 2 and fit == rows and numbers >= rows - 1 and 2 * marks < rows
    if kind == T_TABS and (3 * marks >= rows or 4 * prose >= rows):
        return False
    return 5 * fit >= 3 * rows and (rows > 2 or usual > 2 or (kind == T_PIPE and outer == rows))


cdef inline bint may_be_csv(const char_t* text, Line& line) noexcept nogil:
    """A quote at the start, or no blank after the first comma: prose has one there."""
    cdef int64_t p = line.first
    if text[p] == 34:
        return True
    p = cf_next_of(text, p, line.end, 44, 44)
    return p + 1 < line.end and not is_space(text[p + 1])


cdef inline int64_t read_lines(const char_t* text, int64_t i, int32_t kind, Walk& walk, Document& doc) except + nogil:
    """A run of lines with pipes, tabs or commas from line `i`: adds it where it is a table, returns the line after."""
    cdef Table table
    cdef Row row
    cdef int32_t counts[65]
    cdef int32_t usual = 0, delimiter = -1, rows = 0, skip = 0, k
    cdef int64_t j = i
    cdef uint32_t wanted = M_PIPE if kind == T_PIPE else M_TAB if kind == T_TABS else M_COMMA
    cdef int64_t least = i + (3 if kind == T_COMMAS else 2)
    cdef bint marked = kind == T_TABS
    # most such lines are prose: they are not split where too few follow each other, nor where each starts with a list
    # mark
    while (j < least or marked) and j < <int64_t>doc.lines.size() and doc.lines[j].role == R_NONE \
            and doc.lines[j].marks & wanted and (kind != T_COMMAS or may_be_csv(text, doc.lines[j])):
        marked = marked \
                and is_mark(text, doc.lines[j].first, cf_next_of(text, doc.lines[j].first, doc.lines[j].end, 9, 9))
        j += 1
    if j < least or marked:
        return max(j, i + 1)
    j = i
    for k in range(65):
        counts[k] = 0
    table.first = <int32_t>doc.rows.size()
    while j < <int64_t>doc.lines.size() and doc.lines[j].role == R_NONE and doc.lines[j].marks & wanted:
        if kind == T_COMMAS and not may_be_csv(text, doc.lines[j]):
            break
        if kind == T_PIPE and is_delimiter(text, doc.lines[j].first, doc.lines[j].end):
            if delimiter >= 0 and rows - delimiter > 2:  # another table begins with the row above
                doc.rows.pop_back()
                j -= 1
                break
            row.start = doc.lines[j].first
            row.end = doc.lines[j].end
            row.out_start = row.out_end = 0
            row.first = row.last = <int32_t>doc.cells.size()
            row.kind = ROW_DELIMITER
            delimiter = rows
        else:
            split_line(text, doc.lines[j], kind, row, doc)
            row.kind = ROW_DATA
            counts[min(row.last - row.first, 64)] += 1
        doc.rows.push_back(row)
        rows += 1
        j += 1
    if delimiter > 0:
        usual = doc.rows[table.first + delimiter - 1].last - doc.rows[table.first + delimiter - 1].first
        k = delimiter
        while k > 0 and doc.rows[table.first + k - 1].last - doc.rows[table.first + k - 1].first == usual:
            k -= 1
        skip = k
    else:
        for k in range(2, 65):
            if counts[k] > counts[usual]:
                usual = k
        while (skip < rows - 1 and delimiter < 0
               and doc.rows[table.first + skip].last - doc.rows[table.first + skip].first != usual):
            skip += 1
    if skip:  # running text before the table
        doc.rows.erase(doc.rows.begin() + table.first, doc.rows.begin() + table.first + skip)
    table.kind = kind
    table.columns = 0
    table.overfull = False
    if is_table(text, kind, usual, delimiter >= 0, table, doc):
        table.last = <int32_t>doc.rows.size()
        for k in range(table.first, table.last):
            table.columns = max(table.columns, doc.rows[k].last - doc.rows[k].first)
        table.start = table.body = doc.rows[table.first].start
        table.end = doc.rows.back().end
        add_table(text, i + skip, table, walk, doc)
    else:
        drop_rows(table, doc)
    return j


cdef inline int64_t next_table(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Position of the next `<table`, `end` where there is none; one in code (after a backtick) is none."""
    cdef bint closing
    while p < end:
        if text[p] == 60 and tag_name(text, end, p, &closing) == TAG_TABLE and not closing:
            if p == 0 or text[p - 1] != 96:
                return p
        p += 1
    return end


cdef inline void scan_tables(const char_t* text, int64_t n, Document& doc) except + nogil:
    cdef Walk walk
    cdef Table table
    cdef int64_t i = 0, p, lines = doc.lines.size(), done = 0
    cdef bint found
    walk.last = walk.note_start = -1
    walk.linked = False
    walk.nested = True
    while i < lines:
        if doc.lines[i].role == R_NONE and doc.lines[i].marks:
            found = False
            if doc.lines[i].marks & M_ANGLE:
                p = next_table(text, max(doc.lines[i].first, done), doc.lines[i].end)
                while p < doc.lines[i].end:
                    found = scan_html(text, n, p, walk.nested, doc, table)
                    if not found and walk.nested and <int32_t>doc.rows.size() > table.first:
                        drop_rows(table, doc)
                        walk.nested = False
                        found = scan_html(text, n, p, False, doc, table)
                    if found:
                        while done < p and is_space(text[done]):
                            done += 1
                        add_table(text, i if p == max(done, doc.lines[i].first) else -1, table, walk, doc)
                        done = table.end
                        while i + 1 < lines and doc.lines[i + 1].start < done:
                            i += 1
                        p = done
                    else:
                        p += 1
                    p = next_table(text, p, doc.lines[i].end)
                if done > doc.lines[i].start:
                    i += 1
                    continue
            if doc.lines[i].marks & (M_PIPE | M_TAB | M_COMMA):
                p = i
                if doc.lines[i].marks & M_PIPE:
                    p = read_lines(text, i, T_PIPE, walk, doc)
                elif doc.lines[i].marks & M_TAB:
                    p = read_lines(text, i, T_TABS, walk, doc)
                elif may_be_csv(text, doc.lines[i]):
                    p = read_lines(text, i, T_COMMAS, walk, doc)
                if p > i:
                    i = p
                    continue
        i += 1
    if walk.layouts.size():
        put_cells(text, walk.layouts, walk.cells, doc)
