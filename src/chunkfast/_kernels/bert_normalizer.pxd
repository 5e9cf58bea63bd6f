"""BertNormalizer and BertPreTokenizer as one table: what each code point becomes, as symbols of a vocabulary.

The normaliser works character by character, but for canonical reordering: combining marks that follow one another are
sorted by class. Nearly all of them are then removed (strip_accents), so that their order doesn't matter; runs that
hold a mark which stays are put in order by `next_run`.
"""
from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport char_t, int64_t, uint16_t, uint32_t

cdef extern from "bert_tables.h" nogil:
    const uint32_t BERT_CONTROL[1][2]
    const uint32_t BERT_SPACE[1][2]
    const uint32_t BERT_PUNCTUATION[1][2]
    const uint32_t BERT_CHINESE[1][2]
    const uint32_t BERT_NONSPACING[1][2]
    const uint32_t BERT_NFD[1][5]
    const uint32_t BERT_LOWER[1][5]
    const uint32_t BERT_COMBINING[1][2]
    const int64_t CONTROLS "sizeof(BERT_CONTROL) / 8"
    const int64_t SPACES "sizeof(BERT_SPACE) / 8"
    const int64_t PUNCTUATIONS "sizeof(BERT_PUNCTUATION) / 8"
    const int64_t CHINESES "sizeof(BERT_CHINESE) / 8"
    const int64_t NONSPACINGS "sizeof(BERT_NONSPACING) / 8"
    const int64_t NFDS "sizeof(BERT_NFD) / 20"
    const int64_t LOWERS "sizeof(BERT_LOWER) / 20"
    const int64_t COMBININGS "sizeof(BERT_COMBINING) / 8"

cdef enum:
    CODE_POINTS = 0x110000
    CHANGED_END = 0x30000  # of the characters that decompose, have a lower case, combine or are Chinese
    # An entry: kind and flags above, symbol or index into `pool` below. A plain letter is its symbol, 0 where no token
    # has it.
    PAYLOAD = (1 << 24) - 1
    KIND = 7 << 24
    ALONE = 1 << 24  # a word by itself
    BLANK = 2 << 24  # white space: ends a word
    NOTHING = 3 << 24  # removed
    SEVERAL = 4 << 24  # pool[payload] entries follow it; for a marked character then how it decomposes
    CONTROL = 1 << 28  # removed before decomposition: marks before and after it meet
    MARK = 1 << 29  # decomposes to combining marks alone: may change places with marks before it
    TAIL = 1 << 30  # ends in a combining mark
    STAYS = 1 << 31  # a combining mark of it isn't removed

    # Character classes while the table is made
    IS_CONTROL = 1
    IS_SPACE = 2
    IS_PUNCTUATION = 4
    IS_CHINESE = 8
    IS_NONSPACING = 16


cdef struct BertOptions:
    bint clean_text
    bint handle_chinese_chars
    bint strip_accents
    bint lowercase

cdef struct Mark:  # one character of a run in decomposed form
    uint32_t rank  # of its combining class
    uint32_t entry
    bint first  # first character of the decomposition of a source character


cdef inline void _mark(vector[uint8_t]& classes, const uint32_t (*ranges)[2], int64_t n, uint8_t bit) noexcept nogil:
    cdef int64_t i
    cdef uint32_t c
    for i in range(n):
        for c in range(ranges[i][0], ranges[i][1] + 1):
            classes[c] |= bit


cdef inline uint32_t _simple(
    uint32_t c, const vector[uint8_t]& classes, const vector[uint32_t]& symbol_of,
) noexcept nogil:
    """The entry of a character that is not changed any more."""
    if classes[c] & IS_SPACE:
        return BLANK
    if classes[c] & IS_PUNCTUATION:
        return ALONE
    return symbol_of[c]


cdef inline int64_t _decompose(uint32_t c, const vector[uint16_t]& nfd, uint32_t* out) noexcept nogil:
    cdef int64_t n = 0
    if 0xAC00 <= c < 0xD7A4:
        c -= 0xAC00
        out[0] = 0x1100 + c // 588
        out[1] = 0x1161 + c % 588 // 28
        out[2] = 0x11A7 + c % 28
        return 3 if c % 28 else 2
    if not nfd[c]:
        out[0] = c
        return 1
    while n < 4 and BERT_NFD[nfd[c] - 1][n + 1]:
        out[n] = BERT_NFD[nfd[c] - 1][n + 1]
        n += 1
    return n


