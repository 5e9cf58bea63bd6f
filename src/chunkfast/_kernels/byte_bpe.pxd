"""Byte-level BPE: the tokens of a pre-token are what is left when, as long as any neighbours can be merged, those of the least
rank are, the leftmost first.

What makes it fast, and why it is exact. Call the tokens of a text t1 ... tn *valid* where merging the bytes of each two
neighbours ti ti+1 alone gives just ti ti+1.

1. Merging a text gives t1 ... tn if and only if they are valid. Every step takes the least (rank, place) of all pairs. While
   no step has joined two of the stretches t1 ... tn, what happens inside ti ti+1 is, in its order, what happens to them alone:
   steps elsewhere only come in between. So the first step that joins two stretches would join them alone as well.
2. A character may be taken as one symbol from the start, not byte by byte, where alone it becomes one token by steps of ranks
   up to R, and no merge of a lower rank joins its unfinished left end to something before or its unfinished right end to
   something after it (`atomic`). For by the same argument, as long as it is unfinished it has a step of rank <= R waiting,
   which comes first.
3. A long pre-token is merged in windows. If merging text[a:w] gives a token that starts at b and merging text[b:v] gives that
   same token first, then the tokens of text[a:v] are those of text[a:w] before b and those of text[b:v]: each two neighbours
   stand side by side in one of the two, where they are valid. So memory is that of a window, and time linear.
"""
from libc.stdint cimport INT32_MAX, uint64_t
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.pretokens cimport Pattern, gap_end, match_end
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef enum:
    NONE = -1  # no token
    MAX_TOKENS = 1 << 20
    MAX_MERGES = (1 << 24) - 2
    WINDOW = 256  # symbols; a longer pre-token is merged in windows
    NEVER = (1 << 24) - 1  # rank of a pair that does not merge
    LINEAR = 24  # up to so many symbols the least rank is found by looking at all


cdef cppclass ByteBPE:
    vector[uint64_t] pairs  # hash table of merges: left << 44 | right << 24 | rank
    int32_t shift
    vector[int32_t] merged  # token made by the merge of a rank
    int32_t byte_token[256]
    vector[int32_t] char_token  # token of each atomic character of the basic plane, else NONE
    vector[uint64_t] words  # hash table of short ASCII pre-tokens that are one token, two words each
    int32_t word_shift
    unordered_set[string] whole  # further pre-tokens that are one token though merging does not give it
    size_t longest_whole


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


cdef inline void add_pair(ByteBPE& model, int32_t left, int32_t right, uint32_t rank) noexcept nogil:
    """A later merge of the same pair takes the place of an earlier one."""
    cdef uint64_t key = <uint64_t>left << 20 | <uint64_t>right
    cdef size_t mask = model.pairs.size() - 1
    cdef size_t i = (key * 0x9E3779B97F4A7C15U) >> model.shift
    while model.pairs[i] != 0xFFFFFFFFFFFFFFFFU and model.pairs[i] >> 24 != key:
        i = (i + 1) & mask
    model.pairs[i] = key << 24 | rank


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
    cdef int64_t i, at, right, n = s.size, left = s.size
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


cdef inline int encode_utf8(uint32_t c, uint8_t* out) noexcept nogil:
    if c < 0x80:
        out[0] = c
        return 1
    if c < 0x800:
        out[0] = 0xC0 | c >> 6
        out[1] = 0x80 | (c & 63)
        return 2
    if c < 0x10000:
        out[0] = 0xE0 | c >> 12
        out[1] = 0x80 | (c >> 6 & 63)
        out[2] = 0x80 | (c & 63)
        return 3
    out[0] = 0xF0 | c >> 18
    out[1] = 0x80 | (c >> 12 & 63)
    out[2] = 0x80 | (c >> 6 & 63)
    out[3] = 0x80 | (c & 63)
    return 4


