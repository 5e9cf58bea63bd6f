"""Candidates for headings: a line that starts with a number or heading sign, with what is needed to judge it.

A candidate knows its mark, its title (on the same line, or on the short lines below a number that stands alone), how
the line ends and whether a paragraph can start at it. It does not know yet whether it is a heading.
"""
from chunkfast._kernels.document cimport Document, Line, M_CELL, R_BLANK, R_FURNITURE, R_NONE
from chunkfast._kernels.furniture cimport stir
from chunkfast._kernels.marks cimport (
    FORM_BARE, FORM_BOTH, F_APPENDIX, F_ARABIC, F_BOOK, F_HAN, F_HAN_PAREN, F_NONE, LineMark, read_mark,
)
from chunkfast._kernels.numerals cimport digit_value
from chunkfast._kernels.text cimport (
    ALNUM, cf_class, char_t, int32_t, int64_t, is_blank, is_cjk, uint32_t, uint64_t, uint8_t,
)
from chunkfast._kernels.wrapping cimport is_full

cdef extern from "skip.h" nogil:
    int64_t cf_plain_blanks[T](const T* text, int64_t i, int64_t n) noexcept
    int64_t cf_next_title_sign[T](const T* text, int64_t i, int64_t n) noexcept
    int64_t cf_next_blank[T](const T* text, int64_t i, int64_t n) noexcept

cdef enum:
    LONGEST_TITLE = 60  # code points with ideographs among them
    LONGEST_LATIN_TITLE = 130
    WIDEST_MARGIN = 12
    HEAD = 6  # characters of a title that are compared where its end may be broken

cdef enum Ending:
    END_OPEN = 0
    END_COLON
    END_CLOSED  # a mark that ends a sentence, clause or item

cdef enum Verdict:
    V_UNKNOWN = 0
    V_REFUSED
    V_ACCEPTED

cdef struct Candidate:
    LineMark mark
    int64_t title_start  # equal to title_end where there is none
    int64_t title_end
    uint64_t hash  # of the title without blanks, 0 where there is none
    uint64_t head  # of its first characters
    int32_t line  # index of the first line
    int32_t last  # of the last line of number and title
    int32_t size  # of the title in code points, blanks not counted
    int32_t group  # of a weak family: those that count up together, 0 for none
    uint8_t ending
    uint8_t verdict
    uint8_t alone  # the number stands alone on its line
    uint8_t full  # the line is filled to the width of wrapped text
    uint8_t broken  # the next line seems to be the rest of this one
    uint8_t long  # more than a title may be, or with the end of a sentence inside
    uint8_t starts  # a paragraph may start here
    uint8_t leader  # dots and a page number at the end
    uint8_t tail  # a number at the end, after blanks
    uint8_t gapped  # the title is cut off from text on the same line by a column gap
    uint8_t known  # ... or by a title that the contents list holds
    uint8_t plain  # neither number nor mark
    uint8_t chapter  # a `1.` over decimals `1.1`
    uint8_t title  # of a weak family: a title with text of its own
    uint8_t unit  # a numbered paragraph that counts in the chain of headings
    uint8_t latin  # no ideograph in the title


cdef inline bint is_closed(uint32_t c) noexcept nogil:
    if c < 128:
        return c == 46 or c == 59 or c == 44 or c == 33 or c == 63
    return c == 0x3002 or c == 0xFF1B or c == 0xFF0C or c == 0x3001 or c == 0xFF01 or c == 0xFF1F or c == 0x2026 \
            or c == 0xFF0E


cdef inline bint is_closer(uint32_t c) noexcept nogil:
    """A quote or bracket that may stand after the mark that ends a sentence."""
    return c == 0x201D or c == 0x2019 or c == 0xFF09 or c == 0x300D or c == 0x300F or c == 0x300B or c == 34 \
            or c == 39 or c == 41 \
        or c == 42 or c == 0x3011


