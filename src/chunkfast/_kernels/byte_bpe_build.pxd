"""Building the model of byte-level BPE from a vocabulary and its merges."""
from libc.stdint cimport uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from chunkfast._kernels.byte_bpe cimport word_keys, word_place
from chunkfast._kernels.byte_merges cimport (
    ATOMIC, ATOMIC_IN_ZONE, ByteBPE, IDEOGRAPHIC, NEIGHBOUR_BITS, NEVER, NONE, Symbols, ZONES, ZONE_SHIFT, merge,
    neighbours_hash, rank_of, zone_of,
)
from chunkfast._kernels.known_words cimport Word
from chunkfast._kernels.names cimport Names
from chunkfast._kernels.text cimport int32_t, int64_t, uint8_t, uint32_t
from chunkfast._kernels.utf8 cimport encode_utf8
from chunkfast._kernels.vocabulary cimport Merges


cdef cppclass Spelling:
    """The bytes of each token, for the time of building."""
    vector[uint8_t] bytes
    vector[int64_t] first  # of each token; the last entry is the end
    vector[int32_t] length  # NONE: not a token of the model, or not made of bytes


cdef inline int byte_of(uint32_t c) noexcept nogil:
    """The byte that a character of the byte-level alphabet stands for, NONE for any other."""
    if 33 <= c <= 126 or 161 <= c <= 172 or 174 <= c <= 255:
        return c
    if 256 <= c <= 288:
        return c - 256  # 0 to 32
    if 289 <= c <= 322:
        return c - 289 + 127  # 127 to 160
    return 173 if c == 323 else NONE


cdef inline uint32_t letter_of(uint8_t byte) noexcept nogil:
    """The character of the byte-level alphabet that stands for a byte."""
    if byte_of(byte) != NONE:
        return byte
    return 256 + byte if byte <= 32 else 323 if byte == 173 else 289 + byte - 127


cdef inline void spell(Spelling& spelling, const Names& names) except + nogil:
    """The names are in the byte-level alphabet."""
    cdef int64_t i, k, count = names.first.size() - 1
    cdef int value
    cdef bint odd
    spelling.first = names.first
    spelling.length.resize(count)
    spelling.bytes.resize(names.text.size())
    for i in range(count):
        odd = names.first[i] == names.first[i + 1]
        for k in range(names.first[i], names.first[i + 1]):
            value = byte_of(names.text[k])
            odd = odd or value == NONE
            spelling.bytes[k] = value & 255
        spelling.length[i] = NONE if odd else <int32_t>(names.first[i + 1] - names.first[i])


cdef inline int lead_length(uint8_t byte) noexcept nogil:
    """Bytes of the character that starts with `byte`; 0 for a byte that starts none."""
    if byte < 0x80:
        return 1
    if byte < 0xC2:
        return 0
    return 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4 if byte < 0xF5 else 0


cdef inline void add_pair(ByteBPE& model, int32_t left, int32_t right, uint32_t rank) noexcept nogil:
    """A later merge of the same pair takes the place of an earlier one."""
    cdef uint64_t key = <uint64_t>left << 20 | <uint64_t>right
    cdef size_t mask = model.pairs.size() - 1
    cdef size_t i = (key * 0x9E3779B97F4A7C15U) >> model.shift
    while model.pairs[i] != 0xFFFFFFFFFFFFFFFFU and model.pairs[i] >> 24 != key:
        i = (i + 1) & mask
    model.pairs[i] = key << 24 | rank


cdef inline int set_merges(ByteBPE& model, const Spelling& spelling, const Merges& merges) except + nogil:
    """Fill the model but for its words; returns a byte that has no token, NONE where all is well."""
    cdef int64_t i, count = merges.ranks.size()
    cdef int32_t token_, bits = 1
    for i in range(256):
        model.byte_token[i] = NONE
    for token_ in range(<int32_t>spelling.length.size()):
        if spelling.length[token_] == 1:
            model.byte_token[spelling.bytes[spelling.first[token_]]] = token_
    for i in range(256):
        if model.byte_token[i] == NONE and (lead_length(i) or 0x80 <= i < 0xC0):
            return i
    while (1 << bits) < 2 * count:
        bits += 1
    model.shift = 64 - bits
    model.pairs.resize(1 << bits, 0xFFFFFFFFFFFFFFFFU)
    model.merged.resize(merges.ranks[count - 1] + 1 if count else 0, NONE)
    for i in range(count):
        model.merged[merges.ranks[i]] = merges.results[i]
        if spelling.length[merges.lefts[i]] != NONE and spelling.length[merges.rights[i]] != NONE:
            add_pair(model, merges.lefts[i], merges.rights[i], merges.ranks[i])
    set_characters(model, spelling, merges)
    return NONE


