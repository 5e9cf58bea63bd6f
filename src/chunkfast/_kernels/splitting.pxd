"""Cutting what no sentence, item or row end cuts: at cells, clauses, white space, and last at grapheme clusters."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport B_TABLE
from chunkfast._kernels.furniture cimport is_bare_sign
from chunkfast._kernels.graphemes cimport grapheme_ceil, is_mark
from chunkfast._kernels.page_marks cimport LONGEST_MARK, is_number, is_page_mark, short_line_end
from chunkfast._kernels.plan cimport Atom, Cut, K_MARK, L_BLOCK, L_PIECE, Plan
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_line_end, is_space, uint32_t
from chunkfast._kernels.windows cimport first_at, start_of, window_end


cdef inline bint is_clause_mark(uint32_t c) noexcept nogil:
    """`，；、：,;:` and the full-width comma's like."""
    return c == 0xFF0C or c == 0xFF1B or c == 0x3001 or c == 0xFF1A or c == 44 or c == 59 or c == 58


cdef inline int better_cut(const char_t* text, int64_t n, int64_t p, bint cells) noexcept nogil:
    """How good it is to cut before `p` (0 < p < n): 3 cell, 2 clause, 1 white space, 0 anywhere."""
    cdef uint32_t a = text[p - 1], b = text[p]
    if is_mark(b):
        return 0
    if cells and (a == 124 or a == 9 or (a == 62 and b == 60)):
        return 3
    if is_clause_mark(a) and not (48 <= b <= 57):
        return 2
    return 1 if is_space(a) and not is_space(b) else 0


cdef inline int64_t cut_in(const char_t* text, int64_t n, int64_t start, int64_t end, bint cells) noexcept nogil:
    """The best place to cut in the second half of (start, end], the last of the best; `end` itself where none is
    better."""
    cdef int64_t p = end, best = end
    cdef int quality = 0, this
    while p > start + (end - start) // 2:
        this = better_cut(text, n, p, cells)
        if this > quality:
            best = p
            quality = this
            if quality == (3 if cells else 2):
                break
        p -= 1
    return best


