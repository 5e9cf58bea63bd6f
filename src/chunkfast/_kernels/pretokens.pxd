"""Pre-tokens: the pieces into which a split pattern cuts a text, each of which is encoded alone.

The pattern comes as the automaton of `chunkfast.patterns`: from the start state, each character leads through the
table to the next state, until none is left; the match ends at the last place where it could.

Where cutting is safe. Let s0 < s1 < ... be the places where the automaton was started and `seen(s)` the furthest
character it looked at from s (its end, where it ran into the end). Boundaries are places where it is started. A
boundary p is safe where seen(s) < p for all s < p but the last of them, s', whose match ends at p.
- The right part: the automaton starts at p in both, and has no memory: the pieces of text[p:] are those after p.
- The left part: from every s before s' nothing changes, for p was never looked at. From s' the automaton arrives at
  p in the same state. In the whole text a match could end there, on seeing the character at p or the end of a piece.
  An entry that lets a match end before some character lets it end before the end of the text too, as the only
  condition that patterns may set on the next character, `(?!\\S)`, holds there; so the match ends at p in both.
- Safe cuts a < b of one text: for text[a:] the places of start after a are the same, so b is safe in text[a:] as
  well, and the pieces of text[a:b] are those between. A stretch that no match covers is a piece as well, but
  automata started inside it look past its end: such ends are safe only by the same rule.
"""
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef extern from "letters.h" nogil:
    int64_t cf_letters_end[T](const T* text, int64_t i, int64_t n, uint32_t fold) noexcept

cdef extern from "category_tables.h" nogil:
    const uint16_t CF_CATEGORY_BLOCKS
    const uint16_t CF_CATEGORY_BLOCK_OF[4352]
    const uint8_t CF_CATEGORY_OF[]

cdef extern from "automaton.h" nogil:
    enum:
        START "CF_START"
        STATE "CF_STATE"
        ACCEPT "CF_ACCEPT"
        LOOP_LOWER "CF_LOOP_LOWER"
        LOOP_UPPER "CF_LOOP_UPPER"
        LOOP_IDEOGRAPH "CF_LOOP_IDEOGRAPH"

cdef enum:
    END = 0  # class of the end of the text


cdef cppclass Pattern:
    vector[uint16_t] block_of  # block of each 256 code points; block 0 is theirs that come first
    vector[uint8_t] classes  # class of each character of a block
    vector[uint8_t] table  # [state * 64 + class]
    vector[uint8_t] ascii  # the same by character: [state * 128 + character]
    uint8_t kinds[64]
    uint8_t loops[128]  # of each state: LOOP_ flags of characters that lead back to it and may follow a match


cdef inline uint8_t class_of(const Pattern& pattern, char_t c) noexcept nogil:
    if char_t is uint8_t:
        return pattern.classes[c]
    elif c < 256:
        return pattern.classes[c]
    else:
        return pattern.classes[(<uint32_t>pattern.block_of[c >> 8] << 8) | (c & 255)]


cdef inline int64_t match_end(
    const Pattern& pattern, const char_t* text, int64_t p, int64_t end, int64_t* seen,
) noexcept nogil:
    """End of the match that starts at `p` < `end`, `p` where there is none; raises `seen` to the last index read."""
    cdef int64_t i = p, last = p, fresh
    cdef uint32_t state = START
    cdef uint8_t entry, loop
    cdef const uint8_t* table = pattern.table.data()
    cdef const uint8_t* ascii = pattern.ascii.data()
    while True:
        if i >= end:
            entry = table[state << 6 | END]
        elif text[i] < 128:
            entry = ascii[state << 7 | text[i]]
        else:
            entry = table[state << 6 | class_of(pattern, text[i])]
        if entry & ACCEPT:
            last = i
        state = entry & STATE
        if state == 0:
            break
        i += 1
        loop = pattern.loops[state]
        if loop:  # through letters that only go round in this state, where a match may end before each of them
            fresh = i
            if loop & LOOP_LOWER:
                i = cf_letters_end(text, i, end, loop & LOOP_UPPER)
            if char_t is not uint8_t and loop & LOOP_IDEOGRAPH:
                while i < end and 0x4E00 <= text[i] < 0xA000:
                    i += 1
            if i > fresh:
                last = i - 1
    seen[0] = max(seen[0], i)
    return last


