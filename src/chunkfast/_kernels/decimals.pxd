"""The system 1. > 1.1 > 1.1.1: each number has to come after the one before; chapters are told by the decimals under
them."""
from libcpp.vector cimport vector

from chunkfast._kernels.candidates cimport join_title
from chunkfast._kernels.contents cimport KnownTitle, number_key
from chunkfast._kernels.document cimport Document, Line, M_CELL, R_NONE
from chunkfast._kernels.features cimport (
    Candidate, END_COLON, END_OPEN, V_ACCEPTED, V_REFUSED, V_UNKNOWN, ending_of, is_titled, next_text,
)
from chunkfast._kernels.marks cimport FORM_BARE, FORM_BOTH, F_APPENDIX, F_ARABIC, F_DECIMAL, F_NONE, LineMark
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_cjk, skip_blanks, uint32_t, uint64_t

cdef enum:
    HALF_TITLE = 4  # characters of a title that tell it from others with the same number


cdef inline int _compare(const int32_t* a, int32_t parts, const int32_t* b, int32_t others) noexcept nogil:
    cdef int i
    for i in range(min(parts, others)):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0 if parts == others else (-1 if parts < others else 1)


cdef inline bint _succeeds(const int32_t* a, int32_t parts, const int32_t* b, int32_t others) noexcept nogil:
    """Path `b` is one that comes right after `a`: a next number at its own depth or at one above, its last parts 1."""
    cdef int32_t i = 0, j
    while i < parts and i < others and a[i] == b[i]:
        i += 1
    if i == others:
        return False
    if i < parts and b[i] != a[i] + 1:
        return False
    if i == parts and b[i] != 1:
        return False
    for j in range(i + 1, others):
        if b[j] != 1:
            return False
    return True


cdef inline bint _near(const int32_t* a, int32_t parts, const int32_t* b, int32_t others) noexcept nogil:
    """Path `b` comes after `a` with at most a few numbers lost between."""
    cdef int32_t i = 0, j
    while i < parts and i < others and a[i] == b[i]:
        i += 1
    if i == others:
        return False
    for j in range(i + 1, others):
        if not 0 < b[j] <= 6:
            return False
    if i == parts:
        return b[i] <= 4
    return a[i] < b[i] <= a[i] + (4 if i else 3)


cdef inline int32_t _path(
    const vector[Candidate]& found, size_t at, const int32_t* last, int32_t parts, int32_t* path,
) noexcept nogil:
    """Parts of the decimal number, `9. 11` read as 9.11 where that or a `9. 12` comes next; 0 where it is no
    decimal."""
    cdef const Candidate* c = &found[at]
    cdef int32_t i
    if c.mark.family == F_DECIMAL and not c.mark.letters:
        for i in range(c.mark.parts):
            path[i] = c.mark.path[i]
        return c.mark.parts
    if c.mark.spaced:
        path[0] = c.mark.value
        path[1] = c.mark.spaced
        if parts \
                and (_succeeds(last, parts, path, 2)
                     or (last[0] == path[0] and path[1] > (last[1] if parts > 1 else 0))):
            return 2
        if at + 1 < found.size() and found[at + 1].mark.value == path[0] and found[at + 1].mark.spaced == path[1] + 1:
            return 2
    return 0


cdef inline bint _knows(
    const char_t* text, const vector[KnownTitle]& known, const LineMark& mark, Candidate* c, int64_t end,
    int64_t* rest, int64_t* rest_end,
) noexcept nogil:
    """Cut the title behind `mark` where the contents list ends it, or where half of it does: the rest, in
    the contents list, has got out of its place where titles stand in a margin of their own."""
    cdef uint64_t number = number_key(mark)
    cdef size_t low = 0, high = known.size(), middle
    cdef int64_t p, q, same
    rest[0] = rest_end[0] = 0
    while low < high:
        middle = (low + high) // 2
        if known[middle].number < number:
            low = middle + 1
        else:
            high = middle
    while low < known.size() and known[low].number == number:
        p = mark.rest
        q = known[low].start
        same = 0
        while q < known[low].end:
            if is_blank(text[q]):
                q += 1
            elif p < end and is_blank(text[p]):
                p += 1
            elif p < end and text[p] == text[q]:
                p += 1
                q += 1
                same += 1
            else:
                break
        if q == known[low].end \
                or (same >= HALF_TITLE and is_cjk(text[mark.rest])
                    and known[low].end - q <= q - known[low].start):
            while is_blank(text[p - 1]):
                p -= 1
            c.title_end = p
            rest[0] = q
            rest_end[0] = known[low].end
            return True
        low += 1
    return False


