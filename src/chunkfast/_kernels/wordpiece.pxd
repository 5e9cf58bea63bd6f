"""BERT's tokens: words by BertNormalizer and BertPreTokenizer, cut by WordPiece, the longest piece first."""
from libc.stdint cimport INT64_MAX
from libcpp.vector cimport vector

from chunkfast._kernels.bert_normalizer cimport (
    ALONE, BLANK, KIND, MARK, NOTHING, PAYLOAD, SEVERAL, TAIL, run_end, sort_run,
)
from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL, Cell, child, is_key
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t

cdef extern from "single_words.h" nogil:
    int64_t cf_single_words[T](const uint32_t* entries, const T* text, int64_t i, int64_t n, uint32_t word,
                               uint32_t blank, int64_t& words) noexcept

cdef enum:
    USUAL_ROOM = 256  # symbols of a word that are kept on the stack
    LONGEST_EXPANSION = 4  # of one character by normalisation


cdef cppclass WordPieceModel:
    vector[uint32_t] entries  # one for each code point, see bert_normalizer.pxd
    vector[uint32_t] pool
    vector[Cell] trie
    uint32_t rest  # cell of the continuing prefix, NO_CELL where no token begins with it
    int64_t longest_word  # max_input_chars_per_word

cdef struct Word:  # the word that is being read
    uint32_t* symbols  # room for `room` of them
    int64_t* at  # position of each; NULL where nobody asks for positions
    int64_t n  # its length, which may be more than `room`
    int64_t room  # longest_word + 1, or more than the text can fill


cdef inline int64_t next_piece(const WordPieceModel* model, const Word* word, int64_t n, int64_t begin) noexcept nogil:
    """End of the longest token that starts at symbol `begin` of the word; `begin` itself where there is none."""
    cdef const Cell* trie = model.trie.data()
    cdef uint32_t cell = model.rest if begin else 0
    cdef int64_t i = begin, end = begin
    if cell == NO_CELL:
        return end
    while i < n:
        cell = child(trie, cell, word.symbols[i])
        if cell == NO_CELL:
            return end
        i += 1
        if is_key(trie, cell):
            end = i
    return end


cdef inline void end_word(const WordPieceModel* model, Word* word, Tally* tally) except + nogil:
    """Tell the tokens of the word and begin the next one. A word that can't be cut into tokens is one unknown token."""
    cdef int64_t begin = 0, end, pieces = 0, n = word.n
    if n == 0:
        return
    word.n = 0
    if n > model.longest_word:
        pieces = 1
    while begin < n and n <= model.longest_word:
        end = next_piece(model, word, n, begin)
        if end == begin:
            pieces = 1
            break
        pieces += 1
        begin = end
    if word.at == NULL or not wants_tokens(tally, word.at[min(n, word.room) - 1] + 1):
        tally.total += pieces
        return
    token(tally, word.at[0])
    begin = 0
    while pieces > 1:
        begin = next_piece(model, word, n, begin)
        token(tally, word.at[begin])
        pieces -= 1


cdef inline void take(const WordPieceModel* model, Word* word, Tally* tally, uint32_t entry, int64_t at) except + nogil:
    """One simple entry: a letter, a word by itself, white space, nothing."""
    if entry < ALONE:
        if word.n < word.room:
            word.symbols[word.n] = entry
            if word.at != NULL:
                word.at[word.n] = at
        word.n += 1
    elif entry & KIND != NOTHING:
        end_word(model, word, tally)
        if entry & KIND == ALONE:
            token(tally, at)


cdef inline int64_t take_several(const WordPieceModel* model, Word* word, Tally* tally, const char_t* text, int64_t p,
                                 int64_t end) except + nogil:
    """A character that becomes several or begins a run of marks. Returns the end of what was read."""
    cdef const uint32_t* pool = model.pool.data()
    cdef uint32_t entry = model.entries[text[p]], index = entry & PAYLOAD
    cdef int64_t after = p + 1, i
    cdef bint stays = False
    cdef vector[uint32_t] kept
    cdef vector[int64_t] at
    if entry & (MARK | TAIL):
        after = run_end(model.entries.data(), text, end, p, &stays)
        if stays:
            sort_run(model.entries.data(), pool, text, p, after, kept, at)
            for i in range(<int64_t>kept.size()):
                take(model, word, tally, kept[i], at[i])
            return after
    for i in range(<int64_t>pool[index]):
        take(model, word, tally, pool[index + 1 + i], p)
    return after


