// How far a text holds nothing that the scanners look at: the character classes of their skip loops, 16 bytes at a time.
#pragma once
#include <cstdint>
#include <initializer_list>

#if defined(_MSC_VER)
#include <intrin.h>
static inline int cf_lowest_bit(unsigned mask) { unsigned long i; _BitScanForward(&i, mask); return int(i); }
#define CF_NOINLINE __declspec(noinline)
#else
#define CF_NOINLINE __attribute__((noinline))
static inline int cf_lowest_bit(unsigned mask) { return __builtin_ctz(mask); }
#endif

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define CF_SSE2 1
#endif

// A character that may end a sentence or a line, opens a title or divides cells.
template <class T> static inline bool cf_is_sentence_mark(T c) {
    const uint32_t u = c;
    if (u < 128) return u - 9 <= 4 || u == '.' || u == '!' || u == '?' || u == '|';
    if (u - 0x4E00 < 0x5200) return false;
    return u == 0x85 || u == 0x2026 || u - 0x2028 <= 1 || u == 0x3002 || u == 0x300A || u == 0xFF01 || u == 0xFF1F || u == 0xFF61;
}

// A character that opens the number of a list item inside a line, holds one, or may stand before one.
template <class T> static inline bool cf_is_item_sign(T c) {
    const uint32_t u = c;
    if (u < 128) return u == '(' || u - ':' <= 1;
    return u - 0x2460 < 40 || u == 0x3002 || u == 0x3014 || u == 0xFF08 || u - 0xFF1A <= 1;
}

template <class T> static inline bool cf_is_line_end(T c) {
    const uint32_t u = c;
    return u - 10 <= 3 || u == 0x85 || u - 0x2028 <= 1;
}

// A blank, whatever its width; and all below it.
template <class T> static inline bool cf_is_blank_sign(T c) {
    const uint32_t u = c;
    return u <= 32 || u - 0x85 < 0x1C || u - 0x2000 < 0x70 || u == 0x1680 || u == 0x3000 || u == 0xFEFF;
}

// Index of the first sentence mark in text[i:n], n where there is none.
template <class T> inline int64_t cf_next_sentence_mark(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_sentence_mark(text[i])) ++i;
    return i;
}

// The same for the signs of list items.
template <class T> inline int64_t cf_next_item_sign(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_item_sign(text[i])) ++i;
    return i;
}

// A character that may open the words of a lead-in: f of "following", 以下 如下 下列 之一 包括.
template <class T> static inline bool cf_is_cue_sign(T c) {
    const uint32_t u = c;
    return (u | 32) == 'f' || u == 0x4E0B || u == 0x4E4B || u == 0x4EE5 || u == 0x5305 || u == 0x5982;
}

// Index of the first of these in text[i:n], n where there is none.
template <class T> inline int64_t cf_next_cue_sign(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_cue_sign(text[i])) ++i;
    return i;
}

// Index of the first `a` or `b`, both of ASCII, in text[i:n], n where there is neither.
template <class T> inline int64_t cf_next_of(const T* text, int64_t i, int64_t n, int a, int b) {
    while (i < n && text[i] != T(a) && text[i] != T(b)) ++i;
    return i;
}

// Index of the first surrogate in text[i:n], n where there is none.
template <class T> inline int64_t cf_next_surrogate(const T* text, int64_t i, int64_t n) {
    while (i < n && uint32_t(text[i]) - 0xD800 >= 0x800) ++i;
    return i;
}

// Index of the first character in text[i:n] that may be a blank, n where there is none.
template <class T> inline int64_t cf_next_blank(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_blank_sign(text[i])) ++i;
    return i;
}

// A character that may be a blank, or ends a sentence or clause inside a title.
template <class T> static inline bool cf_is_title_sign(T c) {
    return cf_is_blank_sign(c) || uint32_t(c) == 0x3002 || uint32_t(c) == 0xFF1B;
}

// Index of the first of these in text[i:n], n where there is none.
template <class T> inline int64_t cf_next_title_sign(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_title_sign(text[i])) ++i;
    return i;
}

