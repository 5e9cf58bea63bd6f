"""The native core: checks arguments, reads the kind of a str once, releases the GIL, calls the kernels."""
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libcpp.vector cimport vector

from chunkfast._kernels cimport document
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.marks cimport LineMark, read_mark as read_line_mark
from chunkfast._kernels.parse cimport parse as parse_text


def grapheme_ends(str text not None):
    """End of each extended grapheme cluster of `text`, in code points: list of int, ascending, the last one len(text)."""
    cdef int64_t n = PyUnicode_GET_LENGTH(text), p = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef vector[int64_t] out
    with nogil:
        while p < n:
            if kind == 1:
                p = next_grapheme(<const uint8_t*>data, n, p)
            elif kind == 2:
                p = next_grapheme(<const uint16_t*>data, n, p)
            else:
                p = next_grapheme(<const uint32_t*>data, n, p)
            out.push_back(p)
    return out


def read_mark(str line not None):
    """What stands at the start of `line`, for tests: dict of the fields of `LineMark`, or None where nothing does."""
    cdef int64_t n = PyUnicode_GET_LENGTH(line)
    cdef int kind = PyUnicode_KIND(line)
    cdef const void* data = PyUnicode_DATA(line)
    cdef LineMark m
    cdef bint found
    if kind == 1:
        found = read_line_mark(<const uint8_t*>data, 0, n, &m)
    elif kind == 2:
        found = read_line_mark(<const uint16_t*>data, 0, n, &m)
    else:
        found = read_line_mark(<const uint32_t*>data, 0, n, &m)
    return m if found else None


BLOCK_KINDS = ("text", "list", "table", "code", "contents")  # by BlockKind


cdef class Document:
    """The structure of one text. Made by `parse`; holds spans into the text, and the text itself."""
    cdef document.Document doc
    cdef readonly str text

    @property
    def wrap(self):
        """Width in code points to which hard-wrapped lines are filled, 0 where lines are not wrapped."""
        return self.doc.wrap

    def blocks(self):
        """(kind, start, end, section, first, last, lead_start, lead_end) of each block, for tests."""
        return [(BLOCK_KINDS[b.kind], b.start, b.end, b.section, b.first, b.last, b.lead_start, b.lead_end)
                for b in self.doc.blocks]

    def items(self):
        """(start, end, depth, parent) of each list item, for tests."""
        return [(x.start, x.end, x.depth, x.parent) for x in self.doc.items]

    def heading_lines(self):
        """(start, body) of each heading: what is in no block, for tests."""
        return [(h.start, h.body) for h in self.doc.headings]

    def lines(self):
        """(start, first, end, next, marks, role) of each line, for tests."""
        return [(x.start, x.first, x.end, x.next, x.marks, x.role) for x in self.doc.lines]


def parse(str text not None):
    """Read the structure of `text`: returns a `Document`."""
    cdef Document self = Document.__new__(Document)
    cdef int64_t n = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    self.text = text
    with nogil:
        if kind == 1:
            parse_text(<const uint8_t*>data, n, self.doc)
        elif kind == 2:
            parse_text(<const uint16_t*>data, n, self.doc)
        else:
            parse_text(<const uint32_t*>data, n, self.doc)
    return self
