"""Write src/chunkfast/_kernels/category_tables.h: categories and white space as the encoder's regex engine has them.

Run with `python tools/make_category_tables.py`; needs `regex` besides. The tables are read off `tokenizers` itself,
by splitting a text of all code points with each property, because its engine (Oniguruma) and Python need not know the
same Unicode version.

One uint8 for each code point:

    bits 0-4   general category, numbered as in CATEGORIES below
    bit  5     white space (`\\s`)
    bit  6     numeric for the `Digits` pre-tokenizer (Rust's `char::is_numeric`)
    bit  7     not inert under NFC: has a combining class, a decomposition, or may join what stands before it;
               from the newest Unicode version at hand, so that no version of the encoder changes a character without it
"""

from itertools import pairwise
from pathlib import Path

import regex
import tokenizers
from tokenizers import Regex
from tokenizers.normalizers import NFC
from tokenizers.pre_tokenizers import Digits, PreTokenizer, Split

CATEGORIES = (
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
    "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs",
)  # fmt: skip
OUT = Path(__file__).parent.parent / "src/chunkfast/_kernels/category_tables.h"
BLOCK = 256
POINTS = [*range(0xD800), *range(0xE000, 0x110000)]


def members(splitter: PreTokenizer, is_member: bool) -> set[int]:
    """Code points in (or outside of) the pieces that `splitter` leaves of every code point followed by a marker."""
    out: set[int] = set()
    for low, high in pairwise([*range(0, len(POINTS), 4096), len(POINTS)]):
        points = POINTS[low:high]
        kept = {ord(c) for piece, _ in splitter.pre_tokenize_str("".join(map(chr, points))) for c in piece}
        out.update(c for c in points if (c in kept) == is_member)
    return out


def matches(pattern: str) -> set[int]:
    """Code points that match `pattern`, one character each."""
    return members(Split(Regex(pattern), "removed"), False)


def numeric() -> set[int]:
    return {c for c in POINTS if len(Digits(individual_digits=True).pre_tokenize_str(f"a{chr(c)}b")) == 3}


def unstable() -> set[int]:
    text = "".join(map(chr, POINTS))
    known = {ord(c) for c in regex.findall(r"\p{NFC_QC=N}|\p{NFC_QC=M}|\P{ccc=0}", text)}
    return known | {c for c in POINTS if NFC().normalize_str(chr(c)) != chr(c)}


def properties() -> list[int]:
    values = [CATEGORIES.index("Cs")] * 0x110000
    for c in POINTS:
        values[c] = 31
    for number, name in enumerate(CATEGORIES):
        for c in matches(rf"\p{{{name}}}"):
            if values[c] != 31:
                raise SystemExit(f"U+{c:04X} has two categories")
            values[c] = number
    if 31 in values:
        raise SystemExit(f"U+{values.index(31):04X} has no category")
    for bit, group in ((1 << 5, matches(r"\s")), (1 << 6, numeric()), (1 << 7, unstable())):
        for c in group:
            values[c] |= bit
    for name in "LMNPSZC":  # the patterns name groups too: they must be the union of their categories
        if matches(rf"\p{{{name}}}") != {c for c in POINTS if CATEGORIES[values[c] & 31][0] == name}:
            raise SystemExit(f"\\p{{{name}}} is not the union of its categories")
    return values


def lines(values: list[int]) -> str:
    return "".join("    " + ", ".join(map(str, values[i : i + 32])) + ",\n" for i in range(0, len(values), 32))


def main() -> None:
    values = properties()
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(values[i : i + BLOCK]), len(blocks)) for i in range(0, 0x110000, BLOCK)]
    flat = [value for block in blocks for value in block]
    OUT.write_text(
        f"// Made by tools/make_category_tables.py from tokenizers {tokenizers.__version__}; do not edit.\n"
        "#pragma once\n#include <cstdint>\n\n"
        f"static const uint16_t CF_CATEGORY_BLOCKS = {len(blocks)};\n\n"
        f"static const uint16_t CF_CATEGORY_BLOCK_OF[{len(index)}] = {{\n{lines(index)}}};\n\n"
        f"static const uint8_t CF_CATEGORY_OF[{len(flat)}] = {{\n{lines(flat)}}};\n"
    )


if __name__ == "__main__":
    main()
