"""Headings: which candidates are, by the chains that their numbers form, and how they nest.

Strong families (`#`, 第X章, 第X条, 1.1, Section 5) are taken unless the line shows that it is something else; weak ones
(一、 （一） 1. (1) a) I.) only where a chain of title-like lines with text of their own counts up inside one section.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.candidates cimport find_candidates, opens_definitions
from chunkfast._kernels.contents cimport KnownTitle, add_listed, scan_contents
from chunkfast._kernels.decimals cimport (
    fill_chapters, join_chapters, judge_chapters, judge_decimals, judge_letter_decimals,
)
from chunkfast._kernels.document cimport Document, Line, R_BLANK, R_FURNITURE, R_HEADING, R_NONE, R_TABLE
from chunkfast._kernels.features cimport (
    Candidate, END_CLOSED, END_COLON, END_OPEN, LONGEST_TITLE, V_ACCEPTED, V_REFUSED, V_UNKNOWN, asks, introduces,
    is_titled, is_word_family, next_text, numbers_end,
)
from chunkfast._kernels.marks cimport (
    F_APPENDIX, F_ARTICLE, F_BOOK, F_EN_PART, F_EN_SECTION, F_GLYPH, F_HAN, F_NONE, F_PART,
)
from chunkfast._kernels.nesting cimport nest
from chunkfast._kernels.numerals cimport read_digits, read_han
from chunkfast._kernels.paragraphs cimport LONG, ends_closed
from chunkfast._kernels.series cimport judge_weak
from chunkfast._kernels.text cimport (
    char_t, int32_t, int64_t, is_blank, is_cjk, is_letter, skip_blanks, uint32_t, uint64_t,
)


cdef enum:
    SCRAP = 8  # characters of a line that may be the end of a sentence, marked as a title


cdef inline bint _names_provision(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """第二款, 第12条, 第三章 and the like at `p`; 第一审, 第二次, 第三人 are words of the text."""
    cdef int32_t value = 0
    cdef int64_t q
    if text[p] != 0x7B2C:
        return False
    q = skip_blanks(text, p + 1, end)
    p = read_han(text, q, end, &value)
    if p == q:
        p = read_digits(text, q, end, &value)
    if p == q:
        return False
    p = skip_blanks(text, p, end)
    return p < end and (text[p] == 0x6B3E or text[p] == 0x9879 or text[p] == 0x6761 or text[p] == 0x7AE0
                        or text[p] == 0x8282 or text[p] == 0x7F16 or text[p] == 0x76EE)  # 款 项 条 章 节 编 目


cdef inline bint refers(const char_t* text, int64_t p, int64_t end, bint counts) noexcept nogil:
    """What follows 第X条 or 第X章 at `p` makes it a reference: 第三条规定的, 第三条、第四条, 第三条第二款, 第三条的.
    `counts`: it is the next of its count; then a blank behind it parts it from its own text, whatever that is."""
    cdef uint32_t ch, d
    if p >= end:
        return False
    ch = text[p]
    if is_blank(ch):
        p = skip_blanks(text, p, end)
        ch = text[p] if p < end else 0
        d = text[p + 1] if p + 1 < end else 0
        return not counts and ((ch == 0x89C4 and d == 0x5B9A) or ch == 0x7684 or ch == 0x3001 or ch == 0xFF0C
                               or _names_provision(text, p, end))
    d = text[p + 1] if p + 1 < end else 0
    if ch == 0x7684 or ch == 0x3001 or ch == 0xFF0C or ch == 44 or ch == 0x3002 or ch == 0xFF1B or ch == 0xFF09 \
            or ch == 41 \
            or ch == 0x6B3E or ch == 0x9879 or ch == 0x300B or ch == 0x201D or ch == 0x89C4 and d == 0x5B9A \
            or _names_provision(text, p, end):
        return True  # 的 、 ， 。 ； ） 款 项 》 ” 规定 第二款
    if ch == 0x6240 and (d == 0x79F0 or d == 0x8FF0 or d == 0x5217 or d == 0x89C4):
        return True  # 所称 所述 所列 所规定
    if (ch == 0x548C or ch == 0x6216 or ch == 0x53CA or ch == 0x81F3 or ch == 0x5230) and d == 0x7B2C:
        return True  # 和第 或第 及第 至第 到第
    if ch == 0x4E4B and d == 0x89C4:
        return True  # 之规定
    return ch == 0x4E2D and (d == 0x7684 or d == 0x89C4 or d == 0x5173 or d == 0x201C or d == 0xFF0C)  # 中的 中规定 中关于


cdef inline bint _ends_sentence(const char_t* text, const Document& doc, int64_t i) noexcept nogil:
    """The paragraph before line `i` is longer than a title and open: the line is the rest of it."""
    cdef int64_t j = i - 1
    while j >= 0 and j > i - 8 and (doc.lines[j].role == R_BLANK or doc.lines[j].role == R_FURNITURE):
        j -= 1
    return j >= 0 and doc.lines[j].role == R_NONE and text[doc.lines[j].first] != 35 \
        and doc.lines[j].end - doc.lines[j].first >= LONG \
        and not ends_closed(text, doc.lines[j].first, doc.lines[j].end)


cdef inline void _judge_hashes(
    const char_t* text, const Document& doc, vector[Candidate]& found, bint flat,
) noexcept nogil:
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
        elif c.ending == END_CLOSED and (flat or c.long or not (c.latin or asks(text, c.title_start, c.title_end))):
            c.verdict = V_REFUSED
        elif c.ending == END_COLON and flat and (c.size > 30 or introduces(text, c.title_start, c.title_end)
                                                 or c.mark.family == F_NONE and c.size <= SCRAP
                                                 and _ends_sentence(text, doc, c.line)):
            c.verdict = V_REFUSED
        elif c.long and flat:
            c.verdict = V_REFUSED


cdef inline bint _lists_appendix(const Document& doc, const vector[Candidate]& found, size_t i) noexcept nogil:
    """附件1：…, 附件2：… one right after the other name them, and open none."""
    return (i + 1 < found.size() and found[i + 1].mark.family == F_APPENDIX
            and found[i + 1].line == next_text(doc, found[i].last, 1)) \
        or (i > 0 and found[i - 1].mark.family == F_APPENDIX and found[i].line == next_text(doc, found[i - 1].last, 1))


cdef inline bint _opens_appendix(const char_t* text, const Document& doc, const vector[Candidate]& found,
                                 size_t i) noexcept nogil:
    """附录：费率表 stands over the appendix itself: no file, and not at the end of a page, of the text or of a list."""
    cdef const Candidate* c = &found[i]
    cdef int64_t below = c.last + 1, n = <int64_t>doc.lines.size()
    while below < n and doc.lines[below].role == R_BLANK:
        below += 1
    return c.mark.number_end > c.mark.number_start + 2 and below < n \
        and (doc.lines[below].role == R_NONE or doc.lines[below].role == R_TABLE) \
        and text[doc.lines[below].first] != 35 and not is_letter(text[c.title_end - 1])


cdef inline bint _is_only_part(const vector[Candidate]& found, size_t i) noexcept nogil:
    """A 第1部分 that no 第2部分 follows: the part of a standard that is named."""
    cdef size_t j = i + 1
    if found[i].mark.family != F_PART or found[i].mark.value != 1 or found[i].mark.hashes:
        return False
    while j < found.size() and found[j].mark.family != F_PART:
        j += 1
    return j == found.size() or found[j].mark.value != 2


cdef inline int64_t _longest_title(const Document& doc, const Candidate& c) noexcept nogil:
    """Up to which size what follows an article's number can be its title; below a number alone it is much shorter than
    a filled line."""
    if c.alone:
        return max(16, min(32, doc.wrap * 3 // 5)) if doc.wrap else 32
    return 32 if c.mark.rest > c.mark.number_end else 16


cdef inline void _agree_on_titles(vector[Candidate]& found) noexcept nogil:
    """Articles have titles or have none: the few that seem to differ from the many do not."""
    cdef size_t i
    cdef int32_t titled = 0, glued = 0
    cdef Candidate* c
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family == F_ARTICLE and c.verdict == V_ACCEPTED:
            if is_titled(c[0]) and c.hash:
                titled += 1
            else:
                glued += 1
    if max(titled, glued) < 8 * min(titled, glued) or min(titled, glued) == 0:
        return
    for i in range(found.size()):
        c = &found[i]
        if c.mark.family == F_ARTICLE and c.verdict == V_ACCEPTED and not c.alone and c.starts \
                and c.ending == END_OPEN and not c.full and not c.gapped and 0 < c.size < LONGEST_TITLE:
            c.long = titled < glued


cdef inline bint closes_name(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A closing 》 or ” stands in it that nothing opens: it is the rest of a name."""
    while p < end and text[p] != 0x300A and text[p] != 0x201C:
        if text[p] == 0x300B or text[p] == 0x201D:
            return True
        p += 1
    return False


