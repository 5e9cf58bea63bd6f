// Words that a counter has met, and where their tokens start: a table of fixed size that scans borrow and give back.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include "skip.h"

// A word of up to 14 ASCII characters, a byte each, or up to 7 others below U+FFFF, two bytes each (WIDE); 255 behind them.
// As no such byte is ASCII and no such character U+FFFF, keys are alike only for the same word.
struct CfKey {
    enum : uint64_t {
        WIDE = uint64_t(1) << 63, MARK = uint64_t(1) << 62, NOTE = uint64_t(0x3FFF) << 48, LETTERS = (uint64_t(1) << 48) - 1
    };
    uint64_t low, high;
    bool is(const CfKey& key) const { return ((low ^ key.low) | ((high ^ key.high) & ~NOTE)) == 0; }
    uint32_t note() const { return high >> 48 & 0x3FFF; }
    bool is_wide() const { return high & WIDE; }
    void mark() { high |= MARK; }
    uint64_t hash() const { return (low ^ high * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u; }
};

// The sum of the eight numbers of two bits of a note.
static inline int64_t cf_add_pairs(uint32_t note) {
    note = (note & 0x3333) + (note >> 2 & 0x3333);
    note = (note + (note >> 4)) & 0x0F0F;
    return (note + (note >> 8)) & 31;
}

static inline int64_t cf_count_bits(uint32_t note) { return cf_add_pairs(note - (note >> 1 & 0x5555)); }

struct CfPadding {  // behind n bytes
    CfKey behind[15];
    constexpr CfPadding() : behind() {
        for (int n = 0; n <= 14; ++n) {
            behind[n].low = n < 8 ? ~uint64_t(0) << 8 * n : 0;
            behind[n].high = (n <= 8 ? ~uint64_t(0) : ~uint64_t(0) << 8 * (n - 8)) & CfKey::LETTERS;
        }
    }
};
static constexpr CfPadding CF_PADDING;

// text[start:end), up to 14 characters, as bytes, each from 128 on for a character that is not ASCII; what is behind them
// is undefined. Nothing from `limit` on is read.
template <class T> static inline CfKey cf_bytes_one_by_one(const T* text, int64_t start, int64_t end) {
    CfKey w = {0, 0};
    for (int64_t i = 0; start + i < end; ++i) {
        const uint64_t byte = text[start + i] < 128 ? uint64_t(text[start + i]) : 128;
        if (i < 8) w.low |= byte << 8 * i;
        else w.high |= byte << 8 * (i - 8);
    }
    return w;
}

#ifdef CF_SSE2
// The sixteen characters at `text` as bytes, each from 128 on for one that is not ASCII.
template <class T> static inline __m128i cf_sixteen(const T* text) {
    __m128i x = cf_load(text);
    if constexpr (sizeof(T) == 2) {
        const __m128i y = cf_load(text + 8), most = _mm_set1_epi16(255);
        x = _mm_packus_epi16(_mm_sub_epi16(x, _mm_subs_epu16(x, most)), _mm_sub_epi16(y, _mm_subs_epu16(y, most)));
    }
    return x;
}
#endif

template <class T> static inline CfKey cf_bytes(const T* text, int64_t start, int64_t end, int64_t limit) {
#ifdef CF_SSE2
    if constexpr (sizeof(T) < 4) {
        if (start + 16 <= limit) {
            const __m128i x = cf_sixteen(text + start);
            CfKey w;
            std::memcpy(&w, &x, 16);
            return w;
        }
    }
#endif
    return cf_bytes_one_by_one(text, start, end);
}

// The key of text[start:end); false where it has none.
template <class T> static inline bool cf_word_key(const T* text, int64_t start, int64_t end, int64_t limit, CfKey& key) {
    const int64_t n = end - start;
    if (n > 14) return false;
    const CfKey w = cf_bytes(text, start, end, limit), behind = CF_PADDING.behind[n];
    if (((w.low & ~behind.low) | (w.high & CfKey::LETTERS & ~behind.high)) & 0x8080808080808080u) {
        if (n > 7) return false;
        key.low = CF_PADDING.behind[2 * n].low;
        key.high = CF_PADDING.behind[2 * n].high | CfKey::WIDE;
        for (int64_t i = 0; i < n; ++i) {
            const uint64_t c = text[start + i];
            if (c >= 0xFFFF) return false;
            if (i < 4) key.low |= c << 16 * i;
            else key.high |= c << 16 * (i - 4);
        }
        return true;
    }
    key.low = w.low | behind.low;
    key.high = (w.high & CfKey::LETTERS) | behind.high;
    return true;
}

// Number of characters from ! to ~ that text[start:limit) begins with, and their key where that is 1 to 14; 15 for more.
template <class T> static inline int64_t cf_ink_key(const T* text, int64_t start, int64_t limit, CfKey& key) {
    int64_t n = 0;
    CfKey w = {0, 0};
#ifdef CF_SSE2
    if (sizeof(T) < 4 && start + 16 <= limit) {
        w = cf_bytes(text, start, start + 16, limit);
        __m128i x;
        std::memcpy(&x, &w, 16);
        n = cf_lowest_bit(~unsigned(_mm_movemask_epi8(CfLanes<uint8_t>::within(x, '!', '~'))) | 1 << 15);
    } else
#endif
    {
        while (n < 15 && start + n < limit && uint32_t(text[start + n]) - '!' <= '~' - '!') ++n;
        if (n < 15) w = cf_bytes_one_by_one(text, start, start + n);
    }
    if (n < 15) {
        key.low = w.low | CF_PADDING.behind[n].low;
        key.high = (w.high & CfKey::LETTERS) | CF_PADDING.behind[n].high;
    }
    return n;
}

struct alignas(64) CfWordSet {  // the known words of one hash, a cache line: the one found last first
    static const int WAYS = 4;
    CfKey words[WAYS];

