"""Words of Unigram that are told without a lattice: cut where no piece spans two letters, and known from call to call.

The proof that the encoder finds the same is in `tell_letters`.
"""
from libc.math cimport INFINITY

from chunkfast._kernels.counting cimport Tally, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL
from chunkfast._kernels.known_words cimport KnownWords, Word, WordSet, count_bits, ink_key, remember, word_key
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t
from chunkfast._kernels.unigram_lattice cimport (
    BLANK, JOINS, JOINS_BEFORE, KIND, META, Piece, SINGLE, SPACE, SYMBOL, UnigramModel, next_piece,
)

cdef enum:
    LONGEST_SEGMENT = 13  # in letters: a note has 14 bits, one of them for a metaspace
    LONGEST_CUT = 4_000  # word that is cut into segments, in letters
    UNSURE = -2


cdef inline uint32_t place_of_pair(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    return (a * <uint32_t>0x9E3779B1 ^ b * <uint32_t>0x85EBCA6B) >> model.joined_shift


cdef inline bint is_joined(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    """Whether two symbols may stand in a row in some piece."""
    cdef uint32_t place = place_of_pair(model, a, b)
    return model.joined.data()[place >> 6] >> (place & 63) & 1


cdef inline bint is_joined_ascii(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    return model.joined_ascii[2 * a + (b >> 6)] >> (b & 63) & 1


cdef inline bint is_letter_entry(const UnigramModel* model, uint32_t entry) noexcept nogil:
    entry &= KIND | <uint32_t>JOINS
    return entry == 0 or (entry == BLANK and not model.split_blanks)


cdef inline bint is_one_space(const UnigramModel* model, const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether CR LF stands at `p`, and the charsmap makes CR a space: it makes one of both then."""
    return p + 1 < end and text[p] == 13 and text[p + 1] == 10 and model.entries[13] == (SPACE | <uint32_t>JOINS)


cdef inline bint ends_word(const UnigramModel* model, const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether the letters before `p` are all there is of a word."""
    cdef uint32_t kind
    if p == end:
        return True
    kind = model.entries[text[p]] & (KIND | <uint32_t>JOINS)
    if kind != SPACE and kind != META and not (kind == BLANK and model.split_blanks):
        return is_one_space(model, text, p, end)
    return p + 1 == end or not model.entries[text[p + 1]] & <uint32_t>JOINS_BEFORE


cdef inline int64_t count_note(uint32_t note) noexcept nogil:
    """Number of tokens by the note of a word: odd, a bit for each symbol that begins one; even, twice the number."""
    return count_bits(note) if note & 1 else note >> 1

cdef inline uint32_t segment_note(const UnigramModel* model, const uint32_t* symbols, int64_t n) noexcept nogil:
    """The tokens of a segment, of 14 symbols at most, of a word.

    Odd: a bit for each symbol that begins one; even: twice their number, where the encoder may find them at other
    places; 0: it may find more or fewer.
    """
    cdef double best[LONGEST_SEGMENT + 2]  # score of the best path to each place, and of the best of all others
    cdef double second[LONGEST_SEGMENT + 2]
    cdef double by_count[LONGEST_SEGMENT + 2][LONGEST_SEGMENT + 2]  # the best by its number of pieces
    cdef int64_t back[LONGEST_SEGMENT + 2]
    cdef const Piece* pieces = model.pieces.data()
    cdef int64_t s, i, k, count = 0
    cdef double score
    cdef uint32_t cell, note = 0
    cdef bint single
    for i in range(n + 1):
        best[i] = second[i] = -INFINITY
        for k in range(n + 1):
            by_count[i][k] = -INFINITY
    best[0] = by_count[0][0] = 0
    for s in range(n):
        cell = 0
        single = False
        for i in range(s + 1, n + 1):
            cell = next_piece(pieces, cell, symbols[i - 1] & SYMBOL)
            if cell == NO_CELL:
                break
            score = pieces[cell].score
            if score != score:
                continue
            if cell == model.unknown_cell:
                return 0
            single = single or i == s + 1
            for k in range(s + 1):
                by_count[i][k + 1] = max(by_count[i][k + 1], by_count[s][k] + score)
            if best[s] + score > best[i]:
                second[i] = max(best[i], second[s] + score)
                best[i] = best[s] + score
                back[i] = s
            else:
                second[i] = max(second[i], best[s] + score)
        if not single:
            return 0
    if best[n] - second[n] > model.margin:
        i = n
        while i > 0:
            i = back[i]
            note |= <uint32_t>1 << i
        return note
    for k in range(1, n + 1):
        if by_count[n][k] > by_count[n][count]:
            count = k
    for k in range(1, n + 1):
        if k != count and not by_count[n][count] - by_count[n][k] > model.margin:
            return 0
    return <uint32_t>count << 1


cdef inline bint tell_note(uint32_t note, int64_t first, int64_t rest, int64_t end, Tally* tally) except -1 nogil:
    """Tell the tokens of letters up to `end`, the symbols of which are at `first`, `rest`, `rest` + 1, ...

    False, and nothing is told, where they are not sure.
    """
    if not wants_tokens(tally, end):
        tally.total += count_note(note)
        return note != 0
    if note & 1 == 0:
        return False
    token(tally, first)
    note >>= 1
    while note:
        if note & 1:
            token(tally, rest)
        note >>= 1
        rest += 1
    return True


cdef inline uint32_t note_of(const UnigramModel* model, KnownWords* words, const char_t* text, int64_t start,
                             int64_t end, int64_t limit, bint is_first) noexcept nogil:
    """`segment_note` of the letters text[start:end), if `is_first` behind the metaspace."""
    cdef uint32_t symbols[LONGEST_SEGMENT + 1]
    cdef Word key
    cdef WordSet* known
    cdef uint32_t note
    cdef int64_t p, n = 0
    if end - start > LONGEST_SEGMENT or not word_key(text, start, end, limit, key):
        return 0
    if not is_first:
        key.mark()
    note = words.recall(key, &known)
    if note == 0:
        if is_first:
            symbols[0] = model.metaspace
            n = 1
        for p in range(start, end):
            symbols[n] = model.entries[text[p]]
            n += 1
        note = segment_note(model, symbols, n)
        if note:
            remember(words, key, known, note)
    return note


cdef inline int64_t tell_segments(const UnigramModel* model, KnownWords* words, int64_t meta_at, const char_t* text,
                                  int64_t start, int64_t end, uint32_t* told, Tally* tally) except -1 nogil:
    """Tell the tokens of the metaspace, at `meta_at`, and of the letters from `start` on, segment by segment.

    Returns where the word ends, UNSURE where that or a token is not sure; some may be told then. If `told` is not NULL,
    a bit of it is set for each symbol that begins a token, of the first 14; it becomes 0 where that is not sure.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef uint32_t entry = entries[text[start]], following, note
    cdef int64_t s = start, p
    cdef bint unknown = False, sure = True
    cdef bint is_first = entry & SYMBOL and is_joined(model, model.metaspace & SYMBOL, entry & SYMBOL)
    if told != NULL:
        told[0] = 1
    if not is_first:
        if not model.metaspace_is_single:
            return UNSURE
        token(tally, meta_at)
    while True:
        p = s + 1
        following = entries[text[p]] if p < end else <uint32_t>SPACE
        if told == NULL and not is_first and tally.starts == NULL:  # letters that are joined to no others
            while entry & SINGLE and s < tally.next and is_letter_entry(model, following) \
                    and not is_joined(model, entry & SYMBOL, following & SYMBOL) and p - start <= LONGEST_CUT:
                tally.total += 1
                unknown = False
                s = p
                p += 1
                entry = following
                following = entries[text[p]] if p < end else <uint32_t>SPACE
        note = 1
        if entry & SYMBOL == 0:  # no piece has it: those that stand in a row are one token
            if model.byte_fallback:
                return UNSURE
            if unknown:
                note = 0
            else:
                token(tally, s)
            unknown = True
        else:
            unknown = False
            if p < end and text[s] < 128 and text[p] < 128:
                while p < end and text[p] < 128 and is_joined_ascii(model, text[p - 1], text[p]):
                    p += 1
                entry = entries[text[p - 1]]
                following = entries[text[p]] if p < end else <uint32_t>SPACE
            while is_letter_entry(model, following) and is_joined(model, entry & SYMBOL, following & SYMBOL):
                entry = following
                p += 1
                following = entries[text[p]] if p < end else <uint32_t>SPACE
            if p > s + 1 or is_first:
                note = note_of(model, words, text, s, p, end, is_first)
                if not tell_note(note, meta_at if is_first else s, s if is_first else s + 1, p, tally):
                    return UNSURE
                sure = sure and note & 1
            elif entry & SINGLE:
                token(tally, s)
            else:
                return UNSURE
        if told != NULL and s - start < LONGEST_SEGMENT:
            told[0] |= note if is_first else note << (s - start + 1)
        if not is_letter_entry(model, following):
            break
        if p - start > LONGEST_CUT:
            return UNSURE
        is_first = False
        s = p
        entry = following
    if told != NULL and not sure:
        told[0] = 0
    return p if ends_word(model, text, p, end) else UNSURE


cdef inline int64_t tell_letters(const UnigramModel* model, KnownWords* words, int64_t meta_at, const char_t* text,
                                 int64_t start, int64_t end, Tally* tally) except -1 nogil:
    """Tell the tokens of a word: the metaspace, at `meta_at`, and the letters from `start` on.

    Returns where it ends; `start`, and nothing is told, where it must be read as a whole.

    No piece spans the place between two letters that are not joined, so that every path leads through it: the word is
    cut there into segments. What the encoder finds in a segment is what is found in it alone. Let a path P be chosen
    by the encoder, and m the pieces of a word at most, M the largest score. Sums in double precision, in order, are
    off by e = m * m * M * 2^-53 at most (all but exactly). As rounding is monotonous, the sum of P is not below that
    of any other path Q, and P not worse than Q by more than 2 e. If P had other pieces in the segment than the best
    path through it, which beats all others by more than `margin` > 2 e, P with that path in its place would be better
    by more than 2 e. The same holds for the number of pieces.
    """
    cdef Word key
    cdef WordSet* known
    cdef Tally before
    cdef size_t starts
    cdef int64_t n = ink_key(text, start, end, key), stop
    cdef uint32_t note
    cdef bint plain = 0 < n <= LONGEST_SEGMENT and ends_word(model, text, start + n, end)
    if plain:
        note = words.recall(key, &known)
        if note and tell_note(note, meta_at, start, start + n, tally):
            return start + n
    before = tally[0]
    starts = tally.starts.size() if tally.starts != NULL else 0
    stop = tell_segments(model, words, meta_at, text, start, end, &note if plain else NULL, tally)
    if stop == UNSURE:
        tally[0] = before
        if tally.starts != NULL:
            tally.starts.resize(starts)
        return start
    if plain and stop == start + n:  # no visible character stands for the metaspace inside
        remember(words, key, known, note if note else <uint32_t>(tally.total - before.total) << 1)
    return stop


cdef inline int64_t tell_plain_words(const UnigramModel* model, KnownWords* words, const char_t* text, int64_t start,
                                     int64_t end, Tally* tally) except -1 nogil:
    """Tell the tokens of words of visible ASCII that are known, each behind one space, as far as there are others.

    A word ends at `start`. Returns where the last of them ends.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef int64_t p = start, q, n
    cdef Word key, next_key
    cdef WordSet* known
    cdef uint32_t note
    if p + 1 >= end or entries[text[p]] != SPACE:
        return p
    n = ink_key(text, p + 1, end, key)
    while 0 < n <= LONGEST_SEGMENT:
        q = p + 1 + n
        if tally.next <= q:
            break
        note = words.recall(key, &known)
        n = 0
        if q + 1 < end and entries[text[q]] == SPACE:
            n = ink_key(text, q + 1, end, next_key)
        if n == 0 and not ends_word(model, text, q, end):
            break
        if not note or not tell_note(note, p + 1 if model.split_blanks else p, p + 1, q, tally):
            break
        p = q
        key = next_key
    return p
