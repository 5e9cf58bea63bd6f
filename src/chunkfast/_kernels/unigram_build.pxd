"""Building the model of Unigram from its pieces and the charsmap."""
from libc.float cimport DBL_EPSILON
from libc.math cimport NAN, fabs
from libc.stdint cimport uint8_t, uint64_t
from libcpp.vector cimport vector

from chunkfast._kernels.charsmap cimport decode, encode, find, utf8_length
from chunkfast._kernels.double_array cimport NO_CELL, Cell
from chunkfast._kernels.graphemes cimport G_CONTROL, G_CR, G_LF
from chunkfast._kernels.text cimport EXT_PICT, GCB_MASK, INCB_MASK, cf_class, int64_t, uint16_t, uint32_t
from chunkfast._kernels.unigram_lattice cimport (
    BLANK, BYTES, JOINS, JOINS_BEFORE, KIND, META, NOTHING, PAYLOAD, Piece, SEVERAL, SINGLE, SPACE, SYMBOL,
    UnigramModel, next_piece,
)
from chunkfast._kernels.unigram_segments cimport LONGEST_CUT, is_joined, is_letter_entry, place_of_pair

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


cdef inline void set_joined(UnigramModel* model, const vector[uint32_t]& symbols,
                            const vector[int64_t]& ends) except + nogil:
    """Find out which symbols stand in a row in pieces: a bit in 32 is taken at most."""
    cdef int64_t k, j, begin
    cdef uint32_t place
    cdef int bits = 10
    while <size_t>1 << bits < 32 * symbols.size() and bits < 24:
        bits += 1
    model.joined.assign(<size_t>1 << (bits - 6), 0)
    model.joined_shift = 32 - bits
    for k in range(<int64_t>ends.size()):
        begin = ends[k - 1] if k else 0
        for j in range(begin + 1, ends[k]):
            place = place_of_pair(model, symbols[j - 1], symbols[j])
            model.joined[place >> 6] |= <uint64_t>1 << (place & 63)


cdef inline void set_singles(UnigramModel* model) except + nogil:
    """Mark the letters that are pieces by themselves, and find by how much a path must be better than others."""
    cdef const Piece* pieces = model.pieces.data()
    cdef double largest = fabs(model.unknown_score)
    cdef uint32_t c, symbol, cell
    cdef size_t k
    for c in range(CODE_POINTS):
        symbol = model.plain[c] & SYMBOL
        if symbol:
            cell = next_piece(pieces, 0, symbol)
            if cell != NO_CELL and cell != model.unknown_cell and pieces[cell].score == pieces[cell].score:
                model.plain[c] |= SINGLE
    for k in range(model.pieces.size()):
        if pieces[k].score == pieces[k].score:
            largest = max(largest, fabs(pieces[k].score))
    model.margin = 4.0 * (LONGEST_CUT + 2) * (LONGEST_CUT + 2) * largest * DBL_EPSILON


cdef inline void build_unigram(UnigramModel* model, const vector[Cell]& cells, const vector[uint32_t]& cell_of,
                               const vector[double]& scores, int64_t unknown, const vector[uint32_t]& symbols,
                               const vector[int64_t]& ends, const vector[uint32_t]& symbol_of) except + nogil:
    """Make the tables from the trie of the pieces; `unknown`: index of the unknown piece, -1 if it has no spelling."""
    cdef uint32_t c, i
    cdef uint16_t flags
    cdef int64_t k, j, begin, found
    cdef uint8_t bytes[8]
    cdef vector[uint32_t] image
    # Pieces
    model.pieces.resize(cells.size())
    for i in range(<uint32_t>cells.size()):
        model.pieces[i].parent = cells[i].parent
        model.pieces[i].base = cells[i].base >> 1
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
    set_singles(model)
    c = model.metaspace
    model.metaspace_is_single = model.plain[c] & SINGLE != 0
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
                if flags != G_CR:
                    model.entries[c] |= <uint32_t>JOINS_BEFORE
    set_joined(model, symbols, ends)
    for c in range(128):
        model.joined_ascii[2 * c] = model.joined_ascii[2 * c + 1] = 0
        for i in range(128):
            if is_letter_entry(model, model.entries[c]) and is_letter_entry(model, model.entries[i]) \
                    and is_joined(model, model.entries[c] & SYMBOL, model.entries[i] & SYMBOL):
                model.joined_ascii[2 * c + (i >> 6)] |= <uint64_t>1 << (i & 63)
