"""What stands at the start of a line: Markdown signs, then a number or bullet of one of the numbering families.

`read_mark` only reads. Whether `1.` opens a section, an item or an amount is for its callers, who know the lines around
it.
"""
from libc.stdint cimport int8_t, int16_t

from chunkfast._kernels.numerals cimport (
    digit_value, han_value, is_close_paren, is_open_paren, number_word, read_digits, read_han, read_roman,
    roman_value, word_at,
)
from chunkfast._kernels.text cimport (
    char_t, int32_t, int64_t, is_blank, is_cjk, is_letter, skip_blanks, uint32_t, uint8_t,
)

cdef enum Family:  # in the order in which they usually nest
    F_NONE = 0
    F_TITLE  # Markdown `#`, setext or bold line without a number
    F_BOOK  # 第X编, 第X篇, 第X卷
    F_SUBBOOK  # 第X分编
    F_PART  # 第X部分
    F_CHAPTER  # 第X章
    F_SECTION  # 第X节
    F_ARTICLE  # 第X条
    F_EN_PART  # Part, Title, Book
    F_EN_CHAPTER
    F_EN_ARTICLE
    F_EN_SECTION  # Section, §
    F_APPENDIX  # 附录A, 附件1, 附表; Appendix, Annex, Schedule
    F_HAN  # 一、
    F_HAN_PAREN  # （一）
    F_UPPER_ROMAN  # I. II.
    F_ARABIC  # 1. 1．1、 or a number alone
    F_DECIMAL  # 1.1, A.1, 3.1.2.(1)
    F_PAREN  # (1) （1） 1)
    F_CIRCLED  # ① ❶ $\textcircled{1}$
    F_LETTER  # a) (a) A.
    F_ROMAN  # i) (i)
    F_GLYPH  # a symbol-font character alone on its line: a number of unknown value
    F_BULLET
    F_FAMILIES

cdef enum Form:  # how the number is closed: `1.` and `1．` are two series
    FORM_BARE = 0  # nothing but a blank, the line's end, or the text itself
    FORM_DOT  # .
    FORM_WIDE_DOT  # ．
    FORM_COMMA  # 、
    FORM_RIGHT  # )
    FORM_BOTH  # ( )
    FORM_WORD  # 第X条, Section X
    FORM_SIGN  # a sign of its own: ①, bullets

cdef enum:
    MARK_PARTS = 8

cdef struct LineMark:
    int64_t start  # first that is not blank: at the `#`, quote or bold sign
    int64_t number_start  # equal to number_end where there is no number
    int64_t number_end  # past its closing sign
    int64_t rest  # first that is not blank after it; the line's end where nothing follows
    int64_t spaced_end
    int32_t path[8]  # values of the parts
    int32_t value  # of the last part; 0 where unknown (bullets, 附表 without number)
    int32_t sub  # 1 for 第X条之一, else 0
    int32_t sign  # bullets and keywords: their first character; letters: 'A' or 'a'
    int16_t roman  # the value of a letter read as a Roman numeral, else 0
    int8_t spaced  # second part after a blank, as in `9. 11`: the mark is read as `9.`; else 0
    int8_t family
    int8_t form
    int8_t parts  # 1.2.3 has 3
    int8_t hashes  # Markdown heading level, 0 where none
    uint8_t bold
    uint8_t quoted
    uint8_t letters  # the first part is a letter: A.1


cdef inline void _set(LineMark* m, int32_t family, int32_t form, int32_t value, int64_t end) noexcept nogil:
    m.family = family
    m.form = form
    m.value = value
    m.path[0] = value
    m.parts = 1
    m.number_end = end


cdef inline bint _closes(const char_t* text, int64_t p, int64_t end, int32_t* form, int64_t* after) noexcept nogil:
    """A sign that closes a number: . ． 、 ) ）, a backslash before it allowed."""
    cdef uint32_t c
    if p < end and text[p] == 92:
        p += 1
    if p >= end:
        return False
    c = text[p]
    after[0] = p + 1
    if c == 46:
        form[0] = FORM_DOT
    elif c == 0xFF0E:
        form[0] = FORM_WIDE_DOT
    elif c == 0x3001:
        form[0] = FORM_COMMA
    elif is_close_paren(c):
        form[0] = FORM_RIGHT
    else:
        return False
    return True