cdef inline uint8_t ending_of(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    cdef int64_t q = end
    while q > p and q > end - 4 and is_closer(text[q - 1]):
        q -= 1
    if q == p:
        return END_OPEN
    if is_closed(text[q - 1]):
        return END_CLOSED
    if text[q - 1] == 58 or text[q - 1] == 0xFF1A:
        return END_COLON
    if q - 1 > p and (text[q - 1] == 45 or text[q - 1] == 0x2013 or text[q - 1] == 0x2014) \
            and (text[q - 2] == 58 or text[q - 2] == 32):
        return END_COLON  # `:-` and ` —` announce as a colon does
    return END_OPEN


cdef inline bint asks(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The title ends in a question mark, with closers behind it or not."""
    while end > p and is_closer(text[end - 1]):
        end -= 1
    return end > p and (text[end - 1] == 63 or text[end - 1] == 0xFF1F)


cdef inline bint is_roman_sign(uint32_t c) noexcept nogil:
    """I, V or X in either case: page numbers of a foreword."""
    return (c | 32) == 105 or (c | 32) == 118 or (c | 32) == 120


cdef inline int64_t without_leader(
    const char_t* text, int64_t p, int64_t end, uint8_t* leader, uint8_t* tail,
) noexcept nogil:
    """End of [p, end) without dot leaders and a page number behind; tells which of the two were there."""
    cdef int64_t q = end, digits
    cdef int dots = 0
    cdef uint32_t c
    leader[0] = tail[0] = False
    while q > p and q > end - 8 \
            and (digit_value(text[q - 1]) >= 0 or is_blank(text[q - 1]) or text[q - 1] == 45 or text[q - 1] == 80
                                     or is_roman_sign(text[q - 1])):
        q -= 1
    digits = q
    while q > p:
        c = text[q - 1]
        if c == 0x2026 or c == 0x22EF:
            dots += 3
        elif c == 46 or c == 0xB7 or c == 0xFF0E or c == 0x2025 or c == 0x2024:
            dots += 1
        elif c == 45 and q > p + 1 and text[q - 2] == 45:
            dots += 1
        elif c == 45 and dots:
            dots += 1
        elif not is_blank(c) and not (dots >= 3 and digit_value(c) >= 0 and q > p + 1 and text[q - 2] == 46):
            break
        q -= 1
    if dots >= 3:
        leader[0] = True
        return q
    if digits < end and digits > p and digit_value(text[end - 1]) >= 0 and is_blank(text[digits]):
        tail[0] = True
        return digits
    return end


cdef inline int64_t numbers_end(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Past what `without_leader` takes for a page number, at `p` behind a title."""
    cdef int64_t last = p
    while p < end and (digit_value(text[p]) >= 0 or is_blank(text[p]) or text[p] == 45 or text[p] == 80
                       or is_roman_sign(text[p])):
        p += 1
        if not is_blank(text[p - 1]):
            last = p
    return last


cdef inline bint shows_blank(uint32_t c) noexcept nogil:
    """A blank that has a width; those without are no part of a column gap."""
    return c == 32 or c == 9 \
            or (c > 127 and c != 0x200B and c != 0x200E and c != 0x200F and c != 0xFEFF and is_blank(c))


cdef inline void hash_title(const char_t* text, int64_t p, int64_t end, Candidate* c) noexcept nogil:
    """Hashes of [p, end), case and blanks apart; of the first characters alone behind a number, and where the title is
    too long to be one."""
    cdef uint64_t hash = <uint64_t>0xCBF29CE484222325
    cdef int32_t size = 0
    cdef uint32_t ch
    cdef bint whole = not c.long and c.mark.family == F_NONE
    while p < end and (whole or size < HEAD):
        ch = text[p]
        if not is_blank(ch):
            hash = stir(hash, ch | 32 if 65 <= ch <= 90 else ch)
            size += 1
            if size == HEAD:
                c.head = hash
        p += 1
    if size < HEAD:
        c.head = hash
    c.hash = hash if whole else stir(hash, 0x110000)


cdef inline bint is_text_line(const char_t* text, int64_t p, int64_t end, Candidate* c) noexcept nogil:
    """Whether [p, end) is no title, told from its length and end, and has none at its head, cut off by a column gap:
    most lines that start with a number are told by this. Then the fields that matter of such a line are filled."""
    cdef int64_t q = p, limit = p + LONGEST_LATIN_TITLE + 1
    if end <= limit and (c.ending != END_CLOSED or c.mark.hashes or end <= p + LONGEST_TITLE + 1):
        return False
    c.latin = cf_plain_blanks(text, p, min(end - 1, limit)) >= 0 and text[end - 1] < 0x2E80
    if not c.latin:
        q = cf_next_blank(text, p, p + LONGEST_TITLE)
        while q < p + LONGEST_TITLE:
            if text[q] <= 32 and (text[q] == 9 or text[q + 1] <= 32 or text[q + 1] > 127 and is_blank(text[q + 1])):
                return False
            if text[q] > 255 and (text[q] == 0x3000 or 0x2000 <= text[q] < 0x2010):  # blanks, some without width
                return False
            q = cf_next_blank(text, q + 1, p + LONGEST_TITLE)
        c.latin = True
        q = p
        while q < min(end, limit) and c.latin:
            c.latin = text[q] < 0x2E80 or not is_cjk(text[q])
            q += 1
    c.title_start = p
    c.title_end = end
    c.size = LONGEST_TITLE + 1
    c.long = True
    hash_title(text, p, end, c)
    return True


cdef inline bint _joins(uint32_t c) noexcept nogil:
    """A mark that stands between words or figures, and at no title's start."""
    return c == 44 or c == 59 or c == 61 or c == 0xFF0C or c == 0xFF1B or c == 0x3002


cdef inline void read_title(const char_t* text, int64_t p, int64_t end, Candidate* c) noexcept nogil:
    """Fill the title's fields from [p, end), which has neither leader nor page number."""
    cdef int64_t q = p, stop = min(end, p + LONGEST_LATIN_TITLE + 1), last = stop - 1, blanks = -1
    cdef int64_t size = 0, cjk = 0
    cdef bint word = False, plain
    cdef uint32_t ch
    if is_text_line(text, p, end, c):
        return
    c.title_start = p
    c.long = end > stop
    if p <= last and text[last] < 0x2E80 and not is_blank(text[last]):
        blanks = cf_plain_blanks(text, p, last)
    plain = blanks >= 0
    if not plain and p <= last and not is_blank(text[last]) and (end == stop or not is_closed(text[last])) \
            and cf_next_title_sign(text, p, last) == last:
        blanks = 0
    if blanks >= 0:  # most titles: no gap, and no end of a sentence inside
        size = stop - p - blanks
        while q < stop and not (word and (cjk or plain)):
            ch = text[q]
            q += 1
            if is_cjk(ch):
                word = True
                cjk += 1
            elif not word:
                word = (cf_class(ch) & ALNUM) != 0 and digit_value(ch) < 0
        if cjk:
            size = min(size, LONGEST_TITLE + 1)
        q = stop
    while q < stop:
        ch = text[q]
        q += 1
        if 0x4E00 <= ch <= 0x9FFF or 97 <= ch <= 122:  # most characters are of these
            word = True
            cjk += ch > 127
            size += 1
            if ch > 127 and size > LONGEST_TITLE:
                break
            continue
        if is_blank(ch):
            if size > 1 and word and not c.gapped \
                    and (ch == 9 or (q < end and shows_blank(ch) and shows_blank(text[q]))):
                c.gapped = True
                c.title_end = q - 1
                c.size = <int32_t>size
            continue
        if is_cjk(ch):
            cjk += 1
            word = True
        elif not word and (cf_class(ch) & ALNUM) and digit_value(ch) < 0:
            word = True
        elif (ch == 0x3002 or ch == 0xFF1B) and q < end:
            c.long = True
        size += 1
    c.latin = cjk == 0
    if not word or c.mark.hashes == 0 and p < end and _joins(text[p]):
        c.long = True  # figures, or signs; the rest of a sentence or formula
    if cjk and size > LONGEST_TITLE:
        c.long = True
    if c.gapped:  # a title with wide blanks inside, or a title and text?
        if not c.long and c.ending == END_OPEN and not c.full:
            c.gapped = False
        elif c.size > 24 and not (c.latin and c.size < 60) or is_closed(text[c.title_end - 1]) \
                or c.size > WIDEST_MARGIN and text[c.title_end - 1] == 0xFF1A or c.latin and c.mark.form == FORM_BOTH:
            c.gapped = False
            c.long = True
    if not c.gapped:
        c.title_end = end
        c.size = <int32_t>size
    c.hash = c.head = 0
    if c.size:
        hash_title(text, p, c.title_end, c)


cdef inline int64_t next_text(const Document& doc, int64_t i, int64_t blanks) noexcept nogil:
    """Index of the first line after `i` that is neither blank nor page furniture, over at most so many blank lines;
    else -1."""
    cdef int64_t n = <int64_t>doc.lines.size(), seen = 0
    cdef bint page = False
    i += 1
    while i < n:
        if doc.lines[i].role == R_BLANK:
            seen += 1
        elif doc.lines[i].role == R_FURNITURE:
            page = True
        else:
            return i if page or seen <= blanks else -1
        i += 1
    return -1


cdef inline bint paragraph_starts(const char_t* text, const Document& doc, int64_t i) noexcept nogil:
    """Whether a paragraph may start at line `i`: in wrapped text not where the line before is filled and not closed."""
    cdef int64_t j = i - 1
    cdef bint blank = False, page = False
    cdef uint8_t leader = False, tail = False
    if doc.wrap == 0:
        return True
    while j >= 0 and j > i - 40:
        if doc.lines[j].role == R_BLANK:
            blank = True
        elif doc.lines[j].role == R_FURNITURE:
            page = True
        else:
            break
        j -= 1
    if j < 0 or (blank and not page) or doc.lines[j].role != R_NONE:
        return True
    if not is_full(doc.lines[j], doc.wrap) or ending_of(text, doc.lines[j].first, doc.lines[j].end) != END_OPEN:
        return True
    if digit_value(text[doc.lines[j].end - 1]) < 0:
        return False
    without_leader(text, doc.lines[j].first, doc.lines[j].end, &leader, &tail)
    return leader  # the last entry of a contents list


cdef inline bint _goes_on(const char_t* text, const Document& doc, int64_t i, int32_t family) noexcept nogil:
    """In wrapped text: the next line is the rest of this one. It starts with the number of a note that stood above the
    line's end, or with an exponent, or both are filled to a width of their own, that of a narrow column, and the next
    is no sentence."""
    cdef LineMark mark
    cdef const Line* line
    cdef int64_t size = doc.lines[i].end - doc.lines[i].first, next_size
    if doc.wrap == 0 or i + 1 >= <int64_t>doc.lines.size() or doc.lines[i + 1].role != R_NONE:
        return False
    line = &doc.lines[i + 1]
    next_size = line.end - line.first
    if digit_value(text[line.first]) >= 0:
        if not read_mark(text, line.first, line.end, &mark):
            return True
        return mark.family == F_ARABIC and mark.form == FORM_BARE and mark.rest == mark.number_end \
                and mark.rest < line.end
    if size < 12 or not size - 2 <= next_size <= size + 2 or is_full(line[0], doc.wrap):
        return False
    return text[line.end - 1] != 0x3002 and (
        (family != F_HAN and family != F_HAN_PAREN) or ending_of(text, line.first, line.end) == END_OPEN)


cdef inline bint breaks_off(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The last word in [p, end) is one that ends no title: `unless`, `that`, `must` over the items of a list."""
    cdef const char* words = b"unless\0if\0that\0must\0may\0shall\0will\0when\0where\0is\0are\0be\0"
    cdef int64_t first = end, q
    while first > p and 97 <= text[first - 1] <= 122 and end - first < 8:
        first -= 1
    if first == p or text[first - 1] != 32:
        return False
    while words[0] != 0:
        q = first
        while words[0] != 0 and q < end and text[q] == <uint32_t>words[0]:
            words += 1
            q += 1
        if words[0] == 0 and q == end:
            return True
        while words[0] != 0:
            words += 1
        words += 1
    return False


cdef inline int64_t cell_title(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """End of the short title at the start of a cell, cut off from the text of the next column by one blank; `p` where
    there is none."""
    cdef int64_t q = p
    while q < end and q < p + WIDEST_MARGIN and is_cjk(text[q]):
        q += 1
    return q if 3 <= q - p and q + 1 < end and is_blank(text[q]) else p


cdef inline bint holds_clause(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A comma or the like stands in it, as in no title of a cell."""
    while p < end:
        if text[p] == 0xFF0C or text[p] == 0xFF1A or text[p] == 0x3002 or text[p] == 0xFF1B:
            return True
        p += 1
    return False


cdef inline void fill_candidate(const char_t* text, const Document& doc, int64_t i, Candidate* c) noexcept nogil:
    """Everything but the mark, for line `i`."""
    cdef int64_t end = doc.lines[i].end, q
    c.line = c.last = <int32_t>i
    c.full = is_full(doc.lines[i], doc.wrap)
    c.broken = _goes_on(text, doc, i, c.mark.family)
    c.gapped = c.known = c.plain = c.chapter = c.long = c.latin = False
    c.title = c.unit = False
    c.group = 0
    c.verdict = V_UNKNOWN
    c.hash = c.head = 0
    c.size = 0
    c.starts = paragraph_starts(text, doc, i)
    if c.mark.hashes and text[c.mark.start] == 61:
        while end > c.mark.rest and (text[end - 1] == 61 or text[end - 1] == 32):
            end -= 1
    elif c.mark.hashes:  # a closing run of `#`
        q = end
        while q > c.mark.rest and text[q - 1] == 35:
            q -= 1
        if q < end and q > c.mark.rest and is_blank(text[q - 1]):
            end = q
            while end > c.mark.rest and is_blank(text[end - 1]):
                end -= 1
    if c.mark.bold and end - c.mark.rest > 2 and (text[end - 1] == 42 or text[end - 1] == 95) \
            and text[end - 2] == text[end - 1]:
        end -= 2
    end = without_leader(text, c.mark.rest, end, &c.leader, &c.tail)
    c.alone = c.mark.rest >= end and c.mark.number_end > c.mark.number_start
    c.title_start = c.title_end = c.mark.rest
    c.ending = ending_of(text, c.mark.rest, end)
    if c.alone:
        c.ending = END_OPEN
    else:
        read_title(text, c.mark.rest, end, c)
        if c.latin and not c.long and c.size > 20 and doc.wrap == 0 and c.mark.hashes == 0:
            c.long = breaks_off(text, c.mark.rest, end)
        if doc.lines[i].marks & M_CELL and not c.gapped:
            c.long = c.long or holds_clause(text, c.title_start, c.title_end)
            q = cell_title(text, c.title_start, end)
            if (c.long or c.ending == END_CLOSED or c.size > 2 * WIDEST_MARGIN) and q > c.title_start:
                c.title_end = q
                c.size = <int32_t>(q - c.title_start)
                c.gapped = True
                c.long = False
                hash_title(text, c.title_start, q, c)


cdef inline bint is_titled(const Candidate& c) noexcept nogil:
    """The line is a title and nothing else, or a number alone."""
    return c.starts and c.ending == END_OPEN and not c.full and not c.long and (c.alone or not c.gapped)


cdef inline bint is_word_family(int32_t family) noexcept nogil:
    return F_BOOK <= family <= F_APPENDIX


cdef inline bint introduces(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """The words of a lead-in: 下列, 以下, 如下, 之一."""
    while p + 1 < end:
        if text[p + 1] == 0x5217 and text[p] == 0x4E0B or text[p + 1] == 0x4E0B \
                and (text[p] == 0x4EE5 or text[p] == 0x5982) \
                or text[p] == 0x4E4B and text[p + 1] == 0x4E00:
            return True
        p += 1
    return False
