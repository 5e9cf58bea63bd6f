"""Unigram tokens: the best path through the pieces of each word.

A text is normalised (Charsmap, then white space), cut into words that begin with the metaspace, and each word is cut
into the pieces whose scores add up to most. Scores are added in double precision in the encoder's order, so that even
ties that only rounding breaks fall alike.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memmove
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport Charsmap, decode, encode, find, utf8_length
from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL
from chunkfast._kernels.known_words cimport (
    KnownWords, LentWords, Word, WordPool, WordSet, count_bits, ink_key, recall, remember, word_key,
)
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t

cdef enum:
    # An entry: what becomes of a code point. A letter: its symbol (0 where no piece has it) and the bytes of its UTF-8.
    SYMBOL = (1 << 21) - 1
    BYTES = 21  # shift of the number of bytes, less one
    PAYLOAD = (1 << 24) - 1
    KIND = 7 << 24
    SPACE = 1 << 24  # U+0020
    META = 2 << 24  # the metaspace
    BLANK = 3 << 24  # other white space; its payload is that of a letter
    NOTHING = 4 << 24  # removed
    SEVERAL = 5 << 24  # pool[payload] entries follow it
    SINGLE = 1 << 27  # a letter that is a piece by itself, and not the unknown one
    # May share a grapheme cluster with a neighbour that doesn't join; with the one before it: all of those but CR
    JOINS = 1 << 31
    JOINS_BEFORE = 1 << 30

    UNKNOWN = 1  # bit of Lattice.back
    LONGEST_SEGMENT = 13  # in letters: a note has 14 bits, one of them for a metaspace
    LONGEST_CUT = 20_000  # word that is cut into segments, in letters
    UNSURE = -2
    BLOCK = 1024  # symbols of a word that are held back at least before its beginning is settled

    # prepend_scheme
    ALWAYS = 0
    FIRST = 1
    NEVER = 2


cdef struct Piece:  # a cell of the trie of pieces
    uint32_t parent
    uint32_t base  # child by symbol s stands at base + s
    double score  # NaN where no piece ends

cdef cppclass UnigramModel:
    vector[uint32_t] entries  # one for each code point, through the charsmap
    vector[uint32_t] plain  # the same without the charsmap
    vector[uint32_t] pool
    vector[Piece] pieces
    Charsmap charsmap
    uint32_t unknown_cell  # of the unknown piece's own spelling
    double unknown_score
    int64_t longest  # piece, in symbols
    uint32_t metaspace  # the letter
    bint metaspace_is_single
    WordPool known
    vector[uint64_t] joined  # bits by the hash of two symbols: clear where they stand in a row in no piece
    int joined_shift
    uint64_t joined_ascii[256]  # the same of letters, without a hash: bit b of [2 * a]
    double margin  # by which a path must be better to be so wherever it begins
    int scheme
    bint byte_fallback
    bint split_blanks  # WhitespaceSplit before Metaspace
    bint squeeze  # runs of spaces count as one
    bint squeeze_to_meta  # ... which is the metaspace rather than a space
    bint strip_left
    bint strip_right

cdef struct Lattice:  # the word that is being read
    uint32_t* symbols  # payloads of letters
    int64_t* at  # position of each
    double* score  # of the best path to each place
    uint32_t* back  # length of its last piece << 1 | UNKNOWN; 0: not reached
    int64_t n
    int64_t done  # places whose pieces have been tried
    int64_t room  # for symbols
    bint prefixed  # the first symbol is a metaspace that isn't in the text
    bint whole  # nothing of it is settled yet
    bint unknown  # what was settled last ended in an unknown token, which may go on

cdef struct Reader:
    int64_t start  # of the span
    int64_t shift  # characters removed at its start, by which the encoder's positions lag
    int64_t spaces  # waiting, of one run
    int64_t space_at  # the last of them
    bint mapped  # a character has come out of the charsmap
    bint begun  # ... and one that isn't a stripped space
    bint worded  # the word has begun: it gets no metaspace any more
    bint added  # the last character is aligned with the same one as the one before it
    bint in_word  # the last character is the last symbol of the word


cdef inline uint32_t next_piece(const Piece* pieces, uint32_t cell, uint32_t symbol) noexcept nogil:
    cdef uint32_t at = pieces[cell].base + symbol
    return at if pieces[at].parent == cell else <uint32_t>NO_CELL


cdef inline int64_t try_pieces(const UnigramModel* model, Lattice* word, int64_t stop) noexcept nogil:
    """Try all pieces that begin before `stop`. Returns the last place tried that no piece spans; 0 if there is none."""
    cdef const Piece* pieces = model.pieces.data()
    cdef int64_t s = word.done, i, n = word.n, reach = s, settled = 0
    cdef double so_far, score
    cdef uint32_t cell
    cdef bint single
    # What earlier calls reached.
    for i in range(s + 1, min(s + model.longest, n) + 1):
        if word.back[i]:
            reach = i
    while s < stop:
        if s == reach and s:
            settled = s
        so_far = word.score[s]
        cell = 0
        i = s
        single = False
        while i < n:
            cell = next_piece(pieces, cell, word.symbols[i] & SYMBOL)
            if cell == NO_CELL:
                break
            i += 1
            score = pieces[cell].score + so_far
            if score == score:
                if not word.back[i] or score > word.score[i]:
                    word.score[i] = score
                    word.back[i] = <uint32_t>(i - s) << 1 | (cell == model.unknown_cell)
                if i == s + 1:
                    single = True
                reach = max(reach, i)
        s += 1
        if not single:
            score = model.unknown_score + so_far
            if not word.back[s] or score > word.score[s]:
                word.score[s] = score
                word.back[s] = 1 << 1 | UNKNOWN
            reach = max(reach, s)
    word.done = s
    return settled


cdef inline int64_t unknown_tokens(const UnigramModel* model, const Lattice* word, int64_t a, int64_t b) noexcept nogil:
    """Number of tokens of the unknown stretch [a, b): its bytes under byte_fallback, unless it is a piece by chance."""
    cdef uint32_t cell = 0
    cdef int64_t i, bytes = 0
    if not model.byte_fallback:
        return 1
    for i in range(a, b):
        bytes += (word.symbols[i] >> BYTES) + 1
        if cell != NO_CELL:
            cell = next_piece(model.pieces.data(), cell, word.symbols[i] & SYMBOL)
    return 1 if cell != NO_CELL and model.pieces[cell].score == model.pieces[cell].score else bytes


cdef inline void settle(const UnigramModel* model, Lattice* word, int64_t end, Tally* tally) except + nogil:
    """Tell the tokens of the best path to `end`."""
    cdef int64_t i = end, total = 0, b, a
    cdef bint unknown = False
    cdef vector[int64_t] cuts
    if not wants_tokens(tally, word.at[end - 1] + 1):
        while i > 0:
            if word.back[i] & UNKNOWN:
                b = i
                while i > 0 and word.back[i] & UNKNOWN:
                    i -= word.back[i] >> 1
                if i > 0 or not word.unknown:
                    total += unknown_tokens(model, word, i, b)
            else:
                total += 1
                i -= word.back[i] >> 1
        tally.total += total
    else:
        while i > 0:
            cuts.push_back(i)
            i -= word.back[i] >> 1
        i = 0
        while not cuts.empty():
            a = i
            unknown = word.back[cuts.back()] & UNKNOWN
            i = cuts.back()
            cuts.pop_back()
            if not unknown:
                token(tally, word.at[a])
                continue
            while not cuts.empty() and word.back[cuts.back()] & UNKNOWN:
                i = cuts.back()
                cuts.pop_back()
            if a > 0 or not word.unknown:
                total = unknown_tokens(model, word, a, i)
                while total > 0:
                    token(tally, word.at[a])
                    total -= 1
    word.unknown = (word.back[end] & UNKNOWN) != 0


cdef inline int64_t count_note(uint32_t note) noexcept nogil:
    """Number of tokens by the note of a word: odd, a bit for each symbol that begins one; even, twice the number."""
    return count_bits(note) if note & 1 else note >> 1


cdef inline void begin_word(Lattice* word) noexcept nogil:
    word.n = word.done = 0
    word.score[0] = 0
    word.unknown = word.prefixed = False
    word.whole = True


cdef inline void end_word(const UnigramModel* model, Lattice* word, Tally* tally) except + nogil:
    """Tell the tokens of the word and begin the next one."""
    if word.n > 0:
        try_pieces(model, word, word.n)
        settle(model, word, word.n, tally)
        begin_word(word)


cdef cppclass Buffers:
    # Uninitialised: a scan of few symbols touches little of it.
    uint32_t symbols[BLOCK]
    int64_t at[BLOCK]
    double score[BLOCK + 1]
    uint32_t back[BLOCK + 1]
    # What a long word takes instead
    vector[uint32_t] more_symbols
    vector[int64_t] more_at
    vector[double] more_score
    vector[uint32_t] more_back


cdef inline void lend(Buffers* buffers, Lattice* word) noexcept nogil:
    word.symbols = buffers.symbols
    word.at = buffers.at
    word.score = buffers.score
    word.back = buffers.back
    word.room = BLOCK


cdef inline void lend_more(Buffers* buffers, Lattice* word) except + nogil:
    """Give a word that fills its room twice as much."""
    cdef int64_t room = 2 * word.room
    buffers.more_symbols.resize(room)
    buffers.more_at.resize(room)
    buffers.more_score.resize(room + 1)
    buffers.more_back.resize(room + 1)
    if word.room == BLOCK:
        memcpy(buffers.more_symbols.data(), buffers.symbols, sizeof(buffers.symbols))
        memcpy(buffers.more_at.data(), buffers.at, sizeof(buffers.at))
        memcpy(buffers.more_score.data(), buffers.score, sizeof(buffers.score))
        memcpy(buffers.more_back.data(), buffers.back, sizeof(buffers.back))
    word.symbols = buffers.more_symbols.data()
    word.at = buffers.more_at.data()
    word.score = buffers.more_score.data()
    word.back = buffers.more_back.data()
    word.room = room


cdef inline void make_room(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally) except + nogil:
    """Settle what can be settled of a long word; where that is little, take more memory."""
    cdef int64_t end = 0, left
    if word.n - model.longest > word.done:
        end = try_pieces(model, word, word.n - model.longest)
        if model.byte_fallback and end and word.back[end] & UNKNOWN:
            end = 0
    if end:
        settle(model, word, end, tally)
        left = word.n - end
        memmove(word.symbols, word.symbols + end, left * sizeof(uint32_t))
        memmove(word.at, word.at + end, left * sizeof(int64_t))
        memmove(word.score, word.score + end, (left + 1) * sizeof(double))
        memmove(word.back, word.back + end, (left + 1) * sizeof(uint32_t))
        word.back[0] = 0
        word.n = left
        word.done -= end
        word.prefixed = word.whole = False
    if word.n > word.room // 2:
        lend_more(buffers, word)


cdef inline void push(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, uint32_t payload,
                      int64_t at) except + nogil:
    if word.n == word.room:
        make_room(model, word, buffers, tally)
    word.symbols[word.n] = payload
    word.at[word.n] = at
    word.n += 1
    word.back[word.n] = 0


cdef inline void end_spaces(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally,
                            Reader* reader) except + nogil:
    """What the waiting spaces become; the word before them has ended."""
    if reader.spaces == 0:
        return
    if not model.split_blanks or (reader.spaces > 1 and model.squeeze_to_meta):
        push(model, word, buffers, tally, model.metaspace, reader.space_at)
        reader.worded = True
    reader.spaces = 0


cdef inline void begin_letters(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally,
                               Reader* reader, int64_t at) except + nogil:
    """What comes before a letter at `at`, if anything does."""
    reader.begun = reader.in_word = True
    end_spaces(model, word, buffers, tally, reader)
    if not reader.worded and (model.scheme == ALWAYS or (model.scheme == FIRST and at == reader.start)):
        push(model, word, buffers, tally, model.metaspace, at)
        word.prefixed = True
    reader.worded = True


cdef inline void emit(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, Reader* reader,
                      uint32_t entry, int64_t at) except + nogil:
    """A character of the normalised text: a letter, space, metaspace or blank."""
    cdef uint32_t kind = entry & KIND
    if kind == SPACE:
        reader.in_word = False
        if model.strip_left and not reader.begun:
            return
        reader.begun = True
        end_word(model, word, tally)
        if model.split_blanks or model.squeeze:
            if model.split_blanks:
                reader.worded = False
            reader.spaces += 1
            reader.space_at = at
        else:
            push(model, word, buffers, tally, model.metaspace, at)
            reader.worded = reader.in_word = True
    elif kind == META:
        reader.begun = reader.worded = reader.in_word = True
        end_spaces(model, word, buffers, tally, reader)
        end_word(model, word, tally)
        push(model, word, buffers, tally, model.metaspace, at)
    elif kind == BLANK and model.split_blanks:
        reader.begun = True
        end_spaces(model, word, buffers, tally, reader)
        end_word(model, word, tally)
        reader.worded = reader.in_word = False
    else:
        begin_letters(model, word, buffers, tally, reader, at)
        push(model, word, buffers, tally, entry & PAYLOAD, at)


cdef inline void substitute(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, Reader* reader,
                            int64_t p, int64_t k, const uint32_t* entries, int64_t n) except + nogil:
    """The charsmap makes `n` characters of the `k` at text[p].

    The encoder aligns them in order, those too many with the last. Where it makes none, the character before them is
    told to swallow them: if that was one too many, it is aligned with the first of them now; if there was none before
    them, they are forgotten, and all that follows is aligned `k` characters too early.
    """
    cdef int64_t j
    if n == 0:
        if not reader.mapped:
            reader.shift += k
        elif reader.added:
            if reader.spaces:
                reader.space_at = p - reader.shift
            elif reader.in_word:
                word.at[word.n - 1] = p - reader.shift
                if word.prefixed and word.n == 2:
                    word.at[0] = word.at[1]
        reader.added = False
        return
    for j in range(n):
        emit(model, word, buffers, tally, reader, entries[j], p - reader.shift + min(j, k - 1))
    reader.mapped = True
    reader.added = n > k


cdef inline void map_one(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, Reader* reader,
                         int64_t p, uint32_t entry) except + nogil:
    """One character by itself."""
    cdef const uint32_t* pool = model.pool.data()
    cdef uint32_t index
    entry &= ~<uint32_t>JOINS
    if entry & KIND == NOTHING:
        substitute(model, word, buffers, tally, reader, p, 1, NULL, 0)
    elif entry & KIND == SEVERAL:
        index = entry & PAYLOAD
        substitute(model, word, buffers, tally, reader, p, 1, pool + index + 1, pool[index])
    else:
        substitute(model, word, buffers, tally, reader, p, 1, &entry, 1)


cdef inline int64_t map_cluster(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally,
                                Reader* reader, const char_t* text, int64_t p, int64_t end) except + nogil:
    """A grapheme cluster: by a rule of its own if it is short, else character by character. Returns its end."""
    cdef int64_t after = next_grapheme(text, end, p), i, size = 0, found
    cdef uint8_t bytes[8]
    cdef vector[uint32_t] entries
    cdef size_t j
    if after > p + 1:
        for i in range(p, after):
            size += utf8_length(text[i])
            if size >= 6:
                break
        if size < 6:
            size = 0
            for i in range(p, after):
                size += encode(text[i], bytes + size)
            found = find(&model.charsmap, bytes, size)
            if found >= 0:
                decode(model.charsmap.strings.data() + found, entries)
                for j in range(entries.size()):
                    entries[j] = model.plain[entries[j]]
                substitute(
                    model, word, buffers, tally, reader, p, after - p, entries.data(), <int64_t>entries.size(),
                )
                return after
    for i in range(p, after):
        map_one(model, word, buffers, tally, reader, i, model.entries[text[i]])
    return after


cdef inline uint32_t place_of_pair(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    return (a * <uint32_t>0x9E3779B1 ^ b * <uint32_t>0x85EBCA6B) >> model.joined_shift


cdef inline bint is_joined(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    """Whether two symbols may stand in a row in some piece."""
    cdef uint32_t place = place_of_pair(model, a, b)
    return model.joined.data()[place >> 6] >> (place & 63) & 1


cdef inline bint is_joined_ascii(const UnigramModel* model, uint32_t a, uint32_t b) noexcept nogil:
    return model.joined_ascii[2 * a + (b >> 6)] >> (b & 63) & 1


cdef inline bint is_letter(const UnigramModel* model, uint32_t entry) noexcept nogil:
    entry &= KIND | <uint32_t>JOINS
    return entry == 0 or (entry == BLANK and not model.split_blanks)


cdef inline bint is_line_end(const UnigramModel* model, const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether CR LF stands at `p`, and the charsmap makes CR a space: it makes one of both then."""
    return p + 1 < end and text[p] == 13 and text[p + 1] == 10 and model.entries[13] == (SPACE | <uint32_t>JOINS)


