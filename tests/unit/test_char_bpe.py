"""Character BPE with byte fallback against the encoder: how the metaspace is put, ties of rank, long pieces."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.corpora import DATA
from tests.counting import CHARACTERS, check, check_starts, encoder_of, native_of
from tests.strategies import cluster_text, raw_text

REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
PREPEND = {"type": "Prepend", "prepend": "▁"}
LETTERS = "aabbth▁▁en=保险"


def metaspace(scheme: str) -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": False}


SETTINGS: tuple[dict[str, Any], ...] = (
    {"normalizer": {"type": "Sequence", "normalizers": [PREPEND, REPLACE]}, "pre_tokenizer": None},
    {"normalizer": REPLACE, "pre_tokenizer": None},
    {"normalizer": None, "pre_tokenizer": metaspace("first")},
    {"normalizer": None, "pre_tokenizer": metaspace("always")},
    {"normalizer": None, "pre_tokenizer": metaspace("never")},
)


def model() -> dict[str, Any]:
    """Merges of random tokens, so that a spelling has several ways and ranks don't follow lengths."""
    choose = random.Random(0)
    tokens = [*LETTERS]
    merges: dict[tuple[str, str], None] = {}
    while len(merges) < 250:
        left, right = choose.choice(tokens), choose.choice(tokens)
        if len(left + right) <= 6:
            merges[left, right] = None
            tokens.append(left + right)
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *dict.fromkeys(tokens)]
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": "<unk>",
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": True,
        "byte_fallback": True,
        "ignore_merges": False,
        "vocab": {token: number for number, token in enumerate(tokens)},
        "merges": [" ".join(merge) for merge in merges],
    }


@cache
def pair(setting: int) -> tuple[Any, Tokenizer]:
    config = {"version": "1.0", "added_tokens": [], **SETTINGS[setting], "model": model()}
    return native_of(config), encoder_of(config)


@cache
def real_pair() -> tuple[Any, Tokenizer]:
    path = DATA / "tokenizers" / "llama2_wordllama.json"
    if not path.is_file():
        pytest.skip("the real tokenizers (../shared/data) are not on this machine")
    config = json.loads(path.read_text(encoding="utf-8"))
    return native_of(config), encoder_of(config)


settings = st.integers(0, len(SETTINGS) - 1)
close_text = st.text(st.sampled_from("aabb th eensur▁保险金人，。=é<0x41>\n"), max_size=60)


@given(settings, raw_text | cluster_text | close_text)
def test_any_text(setting: int, text: str) -> None:
    check(*pair(setting), text)


@given(raw_text | cluster_text | close_text | st.text(st.sampled_from("the insuratoing  =-.,▁\n"), max_size=200))
def test_real_merges_on_any_text(text: str) -> None:
    check(*real_pair(), text)


@given(
    st.lists(st.sampled_from(("Closures", "explores", "ignores", "closed", "expl", "Functions", "tion")), max_size=40)
)
def test_words_longer_than_a_cached_key_are_told_apart(words: list[str]) -> None:
    check(*real_pair(), " ".join(words))


def test_every_character() -> None:
    for at in range(0, len(CHARACTERS), 1 << 10):
        check_starts(*pair(0), "".join(f"{c}a{c} " for c in CHARACTERS[at : at + (1 << 10)]))


@pytest.mark.parametrize("unit", ["a", " ", "=", "\0", "保", "é", "ab", "aab", "▁", "aaaab "])
@pytest.mark.parametrize("setting", [0, 2])
def test_long_runs(unit: str, setting: int) -> None:
    for count in (47, 48, 49, 50, 3_000):
        check_starts(*pair(setting), unit * count)


def test_what_is_not_understood_is_left_to_the_encoder() -> None:
    config: dict[str, Any] = {"added_tokens": [], **SETTINGS[0], "model": model()}
    assert native_of(config) is not None
    for part, value in (
        ("normalizer", PREPEND),
        ("pre_tokenizer", metaspace("first")),
        ("pre_tokenizer", {"type": "ByteLevel"}),
        ("model", config["model"] | {"ignore_merges": True}),
        ("model", config["model"] | {"byte_fallback": False}),
        ("model", config["model"] | {"dropout": 0.1}),
        ("model", config["model"] | {"merges": ["<0x41> a"]}),
        ("added_tokens", [{"content": "x", "special": False}]),
    ):
        assert native_of(config | {part: value}) is None
