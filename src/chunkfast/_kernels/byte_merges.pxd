"""Byte-level BPE, its merges: the tokens of a pre-token are what is left when, as long as any neighbours can be merged,
those of the least rank are, the leftmost first.

What makes it fast, and why it is exact. Call the tokens of a text t1 ... tn *valid* where merging the bytes of each
two neighbours ti ti+1 alone gives just ti ti+1.

1. Merging a text gives t1 ... tn if and only if they are valid. Every step takes the least (rank, place) of all
   pairs. While no step has joined two of the stretches t1 ... tn, what happens inside ti ti+1 is, in its order, what
   happens to them alone: steps elsewhere only come in between. So the first step that joins two stretches would join
   them alone as well.
2. A character is *atomic*, and may be taken as one symbol from the start, where alone it becomes one token by steps
   of ranks up to R, and every merge is of a higher rank that joins its unfinished left end to something before it,
   its unfinished right end to something after it, or that token to anything. For as long as it is unfinished a step
   of rank <= R waits inside it, so that no such merge takes place; and steps elsewhere that come before one of its
   own are of ranks below R, so that they would also come before the merges that it takes part in had it been whole
   from the start. It is enough to ask this of neighbours that can occur: in its zone, those whose characters are of
   the same zone.
3. A long pre-token is merged in windows. If merging text[a:w] gives a token that starts at b and merging text[b:v]
   gives that same token first, then the tokens of text[a:v] are those of text[a:w] before b and those of text[b:v]:
   each two neighbours stand side by side in one of the two, where they are valid. So memory is that of a window, and
   time linear.
4. Two characters that are symbols from the start, and stand side by side in no token, end up in different ones: what
   joined them would be a token with both. Nor does anything on one side of that place matter on the other. So a
   pre-token is cut there, into parts that are mostly words, or single characters, and come again and again. (One that
   is a token without being merged, by `ignore_merges`, has no such place inside; but a part that is spelled as such a
   token is merged all the same.)
"""
from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from chunkfast._kernels.added_tokens cimport AddedTokens
from chunkfast._kernels.counting cimport Tally, token
from chunkfast._kernels.known_words cimport Word, WordPool
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from chunkfast._kernels.utf8 cimport encode_utf8

cdef enum:
    NONE = -1  # no token
    MAX_TOKENS = 1 << 20
    MAX_MERGES = (1 << 24) - 2
    WINDOW = 256  # symbols; a longer pre-token is merged in windows
    NEVER = (1 << 24) - 1  # rank of a pair that does not merge
    ZONES = 11
    ZONE_SHIFT = 20  # of an entry of `characters`
    ATOMIC = 1 << 24
    ATOMIC_IN_ZONE = 1 << 25  # atomic where the characters on both sides are of its zone
    LINEAR = 24  # up to so many symbols the least rank is found by looking at all
    IDEOGRAPHIC = 0x2E80  # scripts without spaces from here on: pre-tokens are cut into parts between such characters
    NEIGHBOUR_BITS = 19


cdef cppclass ByteBPE:
    vector[uint64_t] pairs  # hash table of merges: left << 44 | right << 24 | rank
    int32_t shift
    vector[int32_t] merged  # token made by the merge of a rank
    int32_t byte_token[256]
    vector[uint32_t] characters  # of the basic plane: token | zone << ZONE_SHIFT | ATOMIC, ATOMIC_IN_ZONE
    vector[Word] words  # hash table of pre-tokens of up to 14 ASCII characters that are one token
    vector[Word] long_words  # of up to 28 characters, two keys each
    int32_t word_shift
    int32_t long_word_shift
    WordPool known  # pre-tokens that were met, and the characters where their tokens start
    unordered_set[string] whole  # further pre-tokens that are one token though merging does not give it
    size_t longest_whole
    bint has_whole_parts  # whether a part may be spelled as one of those
    vector[uint64_t] neighbours  # set of pairs of characters that stand side by side in a token: a bit for each hash
    AddedTokens added[2]  # those matched in the text as it is, and those matched in normalised text


