"""Windows of N tokens that have no more than N tokens each by themselves: tried, counted, and made again with fewer."""
from libcpp.vector cimport vector

from chunkfast._kernels.asking cimport Asker
from chunkfast._kernels.assembly cimport COLUMNS
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.settling cimport Work, count_pieces
from chunkfast._kernels.text cimport char_t, has_ink, int64_t
from chunkfast._kernels.windows cimport token_windows


cdef inline int cut_windows(const char_t* text, int64_t n, Work& work, const Asker& asker, int64_t limit,
                            int64_t overlap, bint additive, bint characters) except -1 nogil:
    """Fill `work.windows` (start, end) and `work.counts`.

    `additive`: counts of parts add up, so that no window comes out too large; `characters`: a token is a code point.
    Else windows are tried in batches that grow while all is well, so that few are thrown away.
    """
    cdef int64_t start = 0, before = 0, first_limit = limit, most = n + 2, bad, good, following, none = 0
    cdef const int64_t* first = NULL
    cdef size_t done
    work.windows.clear()
    work.counts.clear()
    work.places.clear()
    work.starts.clear()
    if n == 0:
        return 0
    if not characters:
        if additive:
            asker.start(asker.counter, work.source, 0, n, work.starts)
        else:
            asker.read(asker.counter, work.source, work.starts, work.places)
        first = work.starts.data() if work.starts.size() else &none
    while start < n:
        following = n
        done = work.counts.size()
        token_windows(text, n, first, work.starts.size() if first != NULL else n, start, before, first_limit, limit,
                      overlap, most, work.windows)
        count_windows(work, asker, done)
        good = <int64_t>(work.counts.size() - done)
        bad = 0
        while bad < good and not (
                work.counts[done + bad] > limit
                and next_grapheme(text, work.windows[2 * (done + bad) + 1], work.windows[2 * (done + bad)])
                < work.windows[2 * (done + bad) + 1]):
            bad += 1
        if bad == good:  # all are in their limit
            if work.windows.back() < n:
                good -= 1
                most *= 2
                first_limit = limit
        elif bad == 0 and first_limit == 1:  # one token that stands for several clusters, and for more tokens by itself
            fit_first(text, work, asker, done, before, limit)
            good = 1
            first_limit = limit
            following = work.windows.back()
        else:
            good = bad
            most = 8 if bad > 0 else max(most // 2, 2)
            first_limit = max((limit if good > 0 else first_limit) - work.counts[done + good] + limit, 1)
        if good > 0:
            before = work.windows[2 * (done + good) - 1]
        start = work.windows[2 * (done + good)] if done + good < work.counts.size() else following
        work.windows.resize(2 * (done + good))
        work.counts.resize(done + good)
    return 0


cdef inline int count_windows(Work& work, const Asker& asker, size_t done) except -1 nogil:
    """Count the windows from index `done` on: at their edges where `work.places` allows it."""
    cdef size_t i, k = 0
    cdef int64_t tokens, start, end, first, last
    work.pieces.clear()
    work.ends.clear()
    for i in range(done, work.windows.size() // 2):
        start = work.windows[2 * i]
        end = work.windows[2 * i + 1]
        tokens = -1
        if asker.count_edges != NULL:
            first = places_before(work.places, start)
            last = places_before(work.places, end + 1)
            if last > first:
                tokens = asker.count_edges(asker.counter, work.source, start, work.source, 0, end,
                                           work.places.data() + 2 * first, last - first)
        work.counts.push_back(tokens)
        if tokens < 0:
            work.pieces.push_back(start)
            work.pieces.push_back(end)
            work.ends.push_back(<int64_t>work.pieces.size() // 2)
    count_pieces(work, asker)
    for i in range(done, work.counts.size()):
        if work.counts[i] < 0:
            work.counts[i] = work.tokens[k]
            k += 1
    return 0


cdef inline int64_t places_before(const vector[int64_t]& places, int64_t position) noexcept nogil:
    """How many of the places, pairs of which the first is a position, lie before `position`."""
    cdef int64_t low = 0, high = places.size() // 2, middle
    while low < high:
        middle = (low + high) // 2
        if places[2 * middle] < position:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int fit_first(const char_t* text, Work& work, const Asker& asker, size_t done, int64_t start,
                          int64_t limit) except -1 nogil:
    """Put in the place of the windows from index `done` on one from `start` to a cluster's end before theirs that
    fits the limit, else the first.
    """
    cdef int64_t end = work.windows[2 * done + 1], p = start, low = 0, high, middle
    cdef vector[int64_t] ends
    while p < end:
        p = next_grapheme(text, end, p)
        ends.push_back(p)
    high = <int64_t>ends.size() - 1
    while low < high:
        middle = (low + high + 1) // 2
        if count_window(work, asker, done, start, ends[middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    count_window(work, asker, done, start, ends[low])
    return 0


cdef inline int64_t count_window(Work& work, const Asker& asker, size_t done, int64_t start,
                                 int64_t end) except -1 nogil:
    """Put one window in the place of those from index `done` on, and count it."""
    work.windows.resize(2 * done)
    work.windows.push_back(start)
    work.windows.push_back(end)
    work.counts.resize(done)
    count_windows(work, asker, done)
    return work.counts[done]


cdef inline void assemble_windows(const char_t* text, Work& work) except + nogil:
    """Write the windows to `work.out`, without those that hold white space alone."""
    cdef size_t i
    cdef int64_t start, end, before = 0
    work.out.pieces.reserve(2 * work.counts.size())
    work.out.piece_ends.reserve(work.counts.size())
    work.out.columns.reserve(COLUMNS * work.counts.size())
    for i in range(work.counts.size()):
        start = work.windows[2 * i]
        end = work.windows[2 * i + 1]
        if not has_ink(text, start, end):
            continue
        work.out.pieces.push_back(start)
        work.out.pieces.push_back(end)
        work.out.piece_ends.push_back(<int64_t>work.out.pieces.size() // 2)
        work.out.columns.push_back(0)
        work.out.columns.push_back(max(before - start, 0))
        work.out.columns.push_back(start)
        work.out.columns.push_back(end)
        work.out.columns.push_back(0)
        work.out.columns.push_back(-1)
        work.out.columns.push_back(work.counts[i])
        before = end
    work.out.spans = work.out.pieces
    work.out.span_ends = work.out.piece_ends
