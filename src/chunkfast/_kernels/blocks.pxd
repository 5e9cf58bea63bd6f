"""Blocks: the text between headings as paragraphs, lists, tables, code and contents lists, in order and without a gap.

The lines are read as pieces: a piece is what a line holds between the headings and tables that stand in it (mostly all of it).
"""
from chunkfast._kernels.document cimport (
    B_CODE, B_CONTENTS, B_LIST, B_TABLE, B_TEXT, Block, Document, Line, R_BLANK, R_CODE, R_CONTENTS, R_FURNITURE, R_NOTE,
)
from chunkfast._kernels.text cimport (
    LOWER, cf_class, char_t, int32_t, int64_t, is_blank, is_cjk, is_space, uint32_t,
)

cdef enum:
    LONG = 20  # characters; a shorter line that no mark closes may be a label, and what follows a blank line is not its rest


cdef struct Piece:
    int64_t start  # first code point that is not blank
    int64_t content  # the same, past the marks of a Markdown quote
    int64_t end


cdef struct Paragraph:  # the last piece of text read, and what came after it
    Piece last
    bint open  # text may go on: a paragraph or list is the current block
    bint empty  # the block holds page furniture alone so far: any text joins it
    bint blank  # a blank line came after `last`
    bint torn  # page furniture or a footnote came after `last`


cdef inline bint is_closing(uint32_t c) noexcept nogil:
    """A mark that can end a paragraph."""
    if c < 128:
        return c == 46 or c == 58 or c == 59 or c == 33 or c == 63
    return c == 0x3002 or c == 0xFF1B or c == 0xFF1A or c == 0xFF01 or c == 0xFF1F or c == 0x2026 or c == 0xFF0E \
        or c == 0x2014


cdef inline bint is_closer(uint32_t c) noexcept nogil:
    """A quote or bracket that may stand after the mark that ends a paragraph."""
    if c < 128:
        return c == 34 or c == 39 or c == 41 or c == 93 or c == 42 or c == 95 or c == 96
    return c == 0x201D or c == 0x2019 or c == 0x300D or c == 0x300F or c == 0xFF09 or c == 0x300B or c == 0x3011


