// The compression function F of BLAKE2b (RFC 7693, section 3.2). Macros, since compilers don't inline a round by themselves,
// and it is a third slower where its state is in memory.
#pragma once
#include <cstdint>

#define CF_ROTATED(x, bits) ((x) >> (bits) | (x) << (64 - (bits)))
#define CF_MIX(a, b, c, d, x, y)                                  \
    a += b + m[x]; d ^= a; d = CF_ROTATED(d, 32);                 \
    c += d;        b ^= c; b = CF_ROTATED(b, 24);                 \
    a += b + m[y]; d ^= a; d = CF_ROTATED(d, 16);                 \
    c += d;        b ^= c; b = CF_ROTATED(b, 63);
#define CF_ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf)                          \
    CF_MIX(v0, v4, v8, vc, s0, s1) CF_MIX(v1, v5, v9, vd, s2, s3) CF_MIX(v2, v6, va, ve, s4, s5)          \
    CF_MIX(v3, v7, vb, vf, s6, s7) CF_MIX(v0, v5, va, vf, s8, s9) CF_MIX(v1, v6, vb, vc, sa, sb)          \
    CF_MIX(v2, v7, v8, vd, sc, sd) CF_MIX(v3, v4, v9, ve, se, sf)

// Take a block of 16 words into `h`; `t` bytes have been taken in with it, `last` is ~0 for the last block and else 0.
static inline void cf_blake2b_compress(uint64_t* h, const uint64_t* m, uint64_t t, uint64_t last) {
    uint64_t v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
    uint64_t v8 = 0x6A09E667F3BCC908, v9 = 0xBB67AE8584CAA73B, va = 0x3C6EF372FE94F82B, vb = 0xA54FF53A5F1D36F1;
    uint64_t vc = 0x510E527FADE682D1 ^ t, vd = 0x9B05688C2B3E6C1F, ve = 0x1F83D9ABFB41BD6B ^ last, vf = 0x5BE0CD19137E2179;
    CF_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    CF_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    CF_ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
    CF_ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
    CF_ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
    CF_ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
    CF_ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
    CF_ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
    CF_ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
    CF_ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
    CF_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    CF_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    h[0] ^= v0 ^ v8; h[1] ^= v1 ^ v9; h[2] ^= v2 ^ va; h[3] ^= v3 ^ vb;
    h[4] ^= v4 ^ vc; h[5] ^= v5 ^ vd; h[6] ^= v6 ^ ve; h[7] ^= v7 ^ vf;
}

#undef CF_ROUND
#undef CF_MIX
#undef CF_ROTATED
