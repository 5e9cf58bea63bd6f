"""Blocks: the text between headings as paragraphs, lists, tables, code and contents lists, in order and without a gap.

The lines are read as pieces: a piece is what a line holds between the headings and tables that stand in it, mostly all
of it.
"""
from chunkfast._kernels.document cimport (
    B_CODE, B_CONTENTS, B_LIST, B_TABLE, B_TEXT, Document, Line, M_CELL, R_BLANK, R_CODE, R_CONTENTS, R_FURNITURE,
    R_NONE, R_NOTE,
)
from chunkfast._kernels.inline_lists cimport add_inline, recover, starts_inside
from chunkfast._kernels.leadins cimport ends_in_colon, find_lead, introduces
from chunkfast._kernels.lists cimport (
    Lists, add_unmarked, can_list, continue_list, find_level, finish_lists, is_first, is_near, is_unmarked, open_block,
    read_item_mark, start_list, value_in, with_number,
)
from chunkfast._kernels.marks cimport (
    F_ARABIC, F_BULLET, F_CIRCLED, F_HAN, F_HAN_PAREN, F_LETTER, F_PAREN, F_ROMAN, LineMark, han_value, is_close_paren,
    read_mark,
)
from chunkfast._kernels.paragraphs cimport Piece, ends_closed, goes_on
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_letter, is_space, uint32_t


cdef struct Reader:
    Lists lists
    Piece last  # the last piece of text read
    int64_t paragraph  # where its paragraph starts
    uint32_t unmarked  # first character of a paragraph that a list item has announced by a colon, 0 for none
    int32_t section  # index of the heading it stands under
    int32_t kind  # of the last block, -1 after a heading
    bint open  # text may go on with the last block
    bint empty  # that block holds page furniture alone so far: any text joins it
    bint blank  # a blank line came after `last`
    bint torn  # page furniture or a footnote came after `last`
    bint bare  # `last` is a list mark alone on its line


