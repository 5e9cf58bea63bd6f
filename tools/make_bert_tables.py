"""Write src/chunkfast/_kernels/bert_tables.h: the Unicode data of BertNormalizer and BertPreTokenizer.

Run with `python tools/make_bert_tables.py`; needs `tokenizers`, whose version the header names. Every table is read off
the behaviour of the encoder, one code point at a time: it mixes data of several Unicode versions (general categories of
Unicode 8, decompositions of a later one, lower case of its compiler's), which no published table has.
"""

from collections.abc import Iterable
from pathlib import Path

import tokenizers
from tokenizers.normalizers import NFD, BertNormalizer, Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer

OUT = Path(__file__).parent.parent / "src/chunkfast/_kernels/bert_tables.h"
CODE_POINTS = [*range(0xD800), *range(0xE000, 0x110000)]
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic, not by table


def bert(**on: bool) -> BertNormalizer:
    off = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return BertNormalizer(**{**off, **on})


def ranges(members: Iterable[int]) -> list[tuple[int, int]]:
    """Inclusive ranges that hold exactly the members."""
    out: list[tuple[int, int]] = []
    for c in sorted(members):
        if out and out[-1][1] == c - 1:
            out[-1] = (out[-1][0], c)
        else:
            out.append((c, c))
    return out


def splits(c: int) -> int:
    """Number of pre-tokens of the character between two letters: 1 letter, 2 white space, 3 punctuation."""
    return len(BertPreTokenizer().pre_tokenize_str(f"x{chr(c)}x"))


def combining_classes(decomposed: dict[int, str]) -> dict[int, int]:
    """Canonical combining class of each code point that has one, found by which marks it changes places with."""
    known = {1: 0x338, 240: 0x345}  # overlay; iota subscript, the highest class there is
    nfd = NFD().normalize_str

    def moves(first: int, second: int) -> bool:
        return nfd(f"a{chr(first)}{chr(second)}") != f"a{chr(first)}{chr(second)}"

    single = [c for c in CODE_POINTS if c not in decomposed]
    marks = [c for c in single if moves(known[240], c) or moves(c, known[1]) or c in known.values()]
    # Marks in order of class: a mark is of a lower class than another when it moves before it.
    order: list[list[int]] = []
    for c in marks:
        low, high = 0, len(order)
        while low < high:
            mid = (low + high) // 2
            if moves(order[mid][0], c):
                high = mid
            elif moves(c, order[mid][0]):
                low = mid + 1
            else:
                order[mid].append(c)
                break
        else:
            order.insert(low, [c])
    return {c: number for number, group in enumerate(order, 1) for c in group}


def table(name: str, rows: list[tuple[int, ...]], per_line: int = 6) -> str:
    cells = [f"{{{', '.join(map(str, row))}}}" for row in rows]
    body = "".join("    " + ", ".join(cells[i : i + per_line]) + ",\n" for i in range(0, len(cells), per_line))
    return f"static const uint32_t {name}[{len(rows)}][{len(rows[0])}] = {{\n{body}}};\n"


def main() -> None:
    clean, chinese, strip = bert(clean_text=True), bert(handle_chinese_chars=True), bert(strip_accents=True)
    control = [c for c in CODE_POINTS if clean.normalize_str(chr(c)) == ""]
    nonspacing = [c for c in CODE_POINTS if NFD().normalize_str(chr(c)) == chr(c) and not strip.normalize_str(chr(c))]
    blank = [c for c in CODE_POINTS if clean.normalize_str(chr(c)) == " "]
    spaces = [c for c in CODE_POINTS if splits(c) == 2]
    if not set(blank) <= set(spaces):
        raise SystemExit("white space of the normaliser and of the pre-tokenizer differ: the kernel takes them as one")
    decomposed = {c: nfd for c in CODE_POINTS if (nfd := NFD().normalize_str(chr(c))) != chr(c)}
    lower = {c: low for c in CODE_POINTS if (low := Lowercase().normalize_str(chr(c))) != chr(c)}
    for c in HANGUL:
        number = c - 0xAC00
        jamo = [0x1100 + number // 588, 0x1161 + number % 588 // 28, *([0x11A7 + number % 28] if number % 28 else [])]
        if decomposed[c] != "".join(map(chr, jamo)):
            raise SystemExit(f"U+{c:04X} does not decompose by arithmetic")
    classes = combining_classes(decomposed)
    longest = max(map(len, [*decomposed.values(), *lower.values()]))
    if longest > 4:
        raise SystemExit(f"a mapping of {longest} characters: widen the rows of the tables")
    changed = [*decomposed, *lower, *classes, *(c for c in CODE_POINTS if chinese.normalize_str(chr(c)) != chr(c))]
    if max(changed) >= 0x30000:
        raise SystemExit(f"U+{max(changed):04X}: raise CHANGED_END of bert_normalizer.pxd")
    OUT.write_text(
        f"// Made by tools/make_bert_tables.py from tokenizers {tokenizers.__version__}; do not edit.\n"
        "// Ranges are inclusive. Mappings: code point, then up to four characters, 0 for none.\n"
        "#pragma once\n#include <cstdint>\n\n"
        "// removed by clean_text\n"
        + table("BERT_CONTROL", ranges(control))
        + "// white space: splits words\n"
        + table("BERT_SPACE", ranges(spaces))
        + "// a word by itself\n"
        + table("BERT_PUNCTUATION", ranges(c for c in CODE_POINTS if splits(c) == 3))
        + "// a word by itself under handle_chinese_chars\n"
        + table("BERT_CHINESE", ranges(c for c in CODE_POINTS if chinese.normalize_str(chr(c)) != chr(c)))
        + "// removed by strip_accents (after decomposition)\n"
        + table("BERT_NONSPACING", ranges(nonspacing))
        + "// canonical decomposition, Hangul syllables apart\n"
        + table("BERT_NFD", [(c, *map(ord, nfd.ljust(4, "\0"))) for c, nfd in decomposed.items() if c not in HANGUL])
        + "// lower case\n"
        + table("BERT_LOWER", [(c, *map(ord, low.ljust(4, "\0"))) for c, low in lower.items()])
        + "// code point and the rank of its canonical combining class\n"
        + table("BERT_COMBINING", [(c, classes[c]) for c in sorted(classes)])
    )


if __name__ == "__main__":
    main()