cdef inline bint ends_word(const UnigramModel* model, const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether the letters before `p` are all there is of a word."""
    cdef uint32_t kind
    if p == end:
        return True
    kind = model.entries[text[p]] & (KIND | <uint32_t>JOINS)
    if kind != SPACE and kind != META and not (kind == BLANK and model.split_blanks):
        return is_line_end(model, text, p, end)
    return p + 1 == end or not model.entries[text[p + 1]] & <uint32_t>JOINS_BEFORE


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
    note = recall(words, key, &known)
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
            while entry & SINGLE and s < tally.next and is_letter(model, following) \
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
            while is_letter(model, following) and is_joined(model, entry & SYMBOL, following & SYMBOL):
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
        if not is_letter(model, following):
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
        note = recall(words, key, &known)
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
    if plain:
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
        note = recall(words, key, &known)
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


cdef inline void scan_unigram(UnigramModel* model, const char_t* text, int64_t start, int64_t end,
                              Tally* tally) except + nogil:
    """The scan of counting.pxd.

    Safe cuts. Let neither text[p - 1] nor text[p] be able to share a grapheme cluster with what doesn't join, so that
    the charsmap reads them apart whatever stands around, and let each become one character. CR LF counts as one.

    * Metaspace alone: where text[p] becomes a space or the metaspace, a word begins in both readings, with that
      metaspace: none is put before it. What is before p ends in the same word. Squeezing and stripping need text[p - 1]
      to be no space. With strip_left the right part would lose its first space: never safe.
    * WhitespaceSplit first: at p and at p + 1 where text[p] is white space: words lose it on both sides, and each gets
      a metaspace of its own. Not where runs become a metaspace.

    If characters were removed at the start, the encoder's positions lag, ranks with them: nothing is safe then.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef uint32_t entry, following, kind
    cdef int64_t p = start, q
    cdef bint single = False, spaced = False, cuts
    cdef int64_t width  # of a space: 2 for CR LF
    cdef bint plain_words = model.scheme == ALWAYS or not model.split_blanks
    cdef bint blanks_cut = model.split_blanks and not (model.squeeze and model.squeeze_to_meta)
    cdef Lattice word
    cdef Buffers buffers
    cdef Reader reader
    cdef LentWords known
    if p >= end:
        return
    known.borrow(model.known)
    lend(&buffers, &word)
    word.back[0] = 0
    begin_word(&word)
    reader.start = start
    reader.shift = reader.spaces = reader.space_at = 0
    reader.begun = reader.mapped = reader.worded = reader.added = reader.in_word = False
    following = entries[text[p]]
    while p < end:
        entry = following
        if p + 1 < end:
            following = entries[text[p + 1]]
        else:
            following = 0
        kind = entry & KIND
        width = 1
        if kind == SPACE and is_line_end(model, text, p, end):
            width = 2
            following = entries[text[p + 2]] if p + 2 < end else 0
        elif (entry | following << 1) & <uint32_t>JOINS or kind >= NOTHING:
            p = map_cluster(model, &word, &buffers, tally, &reader, text, p, end)
            if p < end:
                following = entries[text[p]]
            single = spaced = False
            continue
        reader.mapped = True
        reader.added = False
        if kind == 0 or (kind == BLANK and not model.split_blanks):
            single = True
            spaced = False
            begin_letters(model, &word, &buffers, tally, &reader, p - reader.shift)
            if word.n == 1 and word.whole and word.symbols[0] == model.metaspace and reader.shift == 0:
                q = tell_letters(model, known.words, word.at[0], text, p, end, tally)
                if q > p:
                    begin_word(&word)
                    p = tell_plain_words(model, known.words, text, q, end, tally) if plain_words else q
                    if p < end:
                        following = entries[text[p]]
                    continue
            push(model, &word, &buffers, tally, entry & PAYLOAD, p - reader.shift)
        else:
            if kind != SPACE:
                end_spaces(model, &word, &buffers, tally, &reader)
            end_word(model, &word, tally)
            if tally.next <= p + width:
                cuts = single and reader.shift == 0
                if model.split_blanks:
                    cuts = cuts and blanks_cut and kind != META
                else:
                    cuts = cuts and not model.strip_left and not (spaced and (model.squeeze or model.strip_right))
                boundary(tally, p - reader.shift, cuts)
            emit(model, &word, &buffers, tally, &reader, entry, p - reader.shift)
            if tally.next == p + width and p + width < end and blanks_cut and kind != META and reader.shift == 0:
                boundary(tally, p + width, True)
            single = True
            spaced = kind == SPACE
            p += width - 1
        p += 1
    if not model.strip_right:
        end_spaces(model, &word, &buffers, tally, &reader)
    end_word(model, &word, tally)
