"""Cells of tables: where they stand in a row, what a reader sees of them, what kind of value that is."""
from chunkfast._kernels.document cimport Cell, Document, Line, Row, T_COMMAS, T_HTML, T_PIPE, T_TABS
from chunkfast._kernels.html cimport decode_entity, is_tag, tag_breaks, tag_end
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_space, uint32_t

cdef extern from "skip.h" nogil:
    int64_t cf_next_of[T](const T* text, int64_t i, int64_t n, int a, int b) noexcept


cdef enum Look_:  # what a cell's text looks like
    L_EMPTY = 0  # nothing, or only dashes
    L_NUMBER  # digits with signs, currency, per cent, a range or a unit: `45-50`, `0-17周岁`, `$1,295`, `-149 (149)`
    L_TEXT

cdef struct Look:
    int32_t kind
    int64_t length  # visible characters, blanks not counted
    int64_t value  # number that the cell starts with, -1 where it starts with none
    int64_t last  # last number in it, -1 where there is none
    bint prose  # a sentence or a piece of one
    bint decimal  # has a decimal point, a per cent or currency sign: a value, not the name of a column
    bint section  # starts with a section number: `9.1`, `10.13 无合法有效驾驶证驾驶`, `1.`


cdef inline bint stands_for_itself(uint32_t c) noexcept nogil:
    """A digit, a sign of figures or an ideograph: nothing that a cell's text has to be decoded for, and no blank."""
    return 40 <= c < 60 or c >= 0x4E00


cdef inline int32_t read_char(const char_t* text, int64_t end, int64_t* at, int32_t kind) noexcept nogil:
    """The next character that a reader of the cell sees, -1 at its end: white space and breaking tags as blanks, other
    tags left out, entities and escapes decoded. `at` moves past it."""
    if at[0] < end and stands_for_itself(text[at[0]]):
        at[0] += 1
        return <int32_t>text[at[0] - 1]
    return decode_char(text, end, at, kind)


cdef inline int32_t decode_char(const char_t* text, int64_t end, int64_t* at, int32_t kind) noexcept nogil:
    """`read_char` of any character."""
    cdef int64_t q
    cdef uint32_t c
    while at[0] < end:
        c = text[at[0]]
        if kind == T_HTML:
            if c == 60:
                q = tag_end(text, end, at[0]) if is_tag(text, end, at[0]) else 0
                if q:
                    c = tag_breaks(text, end, at[0])
                    at[0] = q
                    if c:
                        return 32
                    continue
            elif c == 38:
                q = decode_entity(text, end, at[0], &c)
                if q:
                    at[0] = q
                    return 32 if is_space(c) else <int32_t>c
        elif kind == T_PIPE:
            if c == 92 and at[0] + 1 < end and text[at[0] + 1] == 124:
                at[0] += 2
                return 124
        elif kind == T_COMMAS and c == 34 and at[0] + 1 < end and text[at[0] + 1] == 34:
            at[0] += 1
        at[0] += 1
        return 32 if is_space(c) else <int32_t>c
    return -1


cdef inline int32_t read_ink(const char_t* text, int64_t end, int64_t* at, int32_t kind) noexcept nogil:
    """`read_char` without the blanks."""
    cdef int32_t c = 32
    while c == 32:
        c = read_char(text, end, at, kind)
    return c


cdef inline bint is_unit(uint32_t c) noexcept nogil:
    """A character that may follow a number without making it a name: 岁周元年月日天级次份人倍万千百亿个及以上下含不至到."""
    return (c == 0x5C81 or c == 0x5468 or c == 0x5143 or c == 0x5E74 or c == 0x6708 or c == 0x65E5 or c == 0x5929
            or c == 0x7EA7 or c == 0x6B21 or c == 0x4EFD or c == 0x4EBA or c == 0x500D or c == 0x4E07 or c == 0x5343
            or c == 0x767E or c == 0x4EBF or c == 0x4E2A or c == 0x53CA or c == 0x4EE5 or c == 0x4E0A or c == 0x4E0B
            or c == 0x542B or c == 0x4E0D or c == 0x81F3 or c == 0x5230)