cdef cppclass Symbols:
    """Scratch of one call: the symbols of a window."""
    vector[int32_t] tokens
    vector[int32_t] places  # code point of each, relative to the start of the pre-token
    vector[uint8_t] heads  # whether it starts a character
    vector[int32_t] following  # linked list of those that are left
    vector[int32_t] before
    vector[uint32_t] ranks
    vector[uint64_t] tree
    int64_t size
    int64_t end  # text position after the window


cdef inline uint32_t rank_of(const ByteBPE& model, int32_t left, int32_t right) noexcept nogil:
    cdef uint64_t key = <uint64_t>left << 20 | <uint64_t>right, entry
    cdef size_t mask = model.pairs.size() - 1
    cdef size_t i = (key * 0x9E3779B97F4A7C15U) >> model.shift
    while True:
        entry = model.pairs[i]
        if entry >> 24 == key:
            return entry & 0xFFFFFF
        if entry == 0xFFFFFFFFFFFFFFFFU:
            return NEVER
        i = (i + 1) & mask


cdef inline int64_t count_few(const ByteBPE& model, int32_t* tokens, int64_t n) noexcept nogil:
    """Number of tokens that merging up to LINEAR symbols leaves; overwrites them."""
    cdef uint32_t ranks[LINEAR]
    cdef uint32_t least
    cdef int64_t i, at
    for i in range(n - 1):
        ranks[i] = rank_of(model, tokens[i], tokens[i + 1])
    while n > 1:
        least = NEVER
        at = 0
        for i in range(n - 1):
            if ranks[i] < least:
                least = ranks[i]
                at = i
        if least == NEVER:
            break
        tokens[at] = model.merged[least]
        n -= 1
        for i in range(at + 1, n):
            tokens[i] = tokens[i + 1]
        for i in range(at, n - 1):
            ranks[i] = ranks[i + 1]
        if at:
            ranks[at - 1] = rank_of(model, tokens[at - 1], tokens[at])
        if at < n - 1:
            ranks[at] = rank_of(model, tokens[at], tokens[at + 1])
    return n


cdef inline int64_t merge(const ByteBPE& model, Symbols& s) except + nogil:
    """Merge the symbols of the window; afterwards `following` links those that are left. Returns their number."""
    if s.size <= LINEAR:
        return merge_few(model, s)
    return merge_many(model, s)


cdef inline void link(const ByteBPE& model, Symbols& s) except + nogil:
    cdef int64_t i, n = s.size
    if <int64_t>s.ranks.size() < n:
        s.ranks.resize(n)
        s.following.resize(n)
        s.before.resize(n)
    for i in range(n):
        s.following[i] = i + 1
        s.before[i] = i - 1
        s.ranks[i] = rank_of(model, s.tokens[i], s.tokens[i + 1]) if i + 1 < n else NEVER


cdef inline int64_t merge_few(const ByteBPE& model, Symbols& s) except + nogil:
    cdef int64_t i, at, n = s.size, left = s.size
    cdef uint32_t least
    link(model, s)
    while True:
        least = NEVER
        at = 0
        for i in range(n):
            if s.ranks[i] < least:
                least = s.ranks[i]
                at = i
        if least == NEVER:
            return left
        join(model, s, at)
        left -= 1


cdef inline void join(const ByteBPE& model, Symbols& s, int64_t at) noexcept nogil:
    """Merge symbol `at` with the one after it, and find the ranks of the new pairs."""
    cdef int64_t right = s.following[at], after = s.following[right], left = s.before[at]
    s.tokens[at] = model.merged[s.ranks[at]]
    s.ranks[right] = NEVER
    s.following[at] = after
    if after < s.size:
        s.before[after] = at
        s.ranks[at] = rank_of(model, s.tokens[at], s.tokens[after])
    else:
        s.ranks[at] = NEVER
    if left >= 0:
        s.ranks[left] = rank_of(model, s.tokens[left], s.tokens[at])


