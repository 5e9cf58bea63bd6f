"""The lines of a document that may be headings: which they are, and titles of several lines put together.

A number alone on its line has its title on the short lines below, and one that is too long for its line goes on below.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.code cimport indent_of
from chunkfast._kernels.document cimport Document, Line, M_CELL, R_NONE
from chunkfast._kernels.features cimport (
    Candidate, END_OPEN, HEAD, LONGEST_LATIN_TITLE, WIDEST_MARGIN, cell_title, ending_of, fill_candidate, holds_clause,
    next_text, shows_blank, without_leader,
)
from chunkfast._kernels.furniture cimport stir
from chunkfast._kernels.marks cimport (
    FORM_BARE, FORM_SIGN, F_ARABIC, F_BULLET, F_DECIMAL, F_NONE, LineMark, may_start, read_mark,
)
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_cjk, uint32_t, uint64_t
from chunkfast._kernels.wrapping cimport is_full

cdef extern from "skip.h" nogil:
    int64_t cf_next_of[T](const T* text, int64_t i, int64_t n, int a, int b) noexcept

cdef enum:
    LONGEST_JOINED = 34
    LONGEST_BROKEN = 90  # joined of lines that fill a margin column


cdef inline int64_t gap_in(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Where two blanks or a tab cut a short title off from text on the same line; `p` where nothing does."""
    cdef int64_t q = p + 2
    while q + 2 < end and q < p + WIDEST_MARGIN + 2:
        if text[q] == 9 or (shows_blank(text[q]) and shows_blank(text[q + 1])):
            return q
        q += 1
    return p


cdef inline int64_t title_line(const char_t* text, const Document& doc, int64_t j) noexcept nogil:
    """Size of line `j` if it can be one of a title's below a number that stands alone, else 0."""
    cdef LineMark mark
    cdef int64_t first = doc.lines[j].first, end = doc.lines[j].end
    if doc.lines[j].role != R_NONE or end - first > LONGEST_LATIN_TITLE or is_full(doc.lines[j], doc.wrap):
        return 0
    if text[first] == 42 and end == first + 1:
        return 1
    if read_mark(text, first, end, &mark) \
            and not (doc.lines[j].marks & M_CELL and mark.family == F_ARABIC and mark.rest == mark.number_end) \
            and not (text[first] == 0x2014 and j and text[doc.lines[j - 1].end - 1] == 0x2014):
        return 0  # but the second half of a dash
    if ending_of(text, first, end) != END_OPEN and not (text[end - 1] == 0x3001 and end - first <= WIDEST_MARGIN):
        return 0
    return end - first


cdef inline void _add_to_title(const char_t* text, int64_t p, int64_t end, Candidate* c) noexcept nogil:
    if c.size == 0:
        c.title_start = p
        c.hash = c.head = <uint64_t>0xCBF29CE484222325
        c.latin = True
    c.title_end = end
    while p < end:
        if not is_blank(text[p]):
            c.hash = stir(c.hash, text[p] | 32 if 65 <= text[p] <= 90 else text[p])
            c.size += 1
            if c.size <= HEAD:
                c.head = c.hash
            if is_cjk(text[p]):
                c.latin = False
        p += 1


cdef inline int64_t _width(const char_t* text, int64_t p, int64_t end, int64_t size) noexcept nogil:
    """`size`, in which of letters and figures two count as one ideograph."""
    cdef int64_t narrow = 0
    while p < end:
        narrow += text[p] < 0x2000
        p += 1
    return size - narrow // 2


