"""How the planner asks a token counter: by functions that `_core` gives, over a native model or a counter in Python.

Each returns -1, or -2 where -1 means something, with a Python exception set where the counter fails.
"""
from libcpp.vector cimport vector

from chunkfast._kernels.characters cimport Characters
from chunkfast._kernels.text cimport int64_t, uint8_t, uint32_t

# The rank of each of the positions of a text, and whether it is a safe cut: see `counting.pxd`.
ctypedef int (*Rank)(void* counter, const Characters& text, const vector[int64_t]& positions, vector[int64_t]& ranks,
                     vector[uint8_t]& safe) except -1 nogil

# The tokens of texts that are made of pieces of `source` and, from its length on, of `made`: see `Assembly`.
ctypedef int (*Count)(void* counter, const Characters& source, const Characters& made, const vector[int64_t]& pieces,
                      const vector[int64_t]& ends, vector[int64_t]& tokens) except -1 nogil

# Where the tokens of a span, taken as a text by itself, start in it.
ctypedef int (*Start)(void* counter, const Characters& text, int64_t start, int64_t end,
                      vector[int64_t]& starts) except -1 nogil

# `Start` for a whole text, and (position, tokens before it) of some of its safe cuts.
ctypedef int (*Read)(void* counter, const Characters& text, vector[int64_t]& starts,
                     vector[int64_t]& places) except -1 nogil

# `Counter.count_edges` and `Counter.read_to`.
ctypedef int64_t (*CountEdges)(void* counter, const Characters& head, int64_t start, const Characters& source,
                               int64_t shift, int64_t end, const int64_t* places, int64_t count) except -2 nogil
ctypedef int64_t (*ReadTo)(void* counter, int64_t start, int64_t end, const int64_t* places,
                           int64_t count) noexcept nogil

cdef struct Asker:
    void* counter
    Rank rank
    Count count
    Start start
    Read read
    CountEdges count_edges  # NULL, as `read_to` is: a text is always counted as a whole
    ReadTo read_to
