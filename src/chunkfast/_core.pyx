"""The native core: checks arguments, reads the kind of a str once, releases the GIL, calls the kernels."""
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np

from chunkfast._kernels cimport document
from chunkfast._kernels.counting cimport Tally, ask, boundary, first_surrogate, new_tally
from chunkfast._kernels.graphemes cimport next_grapheme
from chunkfast._kernels.levels cimport header_level as line_level
from chunkfast._kernels.marks cimport LineMark, read_mark as read_line_mark
from chunkfast._kernels.parse cimport parse as parse_text
from chunkfast._kernels.sentences cimport sentence_ends as find_sentence_ends
from chunkfast._kernels.wrapping cimport text_wrap_width


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

cdef object int64_array(const vector[int64_t]& values):
    """The values as a new int64 array."""
    out = np.empty(values.size(), dtype=np.int64)
    cdef int64_t[::1] view = out
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(int64_t))
    return out


def wrap_width(str text not None):
    """Width in code points to which the lines of `text` are filled, as those of text out of a PDF are; 0 where they are not."""
    cdef int64_t n = PyUnicode_GET_LENGTH(text), width
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    with nogil:
        if kind == 1:
            width = text_wrap_width(<const uint8_t*>data, n)
        elif kind == 2:
            width = text_wrap_width(<const uint16_t*>data, n)
        else:
            width = text_wrap_width(<const uint32_t*>data, n)
    return width


def sentence_ends(str text not None, wrap=None):
    """Ends of the sentences of `text`.

    Parameters
    ----------
    text : str
    wrap : int or None
        Width in code points to which hard-wrapped lines are filled, 0 for lines that are not wrapped, None to find out.

    Returns
    -------
    ndarray of int64
        Code points, ascending. Each end is past the closing marks of its sentence, white space not included; the next
        sentence starts at the next character that is not white space. The last end is that of the last such character.
    """
    cdef int64_t n = PyUnicode_GET_LENGTH(text), width = -1 if wrap is None else wrap
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef vector[int64_t] out
    if width < 0 and wrap is not None:
        raise ValueError(f"wrap must be at least 0, not {wrap}")
    with nogil:
        if kind == 1:
            if width < 0:
                width = text_wrap_width(<const uint8_t*>data, n)
            find_sentence_ends(<const uint8_t*>data, n, 0, n, width, out)
        elif kind == 2:
            if width < 0:
                width = text_wrap_width(<const uint16_t*>data, n)
            find_sentence_ends(<const uint16_t*>data, n, 0, n, width, out)
        else:
            if width < 0:
                width = text_wrap_width(<const uint32_t*>data, n)
            find_sentence_ends(<const uint32_t*>data, n, 0, n, width, out)
    return int64_array(out)


def header_level(str line not None):
    """Level 1, 2 or 3 that `line` would have as a heading, 0 where it is none."""
    cdef int64_t n = PyUnicode_GET_LENGTH(line)
    cdef int kind = PyUnicode_KIND(line)
    cdef const void* data = PyUnicode_DATA(line)
    if kind == 1:
        return line_level(<const uint8_t*>data, 0, n)
    if kind == 2:
        return line_level(<const uint16_t*>data, 0, n)
    return line_level(<const uint32_t*>data, 0, n)


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

    def headings(self):
        """(level, family, start, end, body, number_start, number_end, title_start, title_end, parent, apart) of each heading."""
        return [(h.level, h.family, h.start, h.end, h.body, h.number_start, h.number_end, h.title_start, h.title_end, h.parent,
                 bool(h.apart)) for h in self.doc.headings]

    def title(self):
        """(start, end) of the document's own title, empty where there is none."""
        return self.doc.title_start, self.doc.title_end

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


cdef class Counter:
    """A tokenizer compiled to native code; immutable, shared by threads without locks. Each family is a subclass with `scan`.

    Every method raises ValueError for a text with a lone surrogate. Positions are code points, spans half open.
    """

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        """Tell `tally` the tokens of the span as `_kernels/counting.pxd` has it; `kind` is the width of `data` in bytes."""
        with gil:
            raise NotImplementedError

    def count(self, str text not None):
        """Number of tokens of `text`."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text)
        cdef Tally tally = new_tally()
        with nogil:
            check_surrogates(kind, data, n)
            self.scan(kind, data, 0, n, &tally)
        return tally.total

    def token_starts(self, str text not None):
        """Position of the first character of each token of `text`: int64 array, ascending, not strictly."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text)
        cdef vector[int64_t] starts
        cdef Tally tally = new_tally()
        cdef int64_t[::1] out
        tally.starts = &starts
        with nogil:
            check_surrogates(kind, data, n)
            self.scan(kind, data, 0, n, &tally)
        result = np.empty(starts.size(), np.int64)
        if starts.size():
            out = result
            memcpy(&out[0], starts.data(), starts.size() * sizeof(int64_t))
        return result

    def ranks(self, str text not None, const int64_t[::1] positions not None):
        """Token ranks and safe cuts of `positions` (int64, ascending, within [0, len(text)]).

        Returns an int64 array with the number of tokens whose first character is before each position, and a uint8 array with
        1 where cutting there is proven additive: between safe a and b, count(text[a:b]) is the difference of their ranks.
        Raises ValueError where a position is out of range or out of order.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text), i, last = 0
        cdef Tally tally = new_tally()
        cdef int64_t[::1] rank
        cdef uint8_t[::1] safe
        result = np.empty(positions.shape[0], np.int64), np.empty(positions.shape[0], np.uint8)
        rank, safe = result
        for i in range(positions.shape[0]):
            if not last <= positions[i] <= n:
                raise ValueError(f"positions[{i}] is {positions[i]}, not in [{last}, {n}]: ascending, within the text")
            last = positions[i]
        if positions.shape[0]:
            ask(&tally, &positions[0], positions.shape[0], &rank[0], &safe[0])
        with nogil:
            check_surrogates(kind, data, n)
            boundary(&tally, 0, True)
            self.scan(kind, data, 0, n, &tally)
            boundary(&tally, n, True)
        return result

    def count_spans(self, str text not None, const int64_t[::1] starts not None, const int64_t[::1] ends not None):
        """Number of tokens of each text[starts[i]:ends[i]] by itself: int64 array.

        `starts` and `ends` are int64 of one length with 0 <= start <= end <= len(text), in any order; else ValueError.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text), i
        cdef Tally tally = new_tally()
        cdef int64_t[::1] out
        if starts.shape[0] != ends.shape[0]:
            raise ValueError(f"starts has {starts.shape[0]} entries, ends has {ends.shape[0]}")
        for i in range(starts.shape[0]):
            if not 0 <= starts[i] <= ends[i] <= n:
                raise ValueError(f"span {i} is [{starts[i]}, {ends[i]}), not within [0, {n})")
        result = np.empty(starts.shape[0], np.int64)
        out = result
        with nogil:
            check_surrogates(kind, data, n)
            for i in range(starts.shape[0]):
                tally.total = 0
                self.scan(kind, data, starts[i], ends[i], &tally)
                out[i] = tally.total
        return result


cdef int check_surrogates(int kind, const void* data, int64_t n) except -1 nogil:
    cdef int64_t p = n
    if kind == 2:
        p = first_surrogate(<const uint16_t*>data, n)
    elif kind == 4:
        p = first_surrogate(<const uint32_t*>data, n)
    if p < n:
        with gil:
            raise ValueError(f"text has a lone surrogate at index {p}")
    return 0
