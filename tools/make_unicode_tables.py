"""Write src/chunkfast/_kernels/unicode_tables.h: the character classes that the kernels use, as a two-stage table.

Run with `python tools/make_unicode_tables.py`; needs the `regex` package, whose Unicode version names the table's.

One uint16 for each code point:

    bits 0-3   Grapheme_Cluster_Break (UAX 29), numbered as in GCB below
    bit  4     Extended_Pictographic
    bits 5-6   Indic_Conjunct_Break: 1 Consonant, 2 Extend, 3 Linker
    bit  7     space as `str.isspace` has it
    bit  8     letter or number (general categories L and N)
    bit  9     upper or title case letter
    bit  10    lower case letter
    bit  11    ideograph, kana or bopomofo (Script Han, Hiragana, Katakana, Bopomofo): written without spaces
    bit  12    decimal digit (Nd)
"""

from pathlib import Path

import regex

GCB = (
    "Other",
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
)
OUT = Path(__file__).parent.parent / "src/chunkfast/_kernels/unicode_tables.h"
BLOCK = 256


def members(pattern: str) -> set[int]:
    """Code points that match one character of the pattern."""
    return {ord(m) for m in regex.findall(pattern, EVERYTHING)}


EVERYTHING = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


def properties() -> list[int]:
    bits = [0] * 0x110000
    for number, name in enumerate(GCB):
        for c in members(rf"\p{{GCB={name}}}"):
            bits[c] |= number
    for pattern, bit in (
        (r"\p{Extended_Pictographic}", 1 << 4),
        (r"\p{InCB=Consonant}", 1 << 5),
        (r"\p{InCB=Extend}", 2 << 5),
        (r"\p{InCB=Linker}", 3 << 5),
        (r"[\p{L}\p{N}]", 1 << 8),
        (r"[\p{Lu}\p{Lt}]", 1 << 9),
        (r"\p{Ll}", 1 << 10),
        (r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]", 1 << 11),
        (r"\p{Nd}", 1 << 12),
    ):
        for c in members(pattern):
            bits[c] |= bit
    for c in range(0x110000):
        if chr(c).isspace():
            bits[c] |= 1 << 7
    return bits


def lines(values: list[int]) -> str:
    return "".join("    " + ", ".join(map(str, values[i : i + 24])) + ",\n" for i in range(0, len(values), 24))


def main() -> None:
    bits = properties()
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(bits[i : i + BLOCK]), len(blocks)) for i in range(0, 0x110000, BLOCK)]
    flat = [value for block in blocks for value in block]
    version = regex.__version__
    OUT.write_text(
        f"// Made by tools/make_unicode_tables.py from regex {version}; do not edit. Meaning of the bits: see there.\n"
        "#pragma once\n#include <cstdint>\n\n"
        f"static const uint16_t CF_BLOCK_OF[{len(index)}] = {{\n{lines(index)}}};\n\n"
        f"static const uint16_t CF_CLASS_OF[{len(flat)}] = {{\n{lines(flat)}}};\n\n"
        "static inline uint16_t cf_class(uint32_t c) {\n"
        "    return c < 0x110000 ? CF_CLASS_OF[(uint32_t(CF_BLOCK_OF[c >> 8]) << 8) | (c & 255)] : 0;\n"
        "}\n"
    )


if __name__ == "__main__":
    main()
