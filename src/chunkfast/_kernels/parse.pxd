"""The document as sections and blocks: the scanners in the order in which each builds on what the ones before have found."""
from chunkfast._kernels.document cimport B_TEXT, Block, Document, R_BLANK
from chunkfast._kernels.lines cimport scan_lines
from chunkfast._kernels.text cimport char_t, int64_t
from chunkfast._kernels.wrapping cimport wrap_width


cdef inline void parse(const char_t* text, int64_t n, Document& doc) except + nogil:
    cdef Block block
    cdef size_t i
    scan_lines(text, n, doc)
    doc.wrap = wrap_width(text, n, doc.lines.data(), doc.lines.size())
    block.section = -1
    block.kind = B_TEXT
    block.first = block.last = 0
    block.lead_start = block.lead_end = 0
    block.start = -1
    for i in range(doc.lines.size()):
        if doc.lines[i].role == R_BLANK:
            if block.start >= 0:
                doc.blocks.push_back(block)
            block.start = -1
        else:
            if block.start < 0:
                block.start = doc.lines[i].first
            block.end = doc.lines[i].end
    if block.start >= 0:
        doc.blocks.push_back(block)
