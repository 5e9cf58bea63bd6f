"""Headings that the user's own patterns name, among those that were found."""
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, Heading, R_CODE, R_HEADING, R_TABLE
from chunkfast._kernels.text cimport int32_t, int64_t


cdef inline void add_headings(Document& doc, const int64_t* lines, int64_t count, int64_t levels) except + nogil:
    """Make headings of `count` lines, (start, level) each, ascending; levels are 1 to `levels`, outside all that were
    found.

    Lines of code and of tables stay what they are; a line that is a heading already takes the level given.
    """
    cdef vector[Heading] merged
    cdef vector[int32_t] open_  # the headings under which the next one stands
    cdef Heading heading
    cdef size_t h = 0, i = 0
    cdef int64_t k
    for h in range(doc.headings.size()):
        doc.headings[h].level += <int32_t>levels
    h = 0
    for k in range(count):
        while i < doc.lines.size() and doc.lines[i].next <= lines[2 * k]:
            i += 1
        if i == doc.lines.size() or doc.lines[i].role == R_CODE or doc.lines[i].role == R_TABLE \
                or doc.lines[i].first == doc.lines[i].end:
            continue
        while h < doc.headings.size() and doc.headings[h].start < doc.lines[i].first:
            merged.push_back(doc.headings[h])
            h += 1
        if not merged.empty() and merged.back().body > doc.lines[i].first:
            continue  # inside a heading of several lines
        while h < doc.headings.size() and doc.headings[h].start < doc.lines[i].next:
            h += 1
        doc.lines[i].role = R_HEADING
        heading.start = heading.title_start = heading.number_start = heading.number_end = doc.lines[i].first
        heading.end = heading.title_end = doc.lines[i].end
        heading.body = doc.lines[i].next
        heading.lead_start = heading.lead_end = 0
        heading.level = <int32_t>lines[2 * k + 1]
        heading.family = 0
        heading.apart = True
        merged.push_back(heading)
    while h < doc.headings.size():
        merged.push_back(doc.headings[h])
        h += 1
    for h in range(merged.size()):
        while not open_.empty() and merged[open_.back()].level >= merged[h].level:
            open_.pop_back()
        merged[h].parent = -1 if open_.empty() else open_.back()
        open_.push_back(<int32_t>h)
    doc.headings.swap(merged)
