"""Atoms to chunks: whole blocks first, then items and rows, then sentences, then pieces of one."""
from libc.stdlib cimport llabs as abs
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport B_CONTENTS, B_LIST, B_TABLE
from chunkfast._kernels.plan cimport Atom, Draft, K_HEADING, K_MARK, L_BLOCK, L_PIECE, L_UNIT, Plan
from chunkfast._kernels.text cimport int32_t, int64_t

cdef enum:
    LEAST_ROWS = 3  # rows of a table slice, unless the limit forbids


cdef inline int64_t run_tokens(Plan& plan, int32_t first, int32_t last) noexcept nogil:
    """Tokens of the text of atoms[first:last], at least as many as it will have."""
    cdef int64_t tokens = plan.atoms[last - 1].after - plan.atoms[first].before
    return tokens if plan.atoms[first].safe_start and plan.atoms[last - 1].safe_end else tokens + plan.slack


cdef inline int32_t extend(
    Plan& plan, int32_t start, int32_t first, int32_t end, int64_t room, int level,
) noexcept nogil:
    """The furthest j in (first, end] where a chunk of atoms[start:j] may end: it has room, something of at least
    `level` begins at j, and atom j - 1 is not glued. `first` where there is none.
    """
    cdef int32_t j = first + 1, best = first
    while j <= end and run_tokens(plan, start, j) <= room:
        if j == end or (plan.atoms[j].level >= level and not plan.atoms[j - 1].glued):
            best = j
        j += 1
    return best


cdef inline int32_t whole_block(Plan& plan, int32_t first, int32_t end, int64_t room) noexcept nogil:
    """Where the block that goes on at `first` ends, with a heading before it if `first` is one; `first` if it has no
    room."""
    cdef int32_t j = first + 1
    while run_tokens(plan, first, j) <= room:
        if j == end or (plan.atoms[j].level == L_BLOCK and not plan.atoms[j - 1].glued):
            return j
        j += 1
    if 0 <= plan.atoms[first].measured <= room:
        while j < end and plan.atoms[j].level < L_BLOCK:
            j += 1
        return j
    return first


cdef inline int32_t overlap_start(Plan& plan, int32_t earliest, int32_t body) noexcept nogil:
    """First atom of the overlap of a chunk whose body begins at `body`; not before `earliest`; `body` where there is
    none."""
    cdef int32_t i = body, best = body
    while i > earliest:
        i -= 1
        if plan.atoms[i].rendered or not plan.atoms[i].sentence or plan.atoms[i].prefix >= 0:
            break
        if plan.by_sentences:
            if body - i > plan.overlap:
                break
        elif plan.atoms[body].before - plan.atoms[i].before > plan.overlap:
            break
        best = i
    return best


cdef inline int32_t section_prefix(Plan& plan, int32_t s, bint first, int32_t lead) noexcept nogil:
    """The prefix of the section for a chunk with `lead`; -1 where there is none, or the two would take more than
    half."""
    cdef int32_t prefix = plan.segments[s].opening if first else plan.segments[s].prefix
    if prefix >= 0 and lead >= 0 \
            and 2 * (plan.prefixes[prefix].tokens + plan.prefixes[lead].tokens + plan.slack) > plan.segments[s].limit:
        return -1
    return prefix


cdef inline int64_t room_of(Plan& plan, int32_t s, bint first, int32_t lead) noexcept nogil:
    """Tokens left for overlap and body in a chunk of segment `s`."""
    cdef int64_t room = plan.segments[s].limit - plan.segments[s].reduced
    cdef int32_t prefix = section_prefix(plan, s, first, lead)
    if prefix >= 0:
        room -= plan.prefixes[prefix].tokens + plan.slack
    if lead >= 0:
        room -= plan.prefixes[lead].tokens + plan.slack
    return room


cdef inline Draft new_draft(
    Plan& plan, int32_t s, bint first, int32_t lead, int32_t start, int32_t body, int32_t last,
) noexcept nogil:
    cdef Draft draft
    draft.segment = s
    draft.section = plan.segments[s].section
    draft.first = start
    draft.body = body
    draft.last = last
    draft.prefix = section_prefix(plan, s, first, lead)
    draft.lead = lead
    draft.tokens = -1
    draft.exact = False
    return draft


