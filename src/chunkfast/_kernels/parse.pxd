"""The document as sections and blocks: the scanners in the order in which each builds on what the ones before have
found."""
from chunkfast._kernels.blocks cimport scan_blocks
from chunkfast._kernels.code cimport scan_code
from chunkfast._kernels.document cimport Document
from chunkfast._kernels.extra_headings cimport add_headings
from chunkfast._kernels.furniture cimport scan_furniture
from chunkfast._kernels.headings cimport scan_headings
from chunkfast._kernels.lines cimport scan_lines
from chunkfast._kernels.render cimport render_tables
from chunkfast._kernels.tables cimport scan_tables
from chunkfast._kernels.text cimport char_t, int32_t, int64_t
from chunkfast._kernels.wrapping cimport wrap_width


cdef inline void parse(const char_t* text, int64_t n, int32_t table_format, const int64_t* extra, int64_t extra_count,
                       int64_t extra_levels, Document& doc) except + nogil:
    """Fill `doc`. `extra`: see `add_headings`."""
    doc.lines.reserve(n // 48 + 8)
    scan_lines(text, n, 0, n, doc.lines)
    doc.wrap = wrap_width(text, n, doc.lines.data(), doc.lines.size())
    scan_code(text, doc)
    scan_tables(text, n, doc)
    render_tables(text, table_format, doc)
    scan_furniture(text, doc)
    scan_headings(text, doc)
    if extra_count > 0:
        add_headings(doc, extra, extra_count, extra_levels)
    scan_blocks(text, n, doc)
