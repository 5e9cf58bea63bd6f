"""Unigram tokens: the best path through the pieces of each word.

A text is normalised (Charsmap, then white space), cut into words that begin with the metaspace, and each word is cut
into the pieces whose scores add up to most. Scores are added in double precision in the encoder's order, so that even
ties that only rounding breaks fall alike.
"""
from libc.math cimport NAN
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memmove
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport Charsmap, decode, encode, find, utf8_length
from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL, Cell
from chunkfast._kernels.graphemes cimport G_CONTROL, G_LF, next_grapheme
from chunkfast._kernels.text cimport (
    EXT_PICT, GCB_MASK, INCB_MASK, cf_class, char_t, int64_t, uint16_t, uint32_t,
)
from chunkfast._kernels.word_cache cimport LETTERS, CachedWord, WordCache, clear_words, word_slot

cdef extern from "bert_tables.h" nogil:
    const uint32_t BERT_SPACE[1][2]
    const int64_t SPACES "sizeof(BERT_SPACE) / 8"

cdef enum:
    CODE_POINTS = 0x110000
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
    WordCache* cache
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


cdef inline uint64_t key_of(const UnigramModel* model, const Lattice* word) noexcept nogil:
    """The letters after the metaspace as bytes; 0 for a word that can't be kept."""
    cdef uint64_t key = 0
    cdef uint32_t symbol
    cdef int64_t i
    if not word.whole or word.n > LETTERS + 1 or word.symbols[0] != model.metaspace:
        return 0
    for i in range(1, word.n):
        symbol = word.symbols[i] & SYMBOL
        if symbol - 1 >= 255:
            return 0
        key = key << 8 | symbol
    return key


cdef inline void end_word(const UnigramModel* model, Lattice* word, Tally* tally) except + nogil:
    """Tell the tokens of the word and begin the next one."""
    cdef uint64_t key
    cdef uint32_t starts  # bit i: a token starts at symbol i
    cdef CachedWord* kept
    cdef int64_t i
    if word.n == 0:
        return
    key = key_of(model, word)
    kept = word_slot(word.cache, key)
    if key and kept.key == key:
        starts = kept.note
        if starts == 1:
            token(tally, word.at[0])
        elif wants_tokens(tally, word.at[word.n - 1] + 1):
            for i in range(word.n):
                if starts >> i & 1:
                    token(tally, word.at[i])
        else:
            while starts:
                starts &= starts - 1
                tally.total += 1
    elif word.whole and is_one_token(model, word):
        token(tally, word.at[0])
        if key:
            kept.key = key
            kept.note = 1
    else:
        try_pieces(model, word, word.n)
        settle(model, word, word.n, tally)
        if key:
            starts = 0
            i = word.n
            while i > 0 and not word.back[i] & UNKNOWN:
                i -= word.back[i] >> 1
                starts |= <uint32_t>1 << i
            if i == 0:
                kept.key = key
                kept.note = starts
        for i in range(1, word.n + 1):
            word.back[i] = 0
    word.n = word.done = 0
    word.score[0] = 0
    word.unknown = word.prefixed = False
    word.whole = True


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


