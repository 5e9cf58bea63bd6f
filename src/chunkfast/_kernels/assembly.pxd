"""Drafts as the arrays of a `Chunks`: which text each chunk is made of, and what it stands for."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport B_TABLE, B_TEXT, Document
from chunkfast._kernels.plan cimport Atom, Draft, K_HEADING, L_BLOCK, Plan, Span
from chunkfast._kernels.text cimport int32_t, int64_t


cdef cppclass Assembly:
    vector[int64_t] pieces  # (start, end) of each piece of text; from `n` on in the rendered text
    vector[int64_t] piece_ends  # for each chunk: how many pieces up to its end
    vector[int64_t] spans  # (start, end) in the source of each span
    vector[int64_t] span_ends
    vector[int64_t] columns  # for each chunk: prefix length, overlap length, start index, end index, kind, section, tokens


cdef inline void add_piece(vector[int64_t]& out, size_t begun, int64_t start, int64_t end) except + nogil:
    """Append a piece, or lengthen the last one where they touch."""
    if start >= end:
        return
    if out.size() > begun and out.back() == start:
        out[out.size() - 1] = end
    else:
        out.push_back(start)
        out.push_back(end)


cdef inline int64_t add_prefix_pieces(Plan& plan, int32_t prefix, int64_t n, size_t piece, size_t span, Assembly& out) except + nogil:
    cdef int64_t length = 0
    cdef int32_t i
    cdef Span part
    if prefix < 0:
        return 0
    for i in range(plan.prefixes[prefix].first, plan.prefixes[prefix].last):
        part = plan.spans[i]
        add_piece(out.pieces, piece, part.start + (n if part.rendered else 0), part.end + (n if part.rendered else 0))
        add_piece(out.spans, span, part.source_start, part.source_end)
        length += part.end - part.start
    return length


cdef inline int32_t kind_of(Plan& plan, Draft& draft) noexcept nogil:
    """The one kind of its blocks; of several, "table" where a table is rendered among them, else "text"."""
    cdef int32_t i, kind = -1
    cdef bint mixed = False
    for i in range(draft.first, draft.last):
        if plan.atoms[i].rendered:
            return B_TABLE
        if plan.atoms[i].kind != K_HEADING:
            mixed = mixed or (kind >= 0 and kind != plan.atoms[i].kind)
            kind = plan.atoms[i].kind
    return B_TEXT if mixed or kind < 0 else kind


cdef inline void assemble(Plan& plan, int64_t n, Assembly& out) except + nogil:
    cdef size_t d, piece, span
    cdef int32_t i
    cdef int64_t prefix, at
    cdef Draft draft
    cdef Atom atom
    for d in range(plan.drafts.size()):
        draft = plan.drafts[d]
        piece = out.pieces.size()
        span = out.spans.size()
        prefix = add_prefix_pieces(plan, draft.prefix, n, piece, span, out)
        prefix += add_prefix_pieces(plan, draft.lead, n, piece, span, out)
        # A body does not melt into the prefix: where it begins in `spans` must be told apart.
        piece = out.pieces.size()
        span = out.spans.size()
        at = plan.atoms[draft.first].source_start
        for i in range(draft.first, draft.last):
            atom = plan.atoms[i]
            if not atom.rendered:
                add_piece(out.pieces, piece, at, atom.end)
            elif i > draft.first and plan.atoms[i - 1].rendered and atom.level < L_BLOCK:
                add_piece(out.pieces, piece, n + plan.atoms[i - 1].end, n + atom.end)
            else:
                add_piece(out.pieces, piece, at, atom.source_start)
                add_piece(out.pieces, out.pieces.size(), n + atom.start, n + atom.end)
            at = atom.source_end
        add_piece(out.spans, span, plan.atoms[draft.first].source_start, at)
        out.piece_ends.push_back(<int64_t>out.pieces.size() // 2)
        out.span_ends.push_back(<int64_t>out.spans.size() // 2)
        out.columns.push_back(prefix)
        out.columns.push_back(plan.atoms[draft.body].source_start - plan.atoms[draft.first].source_start)
        out.columns.push_back(plan.atoms[draft.first].source_start)
        out.columns.push_back(at)
        out.columns.push_back(kind_of(plan, draft))
        out.columns.push_back(draft.section)
        out.columns.push_back(draft.tokens)