cdef inline void fill(
    const ByteBPE& model, Symbols& s, const char_t* text, int64_t start, int64_t end, int64_t limit, int64_t origin,
) except + nogil:
    """Symbols of text[start:end), whole characters, until there are `limit` or more; places count from `origin`."""
    cdef int64_t p = start, n = 0
    cdef int32_t known
    cdef uint32_t c
    cdef uint8_t encoded[4]
    cdef int i, length
    s.size = 0
    while p < end and n < limit:
        if <int64_t>s.tokens.size() < n + 4:
            s.tokens.resize(2 * n + 64)
            s.places.resize(2 * n + 64)
            s.heads.resize(2 * n + 64)
        c = text[p]
        known = model.char_token[c] if c < 0x10000 else NONE
        if known != NONE:
            s.tokens[n] = known
            s.places[n] = p - origin
            s.heads[n] = True
            n += 1
        else:
            length = encode_utf8(c, encoded)
            for i in range(length):
                s.tokens[n] = model.byte_token[encoded[i]]
                s.places[n] = p - origin
                s.heads[n] = i == 0
                n += 1
        p += 1
    s.size = n
    s.end = p


cdef inline void tell(Symbols& s, int64_t until, int64_t origin, Tally* tally) except + nogil:
    """Tell the tokens whose first symbol is before `until`."""
    cdef int64_t i = 0
    while i < until:
        token(tally, origin + s.places[i])
        i = s.following[i]


cdef inline int64_t restart(const Symbols& s) noexcept nogil:
    """Symbol of the last token that starts a character in the first three quarters of the window; 0 where none but the first."""
    cdef int64_t i = 0, best = 0
    while i < s.size * 3 // 4:
        if s.heads[i]:
            best = i
        i = s.following[i]
    return best


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
            if second.following[0] == first.following[cut] - cut:
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


cdef inline bint is_whole(const ByteBPE& model, const char_t* text, int64_t start, int64_t end) except + nogil:
    cdef string encoded
    cdef uint8_t bytes_[4]
    cdef int64_t p
    if model.whole.empty() or <size_t>(end - start) > model.longest_whole:
        return False
    for p in range(start, end):
        encoded.append(<char*>bytes_, encode_utf8(text[p], bytes_))
    return model.whole.count(encoded) != 0


cdef inline void tell_pretoken(
    const ByteBPE& model, Symbols* scratch, const char_t* text, int64_t start, int64_t end, Tally* tally,
) except + nogil:
    if is_whole(model, text, start, end):
        token(tally, start)
        return
    fill(model, scratch[0], text, start, end, WINDOW, start)
    if scratch.end < end:
        tell_long(model, scratch, scratch + 1, text, start, end, tally)
    elif wants_tokens(tally, end):
        merge(model, scratch[0])
        tell(scratch[0], scratch.size, start, tally)
    else:
        tally.total += merge(model, scratch[0])


cdef inline void scan_piece(
    const ByteBPE& model, const Pattern& pattern, const char_t* text, int64_t start, int64_t end, Tally* tally,
) except + nogil:
    """Tell the tokens of text[start:end), which holds no added token."""
    cdef Symbols scratch[2]
    cdef int64_t p = start, q, seen = -1, earlier
    while p < end:
        earlier = seen
        q = match_end(pattern, text, p, end, &seen)
        if q == p:
            q = gap_end(pattern, text, p, end, &seen)
            earlier = seen if q - p > 1 else earlier
        tell_pretoken(model, scratch, text, p, q, tally)
        boundary(tally, q, earlier < q)
        p = q


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


cdef inline void spell(
    Spelling& spelling, const char_t* text, const int32_t* lengths, const int32_t* ids, int64_t count, int64_t size,
) except + nogil:
    """`text` holds the spelling of `count` tokens in the byte-level alphabet, one behind the other; ids are below `size`."""
    cdef int64_t i, k, p = 0
    cdef vector[int64_t] at
    cdef int value
    cdef bint odd
    at.resize(size, -1)
    spelling.length.resize(size, NONE)
    for i in range(count):
        at[ids[i]] = p
        spelling.length[ids[i]] = lengths[i]
        p += lengths[i]
    spelling.first.resize(size + 1)
    spelling.bytes.reserve(p)
    for i in range(size):
        spelling.first[i] = spelling.bytes.size()
        odd = spelling.length[i] == 0
        for k in range(spelling.length[i]):
            value = byte_of(text[at[i] + k])
            odd = odd or value == NONE
            spelling.bytes.push_back(value & 255)
        if odd:
            spelling.length[i] = NONE
    spelling.first[size] = spelling.bytes.size()


