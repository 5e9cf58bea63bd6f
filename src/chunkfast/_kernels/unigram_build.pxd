"""Building the model of Unigram from its pieces and the charsmap."""
from libc.float cimport DBL_EPSILON
from libc.math cimport NAN, fabs
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport decode, encode, find, utf8_length
from chunkfast._kernels.double_array cimport NO_CELL, Cell
from chunkfast._kernels.graphemes cimport G_CONTROL, G_LF
from chunkfast._kernels.text cimport EXT_PICT, GCB_MASK, INCB_MASK, cf_class, int64_t, uint16_t, uint32_t
from chunkfast._kernels.unigram cimport (
    BLANK, BYTES, FIRST_INK, JOINS, KIND, LAST_INK, LONGEST_RUN, META, NOTHING, PAYLOAD, SEVERAL, SPACE, SYMBOL,
    Buffers, Lattice, Piece, UnigramModel, lend, next_piece, try_pieces,
)

cdef extern from "bert_tables.h" nogil:
    const uint32_t BERT_SPACE[1][2]
    const int64_t SPACES "sizeof(BERT_SPACE) / 8"

cdef enum:
    CODE_POINTS = 0x110000


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


cdef inline void set_ink(
    UnigramModel* model, const vector[uint32_t]& symbols, const vector[int64_t]& ends,
) except + nogil:
    """Find out what becomes of visible ASCII, what of it pieces join, and the bytes of symbols in keys."""
    cdef const Piece* pieces = model.pieces.data()
    cdef double largest = 0
    cdef uint32_t c, d, cell, symbol, byte = 128, alphabet = 1
    cdef int64_t k, j, begin
    cdef uint8_t a, b
    model.keeps_ink = True
    for k in range(<int64_t>symbols.size()):
        alphabet = max(alphabet, symbols[k] + 1)
    model.byte_of.assign(alphabet, 0)
    for c in range(FIRST_INK, LAST_INK + 1):
        model.keeps_ink = model.keeps_ink and model.entries[c] == model.plain[c] and model.entries[c] <= PAYLOAD
        if model.plain[c] & SYMBOL:
            model.byte_of[model.plain[c] & SYMBOL] = c
    for symbol in range(1, <uint32_t>model.byte_of.size()):
        if model.byte_of[symbol] == 0 and byte < 255:
            model.byte_of[symbol] = byte
            byte += 1
    memset(model.joined, 0, sizeof(model.joined))
    for k in range(<int64_t>ends.size()):
        begin = ends[k - 1] if k else 0
        for j in range(begin + 1, ends[k]):
            a = model.byte_of[symbols[j - 1]]
            b = model.byte_of[symbols[j]]
            if FIRST_INK <= a <= LAST_INK and FIRST_INK <= b <= LAST_INK:
                model.joined[2 * a + (b >> 6)] |= <uint64_t>1 << (b & 63)
    for c in range(FIRST_INK, LAST_INK + 1):
        cell = next_piece(pieces, 0, model.plain[c] & SYMBOL) if model.plain[c] & SYMBOL else <uint32_t>NO_CELL
        if cell == NO_CELL or pieces[cell].score != pieces[cell].score:
            for d in range(128):
                model.joined[2 * d + (c >> 6)] |= <uint64_t>1 << (c & 63)
                model.joined[2 * c + (d >> 6)] |= <uint64_t>1 << (d & 63)
    for k in range(<int64_t>model.pieces.size()):
        if pieces[k].score == pieces[k].score:
            largest = max(largest, fabs(pieces[k].score))
    model.margin = 4.0 * (LONGEST_RUN + 1) * (LONGEST_RUN + 1) * largest * DBL_EPSILON


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
    set_ink(model, symbols, ends)
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
