"""Lists: which numbered or bulleted paragraphs go on with a list, open a deeper one or start a new one.

A stack holds the open levels with their counts. A mark belongs to the deepest level whose next number it is; levels
deeper than that are closed. Where a count starts at one it opens a level below the item before it, or a new list. Text
without a mark after the last item is no part of the list until a later mark shows that the count goes on.
"""
from chunkfast._kernels.document cimport B_LIST, B_TEXT, Block, Document, Item
from chunkfast._kernels.leadins cimport LABEL, ends_in_colon, find_lead, has_cue, introduces, is_label
from chunkfast._kernels.marks cimport (
    F_ARABIC, F_BULLET, F_CIRCLED, F_HAN, F_HAN_PAREN, F_LETTER, F_NONE, F_PAREN, F_ROMAN, F_TITLE, F_UPPER_ROMAN,
    FORM_BARE, FORM_BOTH, FORM_RIGHT, FORM_WORD, LineMark, read_mark,
)
from chunkfast._kernels.numerals cimport read_han
from chunkfast._kernels.paragraphs cimport Piece, before_closers
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, uint32_t

cdef enum:
    MAX_DEPTH = 12  # deeper items are listed at this depth
    SCRAP = 12  # characters of a title that may stand between a lead-in and its items
    MAX_ASIDE = 2048  # code points of other text up to which a count goes on after it
    MAX_GAP = 2  # numbers that may be missing in a count: lost by OCR, or two items on one line


cdef struct Level:
    int32_t family  # F_NONE for items without marks
    int32_t form
    int32_t sign
    int32_t value  # of the last item
    int64_t indent
    int32_t item  # the last item
    int32_t block
    int32_t before  # the one before it, -1 for none

cdef struct Lists:
    Level[12] levels
    int32_t depth  # open levels


cdef inline bint can_list(const LineMark& m) noexcept nogil:
    """A mark of the families that number the items of lists."""
    cdef int32_t f = m.family
    return f == F_PAREN or f == F_HAN_PAREN or f == F_BULLET or f == F_CIRCLED or f == F_LETTER or f == F_ROMAN \
        or f == F_HAN or (f == F_ARABIC and m.form != FORM_BARE) or f == F_UPPER_ROMAN


