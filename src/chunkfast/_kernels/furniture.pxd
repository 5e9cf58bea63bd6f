"""Page furniture: page marks, page numbers, lines that are repeated at the tops or bottoms of pages, images, and
heading signs with no title behind them.

It stands inside sentences, lists and titles, and ends none of them: the scanners after this one look through it.
"""
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, Line, Page, R_FURNITURE, R_NONE
from chunkfast._kernels.numerals cimport digit_value, han_value, read_digits, read_han, read_roman
from chunkfast._kernels.page_marks cimport LONGEST_MARK, is_page_mark
from chunkfast._kernels.text cimport (
    ALNUM, cf_class, char_t, int32_t, int64_t, is_blank, is_line_end, is_space, skip_blanks, uint32_t, uint64_t,
)

cdef enum:
    EDGE = 3  # running heads and page numbers stand in the first or last lines of a page

cdef struct EdgeLine:  # a line near a page break
    uint64_t hash  # without blanks, digits and Chinese numerals
    int64_t line
    int64_t page
    int64_t number  # where the line is nothing but a number, else -1


cdef inline bint edge_before(const EdgeLine& a, const EdgeLine& b) noexcept nogil:
    if a.hash != b.hash:
        return a.hash < b.hash
    return a.line < b.line


cdef inline uint64_t stir(uint64_t hash, uint32_t c) noexcept nogil:
    return (hash ^ c) * <uint64_t>0x100000001B3


