"""Extended grapheme clusters (UAX 29): where a text may be cut at all."""
from chunkfast._kernels.text cimport (
    EXT_PICT, GCB_MASK, INCB_MASK, cf_class, char_t, int64_t, uint16_t, uint32_t,
)

cdef enum:  # values of Grapheme_Cluster_Break in cf_class, and of Indic_Conjunct_Break
    G_OTHER = 0
    G_CR = 1
    G_LF = 2
    G_CONTROL = 3
    G_EXTEND = 4
    G_ZWJ = 5
    G_RI = 6
    G_PREPEND = 7
    G_SPACING = 8
    G_L = 9
    G_V = 10
    G_T = 11
    G_LV = 12
    G_LVT = 13
    INCB_CONSONANT = 1 << 5
    INCB_EXTEND = 2 << 5
    INCB_LINKER = 3 << 5


cdef inline bint _always_breaks(uint32_t a, uint32_t b) noexcept nogil:
    """A break between the two whatever stands before them, for the frequent cases alone."""
    if b < 0x300:
        return not (b == 10 and a == 13) and b != 0xAD and b != 0xA9 and b != 0xAE and (a < 0x600 or is_plain(a))
    return (0x2E80 <= b <= 0xA66E) and not (0x302A <= b <= 0x302F) and not (0x3099 <= b <= 0x309A) and b != 0x3030 \
        and b != 0x303D and b != 0x3297 and b != 0x3299 and (a < 0x600 or is_plain(a))


cdef inline bint is_plain(uint32_t c) noexcept nogil:
    return (cf_class(c) & (GCB_MASK | EXT_PICT | INCB_MASK)) == 0


cdef inline bint is_mark(uint32_t c) noexcept nogil:
    """Never the first of a cluster behind white space or punctuation."""
    cdef int kind
    if c < 0x300:
        return False
    kind = cf_class(c) & GCB_MASK
    return kind == G_EXTEND or kind == G_ZWJ or kind == G_SPACING


cdef inline int64_t next_grapheme(const char_t* text, int64_t n, int64_t p) noexcept nogil:
    """End of the cluster that starts at `p` (0 <= p < n); `p` must be a boundary."""
    cdef uint16_t a = cf_class(text[p]), b
    cdef int left = a & GCB_MASK, right
    cdef bint pict = (a & EXT_PICT) != 0  # ExtPict Extend* so far
    cdef bint joined = False  # ... followed by ZWJ
    cdef bint linked = (a & INCB_MASK) == INCB_LINKER  # GB9c; the consonant before the linker is not asked for
    cdef bint odd_ri = left == G_RI
    p += 1
    while p < n:
        b = cf_class(text[p])
        right = b & GCB_MASK
        if left == G_CR:
            if right != G_LF:
                return p
        elif left == G_LF or left == G_CONTROL or right == G_CR or right == G_LF or right == G_CONTROL:
            return p
        elif left == G_L and (right == G_L or right == G_V or right == G_LV or right == G_LVT):
            pass
        elif (left == G_LV or left == G_V) and (right == G_V or right == G_T):
            pass
        elif (left == G_LVT or left == G_T) and right == G_T:
            pass
        elif right == G_EXTEND or right == G_ZWJ or right == G_SPACING or left == G_PREPEND:
            pass
        elif joined and b & EXT_PICT:
            pass
        elif linked and (b & INCB_MASK) == INCB_CONSONANT:
            pass
        elif odd_ri and right == G_RI:
            pass
        else:
            return p
        odd_ri = right == G_RI and not (odd_ri and left == G_RI)
        joined = pict and right == G_ZWJ
        pict = (b & EXT_PICT) != 0 or (pict and right == G_EXTEND)
        linked = (b & INCB_MASK) == INCB_LINKER or (linked and (b & INCB_MASK) == INCB_EXTEND)
        left = right
        p += 1
    return n


cdef inline int64_t grapheme_floor(const char_t* text, int64_t n, int64_t start, int64_t p) noexcept nogil:
    """The last boundary in [start, p], where `start` is one. Cost: the distance to a place that breaks without
    context."""
    cdef int64_t q = p, after
    if p >= n:
        return n
    while q > start and not _always_breaks(text[q - 1], text[q]):
        q -= 1
    while q < p:
        after = next_grapheme(text, n, q)
        if after > p:
            break
        q = after
    return q


cdef inline int64_t grapheme_ceil(const char_t* text, int64_t n, int64_t start, int64_t p) noexcept nogil:
    """The first boundary at or after `p`, where `start` <= p is one."""
    cdef int64_t q = grapheme_floor(text, n, start, p)
    return q if q == p or q >= n else next_grapheme(text, n, q)