cdef inline int64_t gap_end(
    const Pattern& pattern, const char_t* text, int64_t p, int64_t end, int64_t* seen,
) noexcept nogil:
    """End of the stretch from `p`, where no match starts, up to the next match, change of kind or `end`."""
    cdef uint8_t kind = pattern.kinds[class_of(pattern, text[p])]
    p += 1
    while p < end and pattern.kinds[class_of(pattern, text[p])] == kind and match_end(pattern, text, p, end, seen) == p:
        p += 1
    return p


cdef inline bint is_nfc(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Whether NFC surely leaves the text and each part of it alone: no character that it changes, moves or joins."""
    cdef int64_t p
    cdef uint32_t c
    for p in range(start, end):
        c = text[p]
        if c < 0x300 or 0x4E00 <= c <= 0x9FFF:
            continue
        if CF_CATEGORY_OF[(CF_CATEGORY_BLOCK_OF[c >> 8] << 8) + (c & 255)] & 128:
            return False
    return True


cdef inline bint set_pattern(
    Pattern& pattern, const int32_t* segments, int64_t count, const uint8_t* cell_class,
) except + nogil:
    """Fill the class tables from the segments of an `Automaton`; False where a character has no class (class 0)."""
    cdef vector[int32_t] shared  # block of a category block in a segment, or -1
    cdef int64_t block, segment = 0, c, key
    cdef uint8_t* out
    shared.resize(count * CF_CATEGORY_BLOCKS, -1)
    pattern.block_of.resize(4352)
    for block in range(4352):
        while segment + 1 < count and segments[segment + 1] <= block << 8:
            segment += 1
        key = -1
        if segment + 1 == count or segments[segment + 1] >= (block + 1) << 8:  # whole block inside one segment
            key = segment * CF_CATEGORY_BLOCKS + CF_CATEGORY_BLOCK_OF[block]
            if shared[key] >= 0:
                pattern.block_of[block] = shared[key]
                continue
        pattern.block_of[block] = pattern.classes.size() >> 8
        if key >= 0:
            shared[key] = pattern.block_of[block]
        pattern.classes.resize(pattern.classes.size() + 256)
        out = pattern.classes.data() + pattern.classes.size() - 256
        for c in range(256):
            while segment + 1 < count and segments[segment + 1] <= (block << 8) + c:
                segment += 1
            out[c] = cell_class[segment * 128 + (CF_CATEGORY_OF[(CF_CATEGORY_BLOCK_OF[block] << 8) + c] & 127)]
            if out[c] == 0:
                return False
    set_ascii(pattern)
    set_loops(pattern)
    return True


cdef inline void set_ascii(Pattern& pattern) except + nogil:
    cdef size_t state, c
    pattern.ascii.resize(2 * pattern.table.size())
    for state in range(pattern.table.size() >> 6):
        for c in range(128):
            pattern.ascii[state << 7 | c] = pattern.table[state << 6 | pattern.classes[c]]


cdef inline void set_loops(Pattern& pattern) noexcept nogil:
    cdef uint32_t state
    for state in range(128):
        pattern.loops[state] = 0
    for state in range(1, <uint32_t>(pattern.table.size() >> 6)):
        if is_loop(pattern, state, 97, 123):
            pattern.loops[state] |= LOOP_LOWER
            if is_loop(pattern, state, 65, 91):
                pattern.loops[state] |= LOOP_UPPER
        if is_loop(pattern, state, 0x4E00, 0xA000):
            pattern.loops[state] |= LOOP_IDEOGRAPH


cdef inline bint is_loop(const Pattern& pattern, uint32_t state, uint32_t low, uint32_t high) noexcept nogil:
    cdef uint32_t c
    for c in range(low, high):
        if pattern.table[state << 6 | class_of(pattern, c)] != state | ACCEPT:
            return False
    return True