cdef inline bint is_image(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The whole of [p, end) is a Markdown image."""
    cdef int64_t q = p + 2
    if end - p < 5 or text[p] != 33 or text[p + 1] != 91 or text[end - 1] != 41:
        return False
    while q + 1 < end and not (text[q] == 93 and text[q + 1] == 40):
        q += 1
    if q + 1 >= end:
        return False
    while q < end - 1 and text[q] != 41:
        q += 1
    return q == end - 1


cdef inline bint is_bare_sign(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The whole of [p, end) is the sign of a Markdown heading: `#` to `######`."""
    cdef int64_t q = p
    while q < end and text[q] == 35:
        q += 1
    return q == end and end - p <= 6


cdef inline int64_t _lone_number(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Value of a line that is nothing but a number, Roman ones included; -1 for any other."""
    cdef int32_t value = 0
    cdef int64_t q
    if end - p > 7:
        return -1
    q = read_digits(text, p, end, &value)
    if q == end:
        return value
    q = read_roman(text, p, end, &value)
    return value if q == end else -1


cdef inline void _note_edge(
    const char_t* text, const Line& line, int64_t index, int64_t page, vector[EdgeLine]& edges,
) except + nogil:
    cdef EdgeLine edge
    cdef int64_t p = line.first
    cdef uint32_t c
    cdef uint64_t hash = <uint64_t>0xCBF29CE484222325
    cdef int letters = 0
    # 第一章 and 第二章, ## 1 and ## 2, 一、 and
    cdef bint ordinal = text[p] == 0x7B2C or text[p] == 35 or han_value(text[p]) >= 0
    # 二、 at page tops are two lines; 第一页 of a head is not at its start
    if line.end - line.first > LONGEST_MARK:
        return
    while p < line.end:
        c = text[p]
        if not is_blank(c) and (ordinal or (digit_value(c) < 0 and han_value(c) < 0)):
            hash = stir(hash, c)
            letters += (cf_class(c) & ALNUM) != 0
        p += 1
    edge.hash = hash
    edge.line = index
    edge.page = page
    edge.number = _lone_number(text, line.first, line.end)
    if letters < 2:  # 1.2 and 3.1 are two numbers
        edge.hash = 0
    edges.push_back(edge)


cdef inline void _edge(
    const char_t* text, const Document& doc, int64_t i, int64_t stop, int64_t step, int64_t page,
    vector[EdgeLine]& edges,
) except + nogil:
    """Take the first lines of a page from `i` on, up or down, `stop` excluded."""
    cdef int found = 0
    while i != stop and found < EDGE:
        if doc.lines[i].role == R_NONE:
            found += 1
            _note_edge(text, doc.lines[i], i, page, edges)
        i += step


cdef inline void _repeated(Document& doc, vector[EdgeLine]& edges) noexcept nogil:
    """Running heads: lines that stand at the same edge of at least two pages, and of a third of those between."""
    cdef size_t i = 0, j
    cdef int64_t span, count
    if edges.empty():
        return
    sort(edges.begin(), edges.end(), edge_before)
    while i < edges.size():
        j = i
        count = 0
        while j < edges.size() and edges[j].hash == edges[i].hash:
            if j == i or edges[j].page != edges[j - 1].page:
                count += 1
            j += 1
        span = edges[j - 1].page - edges[i].page + 1
        if edges[i].hash != 0 and count >= 2 and count * 3 >= span:
            while i < j:
                doc.lines[edges[i].line].role = R_FURNITURE
                i += 1
        i = j


cdef inline void _numbered(Document& doc, vector[EdgeLine]& edges) noexcept nogil:
    """Page numbers: lone numbers at page edges that count up with the pages, the outermost of each edge."""
    cdef size_t i, j
    cdef int64_t told = -1  # page whose number is found: another one below it may be a chapter's
    cdef bint counts
    for i in range(edges.size()):
        if edges[i].number < 0 or edges[i].page == told:
            continue
        counts = False
        j = i
        while j > 0 and edges[i].page - edges[j - 1].page <= 2 and not counts:
            j -= 1
            counts = edges[j].number >= 0 and edges[j].page < edges[i].page \
                and edges[i].number - edges[j].number == edges[i].page - edges[j].page
        j = i + 1
        while j < edges.size() and edges[j].page - edges[i].page <= 2 and not counts:
            counts = edges[j].number >= 0 and edges[j].page > edges[i].page \
                and edges[j].number - edges[i].number == edges[j].page - edges[i].page
            j += 1
        if counts or edges[i].number == edges[i].page:
            doc.lines[edges[i].line].role = R_FURNITURE
            told = edges[i].page


cdef inline int64_t _told_page(const char_t* text, const Line& line) noexcept nogil:
    """The number of a `[P12]` mark, which begins its page; -1 for other lines."""
    cdef int64_t p = line.first, number = 0
    if line.end - p < 4 or line.end - p > 12 or text[p] != 91 or text[p + 1] != 80:
        return -1
    for p in range(p + 2, line.end - 1):
        if not 48 <= text[p] <= 57:
            return -1
        number = 10 * number + text[p] - 48
    return number


cdef inline void _number_pages(const char_t* text, const vector[int64_t]& breaks, Document& doc) except + nogil:
    """Fill `doc.pages`: by the number that the page mark tells, else one more than the page before."""
    cdef Page page
    cdef size_t k
    cdef int64_t told
    page.number = 0
    for k in range(breaks.size()):
        if breaks[k] >= <int64_t>doc.lines.size():
            return
        told = _told_page(text, doc.lines[breaks[k]])
        if k == 0 and told < 0 and breaks.size() > 1 and breaks[1] < <int64_t>doc.lines.size():
            told = _told_page(text, doc.lines[breaks[1]]) - 1  # the text before the first mark
        page.start = doc.lines[breaks[k]].start
        page.number = told if told >= 0 else page.number + 1
        doc.pages.push_back(page)


cdef inline void scan_furniture(const char_t* text, Document& doc) except + nogil:
    """Give R_FURNITURE to the lines that belong to the page and not to the text."""
    cdef vector[int64_t] breaks  # index of the line before which (form feed) or at which (mark) a page starts
    cdef vector[EdgeLine] tops, bottoms
    cdef size_t i, n = doc.lines.size(), k
    cdef int64_t page, last
    cdef uint32_t c
    for i in range(n):
        if doc.lines[i].role == R_NONE and doc.lines[i].end - doc.lines[i].first <= 300:
            c = text[doc.lines[i].first]
            if c == 33:
                if is_image(text, doc.lines[i].first, doc.lines[i].end):
                    doc.lines[i].role = R_FURNITURE
            elif c == 35:
                if is_bare_sign(text, doc.lines[i].first, doc.lines[i].end):
                    doc.lines[i].role = R_FURNITURE
            elif is_page_mark(text, doc.lines[i].first, doc.lines[i].end):
                doc.lines[i].role = R_FURNITURE
                breaks.push_back(<int64_t>i)
        if doc.lines[i].next > doc.lines[i].end and i + 1 < n and text[doc.lines[i].next - 1] == 12:
            if breaks.empty() or breaks.back() < <int64_t>i:
                breaks.push_back(<int64_t>i + 1)
    if breaks.empty():
        return
    if breaks[0] > 0:
        breaks.insert(breaks.begin(), 0)  # the page before the first mark
    _number_pages(text, breaks, doc)
    for k in range(breaks.size()):
        page = <int64_t>k + 1
        last = breaks[k + 1] if k + 1 < breaks.size() else <int64_t>n
        _edge(text, doc, breaks[k], last, 1, page, tops)
        _edge(text, doc, last - 1, breaks[k] - 1, -1, page, bottoms)
    _numbered(doc, tops)
    _numbered(doc, bottoms)
    _repeated(doc, tops)
    _repeated(doc, bottoms)


cdef inline int64_t page_at(Document& doc, int64_t position) noexcept nogil:
    """Number of the page that holds `position`; the first page where it is before all of them."""
    cdef size_t low = 0, high = doc.pages.size(), middle
    while low < high:
        middle = (low + high) // 2
        if doc.pages[middle].start <= position:
            low = middle + 1
        else:
            high = middle
    return doc.pages[low - 1 if low > 0 else 0].number