cdef inline int64_t ink_end(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """End of text[start:end) without the white space behind it."""
    while end > start and is_space(text[end - 1]):
        end -= 1
    return end


cdef inline bint is_mark_line(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    return is_page_mark(text, start, end) or is_bare_sign(text, start, end)


cdef inline int64_t before_marks(const char_t* text, int64_t n, int64_t start, int64_t cut) noexcept nogil:
    """Where the page marks and heading signs begin that a cut at `cut` falls in or behind; `cut` where there are
    none."""
    cdef int64_t line = cut, end, first = cut
    while True:  # line by line, upwards
        while line > start and is_space(text[line - 1]):
            line -= 1
        end = line
        while line > start and not is_line_end(text[line - 1]) and end - line <= LONGEST_MARK:
            line -= 1
        while line < end and is_space(text[line]):
            line += 1
        if line < end and is_bare_sign(text, line, end):  # its title may stand behind the cut
            first = line
        else:
            while end < n and not is_line_end(text[end]) and end - line <= LONGEST_MARK:
                end += 1
            while end > line and is_space(text[end - 1]):
                end -= 1
            if line == end or end - line > LONGEST_MARK:
                return first
            if is_mark_line(text, line, end):
                first = line
            elif not is_number(text, line, end):
                return first
        if line == start:
            return first


cdef inline int64_t after_marks(const char_t* text, int64_t n, int64_t start) noexcept nogil:
    """Where the page marks and heading signs end that text[start:n) begins with; `start` where there are none."""
    cdef int64_t line = start, end, last = start
    while True:
        while line < n and is_space(text[line]):
            line += 1
        if line >= n:
            return last
        end = short_line_end(text, line, n)
        if end == line or not (is_mark_line(text, line, end) or (last > start and is_number(text, line, end))):
            return last
        line = last = end


cdef inline int64_t taken_before(Plan& plan, int32_t first, int32_t index) noexcept nogil:
    """Tokens that atom `index` is left less by in a chunk that begins with `first`: the prefix, and what stands
    between."""
    cdef int64_t taken = plan.atoms[index].before - plan.atoms[first].before
    if plan.atoms[first].prefix >= 0:
        taken += plan.prefixes[plan.atoms[first].prefix].tokens + plan.slack
    return taken


cdef inline int64_t segment_room(Plan& plan, size_t s) noexcept nogil:
    """The limit less what was found to be missing and less the headings repeated before each chunk."""
    cdef int64_t room = plan.segments[s].limit - plan.segments[s].reduced, first = 0, others = 0
    if plan.segments[s].opening >= 0:
        first = plan.prefixes[plan.segments[s].opening].tokens + plan.slack
    if plan.segments[s].prefix >= 0:
        others = plan.prefixes[plan.segments[s].prefix].tokens + plan.slack
    return max(room - max(first, others), 1)


cdef inline int64_t atom_tokens(Plan& plan, int32_t first, int32_t index) noexcept nogil:
    """Tokens of atom `index` at the end of a run that begins with `first`, at least as many as it will have."""
    cdef int64_t tokens = plan.atoms[index].after - plan.atoms[index].before
    return tokens if plan.atoms[first].safe_start and plan.atoms[index].safe_end else tokens + plan.slack


cdef inline bint begins_table(Plan& plan, int32_t i) noexcept nogil:
    """Atom `i` is the first of a rendered table, behind a heading."""
    return plan.atoms[i].rendered and plan.atoms[i].level == L_BLOCK and plan.atoms[i - 1].kind >= K_MARK


cdef inline void find_oversize(Plan& plan, vector[int64_t]& out) except + nogil:
    """Append (atom, room of its first piece, room of the others) for each atom that must be cut; room 0: at each
    cluster.

    An atom must be cut where it has no room by itself, or with the headings, lead-in or header rows that it stands
    behind. A heading or page mark is not cut for those before it: the outermost then stand apart.
    """
    cdef size_t s
    cdef int32_t p, i, first
    cdef int64_t limit, most, taken, others, tokens
    cdef bint behind
    for s in range(plan.segments.size()):
        if plan.segments[s].planned:
            continue
        limit = segment_room(plan, s)
        first = -1  # of the headings, lead-ins or header rows that go with the atom
        for p in range(plan.segments[s].first, plan.segments[s].last):
            for i in range(plan.parts[p].first, plan.parts[p].last):
                if first < 0:
                    first = i
                elif plan.atoms[i].rendered != plan.atoms[first].rendered and not begins_table(plan, i):
                    first = i - 1 if plan.atoms[i].rendered and plan.atoms[i - 1].rendered else i
                # Headings may leave the text after them a quarter, else the outermost go without it; lead-ins half.
                most = limit // 2
                if plan.atoms[i].kind >= K_MARK:
                    most = limit - atom_tokens(plan, i, i)
                elif i > 0 and plan.atoms[i - 1].kind >= K_MARK:
                    most = min(limit, 3 * (limit + plan.segments[s].reduced) // 4)
                while first < i and taken_before(plan, first, i) > most:
                    first += 1
                others = 0 if plan.atoms[i].kind == K_MARK else taken_before(plan, i, i)
                tokens = others + atom_tokens(plan, i, i)
                behind = first < i and taken_before(plan, first, i) + atom_tokens(plan, first, i) > limit
                if plan.atoms[i].torn:
                    out.push_back(i)
                    out.push_back(0)
                    out.push_back(0)
                elif (behind or tokens > limit) and plan.atoms[i].end - plan.atoms[i].start > 1:
                    taken = max(taken_before(plan, first, i) + (plan.slack if first < i else 0), others)
                    out.push_back(i)
                    out.push_back(max(limit - taken, 1))
                    out.push_back(max(limit - others, 1))
                if not plan.atoms[i].glued:
                    first = -1


cdef inline void cut_atom(const char_t* text, int64_t n, int64_t index, const int64_t* starts, int64_t total,
                          int64_t offset,
                          int64_t first_room, int64_t room, Plan& plan) except + nogil:
    """Note in `plan.cuts` where atom `index` is cut. `starts`: of the tokens of the atom's own text, which begins at
    `offset` of `text`; NULL: a token is a code point. `text` is the one in which the atom lies, `n` the atom's end.

    An atom that has room behind a heading after all is one piece: the plan then knows how many tokens it has by itself.
    """
    cdef const char_t* own = text + offset
    cdef int64_t length = n - offset, start = 0, end, token = 0, ink, marks = 0, best, most = ink_end(own, 0,
                                                                                                      n - offset)
    cdef bint cells = plan.atoms[index].kind == B_TABLE
    cdef Cut cut
    if starts == NULL:
        total = length
    cut.atom = index
    cut.total = total
    if plan.atoms[index].piece:  # it may begin inside a page mark
        marks = before_marks(text, n, max(<int64_t>0, offset - 2 * LONGEST_MARK), offset)
        marks = max(<int64_t>0, after_marks(text, n, marks) - offset)
    while True:
        end = window_end(own, length, starts, total, token, start, first_room)
        if end >= length and (start > 0 or first_room == room):
            return
        if end < length:
            best = cut_in(own, length, start, end, cells)
            if start >= marks:
                best = before_marks(own, length, start, best)
                marks = after_marks(own, length, start)
            ink = ink_end(own, start, best)
            if ink > max(start, marks) and not is_number(own, start, ink):  # a number by itself tells nothing
                end = best
        ink = ink_end(own, start, end)
        cut.marks = ink <= marks
        cut.marks_behind = marks >= most or (end >= marks and after_marks(own, length, end) >= most)
        ink = grapheme_ceil(own, length, start, ink)
        while end < length and is_space(own[end]) and not (end + 1 < length and is_mark(own[end + 1])):
            end += 1
        cut.end = offset + ink
        cut.start = offset + end
        if plan.atoms[index].torn:
            token = end
            cut.tokens_to_end = cut.tokens_to_start = 0  # never more than there are: nothing is joined to these pieces
        else:
            cut.tokens_to_end = first_at(starts, total, token, ink)
            token = cut.tokens_to_start = first_at(starts, total, token, end)
        plan.cuts.push_back(cut)
        if end >= length:  # nothing but white space is left
            return
        start = end
        first_room = room


cdef inline void apply_cuts(Plan& plan) except + nogil:
    """Put its pieces in the place of each atom that was cut. Rendered atoms are not cut: see `rendered_oversize`."""
    cdef vector[Atom] atoms
    cdef Atom atom, piece
    cdef size_t c = 0, p, d
    cdef int32_t i, first
    cdef int64_t base, shift = 0
    cdef vector[int32_t] moved  # by old index: the new one
    if plan.cuts.size() == 0:
        return
    atoms.reserve(plan.atoms.size() + plan.cuts.size())
    moved.reserve(plan.atoms.size())
    for p in range(plan.parts.size()):
        first = <int32_t>atoms.size()
        for i in range(plan.parts[p].first, plan.parts[p].last):
            atom = plan.atoms[i]
            plan.atoms[i].torn = False
            atom.torn = False
            atom.before += shift
            atom.after += shift
            base = atom.before
            if c < plan.cuts.size() and plan.cuts[c].atom == i:
                # By itself its text may have other tokens than in the document: what follows moves along.
                shift += plan.cuts[c].total - (atom.after - base)
                atom.after = base + plan.cuts[c].total
                atom.piece = True
            while c < plan.cuts.size() and plan.cuts[c].atom == i:
                piece = atom
                piece.end = piece.source_end = plan.cuts[c].end
                piece.after = min(base + plan.cuts[c].tokens_to_end, atom.after)  # its own text may have more tokens
                piece.glued = False
                if plan.cuts[c].marks:
                    piece.kind = K_MARK
                if plan.cuts[c].marks_behind:
                    atom.kind = K_MARK
                piece.safe_end = atom.safe_end and plan.slack == 0
                atom.start = atom.source_start = plan.cuts[c].start
                atom.before = min(base + plan.cuts[c].tokens_to_start, atom.after)
                c += 1
                if piece.start < piece.end:
                    atoms.push_back(piece)
                    atom.level = L_PIECE
                    atom.sentence = False
                    atom.safe_start = piece.safe_end
            moved.push_back(<int32_t>atoms.size())
            if atom.start < atom.end or atom.rendered:
                atoms.push_back(atom)
            elif <int32_t>atoms.size() > first:  # only white space was left of it
                atoms.back().glued = atom.glued
        plan.parts[p].first = first
        plan.parts[p].last = <int32_t>atoms.size()
    for d in range(plan.drafts.size()):  # those of other segments stay; their atoms were not cut
        plan.drafts[d].first = moved[plan.drafts[d].first]
        plan.drafts[d].body = moved[plan.drafts[d].body]
        plan.drafts[d].last = moved[plan.drafts[d].last - 1] + 1
    plan.atoms.swap(atoms)
    plan.cuts.clear()
