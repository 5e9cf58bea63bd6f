"""A vocabulary with its merges: tokens in the order of their ids, and pairs of them."""
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from chunkfast._kernels.blake2b cimport Blake2b, begin_hash, finish_hash, take_bytes, take_word
from chunkfast._kernels.json cimport (
    COLON, COMMA, NOWHERE, QUOTE, find_member, past_blanks, past_mark, read_number, read_string,
)
from chunkfast._kernels.names cimport Names, UNNAMED, find_name, index_names
from chunkfast._kernels.text cimport int32_t, int64_t, uint8_t, uint32_t


cdef cppclass Merges:  # in the order of their ranks; tokens by number
    vector[int32_t] lefts
    vector[int32_t] rights
    vector[int32_t] results
    vector[uint32_t] ranks


cdef inline bint find_model(const uint8_t* text, int64_t n, int64_t* places) noexcept nogil:
    """Find the vocabulary and the merges of a tokenizer.json: start and end of each, NOWHERE for none.

    False where it is not understood.
    """
    cdef int64_t first, last
    return find_member(text, 0, n, b"model", &first, &last) and first != NOWHERE \
        and find_member(text, first, last, b"vocab", places, places + 1) \
        and find_member(text, first, last, b"merges", places + 2, places + 3)


cdef inline bint read_tokens(
    const uint8_t* text, int64_t p, int64_t n, Names& names, vector[int64_t]& ids,
) except + nogil:
    """Read the object of tokens and ids that starts at `p` into `names`, which has none; False where it is no such."""
    cdef int64_t number
    p = past_mark(text, p, n, 123)
    while 0 <= p < n and text[p] == QUOTE:
        p = past_mark(text, read_string(text, p, n, names.text), n, COLON)
        p = read_number(text, p, n, &number)
        if p == NOWHERE:
            return False
        names.first.push_back(<int64_t>names.text.size())
        ids.push_back(number)
        p = past_blanks(text, p, n)
        if p < n and text[p] == 125:
            break
        p = past_mark(text, p, n, COMMA)
    return 0 <= p < n and text[p] == 125


cdef inline void order_names(Names& names, vector[int64_t]& ids) except + nogil:
    """By id, as most files have them."""
    cdef vector[pair[int64_t, int64_t]] order
    cdef Names ordered
    cdef size_t i
    cdef int64_t k
    cdef bint ascending = True
    for i in range(1, ids.size()):
        ascending = ascending and ids[i - 1] <= ids[i]
    if ascending:
        return
    for i in range(ids.size()):
        order.push_back(pair[int64_t, int64_t](ids[i], i))
    sort(order.begin(), order.end())
    ordered.text.reserve(names.text.size())
    for i in range(order.size()):
        ids[i] = order[i].first
        k = order[i].second
        ordered.first.push_back(<int64_t>ordered.text.size())
        ordered.text.insert(ordered.text.end(), names.text.begin() + names.first[k],
                            names.text.begin() + names.first[k + 1])
    ordered.first.push_back(<int64_t>ordered.text.size())
    names.text.swap(ordered.text)
    names.first.swap(ordered.first)


cdef inline bint add_merge(
    Merges& merges, const Names& names, const uint32_t* left, int64_t n, const uint32_t* right, int64_t m,
) except + nogil:
    """False where a token of it is not known."""
    cdef int32_t joined = find_name(names, left, n, right, m)
    merges.ranks.push_back(<uint32_t>merges.ranks.size())
    merges.lefts.push_back(find_name(names, left, n, right, 0))
    merges.rights.push_back(find_name(names, left, 0, right, m))
    merges.results.push_back(joined)
    return joined != UNNAMED and merges.lefts.back() != UNNAMED and merges.rights.back() != UNNAMED


cdef inline int64_t space_of(const vector[uint32_t]& text) noexcept nogil:
    """The only space of a merge that is one string; NOWHERE where there are none or two, or the encoder skips it."""
    cdef const char* skipped = b"#version"
    cdef int64_t i, found = NOWHERE
    for i in range(<int64_t>text.size()):
        if text[i] == 32:
            if found != NOWHERE:
                return NOWHERE
            found = i
    i = 0
    while i < 8 and i < <int64_t>text.size() and text[i] == <uint32_t>skipped[i]:
        i += 1
    return NOWHERE if i == 8 else found


cdef inline bint read_merges(
    const uint8_t* text, int64_t p, int64_t n, const Names& names, Merges& merges,
) except + nogil:
    """Read the array of merges that starts at `p`, each of two strings or one with a space between the two.

    False where it is anything else, or names unknown tokens.
    """
    cdef vector[uint32_t] both
    cdef int64_t middle
    cdef bint pairs
    p = past_mark(text, p, n, 91)
    if 0 <= p < n and text[p] == 93:
        return True
    while 0 <= p < n:
        both.clear()
        pairs = text[p] == 91
        if pairs:
            p = past_mark(text, read_string(text, past_blanks(text, p + 1, n), n, both), n, COMMA)
            middle = both.size()
        p = read_string(text, p, n, both)
        if pairs:
            p = past_mark(text, p, n, 93)
        else:
            middle = space_of(both)
        if p == NOWHERE or middle == NOWHERE:
            return False
        if not add_merge(merges, names, both.data(), middle, both.data() + middle + (not pairs),
                         <int64_t>both.size() - middle - (not pairs)):
            return False
        p = past_blanks(text, p, n)
        if p < n and text[p] == 93:
            return True
        p = past_mark(text, p, n, COMMA)
    return False


cdef inline void find_splits(const Names& names, Merges& merges) except + nogil:
    """All merges of two tokens to a third, whose number is their rank."""
    cdef const uint32_t* text
    cdef int64_t i, k, n
    cdef int32_t left, right
    for i in range(<int64_t>names.first.size() - 1):
        text = names.text.data() + names.first[i]
        n = names.first[i + 1] - names.first[i]
        for k in range(1, n):
            left = find_name(names, text, k, text, 0)
            right = find_name(names, text + k, n - k, text, 0) if left != UNNAMED else UNNAMED
            if right != UNNAMED:
                merges.lefts.push_back(left)
                merges.rights.push_back(right)
                merges.results.push_back(<int32_t>i)
                merges.ranks.push_back(<uint32_t>i)


cdef inline void digest_of(const Names& names, const Merges& merges, uint8_t* digest) noexcept nogil:
    cdef Blake2b state
    begin_hash(&state)
    take_word(&state, names.first.size())
    take_bytes(&state, <const uint8_t*>names.first.data(), names.first.size() * sizeof(int64_t))
    take_bytes(&state, <const uint8_t*>names.text.data(), names.text.size() * sizeof(uint32_t))
    take_bytes(&state, <const uint8_t*>merges.lefts.data(), merges.lefts.size() * sizeof(int32_t))
    take_bytes(&state, <const uint8_t*>merges.rights.data(), merges.rights.size() * sizeof(int32_t))
    finish_hash(&state, digest)
