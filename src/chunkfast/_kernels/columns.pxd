"""The chunks of several documents as columns in the layout of Arrow: values one after the other, and their ends."""
from libcpp.vector cimport vector

from chunkfast._kernels.assembly cimport Assembly, COLUMNS, SECTION
from chunkfast._kernels.characters cimport Characters, utf8_width, write_span
from chunkfast._kernels.chunk_ids cimport Found, ID_SIZE, Path, set_path, tell_apart, write_id
from chunkfast._kernels.text cimport int64_t, uint8_t


cdef struct Source:  # of one document
    const Assembly* data
    Characters text
    Characters rendered

cdef cppclass Columns:  # all `ends` begin with 0
    int64_t chunks
    int64_t done  # how many of them are written
    uint8_t* texts  # UTF-8; as large as `room` says
    int64_t* text_ends
    int64_t* prefix_ends
    int64_t* overlap_ends
    int64_t* path_ends  # in lines
    int64_t* numbers  # those of `Assembly.columns`, `chunks` of each
    int64_t* pages  # first and last of each chunk, -1 where no pages are marked
    uint8_t* ids
    vector[uint8_t] prefixes
    vector[uint8_t] overlaps
    vector[uint8_t] lines  # of headings
    vector[int64_t] line_ends  # begins with 0
    Path path
    vector[Found] found


cdef inline int64_t room(const Source& document) noexcept nogil:
    """How many bytes the texts have as UTF-8, at most."""
    cdef int64_t size = 0
    cdef size_t k
    for k in range(0, document.data.pieces.size(), 2):
        size += (document.data.pieces[k + 1] - document.data.pieces[k]) * utf8_width(
            document.text.kind if document.data.pieces[k] < document.text.n else document.rendered.kind)
    return size


cdef inline int64_t write_text(const Source& document, size_t i, uint8_t* out, int64_t* heads) noexcept nogil:
    """Write the text of chunk `i` as UTF-8; `heads`: where prefix and overlap end. Returns how many bytes it has."""
    cdef int64_t n = document.text.n, at = 0, done = 0, start, end, stop
    cdef const int64_t* x = &document.data.columns[COLUMNS * i]
    cdef size_t k
    heads[0] = heads[1] = 0
    for k in range(document.data.piece_ends[i - 1] if i else 0, document.data.piece_ends[i]):
        start = document.data.pieces[2 * k]
        end = document.data.pieces[2 * k + 1]
        while start < end:
            stop = end
            if done < x[0] + x[1]:
                stop = min(end, start + (x[0] if done < x[0] else x[0] + x[1]) - done)
            if start < n:
                at += write_span(document.text, start, stop, out + at)
            else:
                at += write_span(document.rendered, start - n, stop - n, out + at)
            done += stop - start
            start = stop
            if done <= x[0]:
                heads[0] = at
            if done <= x[0] + x[1]:
                heads[1] = at
    return at


cdef inline void write_ids(const Source& document, uint8_t* texts, int64_t* text_ends, uint8_t* ids) except + nogil:
    """Write the ids of a document's chunks, and the texts that they are made of, `room` bytes."""
    cdef Path path
    cdef vector[Found] found
    cdef int64_t[2] heads
    cdef size_t i
    path.section = -2
    text_ends[0] = 0
    for i in range(document.data.piece_ends.size()):
        text_ends[i + 1] = text_ends[i] + write_text(document, i, texts + text_ends[i], heads)
        set_path(path, document.data[0], document.text, document.data.columns[COLUMNS * i + SECTION])
        write_id(path, texts + text_ends[i], text_ends[i + 1] - text_ends[i], i, found, ids + ID_SIZE * i)
    tell_apart(document.data[0], document.text, texts, text_ends, path, found, ids)


cdef inline void add_document(const Source& document, Columns& out) except + nogil:
    cdef int64_t j = out.done, size
    cdef int64_t[2] heads
    cdef uint8_t* text
    cdef size_t i, k, before
    out.path.section = -2
    for i in range(document.data.piece_ends.size()):
        text = out.texts + out.text_ends[j]
        size = write_text(document, i, text, heads)
        out.text_ends[j + 1] = out.text_ends[j] + size
        out.prefixes.insert(out.prefixes.end(), text, text + heads[0])
        out.overlaps.insert(out.overlaps.end(), text + heads[0], text + heads[1])
        out.prefix_ends[j + 1] = out.prefixes.size()
        out.overlap_ends[j + 1] = out.overlaps.size()
        for k in range(COLUMNS):
            out.numbers[k * out.chunks + j] = document.data.columns[COLUMNS * i + k]
        for k in range(2):
            out.pages[2 * j + k] = document.data.pages[2 * i + k] if document.data.pages.size() else -1
        set_path(out.path, document.data[0], document.text, document.data.columns[COLUMNS * i + SECTION])
        before = out.lines.size()
        out.lines.insert(out.lines.end(), out.path.lines.begin(), out.path.lines.end())
        for k in range(out.path.ends.size()):
            out.line_ends.push_back(<int64_t>(before + out.path.ends[k]))
        out.path_ends[j + 1] = <int64_t>out.line_ends.size() - 1
        write_id(out.path, text, size, i, out.found, out.ids + ID_SIZE * j)
        j += 1
    tell_apart(document.data[0], document.text, out.texts, out.text_ends + out.done, out.path, out.found,
               out.ids + ID_SIZE * out.done)
    out.done = j
