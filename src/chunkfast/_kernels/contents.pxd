"""Contents lists: runs of heading-like lines without text between them, whose numbers and titles come again later.

The second occurrence is the heading. So this runs before headings are told, and hands them the titles that it has seen.
"""
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from chunkfast._kernels.document cimport Document, Line, R_BLANK, R_CONTENTS, R_FURNITURE, R_NONE
from chunkfast._kernels.features cimport (
    Candidate, END_OPEN, V_ACCEPTED, ending_of, fill_candidate, is_roman_sign, is_titled, without_leader,
)
from chunkfast._kernels.furniture cimport stir
from chunkfast._kernels.marks cimport FORM_COMMA, F_ARABIC, F_DECIMAL, F_EN_SECTION, F_NONE, LineMark, read_mark
from chunkfast._kernels.numerals cimport digit_value
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, uint32_t, uint64_t, uint8_t

cdef enum:
    SHORT_LINE = 25  # a line that only ends the entry before it, or stands beside the list
    LONGEST_ENTRY = 60
    LONGEST_PLAIN = 40  # of an entry without number

cdef struct Key:  # a number with the first characters of its title
    uint64_t hash
    int32_t index  # of the candidate

cdef struct KnownTitle:
    uint64_t number  # of one without number, a key of the title
    int64_t start
    int64_t end
    bint plain  # without number

cdef struct Entry:
    int32_t line
    int32_t last
    int32_t candidate  # -1: a line with dot leaders and no number
    bint leader
    bint tail

cdef cppclass Run:
    vector[Entry] entries
    int32_t title  # index of the line `目录`, -1 where there is none
    bint marked  # ... and it is a Markdown heading
    int32_t shorts  # lines since the last entry that are none


cdef inline bint key_before(const Key& a, const Key& b) noexcept nogil:
    return a.hash < b.hash or (a.hash == b.hash and a.index < b.index)


cdef inline bint known_before(const KnownTitle& a, const KnownTitle& b) noexcept nogil:
    return a.number < b.number


cdef inline uint64_t number_key(const LineMark& m) noexcept nogil:
    """The number whatever its form: `1.` in the contents may be `1` over the text, but not `1、`."""
    cdef uint64_t hash = <uint64_t>0x9E3779B97F4A7C15
    cdef int i
    hash = stir(hash, F_ARABIC if m.family == F_DECIMAL or m.family == F_ARABIC else <uint32_t>m.family)
    if m.family == F_ARABIC and m.form == FORM_COMMA:
        hash = stir(hash, FORM_COMMA)
    for i in range(m.parts):
        hash = stir(hash, <uint32_t>m.path[i])
    return stir(stir(hash, m.sub), m.letters)


cdef inline uint64_t entry_key(const Candidate& c) noexcept nogil:
    """Number and head of the title; 0 for one without title."""
    if c.hash == 0:
        return 0
    if c.mark.family == F_NONE:
        return c.hash | 1
    return (number_key(c.mark) ^ c.head) | 1


cdef inline int32_t later(const vector[Key]& keys, uint64_t hash, int32_t index) noexcept nogil:
    """Index of the first candidate after `index` with this key, -1 where there is none."""
    cdef size_t low = 0, high = keys.size(), middle
    while low < high:
        middle = (low + high) // 2
        if keys[middle].hash < hash or (keys[middle].hash == hash and keys[middle].index <= index):
            low = middle + 1
        else:
            high = middle
    if low < keys.size() and keys[low].hash == hash:
        return keys[low].index
    return -1


cdef inline bint _ends_in_leader(const char_t* text, const Line& line, uint8_t* tail) noexcept nogil:
    """A line without number that ends in dots and perhaps a page number."""
    cdef uint32_t c = text[line.end - 1]
    cdef uint8_t leader = False
    tail[0] = False
    if line.end - line.first > 200 \
            or not (digit_value(c) >= 0 or c == 46 or c == 0x2026 or c == 0xB7 or c == 0xFF0E or c == 45
                                              or is_roman_sign(c)):
        return False
    without_leader(text, line.first, line.end, &leader, tail)
    return leader


