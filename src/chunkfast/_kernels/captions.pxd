"""The lines above a table: captions, units and conditions, which belong to its header."""
from chunkfast._kernels.document cimport Document, Line, R_BLANK, R_CAPTION, R_NONE
from chunkfast._kernels.marks cimport F_NONE, F_TITLE, LineMark, read_mark
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_cjk, is_space, uint32_t

cdef enum Above:  # what a line above a table is
    A_OTHER = 0
    A_BLANK
    A_PAGE  # page mark or number, image
    A_UNIT  # 单位：元, (in millions)
    A_CONDITION  # 性别：男性, (每1000元年交保险费)
    A_LABEL  # 附表：, 意外伤害医疗保险金：, Table 1
    A_SHORT  # a few words, a caption only next to a unit or condition line: 男性, 保险期间

cdef enum:
    MOST_LINES = 12  # above a table that are looked at
    SHORT = 12  # characters of a label without a colon
    CONDITION = 48  # of a condition or unit line
    LABEL = 60  # of a line that ends in a colon
    LATIN_LABEL = 160


cdef inline bint starts_with(const char_t* text, int64_t p, int64_t end, const char* word) noexcept nogil:
    """Whether `word` (lower-case ASCII) stands at `p` in either case."""
    cdef int64_t i = 0
    cdef uint32_t c
    while word[i]:
        if p + i >= end:
            return False
        c = text[p + i]
        if 65 <= c <= 90:
            c |= 32
        if c != <uint32_t>word[i]:
            return False
        i += 1
    return True


