"""A vocabulary by name: the tokens that merges are made of are looked up while a model is built."""
from libc.stdint cimport uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint32_t

cdef enum:
    UNNAMED = -1


cdef cppclass Names:
    vector[uint32_t] text  # code points of all names, in a row
    vector[int64_t] first  # of each name; the last entry is the end
    vector[uint32_t] table  # hash table: number of a name, plus one
    int32_t shift


cdef inline uint64_t _mixed(uint64_t hash_, const uint32_t* text, int64_t n) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        hash_ = (hash_ ^ text[i]) * 0x9E3779B97F4A7C15U
        hash_ ^= hash_ >> 29
    return hash_


cdef inline void read_texts(
    Names& names, const char_t* text, const int32_t* lengths, int64_t count,
) except + nogil:
    """`text` holds `count` texts in a row."""
    cdef int64_t i, total = 0
    names.first.resize(count + 1)
    for i in range(count):
        names.first[i] = total
        total += lengths[i]
    names.first[count] = total
    names.text.resize(total)
    for i in range(total):
        names.text[i] = text[i]


cdef inline void index_names(Names& names) except + nogil:
    """Make them findable. They are all different."""
    cdef int64_t i, count = names.first.size() - 1
    cdef int32_t bits = 4
    cdef size_t at
    while (1 << bits) < 2 * count:
        bits += 1
    names.shift = 64 - bits
    names.table.assign(<size_t>1 << bits, 0)
    for i in range(count):
        at = _mixed(0, names.text.data() + names.first[i], names.first[i + 1] - names.first[i]) >> names.shift
        while names.table[at]:
            at = (at + 1) & (names.table.size() - 1)
        names.table[at] = <uint32_t>(i + 1)


cdef inline int32_t find_name(
    const Names& names, const uint32_t* left, int64_t n, const uint32_t* right, int64_t m,
) noexcept nogil:
    """Number of the name made of both texts, UNNAMED where there is none."""
    cdef size_t at = _mixed(_mixed(0, left, n), right, m) >> names.shift
    cdef const uint32_t* name
    cdef int64_t i
    while names.table[at]:
        i = names.table[at] - 1
        name = names.text.data() + names.first[i]
        if names.first[i + 1] - names.first[i] == n + m and memcmp(name, left, 4 * n) == 0 \
                and memcmp(name + n, right, 4 * m) == 0:
            return <int32_t>i
        at = (at + 1) & (names.table.size() - 1)
    return UNNAMED


cdef inline int64_t find_merges(
    const Names& names, const Names& parts, vector[int32_t]& lefts, vector[int32_t]& rights, vector[int32_t]& results,
) except + nogil:
    """Find what each merge, two `parts` in a row, joins, and to what. Returns one of unknown tokens, else UNNAMED."""
    cdef int64_t i, merges = (parts.first.size() - 1) // 2, n, m
    cdef const uint32_t* text
    lefts.resize(merges)
    rights.resize(merges)
    results.resize(merges)
    for i in range(merges):
        text = parts.text.data() + parts.first[2 * i]
        n = parts.first[2 * i + 1] - parts.first[2 * i]
        m = parts.first[2 * i + 2] - parts.first[2 * i + 1]
        lefts[i] = find_name(names, text, n, text, 0)
        rights[i] = find_name(names, text + n, m, text, 0)
        results[i] = find_name(names, text, n, text + n, m)
        if lefts[i] < 0 or rights[i] < 0 or results[i] < 0:
            return i
    return UNNAMED
