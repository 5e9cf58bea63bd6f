"""The contract between the token models and `_core`: what one scan of a text tells about its tokens.

A model writes one function

    scan(model, text, start, end, tally)

that goes over text[start:end) as if it were a whole text, in one pass from left to right, and tells a `Tally` what
it finds. Positions are code points of `text`, not of the span. It calls

* `boundary(tally, p, safe)` at the places p where the text falls apart into pieces that are encoded alone
  (pre-tokens, words), in ascending order, after the tokens before p and before those after it;
* for each piece [s, e) either `token(tally, q)` for every token, q being the position of its first character, in the
  order of the tokens (q never falls; tokens that begin inside one character all carry its position), or, where
  `wants_tokens(tally, e)` is false, adds their number to `tally.total`, which is the fast path.

Both span ends are boundaries without being told: `_core` answers for them.

A boundary p is *safe* only where cutting there is proven additive: for safe a < b of one text,

    count(text[a:b]) == rank(b) - rank(a),    rank(p) = number of tokens whose first character is before p.

So neither may the left part be read otherwise when the text ends at p (look-ahead, greedy rules, normalisation), nor
the right part when it begins there (look-behind, prefixes, normalisation). Where in doubt a boundary is not safe:
that costs a recount, never a wrong count. Each model proves its rule in a comment.

The positions equal the starts of the offsets that the Hugging Face encoder reports *before* its post-processor:
leading spaces belong to their token (`ByteLevel(trim_offsets=True)` as a post-processor would hide them).
"""
from libc.stdint cimport INT64_MAX
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int64_t, uint8_t, uint32_t


cdef struct Tally:
    int64_t total  # tokens so far
    vector[int64_t]* starts  # receives the position of each token; NULL: not wanted
    const int64_t* positions  # ascending, `asked` of them; ranks and safe are of the same length
    int64_t* ranks
    uint8_t* safe
    int64_t asked
    int64_t answered
    int64_t next  # positions[answered], or INT64_MAX


cdef inline Tally new_tally() noexcept nogil:
    cdef Tally tally
    tally.total = tally.asked = tally.answered = 0
    tally.starts = NULL
    tally.next = INT64_MAX
    return tally


cdef inline void ask(
    Tally* tally, const int64_t* positions, int64_t asked, int64_t* ranks, uint8_t* safe,
) noexcept nogil:
    tally.positions = positions
    tally.ranks = ranks
    tally.safe = safe
    tally.asked = asked
    tally.answered = 0
    tally.next = positions[0] if asked else INT64_MAX


cdef inline void answer(Tally* tally, bint safe) noexcept nogil:
    tally.ranks[tally.answered] = tally.total
    tally.safe[tally.answered] = safe
    tally.answered += 1
    tally.next = tally.positions[tally.answered] if tally.answered < tally.asked else INT64_MAX


cdef inline bint wants_tokens(const Tally* tally, int64_t end) noexcept nogil:
    """Whether the piece from the last boundary to `end` must be told token by token."""
    return tally.starts != NULL or tally.next < end


cdef inline void boundary(Tally* tally, int64_t p, bint safe) noexcept nogil:
    while tally.next < p:
        answer(tally, False)
    while tally.next == p:
        answer(tally, safe)


cdef inline void token(Tally* tally, int64_t q) except + nogil:
    """The next token, whose first character is at `q`."""
    while tally.next <= q:
        answer(tally, False)
    tally.total += 1
    if tally.starts != NULL:
        tally.starts.push_back(q)


cdef inline void likely_cuts(const char_t* text, int64_t n, bint blanks, vector[int64_t]& out) except + nogil:
    """Places where a cut is likely to be safe, ascending: before a blank or, but for `blanks`, behind a mark, some 32
    characters apart.
    """
    cdef int64_t p = 1
    cdef uint32_t before, c
    out.push_back(0)
    while p < n:
        before = text[p - 1]
        c = text[p]
        if (c == 32 or c == 10) and before > 32 or not blanks and (
                before == 10 and c > 32 or before >= 0x3001 and before <= 0x3002
                or before >= 0xFF01 and before <= 0xFF1F):
            out.push_back(p)
            p += 32
        else:
            p += 1
    out.push_back(n)