cdef cppclass Joins:
    """Least rank of the merges that join a token to others across an end of a character."""
    vector[uint32_t] any  # of each token, on either side
    vector[int32_t] fragment  # number of the token among those that start or end inside a character, or NONE
    vector[uint32_t] before  # of a fragment with what ends in a character of a zone [fragment * ZONES + zone]
    vector[uint32_t] after  # ... with what starts with one


cdef inline int64_t fragment_row(Joins& joins, int32_t t) except + nogil:
    if joins.fragment[t] == NONE:
        joins.fragment[t] = <int32_t>(joins.before.size() // ZONES)
        joins.before.resize(joins.before.size() + ZONES, NEVER)
        joins.after.resize(joins.after.size() + ZONES, NEVER)
    return <int64_t>joins.fragment[t] * ZONES


cdef inline void find_joins(Joins& joins, const Spelling& spelling, const Merges& merges) except + nogil:
    cdef int64_t i, row, k
    cdef int32_t left_token, right_token
    cdef uint32_t zone, rank
    cdef const uint8_t* left
    cdef const uint8_t* right
    joins.any.resize(spelling.length.size(), NEVER)
    joins.fragment.resize(spelling.length.size(), NONE)
    for i in range(<int64_t>merges.ranks.size() - 1, -1, -1):  # so that the least rank is written last
        left_token = merges.lefts[i]
        right_token = merges.rights[i]
        rank = merges.ranks[i]
        if spelling.length[left_token] == NONE or spelling.length[right_token] == NONE:
            continue
        right = spelling.bytes.data() + spelling.first[right_token]
        if lead_length(right[0]) == 0:
            continue
        joins.any[left_token] = joins.any[right_token] = rank
        left = spelling.bytes.data() + spelling.first[left_token]
        k = spelling.length[left_token] - 1
        while k >= 0 and lead_length(left[k]) == 0:
            k -= 1
        if k < 0:  # the end of a character alone
            joins.after[fragment_row(joins, left_token) + zone_of(right[0])] = rank
        if spelling.length[right_token] < lead_length(right[0]):  # the start of a character alone
            row = fragment_row(joins, right_token)
            for zone in range(ZONES):
                if k < 0 or zone == zone_of(left[k]):
                    joins.before[row + zone] = rank


cdef inline void set_characters(ByteBPE& model, const Spelling& spelling, const Merges& merges) except + nogil:
    """Find the atomic characters (see 2 above)."""
    cdef Joins joins
    cdef uint32_t c, rank, least, zone, own
    cdef int64_t highest, any_zone, own_zone  # ranks: of its merges; of joins of an unfinished end
    cdef uint8_t encoded[4]
    cdef int32_t part[4]
    cdef int length, i, at
    find_joins(joins, spelling, merges)
    model.characters.resize(0x10000)
    for c in range(0x10000):
        length = encode_utf8(c, encoded)
        own = zone_of(encoded[0])
        model.characters[c] = own << ZONE_SHIFT
        if 0xD800 <= c < 0xE000:
            continue
        for i in range(length):
            part[i] = model.byte_token[encoded[i]]
        highest = -1
        any_zone = own_zone = NEVER
        while length > 1:
            for zone in range(ZONES):
                rank = NEVER
                if joins.fragment[part[0]] != NONE:
                    rank = joins.before[<int64_t>joins.fragment[part[0]] * ZONES + zone]
                if joins.fragment[part[length - 1]] != NONE:
                    least = joins.after[<int64_t>joins.fragment[part[length - 1]] * ZONES + zone]
                    rank = min(rank, least)
                if rank < any_zone:
                    any_zone = rank
                if zone == own and rank < own_zone:
                    own_zone = rank
            least = NEVER
            at = 0
            for i in range(length - 1):
                rank = rank_of(model, part[i], part[i + 1])
                if rank < least:
                    least = rank
                    at = i
            if least == NEVER:
                break
            if least > highest:
                highest = least
            part[at] = model.merged[least]
            length -= 1
            for i in range(at + 1, length):
                part[i] = part[i + 1]
        if length == 1 and joins.any[part[0]] > highest:
            if any_zone > highest:
                model.characters[c] |= ATOMIC | part[0]
            elif own_zone > highest:
                model.characters[c] |= ATOMIC_IN_ZONE | part[0]


cdef inline void set_words(ByteBPE& model, const Spelling& spelling, bint ignore_merges) except + nogil:
    """Find the pre-tokens with keys that are one token: all of the vocabulary, or those that merging gives."""
    cdef int64_t t, n
    cdef int width
    cdef Word[2] word
    cdef Symbols scratch
    cdef vector[Word] found, found_long
    cdef const uint8_t* bytes_
    for t in range(<int64_t>spelling.length.size()):
        n = spelling.length[t]
        bytes_ = spelling.bytes.data() + spelling.first[t]
        width = word_keys(bytes_, 0, n, n, word) if n > 0 else 0
        if width and (ignore_merges or merges_whole(model, spelling, t, scratch)):
            if width == 1:
                found.push_back(word[0])
            else:
                found_long.push_back(word[0])
                found_long.push_back(word[1])
    model.word_shift = fill_words(model.words, found, 1)
    model.long_word_shift = fill_words(model.long_words, found_long, 2)


cdef inline int32_t fill_words(vector[Word]& table, const vector[Word]& found, int width) except + nogil:
    """Make a hash table, two thirds full at most, of words of `width` keys; returns its shift."""
    cdef int32_t bits = 4, shift
    cdef size_t i, k
    cdef Word* entry
    cdef Word free_entry
    while (<size_t>1 << bits) * 2 * width < found.size() * 3:
        bits += 1
    shift = 64 - bits
    free_entry.low = free_entry.high = 0
    table.resize((<size_t>1 << bits) * width, free_entry)
    for i in range(found.size() // width):
        entry = word_place(table, shift, &found[i * width], width)
        for k in range(<size_t>width):
            entry[k] = found[i * width + k]
    return shift


cdef inline void set_whole(ByteBPE& model, const Spelling& spelling) except + nogil:
    """Find the tokens that a model with `ignore_merges` gives a pre-token, but merging does not."""
    cdef int64_t t
    cdef Symbols scratch
    for t in range(<int64_t>spelling.length.size()):
        if spelling.length[t] > 1 and not merges_whole(model, spelling, t, scratch):
            model.whole.insert(string(<char*>spelling.bytes.data() + spelling.first[t], spelling.length[t]))
            model.longest_whole = max(model.longest_whole, <size_t>spelling.length[t])


cdef inline uint32_t read_character(const uint8_t* bytes_, int64_t n, int64_t* length) noexcept nogil:
    """The character of the basic plane that n > 0 bytes begin with; 0 for any other, and for what is none."""
    cdef int64_t size = lead_length(bytes_[0]), i
    cdef uint32_t c = bytes_[0] if size == 1 else bytes_[0] & (0xFF >> (size + 1))
    length[0] = max(<int64_t>1, size)
    if not 0 < size < 4 or size > n:
        return 0
    for i in range(1, size):
        c = c << 6 | (bytes_[i] & 63)
    return c


cdef inline void set_parts(ByteBPE& model, const Spelling& spelling) except + nogil:
    """Find the characters that stand side by side in tokens: pre-tokens are cut elsewhere (see 4)."""
    cdef const uint8_t* bytes_
    cdef int64_t t, i, n, length
    cdef uint32_t first, before, c, hash_
    model.has_whole_parts = False
    model.neighbours.assign(1 << (NEIGHBOUR_BITS - 6), 0)
    for t in range(<int64_t>spelling.length.size()):
        n = spelling.length[t]
        if n < 4:  # one character of those here, or less
            continue
        bytes_ = spelling.bytes.data() + spelling.first[t]
        first = before = read_character(bytes_, n, &length)
        i = length
        while i < n:
            c = read_character(bytes_ + i, n - i, &length)
            i += length
            if before >= IDEOGRAPHIC and c >= IDEOGRAPHIC:
                hash_ = neighbours_hash(before, c)
                model.neighbours[hash_ >> 6] |= <uint64_t>1 << (hash_ & 63)
            before = c
        if max(first, before) >= IDEOGRAPHIC and model.whole.count(string(<char*>bytes_, n)):
            model.has_whole_parts = True


cdef inline bint merges_whole(
    const ByteBPE& model, const Spelling& spelling, int64_t t, Symbols& scratch,
) except + nogil:
    """Whether merging the bytes of the token gives the token."""
    cdef int64_t i, n = spelling.length[t]
    if <int64_t>scratch.tokens.size() < n:
        scratch.tokens.resize(n)
    for i in range(n):
        scratch.tokens[i] = model.byte_token[spelling.bytes[spelling.first[t] + i]]
        if scratch.tokens[i] == NONE:
            return False
    scratch.size = n
    return merge(model, scratch) == 1