cdef inline void _drop_scrap(
    const char_t* text, vector[Candidate]& found, size_t i, int64_t p, int64_t end,
) noexcept nogil:
    """A title after number `i` that is but the rest of its own, [p, end) in the contents list, is none."""
    cdef int64_t q
    if p == end or i >= found.size() or found[i].mark.family != F_NONE or found[i].line > found[i - 1].line + 2:
        return
    q = found[i].title_start
    while p < end and q < found[i].title_end:
        if is_blank(text[p]):
            p += 1
        elif is_blank(text[q]):
            q += 1
        elif text[p] == text[q]:
            p += 1
            q += 1
        else:
            return
    if p == end and q == found[i].title_end:
        found[i].verdict = V_REFUSED


cdef inline bint _refers(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """What follows a number at `p` makes it a reference: 2.2.11 条的, 3.1 款约定; 条款, 条件 and 款项 are words."""
    cdef uint32_t d = text[p + 1] if p + 1 < end else 0
    if p >= end:
        return False
    if text[p] == 0x6761:
        return d != 0x6B3E and d != 0x4EF6 and d != 0x4F8B and d != 0x76EE and d != 0x6587
    return text[p] == 0x6B3E and d != 0x9879


cdef inline void _join_known(
    const char_t* text, const Document& doc, const vector[KnownTitle]& known, const LineMark& mark, Candidate* c,
) noexcept nogil:
    """Give a number alone in its cell the title that stands in the next cell with its text, as the contents list has
    it."""
    cdef int64_t j = c.line + 1, rest = 0, rest_end = 0, title_end = c.title_end
    cdef LineMark there = mark
    if j == <int64_t>doc.lines.size() or doc.lines[j].role != R_NONE or not doc.lines[j].marks & M_CELL:
        return
    there.rest = doc.lines[j].first
    if _knows(text, known, there, c, doc.lines[j].end, &rest, &rest_end) and rest == rest_end:
        c.title_start = there.rest
        c.hash = 1
        c.known = True
        c.last = <int32_t>j
    else:
        c.title_end = title_end


cdef inline bint _comes_again(
    const vector[Candidate]& found, size_t i, const int32_t* path, int32_t others,
) noexcept nogil:
    """The number stands alone over a title within the next few decimals: here it is but named."""
    cdef size_t j = i + 1
    cdef int32_t k, seen = 0
    cdef bint same
    while j < min(found.size(), i + 64) and seen < 3:
        if found[j].mark.family == F_DECIMAL and not found[j].mark.letters:
            seen += 1
            if found[j].mark.parts == others and found[j].hash and found[j].alone:
                same = True
                for k in range(others):
                    same = same and found[j].mark.path[k] == path[k]
                if same:
                    return True
        j += 1
    return False


cdef inline bint _counts_on(const char_t* text, const Document& doc, int64_t i) noexcept nogil:
    """The lines around line `i`, a number alone, are numbers too: figures along the axis of a chart, or of a table."""
    return i > 0 and i + 1 < <int64_t>doc.lines.size() and _is_figure(text, doc.lines[i - 1]) \
        and _is_figure(text, doc.lines[i + 1])


cdef inline bint _is_figure(const char_t* text, const Line& line) noexcept nogil:
    cdef int64_t p = line.first
    while p < line.end and (48 <= text[p] <= 57 or text[p] == 46 or text[p] == 44 or text[p] == 37 or text[p] == 45):
        p += 1
    return line.first < p == line.end


cdef inline void judge_decimals(
    const char_t* text, Document& doc, vector[Candidate]& found, const vector[KnownTitle]& known,
) noexcept nogil:
    """1.1 and deeper: each has to come after the one before; a jump only where the next ones confirm it."""
    cdef int32_t[8] last
    cdef int32_t[8] path
    cdef int32_t[8] ahead
    cdef int32_t parts = 0, others, more, seen
    cdef int32_t above = 0  # of the last `1.` that may be a chapter
    cdef size_t i, j
    cdef int64_t rest, rest_end, end
    cdef LineMark mark
    cdef Candidate* c
    cdef bint next_one, good, titled, named
    for i in range(found.size()):
        c = &found[i]
        if c.verdict == V_REFUSED and not (c.mark.hashes and c.ending == END_COLON):
            continue
        if c.alone and c.mark.family == F_DECIMAL and text[c.mark.number_end - 2] == 48 \
                and text[c.mark.number_end - 3] == 46:
            c.verdict = V_REFUSED  # 1.01 numbers the rows of a table
            continue
        if c.alone and c.hash == 0 and not doc.lines[c.line].marks & M_CELL and _counts_on(text, doc, c.line):
            c.verdict = V_REFUSED
            continue
        others = _path(found, i, last, parts, path)
        if others == 0:
            if c.mark.family == F_ARABIC and is_titled(c[0]) and c.hash:
                above = c.mark.value
            if c.chapter and c.verdict == V_ACCEPTED and c.mark.value > last[0]:
                last[0] = c.mark.value
                parts = 1
            continue
        if c.alone and c.hash and parts and _succeeds(last, parts, path, others):
            c.starts = True  # whatever the line before looks like: a note at the foot of a page may end it
        if not c.starts or _refers(text, c.mark.rest, doc.lines[c.line].end):
            c.verdict = V_REFUSED
            continue
        titled = is_titled(c[0]) and (c.hash != 0 or c.alone) and not (c.mark.form == FORM_BOTH and c.latin)
        if not titled and not c.alone and _comes_again(found, i, path, others):
            c.verdict = V_REFUSED
            continue
        mark = c.mark
        end = doc.lines[c.line].end
        if mark.family == F_ARABIC:  # the reading with a blank inside
            mark.family = F_DECIMAL
            mark.parts = 2
            mark.path[1] = mark.value = mark.spaced
            mark.number_end = mark.spaced_end
            mark.rest = skip_blanks(text, mark.spaced_end, end)
            if mark.rest == end and doc.lines[c.line].marks & M_CELL:
                titled = True
        named = not titled and not c.alone and _knows(text, known, mark, c, end, &rest, &rest_end)
        if c.verdict == V_REFUSED and not named:
            continue
        next_one = _succeeds(last, parts, path, others) if parts else path[0] <= 2
        if path[0] == above and path[1] == 1 and (parts == 0 or above > last[0]):
            next_one = True  # 3.1 under a title 3
        good = next_one
        if c.alone and c.hash == 0 and c.mark.hashes == 0 \
                and (not good or parts == 0 and path[others - 1] != 1 and not doc.lines[c.line].marks & M_CELL):
            c.verdict = V_REFUSED
            continue
        if not good:
            # a jump: look whether the candidates ahead go on from here, and whether the expected one still comes
            seen = 0
            good = c.mark.hashes > 0
            j = i + 1
            while j < found.size() and seen < 6 and not good:
                more = _path(found, j, path, others, ahead)
                if more:
                    seen += 1
                    if found[j].verdict == V_REFUSED:
                        j += 1
                        continue
                    if _succeeds(path, others, ahead, more):
                        good = parts == 0 or _compare(path, others, last, parts) > 0 \
                                or (path[others - 1] == 1 and path[0] == 1)
                        break
                    if parts and _succeeds(last, parts, ahead, more):
                        break
                j += 1
            if not good and parts and (titled or named) and _near(last, parts, path, others):
                good = True
        if not good:
            if c.mark.hashes == 0:
                c.verdict = V_REFUSED
            continue
        if c.mark.family == F_ARABIC:
            c.mark = mark
            c.title_start = mark.rest
            c.title_end = max(c.title_end, c.title_start)
            c.alone = c.title_start == end
            if c.alone and titled:
                c.hash = c.size = 0
                c.long = False
                join_title(text, doc, 4, c)
        if c.alone and (c.hash == 0 or c.gapped) and doc.lines[c.line].marks & M_CELL:
            _join_known(text, doc, known, c.mark, c)
        if named:
            c.known = True
            c.verdict = V_ACCEPTED
            _drop_scrap(text, found, i + 1, rest, rest_end)
        elif c.mark.hashes == 0:
            if titled or (c.gapped and next_one):
                c.verdict = V_ACCEPTED
            else:
                c.verdict = V_REFUSED  # a numbered paragraph: it counts, but has no title
                c.unit = True
        for j in range(others):
            last[j] = path[j]
        parts = others


cdef inline void judge_letter_decimals(vector[Candidate]& found) noexcept nogil:
    """A.1 or A1.1 under an appendix, or a misread 8.1 between 8. and 8.2."""
    cdef size_t i, j
    cdef Candidate* c
    cdef Candidate* next
    cdef const Candidate* last = NULL  # the one that was taken before
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family != F_DECIMAL or not c.mark.letters or c.verdict != V_UNKNOWN:
            continue
        c.verdict = V_REFUSED
        if not is_titled(c[0]) or c.hash == 0:
            continue
        if last != NULL and _succeeds(last.mark.path, last.mark.parts, c.mark.path, c.mark.parts) \
                or i and found[i - 1].mark.family == F_APPENDIX and c.mark.parts > 2 \
                and found[i - 1].mark.value == c.mark.path[1] and c.mark.value == 1:
            c.verdict = V_ACCEPTED
            last = c
            continue
        for j in range(i + 1, min(found.size(), i + 12)):
            next = &found[j]
            if next.mark.family != F_DECIMAL or next.mark.parts != c.mark.parts or next.mark.value != c.mark.value + 1:
                continue
            if not next.mark.letters and next.verdict == V_ACCEPTED:
                c.mark.path[0] = next.mark.path[0]
                c.mark.letters = False
                c.verdict = V_ACCEPTED
                break
            if next.mark.letters and next.mark.path[0] == c.mark.path[0] and is_titled(next[0]):
                c.verdict = V_ACCEPTED
                break
        if c.verdict == V_REFUSED and i and found[i - 1].mark.letters and found[i - 1].verdict == V_ACCEPTED \
                and found[i - 1].mark.path[0] == c.mark.path[0]:
            c.verdict = V_ACCEPTED
        if c.verdict == V_ACCEPTED and c.mark.letters:
            last = c


cdef inline bint _repeats_chapter(const vector[Candidate]& found, size_t i) noexcept nogil:
    """`2.Notes` below `2. TITLE`: the number of the line before, glued to a Latin word, names that chapter."""
    cdef int32_t value = found[i].mark.value
    cdef size_t least = i - 16 if i > 16 else 0  # so far back it is looked for
    if found[i].mark.family != F_ARABIC or not found[i].latin or found[i].alone \
            or found[i].mark.rest > found[i].mark.number_end:
        return False
    while i > least:
        i -= 1
        if found[i].mark.family != F_ARABIC or found[i].mark.value != value:
            return False
        if found[i].mark.rest > found[i].mark.number_end and is_titled(found[i]):
            return True
    return False


cdef inline void judge_chapters(vector[Candidate]& found) noexcept nogil:
    """`1.` over decimals: the next decimal starts with its number, the last one did not."""
    cdef size_t i = found.size()
    cdef int32_t ahead = 0, before = 0  # first part of the next and of the last decimal
    cdef int32_t passed = 0  # a form of which numbers stand between
    cdef bint restarted = False  # another count has begun since the last decimal
    cdef bint over_first
    cdef Candidate* c
    while i > 0:
        i -= 1
        c = &found[i]
        over_first = c.mark.family == F_ARABIC and i + 1 < found.size() \
            and found[i + 1].mark.family == F_DECIMAL and found[i + 1].verdict == V_ACCEPTED \
            and found[i + 1].line == c.last + 1 \
            and found[i + 1].mark.path[0] == c.mark.value and found[i + 1].mark.value == 1
        if over_first and c.hash and (found[i + 1].alone or not c.alone):
            c.starts = True  # right over the first of its own, whatever the line before looks like
        if c.mark.family == F_DECIMAL and not c.mark.letters and (c.verdict == V_ACCEPTED or c.starts):
            ahead = c.mark.path[0]
            passed = 0
        elif c.mark.value == ahead and _repeats_chapter(found, i):
            pass
        elif c.mark.family == F_ARABIC \
                and (c.verdict == V_ACCEPTED or is_titled(c[0]) and c.verdict != V_REFUSED
                     and (c.hash != 0 or over_first and c.alone and c.mark.form != FORM_BARE)):
            if c.mark.value == ahead and ahead > 0 and not passed & (1 << c.mark.form):
                c.chapter = True
                ahead = 0
            passed |= 1 << c.mark.form
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family == F_DECIMAL and not c.mark.letters and (c.verdict == V_ACCEPTED or c.starts):
            before = c.mark.path[0]
            restarted = False
        elif c.chapter:
            if c.mark.value == before:
                c.chapter = False
            else:
                c.verdict = V_ACCEPTED
        elif c.mark.family == F_ARABIC and c.verdict == V_ACCEPTED:
            if c.mark.value == 1:
                restarted = True
            elif before > 0 and c.mark.value == before + 1 and not restarted:
                c.chapter = True  # the last chapter, its decimals lost


cdef inline void join_chapters(const char_t* text, const Document& doc, vector[Candidate]& found) noexcept nogil:
    """In wrapped text: a chapter's title goes on in the only line between it and the first of its own."""
    cdef size_t i
    cdef int64_t j
    cdef Candidate* c
    if doc.wrap == 0:
        return
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family != F_ARABIC or c.alone or c.hash == 0 or c.long or c.leader or i + 1 == found.size() \
                or found[i + 1].mark.family != F_DECIMAL or found[i + 1].mark.letters or not is_titled(found[i + 1]) \
                or found[i + 1].mark.path[0] != c.mark.value or found[i + 1].mark.value != 1 \
                or c.ending != END_OPEN and text[c.title_end - 1] != 0x3001:
            continue
        j = next_text(doc, c.last, 0)
        if j < 0 or doc.lines[j].role != R_NONE or next_text(doc, j, 0) != found[i + 1].line \
                or doc.lines[j].end - doc.lines[j].first >= doc.lines[c.line].end - doc.lines[c.line].first \
                or ending_of(text, doc.lines[j].first, doc.lines[j].end) != END_OPEN:
            continue
        c.title_end = doc.lines[j].end
        c.size += <int32_t>(doc.lines[j].end - doc.lines[j].first)
        c.last = <int32_t>j
        c.ending = END_OPEN
        c.broken = c.full = c.tail = False


cdef inline bint _is_listed(const char_t* text, const vector[KnownTitle]& known, Candidate c) noexcept nogil:
    """The contents list has the number with the whole title."""
    cdef LineMark mark = c.mark
    cdef int64_t rest, rest_end, end = c.title_end
    mark.rest = c.title_start
    return _knows(text, known, mark, &c, end, &rest, &rest_end) and rest == rest_end and c.title_end == end


cdef inline void fill_chapters(
    const char_t* text, vector[Candidate]& found, const vector[KnownTitle]& known,
) noexcept nogil:
    """Chapters without decimals, in the gaps that those with decimals leave, or in the contents list: the next number
    in the same form."""
    cdef size_t i
    cdef int32_t form = -1, value = 0, listed = 0, ahead
    cdef Candidate* c
    for i in range(found.size()):  # the form of the first chapter
        if found[i].chapter:
            form = found[i].mark.form
            break
    if form < 0:
        return
    i = found.size()
    ahead = 0
    while i > 0:  # the value of the next chapter, kept in `group` until the weak families are judged
        i -= 1
        if found[i].chapter:
            ahead = found[i].mark.value
        found[i].group = ahead
    for i in range(found.size()):
        c = &found[i]
        ahead = c.group
        c.group = 0
        if c.chapter:
            value = c.mark.value
            listed = 0
        elif c.mark.family == F_ARABIC and c.mark.form == form and c.verdict != V_REFUSED and is_titled(c[0]) \
                and c.hash and not c.broken \
                and (form != FORM_BARE or c.mark.rest > c.mark.number_end or c.alone):
            if (c.mark.value == value + 1 or value == 0 and c.mark.hashes and c.mark.value + 1 == ahead) \
                    and (ahead == 0 or c.mark.value < ahead) and (value == 0 or listed != value):
                if ahead or c.mark.hashes or form != FORM_BARE or _is_listed(text, known, c[0]):
                    c.chapter = True
                    c.verdict = V_ACCEPTED
                    value = c.mark.value
                    listed = 0
                    continue
            listed = c.mark.value
