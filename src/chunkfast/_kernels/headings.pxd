"""Headings: which candidates are, by the chains that their numbers form, and how they nest.

Strong families (`#`, 第X章, 第X条, 1.1, Section 5) are taken unless the line shows that it is something else; weak ones
(一、 （一） 1. (1) a) I.) only where a chain of title-like lines with text of their own counts up inside one section.
"""
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from chunkfast._kernels.contents cimport KnownTitle, number_key, scan_contents
from chunkfast._kernels.document cimport (
    Document, Heading, R_BLANK, R_CODE, R_CONTENTS, R_FURNITURE, R_HEADING, R_NONE, R_TABLE,
)
from chunkfast._kernels.features cimport (
    Candidate, END_CLOSED, END_COLON, END_OPEN, V_ACCEPTED, V_REFUSED, V_UNKNOWN, ending_of, find_candidates,
    next_text,
)
from chunkfast._kernels.marks cimport (
    F_APPENDIX, F_ARABIC, F_ARTICLE, F_BOOK, F_CHAPTER, F_CIRCLED, F_DECIMAL, F_EN_ARTICLE, F_EN_CHAPTER, F_EN_PART, F_EN_SECTION,
    F_GLYPH, F_HAN, F_HAN_PAREN, F_LETTER, F_NONE, F_PAREN, F_PART, F_ROMAN, F_SECTION, F_SUBBOOK, F_TITLE, F_UPPER_ROMAN,
    FORM_BARE, FORM_BOTH, FORM_COMMA, FORM_SIGN, LineMark, skip_blanks,
)
from chunkfast._kernels.nesting cimport nest
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_cjk, uint32_t, uint64_t
from chunkfast._kernels.wrapping cimport is_full


cdef inline bint is_titled(const Candidate& c) noexcept nogil:
    """The line is a title and nothing else, or a number alone."""
    return c.starts and c.ending == END_OPEN and not c.full and not c.long and (c.alone or not c.gapped)


cdef inline bint is_word_family(int32_t family) noexcept nogil:
    return F_BOOK <= family <= F_APPENDIX