cdef inline bint is_dash(uint32_t c) noexcept nogil:
    return c == 45 or 0x2010 <= c <= 0x2015 or c == 0x2212 or c == 0xFF0D or c == 0x2F or c == 0xFF0F


cdef inline bint is_sign(uint32_t c) noexcept nogil:
    """A character that numbers are written with besides digits."""
    if c < 128:
        return (c == 46 or c == 44 or c == 37 or c == 43 or c == 126 or c == 40 or c == 41 or c == 36 or c == 58
                or c == 42
                or c == 61)
    return (c == 0xFF5E or c == 0xFF08 or c == 0xFF09 or c == 0xFFE5 or c == 0xA5 or c == 0x20AC or c == 0xA3
            or c == 0x2030
            or c == 0xB1 or c == 0xFF05 or c == 0x2264 or c == 0x2265 or c == 0xD7)


cdef inline bint look_at_figure(const char_t* text, int64_t start, int64_t end, Look* it) noexcept nogil:
    """`look` for the most frequent cells, `45` and `17.22`. False, and nothing to rely on, for any other."""
    cdef int64_t p = start, dot = end, number = 0
    if start == end or end - start > 9:
        return False
    while p < end:
        if 48 <= text[p] <= 57:
            number = 10 * number + text[p] - 48
        elif text[p] == 46 and dot == end and start < p < end - 1:
            it.value = number
            number = 0
            dot = p
        else:
            return False
        p += 1
    it.kind = L_NUMBER
    it.length = end - start
    it.last = number
    it.decimal = dot < end
    if not it.decimal:
        it.value = number
    it.section = it.decimal and dot - start <= 2 and end - dot <= 3
    it.prose = False
    return True


cdef inline Look look(const char_t* text, int64_t start, int64_t end, int32_t kind) noexcept nogil:
    cdef Look it
    cdef int64_t at = start, digits = 0, dashes = 0, others = 0, number = -1, groups = 0, group = 0
    cdef int32_t c, before = 0
    cdef bint leading = True, comma = False, stop = False, spaced = False, sectional = True
    if look_at_figure(text, start, end, &it):
        return it
    it.value = it.last = -1
    it.length = 0
    it.decimal = it.prose = it.section = False
    while True:
        c = read_char(text, end, &at, kind)
        if c < 0:
            break
        if c == 32:
            spaced = True
            continue
        if before == 46 and spaced and not 48 <= c <= 57:
            stop = True  # a full stop and a blank: two sentences
        it.length += 1
        if 48 <= c <= 57:
            digits += 1
            if number < 0:
                number = 0
            if number < 100000000:
                number = number * 10 + c - 48
            group += 1
            it.last = number
        else:
            if leading and number >= 0:
                it.value = number
            leading = False
            number = -1
            if is_dash(c):
                dashes += 1
            elif is_sign(c):
                if c == 46 or c == 37 or c == 36 or c == 0xFF05 or c == 0xFFE5 or c == 0xA5 or c == 0x20AC or c == 0xA3:
                    it.decimal = True
            elif not is_unit(c):
                others += 1
                if c == 0xFF0C or c == 0x3002 or c == 0xFF1B or c == 0x3001:
                    comma = True
        if sectional:  # one or two digits, a dot, one or two digits, ...; anything after that
            if c == 46:
                sectional = 1 <= group <= 2
                groups += sectional
                group = 0
            elif not 48 <= c <= 57:
                it.section = groups > 0
                sectional = False
            elif group > 2:
                sectional = False
        before = c
        spaced = False
    if sectional and groups and it.length:
        it.section = True
    if leading and number >= 0:
        it.value = number
    if others == 0 and digits:
        it.kind = L_NUMBER
    elif it.length == dashes:
        it.kind = L_EMPTY
    else:
        it.kind = L_TEXT
        if before == 0x3002 or before == 0xFF1B or before == 59 or before == 0xFF0C:
            it.prose = it.length >= 10
        elif comma:
            it.prose = it.length > 30
        elif before == 46 or stop:
            it.prose = it.length > 80
    return it


