"""Drafts as the arrays of a `Chunks`: which text each chunk is made of, and what it stands for."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport B_TABLE, B_TEXT, Document, Heading, ROW_DATA, ROW_HEADER, Table
from chunkfast._kernels.furniture cimport page_at
from chunkfast._kernels.plan cimport Atom, Draft, K_MARK, L_BLOCK, Plan, Span
from chunkfast._kernels.render cimport Pen, place_row
from chunkfast._kernels.text cimport int32_t, int64_t


cdef enum:  # columns of an `Assembly`
    PREFIX_LENGTH = 0
    OVERLAP_LENGTH
    START
    END
    KIND
    SECTION
    TOKENS
    COLUMNS


cdef cppclass Assembly:
    vector[int64_t] pieces  # (start, end) of each piece of text; from `n` on in the rendered text
    vector[int64_t] piece_ends  # for each chunk: how many pieces up to its end
    vector[int64_t] spans  # (start, end) in the source of each span
    vector[int64_t] span_ends
    vector[int64_t] columns  # `COLUMNS` numbers for each chunk
    vector[int64_t] pages  # first and last of each chunk; empty where no pages are marked
    vector[int64_t] headings  # (start, end, heading above) of each heading's number and title
    int64_t title_start  # the document's own title; empty where there is none
    int64_t title_end


cdef inline void clear_assembly(Assembly& out) noexcept nogil:
    out.pieces.clear()
    out.piece_ends.clear()
    out.spans.clear()
    out.span_ends.clear()
    out.columns.clear()
    out.pages.clear()
    out.headings.clear()
    out.title_start = out.title_end = 0


cdef cppclass Grid:  # one table after the other, row by row, as the drafts come to them
    Pen pen
    size_t table
    int32_t row  # rows before it are in the pen


cdef inline void add_piece(vector[int64_t]& out, size_t begun, int64_t start, int64_t end) except + nogil:
    """Append a piece, or lengthen the last one where they touch."""
    if start >= end:
        return
    if out.size() > begun and out.back() == start:
        out[out.size() - 1] = end
    else:
        out.push_back(start)
        out.push_back(end)


cdef inline int32_t kind_of(Plan& plan, const Draft& draft) noexcept nogil:
    """The one kind of its blocks; of several, "table" where a table is rendered among them, else "text"."""
    cdef int32_t i, kind = -1
    cdef bint mixed = False
    for i in range(draft.first, draft.last):
        if plan.atoms[i].rendered:
            return B_TABLE
        if plan.atoms[i].kind < K_MARK:
            mixed = mixed or (kind >= 0 and kind != plan.atoms[i].kind)
            kind = plan.atoms[i].kind
    return B_TEXT if mixed or kind < 0 else kind


cdef inline void add_body_pieces(Plan& plan, const Draft& draft, int64_t n, vector[int64_t]& pieces) except + nogil:
    """The pieces of overlap and own text. They do not melt into the prefix before: their begin must be told apart."""
    cdef size_t begun = pieces.size()
    cdef int32_t i
    cdef int64_t at = plan.atoms[draft.first].source_start
    cdef const Atom* atom
    for i in range(draft.first, draft.last):
        atom = &plan.atoms[i]
        if not atom.rendered:
            add_piece(pieces, begun, at, atom.end)
        elif i > draft.first and plan.atoms[i - 1].rendered and atom.level < L_BLOCK:
            add_piece(pieces, begun, n + plan.atoms[i - 1].end, n + atom.end)
        else:
            add_piece(pieces, begun, at, atom.source_start)
            add_piece(pieces, pieces.size(), n + atom.start, n + atom.end)
        at = atom.source_end


cdef inline void add_prefix_pieces(Plan& plan, int32_t prefix, int64_t n, size_t begun,
                                   vector[int64_t]& pieces) except + nogil:
    cdef int32_t i
    cdef int64_t shift
    if prefix < 0:
        return
    for i in range(plan.prefixes[prefix].first, plan.prefixes[prefix].last):
        shift = n if plan.spans[i].rendered else 0
        add_piece(pieces, begun, plan.spans[i].start + shift, plan.spans[i].end + shift)


cdef inline void add_prefix_spans(Plan& plan, int32_t prefix, size_t begun, vector[int64_t]& spans) except + nogil:
    cdef int32_t i
    if prefix < 0:
        return
    for i in range(plan.prefixes[prefix].first, plan.prefixes[prefix].last):
        add_piece(spans, begun, plan.spans[i].source_start, plan.spans[i].source_end)


cdef inline void add_pieces(Plan& plan, const Draft& draft, int64_t n, vector[int64_t]& pieces) except + nogil:
    """The pieces of text that a chunk is made of. Those in rendered text are moved by `n`, the length of the source."""
    cdef size_t begun = pieces.size()
    add_prefix_pieces(plan, draft.prefix, n, begun, pieces)
    add_prefix_pieces(plan, draft.lead, n, begun, pieces)
    add_body_pieces(plan, draft, n, pieces)


cdef inline void add_source(int64_t start, int64_t end, size_t begun, vector[int64_t]& spans) except + nogil:
    """Append a span of repeated source, unless it lies in one before."""
    if spans.size() == begun or spans.back() < end:
        spans.push_back(start)
        spans.push_back(end)


cdef inline void add_cells_above(Document& doc, int64_t start, size_t begun, Grid& grid,
                                 vector[int64_t]& spans) except + nogil:
    """Append the spans of the cells that reach down into the rendered row at `start` from rows above."""
    cdef Table* table
    cdef vector[int64_t] found
    cdef int64_t first, row
    cdef int32_t k, cell = -1
    cdef size_t i
    while doc.tables[grid.table].end <= start:
        grid.table += 1
        grid.pen.above.clear()
        grid.row = 0
    table = &doc.tables[grid.table]
    if not table.tall:
        return
    grid.row = max(grid.row, table.first)
    while grid.row < table.last and doc.rows[grid.row].start < start:
        if doc.rows[grid.row].kind == ROW_DATA or doc.rows[grid.row].kind == ROW_HEADER:
            place_row(table[0], grid.row, grid.pen, doc)
        grid.row += 1
    for k in range(<int32_t>grid.pen.above.size()):
        if grid.pen.above[k].until > grid.row and grid.pen.above[k].cell != cell:
            cell = grid.pen.above[k].cell
            row = doc.rows[grid.pen.above[k].row].start
            first = row + doc.cells[cell].start
            i = found.size()
            while i > 0 and found[i - 2] > first:
                i -= 2
            found.insert(found.begin() + i, row + doc.cells[cell].end)
            found.insert(found.begin() + i, first)
    for i in range(0, found.size(), 2):
        if found[i] < found[i + 1]:
            add_source(found[i], found[i + 1], begun, spans)


cdef inline void add_notes(Plan& plan, const Draft& draft, size_t begun, vector[int64_t]& spans) except + nogil:
    """Append the spans of the conditions that tables of a chunk say and that stand above it."""
    cdef int32_t i
    cdef Span note
    for i in range(draft.first, draft.last):
        if plan.atoms[i].rendered and plan.atoms[i].level == L_BLOCK and plan.atoms[i].prefix >= 0:
            note = plan.spans[plan.prefixes[plan.atoms[i].prefix].first]
            if note.source_end <= plan.atoms[draft.first].source_start:
                add_source(note.source_start, note.source_end, begun, spans)


cdef inline int64_t prefix_length(Plan& plan, int32_t prefix) noexcept nogil:
    cdef int64_t length = 0
    cdef int32_t i
    if prefix >= 0:
        for i in range(plan.prefixes[prefix].first, plan.prefixes[prefix].last):
            length += plan.spans[i].end - plan.spans[i].start
    return length


cdef inline void add_headings(Document& doc, Assembly& out) except + nogil:
    """Where the headings stand, and the title."""
    cdef size_t i
    cdef const Heading* heading
    cdef bint numbered, titled
    out.headings.reserve(3 * doc.headings.size())
    for i in range(doc.headings.size()):
        heading = &doc.headings[i]
        numbered = heading.number_start < heading.number_end
        titled = heading.title_start < heading.title_end
        out.headings.push_back(heading.number_start if numbered else heading.title_start)
        out.headings.push_back(heading.title_end if titled else heading.number_end)
        out.headings.push_back(heading.parent)
    out.title_start = doc.title_start
    out.title_end = doc.title_end


cdef inline void assemble(Plan& plan, Document& doc, int64_t n, Assembly& out) except + nogil:
    cdef size_t d, begun, chunks = plan.drafts.size()
    cdef int64_t start, end
    cdef const Draft* draft
    cdef Grid grid
    grid.table = 0
    grid.row = 0
    out.pieces.reserve(2 * chunks)
    out.piece_ends.reserve(chunks)
    out.spans.reserve(2 * chunks)
    out.span_ends.reserve(chunks)
    out.columns.reserve(COLUMNS * chunks)
    for d in range(chunks):
        draft = &plan.drafts[d]
        add_pieces(plan, draft[0], n, out.pieces)
        out.piece_ends.push_back(<int64_t>out.pieces.size() // 2)
        begun = out.spans.size()
        add_prefix_spans(plan, draft.prefix, begun, out.spans)
        add_prefix_spans(plan, draft.lead, begun, out.spans)
        start = plan.atoms[draft.first].source_start
        end = plan.atoms[draft.last - 1].source_end
        if plan.atoms[draft.first].rendered and plan.atoms[draft.first].level < L_BLOCK:
            add_cells_above(doc, start, begun, grid, out.spans)
        add_notes(plan, draft[0], begun, out.spans)
        add_piece(out.spans, out.spans.size(), start, end)
        out.span_ends.push_back(<int64_t>out.spans.size() // 2)
        out.columns.push_back(prefix_length(plan, draft.prefix) + prefix_length(plan, draft.lead))
        out.columns.push_back(plan.atoms[draft.body].source_start - start)
        out.columns.push_back(start)
        out.columns.push_back(end)
        out.columns.push_back(kind_of(plan, draft[0]))
        out.columns.push_back(draft.section)
        out.columns.push_back(draft.tokens)
        if not doc.pages.empty():
            out.pages.push_back(page_at(doc, start))
            out.pages.push_back(page_at(doc, end - 1))
