"""The weak families (一、 （一） 1. (1) a) I.): titles only where a group of them counts up and most have text of their
own."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, R_CODE, R_NONE, R_TABLE
from chunkfast._kernels.features cimport (
    Candidate, END_COLON, END_OPEN, V_ACCEPTED, V_REFUSED, V_UNKNOWN, ending_of, introduces, is_titled, next_text,
)
from chunkfast._kernels.marks cimport (
    FORM_BARE, FORM_BOTH, FORM_COMMA, FORM_SIGN, F_ARABIC, F_CIRCLED, F_DECIMAL, F_HAN, F_HAN_PAREN, F_LETTER, F_NONE,
    F_PAREN, F_ROMAN, F_UPPER_ROMAN, LineMark,
)
from chunkfast._kernels.text cimport char_t, int32_t, int64_t
from chunkfast._kernels.wrapping cimport is_full


cdef inline int32_t series_of(const Candidate& c) noexcept nogil:
    """Series that count by themselves: a family in one form."""
    cdef int32_t form = c.mark.form
    if form == FORM_BARE and c.mark.rest == c.mark.number_end and not c.alone:
        form = 8  # 3保险事故, mostly a footnote
    return c.mark.family * 16 + form + (8 if c.mark.sign == 65 or c.mark.sign == 0x2776 else 0)


cdef inline bint _is_item_mark(const LineMark& m) noexcept nogil:
    """(1) (a) i) ①: in English these open items, never titles."""
    return m.form == FORM_BOTH or m.form == FORM_SIGN or m.family == F_ROMAN or (m.family == F_LETTER and m.sign != 65)


cdef inline bint is_weak(int32_t family) noexcept nogil:
    return family == F_ARABIC or family == F_HAN or family == F_HAN_PAREN or family == F_PAREN or family == F_CIRCLED \
        or family == F_LETTER or family == F_ROMAN or family == F_UPPER_ROMAN


cdef inline bint _has_text(
    const char_t* text, const Document& doc, const vector[Candidate]& found, size_t i,
) noexcept nogil:
    """Text of its own stands between a candidate and the next of its series: a line that is not indented under it as an
    item's."""
    cdef const Candidate* c = &found[i]
    cdef int64_t j = next_text(doc, c.last, 1 << 40)
    if j < 0 or (doc.lines[j].role != R_NONE and doc.lines[j].role != R_TABLE and doc.lines[j].role != R_CODE):
        return False
    if c.mark.form == FORM_BARE and doc.lines[j].end - doc.lines[j].first < 30 and not is_full(doc.lines[j], doc.wrap) \
            and ending_of(text, doc.lines[j].first, doc.lines[j].end) == END_OPEN:
        return False  # the next cell of a table that was flattened
    if i + 1 < found.size() and found[i + 1].line == j and series_of(found[i + 1]) == series_of(c[0]):
        return False
    return not (doc.lines[j].first - doc.lines[j].start >= 2 and text[doc.lines[j].start] < 128
                and doc.lines[c.line].first - doc.lines[c.line].start < doc.lines[j].first - doc.lines[j].start)


cdef inline bint _over_table(const char_t* text, const Document& doc, const Candidate& c) noexcept nogil:
    """`3. 因子：` right above a table."""
    cdef int64_t j
    if c.ending != END_COLON or c.size > 15 or not c.starts or introduces(text, c.title_start, c.title_end):
        return False
    j = next_text(doc, c.last, 2)
    return j >= 0 \
            and (doc.lines[j].role == R_TABLE or text[doc.lines[j].first] == 60 or text[doc.lines[j].first] == 124)


cdef struct Group:  # candidates of one series that count up by one
    int32_t id
    int32_t last  # index of its last candidate
    int32_t value  # of that one
    int32_t first  # value of the first
    int32_t titled  # those that are titles with text of their own
    int32_t closed  # the others


cdef inline void _settle(vector[Candidate]& found, const vector[int32_t]& links, const Group& group) noexcept nogil:
    """Accept the titles of a group if most of its members are such."""
    cdef int32_t i = group.last, least = 3 if found[group.last].mark.form == FORM_BARE else 2
    if group.titled < least or group.titled < 2 * group.closed or not 1 <= group.first <= 2:
        return
    while i >= 0:
        if found[i].verdict == V_UNKNOWN and found[i].title:
            found[i].verdict = V_ACCEPTED
        i = links[i]


