"""The native core: checks arguments, reads the kind of a str once, releases the GIL, calls the kernels."""
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np

cdef extern from "Python.h":
    str PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)
    str PyUnicode_Substring(str text, Py_ssize_t start, Py_ssize_t end)

cdef extern from "skip.h" nogil:
    int64_t cf_next_surrogate[T](const T* text, int64_t i, int64_t n) noexcept

from chunkfast._kernels cimport byte_bpe, byte_bpe_build, byte_merges, char_bpe, document, plan, pretokens
from chunkfast._kernels.added_tokens cimport add_token
from chunkfast._kernels.asking cimport Asker
from chunkfast._kernels.assembly cimport (
    COLUMNS, OVERLAP_LENGTH, PREFIX_LENGTH, SECTION, Assembly, add_headings, assemble, clear_assembly)
from chunkfast._kernels.bert_normalizer cimport BertOptions, build_entries
from chunkfast._kernels.blake2b cimport Blake2b, DIGEST, begin_hash, finish_hash, take_bytes
from chunkfast._kernels.char_bpe_build cimport build_char_bpe
from chunkfast._kernels.characters cimport Characters, append_heading_line, append_span
from chunkfast._kernels.chunk_ids cimport ID_SIZE
from chunkfast._kernels.columns cimport Columns, Source, add_document, room, write_ids
from chunkfast._kernels.counted_windows cimport assemble_windows, cut_windows
from chunkfast._kernels.counting cimport Tally, ask, boundary, likely_cuts, new_tally
from chunkfast._kernels.document cimport clear_document
from chunkfast._kernels.double_array cimport NO_CELL, Cell, build_trie, child
from chunkfast._kernels.graphemes cimport grapheme_ceil, next_grapheme
from chunkfast._kernels.json cimport NOWHERE
from chunkfast._kernels.layout cimport header_source, lay_headings, lay_out, lay_sentences
from chunkfast._kernels.levels cimport header_level as line_level
from chunkfast._kernels.marks cimport LineMark, read_mark as read_line_mark
from chunkfast._kernels.names cimport UNNAMED, Names, find_name, index_names, read_texts
from chunkfast._kernels.parse cimport parse as parse_text
from chunkfast._kernels.plan cimport clear_plan
from chunkfast._kernels.sentences cimport sentence_ends as find_sentence_ends
from chunkfast._kernels.settling cimport Work, append_pieces, count_atoms, settle_plan, show_headers
from chunkfast._kernels.spellings cimport Spellings, read_spellings
from chunkfast._kernels.text cimport char_t
from chunkfast._kernels.unigram cimport ALWAYS, FIRST, NEVER, scan_unigram
from chunkfast._kernels.unigram_build cimport build_unigram, keeps_blanks
from chunkfast._kernels.unigram_lattice cimport UnigramModel
from chunkfast._kernels.units cimport scan_bytes, scan_chars
from chunkfast._kernels.vocabulary cimport (
    Merges, digest_of, find_model, find_splits, order_names, read_merges, read_tokens)
from chunkfast._kernels.wordpiece cimport WordPieceModel, scan_wordpiece
from chunkfast._kernels.wrapping cimport text_wrap_width


def grapheme_ends(str text not None):
    """End of each extended grapheme cluster of `text`, in code points: list of int, ascending, the last len(text)."""
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


cdef object uint8_array(const vector[uint8_t]& values):
    """The values as a new uint8 array."""
    out = np.empty(values.size(), dtype=np.uint8)
    cdef uint8_t[::1] view = out
    if values.size():
        memcpy(&view[0], values.data(), values.size())
    return out


def blake2b(bytes data not None, int64_t step=1 << 62):
    """The digest of 16 bytes, taken in by steps of so many bytes: for tests."""
    cdef Blake2b state
    cdef const uint8_t* bytes_of = data
    cdef int64_t at = 0, size = len(data)
    cdef uint8_t[DIGEST] digest
    begin_hash(&state)
    while at < size:
        take_bytes(&state, bytes_of + at, min(step, size - at))
        at += min(step, size - at)
    finish_hash(&state, digest)
    return digest[:DIGEST]


