"""SentencePiece's precompiled normaliser, as the encoder reads it: a double array over UTF-8, and strings."""
from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport int64_t, uint32_t

cdef cppclass Charsmap:
    vector[uint32_t] units  # empty: every character stays
    vector[uint8_t] strings  # valid UTF-8, each ends in a zero byte


cdef inline int64_t encode(uint32_t c, uint8_t* out) noexcept nogil:
    """UTF-8 of a code point: its length."""
    if c < 0x80:
        out[0] = <uint8_t>c
        return 1
    if c < 0x800:
        out[0] = <uint8_t>(0xC0 | c >> 6)
        out[1] = <uint8_t>(0x80 | c & 0x3F)
        return 2
    if c < 0x10000:
        out[0] = <uint8_t>(0xE0 | c >> 12)
        out[1] = <uint8_t>(0x80 | c >> 6 & 0x3F)
        out[2] = <uint8_t>(0x80 | c & 0x3F)
        return 3
    out[0] = <uint8_t>(0xF0 | c >> 18)
    out[1] = <uint8_t>(0x80 | c >> 12 & 0x3F)
    out[2] = <uint8_t>(0x80 | c >> 6 & 0x3F)
    out[3] = <uint8_t>(0x80 | c & 0x3F)
    return 4


cdef inline int64_t utf8_length(uint32_t c) noexcept nogil:
    return 1 if c < 0x80 else 2 if c < 0x800 else 3 if c < 0x10000 else 4


cdef inline void decode(const uint8_t* bytes, vector[uint32_t]& out) except + nogil:
    """Code points of a valid, zero-ended UTF-8 string."""
    cdef int64_t i = 0
    cdef uint32_t b
    while bytes[i]:
        b = bytes[i]
        if b < 0x80:
            out.push_back(b)
            i += 1
        elif b < 0xE0:
            out.push_back((b & 0x1F) << 6 | bytes[i + 1] & 0x3F)
            i += 2
        elif b < 0xF0:
            out.push_back((b & 0x0F) << 12 | (<uint32_t>bytes[i + 1] & 0x3F) << 6 | bytes[i + 2] & 0x3F)
            i += 3
        else:
            out.push_back(
                (b & 0x07) << 18 | (<uint32_t>bytes[i + 1] & 0x3F) << 12
                | (<uint32_t>bytes[i + 2] & 0x3F) << 6 | bytes[i + 3] & 0x3F
            )
            i += 4


cdef inline uint32_t _offset(uint32_t unit) noexcept nogil:
    return (unit >> 10) << ((unit & 1 << 9) >> 6)


cdef inline int64_t find(const Charsmap* charsmap, const uint8_t* key, int64_t n) noexcept nogil:
    """Where in `strings` the replacement of the shortest prefix of `key` that has one begins; -1 where none has."""
    cdef const uint32_t* units = charsmap.units.data()
    cdef uint32_t size = <uint32_t>charsmap.units.size(), node, unit
    cdef int64_t i, value
    if size == 0:
        return -1
    node = _offset(units[0])
    for i in range(n):
        if key[i] == 0:
            return -1
        node ^= key[i]
        if node >= size:
            return -1
        unit = units[node]
        if unit & (<uint32_t>1 << 31 | 0xFF) != key[i]:
            return -1
        node ^= _offset(unit)
        if unit >> 8 & 1 and node < size:
            value = units[node] & 0x7FFFFFFF
            if value >= <int64_t>charsmap.strings.size() or charsmap.strings[value] & 0xC0 == 0x80:
                return -1  # past the strings, or inside a character
            return value
    return -1
