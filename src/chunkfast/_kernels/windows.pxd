"""Windows of N tokens over a text, cut at grapheme clusters."""
from libcpp.vector cimport vector

from chunkfast._kernels.graphemes cimport grapheme_ceil, grapheme_floor, next_grapheme
from chunkfast._kernels.text cimport char_t, int64_t


cdef inline int64_t first_at(const int64_t* starts, int64_t total, int64_t low, int64_t position) noexcept nogil:
    """Index, from `low` on, of the first token that starts at or after `position`. Galloping: cost is the log of the
    way."""
    cdef int64_t step = 1, high, middle
    if starts == NULL:  # a token is a code point
        return position
    while low + step < total and starts[low + step] < position:
        low += step
        step <<= 1
    high = min(low + step, total)
    while low < high:
        middle = (low + high) >> 1
        if starts[middle] < position:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int64_t start_of(const int64_t* starts, int64_t total, int64_t n, int64_t token) noexcept nogil:
    if token >= total:
        return n
    return token if starts == NULL else starts[token]


cdef inline int64_t window_end(const char_t* text, int64_t n, const int64_t* starts, int64_t total, int64_t token,
                               int64_t start, int64_t limit) noexcept nogil:
    """End of the longest window from `start` that holds at most `limit` tokens and ends at a cluster; at least one
    cluster.

    `token` is the first that starts at or after `start`. A token that `start` cuts in two counts as one more.
    """
    cdef int64_t end
    if start_of(starts, total, n, token) != start:
        limit -= 1
    end = start_of(starts, total, n, token + limit) if limit > 0 else start
    end = grapheme_floor(text, n, start, end)
    return end if end > start else next_grapheme(text, n, start)


cdef inline void token_windows(const char_t* text, int64_t n, const int64_t* starts, int64_t total, int64_t start,
                               int64_t before, int64_t first_limit, int64_t limit, int64_t overlap, int64_t most,
                               vector[int64_t]& out) except + nogil:
    """Append at most `most` windows (start, end) from `start` on to `out`. The first holds at most `first_limit`
    tokens, the others `limit`; each begins at most `overlap` tokens before the end of the one before, and reaches
    beyond it. `before` is where the window before the first one ends.
    """
    cdef int64_t token = first_at(starts, total, 0, start), end, begun, following
    while start < n and most > 0:
        end = window_end(text, n, starts, total, token, start, first_limit)
        if end <= before:  # the overlap leaves no room for the next cluster
            start = before
            token = first_at(starts, total, token, start)
            end = window_end(text, n, starts, total, token, start, first_limit)
        out.push_back(start)
        out.push_back(end)
        if end >= n:
            return
        before = end
        begun = first_at(starts, total, token, end)
        first_limit = limit
        most -= 1
        token = max(token, begun - overlap)
        # the character it shares is more than the overlap
        while starts != NULL and 0 < token < begun and starts[token - 1] == starts[token]:
            token += 1
        following = grapheme_ceil(text, n, start, max(start_of(starts, total, n, token), start))
        start = following if start < following < before else before
        token = first_at(starts, total, token, start)