cdef inline int64_t merge_many(const ByteBPE& model, Symbols& s) except + nogil:
    """As `merge_few`, the least pair found at the root of a tree of minima."""
    cdef int64_t i, at, right, left = s.size, leaves = 1
    link(model, s)
    while leaves < s.size:
        leaves <<= 1
    if <int64_t>s.tree.size() < 2 * leaves:
        s.tree.resize(2 * leaves)
    for i in range(leaves):
        s.tree[leaves + i] = (<uint64_t>s.ranks[i] << 32 | <uint64_t>i) if i < s.size else 0xFFFFFFFFFFFFFFFFU
    for i in range(leaves - 1, 0, -1):
        s.tree[i] = min(s.tree[2 * i], s.tree[2 * i + 1])
    while s.tree[1] >> 32 != NEVER:
        at = s.tree[1] & 0xFFFFFFFFU
        right = s.following[at]
        join(model, s, at)
        raise_leaf(s, leaves, right)
        raise_leaf(s, leaves, at)
        if s.before[at] >= 0:
            raise_leaf(s, leaves, s.before[at])
        left -= 1
    return left


cdef inline void raise_leaf(Symbols& s, int64_t leaves, int64_t i) noexcept nogil:
    cdef int64_t node = leaves + i
    s.tree[node] = <uint64_t>s.ranks[i] << 32 | <uint64_t>i
    node >>= 1
    while node:
        s.tree[node] = min(s.tree[2 * node], s.tree[2 * node + 1])
        node >>= 1


cdef inline uint32_t zone_of(uint8_t lead) noexcept nogil:
    """Group of characters, by the first byte, that stand together in texts."""
    if lead < 0x80:
        return 0
    if lead < 0xE0:
        return 1 if lead < 0xD0 else 2 if lead < 0xD5 else 3 if lead < 0xD8 else 4
    if lead < 0xE3:
        return 5 + lead - 0xE0
    if lead <= 0xE9 or lead == 0xEF:
        return 8  # Chinese, Japanese, full-width forms
    return 9 if lead < 0xEF else 10


cdef inline uint32_t character_of(const ByteBPE& model, uint32_t c) noexcept nogil:
    return model.characters[c] if c < 0x10000 else zone_of(0xF0) << ZONE_SHIFT


cdef inline uint32_t neighbours_hash(uint32_t left, uint32_t right) noexcept nogil:
    return ((left << 16 | right) * <uint32_t>0x9E3779B1) >> (32 - NEIGHBOUR_BITS)


cdef inline bint may_join(const ByteBPE& model, uint32_t left, uint32_t right) noexcept nogil:
    """Whether a token may hold both characters, of the basic plane, side by side."""
    cdef uint32_t hash_ = neighbours_hash(left, right)
    return model.neighbours[hash_ >> 6] >> (hash_ & 63) & 1


cdef inline bint is_symbol(
    const ByteBPE& model, const char_t* text, int64_t i, int64_t start, int64_t end,
) noexcept nogil:
    """Whether text[i] in the pre-token text[start:end) is one symbol from the start, as `fill` has it."""
    cdef uint32_t entry = character_of(model, text[i]), zone = entry >> ZONE_SHIFT & 15
    if entry & ATOMIC:
        return True
    return entry & ATOMIC_IN_ZONE != 0 \
        and (i == start or (character_of(model, text[i - 1]) >> ZONE_SHIFT & 15) == zone) \
        and (i + 1 == end or (character_of(model, text[i + 1]) >> ZONE_SHIFT & 15) == zone)


