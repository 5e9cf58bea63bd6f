"""Unigram tokens: the best path through the pieces of each word.

A text is normalised (Charsmap, then white space), cut into words that begin with the metaspace, and each word is cut
into the pieces whose scores add up to most. Scores are added in double precision in the encoder's order, so that even
ties that only rounding breaks fall alike.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memmove
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport Charsmap, decode, encode, find, utf8_length
from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL
from chunkfast._kernels.known_words cimport (
    LETTERS, KnownWords, LentWords, Word, WordPool, WordSet, key_of_bytes, recall, remember, word_key,
)
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t

cdef extern from "letters.h" nogil:
    int64_t cf_ink_end[T](const T* text, int64_t i, int64_t n) noexcept

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
    JOINS = 1 << 31  # may share a grapheme cluster with a neighbour that doesn't join

    UNKNOWN = 1  # bit of Lattice.back
    FIRST_INK = 33  # ! to ~: visible ASCII
    LAST_INK = 126
    LONGEST_RUN = 1000  # of visible ASCII that is read as one word, in characters
    BLOCK = 1024  # symbols of a word that are held back at least before its beginning is settled

    # prepend_scheme
    ALWAYS = 0
    FIRST = 1
    NEVER = 2


cdef struct Piece:  # a cell of the trie of pieces
    uint32_t parent
    uint32_t base  # child by symbol s stands at (base >> 1) + s; bit 0: a word of this spelling is one token
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
    uint32_t metaspace  # payload of the letter
    WordPool known
    vector[uint8_t] byte_of  # of symbols, in the keys of words: ASCII as it is; 0: a word with it has no key
    bint keeps_ink  # visible ASCII stays as it is
    uint64_t joined[256]  # bit b of [2 * a]: visible ASCII a and b stand in a row in some piece, or one of them is none
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
    int64_t room
    bint prefixed  # the first symbol is a metaspace that isn't in the text
    KnownWords* known
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
    cdef uint32_t at = (pieces[cell].base >> 1) + symbol
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


cdef inline bint is_one_token(const UnigramModel* model, const Lattice* word) noexcept nogil:
    cdef const Piece* pieces = model.pieces.data()
    cdef uint32_t cell = 0
    cdef int64_t i
    for i in range(word.n):
        cell = next_piece(pieces, cell, word.symbols[i] & SYMBOL)
        if cell == NO_CELL:
            return False
    return pieces[cell].base & 1


cdef inline bint key_of(const UnigramModel* model, const Lattice* word, Word* key) noexcept nogil:
    """The key of the letters after the metaspace; false where there is none."""
    cdef uint8_t bytes[16]
    cdef int64_t i, n = word.n - 1
    if not word.whole or not 0 < n <= LETTERS or word.symbols[0] != model.metaspace:
        return False
    for i in range(n):
        bytes[i] = model.byte_of[word.symbols[i + 1] & SYMBOL]
        if bytes[i] == 0:
            return False
    key[0] = key_of_bytes(bytes, n)
    return True


cdef inline int64_t count_note(uint32_t note) noexcept nogil:
    """Number of tokens by the note of a word: odd, a bit for each symbol that begins one; even, twice the number."""
    cdef int64_t count = 0
    if note & 1 == 0:
        return note >> 1
    while note:
        note &= note - 1
        count += 1
    return count


cdef inline uint32_t tell_word(const UnigramModel* model, Lattice* word, Tally* tally) except? 0 nogil:
    """Tell the tokens of the word. Returns its note, 0 where it has none."""
    cdef uint32_t note = 0
    cdef int64_t i = word.n
    if word.whole and is_one_token(model, word):
        token(tally, word.at[0])
        return 1
    try_pieces(model, word, word.n)
    settle(model, word, word.n, tally)
    if word.whole and i <= LETTERS + 1:
        while i > 0 and not word.back[i] & UNKNOWN:
            i -= word.back[i] >> 1
            note |= <uint32_t>1 << i
        if i > 0:
            note = 0
    for i in range(1, word.n + 1):
        word.back[i] = 0
    return note


cdef inline void begin_word(Lattice* word) noexcept nogil:
    word.n = word.done = 0
    word.score[0] = 0
    word.unknown = word.prefixed = False
    word.whole = True


cdef inline void end_word(const UnigramModel* model, Lattice* word, Tally* tally) except + nogil:
    """Tell the tokens of the word and begin the next one."""
    cdef Word key
    cdef WordSet* known
    cdef uint32_t note
    cdef int64_t i
    if word.n == 0:
        return
    if not key_of(model, word, &key):
        tell_word(model, word, tally)
    else:
        note = recall(word.known, key, &known)
        if note & 1 == 0:
            note = tell_word(model, word, tally)
            if note:
                remember(word.known, key, known, note)
        elif wants_tokens(tally, word.at[word.n - 1] + 1):
            for i in range(word.n):
                if note >> i & 1:
                    token(tally, word.at[i])
        else:
            tally.total += count_note(note)
    begin_word(word)


cdef cppclass Buffers:
    vector[uint32_t] symbols
    vector[int64_t] at
    vector[double] score
    vector[uint32_t] back


cdef inline void lend(Buffers* buffers, Lattice* word, int64_t room) except + nogil:
    """Give the word room for that many symbols, keeping what is there."""
    buffers.symbols.resize(room)
    buffers.at.resize(room)
    buffers.score.resize(room + 1)
    buffers.back.resize(room + 1)
    word.symbols = buffers.symbols.data()
    word.at = buffers.at.data()
    word.score = buffers.score.data()
    word.back = buffers.back.data()
    word.room = room


cdef inline void make_room(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally) except + nogil:
    """Settle what can be settled of a long word; where that is little, take more memory."""
    cdef int64_t end = 0, left, i
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
        for i in range(left + 1, word.n + 1):
            word.back[i] = 0
        word.back[0] = 0
        word.n = left
        word.done -= end
        word.prefixed = word.whole = False
    if word.n > word.room // 2:
        lend(buffers, word, word.room * 2)


cdef inline void push(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, uint32_t payload,
                      int64_t at) except + nogil:
    if word.n == word.room:
        make_room(model, word, buffers, tally)
    word.symbols[word.n] = payload
    word.at[word.n] = at
    word.n += 1


cdef inline void end_spaces(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally,
                            Reader* reader) except + nogil:
    """What the waiting spaces become; the word before them has ended."""
    if reader.spaces == 0:
        return
    if not model.split_blanks or (reader.spaces > 1 and model.squeeze_to_meta):
        push(model, word, buffers, tally, model.metaspace, reader.space_at)
        reader.worded = True
    reader.spaces = 0


cdef inline void emit(const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, Reader* reader,
                      uint32_t entry, int64_t at) except + nogil:
    """A character of the normalised text: a letter, space, metaspace or blank."""
    cdef uint32_t kind = entry & KIND
    reader.in_word = kind != SPACE
    if kind == SPACE:
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
        return
    reader.begun = True
    end_spaces(model, word, buffers, tally, reader)
    if kind == META:
        end_word(model, word, tally)
    elif kind == BLANK and model.split_blanks:
        end_word(model, word, tally)
        reader.worded = reader.in_word = False
        return
    elif not reader.worded and (model.scheme == ALWAYS or (model.scheme == FIRST and at == reader.start)):
        push(model, word, buffers, tally, model.metaspace, at)
        word.prefixed = True
    reader.worded = True
    push(model, word, buffers, tally, model.metaspace if kind == META else entry & PAYLOAD, at)


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


cdef inline uint32_t segment_note(const UnigramModel* model, const uint32_t* symbols, int64_t n) noexcept nogil:
    """Twice the number of tokens of up to LETTERS + 1 symbols of a word that no piece leaves; 0: it isn't sure."""
    cdef double best[LETTERS + 2][LETTERS + 2]  # score of the best path to each place, by its number of pieces
    cdef const Piece* pieces = model.pieces.data()
    cdef int64_t s, i, k, count = 0
    cdef uint32_t cell
    cdef bint single
    for i in range(n + 1):
        for k in range(n + 1):
            best[i][k] = -INFINITY
    best[0][0] = 0
    for s in range(n):
        cell = 0
        single = False
        for i in range(s + 1, n + 1):
            cell = next_piece(pieces, cell, symbols[i - 1] & SYMBOL)
            if cell == NO_CELL:
                break
            if pieces[cell].score == pieces[cell].score:
                if cell == model.unknown_cell:
                    return 0
                single = single or i == s + 1
                for k in range(s + 1):
                    best[i][k + 1] = max(best[i][k + 1], best[s][k] + pieces[cell].score)
        if not single:
            return 0
    for k in range(1, n + 1):
        if best[n][k] > best[n][count]:
            count = k
    for k in range(1, n + 1):
        if k != count and not best[n][count] - best[n][k] > model.margin:
            return 0
    return <uint32_t>count << 1