def wrap_width(str text not None):
    """Width in code points to which the lines of `text` are filled, as in text out of a PDF; 0 where they are not."""
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
        out.reserve(n // 64 + 1)
        if kind == 1:
            find_sentence_ends(<const uint8_t*>data, n, 0, n, width, out)
        elif kind == 2:
            find_sentence_ends(<const uint16_t*>data, n, 0, n, width, out)
        else:
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
        """(level, family, start, end, body, number_start, number_end, title_start, title_end, parent, apart)."""
        return [(h.level, h.family, h.start, h.end, h.body, h.number_start, h.number_end, h.title_start, h.title_end,
                 h.parent, bool(h.apart)) for h in self.doc.headings]

    def title(self):
        """(start, end) of the document's own title, empty where there is none."""
        return self.doc.title_start, self.doc.title_end

    def rendered_text(self):
        """The text of all rendered tables, one after the other."""
        cdef size_t n = self.doc.rendered.size()
        return PyUnicode_FromKindAndData(4, self.doc.rendered.data(), n) if n else ""

    def tables(self):
        """The tables, for tests: dicts of the fields of `Table`."""
        return list(self.doc.tables)

    def rows(self):
        """The rows of all tables, for tests: dicts of the fields of `Row`."""
        return list(self.doc.rows)

    def cells(self):
        """The cells of all rows, for tests: dicts of the fields of `Cell`."""
        return list(self.doc.cells)

    def heading_leads(self):
        """(start, lead_start, lead_end) of each heading, for tests."""
        return [(h.start, h.lead_start, h.lead_end) for h in self.doc.headings]

    def lines(self):
        """(start, first, end, next, marks, role) of each line, for tests."""
        return [(x.start, x.first, x.end, x.next, x.marks, x.role) for x in self.doc.lines]


def parse(str text not None, int table_format=0, const int64_t[:, ::1] extra_headings=None, int64_t extra_levels=0):
    """Read the structure of `text`: returns a `Document`.

    `table_format`: 0 auto, 1 markdown, 2 source, 3 rows. `extra_headings`: int64 of shape (n, 2), starts of lines
    that are headings besides those that are found, ascending, and their levels from 1 to `extra_levels`.
    """
    cdef Document self = Document.__new__(Document)
    cdef int64_t n = PyUnicode_GET_LENGTH(text), extra_count = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef const int64_t* extra = NULL
    if extra_headings is not None and extra_headings.shape[0] > 0:
        extra_count = extra_headings.shape[0]
        extra = &extra_headings[0, 0]
    self.text = text
    with nogil:
        if kind == 1:
            parse_text(<const uint8_t*>data, n, table_format, extra, extra_count, extra_levels, self.doc)
        elif kind == 2:
            parse_text(<const uint16_t*>data, n, table_format, extra, extra_count, extra_levels, self.doc)
        else:
            parse_text(<const uint32_t*>data, n, table_format, extra, extra_count, extra_levels, self.doc)
    return self


cdef Characters characters_of(str text) noexcept:
    cdef Characters out
    out.kind = PyUnicode_KIND(text)
    out.data = PyUnicode_DATA(text)
    out.n = PyUnicode_GET_LENGTH(text)
    return out


cdef class Counter:
    """A tokenizer in native code; immutable, shared by threads without locks. Each family is a subclass with `scan`.

    Every method raises ValueError for a text with a lone surrogate. Positions are code points, spans half open.
    """
    cdef readonly bint additive  # the counts of the parts of any text add up to the count of the whole
    cdef int64_t reach  # length of the longest added token
    cdef bint is_local  # a place is safe or not by the characters beside it: that behind it and the next
    cdef bint cuts_at_blanks  # no place is safe but those beside white space

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        """Tell `tally` the tokens of the span, see `_kernels/counting.pxd`; `kind` is the width of `data` in bytes."""
        with gil:
            raise NotImplementedError

    def count(self, str text not None):
        """Number of tokens of `text`."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text)
        with nogil:
            check_surrogates(kind, data, n)
            n = self.tokens(kind, data, 0, n)
        return n

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

        Returns an int64 array with the number of tokens whose first character is before each position, and a uint8
        array with 1 where cutting there is proven additive: between safe a and b, count(text[a:b]) is the difference
        of their ranks. Raises ValueError where a position is out of range or out of order.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text), i, last = 0
        cdef int64_t[::1] rank
        cdef uint8_t[::1] safe
        result = np.empty(positions.shape[0], np.int64), np.empty(positions.shape[0], np.uint8)
        rank, safe = result
        for i in range(positions.shape[0]):
            if not last <= positions[i] <= n:
                raise ValueError(f"positions[{i}] is {positions[i]}, not in [{last}, {n}]: ascending, within the text")
            last = positions[i]
        with nogil:
            check_surrogates(kind, data, n)
            if positions.shape[0]:
                self.rank(kind, data, 0, n, &positions[0], positions.shape[0], &rank[0], &safe[0])
        return result

    cdef int rank(self, int kind, const void* data, int64_t start, int64_t end, const int64_t* positions, int64_t asked,
                  int64_t* ranks, uint8_t* safe) except -1 nogil:
        """`ranks` of a span as a text of its own, and of positions in it, all of which have been checked."""
        cdef Tally tally = new_tally()
        ask(&tally, positions, asked, ranks, safe)
        boundary(&tally, start, True)
        self.scan(kind, data, start, end, &tally)
        boundary(&tally, end, True)
        return 0

    cdef int64_t tokens(self, int kind, const void* data, int64_t start, int64_t end) except -1 nogil:
        """`count` of a span of a text that has been checked."""
        cdef Tally tally = new_tally()
        self.scan(kind, data, start, end, &tally)
        return tally.total

    def token_places(self, str text not None):
        """`token_starts`, and (position, tokens before it) of some safe cuts of `text`: int64 (k, 2), ascending."""
        cdef Characters source = characters_of(text)
        cdef vector[int64_t] starts, places
        with nogil:
            check_surrogates(source.kind, source.data, source.n)
            self.read_places(source.kind, source.data, source.n, starts, places)
        return int64_array(starts), int64_array(places).reshape(-1, 2)

    cdef int read_places(self, int kind, const void* data, int64_t n, vector[int64_t]& starts,
                         vector[int64_t]& places) except -1 nogil:
        """`token_places` of a text that has been checked; both vectors are empty."""
        cdef vector[int64_t] cuts, ranks
        cdef vector[uint8_t] safe
        cdef size_t i
        cdef Tally tally = new_tally()
        tally.starts = &starts
        if kind == 1:
            likely_cuts(<const uint8_t*>data, n, self.cuts_at_blanks, cuts)
        elif kind == 2:
            likely_cuts(<const uint16_t*>data, n, self.cuts_at_blanks, cuts)
        else:
            likely_cuts(<const uint32_t*>data, n, self.cuts_at_blanks, cuts)
        ranks.resize(cuts.size())
        safe.resize(cuts.size())
        ask(&tally, cuts.data(), cuts.size(), ranks.data(), safe.data())
        boundary(&tally, 0, True)
        self.scan(kind, data, 0, n, &tally)
        boundary(&tally, n, True)
        for i in range(cuts.size()):
            if safe[i] and (places.empty() or places[places.size() - 2] < cuts[i]):
                places.push_back(cuts[i])
                places.push_back(ranks[i])
        return 0

    def count_windows(self, str text not None, const int64_t[:, ::1] windows not None,
                      const int64_t[:, ::1] places not None):
        """`count_spans` of windows of a text whose `token_places` are known, which is faster. Nothing is checked."""
        cdef Characters source = characters_of(text)
        cdef int64_t i, count = places.shape[0], first = 0, last = 0, tokens
        result = np.empty(windows.shape[0], np.int64)
        cdef int64_t[::1] out = result
        with nogil:
            for i in range(windows.shape[0]):
                while first < count and places[first, 0] < windows[i, 0]:
                    first += 1
                last = max(last, first)
                while last < count and places[last, 0] <= windows[i, 1]:
                    last += 1
                tokens = -1
                if last > first:
                    tokens = self.count_edges(source, windows[i, 0], source, 0, windows[i, 1], &places[first, 0],
                                              last - first)
                if tokens < 0:
                    tokens = self.tokens(source.kind, source.data, windows[i, 0], windows[i, 1])
                out[i] = tokens
        return result

    cdef int64_t read_to(self, int64_t start, int64_t end, const int64_t* places, int64_t count) noexcept nogil:
        """Up to where `count_edges` reads the text at its beginning: `start` for not at all, -1 for in vain."""
        cdef int64_t x = 2
        if count < (1 if self.is_local else 3):
            return -1
        if places[0] == start:
            return start
        if self.is_local:
            return min(places[0] + 2, end)
        while x < count and places[2 * x] - places[0] <= self.reach:
            x += 1
        return places[2 * x] if x < count else -1

    cdef int64_t count_edges(self, const Characters& head, int64_t start, const Characters& source, int64_t shift,
                             int64_t end, const int64_t* places, int64_t count) except -2 nogil:
        """Count a text that differs from its document's reading at its edges alone: behind a prefix, in a pre-token.

        The text is head[start:], which goes on as the document `source` from some place to `end`; `shift` is added to
        a place in `source` to have it in `head`. `places` has (position, tokens before it) of the `count` places in
        that stretch that are safe in the document.

        Let a < m < x be the first of them. The text is read up to x. If a and m are safe there too, a is so in the
        whole text: what is before m, which takes in all that is looked at to find a, is read alike whatever comes
        after x. Let b < z be the last of them. Where the text ends at z, the document's count holds from a on; else
        up to b, from where the rest is read: z being safe, b was found without a look past it. (A pre-token is cut by
        what an automaton sees, `pretokens.pxd`; an added token is no longer than `reach`.) Where a model tells a safe
        place from the characters beside it, the text is read past those of a, and no m, x and z are needed. -1 where
        there are too few places.
        """
        cdef int64_t[2] positions
        cdef int64_t[2] ranks
        cdef uint8_t[2] safe
        cdef int64_t total = 0, stop = self.read_to(start - shift, end, places, count), asked = 1, last = count - 1
        if stop < 0:
            return -1
        if stop > start - shift:
            positions[0] = places[0] + shift
            if not self.is_local:
                positions[1] = places[2] + shift
                asked = 2
            self.rank(head.kind, head.data, start, stop + shift, positions, asked, ranks, safe)
            if not (safe[0] and safe[asked - 1]):
                return -1
            total = ranks[0]
        if not self.is_local and places[2 * last] < end:
            last -= 1
        total += places[2 * last + 1] - places[1]
        if places[2 * last] < end:
            total += self.tokens(source.kind, source.data, places[2 * last], end)
        return total

    def count_spans(self, str text not None, const int64_t[::1] starts not None, const int64_t[::1] ends not None):
        """Number of tokens of each text[starts[i]:ends[i]] by itself: int64 array.

        `starts` and `ends` are int64 of one length with 0 <= start <= end <= len(text), in any order; else ValueError.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int64_t n = PyUnicode_GET_LENGTH(text), i
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
                out[i] = self.tokens(kind, data, starts[i], ends[i])
        return result


cdef int check_surrogates(int kind, const void* data, int64_t n) except -1 nogil:
    cdef int64_t p = n
    if kind == 2:
        p = cf_next_surrogate(<const uint16_t*>data, 0, n)
    elif kind == 4:
        p = cf_next_surrogate(<const uint32_t*>data, 0, n)
    if p < n:
        with gil:
            raise ValueError(f"text has a lone surrogate at index {p}")
    return 0


cdef class Chars(Counter):
    """A token is a code point."""

    def __cinit__(self):
        self.additive = True

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        return scan_chars(start, end, tally)


cdef class Bytes(Counter):
    """A token is a byte of UTF-8."""

    def __cinit__(self):
        self.additive = True

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        if kind == 1:
            return scan_bytes(<const uint8_t*>data, start, end, tally)
        if kind == 2:
            return scan_bytes(<const uint16_t*>data, start, end, tally)
        return scan_bytes(<const uint32_t*>data, start, end, tally)


cdef int read_names(str text, const int32_t[::1] lengths, Names& names) except -1:
    """Texts that stand in `text` in a row, of these lengths in code points; ValueError where they don't fill it."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t left = PyUnicode_GET_LENGTH(text), count = lengths.shape[0], i
    for i in range(count):
        if not 0 <= lengths[i] <= left:
            raise ValueError(f"text {i} has {lengths[i]} characters of {left}")
        left -= lengths[i]
    if left or not count:
        raise ValueError(f"{count} texts, {left} characters behind them")
    with nogil:
        if kind == 1:
            read_texts(names, <const uint8_t*>data, &lengths[0], count)
        elif kind == 2:
            read_texts(names, <const uint16_t*>data, &lengths[0], count)
        else:
            read_texts(names, <const uint32_t*>data, &lengths[0], count)
    return 0


cdef class Vocabulary:
    """Tokens, all different, in the order of their ids, and merges of them. Made by `read_vocabulary` or `of_ranks`."""
    cdef Names names
    cdef Merges merges
    cdef readonly bint has_equal_ids
    cdef readonly bytes digest  # 16 bytes: those of others with the same tokens and merges in the same order

    def __cinit__(self):
        self.names.first.push_back(0)

    def __len__(self):
        return self.names.first.size() - 1

    def __contains__(self, str token not None):
        cdef vector[uint32_t] points = [ord(c) for c in token]
        return find_name(self.names, points.data(), points.size(), points.data(), 0) != UNNAMED

    cdef int index(self, vector[int64_t]& ids) except -1:
        """Put the tokens that have been read in order, and make them findable; ValueError where two are alike."""
        cdef bint different
        cdef size_t i
        with nogil:
            order_names(self.names, ids)
            different = index_names(self.names)
        if not different:
            raise ValueError("a token twice")
        for i in range(1, ids.size()):
            self.has_equal_ids = self.has_equal_ids or ids[i - 1] == ids[i]
        return 0

    cdef int finish(self) except -1:
        cdef uint8_t[DIGEST] digest
        with nogil:
            digest_of(self.names, self.merges, digest)
        self.digest = digest[:DIGEST]
        return 0

    @staticmethod
    def of_ranks(bytes tokens not None, const int32_t[::1] lengths not None):
        """Of byte strings that stand in `tokens` in a row, of these lengths, in the order of their ranks.

        The tokens are written in the byte-level alphabet. Any two tokens merge whose bytes make a third, by its rank.
        Raises ValueError where the lengths do not fill `tokens`, or two tokens are alike.
        """
        cdef Vocabulary self = Vocabulary.__new__(Vocabulary)
        cdef vector[int64_t] ids
        cdef size_t i
        read_names(tokens.decode("latin-1"), lengths, self.names)
        for i in range(self.names.text.size()):
            self.names.text[i] = byte_bpe_build.letter_of(<uint8_t>self.names.text[i])
        self.index(ids)
        with nogil:
            find_splits(self.names, self.merges)
        self.finish()
        return self


def read_vocabulary(bytes source not None):
    """Read the vocabulary and the merges of a tokenizer.json where they stand.

    Returns the source with an empty object and an empty array in their place, and the `Vocabulary`; source and None
    where the vocabulary is no object. Raises ValueError where the source is not understood: no JSON, a member twice, an
    escape in the name of one, a token twice, an id of more than 32 bits, a merge of other than two known tokens.
    """
    cdef const uint8_t* text = source
    cdef int64_t n = len(source)
    cdef Vocabulary vocabulary = Vocabulary.__new__(Vocabulary)
    cdef int64_t[4] places  # of the two values: start, end
    cdef vector[int64_t] ids
    cdef bint understood
    with nogil:
        understood = find_model(text, n, places)
    if not understood:
        raise ValueError("not understood: a tokenizer.json without a model, or with members twice")
    if places[0] == NOWHERE or text[places[0]] != ord("{"):
        return source, None
    with nogil:
        understood = read_tokens(text, places[0], n, vocabulary.names, ids)
    if not understood:
        raise ValueError("not understood: the vocabulary is not one of tokens and ids")
    vocabulary.index(ids)
    if places[2] != NOWHERE:
        with nogil:
            understood = read_merges(text, places[2], n, vocabulary.names, vocabulary.merges)
        if not understood:
            raise ValueError("not understood: merges are not of two known tokens each")
    vocabulary.finish()
    rest = source[:places[0]] + b"{}"
    if places[2] == NOWHERE:
        rest += source[places[1]:]
    elif places[0] < places[2]:
        rest += source[places[1]:places[2]] + b"[]" + source[places[3]:]
    else:
        rest = source[:places[2]] + b"[]" + source[places[3]:places[0]] + b"{}" + source[places[1]:]
    return rest, vocabulary


cdef class WordPiece(Counter):
    """BertNormalizer, BertPreTokenizer and WordPiece.

    `strip_accents` is the setting in force, True or False. Not checked: the vocabulary has the unknown token.
    """
    cdef WordPieceModel model

    def __cinit__(self, *, Vocabulary vocabulary not None, str prefix not None, int64_t longest_word, bint clean_text,
                  bint handle_chinese_chars, bint strip_accents, bint lowercase):
        cdef Spellings spellings
        cdef vector[uint32_t] cell_of
        cdef BertOptions options
        cdef Py_UCS4 c
        options.clean_text = clean_text
        options.handle_chinese_chars = handle_chinese_chars
        options.strip_accents = strip_accents
        options.lowercase = lowercase
        with nogil:
            read_spellings(spellings, vocabulary.names)
            build_trie(spellings.symbols, spellings.ends, spellings.alphabet, self.model.trie, cell_of)
            build_entries(options, spellings.symbol_of, self.model.entries, self.model.pool)
        self.is_local = True
        self.model.longest_word = longest_word
        self.model.rest = 0
        for c in prefix:
            if self.model.rest != NO_CELL:
                self.model.rest = child(self.model.trie.data(), self.model.rest, spellings.symbol_of[c])

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        if kind == 1:
            scan_wordpiece(&self.model, <const uint8_t*>data, start, end, tally)
        elif kind == 2:
            scan_wordpiece(&self.model, <const uint16_t*>data, start, end, tally)
        else:
            scan_wordpiece(&self.model, <const uint32_t*>data, start, end, tally)
        return 0


cdef class Unigram(Counter):
    """Charsmap, white space rules, Metaspace and Unigram: see `_kernels/unigram.pxd`.

    `tokens` holds the pieces, one behind the other, all different, none of them empty, `lengths` (characters) and
    `scores` theirs. `unknown` is the index of the unknown piece, -1 if it is not among them. `charsmap` is the
    precompiled one or empty, `squeeze` what runs of spaces become: "" (nothing else), " " or the metaspace; `scheme` is
    "always", "first" or "never". Raises ValueError where the charsmap is cut short, or text is to be stripped of what
    is not mapped to spaces.
    """
    cdef UnigramModel model

    def __cinit__(self, *, str tokens not None, const int32_t[::1] lengths not None,
                  const double[::1] scores not None, int64_t unknown, double unknown_score, bint byte_fallback,
                  bytes charsmap not None, str metaspace not None, str scheme not None, bint split_blanks,
                  str squeeze not None, bint strip_left, bint strip_right):
        cdef Names names
        cdef Spellings spellings
        cdef vector[uint32_t] cell_of
        cdef vector[Cell] cells
        cdef vector[double] score
        cdef const uint8_t* blob = charsmap
        cdef int64_t size = len(charsmap), units = 0, place = -1
        cdef size_t i
        if lengths.shape[0] != scores.shape[0]:
            raise ValueError(f"{lengths.shape[0]} tokens, {scores.shape[0]} scores")
        read_names(tokens, lengths, names)
        if size:
            units = int.from_bytes(charsmap[:4], "little") // 4
            if size < 4 or units == 0 or 4 + 4 * units >= size or blob[size - 1]:
                raise ValueError(f"charsmap: {size} bytes for {units} units and their strings")
            charsmap[4 + 4 * units:].decode()  # raises a ValueError where the strings are not UTF-8
            self.model.charsmap.units.resize(units)
            memcpy(self.model.charsmap.units.data(), blob + 4, 4 * units)
            self.model.charsmap.strings.assign(blob + 4 + 4 * units, blob + size)
        self.is_local = self.cuts_at_blanks = True
        self.model.unknown_score = unknown_score
        self.model.metaspace = ord(metaspace)
        self.model.scheme = {"always": ALWAYS, "first": FIRST, "never": NEVER}[scheme]
        self.model.byte_fallback = byte_fallback
        self.model.split_blanks = split_blanks
        self.model.squeeze = squeeze != ""
        self.model.squeeze_to_meta = squeeze == metaspace
        self.model.strip_left = strip_left
        self.model.strip_right = strip_right
        with nogil:
            read_spellings(spellings, names)
            for i in range(spellings.order.size()):
                score.push_back(scores[spellings.order[i]])
                if spellings.order[i] == unknown:
                    place = i
            build_trie(spellings.symbols, spellings.ends, spellings.alphabet, cells, cell_of)
            build_unigram(
                &self.model, cells, cell_of, score, place, spellings.symbols, spellings.ends, spellings.symbol_of)
        if (strip_left or strip_right) and keeps_blanks(&self.model):
            raise ValueError("strip_left, strip_right: the charsmap leaves white space that is no space")

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        if kind == 1:
            scan_unigram(&self.model, <const uint8_t*>data, start, end, tally)
        elif kind == 2:
            scan_unigram(&self.model, <const uint16_t*>data, start, end, tally)
        else:
            scan_unigram(&self.model, <const uint32_t*>data, start, end, tally)
        return 0


cdef class CharBPE(Counter):
    """BPE over characters with byte fallback and a metaspace for spaces: see `_kernels/char_bpe.pxd`.

    `put`: "nothing", "always" or "missing". Raises ValueError where two tokens have one id, a merge is of the token of
    a byte, or the metaspace is no token.
    """
    cdef char_bpe.CharBPE model

    def __cinit__(self, *, Vocabulary vocabulary not None, str put not None):
        if vocabulary.has_equal_ids:
            raise ValueError("two tokens have one id")
        self.is_local = True
        self.model.put = {"nothing": char_bpe.PUT_NOTHING, "always": char_bpe.PUT_ALWAYS,
                          "missing": char_bpe.PUT_MISSING}[put]
        if not build_char_bpe(&self.model, vocabulary.names, vocabulary.merges):
            raise ValueError("merges of tokens of bytes, or no metaspace")

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        if kind == 1:
            char_bpe.scan_char_bpe(&self.model, <const uint8_t*>data, start, end, tally)
        elif kind == 2:
            char_bpe.scan_char_bpe(&self.model, <const uint16_t*>data, start, end, tally)
        else:
            char_bpe.scan_char_bpe(&self.model, <const uint32_t*>data, start, end, tally)
        return 0


# -- chunks

def find_surrogate(str text not None):
    """Index of the first lone surrogate of `text`, -1 where there is none."""
    cdef int64_t n = PyUnicode_GET_LENGTH(text), p = n
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    with nogil:
        if kind == 2:
            p = cf_next_surrogate(<const uint16_t*>data, 0, n)
        elif kind == 4:
            p = cf_next_surrogate(<const uint32_t*>data, 0, n)
    return p if p < n else -1


def is_boundary(str text not None, int64_t position):
    """Whether no extended grapheme cluster of `text` holds both sides of `position`, which is in [0, len(text)]."""
    cdef int64_t n = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if not 0 <= position <= n:
        raise ValueError(f"position is {position}, not in [0, {n}]")
    if kind == 1:
        return grapheme_ceil(<const uint8_t*>data, n, 0, position) == position
    if kind == 2:
        return grapheme_ceil(<const uint16_t*>data, n, 0, position) == position
    return grapheme_ceil(<const uint32_t*>data, n, 0, position) == position


cdef class Rows:
    """The chunks of one text as spans and numbers, see `_kernels/assembly.pxd`; strings are made when asked for."""
    cdef Assembly data
    cdef readonly str source
    cdef readonly str rendered
    cdef Characters characters  # of `source`

    cdef int set_rendered(self, str rendered) except -1:
        self.rendered = rendered
        return 0

    def __len__(self):
        return self.data.piece_ends.size()

    def __reduce__(self):
        return rows_of, (self.source, self.rendered, int64_array(self.data.pieces), int64_array(self.data.piece_ends),
                         int64_array(self.data.spans), int64_array(self.data.span_ends), int64_array(self.data.columns),
                         int64_array(self.data.pages), int64_array(self.data.headings), self.data.title_start,
                         self.data.title_end)

    def heading_count(self):
        """How many headings the document has: sections are numbered by them, -1 is what stands before the first."""
        return self.data.headings.size() // 3

    def heading(self, size_t section):
        """The heading of a section as one line, and the section that it stands in."""
        if section >= self.data.headings.size() // 3:
            raise IndexError(section)
        return (self.line(self.data.headings[3 * section], self.data.headings[3 * section + 1]),
                self.data.headings[3 * section + 2])

    def title(self):
        """The title that the document itself has, as one line; "" where there is none."""
        return self.line(self.data.title_start, self.data.title_end)

    cdef str line(self, int64_t start, int64_t end):
        cdef vector[uint32_t] out
        append_heading_line(out, self.characters, start, end)
        return PyUnicode_FromKindAndData(4, out.data(), out.size())

    cdef Source as_source(self) noexcept:
        cdef Source out
        out.data = &self.data
        out.text = self.characters
        out.rendered = characters_of(self.rendered)
        return out

    def ids(self):
        """The id of each chunk: list of str."""
        cdef Source source = self.as_source()
        cdef size_t chunks = self.data.piece_ends.size(), i
        cdef vector[int64_t] ends
        cdef vector[uint8_t] out
        cdef uint8_t[::1] texts = np.empty(room(source) + 1, np.uint8)  # memory that is not written is not taken
        with nogil:
            ends.resize(chunks + 1)
            out.resize(ID_SIZE * chunks)
            write_ids(source, &texts[0], ends.data(), out.data())
        return [PyUnicode_FromKindAndData(1, out.data() + ID_SIZE * i, ID_SIZE) for i in range(chunks)]

    cdef str piece(self, size_t k):
        cdef int64_t start = self.data.pieces[2 * k], end = self.data.pieces[2 * k + 1], n = self.characters.n
        if start < n:
            return PyUnicode_Substring(self.source, start, end)
        return PyUnicode_Substring(self.rendered, start - n, end - n)

    cdef str join(self, size_t i):
        cdef size_t k, first = self.data.piece_ends[i - 1] if i else 0, last = self.data.piece_ends[i]
        if last == first + 1:
            return self.piece(first)
        return "".join([self.piece(k) for k in range(first, last)])

    def text(self, size_t i):
        """The text of chunk `i`."""
        if i >= self.data.piece_ends.size():
            raise IndexError(i)
        return self.join(i)

    def texts(self):
        """The text of each chunk: list of str."""
        cdef size_t i
        return [self.join(i) for i in range(self.data.piece_ends.size())]

    def spans(self, size_t i):
        """(start, end) of each source span of chunk `i`: tuple of tuples."""
        if i >= self.data.span_ends.size():
            raise IndexError(i)
        cdef size_t k, first = self.data.span_ends[i - 1] if i else 0, last = self.data.span_ends[i]
        return tuple([(self.data.spans[2 * k], self.data.spans[2 * k + 1]) for k in range(first, last)])

    def row(self, size_t i):
        """(prefix length, overlap length, start index, end index, kind, section, tokens) of chunk `i`."""
        if i >= self.data.piece_ends.size():
            raise IndexError(i)
        cdef const int64_t* x = &self.data.columns[COLUMNS * i]
        return x[0], x[1], x[2], x[3], x[4], x[5], x[6]

    def page(self, size_t i):
        """(first, last) page of chunk `i`; None where no pages are marked."""
        if i >= self.data.piece_ends.size():
            raise IndexError(i)
        return (self.data.pages[2 * i], self.data.pages[2 * i + 1]) if self.data.pages.size() else None

    def column(self, size_t which):
        """One of the numbers of `row`, of all chunks: int64 ndarray, read-only."""
        cdef vector[int64_t] out
        cdef size_t i
        if which >= COLUMNS:
            raise IndexError(which)
        out.reserve(self.data.piece_ends.size())
        for i in range(self.data.piece_ends.size()):
            out.push_back(self.data.columns[COLUMNS * i + which])
        array = int64_array(out)
        array.flags.writeable = False
        return array


def columns_of(list documents not None):
    """The chunks of several documents, a list of Rows, as columns: one document after the other.

    Returns (texts, prefixes, overlaps, lines, path_ends, ids, numbers, pages). The first four are pairs of their
    UTF-8, one after the other, and int64 offsets in it, shape (n + 1,). `lines` are the headings that the chunks
    stand under, `path_ends` int64 offsets in them, shape (n + 1,); `ids` uint8 (n, 32); `numbers` int64 (7, n), see
    `Rows.row`; `pages` int64 (n, 2), -1 where no pages are marked.
    """
    cdef Rows rows
    cdef int64_t most = 0
    cdef size_t i
    cdef vector[Source] sources
    cdef Columns out
    out.chunks = out.done = 0
    for rows in documents:
        sources.push_back(rows.as_source())
        out.chunks += rows.data.piece_ends.size()
        most += room(sources.back())
    texts = np.empty(most + 1, np.uint8)  # memory that is not written is not taken
    offsets = np.zeros((4, out.chunks + 1), np.int64)
    ids = np.empty((out.chunks, ID_SIZE), np.uint8)
    numbers = np.empty((COLUMNS, out.chunks), np.int64)
    pages = np.empty((out.chunks, 2), np.int64)
    cdef uint8_t[::1] text = texts
    cdef int64_t[:, ::1] ends = offsets
    cdef uint8_t[:, ::1] id_bytes = ids
    cdef int64_t[:, ::1] number = numbers
    cdef int64_t[:, ::1] page = pages
    if out.chunks:
        out.texts = &text[0]
        out.text_ends = &ends[0, 0]
        out.prefix_ends = &ends[1, 0]
        out.overlap_ends = &ends[2, 0]
        out.path_ends = &ends[3, 0]
        out.ids = &id_bytes[0, 0]
        out.numbers = &number[0, 0]
        out.pages = &page[0, 0]
    out.line_ends.push_back(0)
    with nogil:
        for i in range(sources.size()):
            add_document(sources[i], out)
    return (
        (texts[:ends[0, out.chunks]], offsets[0]),
        (uint8_array(out.prefixes), offsets[1]),
        (uint8_array(out.overlaps), offsets[2]),
        (uint8_array(out.lines), int64_array(out.line_ends)),
        offsets[3], ids, numbers, pages)


cdef int fill(vector[int64_t]& out, const int64_t[::1] values) except -1:
    if values.shape[0]:
        out.assign(&values[0], &values[0] + values.shape[0])
    return 0


cdef bint belongs(const int64_t[::1] pairs, const int64_t[::1] ends, int64_t n) noexcept:
    """Whether `pairs` are spans of a text of `n` characters, and `ends` counts them."""
    cdef int64_t i, before = 0
    for i in range(ends.shape[0]):
        if ends[i] < before:
            return False
        before = ends[i]
    if pairs.shape[0] != 2 * before:
        return False
    for i in range(0, pairs.shape[0], 2):
        if not 0 <= pairs[i] <= pairs[i + 1] <= n:
            return False
    return True


cdef Rows rows_without_chunks(str source):
    cdef Rows self = Rows.__new__(Rows)
    self.source = source
    self.rendered = ""
    self.characters = characters_of(source)
    return self


cdef bint are_headings(const int64_t[::1] headings, int64_t n) noexcept:
    """Whether `headings` has spans of a text of `n` characters, each with a heading before it or -1."""
    cdef int64_t i
    if headings.shape[0] % 3:
        return False
    for i in range(0, headings.shape[0], 3):
        if not (0 <= headings[i] <= headings[i + 1] <= n and -1 <= headings[i + 2] < i // 3):
            return False
    return True


def rows_of(str source not None, str rendered not None, const int64_t[::1] pieces not None,
            const int64_t[::1] piece_ends not None, const int64_t[::1] spans not None,
            const int64_t[::1] span_ends not None, const int64_t[::1] columns not None,
            const int64_t[::1] pages not None, const int64_t[::1] headings not None, int64_t title_start,
            int64_t title_end):
    """`Rows` out of a pickle. Raises ValueError where the arrays do not belong together."""
    cdef Rows self = rows_without_chunks(source)
    cdef int64_t n = len(source), chunks = piece_ends.shape[0], i
    cdef bint good = (
        belongs(pieces, piece_ends, n + len(rendered)) and belongs(spans, span_ends, n) and span_ends.shape[0] == chunks
        and columns.shape[0] == COLUMNS * chunks and (pages.shape[0] == 0 or pages.shape[0] == 2 * chunks)
        and are_headings(headings, n) and 0 <= title_start <= title_end <= n)
    for i in range(chunks if good else 0):
        good = good and -1 <= columns[COLUMNS * i + SECTION] < headings.shape[0] // 3
        good = good and columns[COLUMNS * i + PREFIX_LENGTH] >= 0 and columns[COLUMNS * i + OVERLAP_LENGTH] >= 0
    if not good:
        raise ValueError("these are no chunks of this text")
    self.rendered = rendered
    fill(self.data.pieces, pieces)
    fill(self.data.piece_ends, piece_ends)
    fill(self.data.spans, spans)
    fill(self.data.span_ends, span_ends)
    fill(self.data.columns, columns)
    fill(self.data.pages, pages)
    fill(self.data.headings, headings)
    self.data.title_start = title_start
    self.data.title_end = title_end
    return self


class EncoderNeeded(ValueError):
    """The native counter leaves this text to the encoder."""


cdef class ByteBPE(Counter):
    """Byte-level BPE behind a split pattern: see `_kernels/byte_bpe.pxd`."""
    cdef byte_merges.ByteBPE model
    cdef pretokens.Pattern pattern
    cdef bint nfc

    def __cinit__(self, *, Vocabulary vocabulary not None, bint ignore_merges, const int32_t[::1] segments not None,
                  const uint8_t[::1] cell_class not None, const uint8_t[::1] table not None,
                  const uint8_t[::1] kinds not None, list added not None, bint nfc):
        """Build the model.

        The tokens of `vocabulary` are in the byte-level alphabet. `segments`, `cell_class`, `table` and `kinds` are
        those of `chunkfast.patterns.Automaton`, unchecked. `added` lists the added tokens: content, whether it is
        matched in normalised text, whether it is counted (not special). `nfc`: the text is normalised. Raises
        ValueError where the model is too large, two tokens have one id, a byte has no token, or a character no class.
        """
        cdef int64_t count = len(vocabulary), merges = vocabulary.merges.ranks.size()
        cdef int missing
        cdef byte_bpe_build.Spelling spelling
        cdef vector[uint32_t] points
        if count > byte_merges.MAX_TOKENS or merges and vocabulary.merges.ranks[merges - 1] >= byte_merges.MAX_MERGES:
            raise ValueError(f"{count} tokens, {merges} merges: at most {byte_merges.MAX_TOKENS} tokens")
        if vocabulary.has_equal_ids:
            raise ValueError("two tokens have one id")
        self.pattern.table.assign(&table[0], &table[0] + len(table))
        memcpy(self.pattern.kinds, &kinds[0], 64)
        if not pretokens.set_pattern(self.pattern, &segments[0], len(segments), &cell_class[0]):
            raise ValueError("the category tables and the pattern do not fit")
        with nogil:
            byte_bpe_build.spell(spelling, vocabulary.names)
            missing = byte_bpe_build.set_merges(self.model, spelling, vocabulary.merges)
            if missing == byte_merges.NONE:
                byte_bpe_build.set_words(self.model, spelling, ignore_merges)
            if missing == byte_merges.NONE and ignore_merges:
                byte_bpe_build.set_whole(self.model, spelling)
            if missing == byte_merges.NONE:
                byte_bpe_build.set_parts(self.model, spelling)
        if missing != byte_merges.NONE:
            raise ValueError(f"no token for byte {missing}")
        for content, normalized, counted in added:
            points = [ord(c) for c in content]
            self.reach = max(self.reach, <int64_t>points.size())
            add_token(self.model.added[1 if normalized else 0], points, counted)
        self.nfc = nfc

    cdef int scan(self, int kind, const void* data, int64_t start, int64_t end, Tally* tally) except -1 nogil:
        if self.nfc and kind > 1 and not (
            pretokens.is_nfc(<const uint16_t*>data, start, end) if kind == 2 else
            pretokens.is_nfc(<const uint32_t*>data, start, end)
        ):
            with gil:
                raise EncoderNeeded("the text is not normalised")
        if kind == 1:
            byte_bpe.scan(self.model, self.pattern, <const uint8_t*>data, start, end, tally)
        elif kind == 2:
            byte_bpe.scan(self.model, self.pattern, <const uint16_t*>data, start, end, tally)
        else:
            byte_bpe.scan(self.model, self.pattern, <const uint32_t*>data, start, end, tally)
        return 0


# -- how a plan asks a counter: see `_kernels/asking.pxd`

cdef int rank_natively(void* counter, const Characters& text, const vector[int64_t]& positions, vector[int64_t]& ranks,
                       vector[uint8_t]& safe) except -1 nogil:
    return (<Counter>counter).rank(text.kind, text.data, 0, text.n, positions.data(), positions.size(), ranks.data(),
                                   safe.data())


cdef int count_natively(void* counter, const Characters& source, const Characters& made, const vector[int64_t]& pieces,
                        const vector[int64_t]& ends, vector[int64_t]& tokens) except -1 nogil:
    cdef vector[uint32_t] joined
    cdef size_t i
    cdef int64_t first = 0
    for i in range(ends.size()):
        if ends[i] == first + 1 and pieces[2 * first] < source.n:
            tokens[i] = (<Counter>counter).tokens(source.kind, source.data, pieces[2 * first], pieces[2 * first + 1])
        else:
            joined.clear()
            append_pieces(joined, source, made, pieces, first, ends[i])
            tokens[i] = (<Counter>counter).tokens(4, joined.data(), 0, joined.size())
        first = ends[i]
    return 0


cdef int start_natively(void* counter, const Characters& text, int64_t start, int64_t end,
                        vector[int64_t]& starts) except -1 nogil:
    cdef Tally tally = new_tally()
    cdef size_t i
    tally.starts = &starts
    (<Counter>counter).scan(text.kind, text.data, start, end, &tally)
    if start > 0:
        for i in range(starts.size()):
            starts[i] -= start
    return 0


cdef int read_natively(void* counter, const Characters& text, vector[int64_t]& starts,
                       vector[int64_t]& places) except -1 nogil:
    return (<Counter>counter).read_places(text.kind, text.data, text.n, starts, places)


cdef int64_t count_edges_natively(void* counter, const Characters& head, int64_t start, const Characters& source,
                                  int64_t shift, int64_t end, const int64_t* places, int64_t count) except -2 nogil:
    return (<Counter>counter).count_edges(head, start, source, shift, end, places, count)


cdef int64_t read_to_natively(void* counter, int64_t start, int64_t end, const int64_t* places,
                              int64_t count) noexcept nogil:
    return (<Counter>counter).read_to(start, end, places, count)


cdef Asker native_asker(Counter model):
    """Asks `model`, which the caller holds."""
    cdef Asker asker
    asker.counter = <void*>model
    asker.rank = rank_natively
    asker.count = count_natively
    asker.start = start_natively
    asker.read = read_natively
    asker.count_edges = count_edges_natively
    asker.read_to = read_to_natively
    return asker


cdef int rank_in_python(void* counter, const Characters& text, const vector[int64_t]& positions, vector[int64_t]& ranks,
                        vector[uint8_t]& safe) except -1 with gil:
    cdef const int64_t[::1] given_ranks
    cdef const uint8_t[::1] given_safe
    cdef size_t i
    given_ranks, given_safe = (<object>counter).ranks(str_of(text, 0, text.n), int64_array(positions))
    check_size(<object>counter, "ranks", given_ranks.shape[0], positions.size())
    check_size(<object>counter, "safe cuts", given_safe.shape[0], positions.size())
    for i in range(positions.size()):
        ranks[i] = given_ranks[i]
        safe[i] = given_safe[i]
    return 0


cdef int count_in_python(void* counter, const Characters& source, const Characters& made, const vector[int64_t]& pieces,
                         const vector[int64_t]& ends, vector[int64_t]& tokens) except -1 with gil:
    cdef const int64_t[::1] counts
    cdef int64_t k, first = 0
    cdef size_t i
    texts = []
    for i in range(ends.size()):
        texts.append("".join([
            str_of(source, pieces[2 * k], pieces[2 * k + 1]) if pieces[2 * k] < source.n
            else str_of(made, pieces[2 * k] - source.n, pieces[2 * k + 1] - source.n) for k in range(first, ends[i])]))
        first = ends[i]
    counts = (<object>counter).count_batch(texts)
    check_size(<object>counter, "counts", counts.shape[0], ends.size())
    for i in range(ends.size()):
        tokens[i] = counts[i]
    return 0


cdef int start_in_python(void* counter, const Characters& text, int64_t start, int64_t end,
                         vector[int64_t]& starts) except -1 with gil:
    return fill(starts, (<object>counter).token_starts(str_of(text, start, end)))


cdef int read_in_python(void* counter, const Characters& text, vector[int64_t]& starts,
                        vector[int64_t]& places) except -1 with gil:
    return fill(starts, (<object>counter).token_starts(str_of(text, 0, text.n)))


cdef Asker python_asker(object counter):
    """Asks a `TokenCounter`, which the caller holds."""
    cdef Asker asker
    asker.counter = <void*>counter
    asker.rank = rank_in_python
    asker.count = count_in_python
    asker.start = start_in_python
    asker.read = read_in_python
    asker.count_edges = NULL
    asker.read_to = NULL
    return asker


cdef str str_of(const Characters& text, int64_t start, int64_t end):
    return PyUnicode_FromKindAndData(text.kind, <const char*>text.data + start * text.kind, end - start)


cdef int check_size(object counter, str what, int64_t given, int64_t asked) except -1:
    if given != asked:
        raise ValueError(f"{counter!r} gave {given} {what} for {asked}")
    return 0


# -- from texts to chunks

cdef class Cutter:
    """Cuts texts one after the other, each generation in its own way: see `cut`.

    Not for several threads at once: what a text needs on the way is kept for the next.
    """
    cdef Work work
    cdef object counter
    cdef int64_t limit
    cdef list made  # what `cut` returns
    cdef list titles
    cdef size_t position  # of the text that is being cut
    cdef readonly int64_t longest  # code points of the longest text so far

    cdef int cut_text(self, const Asker& asker) except -1 nogil:
        """Cut `work.source` to `work.out`, which is empty."""
        with gil:
            raise NotImplementedError

    cdef int cut_rows(self, void* rows, const Asker& asker) except -1 nogil:
        cdef Work* work = &self.work
        work.source = (<Rows>rows).characters
        self.longest = max(self.longest, work.source.n)
        work.made.n = 0
        work.out = &(<Rows>rows).data
        clear_assembly(work.out[0])  # of what a counter left unfinished
        check_surrogates(work.source.kind, work.source.data, work.source.n)
        self.cut_text(asker)
        if work.made.n > 0:
            with gil:
                (<Rows>rows).set_rendered(str_of(work.made, 0, work.made.n))
        return 0

    def cut(self, list texts not None, list titles=None):
        """Cut texts, with the GIL released but for what a counter or a setting in Python is asked.

        Returns a list: for each text `Rows`, or the TypeError or ValueError that tells why it can't be cut. `titles`,
        str or None for each text, are those that were given; only headings that are put into chunks need them.
        """
        cdef Counter model = self.counter.model
        cdef Asker asked = python_asker(self.counter), native = asked if model is None else native_asker(model)
        cdef size_t i = 0, count = len(texts)
        cdef vector[void*] rows
        cdef list made = []
        for text in texts:
            try:
                made.append(rows_without_chunks(text if type(text) is str else str.__str__(text)))
                rows.push_back(<void*>made[i])
            except TypeError as error:
                made.append(error)
                rows.push_back(NULL)
            i += 1
        self.made = made
        self.titles = titles
        i = 0
        while i < count:
            try:
                with nogil:
                    while i < count:
                        self.position = i
                        if rows[i] != NULL:
                            self.cut_rows(rows[i], native)
                        i += 1
            except EncoderNeeded:
                try:
                    with nogil:
                        self.cut_rows(rows[i], asked)
                except (TypeError, ValueError) as error:
                    made[i] = error
                i += 1
            except (TypeError, ValueError) as error:
                made[i] = error
                i += 1
        self.made = self.titles = None
        return made


cdef class WindowCutter(Cutter):
    """Generation 1: windows of `limit` tokens, with at most `overlap` < `limit` in common."""
    cdef int64_t overlap
    cdef bint additive
    cdef bint characters

    def __init__(self, counter not None, int64_t limit, int64_t overlap):
        self.counter = counter
        self.limit = limit
        self.overlap = overlap
        self.additive = counter.is_additive
        self.characters = isinstance(counter.model, Chars)

    cdef int cut_text(self, const Asker& asker) except -1 nogil:
        if self.work.source.kind == 1:
            return cut_to_windows(self, <const uint8_t*>self.work.source.data, asker)
        if self.work.source.kind == 2:
            return cut_to_windows(self, <const uint16_t*>self.work.source.data, asker)
        return cut_to_windows(self, <const uint32_t*>self.work.source.data, asker)


cdef int cut_to_windows(WindowCutter self, const char_t* text, const Asker& asker) except -1 nogil:
    cut_windows(text, self.work.source.n, self.work, asker, self.limit, self.overlap, self.additive, self.characters)
    assemble_windows(text, self.work)
    return 0


cdef class SentenceCutter(Cutter):
    """Generation 2: sentences packed to `limit` tokens, of which `overlap` sentences are repeated."""

    def __init__(self, counter not None, int64_t limit, int64_t overlap):
        cdef plan.Plan* own = &self.work.plan
        self.counter = counter
        self.limit = limit
        own.by_sentences = True
        own.overlap = overlap
        own.slack = 0 if counter.is_additive else 1
        own.table_size = own.list_size = limit
        own.pack_size = 0

    cdef int cut_text(self, const Asker& asker) except -1 nogil:
        if self.work.source.kind == 1:
            return cut_to_sentences(self, <const uint8_t*>self.work.source.data, asker)
        if self.work.source.kind == 2:
            return cut_to_sentences(self, <const uint16_t*>self.work.source.data, asker)
        return cut_to_sentences(self, <const uint32_t*>self.work.source.data, asker)


cdef int cut_to_sentences(SentenceCutter self, const char_t* text, const Asker& asker) except -1 nogil:
    cdef Work* work = &self.work
    clear_plan(work.plan)
    lay_sentences(text, work.source.n, self.limit, work.plan)
    count_atoms(work[0], asker, self.limit)
    settle_plan(text, work[0], asker)
    assemble(work.plan, work.doc, work.source.n, work.out[0])
    return 0


cdef class StructureCutter(Cutter):
    """Generation 3: by section, block and sentence.

    `table_format`: 0 auto, 1 markdown, 2 source, 3 rows. `find_headings(text)` gives the extra headings as `parse`
    takes them, of `extra_levels` levels; None: there are none. `find_limits(rows)`, of a text whose chunks are not
    made yet, gives the limit of each section and then that of the text before the first: int64; None: `limit` for
    all. `shorten(cutter, counter, prefix, most)` shortens a prefix by `set_prefix`. `prepend`: title and headings go
    into the chunks.
    """
    cdef int table_format
    cdef int64_t extra_levels
    cdef object find_headings
    cdef object find_limits
    cdef object shorten
    cdef bint has_extra_headings
    cdef bint has_limits
    cdef bint prepend
    cdef int64_t weight  # tokens that a character has at most, as far as the counter knows; it only saves work

    def __init__(self, counter not None, int64_t limit, int64_t overlap, int64_t table_size, int64_t list_size,
                 int64_t pack_size, int table_format, bint prepend, shorten not None, int64_t extra_levels=0,
                 find_headings=None, find_limits=None):
        cdef plan.Plan* own = &self.work.plan
        self.counter = counter
        self.limit = limit
        self.table_format = table_format
        self.prepend = prepend
        self.shorten = shorten
        self.extra_levels = extra_levels
        self.find_headings = find_headings
        self.find_limits = find_limits
        self.has_extra_headings = find_headings is not None
        self.has_limits = find_limits is not None
        self.weight = counter.tokens_per_character
        own.by_sentences = False
        own.overlap = overlap
        own.slack = 0 if counter.is_additive else 1
        own.table_size = table_size
        own.list_size = list_size
        own.pack_size = pack_size

    cdef int cut_text(self, const Asker& asker) except -1 nogil:
        if self.work.source.kind == 1:
            return cut_to_blocks(self, <const uint8_t*>self.work.source.data, asker)
        if self.work.source.kind == 2:
            return cut_to_blocks(self, <const uint16_t*>self.work.source.data, asker)
        return cut_to_blocks(self, <const uint32_t*>self.work.source.data, asker)

    cdef int ask_headings(self) except -1 with gil:
        cdef const int64_t[:, ::1] found = self.find_headings(self.text)
        self.work.extra_headings.clear()
        if found.shape[0] > 0:
            self.work.extra_headings.assign(&found[0, 0], &found[0, 0] + 2 * found.shape[0])
        return 0

    cdef int ask_limits(self) except -1 with gil:
        cdef Rows rows = rows_without_chunks(self.text)
        rows.data.headings = self.work.out.headings
        cdef const int64_t[::1] found = self.find_limits(rows)
        check_size(self.find_limits, "limits", found.shape[0], self.work.limits.size())
        return fill(self.work.limits, found)

    cdef int ask_shorter(self, int64_t most) except -1 with gil:
        for prefix in list(self.work.too_large):
            self.shorten(self, self.counter, prefix, most)
        return 0

    cdef int add_title(self) except -1 with gil:
        """Behind the rendered tables, as a line: a given title stands nowhere in the source, unless it is its own."""
        cdef str line = self.titles[self.position] if self.titles else None
        cdef Rows rows = self.made[self.position]
        if line is not None and line.strip() != rows.line(self.work.doc.title_start, self.work.doc.title_end):
            line += "\n"
            append_span(self.work.made_text, characters_of(line), 0, len(line))
        return 0

    # What `planner.py` needs of a prefix that is too large.

    @property
    def text(self):
        """The text that is being cut."""
        return (<Rows>self.made[self.position]).source

    def slice(self, int64_t start, int64_t end, bint rendered):
        """A span of the text, or of its rendered tables and title."""
        cdef Characters text = self.work.made if rendered else self.work.source
        if not 0 <= start <= end <= text.n:
            raise IndexError(f"[{start}, {end}) of {text.n}")
        return str_of(text, start, end)

    def prefix_spans(self, size_t prefix):
        """(start, end, rendered) of each span of a prefix."""
        return [(self.work.plan.spans[k].start, self.work.plan.spans[k].end, bool(self.work.plan.spans[k].rendered))
                for k in range(self.work.plan.prefixes.at(prefix).first, self.work.plan.prefixes.at(prefix).last)]

    def prefix_is_header(self, size_t prefix):
        """Whether a prefix is the header of a table."""
        return bool(self.work.plan.prefixes.at(prefix).header)

    def set_prefix(self, size_t prefix, spans, int64_t tokens):
        """Put other spans, parts of the old ones, in the place of a prefix's, and take the count of their text."""
        cdef plan.Plan* own = &self.work.plan
        cdef plan.Span span, old
        cdef int32_t first = <int32_t>own.spans.size(), k
        for start, end, rendered in spans:
            span.start = span.source_start = start
            span.end = span.source_end = end
            span.rendered = rendered
            for k in range(own.prefixes.at(prefix).first, own.prefixes.at(prefix).last):
                old = own.spans[k]
                if not rendered or start < old.start or end > old.end:
                    continue
                span.source_start = span.source_end = old.source_start  # a line end by itself stands for nothing
                if start == old.start:
                    span.source_end = old.source_end if end == old.end else header_source(self.work.doc, old, end)
                break
            own.spans.push_back(span)
        own.prefixes[prefix].first = first
        own.prefixes[prefix].last = <int32_t>own.spans.size()
        own.prefixes[prefix].tokens = tokens


cdef int cut_to_blocks(StructureCutter self, const char_t* text, const Asker& asker) except -1 nogil:
    cdef Work* work = &self.work
    cdef int64_t n = work.source.n, least
    clear_document(work.doc)
    if self.has_extra_headings:
        self.ask_headings()
    parse_text(text, n, self.table_format, work.extra_headings.data(), work.extra_headings.size() // 2,
               self.extra_levels, work.doc)
    add_headings(work.doc, work.out[0])
    work.limits.assign(work.doc.headings.size() + 1, self.limit)
    if self.has_limits:
        self.ask_limits()
    least = work.limits[0]
    for limit in work.limits:
        least = min(least, limit)
    while True:
        lay_document(self, text)
        count_atoms(work[0], asker, least // 2)
        if show_headers(text, self.table_format, work.plan, work.too_large, work.doc):
            continue
        if not work.too_large.empty():
            self.ask_shorter(least // 2)
        if settle_plan(text, work[0], asker):
            break
    assemble(work.plan, work.doc, n, work.out[0])
    return 0


cdef int lay_document(StructureCutter self, const char_t* text) except -1 nogil:
    """Make the atoms of the document, and the text that is not in the source."""
    cdef Work* work = &self.work
    cdef int64_t start = work.doc.title_start, end = work.doc.title_end, rendered = work.doc.rendered.size()
    cdef bint given
    clear_plan(work.plan)
    lay_out(text, work.source.n, work.doc, work.limits.data(), self.weight, work.plan)
    work.made.kind = 4
    work.made.data = work.doc.rendered.data()
    work.made.n = rendered
    if self.prepend:
        work.made_text = work.doc.rendered
        self.add_title()
        given = <int64_t>work.made_text.size() > rendered
        if given:
            start = rendered
            end = work.made_text.size()
        lay_headings(text, work.source.n, work.doc, start, end, given, work.plan)
        work.made.data = work.made_text.data()
        work.made.n = work.made_text.size()
    return 0
