"""Words that a counter has met, kept from call to call: short words of frequent letters come again and again.

What is kept of a word depends on the word alone, so that counts never depend on what was counted before.
"""
from chunkfast._kernels.text cimport int64_t, uint32_t, uint64_t

cdef extern from "known_words.h" nogil:
    cppclass Word "CfKey":
        uint64_t low
        uint64_t high
        bint same "is"(const Word& key)
        bint is_wide()  # has two bytes a character
        void mark()  # tells two kinds of words apart
        uint64_t hash()

    cppclass WordSet "CfWordSet":
        uint32_t find(const Word& key)  # what was kept of the word, 0 where nothing is
        void keep(const Word& key, uint32_t note)  # 1 to 2^14 - 1

    cppclass KnownWords "CfKnownWords":
        uint32_t glance(const Word& key, uint64_t hash)  # its note where it is one of the words found last, else 0
        WordSet* set_of(uint64_t hash)  # starts to read it: better called some time before it is used
        uint32_t recall(const Word& key, WordSet** set)  # its note, wherever it is kept, and its set
        void show(WordSet* set)  # the word found or kept there last is one of those

    cppclass WordPool "CfWordPool":
        pass

    cppclass LentWords "CfLentWords":
        KnownWords* words
        void borrow(WordPool& pool) except +

    bint word_key "cf_word_key"[T](const T* text, int64_t start, int64_t end, int64_t limit, Word& key)
    int64_t add_pairs "cf_add_pairs"(uint32_t note)  # the sum of the eight numbers of two bits of a note
    int64_t count_bits "cf_count_bits"(uint32_t note)
    # The number of characters from ! to ~ that text[start:limit) begins with, 15 for more; their key if it is 1 to 14.
    int64_t ink_key "cf_ink_key"[T](const T* text, int64_t start, int64_t limit, Word& key)

cdef enum:
    LETTERS = 14  # bytes of a key


cdef inline void remember(KnownWords* words, const Word& key, WordSet* set_, uint32_t note) noexcept nogil:
    set_.keep(key, note)
    words.show(set_)