// Whether a character is neither a control, an odd blank nor of a script written without spaces, nor a blank before another.
template <class T> static inline bool cf_is_plain(T c, T next) {
    const uint32_t u = c;
    if (u < 0x2000) return u >= 32 && u != 0x7F && u - 0x80 > 0x20 && u != 0x1680 && (u != ' ' || next > ' ');
    return u - 0x2010 < 0x18 || u - 0x2061 < 0xE1F;
}

// How many blanks text[i:n] holds where all its characters are plain, else -1; text[n] is read as well.
template <class T> static inline int64_t cf_plain_blanks_one_by_one(const T* text, int64_t i, int64_t n, int64_t blanks) {
    for (; i < n; ++i) {
        if (!cf_is_plain(text[i], text[i + 1])) return -1;
        blanks += text[i] == ' ';
    }
    return blanks;
}

template <class T> inline int64_t cf_plain_blanks(const T* text, int64_t i, int64_t n) {
    return cf_plain_blanks_one_by_one(text, i, n, 0);
}

template <class T> static inline bool cf_parts_values(const T* text, int64_t i, int64_t n) {
    return i + 1 < n && text[i + 1] != ' ' && text[i + 1] != 9 && !cf_is_line_end(text[i + 1]);
}

// Line ends, tabs, pipes, angles, and commas without a blank behind, in sixteen characters of text[i:n]: bit k for
// text[i + k]. Moves `i` on over those that hold none.
template <class T> static inline unsigned cf_line_signs_one_by_one(const T* text, int64_t& i, int64_t n) {
    for (; i < n; i += 16) {
        unsigned signs = 0;
        for (int k = 0; k < 16 && i + k < n; ++k) {
            const T c = text[i + k];
            signs |= unsigned(cf_is_line_end(c) || c == 9 || c == ',' || c == '<' || c == '|') << k;
        }
        if (signs) return signs;
    }
    return 0;
}

template <class T> inline unsigned cf_next_line_signs(const T* text, int64_t& i, int64_t n) {
    return cf_line_signs_one_by_one(text, i, n);
}

#ifdef CF_SSE2

template <class T> struct CfLanes;

template <> struct CfLanes<uint8_t> {
    static const int COUNT = 16, WIDTH = 1;
    static __m128i all(int c) { return _mm_set1_epi8(char(c)); }
    static __m128i equal(__m128i x, int c) { return _mm_cmpeq_epi8(x, all(c)); }
    static __m128i within(__m128i x, int low, int high) {
        const __m128i d = _mm_sub_epi8(x, all(low));
        return _mm_cmpeq_epi8(_mm_min_epu8(d, all(high - low)), d);
    }
};

template <> struct CfLanes<uint16_t> {
    static const int COUNT = 8, WIDTH = 2;
    static __m128i all(int c) { return _mm_set1_epi16(short(c)); }
    static __m128i equal(__m128i x, int c) { return _mm_cmpeq_epi16(x, all(c)); }
    static __m128i within(__m128i x, int low, int high) {
        return _mm_cmpeq_epi16(_mm_subs_epu16(_mm_sub_epi16(x, all(low)), all(high - low)), _mm_setzero_si128());
    }
};

static inline __m128i cf_load(const void* text) { return _mm_loadu_si128(static_cast<const __m128i*>(text)); }

// Sets of characters for `cf_skip_to`: `narrow` tells them below U+0100, where 0 and 255 are none of them, `wide` above (it
// may take in a few more), `has` exactly.
struct CfSentenceMarks {
    template <class T> static bool has(T c) { return cf_is_sentence_mark(c); }
    static __m128i narrow(__m128i x) {
        typedef CfLanes<uint8_t> L;
        return _mm_or_si128(_mm_or_si128(_mm_or_si128(L::within(x, 9, 13), L::equal(x, '.')), _mm_or_si128(L::equal(x, '!'), L::equal(x, '?'))),
                            _mm_or_si128(L::equal(x, '|'), L::equal(x, 0x85)));
    }
    static __m128i wide(__m128i x) {
        typedef CfLanes<uint16_t> L;
        const __m128i low = _mm_or_si128(L::equal(_mm_or_si128(x, L::all(8)), 0x300A), L::within(x, 0x2026, 0x2029));
        return _mm_or_si128(_mm_or_si128(low, L::equal(x, 0xFF61)), _mm_or_si128(L::equal(x, 0xFF01), L::equal(x, 0xFF1F)));
    }
};