cdef inline void _settle_all(
    vector[Candidate]& found, const vector[int32_t]& links, vector[Group]& open,
) noexcept nogil:
    while not open.empty():
        _settle(found, links, open.back())
        open.pop_back()


cdef inline size_t stack_of(vector[int32_t]& names, vector[vector[Group]]& stacks, int32_t series) except + nogil:
    """Index of the series' open groups: a document has a few series, so they are looked for one by one."""
    cdef size_t k = 0
    while k < names.size() and names[k] != series:
        k += 1
    if k == names.size():
        names.push_back(series)
        stacks.resize(k + 1)
    return k


cdef inline void judge_weak(
    const char_t* text, const Document& doc, vector[Candidate]& found, bint flat, vector[int32_t]& ends,
) except + nogil:
    """The weak families: each number joins the innermost group of its series that it continues, a first one opens a
    group.

    `ends` gets the index of the last candidate of each group.
    """
    cdef vector[vector[Group]] stacks  # open groups of each series that occurs
    cdef vector[int32_t] names  # of these series
    cdef vector[int32_t] links  # to the member before in the same group
    cdef vector[Group]* stack
    cdef Group group
    cdef Group* open
    cdef size_t i, k, depth
    cdef int32_t series, groups = 0
    cdef Candidate* c
    ends.assign(1, 0)
    links.assign(found.size(), -1)
    for i in range(found.size()):
        c = &found[i]
        if not is_weak(c.mark.family) or c.chapter:
            if c.verdict == V_ACCEPTED and not (c.mark.family == F_NONE and flat) and not c.plain:
                for k in range(names.size()):
                    series = names[k]
                    if not (c.mark.family == F_DECIMAL or c.chapter) or (series >> 4) != F_HAN \
                            and (series >> 4) != F_UPPER_ROMAN:
                        _settle_all(found, links, stacks[k])
            continue
        if c.verdict == V_REFUSED:
            continue
        if c.alone and c.hash and not c.starts:  # a note at the foot of a page may end the line before
            k = stack_of(names, stacks, series_of(c[0]))
            c.starts = stacks[k].size() > 0 and stacks[k].back().value + 1 == c.mark.value
        if not c.starts:
            continue
        c.title = c.verdict == V_ACCEPTED or (
            c.hash and c.size > 1 and not (c.latin and _is_item_mark(c.mark))
            and ((is_titled(c[0]) and not c.broken and _has_text(text, doc, found, i))
                 or _over_table(text, doc, c[0])))
        series = series_of(c[0])
        k = stack_of(names, stacks, series)
        if c.mark.family == F_LETTER and c.mark.roman:  # I. after H. is a letter, else a number
            depth = stacks[k].size()
            while depth and stacks[k][depth - 1].value + 1 != c.mark.value:
                depth -= 1
            if depth == 0:
                c.mark.family = F_UPPER_ROMAN if c.mark.sign == 65 and c.mark.form <= FORM_COMMA else F_ROMAN
                c.mark.value = c.mark.path[0] = c.mark.roman
                k = stack_of(names, stacks, series_of(c[0]))
        stack = &stacks[k]
        depth = stack.size()
        while depth and c.mark.value != stack[0][depth - 1].value + 1:
            depth -= 1
        if depth == 0:
            if stack.size() == 8:
                _settle(found, links, stack[0][0])
                stack.erase(stack.begin())
            groups += 1
            ends.push_back(0)
            group.id = groups
            group.first = group.value = c.mark.value
            group.titled = group.closed = 0
            group.last = -1
            stack.push_back(group)
        else:
            while stack.size() > depth:
                _settle(found, links, stack.back())
                stack.pop_back()
            stack[0][depth - 1].value += 1
        open = &stack[0][stack.size() - 1]
        links[i] = open.last
        open.last = <int32_t>i
        c.group = open.id
        ends[open.id] = <int32_t>i
        if c.title:
            open.titled += 1
        else:
            open.closed += 1
    for k in range(stacks.size()):
        _settle_all(found, links, stacks[k])
