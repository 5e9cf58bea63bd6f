"""A vocabulary by name: the tokens that merges are made of are looked up while a model is built."""
from libc.stdint cimport uint64_t
from libcpp.algorithm cimport equal
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


cdef inline bint is_name(
    const Names& names, int64_t i, const uint32_t* left, int64_t n, const uint32_t* right, int64_t m,
) noexcept nogil:
    """Whether name i is made of both texts."""
    cdef const uint32_t* name = names.text.data() + names.first[i]
    return names.first[i + 1] - names.first[i] == n + m and equal(left, left + n, name) \
        and equal(right, right + m, name + n)


cdef inline bint index_names(Names& names) except + nogil:
    """Make them findable; False where two are alike."""
    cdef int64_t i, n, count = names.first.size() - 1
    cdef const uint32_t* text
    cdef int32_t bits = 4
    cdef size_t at
    while (1 << bits) < 2 * count:
        bits += 1
    names.shift = 64 - bits
    names.table.assign(<size_t>1 << bits, 0)
    for i in range(count):
        text = names.text.data() + names.first[i]
        n = names.first[i + 1] - names.first[i]
        at = _mixed(0, text, n) >> names.shift
        while names.table[at]:
            if is_name(names, names.table[at] - 1, text, n, text, 0):
                return False
            at = (at + 1) & (names.table.size() - 1)
        names.table[at] = <uint32_t>(i + 1)
    return True


cdef inline int32_t find_name(
    const Names& names, const uint32_t* left, int64_t n, const uint32_t* right, int64_t m,
) noexcept nogil:
    """Number of the name made of both texts, UNNAMED where there is none."""
    cdef size_t at = _mixed(_mixed(0, left, n), right, m) >> names.shift
    while names.table[at]:
        if is_name(names, names.table[at] - 1, left, n, right, m):
            return <int32_t>(names.table[at] - 1)
        at = (at + 1) & (names.table.size() - 1)
    return UNNAMED