    // What was kept of a word, 0 where nothing is.
    uint32_t find(const CfKey& key) {
        if (words[0].is(key)) return words[0].note();
        for (int i = 1; i < WAYS; ++i)
            if (words[i].is(key)) {
                std::swap(words[0], words[i]);
                return words[0].note();
            }
        return 0;
    }
    // In the place of the last one.
    void keep(const CfKey& key, uint32_t note) {
        for (int i = WAYS - 1; i > 0; --i) words[i] = words[i - 1];
        words[0].low = key.low;
        words[0].high = key.high | uint64_t(note) << 48;
    }
};

struct CfKnownWords {
    static const int BITS = 14, FRONT_BITS = 12;
    CfWordSet sets[1 << BITS];  // 1 MB
    CfKey front[1 << FRONT_BITS];  // 64 KB: those found last, once more
    CfKnownWords() {  // no key begins with 255
        std::memset(sets, 255, sizeof sets);
        std::memset(front, 255, sizeof front);
    }

    // Its note, where it is one of those found last; 0: it may be in its set.
    uint32_t glance(const CfKey& key, uint64_t hash) const {
        const CfKey& word = front[hash >> (64 - FRONT_BITS)];
        return word.is(key) ? word.note() : 0;
    }

    // The set of a word, which is asked for soon: the memory may begin to bring it.
    CfWordSet* set_of(uint64_t hash) {
        CfWordSet* set = &sets[hash >> (64 - BITS)];
#ifdef CF_SSE2
        _mm_prefetch(reinterpret_cast<const char*>(set), _MM_HINT_T0);
#elif defined(__GNUC__)
        __builtin_prefetch(set);
#endif
        return set;
    }
    // Its note, wherever it is kept; 0: nowhere. And its set, where that is asked for.
    uint32_t recall(const CfKey& key, CfWordSet** asked = nullptr) {
        const uint64_t hash = key.hash();
        const uint32_t note = glance(key, hash);
        if (note && !asked) return note;
        CfWordSet* set = set_of(hash);
        if (asked) *asked = set;
        if (note) return note;
        const uint32_t found = set->find(key);
        if (found) show(set);
        return found;
    }
    // Put the word found in its set, or kept there, into the front.
    void show(CfWordSet* set) { front[(set - sets) >> (BITS - FRONT_BITS)] = set->words[0]; }
};

// The tables that no scan uses at the time. A table is one scan's alone while it is lent, so none is ever read half written,
// by a thread or after a fork.
struct CfWordPool {
    std::atomic<CfKnownWords*> spare[8] = {};

    ~CfWordPool() {
        for (auto& place : spare) delete place.load();
    }
    CfKnownWords* take() {
        for (auto& place : spare)
            if (place.load(std::memory_order_relaxed))
                if (CfKnownWords* words = place.exchange(nullptr, std::memory_order_acquire)) return words;
        return new CfKnownWords;
    }
    void give(CfKnownWords* words) {
        for (auto& place : spare) {
            CfKnownWords* none = nullptr;
            if (place.compare_exchange_strong(none, words, std::memory_order_release, std::memory_order_relaxed)) return;
        }
        delete words;
    }
};

struct CfLentWords {  // gives them back at the end of its scope
    CfWordPool* pool = nullptr;
    CfKnownWords* words = nullptr;
    void borrow(CfWordPool& from) {
        words = from.take();
        pool = &from;
    }
    CfLentWords() = default;
    CfLentWords(const CfLentWords&) = delete;
    ~CfLentWords() {
        if (words) pool->give(words);
    }
};
