"""A document as segments, parts and atoms."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport (
    B_CODE, B_CONTENTS, B_LIST, B_TABLE, B_TEXT, Block, Document, Heading, Item, ROW_BETWEEN, Row, Table,
)
from chunkfast._kernels.graphemes cimport grapheme_ceil, grapheme_floor
from chunkfast._kernels.leadins cimport before_tags, ends_in_colon
from chunkfast._kernels.page_marks cimport LONGEST_MARK, is_number, is_page_mark, may_be_page_mark, short_line_end
from chunkfast._kernels.plan cimport (
    Atom, K_HEADING, K_MARK, L_BLOCK, L_PIECE, L_UNIT, Part, Plan, Prefix, Segment, Span,
)
from chunkfast._kernels.render cimport table_at
from chunkfast._kernels.sentences cimport sentence_ends
from chunkfast._kernels.text cimport char_t, has_ink, int32_t, int64_t, is_line_end, is_space, uint8_t

cdef enum:
    MOST_PARENTS = 15


cdef inline void add_atom(const char_t* text, int64_t n, Plan& plan, int64_t start, int64_t end, uint8_t level,
                          uint8_t kind,
                          int32_t prefix) except + nogil:
    """An atom of the source, from the cluster that `start` lies in to the one before `end`. Atoms are added in
    order."""
    cdef Atom atom
    cdef int64_t before = plan.atoms.back().source_end if plan.atoms.size() > 0 else 0
    start = grapheme_floor(text, n, before, max(start, before))
    if start >= end:
        return
    atom.start = atom.source_start = start
    atom.end = atom.source_end = grapheme_ceil(text, n, start, end)
    atom.before = atom.after = 0
    atom.measured = -1
    atom.prefix = prefix
    atom.level = level
    atom.kind = kind
    atom.rendered = atom.glued = atom.sentence = atom.piece = atom.torn = atom.safe_start = atom.safe_end = False
    plan.atoms.push_back(atom)


cdef inline bint is_rule(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Nothing but signs that set text off, `#` of headings included."""
    while start < end \
            and (is_space(text[start]) or text[start] == 35 or text[start] == 42 or text[start] == 45
                 or text[start] == 61
                           or text[start] == 95):
        start += 1
    return start == end


