"""Unigram's native counter against the encoder: settings, a charsmap, ties, unknown stretches, long words."""

from __future__ import annotations

import base64
import json
import random
import struct
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.corpora import DATA
from tests.counting import CHARACTERS, check, check_starts, encoder_of, native_of
from tests.strategies import cluster_text, raw_text

RULES = {
    "\x01": "",
    "\u00ad": "",
    "\t": " ",
    "\n": " ",
    "\r": " ",
    "\u3000": " ",
    "ﬁ": "fi",
    "㍿": "中文",
    "¨": " \u0308",
}
RULES |= {"e\u0301": "é", "Ａ": "A", "a\u0323": "", "\ufdfa": "a b", "가": "\u1100\u1161"}


def charsmap(rules: dict[str, str]) -> str:
    """A precompiled charsmap: a double array in which every node's children have a block of 256 cells."""
    strings, units = b"", [0] * 256
    blocks = {b"": 0}  # prefix -> block of its children
    for key in sorted(rules):
        data = key.encode()
        for n in range(1, len(data) + 1):
            if data[:n] not in blocks:
                blocks[data[:n]] = len(units)
                units += [0] * 256
    for prefix, block in blocks.items():
        cell = blocks[prefix[:-1]] ^ prefix[-1] if prefix else 0
        ends = prefix.decode(errors="replace") in rules
        units[cell] |= (cell ^ block) << 10 | ends << 8 | (prefix[-1] if prefix else 0)
        if ends:
            units[block] = len(strings) | 1 << 31
            strings += rules[prefix.decode()].encode() + b"\0"
    trie = struct.pack(f"<{len(units)}I", *units)
    return base64.b64encode(struct.pack("<I", len(trie)) + trie + strings).decode()


PRECOMPILED = {"type": "Precompiled", "precompiled_charsmap": charsmap(RULES)}
WHITESPACE_SPLIT = {"type": "WhitespaceSplit"}


def squeeze(content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": content}


def metaspace(scheme: str = "always") -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}


