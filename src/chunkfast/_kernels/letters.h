// Where a run of ASCII letters ends, a vector at a time: words are short, and a loop's exit is a branch that can't be foreseen.
#pragma once
#include "skip.h"

// Index of the first character of text[i:n] that is not a to z or, with `fold` 32 instead of 0, A to Z either.
template <class T> static inline int64_t cf_letters_end_one_by_one(const T* text, int64_t i, int64_t n, uint32_t fold) {
    while (i < n && (uint32_t(text[i]) | fold) - 'a' < 26) ++i;
    return i;
}

template <class T> static inline int64_t cf_letters_end(const T* text, int64_t i, int64_t n, uint32_t fold) {
#ifdef CF_SSE2
    if constexpr (sizeof(T) < 4) {
        typedef CfLanes<T> L;
        for (; i + L::COUNT <= n; i += L::COUNT) {
            const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
            const __m128i letters = L::within(_mm_or_si128(x, L::all(int(fold))), 'a', 'z');
            const unsigned others = ~unsigned(_mm_movemask_epi8(letters)) & 0xFFFF;
            if (others) return i + cf_lowest_bit(others) / L::WIDTH;
        }
    }
#endif
    return cf_letters_end_one_by_one(text, i, n, fold);
}