struct CfItemSigns {
    template <class T> static bool has(T c) { return cf_is_item_sign(c); }
    static __m128i narrow(__m128i x) {
        typedef CfLanes<uint8_t> L;
        return _mm_or_si128(L::equal(x, '('), L::within(x, ':', ';'));
    }
    static __m128i wide(__m128i x) {
        typedef CfLanes<uint16_t> L;
        return _mm_or_si128(_mm_or_si128(_mm_or_si128(L::equal(x, 0x3002), L::equal(x, 0x3014)), L::within(x, 0x2460, 0x2487)),
                            _mm_or_si128(L::equal(x, 0xFF08), L::equal(_mm_or_si128(x, L::all(1)), 0xFF1B)));
    }
};

struct CfCueSigns {
    template <class T> static bool has(T c) { return cf_is_cue_sign(c); }
    static __m128i narrow(__m128i x) {
        typedef CfLanes<uint8_t> L;
        return L::equal(_mm_or_si128(x, L::all(32)), 'f');
    }
    static __m128i wide(__m128i x) {
        typedef CfLanes<uint16_t> L;
        return _mm_or_si128(_mm_or_si128(_mm_or_si128(L::equal(x, 0x4E0B), L::equal(x, 0x4E4B)), L::equal(x, 0x4EE5)),
                            _mm_or_si128(L::equal(x, 0x5305), L::equal(x, 0x5982)));
    }
};

struct CfTitleSigns {
    template <class T> static bool has(T c) { return cf_is_title_sign(c); }
    static __m128i narrow(__m128i x) {
        typedef CfLanes<uint8_t> L;
        return _mm_or_si128(L::within(x, 1, 32), L::within(x, 0x85, 0xA0));
    }
    static __m128i wide(__m128i x) {
        typedef CfLanes<uint16_t> L;
        const __m128i blanks = _mm_or_si128(_mm_or_si128(L::within(x, 0x2000, 0x206F), L::equal(x, 0x1680)), L::equal(x, 0xFEFF));
        return _mm_or_si128(blanks, _mm_or_si128(L::equal(_mm_or_si128(x, L::all(2)), 0x3002), L::equal(x, 0xFF1B)));
    }
};

// Sixteen characters: a bit for each that is of the set, or may be.
template <class Set> static inline unsigned cf_hits(const uint8_t* text) {
    return unsigned(_mm_movemask_epi8(Set::narrow(cf_load(text))));
}

template <class Set> static inline unsigned cf_hits(const uint16_t* text) {
    const __m128i a = cf_load(text), b = cf_load(text + 8);
    __m128i found = Set::narrow(_mm_packus_epi16(a, b));  // what is no byte becomes 0 or 255
    const __m128i high = _mm_cmpeq_epi8(_mm_srli_epi16(_mm_or_si128(a, b), 8), _mm_setzero_si128());
    if (_mm_movemask_epi8(high) != 0xFFFF) found = _mm_or_si128(found, _mm_packs_epi16(Set::wide(a), Set::wide(b)));
    return unsigned(_mm_movemask_epi8(found));
}

// Index of the first character of the set in text[i:n], n where there is none.
template <class Set, class T> static inline int64_t cf_skip_to(const T* text, int64_t i, int64_t n) {
    for (; i + 16 <= n; i += 16)
        for (unsigned hits = cf_hits<Set>(text + i); hits; hits &= hits - 1)
            if (Set::has(text[i + cf_lowest_bit(hits)])) return i + cf_lowest_bit(hits);
    if (i < n && n >= 16) {  // the last sixteen, without those that have been looked at
        for (unsigned hits = cf_hits<Set>(text + n - 16) >> (16 - (n - i)); hits; hits &= hits - 1)
            if (Set::has(text[i + cf_lowest_bit(hits)])) return i + cf_lowest_bit(hits);
        return n;
    }
    while (i < n && !Set::has(text[i])) ++i;
    return i;
}