cdef inline void join_title(const char_t* text, const Document& doc, int64_t margin, Candidate* c) noexcept nogil:
    """The title of a number that stands alone: the short lines below it, each but the last filled to the margin
    column."""
    cdef int64_t j = next_text(doc, c.last, 1), first, end, size, before = 0
    cdef LineMark mark
    cdef bint cell = doc.lines[c.last].marks & M_CELL
    if j < 0 or doc.lines[j].role != R_NONE or cell and not doc.lines[j].marks & M_CELL:
        return
    first = doc.lines[j].first
    end = without_leader(text, first, doc.lines[j].end, &c.leader, &c.tail)
    size = title_line(text, doc, j)
    if cell and not c.leader and (size == 0 or size > 2 * WIDEST_MARGIN or holds_clause(text, first, end)):
        c.tail = False
        end = cell_title(text, first, doc.lines[j].end)
        if end > first and not read_mark(text, first, doc.lines[j].end, &mark):
            _add_to_title(text, first, end, c)
            c.last = <int32_t>j
            c.gapped = True
        return
    if c.leader or (c.tail and size):
        _add_to_title(text, first, end, c)
        c.last = <int32_t>j
        return
    c.tail = False
    if size == 0:  # title and text on the line after the number
        end = gap_in(text, first, doc.lines[j].end)
        if end == first and margin + 2 < doc.lines[j].end - first:  # one blank, where the margin column ends
            end += margin if shows_blank(text[first + margin]) else margin + 1
            if not shows_blank(text[end]) or is_blank(text[end + 1]) or not is_cjk(text[end - 1]):
                end = first
        if end > first and is_cjk(text[first]) and not read_mark(text, first, doc.lines[j].end, &mark):
            _add_to_title(text, first, end, c)
            c.last = <int32_t>j
            c.gapped = True
        return
    while size:
        if before and (size > 10 or size > max(before, margin + 1) + 1 or not is_cjk(text[doc.lines[j].first])) \
                and text[doc.lines[j].first] != 42 and text[doc.lines[j].first] != 0x2014:
            return
        if is_cjk(text[doc.lines[j].first]) \
                and c.size + _width(text, doc.lines[j].first, doc.lines[j].end, size) \
                > (LONGEST_BROKEN if size <= margin + 2 else LONGEST_JOINED):
            return
        _add_to_title(text, doc.lines[j].first, doc.lines[j].end, c)
        c.last = <int32_t>j
        before = size
        j += 1
        if (before < margin and before != 1) or j >= <int64_t>doc.lines.size() or cell:
            return
        size = title_line(text, doc, j)


cdef inline void _join_rest(const char_t* text, const Document& doc, int64_t margin, Candidate* c) noexcept nogil:
    """The title behind a number, as `51-` with no blank, goes on below where it fills the margin column."""
    cdef int64_t j = next_text(doc, c.last, 0), size
    if doc.wrap == 0 or c.ending != END_OPEN or not c.starts or c.full:
        return
    while j >= 0 and c.size + 2 >= margin:
        size = title_line(text, doc, j)
        if size == 0 or size > margin + 2 or c.size + size > LONGEST_JOINED:
            return
        _add_to_title(text, doc.lines[j].first, doc.lines[j].end, c)
        c.last = <int32_t>j
        c.broken = False
        if size + 1 < margin:
            return
        j = next_text(doc, j, 0)


cdef inline int64_t _margin(const char_t* text, const Document& doc, const vector[Candidate]& found) noexcept nogil:
    """From which size on a title line in the margin column is filled: the smallest at which titles are often broken."""
    cdef int64_t size, j, most = 1
    cdef int64_t[WIDEST_MARGIN + 1] broken
    cdef size_t i
    for size in range(WIDEST_MARGIN + 1):
        broken[size] = 0
    for i in range(found.size()):
        if found[i].alone:
            j = next_text(doc, found[i].line, 1)
            if 0 <= j:
                size = title_line(text, doc, j)
                if 4 <= size <= WIDEST_MARGIN and j + 1 < <int64_t>doc.lines.size() \
                        and 0 < title_line(text, doc, j + 1) <= size:
                    broken[size] += 1
                    most = max(most, broken[size])
    for size in range(4, WIDEST_MARGIN + 1):
        if broken[size] * 4 >= most:
            return min(size, 7)
    return 4


