"""Lists written inside one paragraph: `……包括：（1）……；（2）……`.

Two or more marks of one count in sequence, the first after a colon or a word like 包括, the others each after a
semicolon, comma or full stop.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport B_LIST, Document
from chunkfast._kernels.leadins cimport before_tags, find_lead, introduces
from chunkfast._kernels.lists cimport (
    Lists, add_item, can_list, drop_level, is_first, push_level, same_place, same_series, take_lead, trim_end, value_in,
)
from chunkfast._kernels.marks cimport (
    F_BULLET, F_CIRCLED, FORM_BOTH, LineMark, digit_value, han_value, is_close_paren, is_open_paren,
    may_start, read_mark,
)
from chunkfast._kernels.text cimport (
    UPPER, cf_class, char_t, int32_t, int64_t, is_blank, is_cjk, is_letter, skip_blanks, uint32_t,
)

cdef extern from "skip.h" nogil:
    int64_t cf_next_item_sign[T](const T* text, int64_t i, int64_t n) noexcept

cdef enum:
    MAX_OPEN = 8  # counts that may go on at one place


cdef struct Inline:
    LineMark mark
    int64_t before  # the character before it that is not blank; the paragraph's start where there is none
    int32_t opens  # how strongly the text before announces a first item: 2 a colon, 1 a word
    int32_t parts  # ... parts it from an item before: 2 a semicolon or full stop, 1 a comma
    bint sure


cdef inline bint is_circled(uint32_t c) noexcept nogil:
    return 0x2460 <= c <= 0x2487


cdef inline bint _bracket_closes(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A closing bracket stands a few characters after the opening one at `p`."""
    cdef int64_t q
    for q in range(p + 2, min(end, p + 7)):
        if is_close_paren(text[q]):
            return True
    return False


cdef inline void read_before(const char_t* text, int64_t start, int64_t p, Inline* found) noexcept nogil:
    """What the text of [start, p) says of a mark at `p`."""
    cdef int64_t q = p - 1
    cdef uint32_t c, d
    cdef bint cell = False
    found.opens = found.parts = 0
    while q >= start and is_blank(text[q]):
        q -= 1
    if q > start and text[q] == 62:
        p = before_tags(text, start, q + 1)
        cell = p <= q  # the mark begins a cell of a table that lays out a page
        q = p - 1
    if q - start > 3 and ((text[q] == 100 and text[q - 1] == 110 and text[q - 2] == 97 and is_blank(text[q - 3]))
                          or (text[q] == 114 and text[q - 1] == 111 and is_blank(text[q - 2]))):  # `; and (b)`
        q -= 3 if text[q] == 100 else 2
        while q > start and is_blank(text[q]):
            q -= 1
        if text[q] != 59 and text[q] != 44:
            q = p - 1
    elif q > start and (text[q] == 0x6216 or text[q] == 0x53CA or text[q] == 0x548C):  # ；或（2）
        if text[q - 1] == 0xFF1B or text[q - 1] == 0xFF0C:
            q -= 1
    found.before = max(q, start)
    if q < start:
        found.opens = found.parts = 2
        return
    c = text[q]
    d = text[q - 1] if q > start else 0
    if c == 0xFF1A or c == 58:
        found.opens = found.parts = 2
    elif c == 0xFF1B or c == 59 or c == 0x3002 or c == 46:
        found.parts = 2
    elif c == 0xFF0C or c == 44 or c == 0x3001:
        found.parts = 1
    elif (c == 0x62EC and d == 0x5305) or c == 0x4E3A or c == 0x662F or c == 0x6307 or c == 0x5373 or c == 62 \
            or (c > 96 and q < p - 1):
        found.opens = 1  # 包括 为 是 指 即, a tag, or a word and a blank
    if cell:
        found.opens = max(found.opens, 1)
        found.parts = max(found.parts, 1)


cdef inline bint read_inline(const char_t* text, int64_t start, int64_t p, int64_t end, Inline* found) noexcept nogil:
    """Whether a mark that can part items inside a line stands at `p`."""
    cdef LineMark* m = &found.mark
    if not read_mark(text, p, end, m) or not can_list(m[0]) or m.family == F_BULLET or m.hashes or m.number_start != p:
        return False
    read_before(text, start, p, found)
    if m.family == F_CIRCLED or m.form == FORM_BOTH:
        return True
    # `1.`, `2、`, `a)` need more around them
    return found.parts == 2 and (found.before < p - 1 or text[found.before] > 127
                                 or (m.rest < end and is_cjk(text[m.rest])))


