"""From a plan's atoms to chunks whose counts are exact: asks for tokens, cuts what is too large, packs, asks again."""
from libcpp.vector cimport vector

from chunkfast._kernels.asking cimport Asker
from chunkfast._kernels.assembly cimport Assembly, add_pieces, add_prefix_pieces
from chunkfast._kernels.characters cimport Characters, append_span
from chunkfast._kernels.document cimport Document
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.packing cimport is_marks, joined, measure_needed, pack, revise
from chunkfast._kernels.plan cimport Atom, Draft, Plan, Prefix, set_ranks
from chunkfast._kernels.render cimport render_tables, show_repeats, table_at
from chunkfast._kernels.splitting cimport apply_cuts, cut_atom, find_oversize
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, uint8_t, uint32_t


cdef cppclass Work:  # all that is needed to cut one document: cleared for the next, so that memory is taken once
    Document doc
    Plan plan
    Assembly* out
    Characters source
    Characters made  # what chunks show and the source has not: rendered tables, a title that was given
    vector[uint32_t] made_text  # that of `made` where it is not `doc.rendered`
    vector[int64_t] extra_headings  # see `add_headings` in `extra_headings.pxd`
    vector[int64_t] limits  # of each section, and of the text before the first
    vector[int64_t] too_large  # prefixes
    vector[int64_t] positions
    vector[int64_t] ranks
    vector[uint8_t] safe
    vector[int64_t] made_ranks
    vector[uint8_t] made_safe
    vector[int64_t] pieces
    vector[int64_t] ends
    vector[int64_t] tokens
    vector[int64_t] starts
    vector[int64_t] places
    vector[int64_t] windows
    vector[int64_t] oversize
    vector[int64_t] blocks
    vector[int64_t] drafts
    vector[int64_t] counts
    vector[uint32_t] text


cdef inline void let_go(vector[int64_t]& values) noexcept nogil:
    """Keep the memory of what is not needed any more for the next document, unless it is that of a large one."""
    cdef vector[int64_t] none
    if values.capacity() > 10_000:
        values.swap(none)


cdef inline int rank_atoms(Work& work, const Asker& asker, bint rendered, vector[int64_t]& ranks,
                           vector[uint8_t]& safe) except -1 nogil:
    """Ask for the ranks of start and end of each atom that lies in the source, or in the rendered text."""
    cdef size_t i
    work.positions.clear()
    for i in range(work.plan.atoms.size()):
        if work.plan.atoms[i].rendered == rendered:
            work.positions.push_back(work.plan.atoms[i].start)
            work.positions.push_back(work.plan.atoms[i].end)
    if work.positions.empty():
        return 0
    ranks.resize(work.positions.size())
    safe.resize(work.positions.size())
    return asker.rank(asker.counter, work.made if rendered else work.source, work.positions, ranks, safe)


cdef inline int count_pieces(Work& work, const Asker& asker) except -1 nogil:
    """Count the texts of `work.pieces` and `work.ends` to `work.tokens`."""
    work.tokens.resize(work.ends.size())
    if work.ends.empty():
        return 0
    return asker.count(asker.counter, work.source, work.made, work.pieces, work.ends, work.tokens)


