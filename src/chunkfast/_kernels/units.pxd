"""Characters and bytes of UTF-8 as tokens. Counts add up over any parts of a text, so every place is a safe cut."""
from chunkfast._kernels.counting cimport Tally, answer
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t


cdef inline int utf8_size(uint32_t c) noexcept nogil:
    return 1 + (c > 0x7F) + (c > 0x7FF) + (c > 0xFFFF)


cdef inline int scan_chars(int64_t start, int64_t end, Tally* tally) except -1 nogil:
    cdef int64_t p, before = tally.total - start
    if tally.starts != NULL:
        tally.starts.reserve(tally.starts.size() + (end - start))
        for p in range(start, end):
            tally.starts.push_back(p)
    while tally.next <= end:
        tally.total = before + tally.next
        answer(tally, True)
    tally.total = before + end
    return 0


cdef inline int scan_bytes(const char_t* text, int64_t start, int64_t end, Tally* tally) except -1 nogil:
    cdef int64_t p = start, stop
    cdef int _
    while True:
        stop = min(tally.next, end)
        if tally.starts == NULL:
            while p < stop:
                tally.total += utf8_size(text[p])
                p += 1
        while p < stop:
            for _ in range(utf8_size(text[p])):
                tally.starts.push_back(p)
                tally.total += 1
            p += 1
        if tally.next > end:
            return 0
        answer(tally, True)
