"""BLAKE2b with a digest of 16 bytes and without a key: RFC 7693, whose names (`h`, `m`, `t`) these are."""
from libc.string cimport memcpy, memset

from chunkfast._kernels.text cimport int64_t, uint8_t, uint64_t

cdef extern from "blake2b.h" nogil:
    void cf_blake2b_compress(uint64_t* h, const uint64_t* m, uint64_t t, uint64_t last) noexcept

cdef enum:
    BLOCK = 128  # bytes
    DIGEST = 16

cdef struct Blake2b:
    uint64_t[8] h
    uint64_t t  # bytes taken in before `held`
    int64_t filled  # bytes of `held`: a full block waits until it is known not to be the last
    uint8_t[BLOCK] held


cdef inline uint64_t word_at(const uint8_t* data) noexcept nogil:
    """Eight bytes, the lowest first, on any machine."""
    return (<uint64_t>data[0] | <uint64_t>data[1] << 8 | <uint64_t>data[2] << 16 | <uint64_t>data[3] << 24
            | <uint64_t>data[4] << 32 | <uint64_t>data[5] << 40 | <uint64_t>data[6] << 48 | <uint64_t>data[7] << 56)


cdef inline void put_word(uint64_t word, uint8_t* out) noexcept nogil:
    cdef int i
    for i in range(8):
        out[i] = <uint8_t>(word >> 8 * i)


cdef inline void compress(uint64_t* h, const uint8_t* block, uint64_t t, bint last) noexcept nogil:
    cdef uint64_t[16] m
    cdef int i
    for i in range(16):
        m[i] = word_at(block + 8 * i)
    cf_blake2b_compress(h, m, t, ~<uint64_t>0 if last else 0)


cdef inline void begin_hash(Blake2b* state) noexcept nogil:
    state.h[0] = <uint64_t>0x6A09E667F3BCC908 ^ 0x01010000 ^ DIGEST
    state.h[1] = <uint64_t>0xBB67AE8584CAA73B
    state.h[2] = <uint64_t>0x3C6EF372FE94F82B
    state.h[3] = <uint64_t>0xA54FF53A5F1D36F1
    state.h[4] = <uint64_t>0x510E527FADE682D1
    state.h[5] = <uint64_t>0x9B05688C2B3E6C1F
    state.h[6] = <uint64_t>0x1F83D9ABFB41BD6B
    state.h[7] = <uint64_t>0x5BE0CD19137E2179
    state.t = 0
    state.filled = 0


cdef inline void take_bytes(Blake2b* state, const uint8_t* data, int64_t size) noexcept nogil:
    """Take in `size` bytes more."""
    cdef int64_t part
    while size > 0:
        if state.filled == BLOCK:
            state.t += BLOCK
            compress(state.h, state.held, state.t, False)
            state.filled = 0
        if state.filled == 0:
            while size > BLOCK:
                state.t += BLOCK
                compress(state.h, data, state.t, False)
                data += BLOCK
                size -= BLOCK
        part = min(size, BLOCK - state.filled)
        memcpy(state.held + state.filled, data, part)
        state.filled += part
        data += part
        size -= part


cdef inline void take_word(Blake2b* state, uint64_t word) noexcept nogil:
    """Take in a number as eight bytes, the lowest first."""
    cdef uint8_t[8] data
    put_word(word, data)
    take_bytes(state, data, 8)


cdef inline void finish_hash(const Blake2b* state, uint8_t* digest) noexcept nogil:
    """Write the digest of what has been taken in; the state stays, and may take in more."""
    cdef Blake2b last = state[0]
    memset(last.held + last.filled, 0, BLOCK - last.filled)
    compress(last.h, last.held, last.t + last.filled, True)
    put_word(last.h[0], digest)
    put_word(last.h[1], digest + 8)