cdef inline bint refers(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """What follows 第X条 or 第X章 at `p` makes it a reference: 第三条规定的, 第三条、第四条, 第三条第二款, 第三条的."""
    cdef uint32_t ch, d
    if p >= end:
        return False
    ch = text[p]
    if is_blank(ch):
        p = skip_blanks(text, p, end)
        ch = text[p] if p < end else 0
        d = text[p + 1] if p + 1 < end else 0
        return (ch == 0x89C4 and d == 0x5B9A) or ch == 0x7684 or ch == 0x3001 or ch == 0xFF0C or (ch == 0x7B2C and d != 0x4E09)
    d = text[p + 1] if p + 1 < end else 0
    if ch == 0x7684 or ch == 0x3001 or ch == 0xFF0C or ch == 44 or ch == 0x3002 or ch == 0xFF1B or ch == 0xFF09 or ch == 41 \
            or ch == 0x7B2C or ch == 0x6B3E or ch == 0x9879 or ch == 0x300B or ch == 0x201D or ch == 0x89C4 and d == 0x5B9A:
        return True  # 的 、 ， 。 ； ） 第 款 项 》 ” 规定
    if ch == 0x6240 and (d == 0x79F0 or d == 0x8FF0 or d == 0x5217 or d == 0x89C4):
        return True  # 所称 所述 所列 所规定
    if (ch == 0x548C or ch == 0x6216 or ch == 0x53CA or ch == 0x81F3 or ch == 0x5230) and d == 0x7B2C:
        return True  # 和第 或第 及第 至第 到第
    if ch == 0x4E4B and d == 0x89C4:
        return True  # 之规定
    return ch == 0x4E2D and (d == 0x7684 or d == 0x89C4 or d == 0x5173 or d == 0x201C or d == 0xFF0C)  # 中的 中规定 中关于


cdef inline bint introduces(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The words of a lead-in: 下列, 以下, 如下, 之一."""
    while p + 1 < end:
        if text[p + 1] == 0x5217 and text[p] == 0x4E0B or text[p + 1] == 0x4E0B and (text[p] == 0x4EE5 or text[p] == 0x5982) \
                or text[p] == 0x4E4B and text[p + 1] == 0x4E00:
            return True
        p += 1
    return False


cdef inline void _judge_hashes(const char_t* text, const Document& doc, vector[Candidate]& found, bint flat) noexcept nogil:
    """`#` and underlined lines, where they are no sentences, items or lead-ins that a converter marked by mistake."""
    cdef size_t i
    cdef Candidate* c
    for i in range(found.size()):
        c = &found[i]
        if c.mark.hashes == 0 or c.verdict != V_UNKNOWN:
            continue
        c.verdict = V_ACCEPTED
        if c.title_start == c.title_end and c.mark.number_start == c.mark.number_end:
            c.verdict = V_REFUSED
        elif c.ending == END_CLOSED and not (not flat and c.latin and not c.long):
            c.verdict = V_REFUSED
        elif c.ending == END_COLON and flat and (c.size > 30 or introduces(text, c.title_start, c.title_end)):
            c.verdict = V_REFUSED
        elif c.long and flat:
            c.verdict = V_REFUSED


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


cdef inline int32_t _path(const Candidate& c, const int32_t* last, int32_t parts, int32_t* path) noexcept nogil:
    """Parts of the decimal number, `9. 11` read as 9.11 where that comes next; 0 where it is no decimal."""
    cdef int32_t i
    if c.mark.family == F_DECIMAL and not c.mark.letters:
        for i in range(c.mark.parts):
            path[i] = c.mark.path[i]
        return c.mark.parts
    if c.mark.spaced:
        path[0] = c.mark.value
        path[1] = c.mark.spaced
        if parts and (_succeeds(last, parts, path, 2) or (last[0] == path[0] and path[1] > (last[1] if parts > 1 else 0))):
            return 2
    return 0


cdef inline bint _knows(const char_t* text, const vector[KnownTitle]& known, Candidate* c, int64_t end) noexcept nogil:
    """Cut the title where the contents list ends it."""
    cdef uint64_t number = number_key(c.mark)
    cdef size_t low = 0, high = known.size(), middle
    cdef int64_t p, q
    while low < high:
        middle = (low + high) // 2
        if known[middle].number < number:
            low = middle + 1
        else:
            high = middle
    while low < known.size() and known[low].number == number:
        p = c.mark.rest
        q = known[low].start
        while q < known[low].end:
            if is_blank(text[q]):
                q += 1
            elif p < end and is_blank(text[p]):
                p += 1
            elif p < end and text[p] == text[q]:
                p += 1
                q += 1
            else:
                break
        if q == known[low].end:
            c.title_end = p
            return True
        low += 1
    return False


cdef inline void _judge_decimals(const char_t* text, Document& doc, vector[Candidate]& found, const vector[KnownTitle]& known) noexcept nogil:
    """1.1 and deeper: each has to come after the one before; a jump only where the next ones confirm it."""
    cdef int32_t[8] last
    cdef int32_t[8] path
    cdef int32_t[8] ahead
    cdef int32_t parts = 0, others, more, seen
    cdef int32_t above = 0  # of the last `1.` that may be a chapter
    cdef size_t i, j
    cdef Candidate* c
    cdef bint next_one, good, titled
    for i in range(found.size()):
        c = &found[i]
        if c.verdict == V_REFUSED:
            continue
        others = _path(c[0], last, parts, path)
        if others == 0:
            if c.mark.family == F_ARABIC and is_titled(c[0]) and c.hash:
                above = c.mark.value
            if c.chapter and c.verdict == V_ACCEPTED and c.mark.value > last[0]:
                last[0] = c.mark.value
                parts = 1
            continue
        if c.alone and c.hash and parts and _succeeds(last, parts, path, others):
            c.starts = True  # whatever the line before looks like: a note at the foot of a page may end it
        if not c.starts:
            c.verdict = V_REFUSED
            continue
        titled = is_titled(c[0]) and (c.hash != 0 or c.alone) and not (c.mark.form == FORM_BOTH and c.latin)
        next_one = _succeeds(last, parts, path, others) if parts else path[0] <= 2
        if path[0] == above and path[1] == 1 and (parts == 0 or above > last[0]):
            next_one = True  # 3.1 under a title 3
        good = next_one
        if not good and c.alone and c.hash == 0:
            c.verdict = V_REFUSED
            continue
        if not good:
            # a jump: look whether the candidates ahead go on from here, and whether the expected one still comes
            seen = 0
            good = c.mark.hashes > 0
            j = i + 1
            while j < found.size() and seen < 6 and not good:
                more = _path(found[j], path, others, ahead)
                if more:
                    seen += 1
                    if found[j].verdict == V_REFUSED:
                        j += 1
                        continue
                    if _succeeds(path, others, ahead, more):
                        good = parts == 0 or _compare(path, others, last, parts) > 0 or (path[others - 1] == 1 and path[0] == 1)
                        break
                    if parts and _succeeds(last, parts, ahead, more):
                        break
                j += 1
            if not good and parts and titled and _near(last, parts, path, others):
                good = True
        if not good:
            if c.mark.hashes == 0:
                c.verdict = V_REFUSED
            continue
        if c.mark.family == F_ARABIC:  # the reading with a blank inside
            c.mark.family = F_DECIMAL
            c.mark.parts = 2
            c.mark.path[1] = c.mark.value = c.mark.spaced
            c.mark.number_end = c.mark.spaced_end
            c.title_start = c.mark.rest = skip_blanks(text, c.mark.spaced_end, doc.lines[c.line].end)
            c.title_end = max(c.title_end, c.title_start)
            c.alone = c.title_start == doc.lines[c.line].end
        if c.mark.hashes == 0:
            if titled:
                c.verdict = V_ACCEPTED
            elif c.gapped and next_one:
                c.verdict = V_ACCEPTED
            elif next_one and not c.alone and _knows(text, known, c, doc.lines[c.line].end):
                c.known = True
                c.verdict = V_ACCEPTED
            else:
                c.verdict = V_REFUSED  # a numbered paragraph: it counts, but has no title
                c.unit = True
        for j in range(others):
            last[j] = path[j]
        parts = others


cdef inline void _judge_letter_decimals(vector[Candidate]& found) noexcept nogil:
    """A.1 under an appendix, or a misread 8.1 between 8. and 8.2."""
    cdef size_t i, j
    cdef Candidate* c
    cdef Candidate* next
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family != F_DECIMAL or not c.mark.letters or c.verdict != V_UNKNOWN:
            continue
        c.verdict = V_REFUSED
        if not is_titled(c[0]) or c.hash == 0:
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


cdef inline void _judge_chapters(vector[Candidate]& found) noexcept nogil:
    """`1.` over decimals: the next decimal starts with its number, the last one did not."""
    cdef size_t i = found.size()
    cdef int32_t ahead = 0, before = 0  # first part of the next and of the last decimal
    cdef int32_t passed = 0  # a form of which numbers stand between
    cdef Candidate* c
    while i > 0:
        i -= 1
        c = &found[i]
        if c.mark.family == F_DECIMAL and not c.mark.letters and (c.verdict == V_ACCEPTED or c.starts):
            ahead = c.mark.path[0]
            passed = 0
        elif c.mark.family == F_ARABIC and (is_titled(c[0]) and c.hash != 0 and c.verdict != V_REFUSED or c.verdict == V_ACCEPTED):
            if c.mark.value == ahead and ahead > 0 and not passed & (1 << c.mark.form):
                c.chapter = True
                ahead = 0
            passed |= 1 << c.mark.form
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family == F_DECIMAL and not c.mark.letters and (c.verdict == V_ACCEPTED or c.starts):
            before = c.mark.path[0]
        elif c.chapter:
            if c.mark.value == before:
                c.chapter = False
            else:
                c.verdict = V_ACCEPTED
        elif c.mark.family == F_ARABIC and c.verdict == V_ACCEPTED and before > 0 and c.mark.value == before + 1:
            c.chapter = True  # the last chapter, its decimals lost


cdef inline void _fill_chapters(vector[Candidate]& found) noexcept nogil:
    """Chapters without decimals, in the gaps that those with decimals leave: the next number in the same form."""
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
        elif c.mark.family == F_ARABIC and c.mark.form == form and c.verdict != V_REFUSED and is_titled(c[0]) and c.hash and not c.broken \
                and (form != FORM_BARE or c.mark.rest > c.mark.number_end or c.alone):
            if c.mark.value == value + 1 and (ahead == 0 or c.mark.value < ahead) and (value == 0 or listed != value):
                if ahead or c.mark.hashes or form != FORM_BARE:
                    c.chapter = True
                    c.verdict = V_ACCEPTED
                    value = c.mark.value
                    listed = 0
                    continue
            listed = c.mark.value


cdef inline bint _lists_appendix(const Document& doc, const vector[Candidate]& found, size_t i) noexcept nogil:
    """附件1：…, 附件2：… one right after the other name them, and open none."""
    return (i + 1 < found.size() and found[i + 1].mark.family == F_APPENDIX and found[i + 1].line == next_text(doc, found[i].last, 1)) \
        or (i > 0 and found[i - 1].mark.family == F_APPENDIX and found[i].line == next_text(doc, found[i - 1].last, 1))


cdef inline void _judge_words(const char_t* text, Document& doc, vector[Candidate]& found) noexcept nogil:
    """第X章, 第X条, Chapter X, 附录A: taken at the start of a paragraph, in sequence, unless what follows makes it a reference."""
    cdef int32_t[32] last
    cdef size_t i, j
    cdef int32_t f, expected, seen
    cdef int64_t end
    cdef uint32_t ch
    cdef Candidate* c
    cdef bint good, titled
    for i in range(32):
        last[i] = 0
    for i in range(found.size()):
        c = &found[i]
        f = c.mark.family
        if not is_word_family(f) or c.verdict != V_UNKNOWN:
            if is_word_family(f) and c.verdict == V_ACCEPTED:
                last[f] = c.mark.value
            continue
        end = doc.lines[c.line].end
        c.verdict = V_REFUSED
        if c.alone and c.mark.value == last[f] + 1:
            c.starts = True
        if not c.starts:
            continue
        titled = is_titled(c[0])
        if F_EN_PART <= f <= F_EN_SECTION or (f == F_APPENDIX and c.mark.sign < 128):
            if not titled:
                # glued to its text: only with a sign between, in sequence
                if not (c.mark.value == last[f] + 1 and c.mark.parts == 1 and text[c.mark.number_end - 1] == 46 and not c.alone):
                    continue
            elif c.mark.parts > 1 and c.size > 60 or c.hash and c.latin and 97 <= text[c.title_start] <= 122:
                continue  # Article 5 applies
            elif c.hash == 0 and not c.alone:
                continue
        elif f == F_APPENDIX:
            if _lists_appendix(doc, found, i) or not titled or c.mark.sign == 0x8868 and c.mark.value == 0 or c.mark.sign == 0x56FE:
                continue
            if c.hash and c.mark.value == 0 and c.mark.rest == c.mark.number_end:
                continue  # 附件材料
        else:
            if refers(text, c.mark.number_end, end):
                continue
            if f != F_ARTICLE and not titled:
                continue
        if f == F_ARTICLE and titled and c.size > (16 if c.mark.rest == c.mark.number_end else 32):
            c.long = True  # the first line of its text
        good = c.mark.value == last[f] + 1 or (c.mark.sub and c.mark.value == last[f]) or f == F_APPENDIX or c.mark.parts > 1
        if not good:
            # a jump or a restart: confirmed by the next number, or by what stands on the line
            expected = c.mark.value + 1
            seen = 0
            j = i + 1
            while j < found.size() and seen < 8:
                if found[j].mark.family == f and found[j].starts and not refers(text, found[j].mark.number_end, doc.lines[found[j].line].end):
                    seen += 1
                    if found[j].mark.value == expected:
                        good = True
                        break
                    if found[j].mark.value == last[f] + 1:
                        break
                elif is_word_family(found[j].mark.family) and found[j].mark.family < f and titled:
                    good = True
                    break
                j += 1
            if not good and seen == 0 and titled and (c.mark.value > last[f] or c.mark.value == 1):
                good = True
        if good:
            c.verdict = V_ACCEPTED
            last[f] = c.mark.value
            if f < F_ARTICLE and f >= F_BOOK:
                for j in range(f + 1, F_ARTICLE):
                    last[j] = 0


cdef inline void _judge_glyphs(vector[Candidate]& found) noexcept nogil:
    """Symbol-font characters alone on a line are chapter numbers where their codes count up and titles follow."""
    cdef size_t i, j = 0
    cdef int32_t before = 0
    for i in range(found.size()):
        if found[i].mark.family != F_GLYPH:
            continue
        found[i].verdict = V_REFUSED
        if found[i].hash == 0 or not found[i].starts or (before == 0 and i < j):
            continue
        if before == 0:
            j = i + 1
            while j < found.size() and (found[j].mark.family != F_GLYPH or found[j].hash == 0 or found[j].mark.sign == found[i].mark.sign):
                j += 1
            if j == found.size():
                return
            if found[j].mark.sign != found[i].mark.sign + 1:
                continue
        elif found[i].mark.sign != before + 1:
            continue
        before = found[i].mark.sign
        found[i].verdict = V_ACCEPTED


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


cdef inline bint _has_text(const char_t* text, const Document& doc, const vector[Candidate]& found, size_t i) noexcept nogil:
    """Text of its own stands between a candidate and the next of its series: a line that is not indented under it as an item's."""
    cdef const Candidate* c = &found[i]
    cdef int64_t j = next_text(doc, c.last, 1 << 40)
    if j < 0 or (doc.lines[j].role != R_NONE and doc.lines[j].role != R_TABLE and doc.lines[j].role != R_CODE):
        return False
    if c.mark.form == FORM_BARE and doc.lines[j].end - doc.lines[j].first < 40 and not is_full(doc.lines[j], doc.wrap) \
            and ending_of(text, doc.lines[j].first, doc.lines[j].end) != END_CLOSED:
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
    return j >= 0 and (doc.lines[j].role == R_TABLE or text[doc.lines[j].first] == 60 or text[doc.lines[j].first] == 124)


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


cdef inline void _settle_all(vector[Candidate]& found, const vector[int32_t]& links, vector[Group]& open) noexcept nogil:
    while not open.empty():
        _settle(found, links, open.back())
        open.pop_back()


cdef inline void _judge_weak(const char_t* text, const Document& doc, vector[Candidate]& found, bint flat, vector[int32_t]& ends) except + nogil:
    """The weak families: each number joins the innermost group of its series that it continues, a first one opens a group.

    `ends` gets the index of the last candidate of each group.
    """
    cdef vector[vector[Group]] stacks  # open groups by series
    cdef vector[int32_t] links  # to the member before in the same group
    cdef vector[int32_t] active
    cdef bint[512] listed
    cdef Group group
    cdef Group* open
    cdef size_t i, k, depth
    cdef int32_t series, groups = 0
    cdef Candidate* c
    stacks.resize(512)
    ends.assign(1, 0)
    links.assign(found.size(), -1)
    for k in range(512):
        listed[k] = False
    for i in range(found.size()):
        c = &found[i]
        if not is_weak(c.mark.family) or c.chapter:
            if c.verdict == V_ACCEPTED and not (c.mark.family == F_NONE and flat) and not c.plain:
                for k in range(active.size()):
                    series = active[k]
                    if not (c.mark.family == F_DECIMAL or c.chapter) or (series >> 4) != F_HAN and (series >> 4) != F_UPPER_ROMAN:
                        _settle_all(found, links, stacks[series])
            continue
        if not c.starts or c.verdict == V_REFUSED:
            continue
        c.title = c.verdict == V_ACCEPTED or (
            c.hash and c.size > 1 and not (c.latin and _is_item_mark(c.mark)) and ((is_titled(c[0]) and not c.broken and _has_text(text, doc, found, i)) or _over_table(text, doc, c[0])))
        series = series_of(c[0])
        if c.mark.family == F_LETTER and c.mark.roman:  # I. after H. is a letter, else a number
            depth = stacks[series].size()
            while depth and stacks[series][depth - 1].value + 1 != c.mark.value:
                depth -= 1
            if depth == 0:
                c.mark.family = F_UPPER_ROMAN if c.mark.sign == 65 and c.mark.form <= FORM_COMMA else F_ROMAN
                c.mark.value = c.mark.path[0] = c.mark.roman
                series = series_of(c[0])
        depth = stacks[series].size()
        while depth and c.mark.value != stacks[series][depth - 1].value + 1:
            depth -= 1
        if depth == 0:
            if stacks[series].size() == 8:
                _settle(found, links, stacks[series][0])
                stacks[series].erase(stacks[series].begin())
            groups += 1
            ends.push_back(0)
            group.id = groups
            group.first = group.value = c.mark.value
            group.titled = group.closed = 0
            group.last = -1
            if not listed[series]:
                listed[series] = True
                active.push_back(series)
            stacks[series].push_back(group)
        else:
            while stacks[series].size() > depth:
                _settle(found, links, stacks[series].back())
                stacks[series].pop_back()
            stacks[series][depth - 1].value += 1
        open = &stacks[series][stacks[series].size() - 1]
        links[i] = open.last
        open.last = <int32_t>i
        c.group = open.id
        ends[open.id] = <int32_t>i
        if c.title:
            open.titled += 1
        else:
            open.closed += 1
    for k in range(512):
        _settle_all(found, links, stacks[k])


cdef inline void _judge_plain(const Document& doc, vector[Candidate]& found) noexcept nogil:
    """Titles without number or mark right over an article: at least three of them, or none is taken."""
    cdef size_t i
    cdef int32_t count = 0
    cdef int turn
    for turn in range(2):
        for i in range(found.size()):
            if not found[i].plain:
                continue
            if i + 1 < found.size() and found[i + 1].mark.family == F_ARTICLE and found[i + 1].verdict == V_ACCEPTED \
                    and found[i + 1].line == next_text(doc, found[i].line, 2) and is_titled(found[i]):
                if turn == 0:
                    count += 1
                elif count >= 3:
                    found[i].verdict = V_ACCEPTED


cdef inline bint is_flat(const vector[Candidate]& found) noexcept nogil:
    """All `#` headings but a first one, the document's title, are of one level: the number of `#` tells no depth."""
    cdef size_t i
    cdef int32_t level = 0, count = 0
    for i in range(found.size()):
        if found[i].mark.hashes == 0:
            continue
        count += 1
        if level and found[i].mark.hashes != level:
            if count > 2 or level != 1:
                return False
        level = found[i].mark.hashes
    return True


cdef inline void _find_title(const char_t* text, Document& doc, vector[Candidate]& found) noexcept nogil:
    """The document's own title: the first line if it is one, with the lines of its kind that follow; not a heading."""
    cdef int64_t i = next_text(doc, -1, 1 << 40), j
    cdef size_t k = 0
    cdef uint64_t hash = 0
    cdef Candidate* c
    doc.title_start = doc.title_end = 0
    if i < 0 or doc.lines[i].role != R_NONE:
        return
    while k < found.size() and found[k].line == i and found[k].mark.family == F_NONE and found[k].mark.hashes == 1 \
            and found[k].ending == END_OPEN and (found[k].verdict == V_ACCEPTED):
        c = &found[k]
        if doc.title_end == 0:
            doc.title_start = c.title_start
            hash = c.hash
        elif c.size < 8:
            break
        doc.title_end = c.title_end
        c.verdict = V_REFUSED
        doc.lines[c.line].role = R_HEADING
        i = next_text(doc, c.last, 1)
        k += 1
    if doc.title_end:
        for k in range(found.size()):  # repeated once over the text
            if hash and found[k].hash == hash and found[k].mark.family == F_NONE and found[k].verdict == V_ACCEPTED:
                found[k].verdict = V_REFUSED
                return
        return
    if found.empty() or found[0].line != i or found[0].plain:
        if doc.lines[i].end - doc.lines[i].first <= 60 and not (doc.lines[i].marks):
            doc.title_start = doc.lines[i].first
            doc.title_end = doc.lines[i].end


cdef inline void scan_headings(const char_t* text, Document& doc) except + nogil:
    """Find contents lists (R_CONTENTS) and headings (R_HEADING, Document.headings) and the document's own title."""
    cdef vector[Candidate] all
    cdef vector[Candidate] found
    cdef vector[KnownTitle] known
    cdef vector[int32_t] ends
    cdef size_t i
    cdef bint flat
    find_candidates(text, doc, all)
    scan_contents(text, doc, all, known)
    for i in range(all.size()):
        if all[i].plain and i and all[i].line <= all[i - 1].last:
            continue  # a title that belongs to the number above
        if doc.lines[all[i].line].role == R_NONE:
            found.push_back(all[i])
    flat = is_flat(found)
    _judge_hashes(text, doc, found, flat)
    _find_title(text, doc, found)
    _judge_decimals(text, doc, found, known)
    _judge_letter_decimals(found)
    _judge_chapters(found)
    _fill_chapters(found)
    _judge_words(text, doc, found)
    _judge_glyphs(found)
    _judge_plain(doc, found)
    _judge_weak(text, doc, found, flat, ends)
    nest(text, doc, found, flat, ends)
