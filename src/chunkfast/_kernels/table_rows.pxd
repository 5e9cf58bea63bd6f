"""What the rows of a table look like, and how many of them are its header."""
from libcpp.vector cimport vector

from chunkfast._kernels.cells cimport L_EMPTY, L_NUMBER, L_TEXT, Look, in_series, look, same_text
from chunkfast._kernels.document cimport Cell, Document, ROW_DELIMITER, ROW_HEADER, Row, T_PIPE, Table
from chunkfast._kernels.text cimport char_t, int32_t, int64_t

cdef enum:
    MOST_HEADER_ROWS = 5
    LABEL = 12  # characters of a column's label
    SAMPLE = 48  # rows that tell whether the first column is one of numbers
    COVERED = -1  # as RowLook.first: a rowspan from above stands in the first column


cdef struct RowLook:
    int32_t filled  # cells that are not empty
    int32_t numbers  # of these, numbers
    int32_t first  # Look.kind of the cell in the first column, or COVERED
    int64_t value  # number that the first column starts with, -1 where none
    int64_t last  # last number in it
    int32_t depth  # largest rowspan
    bint decimal  # a number with a decimal point, per cent or currency sign after the first column
    bint years  # all numbers are years
    bint wide  # one short text stands over all columns: a title or unit
    bint spans  # one of several filled cells covers more than one column
    bint ends  # in a number, after another cell
    int64_t longest  # characters of the longest cell


cdef struct Prose:  # how much of a table is sentences
    int64_t length
    int64_t prose
    int64_t sections  # rows that start with a section number and hold text without numbers
    int64_t paired  # rows with two filled cells or more


cdef inline RowLook look_at_row(const char_t* text, Row& row, Table& table, bint top, Document& doc,
                                Prose& prose) noexcept nogil:
    cdef RowLook it
    cdef Look cell
    cdef Cell c
    cdef Cell filled
    cdef int32_t i
    cdef bint section = False, same = True
    it.filled = it.numbers = 0
    it.depth = 1
    it.first = COVERED
    it.value = it.last = -1
    it.decimal = it.spans = it.wide = it.ends = False
    it.longest = 0
    it.years = True
    for i in range(row.first, row.last):
        c = doc.cells[i]
        cell = look(text, row.start + c.start, row.start + c.end, table.kind)
        prose.length += cell.length
        if cell.prose:
            prose.prose += cell.length
        if c.rows > it.depth:
            it.depth = c.rows
        if c.column == 0:
            it.first = cell.kind
            it.value = cell.value
            it.last = cell.last
        if cell.kind == L_EMPTY:
            continue
        if it.filled and top and same:
            same = same_text(text, row.start + filled.start, row.start + filled.end,
                             row.start + c.start, row.start + c.end, table.kind)
        filled = c
        it.ends = cell.kind == L_NUMBER and it.filled > 0
        it.longest = max(it.longest, cell.length)
        section = section or (it.filled == 0 and cell.section)
        it.filled += 1
        if c.columns > 1:
            it.spans = True
        if cell.kind == L_NUMBER:
            it.numbers += 1
            it.years = it.years and 1900 <= cell.value <= 2100 and cell.length == 4
            if c.column and cell.decimal:
                it.decimal = True
    if it.filled == 1:
        it.spans = False
        it.wide = it.numbers == 0 and filled.rows == 1 and (row.last - row.first == 1 or filled.columns > 1)
    elif top and same and it.filled > 2 and it.filled == row.last - row.first and it.numbers == 0:
        it.wide = True  # a span that was filled in
    prose.paired += it.filled > 1
    prose.sections += section and it.numbers - (it.first == L_NUMBER) == 0 and it.filled > (it.first == L_NUMBER)
    return it


cdef inline bint has_labels(const RowLook* looks, int32_t rows) noexcept nogil:
    """The first row holds a few short words in each of three columns, or labels over rows that all end in a number: a
    table, however long its other cells are."""
    cdef int32_t i
    if rows < 3 or looks[0].filled < 2 or looks[0].numbers or looks[0].longest > LABEL:
        return False
    if looks[0].filled > 2:
        return True
    for i in range(1, rows):
        if not looks[i].ends:
            return False
    return True


cdef inline bint is_layout(Table& table, Prose& prose, int32_t rows, bint marked) noexcept nogil:
    """Whether the table only places running text on the page; `marked`: its header is marked, so it is a table."""
    if table.columns < 2 or prose.paired == 0:
        return True
    if 3 * prose.sections >= rows and prose.sections >= 2:
        return True
    return not marked and 2 * prose.prose > prose.length


cdef inline bint is_data(RowLook& it) noexcept nogil:
    """A number stands first, and most of the others are numbers."""
    return it.first == L_NUMBER and 2 * (it.numbers - 1) >= it.filled - 1


cdef enum Match:  # how alike two rows read
    DIFFERENT = 0
    SERIES  # apart in what numbers a series: 计划一 and 计划二, 男性 and 女性
    MISREAD  # apart in less than a third of the cells, as recognition errors would have it
    SAME


