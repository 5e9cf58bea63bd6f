"""Added tokens: strings that the encoder cuts out of a text before it splits the rest.

They are matched from left to right, the longest one at the first place where any starts. Special tokens are matched
too, but then count as the text they are (`encode_special_tokens`): they only keep others from being matched inside
them.

Where cutting is safe: a cut that is not strictly inside a match, counted or not. The left part has the same matches,
for each ends before the cut; the right part as well, for the search for the next match starts anew behind each one,
and between two it finds what it would find from any place between them.
"""
from cython.operator cimport dereference
from libc.stdint cimport uint64_t
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint32_t

cdef enum Added:
    ADDED_NONE = 0
    ADDED_COUNTED
    ADDED_SKIPPED  # a special token


cdef cppclass AddedTokens:
    unordered_map[uint64_t, int32_t] children  # of the tree of characters: node << 21 | character
    vector[uint8_t] kinds  # Added of each node
    uint8_t starts[256]  # whether a token starts with a character of these low bits
    bint counts  # whether there is a token to cut out at all


cdef inline void add_token(AddedTokens& added, const vector[uint32_t]& text, bint counted) except + nogil:
    cdef int64_t i
    cdef int32_t node = 0
    cdef uint64_t key
    if added.kinds.empty():
        added.kinds.push_back(ADDED_NONE)
        for i in range(256):
            added.starts[i] = False
    added.starts[text[0] & 255] = True
    for i in range(<int64_t>text.size()):
        key = <uint64_t>node << 21 | <uint64_t>text[i]
        if added.children.count(key) == 0:
            added.children[key] = <int32_t>added.kinds.size()
            added.kinds.push_back(ADDED_NONE)
        node = added.children[key]
    added.kinds[node] = ADDED_COUNTED if counted else ADDED_SKIPPED
    added.counts = added.counts or counted


cdef inline uint8_t next_added(
    AddedTokens& added, const char_t* text, int64_t start, int64_t end, int64_t* first, int64_t* last,
) except + nogil:
    """Kind of the next match in text[start:end), which is then [first, last); ADDED_NONE where there is none."""
    cdef int64_t p = start, i
    cdef int32_t node
    cdef uint8_t kind = ADDED_NONE
    cdef unordered_map[uint64_t, int32_t].iterator found
    while p < end:
        if added.starts[text[p] & 255]:
            node = 0
            i = p
            while i < end:
                found = added.children.find(<uint64_t>node << 21 | <uint64_t>text[i])
                if found == added.children.end():
                    break
                node = dereference(found).second
                i += 1
                if added.kinds[node]:
                    kind = added.kinds[node]
                    last[0] = i
            if kind:
                first[0] = p
                return kind
        p += 1
    return ADDED_NONE
