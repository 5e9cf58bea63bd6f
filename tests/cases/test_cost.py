"""Cost grows with the text and no faster: eight times the text, of shapes that a scanner might go back over, costs less
than twenty times the processor's time (a quadratic cost would be sixty-four)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tokenizers import Tokenizer

from chunkfast import (
    SentenceChunker,
    StructureChunker,
    TokenChunker,
    TokenCounter,
    load_tokenizer,
    outline,
    split_sentences,
    split_table,
)
from tests.unit.test_hostile_tokenizers import config

SMALL, LARGE = 12_000, 96_000  # characters
MOST = 20


def repeated(unit: str) -> Callable[[int], str]:
    return lambda n: (unit * (n // len(unit) + 1))[:n]


def numbered(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """The unit with 1, 2, 3... in it."""
    return lambda n: (head + "".join(unit.format(i) for i in range(n // (len(unit) - 2) + 1)))[:n] + tail


FAMILIES = (
    *(
        "# a",
        "第一编 a",
        "第一章 a",
        "第一节 a",
        "第一条 a",
        "一、a",
        "（一）a",
        "1. a",
        "1.1 a",
        "（1）a",
        "①a",
        "a) a",
        "附录A a",
    ),
    *("Part 1", "Chapter 1 a", "Article 1", "Section 1. a", "§ 1 a", "II. a", "Schedule 1"),
)
ALL_FAMILIES = "\n".join(FAMILIES[7 * i % len(FAMILIES)].replace("1", str(1 + 31 * i % 97)) for i in range(400)) + "\n"

SHAPES: dict[str, Callable[[int], str]] = {
    **{name: repeated(unit) for name, unit in {
        "letters": "a", "carets": "^", "spaces": " ", "newlines": "\n", "returns": "\r", "form feeds": "\f",
        "pipes": "|", "pipe lines": "|\n", "dots": ".", "commas": ",", "wide commas": "，", "stops": "。",
        "digits": "7", "digits and commas": "1,234,", "numbers": "1.1.",
        "cells": "<td>", "tags without end": '<a b="', "open tables": "<table><tr><td>\n", "tables": "<table><tr><td>1</td></tr></table>\n",
        "rowspans": "<tr><td rowspan=9999 colspan=99>1</td></tr>\n",
        "fences": "```\n", "hashes": "#", "hash lines": "# \n", "headings": "## a\n", "setext": "a\n===\n",
        "brackets": "（", "round brackets": "(", "quotes": "“", "straight quotes": '"', "book titles": "《",
        "combining marks": "\u0301", "joiners": "👨\u200d", "flags": "🇨", "hangul": "\u1100", "zero width": "\u200b",
        "items": "- a\n", "lead-ins": "包括：\n（1）a：\n", "articles": "第一条 a\n", "page marks": "第 3 页 共 20 页\n",
        "contents": "第一章 总则 ........ 3\n", "half tables": "| a | b |\n|---|---|\n", "half rows": "| a | b \n",
        "tsv": "a\tb\n", "captions": "表1 费率\n单位：元\n", "rules": "---\n", "stars": "*", "decimals": "3.14 ",
        "urls": "https://a.b/c.d ", "wrapped lines": "the insurer pays the benefit in ten days of the claim and\n",
        "every family": ALL_FAMILIES, "nested items": "".join("  " * i + "- a\n" for i in range(300)),
        "growing fences": "".join("`" * i + "\n" for i in range(3, 300)), "astral": "𠮷", "NUL": "\0",
    }.items()},
    "ordered items": numbered("{}. a\n"),
    "items in brackets": numbered("（{}）甲；\n"),
    "items in a line": numbered("（{}）甲；", "包括："),
    "sub-headings": numbered("1.{} a\n"),
    "numbers in two forms": lambda n: "".join(f"# {i}{'、．'[i % 2]}a\n" for i in range(n // 7 + 1))[:n],
    "one number over words": repeated("7.Notes\n"),
    "sections": numbered("# h {0}\n\nb {0}\n"),
    "words": numbered("w{} "),
    "one wide row": numbered("{} | ", "| ", "\n|---|---|\n| 1 | 2 |\n"),
    "rows": numbered("| {} | 2 |\n", "| a | b |\n|---|---|\n"),
    "HTML rows": numbered("<tr><td>{}</td><td>2</td></tr>\n", "<table>", "</table>"),
}  # fmt: skip


@cache
def counter(family: str) -> TokenCounter:
    made = load_tokenizer(Tokenizer.from_str(json.dumps(config(family))))
    assert made.is_native
    return made


TIGHT: dict[str, Any] = {"headings": "prepend", "table_size": 8, "list_size": 8, "pack_size": 10}
FUNCTIONS: dict[str, Callable[[], Callable[[str], Any]]] = {
    "outline": lambda: outline,
    "split_sentences": lambda: split_sentences,
    "split_table": lambda: split_table,
    "token": lambda: TokenChunker("bytes", 100, 20).chunk,
    "token, BPE": lambda: TokenChunker(counter("small BPE"), 100, 20).chunk,
    "sentence": lambda: SentenceChunker("chars", 200).chunk,
    "structure": lambda: StructureChunker("chars", 200, 20).chunk,
    "structure, tight": lambda: StructureChunker("chars", 12, 3, **TIGHT).chunk,
    "structure, WordPiece": lambda: StructureChunker(counter("small WordPiece"), 100, 10).chunk,
    **{f"count, {name}": lambda name=name: counter(name).token_starts
       for name in ("small BPE", "pattern", "small WordPiece", "small Unigram", "character BPE")},
}  # fmt: skip


def seconds(function: Callable[[str], Any], text: str, times: int) -> float:
    best = float("inf")
    for _ in range(times):
        before = time.process_time()
        function(text)
        best = min(best, time.process_time() - before)
    return best


@pytest.mark.parametrize("name", FUNCTIONS)
def test_eight_times_the_text_costs_eight_times_the_time(name: str) -> None:
    function = FUNCTIONS[name]()
    function("warm up\n")
    for shape, made in SHAPES.items():
        small, large = made(SMALL), made(LARGE)
        for times in (1, 3, 5):  # a second look where another process was in the way
            ratio = seconds(function, large, times) / max(seconds(function, small, times), 1e-4)
            if ratio < MOST:
                break
        assert ratio < MOST, f"{shape}: {ratio:.1f} times the time for 8 times the text"