cdef inline int32_t match_rows(const char_t* text, Row& a, Row& b, int32_t kind, Document& doc) noexcept nogil:
    cdef int32_t i, j, filled = 0, series = 0, others = 0
    cdef int64_t a_start, b_start, a_end, b_end
    if a.last - a.first != b.last - b.first:
        return DIFFERENT
    for i in range(a.first, a.last):
        j = b.first + i - a.first
        a_start = a.start + doc.cells[i].start
        a_end = a.start + doc.cells[i].end
        b_start = b.start + doc.cells[j].start
        b_end = b.start + doc.cells[j].end
        filled += a_start < a_end
        if not same_text(text, a_start, a_end, b_start, b_end, kind):
            if in_series(text, a_start, a_end, b_start, b_end, kind):
                series += 1
            elif i == a.first:
                return DIFFERENT
            else:
                others += 1
    if filled == 0 or (others and 3 * others >= filled):
        return DIFFERENT
    return SERIES if series else MISREAD if others else SAME


cdef inline bint cells_match(const char_t* text, Row& a, Row& b, int32_t column, int32_t kind, bint series,
                             Document& doc) noexcept nogil:
    """Whether the cells of two rows in `column`, by count, read the same, or, for `series`, as one series."""
    cdef Cell c, d
    if a.last - a.first <= column or b.last - b.first <= column:
        return False
    c = doc.cells[a.first + column]
    d = doc.cells[b.first + column]
    if c.start == c.end or d.start == d.end:
        return False
    if series and c.end - c.start < 2:  # single letters name columns as well as rows
        return False
    if series:
        return in_series(text, a.start + c.start, a.start + c.end, b.start + d.start, b.start + d.end, kind)
    return same_text(text, a.start + c.start, a.start + c.end, b.start + d.start, b.start + d.end, kind)


cdef inline bint has_no_header(const char_t* text, int32_t row, int32_t rows, Table& table, RowLook* looks,
                               Document& doc) noexcept nogil:
    """Whether row `row` is one like the `rows` - 1 below it: of a legend, or of the rest of a longer table."""
    cdef Row* all = &doc.rows[table.first]
    cdef int32_t i
    if rows > 1 and cells_match(text, all[row], all[row + 1], 0, table.kind, True, doc) and looks[row].numbers == 0:
        return True
    if rows < 3 or cells_match(text, all[row], all[row + 2], 0, table.kind, False, doc):  # pairs of names and values
        return False
    if looks[row].first == L_TEXT and looks[row].decimal and looks[row].numbers == looks[row].filled - 1:
        return True
    for i in range(1, all[row].last - all[row].first):
        if (cells_match(text, all[row], all[row + 1], i, table.kind, False, doc)
                and cells_match(text, all[row], all[row + 2], i, table.kind, False, doc)):
            return True
    return False


cdef inline int32_t header_rows(const char_t* text, int32_t begin, int32_t end, Table& table, RowLook* looks,
                                Document& doc) noexcept nogil:
    """How many of the rows [begin, end) of the table, counted from its first, are header, a delimiter row included."""
    cdef Row* all = &doc.rows[table.first]
    cdef int32_t told = begin, i, first, numbers = 0, seen = 0, wide, row, rest, depth
    while told < end and all[told].kind == ROW_HEADER:
        told += 1
    for i in range(told, min(end, told + MOST_HEADER_ROWS + 1)):
        if all[i].kind == ROW_DELIMITER:
            told = i + 1
            break
    first = told
    while first < end and first - told <= MOST_HEADER_ROWS and not is_data(looks[first]):
        first += 1
    if first < end and first - told <= MOST_HEADER_ROWS:
        while first > told and looks[first - 1].first == L_NUMBER and looks[first - 1].value < looks[first].value:
            first -= 1  # the count begins here, whatever the other columns hold
        for i in range(first, min(end, first + SAMPLE)):
            seen += 1
            numbers += looks[i].first != L_TEXT
        if 5 * numbers >= 4 * seen and not (first == begin and looks[first].years and end - begin > 1
                                            and looks[first + 1].first == L_TEXT):
            if told == begin or seen >= first - told:
                return first - begin
    if told > begin:
        return told - begin
    if end - begin < 2:
        return 0
    wide = 0
    while wide < MOST_HEADER_ROWS - 1 and begin + wide < end - 1 and looks[begin + wide].wide:
        wide += 1
    row = begin + wide
    rest = end - row
    if (rest < 2 and wide) or is_data(looks[row]) or has_no_header(text, row, rest, table, looks, doc):
        return wide
    depth = 1
    if looks[row].spans:
        depth = max(looks[row].depth, 2 if rest > 2 and looks[row + 1].numbers == 0 else 1)
        depth = min(depth, MOST_HEADER_ROWS - wide)
    if 2 * (wide + depth) > end - begin:
        depth = max(1, (end - begin) // 2 - wide)
    return wide + depth