cdef inline void _join_marked(const Document& doc, vector[Candidate]& found) noexcept nogil:
    """`8.5` alone and `# Title` below it are one heading, which is marked."""
    cdef size_t i, kept = 0
    cdef Candidate* c
    for i in range(found.size()):
        if kept:
            c = &found[kept - 1]
            if c.alone and c.hash == 0 and (c.mark.family == F_DECIMAL or c.mark.hashes and c.mark.family == F_ARABIC) \
                    and found[i].mark.hashes \
                    and found[i].mark.family == F_NONE and found[i].hash and not found[i].long \
                    and found[i].ending == END_OPEN \
                    and found[i].line == next_text(doc, c.last, 1):
                c.mark.hashes = found[i].mark.hashes
                c.title_start = found[i].title_start
                c.title_end = found[i].title_end
                c.hash = found[i].hash
                c.head = found[i].head
                c.size = found[i].size
                c.latin = found[i].latin
                c.last = found[i].last
                continue
        if kept < i:
            found[kept] = found[i]
        kept += 1
    found.resize(kept)


cdef inline void _join_repeated(const Document& doc, vector[Candidate]& found) noexcept nogil:
    """A heading that the first cells of a table right below it say again is one."""
    cdef size_t i, kept = 0
    cdef Candidate* c
    for i in range(found.size()):
        if kept and doc.lines[found[i].line].marks & M_CELL:
            c = &found[kept - 1]
            if c.hash and c.head == found[i].head and c.size == found[i].size \
                    and found[i].line == next_text(doc, c.last, 1):
                if c.mark.family == found[i].mark.family and c.mark.value == found[i].mark.value:
                    c.last = found[i].last
                    continue
                if c.mark.family == F_NONE and c.mark.hashes:
                    found[i].mark.hashes = c.mark.hashes
                    found[i].mark.start = c.mark.start
                    found[i].line = c.line
                    c[0] = found[i]
                    continue
        if kept < i:
            found[kept] = found[i]
        kept += 1
    found.resize(kept)


cdef inline bint is_heading_line(const char_t* text, const Line& line, const LineMark& mark) noexcept nogil:
    """The mark is one that a heading may have; a `#` that is indented as code is not."""
    if mark.hashes:
        return indent_of(text, line) < 4
    return mark.family != F_NONE and mark.family != F_BULLET


cdef inline int underline_of(const char_t* text, const Line& line) noexcept nogil:
    """1 for a line of `=`, 2 for a line of `-`, else 0."""
    cdef int64_t p = line.first
    cdef uint32_t c
    if line.role != R_NONE or line.end - p < 3:
        return 0
    c = text[p]
    if c != 61 and c != 45:
        return 0
    while p < line.end:
        if text[p] != c:
            return 0
        p += 1
    return 1 if c == 61 else 2


cdef inline bint _read_wiki(const char_t* text, const Line& line, LineMark* mark) noexcept nogil:
    """Whether the line is `== Title ==`, as MediaWiki has it, blanks between the signs allowed; reads its mark."""
    cdef int64_t p = line.first, q = line.end
    cdef int level = 0
    while p < q and (text[p] == 61 or text[p] == 32):
        level += text[p] == 61
        p += 1
    mark.hashes = level
    while q > p and (text[q - 1] == 61 or text[q - 1] == 32):
        q -= 1
        level -= text[q] == 61
    if cf_next_of(text, p, q, 59, 61) < q:
        return False  # a legend: `= Wins ; L =`
    if p == q or level or mark.hashes > 6 or mark.hashes == 1 and text[line.first + 1] != 32:
        return False
    level = mark.hashes
    if read_mark(text, p, q, mark) and mark.family == F_ARABIC and mark.form == FORM_BARE:
        mark.family = F_NONE  # a year
        mark.number_start = mark.number_end = mark.rest = p
        mark.parts = mark.value = 0
    mark.start = line.first
    mark.hashes = level
    return True