cdef inline int64_t rule_end(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """End of the rule that starts at `start` and is the whole of its line; `start` where there is none."""
    cdef int64_t p = start
    while p < end and is_rule(text, p, p + 1) and not is_line_end(text[p]):
        p += 1
    return p if p == end or is_line_end(text[p]) else start


cdef inline bint is_no_text(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Each line is a rule, a heading sign, a page mark or a number behind one."""
    cdef int64_t stop
    cdef bint marked = False
    while True:
        while start < end and is_space(text[start]):
            start += 1
        if start >= end:
            return True
        stop = rule_end(text, start, end)
        if stop == start:
            if not marked and not may_be_page_mark(text, start, end):
                return False  # most text, told from its first characters
            stop = short_line_end(text, start, end)
            if stop == start or not (is_page_mark(text, start, stop) or (marked and is_number(text, start, stop))):
                return False
            marked = True
        start = stop


cdef inline bint follows_mark(const char_t* text, int64_t p) noexcept nogil:
    """The last line with ink above `p` is a page mark."""
    cdef int64_t start, end = p
    while end > 0 and is_space(text[end - 1]):
        end -= 1
    start = end
    while start > 0 and not is_line_end(text[start - 1]) and end - start <= LONGEST_MARK:
        start -= 1
    while start < end and is_space(text[start]):
        start += 1
    return start < end and end - start <= LONGEST_MARK and is_page_mark(text, start, end)


cdef inline void add_sentences(const char_t* text, int64_t n, int64_t start, int64_t end, uint8_t level, uint8_t kind,
                               int32_t prefix, int64_t wrap, int64_t room, vector[int64_t]& ends,
                               Plan& plan) except + nogil:
    """The sentences of text[start:end), or the whole where it is at most `room` long."""
    cdef size_t i, atoms
    cdef bint leading = True, marked = False  # no text so far; the last atom is page marks
    cdef bint number
    ends.clear()
    if end - start <= room:
        ends.push_back(end)
    else:
        sentence_ends(text, n, start, end, wrap, ends)
    for i in range(ends.size()):
        while start < ends[i] and is_space(text[start]):
            start += 1
        end = ends[i]
        while end > start and is_space(text[end - 1]):
            end -= 1
        if start < end:
            atoms = plan.atoms.size()
            add_atom(text, n, plan, start, end, level, kind, prefix)
            if plan.atoms.size() > atoms:
                plan.atoms.back().sentence = True
                level = L_PIECE
                number = not plan.by_sentences and is_number(text, start, end)
                marked = number and (follows_mark(text, start) if i == 0 else marked)
                marked = marked or (not plan.by_sentences and is_no_text(text, start, end))
                if marked or (number and leading and i + 1 < ends.size()):
                    plan.atoms.back().kind = K_MARK  # a number ahead of its text goes with it
                    plan.atoms.back().glued = leading and i + 1 < ends.size()
                else:
                    leading = False
        start = ends[i]


cdef inline void add_lines(
    const char_t* text, int64_t n, int64_t start, int64_t end, uint8_t kind, Plan& plan,
) except + nogil:
    """The lines of text[start:end), with their indentation."""
    cdef uint8_t level = L_BLOCK
    cdef int64_t stop, ink
    cdef bint leading = True
    while start < end:
        stop = ink = start
        while stop < end and not is_line_end(text[stop]):
            stop += 1
            if not is_space(text[stop - 1]):
                ink = stop
        if ink > start:
            add_atom(text, n, plan, start, ink, level, kind, -1)
            if kind == B_CONTENTS and is_no_text(text, start, ink):
                plan.atoms.back().kind = K_MARK
                plan.atoms.back().glued = leading
            else:
                leading = False
            level = L_UNIT
        start = stop
        while start < end and is_line_end(text[start]):
            start += 1


cdef inline Span source_span(int64_t start, int64_t end) noexcept nogil:
    cdef Span span
    span.start = span.source_start = start
    span.end = span.source_end = end
    span.rendered = False
    return span


cdef inline Span empty_span(int64_t start, int64_t end, int64_t at) noexcept nogil:
    """No text, at `at` of the rendered text, that names where in the source something comes from."""
    cdef Span span
    span.start = span.end = at
    span.source_start = start
    span.source_end = end
    span.rendered = True
    return span


cdef inline int32_t add_prefix(Plan& plan, int32_t outer, Span span) except + nogil:
    """A new prefix: the spans of `outer` (-1: none), then `span`."""
    cdef Prefix prefix
    cdef Span copy
    cdef int32_t i
    prefix.first = <int32_t>plan.spans.size()
    prefix.tokens = 0
    prefix.header = False
    if outer >= 0:
        # However deep lists are nested, only so many of the innermost parents are repeated: a bound on time and memory.
        for i in range(max(plan.prefixes[outer].first, plan.prefixes[outer].last - MOST_PARENTS),
                       plan.prefixes[outer].last):
            copy = plan.spans[i]
            plan.spans.push_back(copy)
    plan.spans.push_back(span)
    prefix.last = <int32_t>plan.spans.size()
    plan.prefixes.push_back(prefix)
    return <int32_t>plan.prefixes.size() - 1


cdef inline bint is_inside(const char_t* text, Document& doc, Block& block) noexcept nogil:
    """No item of the list but its first begins a line: it is written inside a paragraph."""
    cdef int32_t i
    cdef int64_t p
    for i in range(block.first + 1, block.last):
        p = doc.items[i].start
        while p > doc.items[i - 1].start and is_space(text[p - 1]):
            p -= 1
            if is_line_end(text[p]):
                return False
    return True


cdef inline void lay_list(const char_t* text, int64_t n, Document& doc, Block& block, int64_t room,
                          vector[int64_t]& ends,
                          Plan& plan) except + nogil:
    """The paragraph with the lead-in, then item by item. Repeated before an item: the lead-in, and the items it stands
    in."""
    cdef int32_t lead = -1, own, i
    cdef int64_t gap_end
    # by depth: the prefix of what stands under the last item of that depth, -2: not made yet
    cdef vector[int32_t] inside
    cdef Item item
    cdef int64_t first = doc.items[block.first].start
    cdef uint8_t level = L_BLOCK
    cdef size_t begun = plan.atoms.size()
    if block.start < first:
        add_sentences(text, n, block.start, first, L_BLOCK, B_LIST, -1, doc.wrap, room, ends, plan)
        if plan.atoms.size() > begun:
            plan.atoms.back().glued = True
            level = L_UNIT
    # with the line end after it; the items may stand apart, after a page mark or table
    if block.lead_start < block.lead_end:
        gap_end = block.lead_end
        while gap_end < n and is_space(text[gap_end]):
            gap_end += 1
        lead = add_prefix(plan, -1, source_span(block.lead_start, gap_end))
    for i in range(block.first, block.last):
        item = doc.items[i]
        while <int32_t>inside.size() > item.depth:
            inside.pop_back()
        if item.depth > 0 and inside.size() > 0 and inside.back() == -2:
            inside[inside.size() - 1] = add_prefix(
                plan, inside[inside.size() - 2] if inside.size() > 1 else lead,
                source_span(doc.items[item.parent].start, item.start))
        own = inside.back() if inside.size() > 0 else lead
        add_sentences(text, n, item.start, item.end, level, B_LIST, own, doc.wrap, room, ends, plan)
        level = L_UNIT
        inside.push_back(-2)
        gap_end = doc.items[i + 1].start if i + 1 < block.last else block.end
        if has_ink(text, item.end, gap_end):  # what goes on in the paragraph behind an item
            add_sentences(text, n, item.end, gap_end, L_UNIT, B_LIST, own if i + 1 < block.last else -1, doc.wrap,
                          room, ends, plan)
        if i + 1 < block.last and doc.items[i + 1].depth > item.depth:
            plan.atoms.back().glued = True


cdef inline void lay_table(
    const char_t* text, int64_t n, Document& doc, Table& table, Block& block, Plan& plan,
) except + nogil:
    """Caption and header rows as one glued atom that is repeated before each slice, then row by row.

    The atoms' source spans leave out nothing but white space: what stands between rows (tags, page marks, repeated
    headers) belongs to the row before, and what else the block begins or ends with (a byte order mark) to the first or
    last atom. Conditions that are rendered from further above are a prefix of the header atom's own that has no text:
    it says from where.
    """
    cdef Span span
    cdef Row row
    cdef int32_t i, note = -1, prefix = -1, first = table.first + table.header
    cdef size_t begun = plan.atoms.size(), k
    cdef int64_t head_end = doc.rows[first].start if first < table.last else table.end, start = table.start
    cdef uint8_t level = L_BLOCK
    if (table.out_start < table.out_end) if table.rendered else (start < head_end):
        span = source_span(start, head_end)
        if table.rendered:
            span.start = table.out_start
            span.end = table.out_end
            span.rendered = True
            if table.note_start < table.note_end:
                note = add_prefix(plan, -1, empty_span(table.note_start, table.note_end, table.out_start))
        prefix = add_prefix(plan, note, span)
        plan.prefixes[prefix].header = True
        add_atom(text, n, plan, block.start, head_end, L_BLOCK, B_TABLE, note)
        if plan.atoms.size() > begun:
            render(plan, doc, table.rendered, span.start, span.end)
            plan.atoms.back().glued = True
            level = L_UNIT
    elif table.rendered and start < head_end:
        # no text is repeated, as each row names its columns: the spans say from where
        prefix = add_prefix(plan, -1, empty_span(start, head_end, table.out_start))
    for i in range(first, table.last):
        row = doc.rows[i]
        k = plan.atoms.size()
        if not table.rendered or row.out_start < row.out_end:
            add_atom(text, n, plan, block.start if level == L_BLOCK else row.start, row.end, level, B_TABLE, prefix)
        if plan.atoms.size() > k:
            render(plan, doc, table.rendered, row.out_start, row.out_end)
            if row.kind == ROW_BETWEEN and is_no_text(text, row.start, row.end):
                plan.atoms.back().kind = K_MARK
            level = L_UNIT
    for k in range(begun, plan.atoms.size()):
        start = plan.atoms[k + 1].source_start if k + 1 < plan.atoms.size() else block.end
        while start > plan.atoms[k].source_end and is_space(text[start - 1]):
            start -= 1
        if start > plan.atoms[k].source_end:
            plan.atoms[k].source_end = start
        if not table.rendered:
            plan.atoms[k].end = plan.atoms[k].source_end


cdef inline int64_t header_source(Document& doc, Span& header, int64_t end) noexcept nogil:
    """End in the source of what a table's rendered header has before `end`, to the cell."""
    cdef size_t t = table_at(doc, header.start)
    cdef int32_t i, k, columns
    cdef int64_t found, p
    cdef Row row
    if t == doc.tables.size():
        return header.source_end
    found = doc.tables[t].body
    for i in range(doc.tables[t].first, doc.tables[t].first + doc.tables[t].header):
        row = doc.rows[i]
        if row.out_start >= end or row.out_start >= row.out_end:
            continue
        if row.out_end <= end:
            found = row.end
            continue
        columns = -1  # of a row that is cut: as many as pipes stand before the end, less the one in front
        for p in range(row.out_start, end):
            if doc.rendered[p] == 124 and (p == row.out_start or doc.rendered[p - 1] != 92):
                columns += 1
        for k in range(row.first, row.last):
            if doc.cells[k].column < columns:
                found = max(found, row.start + doc.cells[k].end)
    return max(found, header.source_start + 1)


cdef inline void render(Plan& plan, Document& doc, bint rendered, int64_t start, int64_t end) noexcept nogil:
    """Let the last atom stand for its source with rendered[start:end)."""
    if rendered:
        plan.atoms.back().rendered = True
        plan.atoms.back().start = start
        plan.atoms.back().end = end - 1 if doc.rendered[end - 1] == 10 else end


cdef inline void lay_block(const char_t* text, int64_t n, Document& doc, Block& block, int64_t room, bint fits,
                           vector[int64_t]& ends, Plan& plan) except + nogil:
    """`room`: length up to which an item is one atom; `fits`: the segment is one chunk, and no sentence of it
    matters."""
    cdef Part part
    part.first = <int32_t>plan.atoms.size()
    part.kind = block.kind
    part.inside = False
    if block.kind == B_LIST and block.first < block.last:
        part.inside = is_inside(text, doc, block)
        lay_list(text, n, doc, block, room, ends, plan)
    elif block.kind == B_TABLE:
        lay_table(text, n, doc, doc.tables[block.first], block, plan)
    elif block.kind == B_CODE or block.kind == B_CONTENTS:
        add_lines(text, n, block.start, block.end, <uint8_t>block.kind, plan)
    else:
        add_sentences(text, n, block.start, block.end, L_BLOCK, B_TEXT, -1, doc.wrap, n if fits else 0, ends, plan)
    part.last = <int32_t>plan.atoms.size()
    if part.last > part.first:
        plan.parts.push_back(part)


cdef inline void lay_heading(
    const char_t* text, int64_t n, int64_t start, int64_t end, uint8_t kind, Plan& plan,
) except + nogil:
    """A heading, or page marks (`kind`) before one or its text: no chunk ends behind it unless it must."""
    cdef Part part
    while end > start and is_space(text[end - 1]):
        end -= 1
    if end == start:
        return
    part.first = <int32_t>plan.atoms.size()
    part.kind = K_HEADING
    part.inside = False
    add_atom(text, n, plan, start, end, L_BLOCK, kind, -1)
    part.last = <int32_t>plan.atoms.size()
    if part.last > part.first:
        plan.atoms.back().glued = True
        plan.parts.push_back(part)


cdef inline Segment new_segment(Plan& plan, int32_t section, int64_t limit) noexcept nogil:
    cdef Segment segment
    segment.first = segment.last = <int32_t>plan.parts.size()
    segment.section = section
    segment.parent = segment.opening = segment.prefix = -1
    segment.limit = limit
    segment.reduced = 0
    segment.leaf = True
    segment.apart = segment.announces = segment.planned = False
    return segment


cdef inline bint announces(const char_t* text, const Segment& segment, const Plan& plan) noexcept nogil:
    """One paragraph, which ends in a colon, is all the text of the segment."""
    cdef int32_t last = segment.last - 1
    cdef int64_t start, end
    if plan.parts[last].kind != B_TEXT or last > segment.first and plan.parts[last - 1].kind != K_HEADING:
        return False
    start = plan.atoms[plan.parts[last].first].start
    end = before_tags(text, start, plan.atoms[plan.parts[last].last - 1].end)
    return start < end and ends_in_colon(text, start, end)


cdef inline void end_segment(const char_t* text, int64_t n, Document& doc, Segment& segment, Plan& plan) except + nogil:
    cdef Span lead
    segment.last = <int32_t>plan.parts.size()
    if segment.last == segment.first:
        return
    if segment.section >= 0:
        segment.parent = doc.headings[segment.section].parent
        segment.apart = doc.headings[segment.section].apart
        segment.leaf = not (segment.section + 1 < <int32_t>doc.headings.size()
                            and doc.headings[segment.section + 1].parent == segment.section)
        segment.announces = not segment.leaf and announces(text, segment, plan)
        lead = source_span(doc.headings[segment.section].lead_start, doc.headings[segment.section].lead_end)
        if lead.start < lead.end:
            while lead.end < n and is_space(text[lead.end]):
                lead.end += 1
            lead.source_end = lead.end
            segment.opening = segment.prefix = add_prefix(plan, -1, lead)
    plan.segments.push_back(segment)


cdef inline bint is_all_there_is(const char_t* text, Document& doc, size_t b, size_t h) noexcept nogil:
    """The lines of block `b`, which repeat on other pages, are all the text of the heading before heading `h`: no
    furniture."""
    if h == 0 or (h < doc.headings.size() and doc.headings[h].level > doc.headings[h - 1].level):
        return False
    if b > 0 and doc.blocks[b - 1].start > doc.headings[h - 1].start:
        return False
    if b + 1 < doc.blocks.size() and (h == doc.headings.size() or doc.blocks[b + 1].start < doc.headings[h].start):
        return False
    return not is_no_text(text, doc.blocks[b].start, doc.blocks[b].end)


cdef inline bint is_title(const char_t* text, const Document& doc, size_t b) noexcept nogil:
    """Block `b`, before which is no text, is the document's own title and nothing else."""
    return doc.blocks[b].kind == B_TEXT and doc.blocks[b].start < doc.title_end \
        and is_rule(text, max(doc.title_end, doc.blocks[b].start), doc.blocks[b].end)


cdef inline void lay_out(const char_t* text, int64_t n, Document& doc, const int64_t* limits, int64_t weight,
                         Plan& plan) except + nogil:
    """Fill `plan.atoms`, `parts`, `segments`, `prefixes` from the document.

    A heading without text of its own goes with what follows it, so a segment holds the headings since the last text and
    the blocks up to the next heading. `limits[i]` is the limit of heading i's text; the last of them is that of the
    text before the first heading. `weight` is how many tokens a character has at most: what fits whatever its tokens
    are, a whole segment above all, is not searched for sentences.
    """
    cdef size_t b = 0, h = 0, headings = doc.headings.size(), blocks = doc.blocks.size()
    cdef int64_t start, end
    cdef bint fits = False
    cdef vector[int64_t] ends
    cdef Segment segment = new_segment(plan, -1, limits[headings])
    cdef bint has_text = False
    plan.atoms.reserve(n // 64 + 8)
    while h < headings or b < blocks:
        if b < blocks and (h == headings or doc.blocks[b].start < doc.headings[h].start):
            if doc.blocks[b].furniture and not is_all_there_is(text, doc, b, h) \
                    or not has_text and is_no_text(text, doc.blocks[b].start, doc.blocks[b].end):
                lay_heading(text, n, doc.blocks[b].start, doc.blocks[b].end, K_MARK, plan)
                b += 1
                continue
            if h == 0 and not has_text and is_title(text, doc, b) \
                    and 4 * weight * (doc.blocks[b].end - doc.blocks[b].start) <= segment.limit:
                # like a heading, it goes with what follows it; where it would take much of a chunk it is text
                lay_heading(text, n, doc.blocks[b].start, doc.blocks[b].end, K_HEADING, plan)
                b += 1
                continue
            if not has_text:
                end = doc.headings[h].start if h < headings else n
                start = doc.blocks[b].start
                if segment.first < <int32_t>plan.parts.size():
                    start = plan.atoms[plan.parts[segment.first].first].start
                fits = weight * (end - start) <= segment.limit
                has_text = True
            lay_block(text, n, doc, doc.blocks[b], n if fits else segment.limit // weight, fits, ends, plan)
            b += 1
        else:
            if has_text:
                end_segment(text, n, doc, segment, plan)
                segment = new_segment(plan, <int32_t>h, limits[h])
                has_text = False
            segment.section = <int32_t>h
            segment.limit = limits[h]
            lay_heading(text, n, doc.headings[h].start, doc.headings[h].body, K_HEADING, plan)
            h += 1
    if not has_text and plan.segments.size() > 0:  # headings at the end that nothing follows stay with the text before
        plan.segments.back().last = <int32_t>plan.parts.size()
    else:
        end_segment(text, n, doc, segment, plan)


cdef inline void lay_sentences(const char_t* text, int64_t n, int64_t limit, Plan& plan) except + nogil:
    """Fill `plan` with one part: the sentences of the whole text."""
    cdef vector[int64_t] ends
    cdef Part part
    cdef Segment segment = new_segment(plan, -1, limit)
    add_sentences(text, n, 0, n, L_BLOCK, B_TEXT, -1, -1, 0, ends, plan)
    part.first = 0
    part.last = <int32_t>plan.atoms.size()
    part.kind = B_TEXT
    part.inside = False
    if part.last > 0:
        plan.parts.push_back(part)
        segment.last = 1
        plan.segments.push_back(segment)


cdef inline int64_t after_line_end(const char_t* text, int64_t n, int64_t p) noexcept nogil:
    """Past the line end at `p`, of which CRLF is one."""
    return p + 2 if p + 1 < n and text[p] == 13 and text[p + 1] == 10 else p + 1


cdef struct LineEnds:  # the last that was found behind and before a heading, as many headings may stand on a line
    int64_t since  # up to where has been looked
    int64_t before  # start of the line that holds `since`
    int64_t ahead  # the first line end behind the first line, -1: not looked for


cdef inline int32_t add_line_prefix(
    const char_t* text, int64_t n, Plan& plan, int32_t outer, int64_t start, int64_t end, LineEnds& ends,
) except + nogil:
    """The prefix `outer`, then text[start:end) as a line of its own: with a line end that stands near it in the
    source."""
    cdef int64_t p = end
    cdef int32_t prefix
    while p < n and is_space(text[p]) and not is_line_end(text[p]):
        p += 1
    if p < n and is_line_end(text[p]):
        return add_prefix(plan, outer, source_span(start, after_line_end(text, n, p)))
    prefix = add_prefix(plan, outer, source_span(start, end))
    p = start
    while p > ends.since and not is_line_end(text[p - 1]):
        p -= 1
    if p > ends.since:
        ends.before = p
    ends.since = start
    p = ends.before
    if p == 0:  # on the first line: the next line end
        if ends.ahead < 0:
            ends.ahead = end
            while ends.ahead < n and not is_line_end(text[ends.ahead]):
                ends.ahead += 1
        p = ends.ahead
        return add_prefix(plan, prefix, source_span(p, after_line_end(text, n, p))) if p < n else prefix
    return add_prefix(plan, prefix, source_span(p - 2 if p > 1 and text[p - 1] == 10
                                                and text[p - 2] == 13 else p - 1, p))


cdef inline int32_t add_heading_prefix(
    const char_t* text, int64_t n, Plan& plan, int32_t outer, const Heading& heading, LineEnds& ends,
) except + nogil:
    """The prefix `outer`, then the heading as a line; of one in cells of a page's layout number and title alone."""
    cdef int64_t start = heading.start, end = heading.end
    cdef bint titled = heading.title_start < heading.title_end
    if text[start] == 60:
        start = heading.number_start if heading.number_start < heading.number_end else heading.title_start
    if text[end - 1] == 62:
        end = heading.title_end if titled else heading.number_end
    if titled and start < heading.number_end < heading.title_start and text[heading.title_start - 1] == 62:
        outer = add_prefix(plan, outer, source_span(start, heading.number_end))
        start = heading.title_start
    return add_line_prefix(text, n, plan, outer, start, end, ends)


cdef inline void lay_headings(const char_t* text, int64_t n, Document& doc, int64_t title_start, int64_t title_end,
                              bint title_rendered, Plan& plan) except + nogil:
    """Prefixes that begin with the title and a segment's heading path: for its first chunk without the headings it
    holds."""
    cdef vector[int32_t] below  # by heading: the prefix of what stands under it
    cdef int32_t top = -1, outer, own
    cdef size_t h, s
    cdef int64_t begins
    cdef Span span
    cdef Heading heading
    cdef LineEnds ends
    ends.since = ends.before = 0
    ends.ahead = -1
    if title_start < title_end:
        if title_rendered:
            span = source_span(title_start, title_end)
            span.source_start = span.source_end = 0
            span.rendered = True
            top = add_prefix(plan, -1, span)
        else:
            top = add_line_prefix(text, n, plan, -1, title_start, title_end, ends)
            ends.since = ends.before = 0
            ends.ahead = -1
    for h in range(doc.headings.size()):
        heading = doc.headings[h]
        outer = top if heading.parent < 0 else below[heading.parent]
        below.push_back(add_heading_prefix(text, n, plan, outer, heading, ends))
    for s in range(plan.segments.size()):
        own = plan.segments[s].section
        begins = plan.atoms[plan.parts[plan.segments[s].first].first].start
        outer = own
        while outer >= 0 and doc.headings[outer].start >= begins:
            outer = doc.headings[outer].parent
        span = source_span(0, 0)
        if plan.segments[s].prefix >= 0:
            span = plan.spans[plan.prefixes[plan.segments[s].prefix].first]
        plan.segments[s].opening = top if outer < 0 else below[outer]
        if outer < 0 and title_start < title_end and not title_rendered and title_start >= begins:
            plan.segments[s].opening = -1  # the text begins with the title, or holds it
        plan.segments[s].prefix = top if own < 0 else below[own]
        if span.start < span.end:  # the lead-in that the section stands under
            plan.segments[s].opening = add_prefix(plan, plan.segments[s].opening, span)
            plan.segments[s].prefix = add_prefix(plan, plan.segments[s].prefix, span)