cdef inline int64_t count_segments(
    const UnigramModel* model, Lattice* word, const char_t* text, int64_t start, int64_t end, int64_t limit,
) noexcept nogil:
    """Number of tokens of the metaspace and text[start:end), which is visible ASCII; -1: it isn't sure."""
    cdef uint32_t symbols[LETTERS + 1]
    cdef const uint32_t* entries = model.entries.data()
    cdef Word key
    cdef WordSet* known
    cdef uint32_t note
    cdef int64_t p = start, q, i, n, total = 0
    while p < end:
        q = p + 1
        while q < end and model.joined[2 * text[q - 1] + (text[q] >> 6)] >> (text[q] & 63) & 1:
            q += 1
        if q - p > LETTERS or q - p == end - start:
            return -1
        word_key(text, p, q, limit, key)
        if p > start:
            key.mark()
        note = recall(word.known, key, &known)
        if note == 0:
            n = 0
            if p == start:
                symbols[0] = model.metaspace
                n = 1
            for i in range(p, q):
                symbols[n] = entries[text[i]]
                n += 1
            note = segment_note(model, symbols, n)
            if note == 0:
                return -1
            remember(word.known, key, known, note)
        total += count_note(note)
        p = q
    return total


cdef inline void tell_run(
    const UnigramModel* model, Lattice* word, Buffers* buffers, Tally* tally, int64_t shift, const char_t* text,
    int64_t start, int64_t end, int64_t limit,
) except + nogil:
    """Tell the tokens of a word: the metaspace and text[start:end), visible ASCII, which has been read up to `start`.

    A word is looked up first. If it isn't known it may still be counted by segments: no piece spans the place between
    two characters that are not `joined`, so that every path leads through it.

    The number of tokens of a segment is what the encoder finds, wherever the segment stands. Let a path P be chosen by
    the encoder, and m the pieces of a word at most, M the largest score. Sums in double precision, in order, are off by
    e = m * m * M * 2^-53 at most (all but exactly). As rounding is monotonous, the sum of P is not below that of any
    other path Q, and P not worse than Q by more than 2 e. If P had another number of pieces in the segment than the
    best path through the segment, which beats all those by more than `margin` > 2 e, P with that path in its place
    would be better by more than 2 e.
    """
    cdef Word key
    cdef WordSet* known = NULL
    cdef uint32_t note = 0
    cdef int64_t i, total
    cdef bint counts_only = not wants_tokens(tally, end - shift)
    if end - start <= LETTERS:
        word_key(text, start, end, limit, key)
        note = recall(word.known, key, &known)
    if note and counts_only:
        tally.total += count_note(note)
    elif note & 1:
        token(tally, word.at[0])
        for i in range(1, end - start + 1):
            if note >> i & 1:
                token(tally, start - shift + i - 1)
    else:
        total = count_segments(model, word, text, start, end, limit) if counts_only else -1
        if total >= 0:
            tally.total += total
            note = <uint32_t>total << 1
        else:
            for i in range(start + 1, end):
                push(model, word, buffers, tally, model.entries[text[i]], i - shift)
            note = tell_word(model, word, tally)
        if note and known != NULL:
            remember(word.known, key, known, note)
    begin_word(word)


