// The innermost loop of WordPiece over ideographs. Not inlined: within its caller it has no registers left for it.
#pragma once
#include "skip.h"

// Adds to `words` how many characters of text[i:n] have the entry `word`, up to the first that has neither that nor
// `blank`; returns the index of that one, n where there is none.
template <class T>
CF_NOINLINE int64_t cf_single_words(const uint32_t* entries, const T* text, int64_t i, int64_t n, uint32_t word,
                                    uint32_t blank, int64_t& words) {
    int64_t found = 0;
    for (; i < n; ++i) {
        const uint32_t entry = entries[text[i]];
        if (entry == word) ++found;
        else if (entry != blank) break;
    }
    words += found;
    return i;
}
