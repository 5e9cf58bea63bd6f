"""Byte-level BPE, its scan: pre-tokens, and parts of those, one after the other. Those met before are remembered, the
others are merged (`byte_merges.pxd`).
"""
from libc.stdint cimport INT32_MAX, uint64_t
from libc.string cimport memcmp
from libcpp.string cimport string
from libcpp.vector cimport vector

from chunkfast._kernels.added_tokens cimport ADDED_NONE, ADDED_SKIPPED, next_added
from chunkfast._kernels.byte_merges cimport (
    ByteBPE, IDEOGRAPHIC, LINEAR, Symbols, WINDOW, count_few, fill, merge, part_end, tell, tell_long,
)
from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.known_pretokens cimport KnownPretoken, KnownRun, known_pretokens
from chunkfast._kernels.known_words cimport (
    LETTERS, KnownWords, LentWords, Word, WordSet, add_pairs, count_bits, word_key,
)
from chunkfast._kernels.pretokens cimport Pattern, gap_end, match_end
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint32_t
from chunkfast._kernels.utf8 cimport encode_utf8

cdef enum:
    RECENT = 2048  # pre-tokens that a scan remembers at most
    BATCH = 32  # pre-tokens that are looked up in a row, so that they need not wait for the memory one by one


cdef inline bint is_whole(const ByteBPE& model, const char_t* text, int64_t start, int64_t end) except + nogil:
    cdef string encoded
    cdef uint8_t bytes_[4]
    cdef int64_t p
    if model.whole.empty() or <size_t>(end - start) > model.longest_whole:
        return False
    # No such token ends so.
    if not model.has_whole_parts and end - start > 1 and IDEOGRAPHIC <= text[end - 1] < 0x10000:
        return False
    for p in range(start, end):
        encoded.append(<char*>bytes_, encode_utf8(text[p], bytes_))
    return model.whole.count(encoded) != 0


cdef struct Recent:  # a pre-token of this text, seen before
    int64_t start
    bint is_part
    int32_t length
    int32_t count
    int64_t first  # its first token in tally.starts


cdef cppclass Scratch:
    Symbols symbols[2]
    LentWords known
    vector[Recent] recent  # hash table of the pre-tokens without a key met last; each takes the place of another
    size_t remembered  # its size, a power of two, once there is one
    vector[int64_t] barred[2]  # matches of special tokens by level, start and end of each: no cut inside is safe


cdef inline Word* word_place(const vector[Word]& table, int32_t shift, const Word* word, int width) noexcept nogil:
    """The entry of `width` keys in a table of words, or the free one, of a `low` of 0, where it would stand."""
    cdef size_t mask = table.size() - width
    cdef size_t i = ((word[0].hash() ^ (word[1].hash() >> 7 if width == 2 else 0)) >> shift) * width
    while table[i].low and not (table[i].same(word[0]) and (width == 1 or table[i + 1].same(word[1]))):
        i = (i + width) & mask
    return <Word*>&table[i]


cdef inline int word_keys(const char_t* text, int64_t start, int64_t end, int64_t limit, Word* word) noexcept nogil:
    """Number of keys that text[start:end) has in the tables of words, which go to `word`; 0: it can't be there."""
    cdef int64_t middle = min(start + LETTERS, end)
    if not word_key(text, start, middle, limit, word[0]) or word[0].is_wide():
        return 0
    if word[0].low == 0:  # marks free entries
        return 0
    if middle == end:
        return 1
    return 2 if word_key(text, middle, end, limit, word[1]) and not word[1].is_wide() else 0


cdef inline bint is_word(const ByteBPE& model, const char_t* text, int64_t start, int64_t end) noexcept nogil:
    cdef Word[2] word
    cdef int width = word_keys(text, start, end, end, word)
    if width == 1:
        return word_place(model.words, model.word_shift, word, 1).low != 0
    return width == 2 and word_place(model.long_words, model.long_word_shift, word, 2).low != 0