cdef inline void _judge_words(const char_t* text, Document& doc, vector[Candidate]& found) noexcept nogil:
    """第X章, 第X条, Chapter X, 附录A: taken at the start of a paragraph, in sequence, unless what follows makes it a
    reference."""
    cdef int32_t[32] last
    cdef size_t i, j
    cdef int32_t f, expected, seen
    cdef int64_t end
    cdef Candidate* c
    cdef bint good, titled, resumes
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
        if not c.starts or c.mark.quoted:  # what an amendment quotes is no section of it
            continue
        titled = is_titled(c[0])
        if titled and closes_name(text, c.title_start, c.title_end):
            continue  # 第6部分：……》 names a part of a standard
        if F_EN_PART <= f <= F_EN_SECTION or (f == F_APPENDIX and c.mark.sign < 128):
            if text[c.mark.number_end - 1] == 41:
                continue  # Part 3.Chapter 1.7.(1) numbers a paragraph
            if not titled:
                # glued to its text: only with a sign between, in sequence
                if not (c.mark.value == last[f] + 1 and c.mark.parts == 1 and text[c.mark.number_end - 1] == 46
                        and not c.alone):
                    continue
            elif c.mark.parts > 1 and c.size > 60 or c.hash and c.latin and 97 <= text[c.title_start] <= 122:
                continue  # Article 5 applies
            elif c.hash == 0 and not c.alone:
                continue
        elif f == F_APPENDIX:
            if _lists_appendix(doc, found, i) or not titled or c.mark.sign == 0x8868 and c.mark.value == 0 \
                    or c.mark.sign == 0x56FE:
                continue
            if c.hash and c.mark.value == 0 and c.mark.rest == c.mark.number_end \
                    and not _opens_appendix(text, doc, found, i):
                continue  # 附件材料, 附件：办法.pdf
        else:
            if refers(text, c.mark.number_end, end, c.mark.value == last[f] + 1):
                continue
            if f != F_ARTICLE and not titled or _is_only_part(found, i):
                continue
        if f == F_ARTICLE and titled and c.size > _longest_title(doc, c[0]):
            c.long = True  # the first line of its text
        good = c.mark.value == last[f] + 1 or (c.mark.sub and c.mark.value == last[f]) or f == F_APPENDIX \
                or c.mark.parts > 1
        if not good:
            # a jump or a restart: confirmed by the next number, or by what stands on the line; of articles an excerpt
            # may have any that come later, unless the count goes on behind
            expected = c.mark.value + 1
            seen = 0
            resumes = False
            j = i + 1
            while j < found.size() and seen < 8:
                if found[j].mark.family == f and found[j].starts \
                        and not refers(text, found[j].mark.number_end, doc.lines[found[j].line].end, False):
                    seen += 1
                    if found[j].mark.value == expected:
                        good = True
                        break
                    if found[j].mark.value == last[f] + 1:
                        resumes = True
                        break
                elif is_word_family(found[j].mark.family) and found[j].mark.family < f and titled:
                    good = True
                    break
                j += 1
            if not good and seen == 0 and titled and (c.mark.value > last[f] or c.mark.value == 1):
                good = True
            if f == F_ARTICLE and c.mark.value > last[f] and not resumes \
                    and (last[f] or c.mark.rest > c.mark.number_end):
                good = True
        if good:
            c.verdict = V_ACCEPTED
            last[f] = c.mark.path[0]
            if f < F_ARTICLE and f >= F_BOOK:
                for j in range(f + 1, F_ARTICLE):
                    last[j] = 0
    _agree_on_titles(found)


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
            while j < found.size() \
                    and (found[j].mark.family != F_GLYPH or found[j].hash == 0
                         or found[j].mark.sign == found[i].mark.sign):
                j += 1
            if j == found.size():
                return
            if found[j].mark.sign != found[i].mark.sign + 1:
                continue
        elif found[i].mark.sign != before + 1:
            continue
        before = found[i].mark.sign
        found[i].verdict = V_ACCEPTED


