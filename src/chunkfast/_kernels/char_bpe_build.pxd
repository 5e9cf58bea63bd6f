"""Building the model of BPE over characters from a vocabulary and its merges."""
from libcpp.vector cimport vector

from chunkfast._kernels.char_bpe cimport BYTES, FEW, NO_RANK, CharBPE, Merge, Symbol, merge_few, merge_many, mix
from chunkfast._kernels.charsmap cimport utf8_length
from chunkfast._kernels.double_array cimport build_trie
from chunkfast._kernels.names cimport Names
from chunkfast._kernels.spellings cimport CODE_POINTS, Spellings, spell
from chunkfast._kernels.text cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from chunkfast._kernels.vocabulary cimport Merges

cdef enum:
    SPACE = 32
    METASPACE = 0x2581
    BYTE_NAME = 6  # characters of <0x00>


cdef inline void add_joint(CharBPE* model, uint32_t left, uint32_t right) noexcept nogil:
    """Into a table with room."""
    cdef uint64_t mask = model.joints.size() - 1, key = <uint64_t>left << 32 | right, slot = mix(key) & mask
    while model.joints[slot] != key:
        if model.joints[slot] == 0:
            model.joints[slot] = key
            return
        slot = slot + 1 & mask


cdef inline void add_merge(
    CharBPE* model, uint32_t left, uint32_t right, uint32_t rank, uint32_t result,
) noexcept nogil:
    """Into a table with room; of two merges of one pair the last holds."""
    cdef uint64_t mask = model.merges.size() - 1, key = <uint64_t>left << 32 | right, slot = mix(key) & mask
    while model.merges[slot].pair != key and model.merges[slot].pair != ~<uint64_t>0:
        slot = slot + 1 & mask
    model.merges[slot].pair = key
    model.merges[slot].rank = rank
    model.merges[slot].result = result


cdef inline bint becomes_one(
    const CharBPE* model, const uint32_t* spelling, int64_t n, vector[Symbol]& piece,
) except + nogil:
    """Whether these symbols, alone, are merged into one token."""
    cdef Symbol symbol
    cdef int64_t i
    piece.clear()
    symbol.at = symbol.next = symbol.previous = 0
    symbol.rank = NO_RANK
    for i in range(n):
        symbol.id = model.token_of[spelling[i]]
        piece.push_back(symbol)
    return (merge_few(model, piece.data(), n) if n <= FEW else merge_many(model, piece.data(), n)) == 1


cdef inline bint is_byte_name(const uint32_t* name, int64_t n) noexcept nogil:
    """Whether it is <0x00> to <0xFF>."""
    cdef int64_t i
    if n != BYTE_NAME or name[0] != 60 or name[1] != 48 or name[2] != 120 or name[5] != 62:
        return False
    for i in range(3, 5):
        if not (48 <= name[i] < 58 or 65 <= name[i] < 71):
            return False
    return True


cdef inline bint build_char_bpe(CharBPE* model, const Names& names, const Merges& merges) except + nogil:
    """Fill the model.

    False where the metaspace is no token, or a merge is of the token of a byte: bytes of characters without a token
    stand alone.
    """
    cdef Spellings spellings
    cdef vector[uint32_t] kept, cell_of
    cdef vector[int64_t] kept_ends, chosen
    cdef vector[Symbol] piece
    cdef vector[uint8_t] seen
    cdef Merge free
    cdef const uint32_t* text = names.text.data()
    cdef uint32_t left, right, c
    cdef int32_t a, b
    cdef int64_t i, j, begin, name, count = names.first.size() - 1, size = 16
    cdef bint known
    # Symbols of the characters that have a token, in the order of the vocabulary, which begins with frequent ones.
    model.entries.assign(<size_t>CODE_POINTS, 0)
    model.token_of.assign(1, 0)
    for i in range(count):
        if names.first[i + 1] - names.first[i] == 1:
            model.entries[text[names.first[i]]] = <uint32_t>model.token_of.size()
            model.token_of.push_back(<uint32_t>i)
    model.metaspace = model.entries[METASPACE]
    if model.metaspace == 0:
        return False
    # Merges, and the characters that they join
    while size < 2 * <int64_t>merges.ranks.size():
        size *= 2
    free.pair = ~<uint64_t>0
    free.rank = free.result = 0
    model.merges.assign(size, free)
    model.joints.assign(size, 0)  # no more joints than merges
    for i in range(<int64_t>merges.ranks.size()):
        a = merges.lefts[i]
        b = merges.rights[i]
        if is_byte_name(text + names.first[a], names.first[a + 1] - names.first[a]) \
                or is_byte_name(text + names.first[b], names.first[b + 1] - names.first[b]):
            return False
        add_merge(model, a, b, merges.ranks[i], merges.results[i])
        if names.first[a] < names.first[a + 1] and names.first[b] < names.first[b + 1]:
            left = model.entries[text[names.first[a + 1] - 1]]
            right = model.entries[text[names.first[b]]]
            if left and right:
                add_joint(model, left, right)
    # Tokens that merging gives
    seen.assign(count, 0)
    for i in range(<int64_t>merges.results.size()):
        name = merges.results[i]
        known = not seen[name] and names.first[name] < names.first[name + 1]
        seen[name] = True
        for j in range(names.first[name], names.first[name + 1]):
            known = known and model.entries[text[j]] != 0
        if known:
            chosen.push_back(name)
    spellings.symbol_of = model.entries
    spell(spellings, names, chosen)
    for i in range(<int64_t>spellings.ends.size()):
        begin = spellings.ends[i - 1] if i else 0
        if becomes_one(model, &spellings.symbols[begin], spellings.ends[i] - begin, piece):
            kept.insert(kept.end(), spellings.symbols.begin() + begin, spellings.symbols.begin() + spellings.ends[i])
            kept_ends.push_back(<int64_t>kept.size())
    build_trie(kept, kept_ends, <uint32_t>model.token_of.size(), model.trie, cell_of)
    for c in range(CODE_POINTS):
        if model.entries[c] == 0:
            model.entries[c] = BYTES + <uint32_t>utf8_length(c)
    model.entries[SPACE] = model.metaspace
    return True
