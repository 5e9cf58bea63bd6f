"""A trie as a double array: one 8-byte load a step, no hashing, a few hundred kilobytes for a vocabulary."""
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from chunkfast._kernels.text cimport int32_t, int64_t, uint32_t

cdef enum:
    NO_CELL = 0xFFFFFFFF  # `parent` of a free cell; also: no such child
    FREE_TRIES = 64  # free cells to try for a node of several children before it goes to the end of the array


cdef struct Cell:
    uint32_t parent  # cell that this one is a child of
    uint32_t base  # child by symbol s stands at (base >> 1) + s; bit 0: a key ends here

cdef struct Range:  # keys [low, high) share their first `depth` symbols, which lead to `cell`
    uint32_t cell
    int32_t depth
    uint32_t symbol  # the last of them
    int64_t low
    int64_t high


cdef inline uint32_t child(const Cell* cells, uint32_t cell, uint32_t symbol) noexcept nogil:
    """The child by `symbol`, or NO_CELL. `cells` has room for every symbol past every base: no bound is checked."""
    cdef uint32_t at = (cells[cell].base >> 1) + symbol
    return at if cells[at].parent == cell else <uint32_t>NO_CELL


cdef inline bint is_key(const Cell* cells, uint32_t cell) noexcept nogil:
    return cells[cell].base & 1


cdef inline bint _is_more_frequent(const Range& a, const Range& b) noexcept nogil:
    return a.symbol < b.symbol


cdef inline void _grow(vector[Cell]& cells, size_t size) except + nogil:
    cdef Cell free_cell
    free_cell.parent = NO_CELL
    free_cell.base = 0
    if cells.size() < size:
        if cells.capacity() < size:
            cells.reserve(size + size // 2)
        cells.resize(size, free_cell)


cdef inline size_t _free_from(vector[uint32_t]& free_after, size_t at) noexcept nogil:
    """The first free cell from `at` on: taken cells point past themselves, and the way is halved for the next time."""
    cdef size_t after
    while at < free_after.size() and free_after[at] != at:
        after = free_after[at]
        if after < free_after.size():
            free_after[at] = free_after[after]
        at = after
    return at


cdef inline void build_trie(const vector[uint32_t]& symbols, const vector[int64_t]& ends, uint32_t alphabet,
                            vector[Cell]& cells, vector[uint32_t]& cell_of) except + nogil:
    """Build the trie of keys given in an order that keeps common prefixes together, shorter keys first.

    Key i is symbols[ends[i - 1] : ends[i]]; symbols are in [1, alphabet), keys unique, none empty. The root is cell 0.
    `cell_of[i]` gets the cell where key i ends. Frequent symbols should have small numbers.
    """
    cdef vector[Range] queue
    cdef vector[Range] children
    cdef Range node, sub
    cdef int64_t i, begin, tries
    cdef vector[uint32_t] free_after
    cdef size_t head = 0, c, at
    cdef uint32_t symbol, base, smallest
    cdef bint fits

    cell_of.assign(ends.size(), <uint32_t>NO_CELL)
    cells.clear()
    _grow(cells, alphabet + 1)
    node.cell = 0
    node.depth = 0
    node.low = 0
    node.high = <int64_t>ends.size()
    queue.push_back(node)
    while head < queue.size():
        node = queue[head]
        head += 1
        i = node.low
        while i < node.high:  # keys that end at this node come first
            begin = ends[i - 1] if i else 0
            if ends[i] - begin != node.depth:
                break
            cells[node.cell].base |= 1
            cell_of[i] = node.cell
            i += 1
        children.clear()
        while i < node.high:
            begin = ends[i - 1] if i else 0
            symbol = symbols[begin + node.depth]
            if children.empty() or children.back().symbol != symbol:
                sub.symbol = symbol
                sub.low = i
                children.push_back(sub)
            i += 1
            children.back().high = i
        if children.empty():
            continue
        sort(children.begin(), children.end(), _is_more_frequent)
        smallest = children[0].symbol
        at = max(<size_t>1, <size_t>smallest)
        tries = 0
        while True:
            at = _free_from(free_after, at)
            _grow(cells, at + alphabet + 1)
            while free_after.size() < cells.size():
                free_after.push_back(<uint32_t>free_after.size())
            base = <uint32_t>(at - smallest)
            fits = True
            for c in range(children.size()):
                if cells[base + children[c].symbol].parent != NO_CELL:
                    fits = False
                    break
            if fits:
                break
            tries += 1
            at = max(at, cells.size() - alphabet - 1) if tries == FREE_TRIES else at + 1
        cells[node.cell].base |= base << 1
        for c in range(children.size()):
            cells[base + children[c].symbol].parent = node.cell
            free_after[base + children[c].symbol] = base + children[c].symbol + 1
            children[c].cell = base + children[c].symbol
            children[c].depth = node.depth + 1
            queue.push_back(children[c])
    # Every base leaves room for the whole alphabet after it.
    base = 0
    for c in range(cells.size()):
        base = max(base, cells[c].base >> 1)
    _grow(cells, base + alphabet + 1)