cdef inline bint _is_over_article(const Document& doc, const vector[Candidate]& found, size_t i) noexcept nogil:
    return i + 1 < found.size() and found[i + 1].mark.family == F_ARTICLE and found[i + 1].verdict == V_ACCEPTED \
        and found[i + 1].line == next_text(doc, found[i].last, 2) and is_titled(found[i])


cdef inline void _judge_over_articles(const Document& doc, vector[Candidate]& found) noexcept nogil:
    """一、二、…… without mark, each right over an article: they count up from one over the articles, not inside one."""
    cdef size_t i
    cdef int32_t last = 0
    cdef int turn
    for turn in range(2):  # count them, then take them
        if turn and last < 2:
            return
        last = 0
        for i in range(found.size()):
            if found[i].mark.family == F_HAN and found[i].verdict == V_UNKNOWN and found[i].mark.value == last + 1 \
                    and found[i].hash and _is_over_article(doc, found, i):
                last += 1
                if turn:
                    found[i].verdict = V_ACCEPTED
                    found[i].plain = True


cdef inline void _judge_plain(const char_t* text, const Document& doc, vector[Candidate]& found) noexcept nogil:
    """Titles without number or mark right over an article: at least three of them, or none is taken. Then one over
    definitions behind the last article is taken too."""
    cdef size_t i, last = 0  # past the last article
    cdef int64_t j
    cdef int32_t count = 0
    cdef int turn
    for i in range(found.size()):
        if found[i].mark.family == F_ARTICLE and found[i].verdict == V_ACCEPTED:
            last = i + 1
    for turn in range(2):
        for i in range(found.size()):
            if not found[i].plain or not is_titled(found[i]):
                continue
            j = next_text(doc, found[i].line, 2)
            if _is_over_article(doc, found, i):
                if turn == 0:
                    count += 1
                elif count >= 3:
                    found[i].verdict = V_ACCEPTED
            elif count >= 3 and 0 < last <= i and j >= 0 and opens_definitions(text, doc.lines[j]):
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