cdef inline bint _parts(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """`.2.3` after the first part of a number at `p`: a decimal number. Nothing is set where no part follows."""
    cdef int64_t q
    cdef int32_t value = 0
    cdef int32_t parts = 1
    while p + 1 < end and (text[p] == 46 or text[p] == 0xFF0E):
        q = read_digits(text, p + 1, end, &value)
        if q == p + 1 or q - p > 5:
            break
        if parts == MARK_PARTS:
            m.form = FORM_DOT  # too many: no number at all
            return False
        m.path[parts] = value
        m.value = value
        parts += 1
        p = q
    if parts == 1:
        return False
    m.family = F_DECIMAL
    m.form = FORM_BARE
    m.parts = parts
    if p < end and (text[p] == 46 or text[p] == 0xFF0E) and parts < MARK_PARTS and p + 1 < end \
            and is_open_paren(text[p + 1]):
        q = read_digits(text, p + 2, end, &value)  # 3.1.2.(1)
        if q > p + 2 and q < end and is_close_paren(text[q]):
            m.path[parts] = value
            m.value = value
            m.parts = parts + 1
            m.form = FORM_BOTH
            p = q + 1
    elif p < end and (text[p] == 46 or text[p] == 0xFF0E or text[p] == 0x3001):
        p += 1
    m.number_end = p
    return True


cdef inline bint _arabic(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    cdef int32_t value = 0, form = 0, second = 0
    cdef int64_t q = read_digits(text, p, end, &value), r, after = 0
    cdef uint32_t c
    if q == p:
        return False
    m.path[0] = value
    if _parts(text, q, end, m):
        pass
    elif m.form == FORM_DOT:
        return False
    elif _closes(text, q, end, &form, &after):
        _set(m, F_PAREN if form == FORM_RIGHT else F_ARABIC, form, value, after)
        if form == FORM_DOT or form == FORM_WIDE_DOT:
            r = skip_blanks(text, after, end)
            if after < r < after + 3:
                after = read_digits(text, r, end, &second)
                if r < after < r + 3 and second > 0 \
                        and not (after < end and (digit_value(text[after]) >= 0 or text[after] == 46)):
                    m.spaced = second
                    m.spaced_end = after
    else:
        _set(m, F_ARABIC, FORM_BARE, value, q)
    if m.form == FORM_BARE and m.number_end < end and digit_value(text[m.number_end - 1]) >= 0:
        c = text[m.number_end]
        if c == 45 and m.parts == 1 and m.number_end + 1 < end and is_cjk(text[m.number_end + 1]):
            _set(m, F_ARABIC, FORM_SIGN, value, m.number_end + 1)  # 51-开颅手术
            return True
        # a percentage, range, date, ratio, product, power or unit: an amount
        if c < 128 and not is_blank(c) and not c == 40 and not (m.parts > 1 and 65 <= c <= 90) and c != 42:
            return False
        if c == 0xFF05 or c == 0x2030 or c == 0x2103 or c == 0xB0 or c == 0xD7 or c == 0xFF0C or c == 0xFF1A \
                or c == 0xFF0F \
                or c == 0xFF5E or c == 0xFF0D or c == 0x2013 or c == 0x3002 or c == 0xFF1B:
            return False
    return True


cdef inline bint _bracketed(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """(1) （一） (a) (iv)"""
    cdef int64_t q = skip_blanks(text, p + 1, end), r
    cdef int32_t value = 0
    cdef uint32_t c
    if q >= end or q > p + 2:
        return False
    c = text[q]
    if digit_value(c) >= 0:
        r = read_digits(text, q, end, &value)
        if r > q + 3:
            return False  # (2024)
        _set(m, F_PAREN, FORM_BOTH, value, r)
    elif han_value(c) >= 0:
        r = read_han(text, q, end, &value)
        _set(m, F_HAN_PAREN, FORM_BOTH, value, r)
    else:
        r = _letters(text, q, end, m, FORM_BOTH)
    if r == q:
        return False
    r = skip_blanks(text, r, end)
    if r >= end or not is_close_paren(text[r]):
        return False
    m.number_end = r + 1
    return True


cdef inline int64_t _letters(const char_t* text, int64_t p, int64_t end, LineMark* m, int32_t form) noexcept nogil:
    """Past a letter, a doubled letter or a Roman numeral at `p`, which it sets as the number; `p` where there is
    none."""
    cdef int32_t value = 0
    cdef int64_t q
    cdef uint32_t c = text[p]
    if not is_letter(c):
        q = read_roman(text, p, end, &value)
        if q > p:
            _set(m, F_UPPER_ROMAN if c < 0x2170 and form != FORM_BOTH else F_ROMAN, form, value, q)
        return q
    q = p + 1
    while q < end and is_letter(text[q]) and q - p < 9:
        q += 1
    if q - p == 9:
        return p
    if q == p + 1 or (q == p + 2 and text[p] == text[p + 1] and roman_value(c) == 0):
        _set(m, F_LETTER, form, <int32_t>((c | 32) - 96) + (26 if q == p + 2 else 0), q)
        m.roman = roman_value(c)
        m.sign = 97 if c & 32 else 65
        return q
    if read_roman(text, p, end, &value) != q:
        return p
    _set(m, F_ROMAN if c & 32 or form == FORM_BOTH or form == FORM_RIGHT else F_UPPER_ROMAN, form, value, q)
    m.roman = value
    m.sign = 97 if c & 32 else 65
    return q


cdef inline bint _letter_decimal(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """A1.1 at `p`, a blank behind it."""
    cdef int32_t value = 0, i
    cdef int64_t q = read_digits(text, p + 1, end, &value)
    m.path[0] = value
    if q > p + 3 or not _parts(text, q, end, m) or m.parts == MARK_PARTS or m.form == FORM_BOTH \
            or not (m.number_end >= end or is_blank(text[m.number_end])):
        m.form = FORM_BARE
        return False
    for i in range(m.parts, 0, -1):
        m.path[i] = m.path[i - 1]
    m.path[0] = <int32_t>text[p] - 64
    m.parts += 1
    m.letters = True
    return True


cdef inline bint _lettered(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """a) A. i. II、 A.1 A1.1 at `p`, without an opening bracket."""
    cdef int64_t q = p + 1, after = 0
    cdef int32_t form = 0
    if q < end and not text[p] & 32 and digit_value(text[q]) >= 0:
        return _letter_decimal(text, p, end, m)
    while q < end and q < p + 9 and is_letter(text[q]):
        q += 1
    if not _closes(text, q, end, &form, &after):
        return False
    if q == p + 1 and not text[p] & 32 and after < end and form <= FORM_WIDE_DOT and digit_value(text[after]) >= 0:
        m.path[0] = <int32_t>((text[p] | 32) - 96)
        if _parts(text, q, end, m):
            m.letters = True
            return True
    if form == FORM_DOT and after < end and not is_blank(text[after]) and not is_cjk(text[after]) and text[after] != 42:
        return False  # U.S., e.g., a.out
    if _letters(text, p, end, m, form) != q:
        return False
    m.number_end = after
    return True


cdef inline bint _add_path(const char_t* text, int64_t end, LineMark* m) noexcept nogil:
    """The number behind the full stop of `Part 3.Chapter 1.7.` as more parts of the same; False where there are too
    many."""
    cdef int64_t p = m.number_end, q
    cdef int32_t value = 0, parts = m.parts, i
    cdef int32_t[8] path
    if p >= end:
        return True
    q = word_at(text, p, end, b"chapter") if text[p] == 67 else word_at(text, p, end, b"part") if text[p] == 80 \
        else word_at(text, p, end, b"section") if text[p] == 83 else p
    if q == p or q >= end or text[q] != 32:
        return True
    p = q + 1
    q = read_digits(text, p, end, &value)
    if q == p:
        return True
    for i in range(parts):
        path[i] = m.path[i]
    m.path[0] = value
    m.parts = 1
    m.number_end = q
    if not _parts(text, q, end, m):
        m.value = value
    elif m.form == FORM_DOT:
        return False
    if parts + m.parts > MARK_PARTS:
        return False
    for i in range(m.parts - 1, -1, -1):
        m.path[parts + i] = m.path[i]
    for i in range(parts):
        m.path[i] = path[i]
    m.parts += parts
    return True


cdef inline bint _worded(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """Part I, Chapter One, Article 5, Section 1.2, § 3, Schedule A, APP1."""
    cdef int64_t q, r, after = 0
    cdef bint short = False
    cdef int32_t family, value = 0
    cdef uint32_t c = text[p]
    if c == 0xA7:
        family = F_EN_SECTION
        q = p + 1
    else:
        if c == 80:
            family, q = F_EN_PART, word_at(text, p, end, b"part")
        elif c == 84:
            family, q = F_EN_PART, word_at(text, p, end, b"title")
        elif c == 66:
            family, q = F_EN_PART, word_at(text, p, end, b"book")
        elif c == 67:
            family, q = F_EN_CHAPTER, word_at(text, p, end, b"chapter")
        elif c == 83:
            family, q = F_EN_SECTION, word_at(text, p, end, b"section")
            if q == p:
                family, q = F_APPENDIX, word_at(text, p, end, b"schedule")
        elif c == 65:
            family, q = F_EN_ARTICLE, word_at(text, p, end, b"article")
            if q == p:
                family, q = F_APPENDIX, word_at(text, p, end, b"appendix")
            if q == p:
                family, q = F_APPENDIX, word_at(text, p, end, b"annex")
            if q == p:
                family, q = F_APPENDIX, word_at(text, p, end, b"app")
                if digit_value(text[skip_blanks(text, q, end - 1)]) < 0:
                    return False
                short = True
        else:
            return False
        if q == p:
            return False
    r = skip_blanks(text, q, end)
    m.sign = c
    if r >= end:
        if family != F_APPENDIX:
            return False
        _set(m, family, FORM_WORD, 0, q)
        return True
    if r == q and c != 0xA7 and not short:
        return False
    q = read_digits(text, r, end, &value)
    if q > r:
        m.path[0] = value
        if not _parts(text, q, end, m):
            _set(m, family, FORM_WORD, value, q)
        m.family = family
        m.form = FORM_WORD
    else:
        value = number_word(text, r, end, &after)
        if value:
            _set(m, family, FORM_WORD, value, after)
        else:
            q = _letters(text, r, end, m, FORM_WORD)
            if q == r or text[r] & 32 and text[r] < 128:
                return False
            m.family = family
            if m.roman and m.parts == 1 and family != F_APPENDIX:
                m.value = m.path[0] = m.roman
        m.sign = c
    q = m.number_end
    if q < end and (text[q] == 46 or text[q] == 58 or text[q] == 0xFF1A):
        m.number_end = q = q + 1
        if text[q - 1] == 46 and not _add_path(text, end, m):
            return False
        m.family = family
        m.form = FORM_WORD
        q = m.number_end
    # `Section 5(1)`, `Article 5's`, `Part 2, ...` point at one
    return q >= end or is_blank(text[q]) or text[q] == 46 or text[q] == 58 or text[q] == 0x2014 or text[q] == 0x2013 \
            or text[q] == 42 \
        or is_cjk(text[q])


cdef inline bint _ordinal(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """第三章 第12条 第十七条之一"""
    cdef int64_t q = skip_blanks(text, p + 1, end), r
    cdef int32_t value = 0, family
    cdef uint32_t c
    if q - p > 4:
        return False
    r = read_han(text, q, end, &value)
    if r == q:
        r = read_digits(text, q, end, &value)
    if r == q:
        return False
    q = skip_blanks(text, r, end)
    if q - r > 3 or q >= end:
        return False
    c = text[q]
    if c == 0x6761:  # 条
        family = F_ARTICLE
    elif c == 0x7AE0:  # 章
        family = F_CHAPTER
    elif c == 0x8282:  # 节
        family = F_SECTION
    elif c == 0x7F16 or c == 0x7BC7 or c == 0x5377:  # 编 篇 卷
        family = F_BOOK
    elif c == 0x90E8 and q + 1 < end and text[q + 1] == 0x5206:  # 部分
        family = F_PART
        q += 1
    elif c == 0x5206 and q + 1 < end and text[q + 1] == 0x7F16:  # 分编
        family = F_SUBBOOK
        q += 1
    else:
        return False
    q += 1
    _set(m, family, FORM_WORD, value, q)
    if q + 1 < end and text[q] == 0x4E4B:  # 之
        r = read_han(text, q + 1, end, &value)
        if r > q + 1:
            m.sub = value
            m.number_end = r
    elif q + 1 < end and family != F_ARTICLE and (text[q] == 0x3001 or text[q] == 0xFF1A or text[q] == 58) \
            and text[q + 1] != 0x7B2C:
        m.number_end = q + 1  # 第二章、总则
    return True


cdef inline bint _appendix(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """附录A 附件1 附表"""
    cdef int64_t q = p + 2, r
    cdef int32_t value = 0
    cdef uint32_t c
    if q > end:
        return False
    c = text[p + 1]
    if c != 0x5F55 and c != 0x4EF6 and c != 0x8868 and c != 0x56FE:  # 录 件 表 图
        return False
    m.sign = c
    _set(m, F_APPENDIX, FORM_WORD, 0, q)
    q = skip_blanks(text, q, end)
    if q >= end or q - p > 5:
        return True
    r = read_digits(text, q, end, &value)
    if r == q:
        r = read_han(text, q, end, &value)
    if r == q and is_letter(text[q]) and not text[q] & 32 and not (q + 1 < end and is_letter(text[q + 1])):
        value = text[q] - 64
        r = q + 1
    if r > q:
        _set(m, F_APPENDIX, FORM_WORD, value, r)
    q = m.number_end
    if q < end and (text[q] == 58 or text[q] == 0xFF1A):
        m.number_end = q + 1
    return True


cdef inline int32_t sign_value(uint32_t c, int32_t* family) noexcept nogil:
    """The number of a sign that holds it: ① ⑴ ⒈ ㈠ ❶ ⒜; 0 where `c` is none."""
    if c < 0x2460 or c > 0x32BF:
        return 0
    family[0] = F_CIRCLED
    if c <= 0x2473:
        return c - 0x245F
    if c <= 0x2487:
        return c - 0x2473  # ⑴
    if c <= 0x249B:
        family[0] = F_ARABIC
        return c - 0x2487  # ⒈
    if c <= 0x24B5:
        family[0] = F_LETTER
        return c - 0x249B  # ⒜
    if 0x2776 <= c <= 0x2793:
        return (c - 0x2776) % 10 + 1
    if 0x3220 <= c <= 0x3229:
        family[0] = F_HAN_PAREN
        return c - 0x321F  # ㈠
    if 0x3251 <= c <= 0x325F:
        return c - 0x3251 + 21
    if 0x32B1 <= c:
        return c - 0x32B1 + 36
    return 0


cdef inline bint is_bullet(uint32_t c) noexcept nogil:
    """A sign that opens an item by itself, whatever follows."""
    if c < 0xB7:
        return False
    if c == 0xB7 or c == 0x2022 or c == 0x2023 or c == 0x2043 or c == 0x2219 or c == 0x30FB or c == 0x2027 \
            or c == 0xFF65:
        return True
    if 0x25A0 <= c <= 0x25CF or c == 0x25E6 or c == 0x25C6 or c == 0x25C7 or c == 0x2605 or c == 0x2606 or c == 0x203B:
        return True
    return (0x2713 <= c <= 0x2717) or (0x2756 <= c <= 0x275D) or (0x2794 <= c <= 0x27BE) or (0xE000 <= c <= 0xF8FF)


cdef inline bint _tex(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    r"""$\textcircled{1}$ and other single commands like $\clubsuit$, as OCR writes signs."""
    cdef const char* command = b"textcircled"
    cdef int64_t q = p + 1, name
    cdef int32_t value = 0
    cdef int i = 0
    cdef bint circled
    if q >= end or text[q] != 92:
        return False
    q += 1
    name = q
    while q < end and is_letter(text[q]) and q - name < 20:
        if i < 11 and text[q] == <uint32_t>command[i]:
            i += 1
        q += 1
    circled = i == 11 and q == name + 11
    if q == name:
        return False
    if circled:
        q = skip_blanks(text, q, end)
        if q >= end or text[q] != 123:
            return False
        name = skip_blanks(text, q + 1, end)
        q = read_digits(text, name, end, &value)
        if q == name:
            return False
        q = skip_blanks(text, q, end)
        if q >= end or text[q] != 125:
            return False
        q += 1
    q = skip_blanks(text, q, end)
    if q >= end or text[q] != 36:
        return False
    _set(m, F_CIRCLED if circled else F_BULLET, FORM_SIGN, value, q + 1)
    m.sign = 0x2460 if circled else 36
    return True


cdef inline bint _number(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """The number or bullet at `p` < end, if one stands there."""
    cdef uint32_t c = text[p]
    cdef int32_t value = 0, form = 0, family = F_NONE
    cdef int64_t q = p, after = 0
    if c < 128:
        if 48 <= c <= 57:
            return _arabic(text, p, end, m)
        if is_letter(c):
            return _lettered(text, p, end, m) or (not c & 32 and _worded(text, p, end, m))
        if c == 40:
            return _bracketed(text, p, end, m)
        if c == 36:
            return _tex(text, p, end, m)
        if c == 45 or c == 42 or c == 43:
            if p + 1 < end and not is_blank(text[p + 1]):
                return False
            _set(m, F_BULLET, FORM_SIGN, 0, p + 1)
            m.sign = c
            return True
        return False
    if c == 0x7B2C:
        return _ordinal(text, p, end, m)
    if c == 0x9644:
        return _appendix(text, p, end, m)
    if han_value(c) > 0:
        q = read_han(text, p, end, &value)
        if q == p or q >= end:
            return False
        if _closes(text, q, end, &form, &after) and form != FORM_RIGHT:
            _set(m, F_HAN, FORM_COMMA, value, after)
            return True
        return False
    if 0x4E00 <= c <= 0x9FFF:
        return False
    if c == 0xFF08 or c == 0x3014:
        return _bracketed(text, p, end, m)
    if digit_value(c) >= 0:
        return _arabic(text, p, end, m)
    value = sign_value(c, &family)
    if value:
        _set(m, family, FORM_SIGN, value, p + 1)
        m.sign = 0x2460 if c < 0x2776 or c > 0x2793 else 0x2776
        return True
    if 0x2160 <= c <= 0x217B:
        if not _closes(text, p + 1, end, &form, &after):
            return False
        _letters(text, p, end, m, form)
        m.number_end = after
        return True
    if c == 0xA7:
        return _worded(text, p, end, m)
    if c == 0x2014 or c == 0x2013 or c == 0x2015 or c == 0x2500:  # ——
        while q < end and text[q] == c and q < p + 3:
            q += 1
        if q == p + 3:
            return False
        _set(m, F_BULLET, FORM_SIGN, 0, q)
        m.sign = c
        return True
    if is_bullet(c):
        _set(m, F_BULLET, FORM_SIGN, 0, p + 1)
        m.sign = c
        if 0xE000 <= c <= 0xF8FF and skip_blanks(text, p + 1, end) >= end:
            m.family = F_GLYPH
        return True
    return False


cdef inline bint may_start(const char_t* text, int64_t p, int64_t end) noexcept nogil:
    """A mark may stand at `p` < end, told from its first characters: most lines of text are turned away here."""
    cdef uint32_t c = text[p], d
    if c < 128:
        if is_letter(c):
            if p + 1 >= end:
                return False
            d = text[p + 1]
            # a Roman numeral, a doubled letter, or Part, Title, Book, Chapter, Section, Schedule, Article...
            if is_letter(d):
                return roman_value(c) > 0 or d == c or c == 80 or c == 84 or c == 66 or c == 83 or c == 65
            return d == 46 or d == 41 or d == 92 or d > 127 or (48 <= d <= 57 and not c & 32)
        return 48 <= c <= 57 or c == 35 or c == 40 or c == 36 or c == 34 or c == 42 or c == 43 or c == 45 or c == 95
    if 0x4E00 <= c <= 0x9FFF:
        return c == 0x7B2C or c == 0x9644 or han_value(c) > 0
    return True


cdef inline bint read_mark(const char_t* text, int64_t p, int64_t end, LineMark* m) noexcept nogil:
    """Read the start of the line [p, end), `p` at its first character that is not blank (Line.first, Line.end).

    True where there is a number, bullet or Markdown heading sign. All fields of `m` are set in any case; without number
    `number_start` = `number_end` = `rest`. Cost: the length of the mark.
    """
    cdef uint32_t c
    cdef int64_t q
    m.start = p
    m.family = F_NONE
    m.form = FORM_BARE
    m.parts = m.value = m.sub = m.roman = m.spaced = m.sign = m.hashes = 0
    m.spaced_end = 0
    m.bold = m.quoted = m.letters = False
    m.number_start = m.number_end = m.rest = p
    if p >= end:
        return False
    c = text[p]
    if c == 35:  # `#`s
        q = p
        while q < end and text[q] == 35 and q < p + 7:
            q += 1
        if q - p < 7 and (q >= end or is_blank(text[q])):
            m.hashes = <int32_t>(q - p)
            p = skip_blanks(text, q, end)
    if p < end and (text[p] == 0x201C or text[p] == 0x300C or text[p] == 0x300E or text[p] == 34):
        m.quoted = True
        p += 1
    if p + 1 < end and (text[p] == 42 or text[p] == 95) and text[p + 1] == text[p]:
        m.bold = True
        p = skip_blanks(text, p + 2, end)
    m.number_start = m.number_end = m.rest = p
    if p >= end:
        return m.hashes > 0
    if not _number(text, p, end, m):
        m.family = F_NONE
        m.form = FORM_BARE
        m.parts = m.value = m.roman = m.sub = m.sign = m.spaced = 0
        m.number_end = p
        m.letters = False
        return m.hashes > 0
    q = m.number_end
    if m.bold and q + 1 < end and (text[q] == 42 or text[q] == 95) and text[q + 1] == text[q]:
        q += 2
    m.rest = skip_blanks(text, q, end)
    return True