cdef inline bint may_mark(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether a list mark may stand at `p`: of most lines this is all that is asked."""
    cdef uint32_t c = text[p]
    cdef int64_t q
    if is_letter(c):
        for q in range(p + 1, min(end, p + 6)):
            if not is_letter(text[q]):
                return text[q] == 46 or is_close_paren(text[q]) or text[q] == 0x3001
        return False
    if c < 128:
        return c == 40 or 48 <= c <= 57 or c == 45 or c == 42 or c == 43 or c == 35 or c == 36 or c == 34 or c == 95
    if 0x4E00 <= c <= 0x9FFF:
        return han_value(c) > 0
    return c != 0x3010 and c != 0x300A


cdef inline bint next_is_two(const char_t* text, const Document& doc, size_t line, const LineMark& m) noexcept nogil:
    """Whether the next letter or Roman numeral at a line's start after `(i)` is `(ii)`."""
    cdef size_t i
    cdef LineMark other
    for i in range(line + 1, min(line + 40, doc.lines.size())):
        if doc.lines[i].first < doc.lines[i].end and read_mark(text, doc.lines[i].first, doc.lines[i].end, &other) \
                and other.form == m.form and (other.family == F_LETTER or other.family == F_ROMAN):
            return other.family == F_ROMAN and other.value == 2
    return False


cdef inline bint second_follows(
    const char_t* text, const Document& doc, size_t line, const LineMark& m,
) noexcept nogil:
    """One of the next lines starts with the second mark of the count that `m` begins."""
    cdef size_t i
    cdef LineMark other
    for i in range(line + 1, min(line + 9, doc.lines.size())):
        if doc.lines[i].role != R_NONE and doc.lines[i].role != R_BLANK and doc.lines[i].role != R_FURNITURE:
            return False
        if doc.lines[i].first < doc.lines[i].end \
                and read_item_mark(text, doc.lines[i].first, doc.lines[i].end, &other) \
                and other.form == m.form and other.value == 2 \
                and (other.family == m.family or (m.roman == 1 and other.family == F_ROMAN)):
            return True
    return False


cdef inline void close_paragraph(const char_t* text, Document& doc, Reader& reader) except + nogil:
    if reader.open and not reader.empty and reader.paragraph < reader.last.end:
        add_inline(text, doc, reader.lists, reader.paragraph, reader.last.end)
    reader.paragraph = reader.last.end


cdef inline bint add_marked(
    const char_t* text, Document& doc, Reader& reader, const Piece& piece, size_t line,
) except + nogil:
    """Whether the piece is a list item; if so it is put in its list."""
    cdef LineMark m
    cdef int32_t level
    cdef bint rest = False
    cdef int64_t paragraph = reader.paragraph
    if not read_item_mark(text, piece.content, piece.end, &m) or not can_list(m):
        return False
    if reader.lists.depth and not is_near(doc, reader.lists.levels[reader.lists.depth - 1]):
        reader.lists.depth = 0
    if reader.open and not reader.bare and not ends_closed(text, reader.last.content, reader.last.end) \
            and not (m.family == F_BULLET and m.sign < 128):
        rest = goes_on(text, reader.last, piece, reader.blank, reader.torn, doc.wrap) \
            and not (is_first(m) and second_follows(text, doc, line, m))
    if rest and find_level(text, doc, reader.lists, m, piece.indent) < 0:
        return False
    close_paragraph(text, doc, reader)
    level = find_level(text, doc, reader.lists, m, piece.indent)
    if level >= 0 and m.roman == 1 and m.family == F_LETTER and reader.lists.levels[level].family == F_LETTER \
            and introduces(text, reader.last.content, reader.last.end) and next_is_two(text, doc, line, m):
        level = -1
    if level >= 0:
        if reader.open and doc.blocks.back().kind == B_LIST \
                and value_in(m, reader.lists.levels[level].family) == reader.lists.levels[level].value + 2:
            recover(text, doc, reader.lists, level)
        continue_list(text, doc, reader.lists, level, m, piece, reader.section)
    elif reader.open and doc.blocks.back().kind == B_TEXT \
            and starts_inside(text, doc, reader.lists, m, paragraph, reader.last.end):
        continue_list(text, doc, reader.lists, reader.lists.depth - 1, m, piece, reader.section)
    elif is_first(m) and not rest:
        start_list(text, doc, reader.lists, m, piece, reader.section,
                   reader.last.end if reader.open and not reader.empty else -1)
    else:
        return False
    reader.bare = m.rest >= piece.end
    return True


cdef inline void add_text(
    const char_t* text, Document& doc, Reader& reader, const Piece& piece, size_t line,
) except + nogil:
    """A piece of running text goes on with the current paragraph, starts an item or a new block."""
    if may_mark(text, piece.content, piece.end) and add_marked(text, doc, reader, piece, line):
        reader.kind = B_LIST
        reader.paragraph = piece.start
        reader.unmarked = 0
    elif reader.open and (reader.empty or reader.bare
                          or goes_on(text, reader.last, piece, reader.blank, reader.torn, doc.wrap)):
        extend_block(doc, piece)
        if reader.empty:
            reader.paragraph = piece.start
        reader.bare = False
    else:
        close_paragraph(text, doc, reader)
        if reader.open and is_unmarked(text, doc, reader.lists, reader.last.end, piece):
            add_unmarked(text, doc, reader.lists, piece)
            reader.kind = B_LIST
        elif reader.open and in_item(text, doc, reader, piece):
            extend_block(doc, piece)
        else:
            open_block(doc, piece.start, piece.end, B_TEXT, reader.section)
            reader.kind = B_TEXT
        reader.paragraph = piece.start
        reader.bare = False
    reader.open = True
    reader.last = piece
    reader.empty = reader.blank = reader.torn = False


cdef inline void extend_block(Document& doc, const Piece& piece) noexcept nogil:
    doc.blocks.back().end = piece.end
    doc.blocks.back().furniture = False
    if doc.blocks.back().kind == B_LIST and doc.blocks.back().last == <int32_t>doc.items.size():
        doc.items.back().end = piece.end


cdef inline void add_furniture(Document& doc, Reader& reader, const Piece& piece, bint of_page) except + nogil:
    """What stands in the text and ends nothing. `of_page`: a page mark or running head, which is no text either;
    footnotes and images are.
    """
    if reader.open or reader.kind == B_CONTENTS or (of_page and reader.kind >= 0):
        doc.blocks.back().end = piece.end
        doc.blocks.back().furniture = doc.blocks.back().furniture and of_page
    else:
        open_block(doc, piece.start, piece.end, B_TEXT, reader.section)
        doc.blocks.back().furniture = of_page
        reader.kind = B_TEXT
        reader.open = reader.empty = True
    reader.torn = True


cdef inline bint in_item(const char_t* text, const Document& doc, Reader& reader, const Piece& piece) noexcept nogil:
    """A new paragraph that is part of the list item before it: indented more than its mark, or announced by a colon."""
    if doc.blocks.back().kind != B_LIST or reader.lists.depth == 0:
        return False
    if piece.indent >= reader.lists.levels[0].indent + 2:
        return True
    if ends_in_colon(text, reader.last.content, reader.last.end):
        reader.unmarked = text[piece.content]
    return reader.unmarked == text[piece.content]


cdef inline void give_lead(const char_t* text, Document& doc, Reader& reader, size_t index) noexcept nogil:
    """Repeat for a numbered heading the lead-in right before it, or that of its sibling before it."""
    cdef int32_t f = doc.headings[index].family, parent = doc.headings[index].parent, other = <int32_t>index - 1
    cdef int64_t lead = 0, lead_end = 0
    doc.headings[index].lead_start = doc.headings[index].lead_end = doc.headings[index].start
    if not (f == F_HAN or f == F_HAN_PAREN or f == F_ARABIC or f == F_PAREN or f == F_CIRCLED or f == F_LETTER
            or f == F_ROMAN):
        return
    if reader.section == parent:
        if reader.open and not reader.empty and doc.blocks.back().kind == B_TEXT \
                and find_lead(text, doc.blocks.back().start, reader.last.end, True, &lead, &lead_end):
            doc.headings[index].lead_start = with_number(text, doc, parent, lead)
            doc.headings[index].lead_end = lead_end
        return
    while other > parent and doc.headings[other].parent != parent:
        other = doc.headings[other].parent
    if other > parent and doc.headings[other].family == f:
        doc.headings[index].lead_start = doc.headings[other].lead_start
        doc.headings[index].lead_end = doc.headings[other].lead_end


cdef inline void scan_blocks(const char_t* text, int64_t n, Document& doc) except + nogil:
    cdef Reader reader
    cdef Piece piece
    cdef Line line
    cdef size_t i, heading = 0, table = 0
    cdef int64_t p, done = 0  # all before `done` is in a heading or a block
    cdef int64_t next_heading, next_table, stop
    reader.lists.depth = 0
    reader.section = reader.kind = -1
    reader.paragraph = reader.unmarked = 0
    reader.last.start = reader.last.content = reader.last.end = reader.last.indent = 0
    reader.open = reader.empty = reader.blank = reader.torn = reader.bare = False
    next_heading = doc.headings[0].start if doc.headings.size() else n
    next_table = doc.tables[0].start if doc.tables.size() else n
    for i in range(doc.lines.size()):
        line = doc.lines[i]
        if line.first == line.end and line.role != R_CODE:
            reader.blank = True
            continue
        p = line.first if line.first > done else done
        while p < line.end:
            while p < line.end and is_blank(text[p]):
                p += 1
            if p >= line.end:
                break
            if p >= next_heading:
                close_paragraph(text, doc, reader)
                give_lead(text, doc, reader, heading)
                reader.section = <int32_t>heading
                reader.kind = -1
                reader.open = reader.bare = False
                reader.lists.depth = 0
                done = doc.headings[heading].body
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
                    close_paragraph(text, doc, reader)
                    open_block(doc, p, done, B_TABLE, reader.section)
                    doc.blocks.back().first = <int32_t>table
                    doc.blocks.back().last = <int32_t>table + 1
                    reader.kind = B_TABLE
                    reader.open = reader.bare = False
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
                if reader.kind == (B_CODE if line.role == R_CODE else B_CONTENTS):
                    doc.blocks.back().end = piece.end
                else:
                    close_paragraph(text, doc, reader)
                    reader.kind = B_CODE if line.role == R_CODE else B_CONTENTS
                    open_block(doc, piece.start, piece.end, reader.kind, reader.section)
                    reader.open = reader.bare = False
            elif line.role == R_FURNITURE or line.role == R_NOTE:
                add_furniture(doc, reader, piece, line.role == R_FURNITURE and text[p] != 33)
            elif text[p] == 62 and skip_quotes(text, &piece):
                if reader.open:  # `>` alone: a blank line in a quotation
                    doc.blocks.back().end = piece.end
                    reader.blank = True
                else:
                    open_block(doc, piece.start, piece.end, B_TEXT, reader.section)
                    reader.kind = B_TEXT
                    reader.open = reader.empty = True
            else:
                piece.indent = piece.content - line.start
                if line.marks & M_CELL and i > 0 and doc.lines[i - 1].marks & M_CELL:
                    reader.torn = True  # a sentence goes on in the next cell
                add_text(text, doc, reader, piece, i)
            p = stop
    close_paragraph(text, doc, reader)
    finish_lists(doc)
    cover_invisible(text, n, doc)


cdef inline bint skip_quotes(const char_t* text, Piece* piece) noexcept nogil:
    """Set `content` past the `>` signs of a Markdown quote; True where nothing comes after them."""
    cdef int64_t p = piece.start
    while p < piece.end and (text[p] == 62 or is_blank(text[p])):
        p += 1
    if p == piece.end:
        return True
    piece.content = p
    return False


cdef inline int64_t opening_tags(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    """Where in text[start:end), the tags between two cells, the last begin that open something."""
    cdef int64_t p = end, opening = end
    while p > start:
        p -= 1
        if text[p] == 60:
            if text[p + 1] == 47:
                break
            opening = p
        elif text[p] == 10 and opening < end:
            break
    return opening


cdef inline bint holds_tag(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """Whether text[p:end), in which nothing shows, holds tags, and not zero-width characters alone."""
    while p < end and text[p] != 62:
        p += 1
    return p < end


cdef inline void cover_invisible(const char_t* text, int64_t n, Document& doc) except + nogil:
    """Give characters that show as nothing but are no white space (U+200B, U+FEFF...) to the block or heading before.

    At the start of the text they go to the one after. So nothing is lost. Of the tags between the cells of a page's
    layout, those that open a heading's row or cell go with the heading.
    """
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
        if start > covered and text[start - 1] == 62 and heading < doc.headings.size() \
                and after == &doc.headings[heading].start:
            after[0] = start = opening_tags(text, covered, start)
        p = start
        while p > covered and is_space(text[p - 1]):
            p -= 1
        if p > covered:
            if before != NULL:
                before[0] = p
                if heading and before == &doc.headings[heading - 1].body and holds_tag(text, covered, p):
                    doc.headings[heading - 1].end = p
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
