"""BPE over characters with byte fallback (Llama 2, Mistral, Gemma): the whole text is one merge problem.

It falls apart by itself: two neighbouring characters that no merge joins, as the last of its left and the first of its
right token, always end up in different tokens, and what happens on one side never matters on the other. So the text is
cut there, and the pieces, which are words or less, are merged alone. A piece that is long all the same is merged with a
heap.
"""
from libc.stdint cimport uint64_t
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from chunkfast._kernels.counting cimport Tally, boundary, token, wants_tokens
from chunkfast._kernels.double_array cimport NO_CELL, Cell, child, is_key
from chunkfast._kernels.word_cache cimport CachedWord, WordCache, clear_words, word_slot
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t

cdef enum:
    BYTES = 1 << 24  # entry of a character without a token of its own: BYTES + the length of its UTF-8
    FEW = 48  # symbols of a piece that are merged without a heap
    NO_RANK = 0xFFFFFFFF

    # What is put before a text
    PUT_NOTHING = 0
    PUT_ALWAYS = 1
    PUT_MISSING = 2  # unless the text begins with the metaspace


cdef struct Merge:
    uint64_t pair  # token ids, left << 32 | right; ~0 where the slot is free
    uint32_t rank
    uint32_t result

cdef cppclass CharBPE:
    vector[uint32_t] entries  # symbol of each code point (1 to 2^24), or BYTES + n; a space is the metaspace
    vector[uint32_t] token_of  # symbol -> token id
    vector[uint64_t] joints  # hash set of the symbols that some merge joins, left << 32 | right
    vector[Merge] merges  # hash table
    vector[Cell] trie  # of the spellings that end up as one token
    uint32_t metaspace  # symbol
    int put

cdef struct Symbol:
    uint32_t id
    uint32_t rank  # of the merge with the next one
    int64_t at
    int64_t next  # index, -1 at the end
    int64_t previous


cdef inline uint64_t mix(uint64_t key) noexcept nogil:
    key *= 0x9E3779B97F4A7C15U
    return key ^ key >> 29


cdef inline bint joins(const CharBPE* model, uint32_t left, uint32_t right) noexcept nogil:
    cdef uint64_t mask = model.joints.size() - 1, key = <uint64_t>left << 32 | right, slot = mix(key) & mask
    cdef const uint64_t* joints = model.joints.data()
    while joints[slot] != key:
        if joints[slot] == 0:
            return False
        slot = slot + 1 & mask
    return True


cdef inline const Merge* find_merge(const CharBPE* model, uint32_t left, uint32_t right) noexcept nogil:
    cdef uint64_t mask = model.merges.size() - 1, key = <uint64_t>left << 32 | right, slot = mix(key) & mask
    cdef const Merge* merges = model.merges.data()
    while merges[slot].pair != key:
        if merges[slot].pair == ~<uint64_t>0:
            return NULL
        slot = slot + 1 & mask
    return &merges[slot]


cdef inline uint32_t rank_of(const CharBPE* model, uint32_t left, uint32_t right) noexcept nogil:
    cdef const Merge* merge = find_merge(model, left, right)
    return NO_RANK if merge == NULL else merge.rank


cdef inline int64_t merge_few(const CharBPE* model, Symbol* symbols, int64_t n) noexcept nogil:
    """Merge the symbols in place, lowest rank first, leftmost among equals. Returns how many are left."""
    cdef int64_t i, best
    cdef uint32_t rank
    for i in range(n - 1):
        symbols[i].rank = rank_of(model, symbols[i].id, symbols[i + 1].id)
    while n > 1:
        best = 0
        rank = symbols[0].rank
        for i in range(1, n - 1):
            if symbols[i].rank < rank:
                rank = symbols[i].rank
                best = i
        if rank == NO_RANK:
            break
        symbols[best].id = find_merge(model, symbols[best].id, symbols[best + 1].id).result
        n -= 1
        for i in range(best + 1, n):
            symbols[i] = symbols[i + 1]
        if best > 0:
            symbols[best - 1].rank = rank_of(model, symbols[best - 1].id, symbols[best].id)
        if best + 1 < n:
            symbols[best].rank = rank_of(model, symbols[best].id, symbols[best + 1].id)
    return n


cdef inline void _offer(const CharBPE* model, priority_queue[uint64_t]& queue, const Symbol* symbols,
                        int64_t i) except + nogil:
    cdef uint32_t rank
    if i < 0 or symbols[i].next < 0:
        return
    rank = rank_of(model, symbols[i].id, symbols[symbols[i].next].id)
    if rank != NO_RANK:
        queue.push(~(<uint64_t>rank << 32 | <uint64_t>i))


