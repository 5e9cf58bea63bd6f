"""How headings nest: from their kinds and numbers, in the order in which the document first uses them."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, Heading, M_CELL, R_HEADING, R_NONE
from chunkfast._kernels.features cimport Candidate, V_ACCEPTED, numbers_end
from chunkfast._kernels.marks cimport (
    F_APPENDIX, F_ARABIC, F_ARTICLE, F_BOOK, F_DECIMAL, F_EN_CHAPTER, F_EN_PART, F_EN_SECTION, F_GLYPH, F_HAN, F_NONE,
    F_PART, F_TITLE, LineMark,
)
from chunkfast._kernels.text cimport char_t, int32_t, skip_blanks

cdef struct Open:  # a heading whose section is open
    int32_t heading
    int32_t candidate
    int32_t series


cdef inline int32_t _series(const LineMark& m) noexcept nogil:
    if m.family == F_DECIMAL:
        return F_DECIMAL * 16
    return m.family * 16 + m.form + (8 if m.sign == 65 else 0)


cdef inline bint _is_word(const Candidate& c) noexcept nogil:
    return F_BOOK <= c.mark.family <= F_APPENDIX


cdef inline int32_t _rank(const Candidate& c) noexcept nogil:
    """Order of the families that are named by a word, and of titles without number over articles."""
    if c.plain:
        return F_ARTICLE * 2 - 1
    if c.mark.family == F_EN_PART:
        return F_PART * 2
    if c.mark.family == F_APPENDIX:
        return 0
    if F_EN_CHAPTER <= c.mark.family <= F_EN_SECTION:
        return (c.mark.family - F_EN_CHAPTER + F_PART + 1) * 2
    return c.mark.family * 2


cdef inline bint _dotted(const Candidate& c) noexcept nogil:
    """A member of the system 1. > 1.1 > 1.1.1."""
    return c.mark.family == F_DECIMAL or c.chapter


cdef inline bint _prefix(const LineMark& a, const LineMark& b) noexcept nogil:
    """The number of `b` lies under that of `a`."""
    cdef int i
    if a.parts >= b.parts or a.letters != b.letters:
        return False
    for i in range(a.parts):
        if a.path[i] != b.path[i]:
            return False
    return True


cdef inline size_t _without_titles(
    const vector[Open]& stack, const vector[Candidate]& found, const Candidate& c, bint flat, size_t n,
) noexcept nogil:
    """The first marked number, or chapter, closes the titles before it: where only they would stay open of the first
    `n`, none does."""
    cdef size_t i
    if not flat or (c.mark.hashes == 0 and not c.chapter):
        return n
    for i in range(n):
        if found[stack[i].candidate].mark.family != F_NONE \
                and not (c.chapter and found[stack[i].candidate].mark.family == F_ARABIC):
            return n
    return 0


cdef inline bint _marks_stand_over_articles(const vector[Candidate]& found) noexcept nogil:
    """There are articles, and none of them has the `#` that titles have: what has one stands above what has none."""
    cdef size_t i
    cdef bint bare = False
    for i in range(found.size()):
        if found[i].mark.family == F_ARTICLE and found[i].verdict == V_ACCEPTED:
            if found[i].mark.hashes:
                return False
            bare = True
    return bare


cdef inline bint _goes_on_after(const vector[Candidate]& found, int32_t appendix, const Candidate& c) noexcept nogil:
    """The count of the last of its family before the appendix goes on with `c`: it is no part of the appendix."""
    cdef int32_t i = appendix - 1, k = 0
    while i >= 0 and i > appendix - 64 and (found[i].verdict != V_ACCEPTED or found[i].mark.family != c.mark.family):
        i -= 1
    if i < 0 or i <= appendix - 64:
        return False
    while k < found[i].mark.parts and k < c.mark.parts and found[i].mark.path[k] == c.mark.path[k]:
        k += 1
    return k < c.mark.parts and (k == found[i].mark.parts or found[i].mark.path[k] < c.mark.path[k])


cdef inline size_t _keep(
    const vector[Open]& stack, const vector[Candidate]& found, size_t at, bint flat, const int32_t* depth,
    const vector[int32_t]& ends,
) noexcept nogil:
    """How many of the open headings stay open over the candidate."""
    cdef size_t n = stack.size(), i, keep
    cdef size_t own = n  # the innermost of its own series
    cdef const Candidate* top
    cdef const Candidate* c = &found[at]
    cdef int32_t series = _series(c.mark)
    if not flat and c.mark.hashes:
        while n and (found[stack[n - 1].candidate].mark.hashes == 0
                     or found[stack[n - 1].candidate].mark.hashes >= c.mark.hashes):
            n -= 1
        return n
    if c.plain or _is_word(c[0]):
        while n:
            top = &found[stack[n - 1].candidate]
            if top.mark.hashes and not flat and not _is_word(top[0]):
                break
            if c.mark.parts > 1 and top.mark.family == c.mark.family and _prefix(top.mark, c.mark):
                break
            if (top.plain or _is_word(top[0])) and _rank(top[0]) < _rank(c[0]) and c.mark.family != F_APPENDIX \
                    and not (top.mark.family == F_APPENDIX and _goes_on_after(found, stack[n - 1].candidate, c[0])):
                break
            n -= 1
        return n
    if c.mark.family == F_GLYPH:
        return 0
    if c.mark.family == F_NONE:  # a title without number, `#` telling no depth: one below the last numbered one
        i = n
        while i and found[stack[i - 1].candidate].mark.hashes == 0 and not _dotted(found[stack[i - 1].candidate]) \
                and not _is_word(found[stack[i - 1].candidate]) \
                and found[stack[i - 1].candidate].mark.family != F_GLYPH:
            i -= 1
        if i and found[stack[i - 1].candidate].mark.family == F_NONE:
            return i - 1
        return n
    if _dotted(c[0]):
        for i in range(n):
            top = &found[stack[i].candidate]
            if _dotted(top[0]) and not _prefix(top.mark, c.mark):
                return _without_titles(stack, found, c[0], flat, i)
        keep = 0
        for i in range(n):
            if _dotted(found[stack[i].candidate]):
                keep = i + 1
        if keep:
            return keep
    else:
        i = n
        while i and c.group:
            if found[stack[i - 1].candidate].group == c.group:
                return i - 1
            i -= 1
        i = n
        while i and own == n:
            if stack[i - 1].series == series:
                top = &found[stack[i - 1].candidate]
                if c.group != top.group and c.mark.value == 1 and (top.chapter or ends[top.group] > <int32_t>at):
                    break  # starts again inside a chapter, or inside one that goes on: deeper
                own = i - 1
                if c.mark.hashes == 0 or top.mark.value + 1 == c.mark.value:
                    return own
            i -= 1
    i = n
    while i and c.mark.value > 1 and c.mark.parts == 1 and (c.mark.hashes or own == n and c.mark.family == F_ARABIC):
        top = &found[stack[i - 1].candidate]
        if top.mark.family == c.mark.family and top.mark.hashes and top.mark.value + 1 == c.mark.value:
            return i - 1  # goes on with a count in another form: 4. after 3．
        i -= 1
    if own < n:
        return own
    if not _dotted(c[0]):
        while n and depth[series] and depth[stack[n - 1].series] > depth[series] \
                and not _dotted(found[stack[n - 1].candidate]) \
                and not _is_word(found[stack[n - 1].candidate]):
            n -= 1
    return _without_titles(stack, found, c[0], flat, n)


cdef inline void nest(
    const char_t* text, Document& doc, const vector[Candidate]& found, bint flat, const vector[int32_t]& ends,
) except + nogil:
    """Fill Document.headings from the accepted candidates and give their lines R_HEADING."""
    cdef vector[Open] stack
    cdef Open entry
    cdef Heading h
    cdef size_t i, keep
    cdef int32_t line
    cdef int32_t[512] depth
    cdef vector[int32_t] used  # the series that have a depth
    cdef const Candidate* c
    cdef bint glued
    for i in range(512):
        depth[i] = 0
    flat = flat and not _marks_stand_over_articles(found)
    for i in range(found.size()):
        c = &found[i]
        if c.verdict != V_ACCEPTED:
            if c.unit:
                keep = _keep(stack, found, i, flat, depth, ends)
                while stack.size() > keep:
                    stack.pop_back()
            elif c.group:  # an item that the headings of its group count: theirs end here
                keep = stack.size()
                while keep and found[stack[keep - 1].candidate].group != c.group:
                    keep -= 1
                while keep and stack.size() >= keep:
                    stack.pop_back()
            continue
        keep = _keep(stack, found, i, flat, depth, ends)
        entry.series = _series(c.mark)
        if keep < stack.size() and c.mark.hashes and c.mark.family == found[stack[keep].candidate].mark.family:
            entry.series = stack[keep].series  # 4. after 3． is one of its series
        while stack.size() > keep:
            stack.pop_back()
        h.parent = stack.back().heading if not stack.empty() else -1
        entry.heading = <int32_t>doc.headings.size()
        entry.candidate = <int32_t>i
        stack.push_back(entry)
        if stack.size() == 1 and _is_word(c[0]) and c.mark.family != F_ARTICLE:  # each part has an order of its own
            while not used.empty():
                depth[used.back()] = 0
                used.pop_back()
        if depth[entry.series] == 0:
            depth[entry.series] = <int32_t>stack.size()
            used.push_back(entry.series)
        h.level = <int32_t>stack.size()
        h.start = c.mark.start
        h.number_start = c.mark.number_start
        h.number_end = c.mark.number_end
        glued = c.gapped or c.known \
                or (c.mark.hashes == 0 and not c.plain and not (c.ending == 0 and not c.full and not c.long))
        h.title_start = c.title_start
        h.title_end = c.title_end
        if c.tail and not glued:  # a number that is no page's
            h.title_end = numbers_end(text, h.title_end, doc.lines[c.last].end)
        if glued and not c.gapped and not c.known:
            h.title_start = h.title_end = c.mark.number_end
        h.end = h.title_end if h.title_end > h.number_end else h.number_end
        if glued:
            h.body = skip_blanks(text, h.end, doc.lines[c.last].end)
        else:
            h.body = doc.lines[c.last].next
            if doc.lines[c.last].marks & M_CELL:  # it may say the title again
                h.end = max(h.end, doc.lines[c.last].end)
        h.lead_start = h.lead_end = 0
        h.family = c.mark.family if c.mark.family else F_TITLE
        h.apart = h.level <= 2 or _is_word(c[0]) or c.plain or c.mark.family == F_ARABIC or c.mark.family == F_HAN \
            or (c.mark.family == F_DECIMAL and c.mark.parts == 2)
        doc.headings.push_back(h)
        for line in range(c.line, c.last + 1):
            if doc.lines[line].role == R_NONE:
                doc.lines[line].role = R_HEADING
