"""Generation 3 as the published account describes it: cut at headings, then blocks, then sentences.

Header rows and lead-ins are repeated. Strings are built and counted piece by piece, as pure-Python chunkers do it; an
oracle for what is repeated, not for where is cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .sentence_packing import sentence_spans

H1 = re.compile(r"第[一二三四五六七八九十百零\d]+[章节条]|\d+\.\s*[\u4e00-\u9fff]|#\s")
H2 = re.compile(r"\d+\.\d+|[一二三四五六七八九十]+、|##\s")
H3 = re.compile(r"[（(][一二三四五六七八九十\d]+[）)]|\d+[）)]|[a-z][)）]|###\s")
LEAD_IN = re.compile(r"(?:[：:]|下列|以下|如下|之一|包括|the following).{0,12}$")
ITEM = re.compile(r"\s*(?:[（(][一二三四五六七八九十\d]+[）)]|\d+[.、)）]|[-*•]|[a-z][)）]|[①-⑳])")
DELIMITER = re.compile(r"\|?[\s:|-]+\|?$")


class Piece(NamedTuple):
    headings: tuple[str, ...]
    prefix: str
    text: str


def header_level(line: str) -> int:
    """1 to 3 for a heading line, 0 for any other."""
    line = line.strip()
    if not line or len(line) > 40 or line.endswith(("。", "；", "，", ";", ",")):
        return 0
    return next((level for level, pattern in ((2, H2), (1, H1), (3, H3)) if pattern.match(line)), 0)


def sections(text: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Heading path and lines of each section."""
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    for line in text.splitlines():
        level = header_level(line)
        if level:
            yield tuple(title for _, title in path), lines
            path = [*(entry for entry in path if entry[0] < level), (level, line.strip())]
            lines = []
        lines.append(line)
    yield tuple(title for _, title in path), lines


def blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Tables, lists with their lead-in, and paragraphs, in order."""
    kind, block = "text", []
    for line in [*lines, ""]:
        now = "table" if line.count("|") >= 2 else "list" if ITEM.match(line) else "text"
        if not line.strip() or now != kind:
            lead = [block.pop()] if now == "list" and kind == "text" and block and LEAD_IN.search(block[-1]) else []
            if block:
                yield kind, block
            kind, block = now, lead
        if line.strip():
            block.append(line)
    if block:
        yield kind, block


def pack(pieces: list[str], glue: str, prefix: str, count: Callable[[str], int], chunk_size: int) -> Iterator[str]:
    """Pieces joined up to the limit, each result begun with the prefix."""
    held = prefix
    for piece in pieces:
        longer = held + (glue if held else "") + piece
        if held != prefix and count(longer) > chunk_size:
            yield held
            longer = prefix + (glue if prefix else "") + piece
        held = longer
    if held != prefix:
        yield held


def structure_chunks(text: str, count: Callable[[str], int], chunk_size: int, table_size: int = 300) -> list[Piece]:
    """Chunks as strings, header rows and lead-ins repeated; a sentence over the limit stays whole."""
    found = []
    for headings, lines in sections(text):
        whole = "\n".join(lines).strip()
        if not whole:
            continue
        if count(whole) <= chunk_size and not any(kind == "table" for kind, _ in blocks(lines)):
            found.append(Piece(headings, "", whole))
            continue
        for kind, block in blocks(lines):
            if kind == "table":
                head = 2 if len(block) > 1 and DELIMITER.match(block[1]) else 1
                prefix = "\n".join(block[:head])
                rows = pack(block[head:], "\n", prefix, count, min(table_size, chunk_size))
                found += [Piece(headings, prefix, t) for t in rows]
            elif kind == "list":
                prefix = "" if ITEM.match(block[0]) else block[0]
                items = pack(block[bool(prefix) :], "\n", prefix, count, chunk_size)
                found += [Piece(headings, prefix, t) for t in items]
            else:
                paragraph = "\n".join(block)
                sentences = [paragraph[a:b] for a, b in sentence_spans(paragraph)]
                found += [Piece(headings, "", t) for t in pack(sentences, "", "", count, chunk_size)]
    return found