cdef inline void _setext(
    const char_t* text, const Document& doc, size_t i, int level, vector[Candidate]& found,
) except + nogil:
    """The line above the underline at `i` as a heading, if it stands alone."""
    cdef Candidate c
    if i == 0 or doc.lines[i - 1].role != R_NONE or (i > 1 and doc.lines[i - 2].role == R_NONE):
        return
    if not found.empty() and found.back().line == <int32_t>i - 1:
        if found.back().mark.hashes == 0:
            found.back().mark.hashes = level
            fill_candidate(text, doc, <int64_t>i - 1, &found.back())
            found.back().last = <int32_t>i
        return
    read_mark(text, doc.lines[i - 1].first, doc.lines[i - 1].end, &c.mark)
    if c.mark.family != F_NONE or text[doc.lines[i - 1].first] == 124:
        return
    c.mark.hashes = level
    fill_candidate(text, doc, <int64_t>i - 1, &c)
    if c.long:
        return
    c.last = <int32_t>i
    found.push_back(c)


cdef inline bint opens_definitions(const char_t* text, const Line& line) noexcept nogil:
    return text[line.first] == 0x3010 \
            or (text[line.first] == 0x4E00 and line.end > line.first + 1 and text[line.first + 1] == 0x3001)


cdef inline bint _before_ordinal(const char_t* text, const Document& doc, size_t i) noexcept nogil:
    """Line `i` is short and open, and the next text line starts with 第: it may be a title over articles; or with 一、 or
    【 as do definitions behind them."""
    cdef int64_t j, first = doc.lines[i].first, end = doc.lines[i].end
    if end - first > 20 or end - first < 2 or not is_cjk(text[first]) or text[first] == 0x7B2C:
        return False
    j = next_text(doc, <int64_t>i, 2)
    return j >= 0 and (text[doc.lines[j].first] == 0x7B2C or opens_definitions(text, doc.lines[j])) \
            and ending_of(text, first, end) == END_OPEN


cdef inline void find_candidates(const char_t* text, const Document& doc, vector[Candidate]& found) except + nogil:
    """All candidates of the lines that no scanner has claimed, in order."""
    cdef Candidate c
    cdef size_t i, n = doc.lines.size()
    cdef int level
    cdef int64_t margin
    cdef uint32_t first
    found.reserve(n // 4 + 8)
    for i in range(n):
        if doc.lines[i].role != R_NONE:
            continue
        first = text[doc.lines[i].first]
        if first == 61 or first == 45:
            level = underline_of(text, doc.lines[i])
            if level:
                _setext(text, doc, i, level, found)
                continue
            if first == 61 and text[doc.lines[i].end - 1] == 61 and _read_wiki(text, doc.lines[i], &c.mark):
                fill_candidate(text, doc, <int64_t>i, &c)
                found.push_back(c)
                continue
        if may_start(text, doc.lines[i].first, doc.lines[i].end) \
                and read_mark(text, doc.lines[i].first, doc.lines[i].end, &c.mark):
            if not is_heading_line(text, doc.lines[i], c.mark):
                continue
            fill_candidate(text, doc, <int64_t>i, &c)
            found.push_back(c)
        elif doc.lines[i].end - doc.lines[i].first <= 20 and _before_ordinal(text, doc, i):
            read_mark(text, doc.lines[i].first, doc.lines[i].end, &c.mark)
            fill_candidate(text, doc, <int64_t>i, &c)
            c.plain = True
            found.push_back(c)
    margin = _margin(text, doc, found)
    for i in range(found.size()):
        if found[i].alone and not found[i].leader:
            join_title(text, doc, margin, &found[i])
        elif found[i].mark.form == FORM_SIGN and found[i].mark.family == F_ARABIC:
            _join_rest(text, doc, margin, &found[i])
    _join_marked(doc, found)
    _join_repeated(doc, found)