cdef inline bint holds(const char_t* text, int64_t p, int64_t end, uint32_t c) noexcept nogil:
    while p < end:
        if text[p] == c:
            return True
        p += 1
    return False


cdef inline bint _may_be_title(const char_t* text, const Line& line) noexcept nogil:
    return line.end - line.first <= 60 and not line.marks and not holds(text, line.first, line.end, 44) \
        and not ends_closed(text, line.first, line.end)


cdef inline void _add_product(
    const char_t* text, Document& doc, const vector[Candidate]& found, int64_t i,
) noexcept nogil:
    """A title that is a company's name alone has the product's name on the line `i` below it."""
    cdef size_t k
    if i < 0 or doc.title_end - doc.title_start < 4 or text[doc.title_end - 2] != 0x516C \
            or text[doc.title_end - 1] != 0x53F8 or doc.lines[i].role != R_NONE \
            or not is_cjk(text[doc.lines[i].first]) or holds(text, doc.lines[i].first, doc.lines[i].end, 0xFF1A) \
            or not _may_be_title(text, doc.lines[i]):
        return
    for k in range(found.size()):
        if found[k].line >= i:
            if found[k].line == i and not found[k].plain:
                return
            break
    doc.title_end = doc.lines[i].end


cdef inline void _find_title(const char_t* text, Document& doc, vector[Candidate]& found) noexcept nogil:
    """The document's own title: the first line if it is one, with the lines of its kind that follow; not a heading."""
    cdef int64_t i = next_text(doc, -1, 1 << 40)
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
        doc.title_end = numbers_end(text, c.title_end, doc.lines[c.last].end) if c.tail else c.title_end
        c.verdict = V_REFUSED
        doc.lines[c.line].role = R_HEADING
        i = next_text(doc, c.last, 1)
        k += 1
    if doc.title_end:
        _add_product(text, doc, found, i)
        for k in range(found.size()):  # repeated once over the text
            if hash and found[k].hash == hash and found[k].mark.family == F_NONE and found[k].verdict == V_ACCEPTED:
                found[k].verdict = V_REFUSED
                return
        return
    if found.empty() or found[0].line != i or found[0].plain:
        if _may_be_title(text, doc.lines[i]):
            doc.title_start = doc.lines[i].first
            doc.title_end = doc.lines[i].end
            _add_product(text, doc, found, next_text(doc, i, 1))


cdef inline void scan_headings(const char_t* text, Document& doc) except + nogil:
    """Find contents lists (R_CONTENTS) and headings (R_HEADING, Document.headings) and the document's own title."""
    cdef vector[Candidate] found
    cdef vector[KnownTitle] known
    cdef vector[int32_t] ends
    cdef size_t i, kept = 0
    cdef int32_t last = -1
    cdef bint flat, joined
    find_candidates(text, doc, found)
    scan_contents(text, doc, found, known)
    add_listed(text, doc, found, known)
    for i in range(found.size()):
        joined = found[i].plain and found[i].line <= last  # a title that belongs to the number above
        last = found[i].last
        if joined or doc.lines[found[i].line].role != R_NONE:
            continue
        if kept < i:
            found[kept] = found[i]
        kept += 1
    found.resize(kept)
    flat = is_flat(found)
    _judge_hashes(text, doc, found, flat)
    _find_title(text, doc, found)
    join_chapters(text, doc, found)
    judge_decimals(text, doc, found, known)
    judge_letter_decimals(found)
    judge_chapters(found)
    fill_chapters(text, found, known)
    _judge_words(text, doc, found)
    _judge_glyphs(found)
    _judge_plain(text, doc, found)
    _judge_over_articles(doc, found)
    judge_weak(text, doc, found, flat, ends)
    nest(text, doc, found, flat, ends)