cdef inline bint same_text(const char_t* text, int64_t a, int64_t a_end, int64_t b, int64_t b_end,
                           int32_t kind) noexcept nogil:
    """Whether two cells read the same, blanks apart."""
    cdef int32_t c
    while True:
        c = read_ink(text, a_end, &a, kind)
        if c != read_ink(text, b_end, &b, kind):
            return False
        if c < 0:
            return True


cdef inline bint is_ordinal(uint32_t c) noexcept nogil:
    """A character that tells one of a series from the next: digits, letters, Chinese and circled numerals, 男女."""
    if c < 128:
        return 48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122
    return (c == 0x4E00 or c == 0x4E8C or c == 0x4E09 or c == 0x56DB or c == 0x4E94 or c == 0x516D or c == 0x4E03
            or c == 0x516B
            or c == 0x4E5D or c == 0x5341 or c == 0x7537 or c == 0x5973 or 0x2160 <= c <= 0x217F
            or 0x2460 <= c <= 0x2473
            or c == 0x7532 or c == 0x4E59 or c == 0x4E19 or c == 0x4E01)


cdef inline bint in_series(const char_t* text, int64_t a, int64_t a_end, int64_t b, int64_t b_end,
                           int32_t kind) noexcept nogil:
    """Whether two cells differ only in the characters that number a series: 计划一 and 计划二, 男性 and 女性."""
    cdef int32_t c, d
    cdef int64_t differ = 0
    while True:
        c = read_ink(text, a_end, &a, kind)
        d = read_ink(text, b_end, &b, kind)
        if c < 0 or d < 0:
            return c == d and differ > 0
        if c != d:
            if not (is_ordinal(c) and is_ordinal(d)):
                return False
            differ += 1


cdef inline void add_cell(const char_t* text, int64_t start, int64_t end, Row& row, Document& doc) except + nogil:
    """The next cell of a line, trimmed."""
    cdef Cell cell
    while end > start and is_space(text[end - 1]):
        end -= 1
    while start < end and is_space(text[start]):
        start += 1
    cell.start = <uint32_t>(start - row.start)
    cell.end = <uint32_t>(end - row.start)
    cell.column = row.last - row.first
    cell.columns = cell.rows = 1
    doc.cells.push_back(cell)
    row.last += 1


cdef inline void split_line(const char_t* text, Line& line, int32_t kind, Row& row, Document& doc) except + nogil:
    """A line of a pipe, TSV or CSV table as a row, its cells into `doc.cells`. An outer pipe opens or closes no cell;
    tabs at either end of the line do."""
    cdef int64_t p = line.first, end = line.end, cell = p
    cdef int sign = 9 if kind == T_TABS else 44 if kind == T_COMMAS else 124
    row.start = line.first
    row.end = line.end
    row.out_start = row.out_end = 0
    row.first = row.last = <int32_t>doc.cells.size()
    if kind == T_PIPE and text[p] == 124:
        p += 1
        cell = p
    elif kind == T_TABS:
        for p in range(line.start, line.first):
            if text[p] == 9:
                add_cell(text, line.first, line.first, row, doc)
        p = line.first
    while True:
        if kind == T_COMMAS and p == cell and p < end and text[p] == 34:  # quoted: up to the quote that is not doubled
            p += 1
            while p < end and (text[p] != 34 or (p + 1 < end and text[p + 1] == 34)):
                p += 1 if text[p] != 34 else 2
            if p >= end or (p + 1 < end and text[p + 1] != 44):
                p = cell + 1
            else:
                add_cell(text, cell + 1, p, row, doc)
                cell = p = p + 2
                if p > end:
                    return
                continue
        p = cf_next_of(text, p, end, sign, 92 if kind == T_PIPE else sign)
        if p >= end:
            break
        if text[p] == 92:  # before a pipe that is text
            p += 2
        else:
            add_cell(text, cell, p, row, doc)
            p += 1
            cell = p
    if cell < end or kind != T_PIPE:
        add_cell(text, cell, end, row, doc)
    if kind == T_TABS:
        for p in range(end, line.next):
            if text[p] == 9:
                add_cell(text, end, end, row, doc)
