"""What is known of a document: lines, headings, blocks, lists and tables as spans into one text, and no strings.

Every span is half open, in code points of the text. The scanners fill these arrays in the order of `parse.pxd`; the
planner reads them.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t


cdef enum Role:  # what a line was found to be; a scanner leaves alone the lines that an earlier one has claimed
    R_NONE = 0
    R_BLANK
    R_CODE
    R_TABLE  # rows of a table, its tags included
    R_CAPTION  # caption, unit and condition lines above a table: part of its header
    R_FURNITURE  # page marks, page numbers, running heads: belong to the text they stand in and end nothing
    R_CONTENTS
    R_HEADING
    R_ITEM  # first line of a list item
    R_NOTE  # footnotes at a page's bottom or top

cdef enum Mark:  # characters seen in a line
    M_PIPE = 1
    M_TAB = 2
    M_ANGLE = 4
    M_COMMA = 8  # with no blank behind
    M_CELL = 16  # the line is one of a cell: of a table that lays out a page

cdef struct Line:
    int64_t start  # first code point
    int64_t first  # first that is not blank; `end` in a blank line
    int64_t end  # past the last that is not blank
    int64_t next  # start of the next line
    uint16_t marks
    uint8_t role

cdef enum BlockKind:
    B_TEXT = 0
    B_LIST
    B_TABLE
    B_CODE
    B_CONTENTS

cdef struct Heading:
    int64_t start  # first code point of mark, number or title
    int64_t end  # past the title, or past the number where the text is glued to it
    int64_t body  # where the section's own text starts: the next line, or the glued rest of this one
    int64_t number_start
    int64_t number_end
    int64_t title_start
    int64_t title_end
    int64_t lead_start  # lead-in that is repeated for this section as for a list item; empty where there is none
    int64_t lead_end
    int32_t level  # 1 = outermost
    int32_t parent  # index of the heading above, -1 at the top
    int32_t family  # Family in headings.pxd
    bint apart  # its body never shares a chunk with another section's

cdef struct Block:
    int64_t start  # first code point that is not blank
    int64_t end  # past the last; between a block and the next is only white space
    int32_t section  # index of the heading it stands under, -1 before the first
    int32_t kind
    int32_t first  # B_LIST: its items are items[first:last]; B_TABLE: tables[first]
    int32_t last
    int64_t lead_start  # B_LIST: the sentence that introduces the items; empty where there is none
    int64_t lead_end
    bint furniture  # page marks and running heads alone, at a section's start: no text of it

cdef struct Item:
    int64_t start  # at the mark
    int64_t end  # past its own text, which stops where a nested item begins
    int32_t depth  # 0 = outermost
    int32_t parent  # index in items, -1 at depth 0

cdef enum RowKind:
    ROW_DATA = 0
    ROW_HEADER
    ROW_DELIMITER  # |---|---|
    ROW_REPEAT  # a header row (or delimiter) that is repeated on the next page: in the source, not rendered again
    ROW_BETWEEN  # a line between two pages of a table (page mark, unit, condition of the next): as ROW_REPEAT, no cells

cdef struct Row:
    int64_t start  # source span; for lines without the line end. Between a row and the next is only white space
    int64_t end
    int64_t out_start  # rendered span in Document.rendered, the line end included; empty where nothing is rendered
    int64_t out_end
    int32_t first  # cells[first:last]
    int32_t last
    int32_t kind

cdef struct Cell:  # small, as a table may have one for every second character
    uint32_t start  # trimmed, counted from Row.start
    uint32_t end
    int32_t column  # first column it covers
    uint16_t columns  # colspan
    uint16_t rows  # rowspan

cdef enum TableKind:
    T_PIPE = 0
    T_TABS
    T_COMMAS
    T_HTML

cdef struct Table:
    int64_t start  # caption lines included
    int64_t end
    int64_t body  # first code point after the caption lines
    int64_t note_start  # conditions that stand further above: in the table before or over it; empty where there's none
    int64_t note_end
    int64_t out_start  # rendered caption, header rows and delimiter in Document.rendered; equal where not rendered
    int64_t out_end
    int32_t first  # rows[first:last]; the header rows (and delimiter) are the first `header` of them
    int32_t last
    int32_t header
    int32_t kind
    int32_t columns
    bint rendered
    bint tall  # some cell of a rendered row reaches down into the next
    bint overfull  # its spans cover far more cells than it has characters: never rendered

cdef struct Page:
    int64_t start  # first code point of its first line
    int64_t number

cdef cppclass Document:
    vector[Page] pages  # empty where no pages are marked
    vector[Line] lines
    vector[Heading] headings
    vector[Block] blocks
    vector[Item] items
    vector[Table] tables
    vector[Row] rows
    vector[Cell] cells
    vector[uint32_t] rendered  # the text of rendered tables, one after the other
    int64_t title_start  # the document's own title; empty where there is none
    int64_t title_end
    int64_t wrap  # width in code points to which hard-wrapped lines are filled, 0 where lines are not wrapped


cdef inline void clear_document(Document& doc) noexcept nogil:
    """As new, with the memory it has."""
    doc.pages.clear()
    doc.lines.clear()
    doc.headings.clear()
    doc.blocks.clear()
    doc.items.clear()
    doc.tables.clear()
    doc.rows.clear()
    doc.cells.clear()
    doc.rendered.clear()
    doc.title_start = doc.title_end = doc.wrap = 0