cdef inline int64_t read_plain_word(const WordPieceModel* model, const char_t* text, int64_t start, int64_t end,
                                    Tally* tally) except? -1 nogil:
    """Tell the tokens of the word of letters that starts at `start`, and return its end.

    `start` itself, and nothing is told, where the word holds or is followed by more than letters, or has a place in it
    that is asked for.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef const Cell* trie = model.trie.data()
    cdef int64_t p = start, begin = start, found = start, pieces = 0
    cdef size_t told = tally.starts.size() if tally.starts != NULL else 0
    cdef uint32_t cell = 0, below, entry
    while True:
        entry = entries[text[p]] if p < end else <uint32_t>BLANK
        if entry < ALONE:
            below = child(trie, cell, entry)
            if below != NO_CELL:
                cell = below
                p += 1
                if is_key(trie, cell):
                    found = p
                continue
        if found == begin:  # no token starts here: the whole word is an unknown one
            pieces = 0
            break
        pieces += 1
        if tally.starts != NULL:
            tally.starts.push_back(begin)
        if entry >= ALONE and found == p or model.rest == NO_CELL:
            break
        begin = p = found
        cell = model.rest
    while entry < ALONE:
        p += 1
        entry = entries[text[p]] if p < end else <uint32_t>BLANK
    if (entry != BLANK and entry != ALONE) or tally.next < p:
        if tally.starts != NULL:
            tally.starts.resize(told)
        return start
    if pieces == 0 or found < p or p - start > model.longest_word:
        pieces = 1
        if tally.starts != NULL:
            tally.starts.resize(told)
            tally.starts.push_back(start)
    tally.total += pieces
    return p


cdef inline int64_t read_plain(const WordPieceModel* model, const char_t* text, int64_t start, int64_t end,
                               Tally* tally) except? -1 nogil:
    """Read words of letters, white space and characters that are words by themselves, as far as there is nothing else.

    No word goes on at `start`. Returns the end of what was read.
    """
    cdef const uint32_t* entries = model.entries.data()
    cdef int64_t p = start, after
    cdef uint32_t entry
    while p < end:
        entry = entries[text[p]]
        if entry < ALONE:
            after = read_plain_word(model, text, p, end, tally)
            if after == p:
                break
            p = after
        elif entry == ALONE and tally.starts == NULL and p < tally.next - 1:  # up to the next position that is wanted
            p = cf_single_words(entries, text, p, min(end, tally.next - 1), <uint32_t>ALONE, <uint32_t>BLANK,
                                tally.total)
        elif entry == ALONE or entry == BLANK:
            boundary(tally, p, True)
            tally.total += entry == ALONE
            boundary(tally, p + 1, True)
            if tally.starts != NULL and entry == ALONE:
                tally.starts.push_back(p)
            p += 1
        else:
            break
    return p


cdef inline void read_words(const WordPieceModel* model, const char_t* text, int64_t start, int64_t end, Tally* tally,
                            Word* word) except + nogil:
    cdef uint32_t entry
    cdef int64_t p = start
    while True:
        if word.n == 0:
            p = read_plain(model, text, p, end, tally)
        if p == end:
            break
        entry = model.entries[text[p]]
        if entry & KIND == SEVERAL:
            p = take_several(model, word, tally, text, p, end)
            continue
        if entry < ALONE or entry & KIND == NOTHING:
            take(model, word, tally, entry, p)
        else:
            end_word(model, word, tally)
            boundary(tally, p, True)
            take(model, word, tally, entry, p)
            boundary(tally, p + 1, True)
        p += 1
    end_word(model, word, tally)


cdef inline void scan_wordpiece(const WordPieceModel* model, const char_t* text, int64_t start, int64_t end,
                                Tally* tally) except + nogil:
    """The scan of counting.pxd.

    Cuts beside white space and beside a character that is a word by itself are safe: words end there, so that all
    that could look across is canonical order, which sorts the combining marks that follow one another. A character of
    kind ALONE or BLANK is none and ends in none (then it would be of kind SEVERAL), so no mark moves past it, and a
    mark right after it begins a run in both readings.
    """
    cdef uint32_t symbols[USUAL_ROOM]
    cdef int64_t at[USUAL_ROOM]
    cdef vector[uint32_t] more_symbols
    cdef vector[int64_t] more_at
    cdef Word word
    word.n = 0
    word.room = model.longest_word + 1
    word.symbols = symbols
    word.at = at
    if word.room > USUAL_ROOM:
        word.room = min(word.room, LONGEST_EXPANSION * (end - start) + 1)
        more_symbols.resize(word.room)
        more_at.resize(word.room)
        word.symbols = more_symbols.data()
        word.at = more_at.data()
    if tally.starts == NULL and tally.next == INT64_MAX:
        word.at = NULL
    read_words(model, text, start, end, tally, &word)
