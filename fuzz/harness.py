"""From the bytes of a fuzzer to a document and settings, and what must hold for any."""

from __future__ import annotations

from functools import cache
from typing import Any

from chunkfast import StructureChunker, TokenCounter, detect_header_level, load_tokenizer, outline, split_sentences
from tests import corpora, invariants
from tests.chunkers import GENERATIONS, chunker

LONGEST = 600  # parts of a document

# Parts of documents that scanners look for: a byte below their number is one of them, another one a character.
PARTS = (
    *("\n", "\n\n", " ", "\t", "\r\n", "\r", "\u2028", "\u3000", "\f", "\0", "\ufeff", "\u200b", "\u200d", "\u0301", "👩", "🇨", "각", "𠮷"),
    *("# ", "## ", "第一章 ", "第二节　", "第三条 ", "一、", "（一）", "（二）", "1. ", "2. ", "1.1 ", "1.1.1", "（1）", "①", "a) ", "II. "),
    *("附录A ", "Article 5 ", "Section 1. ", "Chapter 2", "§ 4 ", "===\n", "---\n", "目录\n", "........ 3\n", "[P12]", "第 3 页 共 20 页", "- 12 -"),
    *("- ", "* ", "包括：\n", "the following:\n", "；\n", "。", "，", "！？", "……", "”", "“", "《", "》", ".", ", ", ";", ":", "3.14", "U.S. ", "Dr. ", "1,234"),
    *("|", "| a | b |\n", "|---|---|\n", "45 | 3500 | 100\n", "a\tb\n", "a,b,c\n", "表1 费率表\n", "单位：元\n", "```", "~~~\n", "`", "    x\n"),
    *("<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", '<td rowspan="3">', '<td colspan=2>', "<thead>", "<br>", "&amp;", "<", ">", "<!--"),
    *("保险金", "投保人应当", "the insurer", "pays", "ten days", "a" * 40, "责任免除", "**", "https://x.org/a.b", "<|endoftext|>", "[UNK]", "▁"),
)  # fmt: skip
SPECS = ("chars", "bytes", "small BPE", "small WordPiece", "small Unigram")


def document(data: bytes) -> str:
    """The text that the bytes say: a byte is a part, or a character of Latin-1; two after the last one any character."""
    text, i = [], 0
    while i < len(data) and len(text) < LONGEST:
        byte = data[i]
        if byte < len(PARTS):
            text.append(PARTS[byte])
        elif byte < 255:
            text.append(chr(byte - len(PARTS) + 32))
        else:
            point = int.from_bytes(data[i + 1 : i + 4], "little") % 0x110000
            text.append(chr(point) if not 0xD800 <= point < 0xE000 else "\ufffd")
            i += 3
        i += 1
    return "".join(text)


@cache
def tokenizer(name: str) -> tuple[corpora.UserTokenizer, TokenCounter]:
    user = corpora.tokenizer(name)
    return user, load_tokenizer(user.spec)


def check(data: bytes) -> None:
    """Every promise, for the document and the settings of these bytes; AssertionError where one is broken."""
    head, text = data[:5].ljust(5, b"\0"), document(data[5:])
    user, counter = tokenizer(SPECS[head[0] % len(SPECS)])
    generation = GENERATIONS[head[1] % 3]
    size = 1 + head[2] % 120
    settings: dict[str, Any] = {}
    if generation == "structure":
        settings = {
            "table_size": 1 + head[3] % 64,
            "list_size": 1 + head[3] // 4,
            "pack_size": head[4] % 50,
            "headings": ("metadata", "prepend")[head[4] // 64 % 2],
            "table_format": ("auto", "markdown", "source", "rows")[head[4] // 128 * 2 + head[3] // 128],
        }
    made = chunker(generation, counter, size, head[4] % size if generation != "sentence" else head[4] % 4, **settings)
    invariants.check(list(made.chunk(text)), text, user, made)
    starts = counter.token_starts(text)
    assert len(starts) == counter.count(text) == user.count(text)
    ends = [heading.end_index for heading in outline(text)]
    assert ends == sorted(ends)
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
    detect_header_level(text.split("\n")[0])
    assert StructureChunker.for_documents("law", counter).chunk(text).source == text
