"""Numbers as they are written: digits, Chinese and Roman numerals, English words; and the blanks and brackets around
them."""
from chunkfast._kernels.text cimport char_t, int32_t, int64_t, is_blank, is_letter, uint32_t


cdef inline int32_t digit_value(uint32_t c) noexcept nogil:
    """0-9 of an ASCII or full-width digit, else -1."""
    if 48 <= c <= 57:
        return <int32_t>c - 48
    if 0xFF10 <= c <= 0xFF19:
        return <int32_t>c - 0xFF10
    return -1


cdef inline int32_t han_value(uint32_t c) noexcept nogil:
    """0-9 of a Chinese digit, 10, 100, 1000, 10000 of a unit, else -1."""
    if c == 0x3007:
        return 0  # 〇
    if c < 0x4E00 or c > 0x9FFF:
        return -1
    if c == 0x4E00 or c == 0x58F9:
        return 1  # 一 壹
    elif c == 0x4E8C or c == 0x8D30 or c == 0x4E24:
        return 2  # 二 贰 两
    elif c == 0x4E09 or c == 0x53C1:
        return 3  # 三 叁
    elif c == 0x56DB or c == 0x8086:
        return 4  # 四 肆
    elif c == 0x4E94 or c == 0x4F0D:
        return 5  # 五 伍
    elif c == 0x516D or c == 0x9646:
        return 6  # 六 陆
    elif c == 0x4E03 or c == 0x67D2:
        return 7  # 七 柒
    elif c == 0x516B or c == 0x634C:
        return 8  # 八 捌
    elif c == 0x4E5D or c == 0x7396:
        return 9  # 九 玖
    elif c == 0x5341 or c == 0x62FE:
        return 10  # 十 拾
    elif c == 0x767E or c == 0x4F70:
        return 100  # 百 佰
    elif c == 0x5343 or c == 0x4EDF:
        return 1000  # 千 仟
    elif c == 0x4E07:
        return 10000  # 万
    elif c == 0x96F6:
        return 0  # 零
    return -1


cdef inline int32_t roman_value(uint32_t c) noexcept nogil:
    c |= 32
    if c == 105:
        return 1
    if c == 118:
        return 5
    if c == 120:
        return 10
    if c == 108:
        return 50
    if c == 99:
        return 100
    if c == 100:
        return 500
    if c == 109:
        return 1000
    return 0


cdef inline bint is_open_paren(uint32_t c) noexcept nogil:
    return c == 40 or c == 0xFF08 or c == 0x3014


cdef inline bint is_close_paren(uint32_t c) noexcept nogil:
    return c == 41 or c == 0xFF09 or c == 0x3015


cdef inline int64_t read_digits(const char_t* text, int64_t p, int64_t end, int32_t* value) noexcept nogil:
    """Past a run of up to seven digits; `p` itself where there is none, or more."""
    cdef int64_t q = p
    cdef int32_t v = 0, d
    while q < end:
        d = digit_value(text[q])
        if d < 0:
            break
        if q - p == 7:
            return p
        v = v * 10 + d
        q += 1
    value[0] = v
    return q


cdef inline int64_t read_han(const char_t* text, int64_t p, int64_t end, int32_t* value) noexcept nogil:
    """Past a Chinese numeral of up to nine characters (blanks inside `一 百` not allowed); `p` where there is none."""
    cdef int64_t q = p
    cdef int32_t total = 0, section = 0, digit = -1, d
    cdef bint units = False
    while q < end:
        d = han_value(text[q])
        if d < 0:
            break
        if q - p == 9:
            return p
        if d < 10:
            digit = digit * 10 + d if digit > 0 and not units else d  # 二〇 is positional
        elif d == 10000:
            total = (section + (digit if digit > 0 else 0)) * 10000
            section = 0
            digit = -1
            units = True
        else:
            section += d * (digit if digit > 0 else 1)
            digit = -1
            units = True
        q += 1
    value[0] = total + section + (digit if digit > 0 else 0)
    return q


cdef inline int64_t read_roman(const char_t* text, int64_t p, int64_t end, int32_t* value) noexcept nogil:
    """Past a well-formed Roman numeral under 400 in one case (or one sign U+2160..217B); `p` where there is none."""
    cdef const char* letters = b"c\0xc\0l\0xl\0x\0ix\0v\0iv\0i\0"
    cdef int32_t[9] worth = [100, 90, 50, 40, 10, 9, 5, 4, 1]
    cdef int64_t q = p
    cdef int32_t total = 0, i, n, times
    cdef uint32_t case = text[p] & 32 if p < end else 0
    if p < end and 0x2160 <= text[p] <= 0x216B:
        value[0] = text[p] - 0x2160 + 1
        return p + 1
    if p < end and 0x2170 <= text[p] <= 0x217B:
        value[0] = text[p] - 0x2170 + 1
        return p + 1
    if q >= end or not roman_value(text[q]):
        value[0] = 0
        return p
    for i in range(9):
        n = 1 if letters[1] == 0 else 2
        times = 3 if n == 1 and i & 3 == 0 else 1  # c, x and i may stand three times
        while times and q + n <= end and text[q] == letters[0] - 32 + case \
                and (n == 1 or text[q + 1] == letters[1] - 32 + case):
            total += worth[i]
            q += n
            times -= 1
        letters += n + 1
    if q < end and is_letter(text[q]):
        return p
    value[0] = total
    return q


cdef inline int64_t word_at(const char_t* text, int64_t p, int64_t end, const char* word) noexcept nogil:
    """Past `word` (lower case) where it stands at `p` capitalised or in capitals, and no letter follows; else `p`."""
    cdef int64_t q = p
    cdef bint capitals = False
    while word[q - p] != 0:
        if q >= end or (text[q] | 32) != <uint32_t>word[q - p] or not is_letter(text[q]):
            return p
        if q == p:
            if text[q] & 32:
                return p
        elif q == p + 1:
            capitals = not text[q] & 32
        elif capitals != (not text[q] & 32):
            return p
        q += 1
    return p if q < end and is_letter(text[q]) else q


cdef inline int32_t number_word(const char_t* text, int64_t p, int64_t end, int64_t* after) noexcept nogil:
    """One to Ten as in `Chapter One`; 0 where there is none."""
    cdef const char* words = b"one\0two\0three\0four\0five\0six\0seven\0eight\0nine\0ten\0"
    cdef int32_t i
    for i in range(10):
        after[0] = word_at(text, p, end, words)
        if after[0] > p:
            return i + 1
        while words[0] != 0:
            words += 1
        words += 1
    return 0
