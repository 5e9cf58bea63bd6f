"""The data of a plan: what stands between a document's structure and its chunks.

An atom is the smallest span that is not cut unless it must be: a sentence, a list item, a table row, a line of code.
Atoms lie in one of two texts: the source, or the text of rendered tables (`rendered`). `layout.pxd` makes the atoms,
`splitting.pxd` cuts those that are too large, `packing.pxd` joins them to chunks.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport int32_t, int64_t, uint8_t

cdef enum Level:  # what begins with an atom
    L_PIECE = 0  # a sentence, or a piece of one
    L_UNIT = 1  # a list item, a table row, a line of code
    L_BLOCK = 2  # a heading, paragraph, list, table or code block

cdef enum:
    K_HEADING = 255  # kind of an atom that is a heading: it takes the kind of what it stands with
    K_MARK = 254  # page marks, heading signs or rules alone: as a heading

cdef struct Span:
    int64_t start
    int64_t end
    int64_t source_start  # what it stands for in the source: the same span where nothing is rendered
    int64_t source_end
    bint rendered

cdef struct Atom:
    int64_t start
    int64_t end
    int64_t source_start  # as in Span
    int64_t source_end
    int64_t before  # tokens before its start and before its end, in one count for the document
    int64_t after
    int64_t measured  # exact tokens of the block that begins here where the sum is doubtful, -1: not measured
    int32_t prefix  # what is repeated where a slice begins with it: index in prefixes, -1: nothing
    uint8_t level
    uint8_t kind  # BlockKind, K_HEADING or K_MARK
    uint8_t rendered
    uint8_t glued  # no chunk ends behind it unless it must: a heading, a lead-in, header rows
    uint8_t sentence  # an overlap may begin here
    uint8_t piece  # of a larger one that was cut: sums over it are no counts
    uint8_t safe_start  # counts add up at its start, and at its end
    uint8_t safe_end
    uint8_t torn  # one token that stands for several clusters, and alone for more tokens than fit: cut at each cluster

cdef struct Part:  # a block as atoms
    int32_t first  # atoms[first:last]
    int32_t last
    int32_t kind
    bint inside  # a list written inside a paragraph, which is not cut while it fits

cdef struct Segment:  # a heading with its own text, or what stands before the first heading
    int32_t first  # parts[first:last]
    int32_t last
    int32_t section  # index of the heading, -1: none
    int32_t parent  # index of the heading above, -1: none
    int32_t opening  # what stands before its first chunk, and before every other: index in prefixes, -1: nothing
    int32_t prefix
    int64_t limit
    int64_t reduced  # tokens taken off the limit because a sum was too low
    bint leaf  # no section stands under it
    bint apart  # its heading's, see there
    bint announces  # a paragraph that announces what stands under it is all its text
    bint planned

cdef struct Prefix:
    int32_t first  # spans[first:last]
    int32_t last
    int64_t tokens
    bint header  # of a table: shortened at its end, where a lead-in is at its beginning

cdef struct Draft:  # a chunk
    int32_t segment
    int32_t section
    int32_t first  # atoms[first:last]; those before atoms[body] are overlap
    int32_t body
    int32_t last
    int32_t prefix  # of the segment, and of a list or table slice
    int32_t lead
    int64_t tokens
    bint exact  # `tokens` is the count of the text, not a sum that needs a look

cdef struct Cut:
    int64_t atom
    int64_t total  # tokens of the atom's text by itself
    int64_t end  # of the piece before the cut, and how many of the atom's tokens start before it
    int64_t tokens_to_end
    int64_t start  # of the piece behind it: white space between the two belongs to none
    int64_t tokens_to_start
    bint marks  # that piece, or all that is behind it, is page marks alone
    bint marks_behind

cdef cppclass Plan:
    vector[Atom] atoms
    vector[Part] parts
    vector[Segment] segments
    vector[Prefix] prefixes
    vector[Span] spans
    vector[Draft] drafts
    vector[Cut] cuts  # of atoms that are to be split, ascending
    int64_t overlap  # tokens, or sentences
    int64_t table_size
    int64_t list_size
    int64_t pack_size
    int64_t slack  # tokens that a cut at a doubtful place may add
    bint by_sentences


cdef inline void clear_plan(Plan& plan) noexcept nogil:
    """Without atoms and chunks, with the settings and the memory it has."""
    plan.atoms.clear()
    plan.parts.clear()
    plan.segments.clear()
    plan.prefixes.clear()
    plan.spans.clear()
    plan.drafts.clear()
    plan.cuts.clear()


cdef inline void set_ranks(Plan& plan, const int64_t* ranks, const uint8_t* safe, const int64_t* rendered_ranks,
                           const uint8_t* rendered_safe) noexcept nogil:
    """Give each atom its place in one count that runs through source and rendered text in the order of the document."""
    cdef size_t i
    cdef int64_t shift = 0, end = 0
    cdef bint in_table = False
    for i in range(plan.atoms.size()):
        if plan.atoms[i].rendered:
            if not in_table or plan.atoms[i].level == L_BLOCK:
                shift = end + 1 - rendered_ranks[0]  # one for the line end between
            plan.atoms[i].before = shift + rendered_ranks[0]
            plan.atoms[i].after = shift + rendered_ranks[1]
            plan.atoms[i].safe_start = rendered_safe[0]
            plan.atoms[i].safe_end = rendered_safe[1]
            rendered_ranks += 2
            rendered_safe += 2
        else:
            if in_table:
                shift = end + 1 - ranks[0]
            plan.atoms[i].before = shift + ranks[0]
            plan.atoms[i].after = shift + ranks[1]
            plan.atoms[i].safe_start = safe[0]
            plan.atoms[i].safe_end = safe[1]
            ranks += 2
            safe += 2
        in_table = plan.atoms[i].rendered
        end = plan.atoms[i].after
