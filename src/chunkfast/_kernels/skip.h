// How far a text holds nothing that the scanners look at.
#pragma once
#include <cstdint>

// A character that may end a sentence or a line, opens a title or divides cells.
template <class T> static inline bool cf_is_sentence_mark(T c) {
    const uint32_t u = c;
    if (u < 128) return (u - 9 <= 4) || u == '.' || u == '!' || u == '?' || u == '|';
    if (u - 0x4E00 < 0x5200) return false;
    return u == 0x85 || u == 0x2026 || u - 0x2028 <= 1 || u == 0x3002 || u == 0x300A || u == 0xFF01 || u == 0xFF1F || u == 0xFF61;
}

// Index of the first such character in text[i:n], n where there is none.
template <class T> static inline int64_t cf_next_sentence_mark(const T* text, int64_t i, int64_t n) {
    while (i < n && !cf_is_sentence_mark(text[i])) ++i;
    return i;
}
