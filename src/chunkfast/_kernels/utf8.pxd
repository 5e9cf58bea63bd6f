"""UTF-8, from characters of any width."""
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t, uint8_t


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


cdef inline int64_t write_utf8(const char_t* text, int64_t start, int64_t end, uint8_t* out) noexcept nogil:
    """Write text[start:end), at most four bytes for each character, three for those of two bytes, two for those of one.
    Returns how many they are."""
    cdef int64_t size = 0
    while start < end:
        if text[start] < 0x80:
            out[size] = <uint8_t>text[start]
            size += 1
        else:
            size += encode_utf8(text[start], out + size)
        start += 1
    return size