cdef inline int lead_length(uint8_t byte) noexcept nogil:
    """Bytes of the character that starts with `byte`; 0 for a byte that starts none."""
    if byte < 0x80:
        return 1
    if byte < 0xC2:
        return 0
    return 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4 if byte < 0xF5 else 0


cdef inline int set_merges(
    ByteBPE& model, const Spelling& spelling, const int32_t* lefts, const int32_t* rights, const int32_t* results,
    int64_t count,
) except + nogil:
    """Fill the model but for its words; returns a byte that has no token, NONE where all is well."""
    cdef int64_t i
    cdef int32_t token_, bits = 1
    cdef vector[uint32_t] joins_left, joins_right
    cdef const uint8_t* left
    cdef const uint8_t* right
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
    model.merged.assign(results, results + count)
    # Least rank that joins the token to something before it, and to something after it, across an end of a character.
    joins_left.resize(spelling.length.size(), NEVER)
    joins_right.resize(spelling.length.size(), NEVER)
    for i in range(count):
        if spelling.length[lefts[i]] == NONE or spelling.length[rights[i]] == NONE:
            continue
        add_pair(model, lefts[i], rights[i], i)
        right = spelling.bytes.data() + spelling.first[rights[i]]
        if lead_length(right[0]):
            joins_left[rights[i]] = min(joins_left[rights[i]], <uint32_t>i)
            joins_right[lefts[i]] = min(joins_right[lefts[i]], <uint32_t>i)
    set_characters(model, joins_left, joins_right)
    return NONE


cdef inline void set_characters(
    ByteBPE& model, const vector[uint32_t]& joins_left, const vector[uint32_t]& joins_right,
) except + nogil:
    """Find the atomic characters (see 2 above)."""
    cdef uint32_t c, rank, least, highest
    cdef uint32_t outside  # least rank that joins an unfinished end to a neighbour
    cdef uint8_t encoded[4]
    cdef int32_t part[4]
    cdef int length, i, at
    model.char_token.resize(0x10000, NONE)
    for c in range(0x10000):
        if 0xD800 <= c < 0xE000:
            continue
        length = encode_utf8(c, encoded)
        for i in range(length):
            part[i] = model.byte_token[encoded[i]]
        highest = 0
        outside = NEVER
        while length > 1:
            rank = joins_left[part[0]]  # not nested min() of vector entries: Cython 3.3 miscompiles that
            outside = min(outside, rank)
            rank = joins_right[part[length - 1]]
            outside = min(outside, rank)
            least = NEVER
            at = 0
            for i in range(length - 1):
                rank = rank_of(model, part[i], part[i + 1])
                if rank < least:
                    least = rank
                    at = i
            if least == NEVER:
                break
            highest = max(highest, least)
            part[at] = model.merged[least]
            length -= 1
            for i in range(at + 1, length):
                part[i] = part[i + 1]
        if length == 1 and outside > highest:
            model.char_token[c] = part[0]


cdef inline void set_whole(ByteBPE& model, const Spelling& spelling) except + nogil:
    """Find the tokens that a model with `ignore_merges` gives a pre-token, but merging does not."""
    cdef int64_t t
    cdef Symbols scratch
    for t in range(<int64_t>spelling.length.size()):
        if spelling.length[t] > 1 and not merges_whole(model, spelling, t, scratch):
            model.whole.insert(string(<char*>spelling.bytes.data() + spelling.first[t], spelling.length[t]))
            model.longest_whole = max(model.longest_whole, <size_t>spelling.length[t])


cdef inline bint merges_whole(const ByteBPE& model, const Spelling& spelling, int64_t t, Symbols& scratch) except + nogil:
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