cdef inline bint ends_closed(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    cdef int64_t p = end - 1
    while p > start and end - p < 5 and is_closer(text[p]):
        p -= 1
    return is_closing(text[p])


cdef inline bint goes_on(const char_t* text, Piece& last, Piece& piece, bint blank, bint torn) noexcept nogil:
    """Whether `piece` is the rest of the sentence that `last` leaves open; between them is a line end, or more."""
    cdef uint32_t a = text[last.end - 1], b = text[piece.content]
    if is_closing(a) or (piece.content > piece.start) != (last.content > last.start):
        return False
    if ends_closed(text, last.content, last.end):
        return False
    if b < 0x2E80 and not (cf_class(b) & LOWER) and not torn:
        return last.end - last.content >= 2 * LONG and not blank and (b == 34 or b == 40 or b == 96 or 48 <= b <= 57 or 65 <= b <= 90)
    if torn or a == 0xFF0C or a == 0x3001 or a == 44:
        return True
    if is_cjk(b):
        return blank and last.end - last.content >= LONG and (is_cjk(a) or a < 128)
    return not is_cjk(a)


cdef inline void open_block(Document& doc, int64_t start, int64_t end, int32_t kind, int32_t section) except + nogil:
    cdef Block block
    block.start = start
    block.end = end
    block.kind = kind
    block.section = section
    block.first = block.last = 0
    block.lead_start = block.lead_end = start
    doc.blocks.push_back(block)


cdef inline void add_text(const char_t* text, Piece& piece, Paragraph& state, int32_t section, Document& doc) except + nogil:
    """A piece of running text goes on the current paragraph or starts a new block."""
    if state.open and (state.empty or goes_on(text, state.last, piece, state.blank, state.torn)):
        doc.blocks.back().end = piece.end
    else:
        open_block(doc, piece.start, piece.end, B_TEXT, section)
        state.open = True
    state.last = piece
    state.empty = state.blank = state.torn = False


cdef inline void scan_blocks(const char_t* text, int64_t n, Document& doc) except + nogil:
    cdef Paragraph state
    cdef Piece piece
    cdef Line line
    cdef size_t i, heading = 0, table = 0
    cdef int64_t p, done = 0  # all before `done` is in a heading or a block
    cdef int32_t section = -1, kind = -1  # of the current block
    cdef int64_t next_heading, next_table, stop
    state.open = False
    next_heading = doc.headings[0].start if doc.headings.size() else n
    next_table = doc.tables[0].start if doc.tables.size() else n
    for i in range(doc.lines.size()):
        line = doc.lines[i]
        if line.first == line.end and line.role != R_CODE:
            state.blank = True
            continue
        p = line.first if line.first > done else done
        while p < line.end:
            while p < line.end and is_blank(text[p]):
                p += 1
            if p >= line.end:
                break
            if p >= next_heading:
                section = <int32_t>heading
                done = doc.headings[heading].body
                kind = -1
                state.open = False
                heading += 1
                next_heading = doc.headings[heading].start if heading < doc.headings.size() else n
                if done > p:
                    p = done
                continue
            if p >= next_table:
                done = doc.tables[table].end
                if next_heading < done:
                    done = next_heading
                if done > p:
                    open_block(doc, p, done, B_TABLE, section)
                    doc.blocks.back().first = <int32_t>table
                    doc.blocks.back().last = <int32_t>table + 1
                    kind = B_TABLE
                    state.open = False
                    p = done
                table += 1
                next_table = doc.tables[table].start if table < doc.tables.size() else n
                continue
            stop = line.end
            if next_heading < stop:
                stop = next_heading
            if next_table < stop:
                stop = next_table
            piece.start = piece.content = p
            piece.end = stop
            while is_blank(text[piece.end - 1]):
                piece.end -= 1
            if line.role == R_CODE or line.role == R_CONTENTS:
                if kind == (B_CODE if line.role == R_CODE else B_CONTENTS):
                    doc.blocks.back().end = piece.end
                else:
                    kind = B_CODE if line.role == R_CODE else B_CONTENTS
                    open_block(doc, piece.start, piece.end, kind, section)
                    state.open = False
            elif line.role == R_FURNITURE or line.role == R_NOTE:
                if state.open or kind == B_CONTENTS:
                    doc.blocks.back().end = piece.end
                else:
                    open_block(doc, piece.start, piece.end, B_TEXT, section)
                    kind = B_TEXT
                    state.open = state.empty = True
                state.torn = True
            else:
                add_text(text, piece, state, section, doc)
                kind = B_TEXT
            p = stop
    cover_invisible(text, n, doc)


cdef inline void cover_invisible(const char_t* text, int64_t n, Document& doc) except + nogil:
    """Give characters that show as nothing but are no white space (U+200B, U+FEFF...) to the block or heading before, at the
    start of the text to the one after, so that nothing is lost."""
    cdef size_t block = 0, heading = 0
    cdef int64_t covered = 0, start, p, first
    cdef int64_t* before = NULL  # end of what came before
    cdef int64_t* after
    while True:
        after = NULL
        if block < doc.blocks.size():
            after = &doc.blocks[block].start
        if heading < doc.headings.size() and (after == NULL or doc.headings[heading].start <= after[0]):
            after = &doc.headings[heading].start
        start = after[0] if after != NULL else n
        p = start
        while p > covered and is_space(text[p - 1]):
            p -= 1
        if p > covered:
            if before != NULL:
                before[0] = p
            else:
                first = 0
                while is_space(text[first]):
                    first += 1
                if after != NULL:
                    after[0] = first
                else:
                    open_block(doc, first, p, B_TEXT, -1)
        if after == NULL:
            return
        if block < doc.blocks.size() and after == &doc.blocks[block].start:
            before = &doc.blocks[block].end
            block += 1
        else:
            before = &doc.headings[heading].body
            heading += 1
        if before[0] > covered:
            covered = before[0]