cdef inline void scan_unigram(const UnigramModel* model, const char_t* text, int64_t start, int64_t end,
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
    cdef int64_t p = start, room = max(64, min(<int64_t>BLOCK, 2 * (end - start)))
    cdef bint single = False, spaced = False, cuts
    cdef bint blanks_cut = model.split_blanks and not (model.squeeze and model.squeeze_to_meta)
    cdef Lattice word
    cdef Buffers buffers
    cdef Reader reader
    cdef WordCache cache
    if p >= end:
        return
    clear_words(&cache)
    word.cache = &cache
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
    if not model.strip_right:
        end_spaces(model, &word, &buffers, tally, &reader)
    end_word(model, &word, tally)


cdef inline bint keeps_blanks(const UnigramModel* model) except + nogil:
    """Whether white space other than spaces can come out of the charsmap."""
    cdef const uint8_t* strings = model.charsmap.strings.data()
    cdef vector[uint32_t] image
    cdef int64_t k, i = 0
    cdef size_t j
    for k in range(SPACES):
        for j in range(BERT_SPACE[k][0], BERT_SPACE[k][1] + 1):
            if model.entries[j] & KIND == BLANK:
                return True
    while i < <int64_t>model.charsmap.strings.size():
        if strings[i] == 0:
            i += 1
            continue
        image.clear()
        decode(strings + i, image)
        for j in range(image.size()):
            if model.plain[image[j]] & KIND == BLANK:
                return True
            i += utf8_length(image[j])
    return False


cdef inline void build_unigram(UnigramModel* model, const vector[Cell]& cells, const vector[uint32_t]& cell_of,
                               const vector[double]& scores, int64_t unknown, const vector[uint32_t]& symbols,
                               const vector[int64_t]& ends, const vector[uint32_t]& symbol_of) except + nogil:
    """Make the tables from the trie of the pieces; `unknown`: index of the unknown piece, -1 if it has no spelling."""
    cdef uint32_t c, i, at
    cdef uint16_t flags
    cdef int64_t k, j, begin, found
    cdef uint8_t bytes[8]
    cdef vector[uint32_t] image
    cdef Lattice word
    cdef Buffers buffers
    # Pieces
    model.pieces.resize(cells.size())
    for i in range(<uint32_t>cells.size()):
        model.pieces[i].parent = cells[i].parent
        model.pieces[i].base = cells[i].base & ~<uint32_t>1
        model.pieces[i].score = NAN
    model.longest = 1
    for k in range(<int64_t>ends.size()):
        model.pieces[cell_of[k]].score = scores[k]
        begin = ends[k - 1] if k else 0
        model.longest = max(model.longest, ends[k] - begin)
    model.unknown_cell = cell_of[unknown] if unknown >= 0 else <uint32_t>NO_CELL
    # Entries
    model.plain.assign(<size_t>CODE_POINTS, 0)
    for c in range(CODE_POINTS):
        model.plain[c] = symbol_of[c] | <uint32_t>(utf8_length(c) - 1) << BYTES
    for k in range(SPACES):
        for c in range(BERT_SPACE[k][0], BERT_SPACE[k][1] + 1):
            model.plain[c] |= BLANK
    model.plain[32] = SPACE
    c = model.metaspace
    model.metaspace = model.plain[c] & PAYLOAD
    model.plain[c] = META
    model.entries = model.plain
    if not model.charsmap.units.empty():
        for c in range(CODE_POINTS):
            found = find(&model.charsmap, bytes, encode(c, bytes))
            if found >= 0:
                image.clear()
                decode(model.charsmap.strings.data() + found, image)
                if image.size() == 1:
                    model.entries[c] = model.plain[image[0]]
                elif image.empty():
                    model.entries[c] = NOTHING
                else:
                    model.entries[c] = SEVERAL | <uint32_t>model.pool.size()
                    model.pool.push_back(<uint32_t>image.size())
                    for j in range(<int64_t>image.size()):
                        model.pool.push_back(model.plain[image[j]])
            flags = cf_class(c) & (GCB_MASK | EXT_PICT | INCB_MASK)
            if flags and flags != G_CONTROL and flags != G_LF:
                model.entries[c] |= <uint32_t>JOINS
    # Words that are one token
    lend(&buffers, &word, model.longest)
    for k in range(<int64_t>ends.size()):
        begin = ends[k - 1] if k else 0
        if symbols[begin] != model.metaspace & SYMBOL:
            continue
        word.n = ends[k] - begin
        word.done = 0
        word.score[0] = 0
        for j in range(word.n):
            word.symbols[j] = symbols[begin + j]
            word.back[j + 1] = 0
        try_pieces(model, &word, word.n)
        if word.back[word.n] == <uint32_t>word.n << 1:
            at = cell_of[k]
            model.pieces[at].base |= 1
