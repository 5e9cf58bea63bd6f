// Pre-tokens of up to 14 ASCII characters that were met before: most of an English text or a table, gone through in one loop.
//
// Where each begins depends on where the one before ends, so the loop must not wait for what it reads: the processor
// foresees which way branches go, and the length of a pre-token comes from the branches taken and from the mask of letters,
// never from the automaton's tables.
#pragma once
#include "automaton.h"
#include "known_words.h"

struct CfKnownPretoken {
    int64_t end;
    uint32_t note;  // as kept of the word
    bool safe;  // nothing before its start looked further than its end
};

struct CfKnownRun {  // where such pre-tokens in a row end
    int64_t seen;  // the last character that was looked at
    int64_t tokens;  // of those that were only counted
    int64_t start;  // of the next pre-token, which is not known
    int64_t end;  // of that; `start`: another must find it
    bool safe;
};

// Runs the automaton of `pretokens.pxd`, `ascii` and `loops` of a Pattern, from run.start on. Returns how many known pre-tokens
// stand there in a row, up to `most`. They go to `out`; where that is null they are counted.
template <class T> CF_NOINLINE static int64_t cf_known_pretokens(
    const uint8_t* ascii, const uint8_t* loops, CfKnownWords* known, const T* text, int64_t end, CfKnownRun& run,
    CfKnownPretoken* out, int64_t most
) {
    int64_t count = 0, p = run.start, seen = run.seen, tokens = 0, next = p;
#ifdef CF_SSE2
    if constexpr (sizeof(T) < 4) {
        typedef CfLanes<uint8_t> L;
        while (count < most && p + 16 <= end) {
            const __m128i x = cf_sixteen(text + p);
            const unsigned lower = unsigned(_mm_movemask_epi8(L::within(x, 'a', 'z')));
            const unsigned letters = unsigned(_mm_movemask_epi8(L::within(_mm_or_si128(x, L::all(32)), 'a', 'z')));
            const unsigned limit = cf_lowest_bit(unsigned(_mm_movemask_epi8(x)) | 1 << 15);
            unsigned state = CF_START, i = 0;
            for (; i < limit; ++i) {
                const unsigned entry = ascii[state << 7 | text[p + i]];
                if (entry == CF_ACCEPT) goto matched;
                state = entry & CF_STATE;
                if (state == 0) break;  // the match, if any, ends before what was looked at
                const unsigned loop = loops[state];
                if (loop & CF_LOOP_LOWER) i += cf_lowest_bit(~((loop & CF_LOOP_UPPER ? letters : lower) >> (i + 1)));
            }
            break;
        matched:
            if (i == 0) break;
            CfKey key;
            std::memcpy(&key, &x, 16);
            key.low |= CF_PADDING.behind[i].low;
            key.high = (key.high & CfKey::LETTERS) | CF_PADDING.behind[i].high;
            next = p + i;
            run.safe = seen < next;
            if (seen < next) seen = next;
            const uint32_t note = known->recall(key);
            if (note == 0) break;
            if (out) out[count] = {next, note, run.safe};
            else tokens += note == 1 ? 1 : cf_count_bits(note);
            p = next;
            ++count;
        }
    }
#endif
    run.seen = seen;
    run.tokens = tokens;
    run.start = p;
    run.end = next;
    return count;
}