cdef inline int64_t part_end(
    const ByteBPE& model, const char_t* text, int64_t p, int64_t start, int64_t end,
) noexcept nogil:
    """The first place after `p` where the pre-token text[start:end) may be cut (see 4), `end` if there is none."""
    cdef int64_t i
    for i in range(p + 1, end):
        if text[i - 1] >= IDEOGRAPHIC and text[i] >= IDEOGRAPHIC and not may_join(model, text[i - 1], text[i]) \
                and is_symbol(model, text, i - 1, start, end) and is_symbol(model, text, i, start, end):
            return i
    return end


cdef inline void fill(
    const ByteBPE& model, Symbols& s, const char_t* text, int64_t start, int64_t end, int64_t limit, int64_t origin,
) except + nogil:
    """Symbols of text[start:end), whole characters, until there are `limit` or more; places count from `origin`."""
    cdef int64_t p, n = 0
    cdef uint32_t entry, after = character_of(model, text[start])
    cdef uint32_t zone = after >> ZONE_SHIFT & 15, before  # zones of this character and the one before
    cdef uint8_t encoded[4]
    cdef int i, length
    for p in range(start, end):
        if n >= limit:
            break
        if <int64_t>s.tokens.size() < n + 4:
            s.tokens.resize(2 * n + 64)
            s.places.resize(2 * n + 64)
            s.heads.resize(2 * n + 64)
        entry = after
        before = zone
        zone = entry >> ZONE_SHIFT & 15
        if p + 1 < end:
            after = character_of(model, text[p + 1])
        s.places[n] = p - origin
        s.heads[n] = True
        if entry & ATOMIC or (entry & ATOMIC_IN_ZONE and before == zone and (after >> ZONE_SHIFT & 15) == zone):
            s.tokens[n] = entry & (MAX_TOKENS - 1)
            n += 1
        else:
            length = encode_utf8(text[p], encoded)
            for i in range(length):
                s.tokens[n] = model.byte_token[encoded[i]]
                s.places[n] = p - origin
                s.heads[n] = i == 0
                n += 1
    else:
        p = end
    s.size = n
    s.end = p


cdef inline void tell(Symbols& s, int64_t until, int64_t origin, Tally* tally) except + nogil:
    """Tell the tokens whose first symbol is before `until`."""
    cdef int64_t i = 0
    while i < until:
        token(tally, origin + s.places[i])
        i = s.following[i]


cdef inline int64_t restart(const Symbols& s) noexcept nogil:
    """Symbol of the last token in the first three quarters of the window of whole characters; 0: only the first."""
    cdef int64_t i = 0, best = 0
    while i < s.size * 3 // 4:
        if s.heads[i] and s.heads[s.following[i]]:
            best = i
        i = s.following[i]
    return best


cdef inline bint ends_alike(const Symbols& a, int64_t i, const Symbols& b, int64_t j) noexcept nogil:
    """Whether the tokens before symbols i and j, neither of them the end of its window, end at the same character."""
    return i < a.size and j < b.size and a.heads[i] and b.heads[j] and a.places[i] == b.places[j]


cdef inline void tell_long(
    const ByteBPE& model, Symbols* first, Symbols* second, const char_t* text, int64_t start, int64_t end, Tally* tally,
) except + nogil:
    """Tell the tokens of a pre-token, window by window (see 3 above)."""
    cdef int64_t limit = WINDOW, cut, begin = start
    cdef Symbols* spare
    fill(model, first[0], text, begin, end, limit, start)
    merge(model, first[0])
    while first.end < end:
        cut = restart(first[0])
        if cut:
            fill(model, second[0], text, start + first.places[cut], end, limit, start)
            merge(model, second[0])
            if ends_alike(first[0], first.following[cut], second[0], second.following[0]):
                tell(first[0], cut, start, tally)
                begin = start + first.places[cut]
                spare = first
                first = second
                second = spare
                continue
        limit *= 2
        fill(model, first[0], text, begin, end, limit, start)
        merge(model, first[0])
    tell(first[0], first.size, start, tally)