cdef inline uint64_t hash_of(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    cdef uint64_t value = 0
    cdef int64_t p
    for p in range(start, end):
        value = (value ^ text[p]) * 0x9E3779B97F4A7C15U
        value ^= value >> 29
    return value


cdef inline bint is_barred(const Scratch& scratch, int64_t p) noexcept nogil:
    cdef size_t low, high, middle
    cdef int level
    for level in range(2):
        low = 0
        high = scratch.barred[level].size() // 2
        while low < high:  # the first match that ends at p or after
            middle = (low + high) // 2
            if scratch.barred[level][2 * middle + 1] < p:
                low = middle + 1
            else:
                high = middle
        low *= 2
        if low < scratch.barred[level].size() and scratch.barred[level][low] < p < scratch.barred[level][low + 1]:
            return True
    return False


cdef cppclass Pretoken:
    int64_t start
    int64_t end
    bint safe  # to cut at its end
    bint is_part  # of a pre-token, and may be spelled as a token that merging does not give
    WordSet* known  # where it is looked for by its key; NULL: it has none
    Word key


cdef inline uint32_t look_up(
    const ByteBPE& model, Scratch& scratch, const char_t* text, const Pretoken* x,
) except? 0 nogil:
    """The note of a pre-token that has a key."""
    cdef uint32_t note = x.known.find(x.key)
    if note == 0:
        note = note_of(model, scratch.symbols[0], text, x)
        x.known.keep(x.key, note)
    scratch.known.words.show(x.known)
    return note


cdef inline void tell_pretokens(
    const ByteBPE& model, Scratch& scratch, const char_t* text, const Pretoken* pretokens, int64_t count, int64_t end,
    Tally* tally,
) except + nogil:
    """Tell the tokens of pre-tokens in a row of a piece that ends at `end`."""
    cdef const Pretoken* x
    cdef uint32_t note
    cdef int64_t i
    for i in range(count):
        x = pretokens + i
        if x.known == NULL:
            tell_long_pretoken(model, scratch, text, x, tally)
        else:
            note = look_up(model, scratch, text, x)
            if wants_tokens(tally, x.end):
                tell_note(note, x.key.is_wide(), x.start, tally)
            else:
                tally.total += count_note(note, x.key.is_wide())
        if tally.next <= x.end < end:
            boundary(tally, x.end, x.safe and not is_barred(scratch, x.end))


cdef inline bint is_token(const ByteBPE& model, const char_t* text, const Pretoken* x) except + nogil:
    """Whether a pre-token is one token, and need not be merged to see it."""
    return not x.is_part and (is_word(model, text, x.start, x.end) or is_whole(model, text, x.start, x.end))


cdef inline uint32_t note_of(
    const ByteBPE& model, Symbols& s, const char_t* text, const Pretoken* x,
) except + nogil:
    """How many tokens start at each character of a pre-token that has a key: a bit for each, two of a wide key.

    Two bits are enough: characters below U+FFFF have up to three bytes.
    """
    cdef int step = 2 if x.key.is_wide() else 1
    cdef uint32_t note = 0
    cdef int64_t i = 0
    if is_token(model, text, x):
        return 1
    fill(model, s, text, x.start, x.end, WINDOW, x.start)
    merge(model, s)
    while i < s.size:
        note += <uint32_t>1 << step * s.places[i]
        i = s.following[i]
    return note


cdef inline int64_t count_note(uint32_t note, bint wide) noexcept nogil:
    return add_pairs(note) if wide else count_bits(note)


cdef inline void tell_note(uint32_t note, bint wide, int64_t p, Tally* tally) except + nogil:
    cdef int step = 2 if wide else 1
    cdef uint32_t left
    while note:
        left = note & (3 if wide else 1)
        while left:
            token(tally, p)
            left -= 1
        note >>= step
        p += 1


cdef inline void tell_long_pretoken(
    const ByteBPE& model, Scratch& scratch, const char_t* text, const Pretoken* x, Tally* tally,
) except + nogil:
    cdef Recent* recent
    cdef Recent none
    cdef int64_t i, start = x.start, end = x.end, total = tally.total
    cdef bint counts_only = not wants_tokens(tally, end)
    if not counts_only and tally.starts == NULL or end - start > INT32_MAX:
        tell_merged(model, scratch.symbols, text, x, tally)
        return
    if scratch.recent.empty():
        none.length = 0
        scratch.recent.resize(scratch.remembered, none)
    recent = &scratch.recent[hash_of(text, start, end) & (scratch.recent.size() - 1)]
    if recent.length == end - start and recent.is_part == x.is_part \
            and same_text(text, recent.start, start, end - start):
        if counts_only:
            tally.total += recent.count
        else:
            for i in range(recent.count):
                token(tally, tally.starts[0][recent.first + i] - recent.start + start)
        return
    tell_merged(model, scratch.symbols, text, x, tally)
    recent.start = start
    recent.is_part = x.is_part
    recent.length = end - start
    recent.count = tally.total - total
    recent.first = total


cdef inline bint same_text(const char_t* text, int64_t a, int64_t b, int64_t length) noexcept nogil:
    return memcmp(text + a, text + b, length * sizeof(char_t)) == 0


cdef inline void tell_merged(
    const ByteBPE& model, Symbols* scratch, const char_t* text, const Pretoken* x, Tally* tally,
) except + nogil:
    cdef int64_t start = x.start, end = x.end
    if is_token(model, text, x):
        token(tally, start)
        return
    fill(model, scratch[0], text, start, end, WINDOW, start)
    if scratch.end < end:
        tell_long(model, scratch, scratch + 1, text, start, end, tally)
    elif wants_tokens(tally, end):
        merge(model, scratch[0])
        tell(scratch[0], scratch.size, start, tally)
    elif scratch.size <= LINEAR:
        tally.total += count_few(model, scratch.tokens.data(), scratch.size)
    else:
        tally.total += merge(model, scratch[0])


cdef inline void scan(
    ByteBPE& model, const Pattern& pattern, const char_t* text, int64_t start, int64_t end, Tally* tally,
) except + nogil:
    """Tell the tokens of text[start:end) as `counting.pxd` has it."""
    cdef Scratch scratch
    scratch.known.borrow(model.known)
    scratch.remembered = 64
    while scratch.remembered < RECENT and <int64_t>scratch.remembered * 16 < end - start:
        scratch.remembered *= 2
    scan_around(model, pattern, 0, text, start, end, scratch, tally)


cdef inline void scan_around(
    ByteBPE& model, const Pattern& pattern, int level, const char_t* text, int64_t start, int64_t end, Scratch& scratch,
    Tally* tally,
) except + nogil:
    """Tell the added tokens in text[start:end) and what is between them.

    Those of level 1, which the encoder matches in normalised text, are looked for between those of level 0.
    """
    cdef int64_t p = start, piece = start, first = 0, last = 0
    cdef uint8_t kind
    if level == 2:
        scan_piece(model, pattern, text, start, end, scratch, tally)
        return
    while model.added[level].counts and p < end:
        kind = next_added(model.added[level], text, p, end, &first, &last)
        if kind == ADDED_NONE:
            break
        p = last
        if kind == ADDED_SKIPPED:
            scratch.barred[level].push_back(first)
            scratch.barred[level].push_back(last)
            continue
        scan_around(model, pattern, level + 1, text, piece, first, scratch, tally)
        boundary(tally, first, not is_barred(scratch, first))
        token(tally, first)
        boundary(tally, last, not is_barred(scratch, last))
        scratch.barred[level].clear()
        piece = last
    scan_around(model, pattern, level + 1, text, piece, end, scratch, tally)
    scratch.barred[level].clear()


cdef inline void scan_piece(
    const ByteBPE& model, const Pattern& pattern, const char_t* text, int64_t start, int64_t end, Scratch& scratch,
    Tally* tally,
) except + nogil:
    """Tell the tokens of text[start:end), which holds no added token."""
    cdef Pretoken pretokens[BATCH]
    cdef KnownPretoken plain[BATCH]
    cdef KnownRun run
    cdef Pretoken* x
    cdef KnownWords* known = scratch.known.words
    cdef int64_t p = start, q, part, first, found, earlier, count = 0
    cdef uint64_t hash_
    cdef uint32_t note
    cdef bint counts_only = not wants_tokens(tally, end)
    run.seen = -1
    run.safe = False
    while p < end:
        q = p
        if char_t is not uint32_t and text[p] < 128:
            run.start = p
            if counts_only:
                known_pretokens(pattern.ascii.data(), pattern.loops, known, text, end, run, NULL, end)
                tally.total += run.tokens
            else:
                found = known_pretokens(pattern.ascii.data(), pattern.loops, known, text, end, run, plain, BATCH)
                if found:
                    tell_pretokens(model, scratch, text, pretokens, count, end, tally)
                    tell_known(scratch, plain, found, p, end, tally)
                    count = 0
            p = run.start
            q = run.end
        if q == p:
            earlier = run.seen
            q = match_end(pattern, text, p, end, &run.seen)
            if q == p:
                q = gap_end(pattern, text, p, end, &run.seen)
                earlier = run.seen if q - p > 1 else earlier
            run.safe = earlier < q
        first = p
        while p < q:
            part = q
            if char_t is not uint8_t:
                if q - first > 1 and text[q - 1] >= IDEOGRAPHIC:
                    part = part_end(model, text, p, first, q)
                    if part == p + 1 and counts_only:  # a symbol
                        tally.total += 1
                        p = part
                        continue
            x = pretokens + count
            x.known = NULL
            x.is_part = model.has_whole_parts and part - p < q - first
            if word_key(text, p, part, end, x.key):
                if x.is_part:
                    x.key.mark()
                hash_ = x.key.hash()
                note = known.glance(x.key, hash_) if counts_only else 0
                if note:
                    tally.total += 1 if note == 1 else count_note(note, x.key.is_wide())
                    p = part
                    continue
                x.known = known.set_of(hash_)
            x.start = p
            x.end = part
            x.safe = part == q and run.safe
            count += 1
            if count == BATCH:
                tell_pretokens(model, scratch, text, pretokens, count, end, tally)
                count = 0
            p = part
    tell_pretokens(model, scratch, text, pretokens, count, end, tally)


cdef inline void tell_known(
    const Scratch& scratch, const KnownPretoken* known, int64_t count, int64_t p, int64_t end, Tally* tally,
) except + nogil:
    """Tell the tokens of known pre-tokens in a row, the first of which starts at `p`, of a piece that ends at `end`."""
    cdef int64_t i
    for i in range(count):
        if wants_tokens(tally, known[i].end):
            tell_note(known[i].note, False, p, tally)
        else:
            tally.total += 1 if known[i].note == 1 else count_bits(known[i].note)
        p = known[i].end
        if tally.next <= p < end:
            boundary(tally, p, known[i].safe and not is_barred(scratch, p))
