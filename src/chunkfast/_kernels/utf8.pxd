"""Bytes of UTF-8."""
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t


cdef inline int utf8_size(uint32_t c) noexcept nogil:
    return 1 + (c > 0x7F) + (c > 0x7FF) + (c > 0xFFFF)


cdef inline void utf8_ranks(const char_t* text, const int64_t[::1] positions, int64_t[::1] out) noexcept nogil:
    """out[i]: bytes of text[:positions[i]]; the positions ascend."""
    cdef int64_t p = 0, bytes = 0, i
    for i in range(positions.shape[0]):
        while p < positions[i]:
            bytes += utf8_size(text[p])
            p += 1
        out[i] = bytes