cdef inline void balance(Plan& plan, int32_t s, size_t begun, vector[Draft]& drafts) noexcept nogil:
    """Move the last cut back where the last chunk came out as a sliver, to an equally good place that evens the two
    out."""
    cdef size_t k = drafts.size()
    cdef int32_t m, best, end, start
    cdef int64_t right, left, unevenness
    cdef bint sliced
    if k < begun + 2 or plan.by_sentences:
        return
    start = drafts[k - 2].body
    m = best = drafts[k - 1].body
    end = drafts[k - 1].last
    sliced = drafts[k - 1].lead >= 0
    unevenness = run_tokens(plan, start, m) - run_tokens(plan, m, end)
    if 2 * run_tokens(plan, m, end) >= run_tokens(plan, start, m):
        return
    while m > start + 1:
        m -= 1
        left = run_tokens(plan, start, m)
        right = run_tokens(plan, m, end)
        if right > room_of(plan, s, False, plan.atoms[m].prefix if sliced else -1) or right - left >= unevenness:
            break
        if plan.atoms[m].level >= plan.atoms[best].level and not plan.atoms[m - 1].glued \
                and abs(left - right) < unevenness:
            best = m
            unevenness = abs(left - right)
    if best == drafts[k - 1].body:
        return
    drafts[k - 2].last = drafts[k - 1].body = drafts[k - 1].first = best
    if sliced:
        drafts[k - 1].lead = plan.atoms[best].prefix
        return
    m = overlap_start(plan, drafts[k - 2].first + 1, best)
    while m < best and run_tokens(plan, m, end) > room_of(plan, s, False, -1):
        m += 1
    drafts[k - 1].first = m


cdef inline void pack_flow(
    Plan& plan, int32_t s, int32_t opens, int32_t start, int32_t end, vector[Draft]& drafts,
) except + nogil:
    """Paragraphs and what stands among them, joined up to `pack_size`. A block that fits a chunk is in one chunk,
    unless a heading before it needs room. `opens`: see `last_opening`.
    """
    cdef int32_t cur = start, begin, to, block
    cdef int64_t room, goal
    cdef size_t begun = drafts.size()
    while cur < end:
        room = room_of(plan, s, cur <= opens, -1)
        goal = min(room, plan.pack_size) if plan.pack_size > 0 else room
        block = whole_block(plan, cur, end, room)
        begin = cur
        if drafts.size() > begun and plan.atoms[cur].kind != K_HEADING:  # a heading that ends the document
            begin = overlap_start(plan, drafts.back().first + 1, cur)
        to = cur
        while True:  # with the whole overlap, else with less of it or none
            if block > cur and not plan.by_sentences:
                to = extend(plan, begin, cur, end, goal, L_BLOCK)
                if to == cur and run_tokens(plan, begin, block) <= room:
                    to = block
                if cur < to < end and plan.atoms[to].kind >= K_MARK and plan.atoms[to].glued \
                        and run_tokens(plan, begin, end) <= room:
                    to = end
            else:
                to = extend(plan, begin, cur, end, room, L_UNIT)
                if to == cur:
                    to = extend(plan, begin, cur, end, room, L_PIECE)
            if to > cur or begin == cur:
                break
            begin = begin + 1 if plan.by_sentences else cur
        if to == cur:
            to = max(block, forced_end(plan, cur, end, room))
        elif to < end and plan.atoms[to].level == L_BLOCK \
                and whole_block(plan, to, end, room_of(plan, s, False, -1)) == to:
            # A block that must be cut anyway fills up the chunk before it.
            to = extend(plan, begin, to, end, room, L_PIECE)
        drafts.push_back(new_draft(plan, s, cur <= opens, -1, begin, cur, to))
        cur = to
    balance(plan, s, begun, drafts)


