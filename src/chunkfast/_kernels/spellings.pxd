"""The tokens of a vocabulary as symbols: what tries are built from."""
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from chunkfast._kernels.names cimport Names
from chunkfast._kernels.text cimport int64_t, uint32_t, uint64_t

cdef enum:
    CODE_POINTS = 0x110000
    SYMBOL_BITS = 21


cdef cppclass Spellings:
    vector[uint32_t] symbol_of  # of code points: 1, 2, ..., the most frequent one first; 0: no token has it
    uint32_t alphabet  # number of symbols, 0 among them
    vector[uint32_t] symbols  # of the tokens, in an order that keeps common prefixes together, the shorter one first
    vector[int64_t] ends  # token k is symbols[ends[k - 1] : ends[k]]
    vector[int64_t] order  # which of the names that is

cdef struct Letter:
    uint32_t point
    uint32_t count

cdef cppclass Spelled:
    uint64_t head  # its first three symbols
    const uint32_t* first
    const uint32_t* end
    int64_t index


cdef inline bint _is_more_frequent(const Letter& a, const Letter& b) noexcept nogil:
    return a.count > b.count or (a.count == b.count and a.point < b.point)


cdef inline bint _is_before(const Spelled& a, const Spelled& b) noexcept nogil:
    cdef const uint32_t* x = a.first
    cdef const uint32_t* y = b.first
    if a.head != b.head:
        return a.head < b.head
    while x < a.end and y < b.end:
        if x[0] != y[0]:
            return x[0] < y[0]
        x += 1
        y += 1
    return y < b.end


cdef inline void number_letters(Spellings& out, const Names& names) except + nogil:
    """Give each character of the names a symbol."""
    cdef vector[Letter] letters
    cdef Letter letter
    cdef uint32_t point
    cdef size_t i
    out.symbol_of.assign(<size_t>CODE_POINTS, 0)
    for i in range(names.text.size()):  # for the time being, numbered as they come
        point = names.text[i]
        if out.symbol_of[point] == 0:
            letter.point = point
            letter.count = 0
            letters.push_back(letter)
            out.symbol_of[point] = <uint32_t>letters.size()
        letters[out.symbol_of[point] - 1].count += 1
    sort(letters.begin(), letters.end(), _is_more_frequent)
    for i in range(letters.size()):
        out.symbol_of[letters[i].point] = <uint32_t>(i + 1)
    out.alphabet = <uint32_t>(letters.size() + 1)


cdef inline void spell(Spellings& out, const Names& names, const vector[int64_t]& chosen) except + nogil:
    """Write the chosen names, all different, none of them empty, as symbols, in their order."""
    cdef vector[uint32_t] written
    cdef vector[Spelled] tokens
    cdef Spelled token
    cdef int64_t j, length, total = 0
    cdef size_t i
    for i in range(chosen.size()):
        total += names.first[chosen[i] + 1] - names.first[chosen[i]]
    written.reserve(total)
    tokens.reserve(chosen.size())
    for i in range(chosen.size()):
        token.index = chosen[i]
        token.first = written.data() + written.size()
        length = names.first[token.index + 1] - names.first[token.index]
        for j in range(length):
            written.push_back(out.symbol_of[names.text[names.first[token.index] + j]])
        token.end = token.first + length
        token.head = 0
        for j in range(3):
            token.head = token.head << SYMBOL_BITS | (token.first[j] if j < length else 0)
        tokens.push_back(token)
    sort(tokens.begin(), tokens.end(), _is_before)
    out.symbols.reserve(total)
    out.ends.reserve(tokens.size())
    out.order.reserve(tokens.size())
    for i in range(tokens.size()):
        out.symbols.insert(out.symbols.end(), tokens[i].first, tokens[i].end)
        out.ends.push_back(<int64_t>out.symbols.size())
        out.order.push_back(tokens[i].index)


cdef inline void read_spellings(Spellings& out, const Names& names) except + nogil:
    """All names, but for an empty one."""
    cdef vector[int64_t] chosen
    cdef int64_t i
    number_letters(out, names)
    for i in range(<int64_t>names.first.size() - 1):
        if names.first[i + 1] > names.first[i]:
            chosen.push_back(i)
    spell(out, names, chosen)