cdef inline bint read_item_mark(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """As `read_mark`, and 一是……二是……, which begin items and never titles."""
    cdef int32_t value = 0
    cdef int64_t q
    if read_mark(text, p, end, m):
        return True
    q = read_han(text, p, end, &value)
    if q == p or q >= end or text[q] != 0x662F or value == 0:
        return False
    m.family = F_HAN
    m.form = FORM_WORD
    m.value = m.path[0] = value
    m.parts = 1
    m.number_end = m.rest = q + 1
    return True


cdef inline bint is_first(const LineMark& m) noexcept nogil:
    return m.family == F_BULLET or m.value == 1 or m.roman == 1


cdef inline int32_t value_in(const LineMark& m, int32_t family) noexcept nogil:
    """The mark's number in a count of the family, 0 for none: `(i)` is 9 in a count of letters, 1 in a Roman one."""
    if m.family == family:
        return m.value
    if (family == F_ROMAN or family == F_UPPER_ROMAN) and (m.family == F_LETTER or m.family == F_ROMAN):
        return m.roman
    return 0


cdef inline bint same_series(const Level& level, const LineMark& m) noexcept nogil:
    if m.family == F_BULLET:
        return level.family == F_BULLET and level.sign == m.sign
    return value_in(m, level.family) > 0 and level.form == m.form and (level.sign == m.sign or m.family == F_CIRCLED)


cdef inline bint has_ended(const char_t* text, const Document& doc, const Level& level) noexcept nogil:
    """The last item says itself that it is the last: `and` stands before it, or after a semicolon it ends in a stop."""
    cdef int64_t start, end, p
    cdef uint32_t c, d
    if level.before < 0:
        return False
    start = doc.items[level.before].start
    end = doc.items[level.before].end
    c = text[end - 1]
    d = text[end - 2] if end - start > 1 else 0
    if (c == 100 and d == 110) or (c == 114 and d == 111) or c == 0x6216 or c == 0x53CA or c == 0x548C:
        return True  # and, or, 或 及 和
    p = before_closers(text, doc.items[level.item].start, doc.items[level.item].end)
    return (c == 59 or c == 0xFF1B) and (text[p] == 46 or text[p] == 0x3002)


cdef inline bint is_near(const Document& doc, const Level& level) noexcept nogil:
    """Not so much text stands between the level's list and here that a number can't belong to it."""
    cdef int64_t room = MAX_ASIDE
    cdef int32_t i = <int32_t>doc.blocks.size() - 1
    while i > level.block and room >= 0:
        room -= 64  # a bound on what is looked at
        if doc.blocks[i].kind == B_TEXT or doc.blocks[i].kind == B_LIST:
            room -= doc.blocks[i].end - doc.blocks[i].start
        i -= 1
    return room >= 0


cdef inline bint goes_on_with(const Level& level, const LineMark& m, int64_t indent) noexcept nogil:
    """The next number of the level's count in the same form, not further to the left."""
    if not same_series(level, m):
        return False
    if m.family == F_BULLET:
        return -2 < indent - level.indent < 2
    return value_in(m, level.family) == level.value + 1 and indent + 1 >= level.indent


cdef inline int32_t find_level(
    const char_t* text, const Document& doc, const Lists& lists, const LineMark& m, int64_t indent,
) noexcept nogil:
    """The level whose count the mark goes on with, -1 for none."""
    cdef int32_t i, j, value
    for i in range(lists.depth - 1, -1, -1):
        if goes_on_with(lists.levels[i], m, indent):
            for j in range(i - 1, -1, -1):
                if goes_on_with(lists.levels[j], m, indent):
                    return j if has_ended(text, doc, lists.levels[i]) else i
            return i
    for i in range(lists.depth - 1, -1, -1):  # in any form and place
        if m.family == F_BULLET:
            if same_series(lists.levels[i], m) and indent < lists.levels[i].indent:
                return i
        elif value_in(m, lists.levels[i].family) == lists.levels[i].value + 1:
            return i
    if m.family != F_BULLET:
        for i in range(lists.depth - 1, -1, -1):  # with a gap
            if same_series(lists.levels[i], m):
                value = value_in(m, lists.levels[i].family) - lists.levels[i].value - 1
                if 0 < value <= MAX_GAP:
                    return i
    return ones(text, doc, lists, m, indent)


cdef inline int32_t ones(
    const char_t* text, const Document& doc, const Lists& lists, const LineMark& m, int64_t indent,
) noexcept nogil:
    """The level of items that are all numbered `1.`, as Markdown allows, right before another one; -1 for none."""
    cdef int32_t i
    if m.family != F_ARABIC or m.value != 1 or lists.depth == 0 \
            or lists.levels[lists.depth - 1].block + 1 < <int32_t>doc.blocks.size() \
            or introduces(text, doc.items.back().start, doc.items.back().end):
        return -1
    for i in range(lists.depth - 1, -1, -1):
        if lists.levels[i].value == 1 and same_series(lists.levels[i], m) and -2 < indent - lists.levels[i].indent < 2:
            return i
    return -1


cdef inline int64_t trim_end(const char_t* text, int64_t start, int64_t end) noexcept nogil:
    while end > start and is_blank(text[end - 1]):
        end -= 1
    return end


cdef inline void add_item(Document& doc, Lists& lists, int32_t level, int64_t start, int64_t end) except + nogil:
    """Put an item on an open level of the list in the last block."""
    cdef Item item
    item.start = start
    item.end = end
    item.depth = 0  # `finish_lists` sets it
    item.parent = lists.levels[level - 1].item if level else -1
    lists.levels[level].before = lists.levels[level].item
    lists.levels[level].item = <int32_t>doc.items.size()
    lists.depth = level + 1
    doc.items.push_back(item)
    doc.blocks.back().last = <int32_t>doc.items.size()
    doc.blocks.back().end = end


cdef inline void push_level(Document& doc, Lists& lists, const LineMark& m, int64_t indent) noexcept nogil:
    cdef Level* level
    if lists.depth == MAX_DEPTH:
        lists.depth -= 1
    level = &lists.levels[lists.depth]
    level.family = m.family
    level.value = m.value
    if m.family == F_LETTER and m.roman == 1:  # (i) with no (h) before it
        level.family = F_ROMAN if m.sign == 97 or m.form == FORM_BOTH or m.form == FORM_RIGHT else F_UPPER_ROMAN
        level.value = 1
    level.form = m.form
    level.sign = m.sign
    level.indent = indent
    level.item = -1
    level.block = <int32_t>doc.blocks.size() - 1


cdef inline void drop_level(Lists& lists, int32_t level) noexcept nogil:
    """Forget a level whose count starts again elsewhere."""
    lists.depth -= 1
    while level < lists.depth:
        lists.levels[level] = lists.levels[level + 1]
        level += 1


cdef inline bint same_place(const Document& doc, size_t block, int32_t section) noexcept nogil:
    return doc.blocks[block].section == section and doc.blocks[block].kind == B_TEXT


cdef inline void take_lead(const char_t* text, Document& doc, int64_t lead, int64_t end) noexcept nogil:
    """Make the last block a list without items yet, with the lead-in [lead, end)."""
    cdef Block* block = &doc.blocks.back()
    cdef size_t count = doc.blocks.size()
    cdef int64_t block_end = block.end, before = 0, before_end = 0
    cdef int32_t section = block.section
    if lead == block.start and count > 1 and same_place(doc, count - 2, section) and end - lead <= LABEL \
            and ends_in_colon(text, doc.blocks[count - 2].start, doc.blocks[count - 2].end) \
            and find_lead(text, doc.blocks[count - 2].start, doc.blocks[count - 2].end, True, &before, &before_end) \
            and has_cue(text, before, before_end):
        lead = before  # two in a row: the second is the title of the items
        doc.blocks.pop_back()
        block = &doc.blocks.back()
        block.end = block_end
    block.kind = B_LIST
    block.lead_start = with_number(text, doc, section, lead)
    block.lead_end = end
    block.first = block.last = <int32_t>doc.items.size()


cdef inline int64_t with_number(const char_t* text, const Document& doc, int32_t section, int64_t lead) noexcept nogil:
    """The start of a lead-in with the number of the section that it is glued to: `第三条……下列情形：`"""
    if section < 0 or doc.headings[section].body != lead \
            or doc.headings[section].title_start < doc.headings[section].title_end:
        return lead
    return doc.headings[section].start if on_one_line(text, doc.headings[section].end, lead) else lead


cdef inline bint on_one_line(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    while p < end:
        if text[p] == 10 or text[p] == 13:
            return False
        p += 1
    return True


cdef inline void open_block(Document& doc, int64_t start, int64_t end, int32_t kind, int32_t section) except + nogil:
    cdef Block block
    block.start = start
    block.end = end
    block.kind = kind
    block.section = section
    block.first = block.last = 0
    block.lead_start = block.lead_end = start
    block.furniture = False
    doc.blocks.push_back(block)


cdef inline void open_list(Document& doc, int64_t start, int64_t end, int32_t section) except + nogil:
    open_block(doc, start, end, B_LIST, section)
    doc.blocks.back().first = doc.blocks.back().last = <int32_t>doc.items.size()


cdef inline bint absorb(const char_t* text, Document& doc, size_t into) noexcept nogil:
    """Take the blocks after a list into it, as text and nested lists of its last item; False where one is neither."""
    cdef size_t i, count = doc.blocks.size()
    cdef int32_t item = doc.blocks[into].last - 1
    cdef int64_t first
    for i in range(into + 1, count):
        if doc.blocks[i].kind != B_TEXT and doc.blocks[i].kind != B_LIST:
            return False
    for i in range(into + 1, count):
        if doc.blocks[i].kind == B_TEXT:
            doc.items[item].end = doc.blocks[i].end
        else:
            first = doc.items[doc.blocks[i].first].start
            if first > doc.blocks[i].start:
                doc.items[item].end = trim_end(text, doc.blocks[i].start, first)
            item = doc.blocks[i].last - 1
    doc.blocks[into].last = <int32_t>doc.items.size()
    doc.blocks[into].end = doc.blocks.back().end
    doc.blocks.resize(into + 1)
    return True


cdef inline void continue_list(
    const char_t* text, Document& doc, Lists& lists, int32_t level, const LineMark& m, const Piece& piece,
    int32_t section,
) except + nogil:
    """Put the item that starts with the piece on a level that `find_level` has found."""
    cdef size_t block = lists.levels[level].block
    cdef Block last
    cdef int32_t i
    if block + 1 < doc.blocks.size() or doc.blocks[block].kind != B_LIST:
        if not absorb(text, doc, block):
            last = doc.blocks[block]  # a table or code stands between: the list goes on in a block of its own
            open_list(doc, piece.start, piece.end, section)
            doc.blocks.back().lead_start = last.lead_start
            doc.blocks.back().lead_end = last.lead_end
            for i in range(level + 1):
                lists.levels[i].block = <int32_t>doc.blocks.size() - 1
    lists.levels[level].value = value_in(m, lists.levels[level].family)
    add_item(doc, lists, level, piece.start, piece.end)


cdef inline bint is_unmarked(
    const char_t* text, const Document& doc, const Lists& lists, int64_t last, const Piece& piece,
) noexcept nogil:
    """Whether a paragraph without a mark is an item, as is the text before it, which ends at `last`.

    `女性：……；` and `男性：……。` under a lead-in are.
    """
    cdef size_t count = doc.blocks.size()
    cdef bint parted = text[last - 1] == 0xFF1B or text[last - 1] == 59
    if doc.blocks.back().kind == B_LIST:
        return lists.depth > 0 and lists.levels[lists.depth - 1].family == F_NONE \
            and (parted or is_label(text, piece.start, piece.end))
    return count > 1 and same_place(doc, count - 1, doc.blocks.back().section) \
        and same_place(doc, count - 2, doc.blocks.back().section) \
        and (parted or (is_label(text, piece.start, piece.end) and is_label(text, doc.blocks.back().start, last))) \
        and ends_in_colon(text, doc.blocks[count - 2].start, doc.blocks[count - 2].end)


cdef inline void add_unmarked(const char_t* text, Document& doc, Lists& lists, const Piece& piece) except + nogil:
    """Put an item without a mark in its list; the second makes the list, of the lead-in and the item before it."""
    cdef Block item = doc.blocks.back()
    cdef LineMark m
    cdef int64_t lead = 0, lead_end = 0
    if item.kind != B_LIST:
        doc.blocks.pop_back()
        find_lead(text, doc.blocks.back().start, doc.blocks.back().end, True, &lead, &lead_end)
        take_lead(text, doc, lead, lead_end)
        m.family = F_NONE
        m.form = m.sign = m.value = m.roman = 0
        push_level(doc, lists, m, 0)
        add_item(doc, lists, lists.depth, item.start, item.end)
    add_item(doc, lists, lists.depth - 1, piece.start, piece.end)


cdef inline void start_list(
    const char_t* text, Document& doc, Lists& lists, const LineMark& m, const Piece& piece, int32_t section,
    int64_t before,
) except + nogil:
    """Open a level with the item that starts with the piece, below the item before it or in a new list.

    `before`: where the text before it ends, in the last block; -1 where a heading, table or code stands between.
    """
    cdef int64_t lead = 0, lead_end = 0
    cdef int32_t i
    cdef size_t count = doc.blocks.size()
    if before >= 0 and lists.depth and lists.levels[lists.depth - 1].block == <int32_t>count - 1:
        i = lists.depth - 1
        if m.family != F_BULLET and not introduces(text, doc.items.back().start, doc.items.back().end):
            while i >= 0 and not (same_series(lists.levels[i], m) and value_in(m, lists.levels[i].family) == 1):
                i -= 1
            if i >= 0:  # the count of an open level starts again: another list
                lists.depth = 0
        if lists.depth:
            push_level(doc, lists, m, piece.indent)
            add_item(doc, lists, lists.depth, piece.start, piece.end)
            return
    else:
        for i in range(lists.depth):
            if same_series(lists.levels[i], m):
                drop_level(lists, i)
                break
    if before >= 0 and same_place(doc, count - 1, section) and find_lead(
        text, doc.blocks.back().start, before, False, &lead, &lead_end,
    ):
        take_lead(text, doc, lead, lead_end)
    else:
        open_list(doc, piece.start, piece.end, section)
        if count and section >= 0 and doc.headings[section].family == F_TITLE \
                and doc.headings[section].title_end - doc.headings[section].title_start <= SCRAP \
                and not ends_in_colon(text, doc.headings[section].start, doc.headings[section].end) \
                and same_place(doc, count - 1, section - 1) \
                and find_lead(text, doc.blocks[count - 1].start, doc.blocks[count - 1].end, True, &lead, &lead_end):
            doc.blocks.back().lead_start = lead  # over a short title: often but a scrap from a page's margin
            doc.blocks.back().lead_end = lead_end
    push_level(doc, lists, m, piece.indent)
    add_item(doc, lists, lists.depth, piece.start, piece.end)


cdef inline void finish_lists(Document& doc) noexcept nogil:
    """Count depths inside the block in which an item has ended, and make lists of one item the paragraphs they are."""
    cdef size_t i
    cdef int32_t kept = 0, first, j
    cdef Block* block
    cdef Item item
    for i in range(doc.blocks.size()):
        block = &doc.blocks[i]
        if block.kind != B_LIST:
            continue
        if block.last - block.first < 2:
            block.kind = B_TEXT
            block.first = block.last = 0
            block.lead_start = block.lead_end = block.start
            continue
        first = kept
        for j in range(block.first, block.last):
            item = doc.items[j]
            item.parent = item.parent - block.first + first if item.parent >= block.first else -1
            item.depth = doc.items[item.parent].depth + 1 if item.parent >= 0 else 0
            doc.items[kept] = item
            kept += 1
        block.first = first
        block.last = kept
    doc.items.resize(kept)