cdef inline int32_t forced_end(Plan& plan, int32_t first, int32_t end, int64_t room) noexcept nogil:
    """Where a chunk ends that the limit forces to end behind a heading or lead-in, or that one atom overfills.

    Of headings that have no room with what they stand before, the innermost are left to it, as many as have. Page marks
    between the two go with those before.
    """
    cdef int32_t j = first + 1, text = first, last
    while j < end and run_tokens(plan, first, j + 1) <= room:
        j += 1
    while text + 1 < end and plan.atoms[text].glued and plan.atoms[text].kind >= K_MARK:
        text += 1
        if text > j and plan.atoms[text].after - plan.atoms[j].before > room:  # too many for any of those before j
            return j
    if text == first or run_tokens(plan, first, text + 1) <= room:
        return j
    last = first + 1
    while last < min(text, j) and run_tokens(plan, last, text + 1) > room:
        last += 1
    while last < min(text, j) and plan.atoms[last].kind == K_MARK:
        last += 1
    return min(last, j)


cdef inline int32_t next_unit(Plan& plan, int32_t start, int32_t first, int32_t end, int64_t room) noexcept nogil:
    """End of the item or row that begins with atom `first`, and of what it is glued to. Where a chunk that begins with
    atom `start` has no room for it, the end of a part for which it has none either.
    """
    cdef int32_t j = first + 1
    while j < end and (plan.atoms[j].level < L_UNIT or plan.atoms[j - 1].glued) \
            and plan.atoms[j - 1].after - plan.atoms[start].before <= room:
        j += 1
    return j


cdef inline void pack_slices(Plan& plan, int32_t s, int32_t opens, int32_t start, int32_t end, int64_t size,
                             int32_t least, vector[Draft]& drafts) except + nogil:
    """A list or table in slices of about `size` tokens, of at least `least` items or rows, each with its lead-in or
    header."""
    cdef int32_t cur = start, to, lead, units, j
    cdef int64_t room, goal
    cdef size_t begun = drafts.size()
    while cur < end:
        lead = plan.atoms[cur].prefix if cur > start else -1
        room = room_of(plan, s, cur <= opens, lead)
        goal = min(room, size if lead < 0 else size - plan.prefixes[lead].tokens)
        to = cur
        units = 0
        while to < end:
            j = next_unit(plan, cur, to, end, room)
            if run_tokens(plan, cur, j) > (goal if units >= least else room):
                break
            to = j
            units += 1
        if to == cur:
            to = extend(plan, cur, cur, end, room, L_PIECE)
        if to == cur:
            to = forced_end(plan, cur, end, room)
        drafts.push_back(new_draft(plan, s, cur <= opens, lead, cur, cur, to))
        cur = to
    balance(plan, s, begun, drafts)


cdef inline int32_t last_opening(Plan& plan, int32_t s) noexcept nogil:
    """The last atom with which a chunk may begin that has no more before it than the first of segment `s`: where the
    headings have no room in one chunk, those up to the segment's own."""
    cdef int32_t p = plan.segments[s].first, opens = plan.parts[p].first
    while p < plan.segments[s].last and plan.parts[p].kind == K_HEADING:
        if plan.atoms[plan.parts[p].first].kind == K_HEADING:
            opens = max(opens, plan.parts[p].first - 1)
        p += 1
    return opens


cdef inline void name_sections(Plan& plan, int32_t s, size_t begun, vector[Draft]& drafts) noexcept nogil:
    """Chunks that end before the segment's own heading have the section of the last heading they hold."""
    cdef int32_t p = plan.segments[s].first, section = plan.segments[s].section
    cdef size_t d = drafts.size()
    while p < plan.segments[s].last and plan.parts[p].kind == K_HEADING:
        p += 1
    while d > begun:
        d -= 1
        while p > plan.segments[s].first and plan.parts[p - 1].first >= drafts[d].last:
            p -= 1
            section -= plan.atoms[plan.parts[p].first].kind == K_HEADING
        drafts[d].section = max(section, -1)