cdef inline bint is_page_line(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A page mark (`[P12]`), a page number (`- 12 -`, `第 3 页`, `Page 3 of 20`) or an image alone on its line."""
    cdef uint32_t c = text[p]
    cdef bint digits = False
    if c == 33:
        return p + 1 < end and text[p + 1] == 91 and text[end - 1] == 41
    if c == 91:
        return end - p <= 8 and (text[p + 1] | 32) == 112 and text[end - 1] == 93
    if c == 0x7B2C:
        while p < end and end - p <= 24:
            if text[p] == 0x9875:
                return True
            p += 1
        return False
    if starts_with(text, p, end, "page "):
        return end - p <= 24
    if end - p > 12:
        return False
    while p < end:
        c = text[p]
        if 48 <= c <= 57:
            digits = True
        elif not (c == 45 or c == 47 or c == 0x2013 or c == 0x2014 or is_space(c)):
            return False
        p += 1
    return digits


cdef inline int32_t read_above(const char_t* text, Line& line) noexcept nogil:
    cdef int64_t p = line.first, end = line.end, colon = -1, i, length
    cdef uint32_t c, closing
    cdef bint cjk = False, marked, stops = False, digits = False
    cdef LineMark mark
    if line.role == R_BLANK or p >= end:
        return A_BLANK
    if line.role != R_NONE or end - p > LATIN_LABEL:
        return A_OTHER
    if is_page_line(text, p, end):
        return A_PAGE
    marked = text[p] == 35
    while p < end and (text[p] == 35 or text[p] == 42 or is_space(text[p])):
        p += 1
    while end > p and (text[end - 1] == 42 or is_space(text[end - 1])):
        end -= 1
    length = end - p
    if length == 0 or text[p] == 0x6CE8 or (text[p] == 0x5907 and text[p + 1] == 0x6CE8):  # 注 备注
        return A_OTHER
    for i in range(p, end):
        c = text[i]
        cjk = cjk or is_cjk(c)
        if (c == 0xFF1A or c == 58) and colon < 0:
            colon = i
        if c == 0x3002 or c == 0xFF1B or c == 59:
            stops = True
        if colon >= 0 and 48 <= c <= 57:
            digits = True
    closing = text[end - 1]
    for i in range(p, min(end - 1, p + 4)):  # 单位
        if text[i] == 0x5355 and text[i + 1] == 0x4F4D and length <= CONDITION:
            return A_UNIT
    if not cjk and length > CONDITION and not marked and (closing == 58 or (closing == 46 and text[end - 2] == 58)):
        return A_LABEL
    if text[p] == 40 or text[p] == 0xFF08:  # ( but no (1)
        if (starts_with(text, p, end, "(in ") or starts_with(text, p, end, "(dollars ")
                or starts_with(text, p, end, "(unit")):
            return A_UNIT
        if (closing == 41 or closing == 0xFF09) and 5 < length <= CONDITION and not stops and not marked:
            return A_CONDITION
        return A_OTHER
    if starts_with(text, p, end, "table ") or starts_with(text, p, end, "exhibit "):
        return A_LABEL if not marked and length <= 2 * LABEL else A_OTHER
    if text[p] == 0x8868 and length > 1 and not marked and length <= LABEL and not stops:  # 表1 表一
        c = text[p + 1]
        if 48 <= c <= 57 or c == 32 or c == 0x4E00 or c == 0x4E8C or c == 0x4E09:
            return A_LABEL
    if text[p] == 0x9644 and not marked and text[p + 1] == 0x8868 and (
            length <= 4 or colon == p + 2 and length <= LABEL and not stops):
        return A_LABEL  # 附表： 附表：项目表
    if read_mark(text, p, end, &mark) and mark.family != F_NONE and mark.family != F_TITLE:
        return A_OTHER
    if stops or closing == 0xFF0C or closing == 0x3001 or closing == 44:
        return A_OTHER
    if colon == end - 1:
        return A_LABEL if not marked and length <= (LABEL if cjk else LATIN_LABEL) else A_OTHER
    if colon > p and length <= CONDITION and colon - p <= CONDITION // 2:
        return A_CONDITION if digits or not marked or end - colon <= 5 else A_OTHER
    return A_SHORT if not marked and length <= (SHORT if cjk else 2 * SHORT) and closing != 46 else A_OTHER


cdef inline bint runs_on(const char_t* text, Line& line) noexcept nogil:
    """Whether the line is open at its end, so that the next one is the rest of its sentence."""
    cdef uint32_t c
    if line.first == line.end or line.role != R_NONE or text[line.first] == 35:
        return False
    c = text[line.end - 1]
    return not (c == 46 or c == 58 or c == 33 or c == 63 or c == 59 or c == 62 or c == 41 or c == 0x3002
                or c == 0xFF1A or c == 0xFF1B
                or c == 0xFF01 or c == 0xFF1F or c == 0xFF09)


cdef inline int64_t find_captions(const char_t* text, int64_t table_line, int64_t floor, Document& doc,
                                  bint* condition) noexcept nogil:
    """First of the caption lines above the line `table_line`, or `table_line` where there are none; claims them.

    Lines that begin before `floor` are not looked at. `condition` tells whether there is a condition line among them.
    """
    cdef int64_t i = table_line - 1, top = table_line
    cdef int32_t kind, upper
    cdef bint blank = False, label = False
    condition[0] = False
    while i >= 0 and table_line - i <= MOST_LINES and doc.lines[i].start >= floor:
        kind = read_above(text, doc.lines[i])
        if kind == A_BLANK:
            blank = True
            i -= 1
            continue
        if kind == A_SHORT:
            upper = read_above(text, doc.lines[i - 1]) if i \
                    and doc.lines[i - 1].start >= floor else A_OTHER if i else A_BLANK
            if upper == A_BLANK and top < table_line and blank and not label:
                label = True  # a short paragraph of its own over a unit or condition line
            elif not (upper == A_UNIT or upper == A_CONDITION or (top < table_line and not blank)):
                break
        elif kind == A_LABEL:
            if label or (i and runs_on(text, doc.lines[i - 1])):
                break
            label = True
        elif kind == A_CONDITION:
            condition[0] = True
        elif kind != A_UNIT:
            break
        blank = False
        top = i
        i -= 1
    for i in range(top, table_line):
        if doc.lines[i].role == R_NONE:
            doc.lines[i].role = R_CAPTION
    return top