cdef inline void scan_unigram(UnigramModel* model, const char_t* text, int64_t start, int64_t end,
                              Tally* tally) except + nogil:
    """The scan of counting.pxd.

    Safe cuts. Let neither text[p - 1] nor text[p] be able to share a grapheme cluster with what doesn't join, so that
    the charsmap reads them apart whatever stands around, and let each become one character.

    * Metaspace alone: where text[p] becomes a space or the metaspace, a word begins in both readings, with that
      metaspace: none is put before it. What is before p ends in the same word. Squeezing and stripping need text[p - 1]
      to be no space. With strip_left the right part would lose its first space: never safe.
    * WhitespaceSplit first: at p and at p + 1 where text[p] is white space: words lose it on both sides, and each gets
      a metaspace of its own. Not where runs become a metaspace.

    If characters were removed at the start, the encoder's positions lag, ranks with them: nothing is safe then.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef uint32_t entry, following, kind
    cdef int64_t p = start, q, room = max(64, min(<int64_t>BLOCK, 2 * (end - start)))
    cdef bint single = False, spaced = False, cuts
    cdef bint blanks_cut = model.split_blanks and not (model.squeeze and model.squeeze_to_meta)
    cdef Lattice word
    cdef Buffers buffers
    cdef Reader reader
    cdef LentWords known
    if p >= end:
        return
    known.borrow(model.known)
    word.known = known.words
    lend(&buffers, &word, room)
    word.n = word.done = 0
    word.score[0] = 0
    word.whole = True
    word.prefixed = word.unknown = False
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
        if (entry | following) & <uint32_t>JOINS or kind >= NOTHING:
            p = map_cluster(model, &word, &buffers, tally, &reader, text, p, end)
            if p < end:
                following = entries[text[p]]
            single = spaced = False
            continue
        if kind and (kind != BLANK or model.split_blanks):
            if kind != SPACE:
                end_spaces(model, &word, &buffers, tally, &reader)
            end_word(model, &word, tally)
            if tally.next <= p + 1:
                cuts = single and reader.shift == 0
                if model.split_blanks:
                    cuts = cuts and blanks_cut and kind != META
                else:
                    cuts = cuts and not model.strip_left and not (spaced and (model.squeeze or model.strip_right))
                boundary(tally, p, cuts)
            emit(model, &word, &buffers, tally, &reader, entry, p - reader.shift)
            if tally.next == p + 1 and p + 1 < end and blanks_cut and kind != META and reader.shift == 0:
                boundary(tally, p + 1, True)
        elif reader.worded and reader.spaces == 0 and word.n < word.room:
            word.symbols[word.n] = entry & PAYLOAD
            word.at[word.n] = p - reader.shift
            word.n += 1
            reader.in_word = True
        else:
            emit(model, &word, &buffers, tally, &reader, entry, p - reader.shift)
        reader.mapped = True
        reader.added = False
        single = True
        spaced = kind == SPACE
        p += 1
        # The first letter of a word: the rest of it may be read at once.
        if word.n == 2 and model.keeps_ink and FIRST_INK <= text[p - 1] <= LAST_INK and word.whole \
                and word.symbols[0] == model.metaspace:
            q = cf_ink_end(text, p, end)
            if q - p < LONGEST_RUN and (q == end or entries[text[q]] == SPACE):
                tell_run(model, &word, &buffers, tally, reader.shift, text, p - 1, q, end)
                p = q
                if p < end:
                    following = entries[text[p]]
    if not model.strip_right:
        end_spaces(model, &word, &buffers, tally, &reader)
    end_word(model, &word, tally)