cdef inline int count_atoms(Work& work, const Asker& asker, int64_t most) except -1 nogil:
    """Ask for the place of each atom in the token count, and for the tokens of each prefix.

    `work.too_large` becomes the indices of the prefixes with more than `most` tokens.
    """
    cdef size_t i
    work.too_large.clear()
    rank_atoms(work, asker, False, work.ranks, work.safe)
    if work.made.n > 0:
        rank_atoms(work, asker, True, work.made_ranks, work.made_safe)
    set_ranks(work.plan, work.ranks.data(), work.safe.data(), work.made_ranks.data(), work.made_safe.data())
    let_go(work.positions)
    let_go(work.ranks)
    let_go(work.made_ranks)
    work.pieces.clear()
    work.ends.clear()
    for i in range(work.plan.prefixes.size()):
        add_prefix_pieces(work.plan, <int32_t>i, work.source.n, work.pieces.size(), work.pieces)
        work.ends.push_back(<int64_t>work.pieces.size() // 2)
    count_pieces(work, asker)
    for i in range(work.plan.prefixes.size()):
        work.plan.prefixes[i].tokens = work.tokens[i]
        if work.tokens[i] > most:
            work.too_large.push_back(<int64_t>i)
    return 0


cdef inline bint show_headers(const char_t* text, int32_t table_format, Plan& plan, const vector[int64_t]& prefixes,
                              Document& doc) except + nogil:
    """Where one of these prefixes, too large as it is, is the header of a rendered table: show the header rows that are
    repeated in the table as rows, since the prefix no longer does.

    Returns whether there are such rows: then the plan must be made anew.
    """
    cdef size_t i, t
    cdef Prefix prefix
    cdef bint found = False
    for i in range(prefixes.size()):
        prefix = plan.prefixes[prefixes[i]]
        if prefix.header and plan.spans[prefix.last - 1].rendered:
            t = table_at(doc, plan.spans[prefix.last - 1].start)
            found = (t < doc.tables.size() and show_repeats(doc, t)) or found
    if found:
        render_tables(text, table_format, doc)
    return found


cdef inline int settle_plan(const char_t* text, Work& work, const Asker& asker) except -1 nogil:
    """Cut what is too large and pack, until the count of every chunk is exact and in its limit.

    0 where a rendered table has a row too large for a chunk: such tables are now left as they are in the source, and
    the plan must be made anew. Else 1.
    """
    cdef bint more = True
    while more:
        work.oversize.clear()
        find_oversize(work.plan, work.oversize)
        if not cut_oversize(text, work, asker):
            return 0
        measure(work, asker)
        pack(work.plan)
        more = verify(text, work, asker)
    join_marks(work, asker)
    return 1


cdef inline int cut_oversize(const char_t* text, Work& work, const Asker& asker) except -1 nogil:
    """Cut the atoms of `find_oversize`. 0 where one is a row of a rendered table, which is not cut."""
    cdef const int64_t* first
    cdef int64_t total, start, end, none = 0
    cdef size_t k, atom
    cdef bint rendered = False
    for k in range(0, work.oversize.size(), 3):
        if work.plan.atoms[work.oversize[k]].rendered:
            unrender(work, work.oversize[k])
            rendered = True
    if rendered:
        return 0
    for k in range(0, work.oversize.size(), 3):
        atom = work.oversize[k]
        start = work.plan.atoms[atom].start
        end = work.plan.atoms[atom].end
        first = NULL  # a piece for each cluster
        total = 0
        if work.oversize[k + 2] > 0:
            work.starts.clear()
            asker.start(asker.counter, work.source, start, end, work.starts)
            total = work.starts.size()
            first = work.starts.data() if total else &none
        cut_atom(text, end, atom, first, total, start, work.oversize[k + 1], work.oversize[k + 2], work.plan)
    apply_cuts(work.plan)
    return 1


cdef inline void unrender(Work& work, size_t index) noexcept nogil:
    """Leave the table of a rendered atom as it is in the source."""
    cdef size_t t
    cdef const Atom* atom = &work.plan.atoms[index]
    for t in range(work.doc.tables.size()):
        if work.doc.tables[t].start < atom.source_end and atom.source_start < work.doc.tables[t].end:
            work.doc.tables[t].rendered = False


cdef inline int measure(Work& work, const Asker& asker) except -1 nogil:
    """Count the blocks of which the sum neither proves that they fit nor that they do not."""
    cdef size_t k
    work.blocks.clear()
    measure_needed(work.plan, work.blocks)
    work.pieces.clear()
    work.ends.clear()
    for k in range(0, work.blocks.size(), 3):
        work.pieces.push_back(work.blocks[k + 1])
        work.pieces.push_back(work.blocks[k + 2])
        work.ends.push_back(<int64_t>work.pieces.size() // 2)
    count_pieces(work, asker)
    for k in range(work.ends.size()):
        work.plan.atoms[work.blocks[3 * k]].measured = work.tokens[k]
    return 0


cdef inline int verify(const char_t* text, Work& work, const Asker& asker) except -1 nogil:
    """Count the chunks whose count is a sum that may be wrong. 1 where one is over its limit: there is more to do."""
    cdef size_t i, d, k = 0
    cdef bint more = False
    work.drafts.clear()
    work.counts.clear()
    work.pieces.clear()
    work.ends.clear()
    for i in range(work.plan.drafts.size()):
        if not work.plan.drafts[i].exact:
            work.drafts.push_back(i)
            work.counts.push_back(count_draft(work, asker, &work.plan.drafts[i]))
            if work.counts.back() < 0:
                add_pieces(work.plan, work.plan.drafts[i], work.source.n, work.pieces)
                work.ends.push_back(<int64_t>work.pieces.size() // 2)
    count_pieces(work, asker)
    for i in range(work.drafts.size()):
        if work.counts[i] < 0:
            work.counts[i] = work.tokens[k]
            k += 1
        d = work.drafts[i]
        if revise(work.plan, d, work.counts[i], one_cluster(text, work.plan, work.plan.drafts[d])):
            more = True
    return more


cdef inline bint one_cluster(const char_t* text, Plan& plan, const Draft& draft) noexcept nogil:
    """Whether the body of a chunk is one grapheme cluster of the source."""
    cdef const Atom* atom = &plan.atoms[draft.first]
    return draft.last == draft.first + 1 and not atom.rendered and next_grapheme(text, atom.end, atom.start) >= atom.end


cdef inline int64_t count_draft(Work& work, const Asker& asker, const Draft* draft) except -2 nogil:
    """Count a chunk at its edges alone, see `Counter.count_edges`; -1 where it has too few safe places."""
    cdef Characters made
    cdef const Atom* atom
    cdef int64_t start, end, stop
    cdef int32_t i
    cdef size_t k
    cdef bint bare = draft.prefix < 0 and draft.lead < 0
    if asker.count_edges == NULL:
        return -1
    work.places.clear()
    for i in range(draft.first, draft.last):
        atom = &work.plan.atoms[i]
        if atom.rendered or atom.piece:
            return -1  # its ranks are no ranks of the source
        if atom.safe_start and (i > draft.first or bare) and (
                work.places.empty() or work.places[work.places.size() - 2] < atom.start):
            work.places.push_back(atom.start)
            work.places.push_back(atom.before)
        if atom.safe_end:
            work.places.push_back(atom.end)
            work.places.push_back(atom.after)
    start = work.plan.atoms[draft.first].start
    end = work.plan.atoms[draft.last - 1].end
    if bare:
        return asker.count_edges(asker.counter, work.source, start, work.source, 0, end, work.places.data(),
                                 work.places.size() // 2)
    stop = asker.read_to(asker.counter, -1, end, work.places.data(), work.places.size() // 2)
    if stop < 0:
        return -1
    work.text.clear()
    k = work.pieces.size()
    add_pieces(work.plan, draft[0], work.source.n, work.pieces)
    append_pieces(work.text, work.source, work.made, work.pieces, k // 2, <int64_t>work.pieces.size() // 2 - 1)
    work.pieces.resize(k)
    k = work.text.size()
    append_span(work.text, work.source, start, stop)
    made.kind = 4
    made.data = work.text.data()
    made.n = work.text.size()
    return asker.count_edges(asker.counter, made, 0, work.source, <int64_t>k - start, end, work.places.data(),
                             work.places.size() // 2)


cdef inline void append_pieces(vector[uint32_t]& out, const Characters& source, const Characters& made,
                               const vector[int64_t]& pieces, int64_t first, int64_t last) except + nogil:
    """Append the text of pieces[first:last]."""
    cdef int64_t k
    for k in range(first, last):
        if pieces[2 * k] < source.n:
            append_span(out, source, pieces[2 * k], pieces[2 * k + 1])
        else:
            append_span(out, made, pieces[2 * k] - source.n, pieces[2 * k + 1] - source.n)


cdef inline int join_marks(Work& work, const Asker& asker) except -1 nogil:
    """Let page marks that came out as a chunk of their own go with the one before or behind, where both have room."""
    cdef vector[Draft]* drafts = &work.plan.drafts
    cdef size_t d, kept = 0
    cdef Draft draft
    for d in range(drafts.size()):
        draft = drafts.at(d)
        if is_marks(work.plan, draft):
            if kept > 0 and join(work, asker, drafts.at(kept - 1), draft, &drafts.at(kept - 1)):
                continue
            if d + 1 < drafts.size() and join(work, asker, draft, drafts.at(d + 1), &drafts.at(d + 1)):
                continue
        drafts[0][kept] = draft
        kept += 1
    drafts.resize(kept)
    return 0


cdef inline int join(Work& work, const Asker& asker, Draft before, Draft behind, Draft* out) except -1 nogil:
    """Make one chunk of two of one segment, if there is room: 1, else 0. Marks before the first heading may join it."""
    cdef int32_t first = work.plan.parts[work.plan.segments[before.segment].first].first
    cdef Draft draft = joined(work.plan, before, behind, before.first == first)
    if before.segment != behind.segment and not (before.section < 0 and is_marks(work.plan, before)):
        return 0
    work.pieces.clear()
    work.ends.clear()
    add_pieces(work.plan, draft, work.source.n, work.pieces)
    work.ends.push_back(<int64_t>work.pieces.size() // 2)
    count_pieces(work, asker)
    if work.tokens[0] > work.plan.segments[draft.segment].limit:
        return 0
    draft.tokens = work.tokens[0]
    out[0] = draft
    return 1