cdef inline void pack_segment(Plan& plan, int32_t s, vector[Draft]& drafts) except + nogil:
    """Runs of blocks, and between them the lists and tables that are cut in slices, and contents lists by
    themselves."""
    cdef int32_t p, start = -1, end = 0, kind, before, opens = last_opening(plan, s)
    cdef int64_t size, limit = room_of(plan, s, False, -1)
    cdef size_t begun = drafts.size()
    for p in range(plan.segments[s].first, plan.segments[s].last):
        kind = plan.parts[p].kind
        end = plan.parts[p].last
        if start < 0:
            start = plan.parts[p].first
        size = limit if plan.parts[p].inside else min(limit, plan.table_size if kind == B_TABLE else plan.list_size)
        if not (kind == B_CONTENTS
                or ((kind == B_TABLE or kind == B_LIST) and run_tokens(plan, plan.parts[p].first, end) > size)):
            continue
        before = plan.parts[p].first  # headings right before it go with it
        while before > start and plan.atoms[before - 1].glued:
            before -= 1
        if start < before:
            pack_flow(plan, s, opens, start, before, drafts)
        if kind == B_CONTENTS:
            pack_flow(plan, s, opens, before, end, drafts)
        else:
            pack_slices(plan, s, opens, before, end, size, LEAST_ROWS if kind == B_TABLE else 1, drafts)
        start = -1
    if start >= 0:
        pack_flow(plan, s, opens, start, end, drafts)
    name_sections(plan, s, begun, drafts)


cdef inline bint is_marks(Plan& plan, Draft& draft) noexcept nogil:
    """Nothing but page marks, apart from what is repeated."""
    cdef int32_t i
    for i in range(draft.body, draft.last):
        if plan.atoms[i].kind != K_MARK:
            return False
    return True


cdef inline Draft joined(Plan& plan, Draft before, Draft behind, bint first) noexcept nogil:
    """One chunk of two neighbours, of which one is page marks alone; `first`: it is the first of its segment."""
    cdef Draft draft = before if is_marks(plan, behind) else behind
    if draft.body != before.body:
        draft.body = before.body
        draft.first = min(draft.first, draft.body)  # the overlap of the next one was made to begin behind it
        draft.prefix = section_prefix(plan, draft.segment, first, draft.lead)
    draft.last = behind.last
    return draft


# -- all segments ------------------------------------------------------------------------------------------------------

cdef inline int32_t packable(Plan& plan, int32_t s) noexcept nogil:
    """How many segments from `s` on, whole leaf siblings, share a chunk of at most `pack_size` tokens."""
    cdef int32_t t = s, first = plan.parts[plan.segments[s].first].first
    cdef int64_t room = min(plan.pack_size, room_of(plan, s, True, -1))
    while t < <int32_t>plan.segments.size() and plan.segments[t].section >= 0 and plan.segments[t].leaf \
            and plan.segments[t].parent == plan.segments[s].parent and not holds_contents(plan, t) \
            and plan.segments[t].limit == plan.segments[s].limit \
            and run_tokens(plan, first, plan.parts[plan.segments[t].last - 1].last) <= room:
        t += 1
    return t - s


cdef inline bint opens_with(Plan& plan, int32_t s) noexcept nogil:
    """Segment `s` only announces the sections under it, and shares a chunk with the first of them."""
    cdef int32_t t = s + 1, first = plan.parts[plan.segments[s].first].first
    return plan.segments[s].announces and t < <int32_t>plan.segments.size() \
        and plan.segments[t].parent == plan.segments[s].section and not plan.segments[t].apart \
        and plan.segments[t].limit == plan.segments[s].limit and not holds_contents(plan, t) \
        and run_tokens(plan, first, plan.parts[plan.segments[t].last - 1].last) <= room_of(plan, s, True, -1)


cdef inline bint holds_contents(Plan& plan, int32_t s) noexcept nogil:
    cdef int32_t p
    for p in range(plan.segments[s].first, plan.segments[s].last):
        if plan.parts[p].kind == B_CONTENTS:
            return True
    return False


cdef inline void pack(Plan& plan) except + nogil:
    """Make the drafts of all segments that are not planned, and keep those of the others."""
    cdef vector[Draft] drafts
    cdef size_t d = 0
    cdef int32_t s = 0, t, together, count = <int32_t>plan.segments.size()
    cdef bint opening
    cdef Draft draft
    drafts.reserve(plan.drafts.size() + 8)
    while s < count:
        if plan.segments[s].planned:
            while d < plan.drafts.size() and plan.drafts[d].segment < s:
                d += 1
            while d < plan.drafts.size() and plan.drafts[d].segment == s:
                drafts.push_back(plan.drafts[d])
                d += 1
            s += 1
            continue
        together = packable(plan, s) if plan.pack_size > 0 else 1
        opening = together <= 1 and opens_with(plan, s)
        if opening:
            together = 2
        if together > 1:
            draft = new_draft(plan, s, True, -1, plan.parts[plan.segments[s].first].first,
                              plan.parts[plan.segments[s].first].first,
                              plan.parts[plan.segments[s + together - 1].last - 1].last)
            if not opening:
                draft.section = plan.segments[s].parent
            drafts.push_back(draft)
            for t in range(s, s + together):
                plan.segments[t].planned = True
            s += together
        else:
            pack_segment(plan, s, drafts)
            plan.segments[s].planned = True
            s += 1
    plan.drafts.swap(drafts)
    for d in range(plan.drafts.size()):
        settle(plan, plan.drafts[d])