// Sixteen characters, those that are no byte as 0 or 255; `plain` becomes false where one of those is not plain.
static inline __m128i cf_bytes(const uint8_t* text, bool&) { return cf_load(text); }

static inline __m128i cf_bytes(const uint16_t* text, bool& plain) {
    typedef CfLanes<uint16_t> L;
    const __m128i a = cf_load(text), b = cf_load(text + 8);
    const __m128i high = _mm_cmpeq_epi8(_mm_srli_epi16(_mm_or_si128(a, b), 8), _mm_setzero_si128());
    if (_mm_movemask_epi8(high) != 0xFFFF)
        for (const __m128i x : {a, b}) {
            const __m128i odd = _mm_or_si128(_mm_or_si128(L::equal(x, 0x1680), L::within(x, 0x2000, 0x200F)),
                                             _mm_or_si128(L::within(x, 0x2028, 0x2060), L::within(x, 0x2E80, 0xFFFF)));
            plain = plain && _mm_movemask_epi8(odd) == 0;
        }
    return _mm_packus_epi16(a, b);
}

template <class T> static inline int64_t cf_count_plain_blanks(const T* text, int64_t i, int64_t n) {
    typedef CfLanes<uint8_t> L;
    int64_t blanks = 0;
    for (bool plain = true; i + 16 <= n; i += 16) {
        const __m128i x = cf_bytes(text + i, plain);
        const __m128i odd = _mm_or_si128(L::within(x, 0, 31), L::within(x, 0x7F, 0xA0));
        unsigned spaces = unsigned(_mm_movemask_epi8(L::equal(x, ' ')));
        if (!plain || _mm_movemask_epi8(odd)) return -1;
        if (spaces & (spaces >> 1 | (text[i + 16] <= ' ') << 15)) return -1;
        for (; spaces; spaces &= spaces - 1) ++blanks;
    }
    return cf_plain_blanks_one_by_one(text, i, n, blanks);
}

static inline unsigned cf_hits_of(const uint8_t* text, int a, int b) {
    typedef CfLanes<uint8_t> L;
    const __m128i x = cf_load(text);
    return unsigned(_mm_movemask_epi8(_mm_or_si128(L::equal(x, a), L::equal(x, b))));
}

static inline unsigned cf_hits_of(const uint16_t* text, int a, int b) {
    typedef CfLanes<uint8_t> L;
    const __m128i x = _mm_packus_epi16(cf_load(text), cf_load(text + 8));
    return unsigned(_mm_movemask_epi8(_mm_or_si128(L::equal(x, a), L::equal(x, b))));
}

template <class T> static inline int64_t cf_vectors_to(const T* text, int64_t i, int64_t n, int a, int b) {
    for (; i + 16 <= n; i += 16)
        if (const unsigned hits = cf_hits_of(text + i, a, b)) return i + cf_lowest_bit(hits);
    if (i < n && n >= 16) {
        const unsigned hits = cf_hits_of(text + n - 16, a, b) >> (16 - (n - i));
        return hits ? i + cf_lowest_bit(hits) : n;
    }
    while (i < n && text[i] != T(a) && text[i] != T(b)) ++i;
    return i;
}

static inline unsigned cf_line_signs(__m128i x, __m128i wide) {
    typedef CfLanes<uint8_t> L;
    const __m128i ends = _mm_or_si128(_mm_or_si128(L::within(x, 9, 13), L::equal(x, 0x85)), wide);
    const __m128i cells = _mm_or_si128(L::equal(x, '|'), L::equal(x, '<'));
    const unsigned commas = unsigned(_mm_movemask_epi8(L::equal(x, ',')));
    const unsigned blanks = unsigned(_mm_movemask_epi8(L::equal(x, ' ')));
    return unsigned(_mm_movemask_epi8(_mm_or_si128(ends, cells))) | (commas & ~(blanks >> 1));
}

