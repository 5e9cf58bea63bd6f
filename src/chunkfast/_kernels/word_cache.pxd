"""The words of one scan that were cut before: short words of frequent letters come again and again."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from chunkfast._kernels.text cimport uint32_t

cdef enum:
    WORDS = 1024  # 16 KB: half of a first-level cache
    LETTERS = 8  # of a word, a byte each, at most

cdef struct CachedWord:
    uint64_t key  # its symbols, none of them 0
    uint32_t note  # what the model keeps of it

cdef struct WordCache:
    CachedWord words[WORDS]


cdef inline void clear_words(WordCache* cache) noexcept nogil:
    memset(cache.words, 0, sizeof(cache.words))


cdef inline CachedWord* word_slot(WordCache* cache, uint64_t key) noexcept nogil:
    key *= 0x9E3779B97F4A7C15U
    return &cache.words[key >> 54]