cdef inline int32_t _fitting(
    const vector[Inline]& found, const int32_t* open, int32_t count, const LineMark& m,
) noexcept nogil:
    """Index in `open` of the count that the mark goes on with, -1 for none."""
    cdef int32_t i
    cdef const LineMark* last
    for i in range(count - 1, -1, -1):
        last = &found[open[i]].mark
        if last.form == m.form and ((last.family == m.family and m.value == last.value + 1)
                                    or (last.roman and m.roman == last.roman + 1)):
            return i
    return -1


cdef inline int32_t find_inline(
    const char_t* text, int64_t start, int64_t end, bint own, int32_t least, vector[Inline]& found,
) except + nogil:
    """Find the marks in [start, end) and set `sure` for those of a sequence of two or more; their number is returned.

    `own`: the text starts with the mark of an item, which goes on here or is above what is found here. `least`: with 2
    a mark that has no other beside it is not kept, as is most often so.
    """
    cdef Inline mark, lone
    cdef int64_t p = start
    cdef uint32_t c
    cdef int32_t[8] open  # indices in `found` of the last mark of each open count
    cdef int32_t[8] first
    cdef int32_t count = 0, fit, i, sure = 0, marks = 0
    cdef bint bracket
    mark.sure = False
    while p < end:
        c = text[p]
        bracket = is_open_paren(c) or is_circled(c)
        if not bracket and p > start:  # a colon or the like
            p = skip_blanks(text, p + 1, end)
            if p == end:
                break
            c = text[p]
        if (_bracket_closes(text, p, end) or is_circled(c)) if bracket \
                else (digit_value(c) >= 0 or (is_letter(c) and may_start(text, p, end)) or han_value(c) > 0):
            if read_inline(text, start, p, end, &mark):
                marks += 1
                if marks < least:
                    lone = mark
                else:
                    if marks == 2 and found.empty():
                        found.push_back(lone)
                    found.push_back(mark)
                p = mark.mark.number_end
            else:
                p += 1
        elif bracket or p == start:
            p += 1
        p = cf_next_item_sign(text, p, end)
    if found.size() < 2:
        return 0
    for i in range(<int32_t>found.size()):
        fit = _fitting(found, open, count, found[i].mark)
        if fit >= 0 and found[i].parts and found[i].before > found[open[fit]].mark.number_end \
                and (found[i].parts == 2 or found[open[fit]].sure or found[first[fit]].opens == 2):
            if not found[first[fit]].sure:
                found[first[fit]].sure = True
                sure += 1
            found[i].sure = True
            sure += 1
            open[fit] = i
            count = fit + 1
        elif is_first(found[i].mark) and found[i].opens or (i == 0 and own):
            fit = 0
            while fit < count and not (found[open[fit]].mark.family == found[i].mark.family
                                       and found[open[fit]].mark.form == found[i].mark.form):
                fit += 1
            count = min(fit, MAX_OPEN - 1) + 1
            open[count - 1] = first[count - 1] = i
    return sure


cdef inline void put_inline(
    const char_t* text, Document& doc, Lists& lists, const LineMark& m, int32_t base, int64_t end,
) except + nogil:
    """Put the item at the mark on the level it goes on with, not above `base`, or on a new one."""
    cdef int32_t i
    doc.items.back().end = trim_end(text, doc.items.back().start, m.start)
    for i in range(lists.depth - 1, base - 1, -1):
        if same_series(lists.levels[i], m) and value_in(m, lists.levels[i].family) == lists.levels[i].value + 1:
            lists.levels[i].value += 1
            add_item(doc, lists, i, m.start, end)
            return
    push_level(doc, lists, m, 0)
    add_item(doc, lists, lists.depth, m.start, end)


