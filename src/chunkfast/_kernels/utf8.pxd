"""UTF-8, from characters of any width."""
from libc.string cimport memcpy

from chunkfast._kernels.text cimport char_t, int64_t, uint8_t, uint32_t, uint64_t


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


cdef inline int64_t decode_utf8(const uint8_t* text, int64_t p, int64_t n, uint32_t* c) noexcept nogil:
    """Read the character at `p` < `n`; returns its end, -1 where it is cut off. Not all that is no UTF-8 is noticed."""
    cdef int64_t end = p + (1 if text[p] < 0xC0 else 2 if text[p] < 0xE0 else 3 if text[p] < 0xF0 else 4)
    if end > n:
        return -1
    c[0] = text[p] if end == p + 1 else text[p] & (0x7F >> (end - p))
    for p in range(p + 1, end):
        c[0] = c[0] << 6 | (text[p] & 63)
    return end if c[0] < 0x110000 else -1


cdef inline int64_t write_utf8(const char_t* text, int64_t start, int64_t end, uint8_t* out) noexcept nogil:
    """Write text[start:end), at most four bytes for each character, three for those of two bytes, two for those of one.
    Returns how many they are."""
    cdef uint8_t* at = out
    cdef uint64_t eight
    while start < end:
        if char_t is uint8_t:
            while start + 8 <= end:  # ASCII, eight characters at a time
                memcpy(&eight, text + start, 8)
                if eight & <uint64_t>0x8080808080808080:
                    break
                memcpy(at, &eight, 8)
                at += 8
                start += 8
            if start == end:
                break
        else:
            while start < end and 0x7FF < text[start] < 0x10000:  # most of what is not Latin
                at[0] = 0xE0 | text[start] >> 12
                at[1] = 0x80 | (text[start] >> 6 & 63)
                at[2] = 0x80 | (text[start] & 63)
                at += 3
                start += 1
            if start == end:
                break
        at += encode_utf8(text[start], at)
        start += 1
    return at - out