def sequence(name: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", name: list(steps)}


NORMALIZERS = (
    None,
    PRECOMPILED,
    sequence("normalizers", PRECOMPILED, squeeze(" ")),
    sequence("normalizers", PRECOMPILED, squeeze("▁")),
    squeeze(" "),
)
PRE_TOKENIZERS = (
    metaspace(),
    metaspace("first"),
    metaspace("never"),
    {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
    sequence("pretokenizers", WHITESPACE_SPLIT, metaspace()),
    sequence("pretokenizers", WHITESPACE_SPLIT, metaspace("never")),
)


@cache
def pair(normalizer: int, pre_tokenizer: int, byte_fallback: bool) -> tuple[Any, Tokenizer]:
    """Pieces with many ties: scores of few values, spellings of few letters."""
    choose = random.Random(normalizer * 100 + pre_tokenizer * 10 + byte_fallback)
    pieces = {"<unk>": 0.0, "▁": -2.0}
    for _ in range(150):
        piece = "".join(choose.choices("▁aabbcdefié中文保A\u0301<>", k=choose.randint(1, 5)))
        pieces["▁" * choose.randint(0, 1) + piece] = -choose.choice((1.0, 2.0, 3.0, 0.1, 1.1, choose.random() * 9))
    if byte_fallback:
        pieces |= {f"<0x{byte:02X}>": -choose.random() for byte in range(256)}
    return pair_of(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": NORMALIZERS[normalizer],
            "pre_tokenizer": PRE_TOKENIZERS[pre_tokenizer],
            "model": {"type": "Unigram", "unk_id": 0, "vocab": list(pieces.items()), "byte_fallback": byte_fallback},
        }
    )


def pair_of(config: dict[str, Any]) -> tuple[Any, Tokenizer]:
    encoder = encoder_of(config)
    return native_of(json.loads(encoder.to_str())), encoder


@cache
def real_pair() -> tuple[Any, Tokenizer]:
    path = DATA / "tokenizers" / "use_multilingual_v3_unigram.json"
    if not path.is_file():
        pytest.skip("the real tokenizers (../shared/data) are not on this machine")
    return pair_of(json.loads(path.read_text(encoding="utf-8")))


models = st.builds(pair, st.integers(0, len(NORMALIZERS) - 1), st.integers(0, len(PRE_TOKENIZERS) - 1), st.booleans())
close_text = st.text(st.sampled_from("aabbc défi中文保A  ▁\n\t\r\x01\xad\u0301\u0323\u3000<unk>x\x85"), max_size=40)
mapped_text = st.lists(st.sampled_from((*RULES, "a", "e", "\u0301", " ", "  ", "▁", "\r\n", "x", "中")), max_size=12)


@given(models, raw_text | cluster_text | close_text | mapped_text.map("".join))
def test_any_text(model: tuple[Any, Tokenizer], text: str) -> None:
    check(*model, text)


@pytest.mark.parametrize("pattern", ["{0}", "{0} ", "a{0}b中{0}\u0301"])
def test_every_character(pattern: str) -> None:
    counter, encoder = pair(2, 0, False)
    for at in range(0, len(CHARACTERS), 1 << 10):
        check_starts(counter, encoder, "".join(map(pattern.format, CHARACTERS[at : at + (1 << 10)])))


@given(raw_text | cluster_text)
def test_real_pieces_on_any_text(text: str) -> None:
    check(*real_pair(), text)


@pytest.mark.parametrize("unit", ["a", " ", "^", "\u0301", "\ufffd", "\0", "保", "a\u0301", "ab", "\x01", "▁", "\r\n"])
@pytest.mark.parametrize("byte_fallback", [False, True])
def test_long_runs(unit: str, byte_fallback: bool) -> None:
    for count in (1_030, 5_000):
        check_starts(*pair(1, 0, byte_fallback), unit * count)


@pytest.mark.parametrize("seed", range(4))
def test_long_words(seed: int) -> None:
    choose = random.Random(seed)
    text = "".join(choose.choices(("ab", "abcd中文", "ax中", "aé保b")[seed], k=5_000))
    for byte_fallback in (False, True):
        check_starts(*pair(1, 0, byte_fallback), text)


@pytest.mark.parametrize("seed", range(8))
def test_words_of_segments(seed: int) -> None:
    """Words that fall into parts that no piece spans, with paths that are equal, or are so but for rounding."""
    choose = random.Random(seed)
    groups = ("ab", "123", "</>", ".", "é")
    pieces = {"<unk>": 0.0, "▁": -0.5} | {letter: -choose.choice((0.1, 0.2, 1.0)) for letter in "ab123</>.é"}
    for group in groups:
        for _ in range(12):
            piece = "".join(choose.choices(group, k=choose.randint(2, 4)))
            pieces[choose.choice(("", "▁")) + piece] = -choose.choice((0.1, 0.2, 0.3, 0.1 + 0.2, 0.4, choose.random()))
    if seed % 4 == 3:
        del pieces[choose.choice("b2/.")]
    model = {"type": "Unigram", "unk_id": 0, "vocab": list(pieces.items()), "byte_fallback": False}
    config = {"version": "1.0", "added_tokens": [], "normalizer": NORMALIZERS[2], "model": model}
    counter, encoder = pair_of(config | {"pre_tokenizer": PRE_TOKENIZERS[seed % 3]})
    words = ["".join(choose.choice(choose.choice(groups)) for _ in range(n)) for n in range(1, 60)]
    words += [words[-1] * 30, "<unk>", "a<unk>1"] + ["".join(choose.choices("ab123</>.", k=n)) for n in range(1, 60)]
    for _ in range(3):
        text = choose.choice((" ", "\n", "  ")).join(choose.sample(words, len(words)))
        assert counter.count(text) == len(encoder.encode(text, add_special_tokens=False))
        check(counter, encoder, text)


@pytest.mark.parametrize("scheme", ["always", "first", "never"])
@pytest.mark.parametrize("known", [False, True])
def test_a_metaspace_that_is_visible_ascii_ends_words(scheme: str, known: bool) -> None:
    """Such as `_`: what was kept of the letters before it was once taken for what is kept of both."""
    vocab = [["<unk>", 0.0], ["a", -4.0], ["0", -5.0], ["a0", -6.0], *([["_", -7.0], ["_a", -7.5]] if known else [])]
    config = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": metaspace(scheme) | {"replacement": "_"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False},
    }
    counter, encoder = pair_of(config)
    for text in ("0_", "a0_a", "_0_", "00_", "0_a 0_a", "a_é", "a_ a0 a_"):
        for _ in range(2):  # from what was kept, too
            check(counter, encoder, text)


@pytest.mark.parametrize("pre_tokenizer", range(len(PRE_TOKENIZERS)))
def test_line_ends_and_what_vanishes(pre_tokenizer: int) -> None:
    """CR LF is one space, also beside characters that join; what vanishes at the start shifts all positions."""
    for normalizer in range(len(NORMALIZERS)):
        for text in (
            "\xad ",
            "\x01▁中",
            "\xadéb▁é▁",
            "ab\r\ncd",
            "ab\r\n\r\ncd",
            "ab\rcd\n\r",
            "\r\nab\r\n",
            "ab\r\n\u0301c",
        ):
            check(*pair(normalizer, pre_tokenizer, False), text)
            check(*pair(normalizer, pre_tokenizer, False), text.join(("a中 ", " 保ab", "\u0301 x")))


def test_what_is_not_understood_is_left_to_the_encoder() -> None:
    config = json.loads(pair(0, 0, False)[1].to_str())
    for part, value in (
        ("normalizer", {"type": "NFKC"}),
        ("normalizer", sequence("normalizers", squeeze(" "), PRECOMPILED)),
        ("normalizer", squeeze("_")),
        ("pre_tokenizer", None),
        ("pre_tokenizer", metaspace() | {"split": False}),
        ("pre_tokenizer", sequence("pretokenizers", WHITESPACE_SPLIT, metaspace("first"))),
        ("model", config["model"] | {"unk_id": None}),
        ("added_tokens", [{"content": "x", "special": False}]),
    ):
        assert native_of(config | {part: value}) is None
