"""Lead-ins: whether a paragraph introduces what comes after it, and the sentence of it that does."""
from chunkfast._kernels.paragraphs cimport before_closers, is_closer
from chunkfast._kernels.text cimport ALNUM, UPPER, cf_class, char_t, int64_t, is_blank, is_cjk, uint32_t

cdef extern from "skip.h" nogil:
    int64_t cf_next_cue_sign[T](const T* text, int64_t i, int64_t n) noexcept

cdef enum:
    MAX_LEAD = 4096  # code points; a longer sentence introduces nothing
    LABEL = 60  # longest paragraph without a closing mark that is taken for a title of the items below it


cdef inline bint _cue_at(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """下列 以下 如下 之一 包括; following, as follows."""
    cdef uint32_t c = text[p], d
    cdef const char* word = b"follow"
    cdef int i
    if p + 1 >= end:
        return False
    d = text[p + 1]
    if c >= 0x4E00:
        if d == 0x4E0B:  # 下
            # `10%以下`, `十八周岁以下` are amounts, `以下简称` and the like name something
            return c == 0x5982 or (c == 0x4EE5 and not (p > 0 and _measures(text[p - 1]))
                                   and not (p + 2 < end and _names(text[p + 2])))
        return (c == 0x4E0B and d == 0x5217) or (c == 0x4E4B and d == 0x4E00) or (c == 0x5305 and d == 0x62EC)
    if c == 102 or c == 70:
        if p + 6 > end:
            return False
        for i in range(1, 6):
            if text[p + i] != <uint32_t>word[i]:
                return False
        return p + 6 == end or text[p + 6] == 105 or text[p + 6] == 115 or not (97 <= text[p + 6] <= 122)
    return False


cdef inline bint _measures(uint32_t c) noexcept nogil:
    """The last character of an amount: 10%, 5年, 三十天, 十八岁, 1000元, 三人, 两个."""
    return 48 <= c <= 57 or c == 37 or c == 0xFF05 or c == 0x5E74 or c == 0x5C81 or c == 0x5143 or c == 0x4EBA \
        or c == 0x500D or c == 0x7EA7 or c == 0x5929 or c == 0x65E5 or c == 0x6708 or c == 0x4E2A


cdef inline bint _names(uint32_t c) noexcept nogil:
    """简 称 统 均 同 合 含 after 以下."""
    return c == 0x7B80 or c == 0x79F0 or c == 0x7EDF or c == 0x5747 or c == 0x540C or c == 0x5408 or c == 0x542B


cdef inline bint has_cue(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    cdef int64_t p = cf_next_cue_sign(text, start, end)
    while p < end:
        if _cue_at(text, p, end):
            return True
        p = cf_next_cue_sign(text, p + 1, end)
    return False


cdef inline bint ends_in_colon(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """The text ends in a colon or dash, `“` and the like after it allowed."""
    cdef uint32_t c = text[before_closers(text, start, end)]
    return c == 0xFF1A or c == 58 or c == 0x2014 or c == 0x2013


cdef inline int64_t before_tags(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """The end of what stands before HTML tags at the end of [start, end), `end` where there are none."""
    cdef int64_t p
    while end > start and text[end - 1] == 62:
        p = end - 1
        while p > start and text[p] != 60 and end - p < 60:
            p -= 1
        if text[p] != 60:
            return end
        end = p
        while end > start and is_blank(text[end - 1]):
            end -= 1
    return end


cdef inline int64_t last_sentence(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Start of the last sentence of [start, end), `start` < `end`."""
    cdef int64_t p = before_closers(text, start, end), q
    cdef uint32_t c
    while p > start:
        p -= 1
        c = text[p]
        if 97 <= c <= 122 or 0x4E00 <= c <= 0x9FFF:  # most characters are of these
            continue
        if c == 62 and p - start > 2 and before_tags(text, start, p + 1) <= p:  # a table cell
            q = p + 1
            while q < end and is_blank(text[q]):
                q += 1
            return q
        if c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 46 or c == 33 or c == 63:
            q = p + 1
            while q < end and is_closer(text[q]) and c > 128:
                q += 1
            if c < 128 and (q >= end or not is_blank(text[q])):
                continue
            while q < end and is_blank(text[q]):
                q += 1
            if q >= end or (c < 128 and not (cf_class(text[q]) & UPPER) and not is_cjk(text[q])):
                continue
            if c == 46 and p - start >= 1 and (cf_class(text[p - 1]) & UPPER or 48 <= text[p - 1] <= 57):
                continue  # an initial, a number
            return q
    return start


cdef inline bint find_lead(
    const char_t* text, int64_t start, int64_t end, bint strict, int64_t* lead, int64_t* lead_end,
) noexcept nogil:
    """Whether the paragraph [start, end) introduces items that come after it; sets the span of the sentence that does.

    `strict` asks for a colon or a word that says so, else a short title of the items will do.
    """
    cdef int64_t p, q
    cdef uint32_t c
    cdef bint cut = end - start > MAX_LEAD, colon, cue
    lead[0] = lead_end[0] = end
    if cut:
        start = end - MAX_LEAD
    end = before_tags(text, start, end)
    if end == start:
        return False
    colon = ends_in_colon(text, start, end)
    cue = has_cue(text, start, end)
    if strict and not colon and not cue:
        return False
    p = last_sentence(text, start, end)
    if cut and p == start:
        return False
    if cue:
        q = end - 1
        while q > p and text[q] != 0xFF1B and text[q] != 59:
            q -= 1
        if q > p and q < end - 1 and has_cue(text, q, end):  # of two clauses the one with the cue
            p = q + 1
            while p < end and is_blank(text[p]):
                p += 1
    lead[0] = p
    lead_end[0] = end
    if colon or (cue and has_cue(text, p, end)):
        return True
    c = text[before_closers(text, start, end)]
    if strict or c == 0x3002 or c == 46 or c == 33 or c == 63 or c == 0xFF01 or c == 0xFF1F or c == 0x2026 \
            or c == 0xFF1B:
        return False
    return c == 59 or (end - p <= LABEL and _may_title(text, p, end))


cdef inline bint _may_title(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Starts like text, and is no row of cells."""
    cdef int64_t p
    cdef uint32_t c = text[start]
    for p in range(start, end):
        if text[p] == 9 or text[p] == 124:
            return False
    return is_cjk(c) or (cf_class(c) & ALNUM) != 0 or c == 0x201C or c == 0x300A or c == 40 or c == 0xFF08 or c == 42


cdef inline bint introduces(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Whether the text [start, end) ends in a sentence that introduces what comes after it."""
    cdef int64_t lead = 0, lead_end = 0
    return find_lead(text, start, end, True, &lead, &lead_end)


cdef inline bint is_label(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """The text starts with a few words and a colon: `男性：……`"""
    cdef int64_t p
    for p in range(start + 1, min(end, start + 12)):
        if text[p] == 0xFF1A or text[p] == 58:
            return p + 1 < end
    return False