cdef inline void build_entries(BertOptions options, const vector[uint32_t]& symbol_of, vector[uint32_t]& entries,
                               vector[uint32_t]& pool) except + nogil:
    """Fill `entries`, one for each code point, and `pool`. `symbol_of[c]` is the symbol of a code point, 0 for none."""
    cdef vector[uint8_t] classes, rank
    cdef vector[uint16_t] nfd, lower
    cdef vector[uint32_t] kept, form
    cdef uint32_t parts[4]
    cdef uint32_t c, d, entry, flags
    cdef int64_t i, j, n
    classes.assign(<size_t>CODE_POINTS, 0)
    rank.assign(<size_t>CHANGED_END, 0)
    nfd.assign(<size_t>CHANGED_END, 0)
    lower.assign(<size_t>CHANGED_END, 0)
    if options.clean_text:
        _mark(classes, BERT_CONTROL, CONTROLS, IS_CONTROL)
    _mark(classes, BERT_SPACE, SPACES, IS_SPACE)
    _mark(classes, BERT_PUNCTUATION, PUNCTUATIONS, IS_PUNCTUATION)
    if options.handle_chinese_chars:
        _mark(classes, BERT_CHINESE, CHINESES, IS_CHINESE)
    if options.strip_accents:
        _mark(classes, BERT_NONSPACING, NONSPACINGS, IS_NONSPACING)
        for i in range(NFDS):
            nfd[BERT_NFD[i][0]] = <uint16_t>(i + 1)
        for i in range(COMBININGS):
            rank[BERT_COMBINING[i][0]] = <uint8_t>BERT_COMBINING[i][1]
    if options.lowercase:
        for i in range(LOWERS):
            lower[BERT_LOWER[i][0]] = <uint16_t>(i + 1)

    entries = symbol_of
    pool.clear()
    for c in range(CODE_POINTS):
        if classes[c] == 0 and (
            c >= CHANGED_END
            or not (nfd[c] | lower[c] | rank[c]) and not (options.strip_accents and 0xAC00 <= c < 0xD7A4)
        ):
            continue
        if classes[c] & IS_CONTROL:
            entries[c] = NOTHING | CONTROL
            continue
        if classes[c] & IS_SPACE and options.clean_text:
            entries[c] = BLANK
            continue
        if c >= CHANGED_END:
            entries[c] = NOTHING if classes[c] & IS_NONSPACING else _simple(c, classes, symbol_of)
            continue
        if options.strip_accents:
            n = _decompose(c, nfd, parts)
        else:
            parts[0] = c
            n = 1
        flags = 0
        if options.strip_accents:
            if rank[parts[0]]:
                flags |= MARK
            if rank[parts[n - 1]]:
                flags |= TAIL
        kept.clear()
        form.clear()
        for i in range(n):
            d = parts[i]
            entry = NOTHING
            if not classes[d] & IS_NONSPACING:
                if rank[d]:
                    flags |= STAYS
                entry = <uint32_t>kept.size()
                if not lower[d]:
                    kept.push_back(_simple(d, classes, symbol_of))
                else:
                    j = 1
                    while j < 5 and BERT_LOWER[lower[d] - 1][j]:
                        kept.push_back(_simple(BERT_LOWER[lower[d] - 1][j], classes, symbol_of))
                        j += 1
                # No mark has a lower case of several characters: the form below holds one entry for each.
                entry = kept[entry]
            form.push_back(rank[d])
            form.push_back(entry)
        if classes[c] & IS_CHINESE:  # blanks on both sides keep marks away from it
            flags = 0
            if kept.size() == 1:
                entries[c] = ALONE if kept[0] < ALONE else kept[0]
                continue
            kept.insert(kept.begin(), <uint32_t>BLANK)
            kept.push_back(<uint32_t>BLANK)
        if not flags:
            if kept.size() == 0:
                entries[c] = NOTHING
                continue
            if kept.size() == 1:
                entries[c] = kept[0]
                continue
        entries[c] = SEVERAL | flags | <uint32_t>pool.size()
        pool.push_back(<uint32_t>kept.size())
        pool.insert(pool.end(), kept.begin(), kept.end())
        if flags:
            pool.push_back(<uint32_t>n)
            pool.insert(pool.end(), form.begin(), form.end())


cdef inline int64_t run_end(
    const uint32_t* entries, const char_t* text, int64_t n, int64_t p, bint* stays,
) noexcept nogil:
    """End of the combining marks after text[p]; `stays`: one of them, or of text[p], isn't removed and may change
    places."""
    cdef uint32_t entry = entries[text[p]]
    cdef bint found = (entry & STAYS) != 0
    p += 1
    while p < n:
        entry = entries[text[p]]
        if not entry & (MARK | CONTROL):
            break
        found = found or (entry & STAYS) != 0
        p += 1
    stays[0] = found
    return p


cdef inline void sort_run(const uint32_t* entries, const uint32_t* pool, const char_t* text, int64_t p, int64_t end,
                          vector[uint32_t]& kept, vector[int64_t]& at) except + nogil:
    """Canonical order of the run text[p:end]: the entries that stay and the position that the encoder gives each.

    The encoder aligns what it reorders by number, not by character: the k-th character that begins a decomposition is
    given the k-th source character's place, wherever it has moved.
    """
    cdef vector[Mark] form, ordered
    cdef vector[int64_t] source
    cdef int64_t counts[257]
    cdef Mark mark
    cdef uint32_t entry, index
    cdef int64_t i, q, seen = 0
    cdef size_t k
    for q in range(p, end):
        entry = entries[text[q]]
        if entry & CONTROL:
            continue
        source.push_back(q)
        index = entry & PAYLOAD
        index += pool[index] + 1
        for i in range(<int64_t>pool[index]):
            mark.rank = pool[index + 1 + 2 * i]
            mark.entry = pool[index + 2 + 2 * i]
            mark.first = i == 0
            form.push_back(mark)
    # Counting sort, stable; a character of class 0 can only be the first, and stays there.
    for i in range(257):
        counts[i] = 0
    for k in range(form.size()):
        counts[form[k].rank + 1] += 1
    for i in range(256):
        counts[i + 1] += counts[i]
    ordered.resize(form.size())
    for k in range(form.size()):
        ordered[counts[form[k].rank]] = form[k]
        counts[form[k].rank] += 1
    kept.clear()
    at.clear()
    for k in range(ordered.size()):
        if ordered[k].first:
            seen += 1
        if ordered[k].entry & KIND != NOTHING:
            kept.push_back(ordered[k].entry)
            at.push_back(source[seen - 1])