cdef inline void open_inline(const char_t* text, Document& doc, Lists& lists, const LineMark& m) except + nogil:
    """Make the last block, a paragraph, a list with the mark inside it; the item is still to be added."""
    cdef size_t count = doc.blocks.size()
    cdef int64_t start = doc.blocks.back().start, end = doc.blocks.back().end, lead = 0, lead_end = 0
    cdef int32_t i
    for i in range(lists.depth):
        if same_series(lists.levels[i], m):
            drop_level(lists, i)
            break
    lead_end = trim_end(text, start, m.start)
    if before_tags(text, start, lead_end) > start:
        find_lead(text, start, lead_end, False, &lead, &lead_end)
    elif count > 1 and same_place(doc, count - 2, doc.blocks.back().section) \
            and find_lead(text, doc.blocks[count - 2].start, doc.blocks[count - 2].end, True, &lead, &lead_end):
        doc.blocks.pop_back()  # cells of a table that lays out a page
        doc.blocks.back().end = end
    else:
        lead = lead_end
    take_lead(text, doc, lead, lead_end)
    push_level(doc, lists, m, 0)


cdef inline bint starts_inside(
    const char_t* text, Document& doc, Lists& lists, const LineMark& m, int64_t start, int64_t end,
) except + nogil:
    """Whether the mark, the second of a count, follows a first one inside the last block's paragraph [start, end).

    `注：1.……` is one. That paragraph is then made a list.
    """
    cdef vector[Inline] found
    cdef size_t i
    if m.value != 2:
        return False
    find_inline(text, start, end, False, 1, found)
    for i in range(found.size()):
        if found[i].mark.start > start and found[i].mark.form == m.form \
                and (found[i].opens == 2 or (found[i].opens and introduces(text, start, found[i].before + 1))) \
                and is_first(found[i].mark) and value_in(m, found[i].mark.family) == 2:
            open_inline(text, doc, lists, found[i].mark)
            add_item(doc, lists, lists.depth, found[i].mark.start, end)
            return True
    return False


cdef inline int64_t first_stop(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Past the first sentence of [start, end)."""
    cdef int64_t p
    cdef uint32_t c
    for p in range(start, end):
        c = text[p]
        if c == 0x3002 or (c == 46 and p + 2 < end and is_blank(text[p + 1]) and cf_class(text[p + 2]) & UPPER):
            return p + 1
    return end


cdef inline void add_inline(const char_t* text, Document& doc, Lists& lists, int64_t start, int64_t end) except + nogil:
    """Find the items inside the paragraph [start, end), the last of the last block, and put them on the list."""
    cdef vector[Inline] found
    cdef bint item = doc.blocks.back().kind == B_LIST
    cdef bint own = item and doc.items.back().start == start
    cdef size_t i = 0, last = 0
    cdef int32_t base
    cdef bint stops = False
    if find_inline(text, start, end, own, 2, found) < 2:
        return
    if item:
        base = lists.depth - 1 if own and found[0].mark.start == start else lists.depth
        for i in range(found.size()):
            if found[i].sure and found[i].mark.start > start:
                put_inline(text, doc, lists, found[i].mark, base, end)
        return
    while not found[i].sure:
        i += 1
    start = found[i].mark.start
    open_inline(text, doc, lists, found[i].mark)
    base = lists.depth
    add_item(doc, lists, base, start, end)
    last = i
    for i in range(i + 1, found.size()):
        if found[i].sure:
            stops = stops or first_stop(text, found[last].mark.number_end, found[i].before) < found[i].before
            put_inline(text, doc, lists, found[i].mark, base, end)
            last = i
    if not stops:  # each item is one sentence: the text after the last one's is no part of it
        doc.items.back().end = first_stop(text, found[last].mark.number_end, end)


cdef inline void recover(const char_t* text, Document& doc, Lists& lists, int32_t level) except + nogil:
    """A number is missing in the count of the level: look for its mark inside the last item, `(4)……(5)……`."""
    cdef int64_t p, end = doc.items.back().end
    cdef LineMark m
    if lists.levels[level].item != <int32_t>doc.items.size() - 1:
        return
    for p in range(doc.items.back().start + 1, end):
        if (is_open_paren(text[p]) or is_circled(text[p])) and text[p - 1] != 0x7B2C and read_mark(text, p, end, &m) \
                and same_series(lists.levels[level], m) \
                and value_in(m, lists.levels[level].family) == lists.levels[level].value + 1:
            doc.items.back().end = trim_end(text, doc.items.back().start, p)
            lists.levels[level].value += 1
            add_item(doc, lists, level, p, end)
            return
