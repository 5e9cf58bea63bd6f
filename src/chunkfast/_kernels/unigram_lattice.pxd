"""A Unigram model, and the best path through the pieces of one word.

Scores are added in double precision in the encoder's order, so that even ties that only rounding breaks fall alike.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memmove
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport Charsmap
from chunkfast._kernels.counting cimport Tally, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL
from chunkfast._kernels.known_words cimport WordPool
from chunkfast._kernels.text cimport int64_t, uint32_t

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
    BLOCK = 1024  # symbols of a word that are held back at least before its beginning is settled


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
