"""Unigram tokens: a text is normalised (Charsmap, then white space) and cut into words that begin with the metaspace;
each word is cut into the pieces whose scores add up to most.
"""
from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport decode, encode, find, utf8_length
from chunkfast._kernels.counting cimport Tally, boundary
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.known_words cimport LentWords
from chunkfast._kernels.text cimport char_t, int64_t, uint32_t
from chunkfast._kernels.unigram_lattice cimport (
    BLANK, Buffers, JOINS, KIND, Lattice, META, NOTHING, PAYLOAD, SEVERAL, SPACE, UnigramModel, begin_word,
    end_word, lend, push,
)
from chunkfast._kernels.unigram_segments cimport is_one_space, tell_letters, tell_plain_words

cdef enum:
    # prepend_scheme
    ALWAYS = 0
    FIRST = 1
    NEVER = 2


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
        if kind == SPACE and is_one_space(model, text, p, end):
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