static inline unsigned cf_line_signs(const uint8_t* text) {
    return cf_line_signs(cf_load(text), _mm_setzero_si128());
}

static inline unsigned cf_line_signs(const uint16_t* text) {
    const __m128i a = cf_load(text);
    const __m128i b = cf_load(text + 8);
    const __m128i separator = _mm_set1_epi16(0x1014);  // U+2028 and U+2029, halved
    const __m128i wide = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_srli_epi16(a, 1), separator),
                                         _mm_cmpeq_epi16(_mm_srli_epi16(b, 1), separator));
    return cf_line_signs(_mm_packus_epi16(a, b), wide);  // what is no byte becomes 0 or 255
}

static inline __m128i cf_surrogates(const uint16_t* text) {
    typedef CfLanes<uint16_t> L;
    return L::equal(_mm_and_si128(cf_load(text), L::all(0xF800)), 0xD800);
}

template <> inline int64_t cf_next_surrogate<uint16_t>(const uint16_t* text, int64_t i, int64_t n) {
    for (; i + 32 <= n; i += 32)
        if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(cf_surrogates(text + i), cf_surrogates(text + i + 8)),
                                           _mm_or_si128(cf_surrogates(text + i + 16), cf_surrogates(text + i + 24)))))
            break;
    while (i < n && (text[i] & 0xF800) != 0xD800) ++i;
    return i;
}

template <> inline int64_t cf_next_blank<uint16_t>(const uint16_t* text, int64_t i, int64_t n) {
    typedef CfLanes<uint16_t> L;
    for (; i + L::COUNT <= n; i += L::COUNT) {
        const __m128i x = cf_load(text + i);
        const __m128i low = _mm_or_si128(_mm_or_si128(L::within(x, 0, 32), L::within(x, 0x85, 0xA0)), L::equal(x, 0x1680));
        const __m128i high = _mm_or_si128(_mm_or_si128(L::within(x, 0x2000, 0x206F), L::equal(x, 0x3000)), L::equal(x, 0xFEFF));
        if (const unsigned hits = unsigned(_mm_movemask_epi8(_mm_or_si128(low, high)))) return i + cf_lowest_bit(hits) / L::WIDTH;
    }
    while (i < n && !cf_is_blank_sign(text[i])) ++i;
    return i;
}

#define CF_LANES(T)                                                                                          \
    template <> inline int64_t cf_next_sentence_mark<T>(const T* text, int64_t i, int64_t n) {               \
        return cf_skip_to<CfSentenceMarks>(text, i, n);                                                      \
    }                                                                                                        \
    template <> inline int64_t cf_next_cue_sign<T>(const T* text, int64_t i, int64_t n) {                    \
        return cf_skip_to<CfCueSigns>(text, i, n);                                                           \
    }                                                                                                        \
    template <> inline int64_t cf_next_title_sign<T>(const T* text, int64_t i, int64_t n) {                  \
        return cf_skip_to<CfTitleSigns>(text, i, n);                                                         \
    }                                                                                                        \
    template <> inline int64_t cf_next_item_sign<T>(const T* text, int64_t i, int64_t n) {                   \
        return cf_skip_to<CfItemSigns>(text, i, n);                                                          \
    }                                                                                                        \
    template <> inline int64_t cf_plain_blanks<T>(const T* text, int64_t i, int64_t n) {                     \
        return cf_count_plain_blanks(text, i, n);                                                            \
    }                                                                                                        \
    template <> inline int64_t cf_next_of<T>(const T* text, int64_t i, int64_t n, int a, int b) {            \
        return cf_vectors_to(text, i, n, a, b);                                                              \
    }                                                                                                        \
    template <> inline unsigned cf_next_line_signs<T>(const T* text, int64_t& i, int64_t n) {                \
        for (; i + 16 <= n; i += 16)                                                                         \
            if (const unsigned signs = cf_line_signs(text + i)) return signs;                                \
        return cf_line_signs_one_by_one(text, i, n);                                                         \
    }
CF_LANES(uint8_t)
CF_LANES(uint16_t)
#undef CF_LANES
#endif
