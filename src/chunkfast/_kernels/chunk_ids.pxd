"""Ids of chunks: a versioned hash of headings and text, and of equal chunks which of them it is.

What is hashed: `cf_id_version`, each heading from the outermost on, the text, and the number of headings; headings and
text in UTF-8, each with its size ahead; of equal chunks from the second on also how many are before.
`tests/reference/ids.py` has it in Python.
"""
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from chunkfast._kernels.assembly cimport Assembly, COLUMNS, SECTION
from chunkfast._kernels.blake2b cimport Blake2b, DIGEST, begin_hash, finish_hash, take_bytes, take_word, word_at
from chunkfast._kernels.characters cimport Characters, append_heading_line, write_span
from chunkfast._kernels.text cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """static const char cf_id_version[] = "chunkfast-id-1";"""
    const char* cf_id_version

cdef enum:
    ID_SIZE = 2 * DIGEST  # hexadecimal digits

ctypedef pair[pair[uint64_t, uint64_t], int64_t] Found  # a digest, and the chunk that has it

cdef cppclass Path:  # the headings that a chunk stands under, outermost first
    int64_t section  # -1: none; set -2 for another document
    vector[uint8_t] lines  # UTF-8, one after the other
    vector[int64_t] ends
    Blake2b hash  # has taken in version and headings
    vector[int64_t] above
    vector[uint32_t] line


cdef inline void set_path(Path& path, const Assembly& data, const Characters& source, int64_t section) except + nogil:
    """The headings above a section, which is an index in `data.headings` or -1."""
    cdef int64_t h = section, k
    cdef size_t size
    cdef Characters line
    if section == path.section:
        return
    path.section = section
    path.above.clear()
    path.lines.clear()
    path.ends.clear()
    begin_hash(&path.hash)
    take_bytes(&path.hash, <const uint8_t*>cf_id_version, 14)
    while h >= 0:
        path.above.push_back(h)
        h = data.headings[3 * h + 2]
    line.kind = 4
    for k in range(<int64_t>path.above.size() - 1, -1, -1):
        h = path.above[k]
        path.line.clear()
        append_heading_line(path.line, source, data.headings[3 * h], data.headings[3 * h + 1])
        line.data = path.line.data()
        size = path.lines.size()
        path.lines.resize(size + 4 * path.line.size())
        path.lines.resize(size + write_span(line, 0, path.line.size(), path.lines.data() + size))
        path.ends.push_back(<int64_t>path.lines.size())
        take_word(&path.hash, path.lines.size() - size)
        take_bytes(&path.hash, path.lines.data() + size, path.lines.size() - size)


cdef inline void hash_text(const Path& path, const uint8_t* text, int64_t size, uint64_t before,
                           uint8_t* digest) noexcept nogil:
    cdef Blake2b state = path.hash
    take_word(&state, size)
    take_bytes(&state, text, size)
    take_word(&state, path.ends.size())
    if before > 0:
        take_word(&state, before)
    finish_hash(&state, digest)


cdef inline uint8_t hex_digit(uint8_t x) noexcept nogil:
    return (48 if x < 10 else 87) + x


cdef inline void write_hex(const uint8_t* digest, uint8_t* out) noexcept nogil:
    cdef int i
    for i in range(DIGEST):
        out[2 * i] = hex_digit(digest[i] >> 4)
        out[2 * i + 1] = hex_digit(digest[i] & 15)


cdef inline void write_id(const Path& path, const uint8_t* text, int64_t size, int64_t chunk, vector[Found]& found,
                          uint8_t* out) except + nogil:
    """Write the id that a chunk of a document has where no chunk before equals it, and note it in `found`."""
    cdef uint8_t[DIGEST] digest
    cdef Found seen
    hash_text(path, text, size, 0, digest)
    write_hex(digest, out)
    seen.first.first = word_at(digest)
    seen.first.second = word_at(digest + 8)
    seen.second = chunk
    found.push_back(seen)


cdef inline void tell_apart(const Assembly& data, const Characters& source, const uint8_t* texts, const int64_t* ends,
                            Path& path, vector[Found]& found, uint8_t* ids) except + nogil:
    """Write the ids of equal chunks again, by which each is. Chunk i has the text texts[ends[i]:ends[i + 1]]."""
    cdef size_t k, first = 0
    cdef int64_t i
    cdef uint8_t[DIGEST] digest
    sort(found.begin(), found.end())
    for k in range(1, found.size()):
        if found[k].first != found[first].first:
            first = k
            continue
        i = found[k].second
        set_path(path, data, source, data.columns[COLUMNS * i + SECTION])
        hash_text(path, texts + ends[i], ends[i + 1] - ends[i], k - first, digest)
        write_hex(digest, ids + ID_SIZE * i)
    found.clear()