cdef inline void settle(Plan& plan, Draft& draft) noexcept nogil:
    """Take the sum for the count where it can't differ: in one run of one text, cut at safe places."""
    cdef Atom first = plan.atoms[draft.first], last = plan.atoms[draft.last - 1]
    cdef int32_t i
    if draft.tokens >= 0:
        return
    if draft.lead >= 0 and is_marks(plan, draft):  # what is repeated says nothing about them
        draft.lead = -1
    draft.tokens = last.after - first.before
    if draft.prefix >= 0:
        draft.tokens += plan.prefixes[draft.prefix].tokens
    if draft.lead >= 0:
        draft.tokens += plan.prefixes[draft.lead].tokens
    # Without slack all counts add up; else only those of one text.
    # A chunk over the limit is looked at again: see `revise`.
    draft.exact = draft.tokens <= plan.segments[draft.segment].limit and (
        plan.slack == 0 or (draft.prefix < 0 and draft.lead < 0 and first.safe_start and last.safe_end))
    for i in range(draft.first, draft.last):
        if plan.atoms[i].piece and plan.slack > 0:
            draft.exact = False
        if plan.atoms[i].rendered != first.rendered \
                or (first.rendered and i > draft.first and plan.atoms[i].level == L_BLOCK):
            draft.exact = False


cdef inline void measure_needed(Plan& plan, vector[int64_t]& out) except + nogil:
    """Append (atom, start, end) for each block of the source whose sum leaves open whether it fits its segment's
    limit."""
    cdef size_t s
    cdef int32_t p, first, last
    cdef int64_t tokens, room
    if plan.slack == 0:
        return
    for s in range(plan.segments.size()):
        if plan.segments[s].planned:
            continue
        for p in range(plan.segments[s].first, plan.segments[s].last):
            first = plan.parts[p].first
            last = plan.parts[p].last
            tokens = run_tokens(plan, first, last)
            room = plan.segments[s].limit
            if (plan.atoms[first].measured < 0 and room - plan.segments[s].reduced < tokens <= room + 2 * plan.slack
                    and not (plan.atoms[first].safe_start and plan.atoms[last - 1].safe_end)
                    and not plan.atoms[first].rendered and plan.parts[p].kind != K_HEADING):
                out.push_back(first)
                out.push_back(plan.atoms[first].start)
                out.push_back(plan.atoms[last - 1].end)


cdef inline bint revise(Plan& plan, int64_t d, int64_t tokens, bint one_cluster) noexcept nogil:
    """Take the count of a chunk. One over its limit has its segments planned again with less room, except where its
    body is one grapheme cluster: that loses its prefix, and may then exceed the limit. Returns whether there is more to
    do.
    """
    cdef Draft* draft = &plan.drafts[d]
    cdef int32_t s = draft.segment
    cdef int64_t limit = plan.segments[s].limit
    draft.tokens = tokens
    draft.exact = True
    if tokens <= limit:
        return False
    if one_cluster:
        if draft.prefix < 0 and draft.lead < 0:
            return False
        draft.prefix = draft.lead = -1
        draft.tokens = -1
        draft.exact = False
        return True
    if plan.segments[s].reduced >= limit and draft.last - draft.body == 1:  # a chunk for each atom already
        plan.atoms[draft.body].torn = True
    if plan.segments[s].planned:  # once a round, however many of its chunks are over
        plan.segments[s].reduced = min(limit, plan.segments[s].reduced + max(tokens - limit, plan.segments[s].reduced))
    while s < <int32_t>plan.segments.size() and plan.parts[plan.segments[s].first].first < draft.last:
        plan.segments[s].planned = False
        s += 1
    return True