cdef inline int64_t merge_many(const CharBPE* model, Symbol* symbols, int64_t n) except -1 nogil:
    """The same with a heap: n log n."""
    cdef priority_queue[uint64_t] queue
    cdef uint64_t top
    cdef int64_t i, right, left = 0
    cdef const Merge* merge
    for i in range(n):
        symbols[i].previous = i - 1
        symbols[i].next = i + 1 if i + 1 < n else -1
    for i in range(n - 1):
        _offer(model, queue, symbols, i)
    while not queue.empty():
        top = ~queue.top()
        queue.pop()
        i = <int64_t>(top & 0xFFFFFFFFU)
        right = symbols[i].next
        if right < 0:  # the last one, or merged into another
            continue
        merge = find_merge(model, symbols[i].id, symbols[right].id)
        if merge == NULL or merge.rank != top >> 32:
            continue
        symbols[i].id = merge.result
        symbols[i].next = symbols[right].next
        if symbols[i].next >= 0:
            symbols[symbols[i].next].previous = i
        symbols[right].next = -2
        _offer(model, queue, symbols, symbols[i].previous)
        _offer(model, queue, symbols, i)
    i = 0
    while i >= 0:
        right = symbols[i].next
        symbols[left] = symbols[i]
        left += 1
        i = right
    return left


cdef inline uint64_t add_letter(uint64_t key, uint32_t symbol) noexcept nogil:
    """The letters of a piece as bytes after a 1; 0 from the first on that is one too many, or too rare for that."""
    return key << 8 | symbol if key and symbol < 256 and key >> 56 == 0 else 0


cdef inline void end_piece(const CharBPE* model, vector[Symbol]& piece, uint32_t cell, uint64_t key, WordCache* cache,
                           Tally* tally) except + nogil:
    """Tell the tokens of the piece and begin the next one.

    Its symbols led to `cell` of the trie, and are the bytes of `key` if that is not 0.
    """
    cdef int64_t n = <int64_t>piece.size(), i
    cdef CachedWord* kept = word_slot(cache, key)  # the number of its tokens
    if n == 0:
        return
    if n == 1 or (cell != NO_CELL and is_key(model.trie.data(), cell)):
        token(tally, piece[0].at)
    elif key and kept.key == key and not wants_tokens(tally, piece[n - 1].at + 1):
        tally.total += kept.note
    else:
        i = piece[n - 1].at
        n = merge_few(model, piece.data(), n) if n <= FEW else merge_many(model, piece.data(), n)
        if key:
            kept.key = key
            kept.note = <uint32_t>n
        if wants_tokens(tally, i + 1):
            for i in range(n):
                token(tally, piece[i].at)
        else:
            tally.total += n
    piece.clear()


cdef inline void scan_char_bpe(const CharBPE* model, const char_t* text, int64_t start, int64_t end,
                               Tally* tally) except + nogil:
    """The scan of counting.pxd.

    Safe cuts: where no merge joins the two characters, if the right part is given no metaspace of its own: none is ever
    put before a text, or it begins with one.
    """
    cdef const Cell* trie = model.trie.data()
    cdef vector[Symbol] piece
    cdef Symbol symbol
    cdef uint32_t entry, last = 0, cell = 0
    cdef uint64_t key = 0
    cdef WordCache cache
    cdef int64_t p
    if start >= end:
        return
    clear_words(&cache)
    piece.reserve(FEW)
    symbol.rank = NO_RANK
    symbol.next = symbol.previous = -1
    symbol.at = start
    if model.put == PUT_ALWAYS or (model.put == PUT_MISSING and model.entries[text[start]] != model.metaspace):
        symbol.id = model.token_of[model.metaspace]
        piece.push_back(symbol)
        last = model.metaspace
        cell = child(trie, 0, last)
        key = add_letter(1, last)
    for p in range(start, end):
        entry = model.entries[text[p]]
        symbol.at = p
        if entry >= BYTES:
            end_piece(model, piece, cell, key, &cache, tally)
            if p > start:
                boundary(tally, p, model.put == PUT_NOTHING)
            while entry > BYTES:
                token(tally, p)
                entry -= 1
            last = 0
            continue
        if last == 0 or not joins(model, last, entry):
            end_piece(model, piece, cell, key, &cache, tally)
            if p > start:
                boundary(tally, p, model.put == PUT_NOTHING or (model.put == PUT_MISSING and entry == model.metaspace))
            cell = 0
            key = 1
        symbol.id = model.token_of[entry]
        piece.push_back(symbol)
        if cell != NO_CELL:
            cell = child(trie, cell, entry)
        key = add_letter(key, entry)
        last = entry
    end_piece(model, piece, cell, key, &cache, tally)