cdef inline bint is_contents_title(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """目录, 目 次, 条款目录, Contents, Table of Contents, with a bullet or `#` before it allowed."""
    cdef LineMark mark
    cdef const char* words = b"tableofcontents"
    cdef uint32_t[16] seen
    cdef int n = 0, start, i
    cdef uint32_t last
    if end - p > 40 or end - p < 2:
        return False
    last = text[end - 2] if text[end - 1] == 58 or text[end - 1] == 0xFF1A else text[end - 1]
    if last != 0x5F55 and last != 0x6B21 and last != 0x9304 and last != 115 and last != 83 and last != 42:
        return False
    read_mark(text, p, end, &mark)
    p = mark.rest
    while p < end:
        if not is_blank(text[p]) and text[p] != 42:
            if n == 16:
                return False
            seen[n] = text[p]
            n += 1
        p += 1
    if n and (seen[n - 1] == 58 or seen[n - 1] == 0xFF1A):
        n -= 1
    if 2 <= n <= 6 and seen[n - 2] == 0x76EE \
            and (seen[n - 1] == 0x5F55 or seen[n - 1] == 0x6B21 or seen[n - 1] == 0x9304):
        return True
    if n != 8 and n != 15:
        return False
    start = 15 - n
    for i in range(n):
        if (seen[i] | 32) != <uint32_t>words[start + i]:
            return False
    return True


cdef inline uint64_t plain_key(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A title without number, blanks and case apart."""
    cdef uint64_t hash = <uint64_t>0xCBF29CE484222325
    while p < end:
        if not is_blank(text[p]):
            hash = stir(hash, text[p] | 32 if 65 <= text[p] <= 90 else text[p])
        p += 1
    return hash


cdef inline void _claim(
    Document& doc, const vector[Candidate]& found, const vector[Key]& keys, const Run& run, size_t count, bint leaders,
) noexcept nogil:
    """Give R_CONTENTS to the lines of the first `count` entries; a Markdown heading in between that does not come again
    stays."""
    cdef size_t i
    cdef int32_t line, first, last = run.entries[count - 1].last
    cdef Entry entry
    if run.title >= 0 and not run.marked:
        doc.lines[run.title].role = R_CONTENTS
    first = run.title + 1 if run.title >= 0 else run.entries[0].line
    line = first
    for i in range(count):
        entry = run.entries[i]
        if not leaders:
            while line < entry.line:
                if doc.lines[line].role == R_NONE:
                    doc.lines[line].role = R_CONTENTS
                line += 1
        line = entry.last + 1
        if entry.candidate >= 0 and found[entry.candidate].mark.family == F_NONE and not entry.leader \
                and not entry.tail \
                and later(keys, entry_key(found[entry.candidate]), entry.candidate) < 0:
            continue
        for last in range(entry.line, entry.last + 1):
            if doc.lines[last].role == R_NONE:
                doc.lines[last].role = R_CONTENTS


cdef inline void _close(
    const char_t* text, Document& doc, const vector[Candidate]& found, const vector[Key]& keys, Run& run,
    vector[KnownTitle]& known,
) except + nogil:
    """Judge a run, claim its lines if it is a contents list, and start anew."""
    cdef size_t i, n = run.entries.size()
    cdef int32_t numbered = 0, leaders = 0, tails = 0, again = 0, first = -1, last = -1, at, kinds = 0, family = -1
    cdef uint64_t key
    cdef KnownTitle title
    cdef Entry entry
    cdef uint8_t leader = False, tail = False
    cdef bint good
    title.plain = False
    for i in range(n):  # cut where an entry comes for the second time
        at = run.entries[i].candidate
        if at < 0:
            continue
        if first < 0:
            first = at
        key = entry_key(found[at])
        if key and i and found[at].mark.family != F_NONE and not run.entries[i].leader \
                and 0 <= later(keys, key, first - 1) < at:
            n = i
            break
    while n and run.entries[n - 1].candidate >= 0 and found[run.entries[n - 1].candidate].mark.family == F_NONE \
            and not run.entries[n - 1].leader \
            and later(keys, entry_key(found[run.entries[n - 1].candidate]), run.entries[n - 1].candidate) < 0:
        n -= 1  # a heading behind the list
    if n > 1 and run.entries[n - 1].candidate >= 0 and run.entries[n - 2].candidate >= 0 \
            and not run.entries[n - 1].leader \
            and found[run.entries[n - 1].candidate].alone and not found[run.entries[n - 2].candidate].alone:
        n -= 1  # as is a number over its title behind entries on one line
    for i in range(n):
        if run.entries[i].candidate >= 0:
            last = run.entries[i].candidate
    for i in range(n):
        entry = run.entries[i]
        leaders += entry.leader
        tails += entry.tail or entry.leader
        at = entry.candidate
        if at < 0 or found[at].mark.family == F_NONE:
            continue
        numbered += 1
        if found[at].mark.family != family:
            kinds += 1
            family = found[at].mark.family
        if found[at].mark.family == F_DECIMAL or found[at].mark.family <= F_EN_SECTION:
            kinds += 1
        key = entry_key(found[at])
        if key and later(keys, key, last) >= 0:
            again += 1
    good = False
    if n >= 2 and leaders >= 2 and leaders * 2 >= <int32_t>n:
        good = True
    elif n >= 4 and tails * 10 >= <int32_t>n * 6:
        good = True
    elif run.title >= 0 and n >= 2 and (again > 0 or numbered >= 4):
        good = True
    elif numbered >= 4 and again * 2 >= numbered and kinds >= 2:
        good = True
    elif numbered >= 8 and again >= 2 and kinds >= 2:  # long, but most headings are lost in page layouts or to OCR
        good = True
    if good:
        _claim(doc, found, keys, run, n, again == 0 and run.title < 0)
        for i in range(n):
            at = run.entries[i].candidate
            if at >= 0 and found[at].hash and found[at].mark.family != F_NONE:
                title.number = number_key(found[at].mark)
                title.start = found[at].title_start
                title.end = found[at].title_end
                known.push_back(title)
            elif at < 0 and run.entries[i].leader:
                title.start = doc.lines[run.entries[i].line].first
                title.end = without_leader(text, title.start, doc.lines[run.entries[i].line].end, &leader, &tail)
                if 2 <= title.end - title.start <= LONGEST_PLAIN:
                    title.number = plain_key(text, title.start, title.end)
                    title.plain = True
                    known.push_back(title)
                    title.plain = False
    run.entries.clear()
    run.title = -1
    run.marked = False
    run.shorts = 0


cdef inline void scan_contents(
    const char_t* text, Document& doc, const vector[Candidate]& found, vector[KnownTitle]& known,
) except + nogil:
    """Give R_CONTENTS to the lines of contents lists; `known` gets the titles they hold, ordered by number."""
    cdef vector[Key] keys
    cdef Key key
    cdef Run run
    cdef Entry entry
    cdef size_t i, n = doc.lines.size(), at = 0
    cdef int64_t size
    cdef bint candidate
    cdef uint8_t tail = False
    keys.reserve(found.size())
    for i in range(found.size()):
        key.hash = entry_key(found[i])
        key.index = <int32_t>i
        if key.hash:
            keys.push_back(key)
    sort(keys.begin(), keys.end(), key_before)
    run.title = -1
    run.marked = False
    run.shorts = 0
    i = 0
    while i < n:
        while at < found.size() and found[at].line < <int32_t>i:
            at += 1
        if doc.lines[i].role == R_BLANK or doc.lines[i].role == R_FURNITURE:
            i += 1
            continue
        if doc.lines[i].role != R_NONE:
            _close(text, doc, found, keys, run, known)
            i += 1
            continue
        size = doc.lines[i].end - doc.lines[i].first
        candidate = at < found.size() and found[at].line == <int32_t>i and not found[at].plain
        if size <= 40 and is_contents_title(text, doc.lines[i].first, doc.lines[i].end):
            _close(text, doc, found, keys, run, known)
            run.title = <int32_t>i
            run.marked = candidate and found[at].mark.hashes > 0
            i += 1
            continue
        entry.line = entry.last = <int32_t>i
        entry.candidate = -1
        entry.leader = entry.tail = False
        if candidate:
            entry.candidate = <int32_t>at
            entry.leader = found[at].leader
            entry.tail = found[at].tail
            entry.last = found[at].last
            if not entry.leader \
                    and (found[at].ending != END_OPEN or found[at].long or found[at].gapped
                         or found[at].size > LONGEST_ENTRY):
                _close(text, doc, found, keys, run, known)
            else:
                run.entries.push_back(entry)
                run.shorts = 0
            i = <size_t>entry.last + 1
            continue
        if _ends_in_leader(text, doc.lines[i], &tail):
            entry.leader = True
            run.entries.push_back(entry)
            run.shorts = 0
        elif size <= SHORT_LINE and ending_of(text, doc.lines[i].first, doc.lines[i].end) == END_OPEN:
            run.shorts += 1
            if run.shorts > (6 if run.title >= 0 else 3) and not run.entries.empty():
                _close(text, doc, found, keys, run, known)
        else:
            _close(text, doc, found, keys, run, known)
        i += 1
    _close(text, doc, found, keys, run, known)
    sort(known.begin(), known.end(), known_before)


cdef inline void add_listed(
    const char_t* text, const Document& doc, vector[Candidate]& found, vector[KnownTitle]& known,
) except + nogil:
    """The lines that hold a title of the contents list that has no number there: 前言, 参考文献, Introduction."""
    cdef vector[Candidate] all
    cdef Candidate c
    cdef KnownTitle key
    cdef size_t i, at = 0, low, high, middle
    cdef bint plain = False
    for i in range(known.size()):
        plain = plain or known[i].plain
    if not plain:
        return
    for i in range(doc.lines.size()):
        while at < found.size() and found[at].line < <int32_t>i:
            all.push_back(found[at])
            at += 1
        if at < found.size() and found[at].line == <int32_t>i and not found[at].plain:
            continue
        if doc.lines[i].role != R_NONE or not 2 <= doc.lines[i].end - doc.lines[i].first <= LONGEST_PLAIN:
            continue
        key.number = plain_key(text, doc.lines[i].first, doc.lines[i].end)
        low = 0
        high = known.size()
        while low < high:
            middle = (low + high) // 2
            if known[middle].number < key.number:
                low = middle + 1
            else:
                high = middle
        if low == known.size() or known[low].number != key.number or not known[low].plain:
            continue
        read_mark(text, doc.lines[i].first, doc.lines[i].end, &c.mark)
        fill_candidate(text, doc, <int64_t>i, &c)
        if c.mark.family != F_NONE or not is_titled(c):
            continue
        known[low].plain = False  # the first line is the heading
        c.plain = True
        c.verdict = V_ACCEPTED
        if at < found.size() and found[at].line == <int32_t>i:
            at += 1
        all.push_back(c)
    while at < found.size():
        all.push_back(found[at])
        at += 1
    found.swap(all)
