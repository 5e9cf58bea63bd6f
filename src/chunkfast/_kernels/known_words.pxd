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
        uint64_t hash()

    cppclass WordSet "CfWordSet":
        uint32_t find(const Word& key)  # what was kept of the word, 0 where nothing is
        void keep(const Word& key, uint32_t note)  # 1 to 2^15 - 1

    cppclass KnownWords "CfKnownWords":
        uint32_t glance(const Word& key, uint64_t hash)  # its note where it is one of the words found last, else 0
        WordSet* set_of(uint64_t hash)  # starts to read it: better called some time before it is used
        void show(WordSet* set)  # the word found or kept there last is one of those

    cppclass WordPool "CfWordPool":
        pass

    cppclass LentWords "CfLentWords":
        KnownWords* words
        void borrow(WordPool& pool) except +

    bint word_key "cf_word_key"[T](const T* text, int64_t start, int64_t end, int64_t limit, Word& key)
