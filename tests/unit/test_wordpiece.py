"""BERT's native counter against the encoder: settings, every character, what the normaliser removes and reorders."""

from __future__ import annotations

import copy
import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.counting import CHARACTERS, check, check_starts, encoder_of, native_of
from tests.strategies import cluster_text, raw_text

WORDS = ("the", "insur", "ance", "un", "break", "able", "caf", *"abcdenorsi12,.;='!保险金かなй가각각ßσς")
SETTINGS = list(itertools.product((True, False), (True, False), (None, True, False), (True, False)))
# Marks, some of which stay where accents are stripped: newer than the encoder's categories, or spacing.
MARKS = "\u0301\u0323\u0338\u0345\u05c7\u08d4\u08d6\u1b44\u302e\u3099\U0001d165\U0001d16e\U0001e000\u0f71\u0f73\u0344"
TRICKY = "≠≮;İΣßÅéが각豈\U0002f81a\U0001d15e\u037e\u1fef\u2000\u3000\x00\x0b\x85\xad\u200b\ufffd\ue000aA1,保か "


def config(prefix: str = "##", longest: int = 100, **normalizer: bool | None) -> dict[str, Any]:
    """A tokenizer.json of a small vocabulary."""
    settings = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    vocabulary = ["[UNK]", *WORDS, *(prefix + word for word in WORDS)]
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", **settings, **normalizer},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": prefix,
            "max_input_chars_per_word": longest,
            "vocab": {token: number for number, token in enumerate(dict.fromkeys(vocabulary))},
        },
    }


@cache
def pair(clean: bool, chinese: bool, accents: bool | None, lower: bool, longest: int = 100) -> tuple[Any, Tokenizer]:
    made = config(
        longest=longest, clean_text=clean, handle_chinese_chars=chinese, strip_accents=accents, lowercase=lower
    )
    return native_of(made), encoder_of(made)


@pytest.mark.parametrize("settings", [(True, True, None, True), (True, True, None, False), (False, False, True, True)])
@pytest.mark.parametrize("pattern", ["{0} ", "a{0}b保{0}\u0301"])
def test_every_character(settings: tuple[Any, ...], pattern: str) -> None:
    counter, encoder = pair(*settings)
    for at in range(0, len(CHARACTERS), 1 << 12):
        check_starts(counter, encoder, "".join(map(pattern.format, CHARACTERS[at : at + (1 << 12)])))


@given(st.sampled_from(SETTINGS), st.sampled_from((100, 3, 1, 0)), raw_text | cluster_text)
def test_any_text(settings: tuple[Any, ...], longest: int, text: str) -> None:
    check(*pair(*settings, longest), text)


@given(st.sampled_from(SETTINGS), st.text(st.sampled_from(MARKS + TRICKY), max_size=12))
def test_marks_and_mappings(settings: tuple[Any, ...], text: str) -> None:
    check(*pair(*settings), text)


@pytest.mark.parametrize(
    "text", ["保险金" * 9, "保 险\n金，" * 9, "保险abc金 insurance，険 é保", "保险\u0301金保", "保险🙂金"]
)
@pytest.mark.parametrize("step", [1, 2, 7, 100])
def test_positions_in_runs_of_characters_that_are_words(text: str, step: int) -> None:
    counter, encoder = pair(True, True, None, True)
    starts = [start for start, _ in encoder.encode(text, add_special_tokens=False).offsets]
    positions = np.arange(0, len(text) + 1, step)
    assert counter.ranks(text, positions)[0].tolist() == np.searchsorted(starts, positions).tolist()


@cache
def pair_of_prefix(prefix: str) -> tuple[Any, Tokenizer]:
    made = config(prefix)
    return native_of(made), encoder_of(made)


@given(st.sampled_from(("##", "", "@@", "a", "保险")), st.text(st.sampled_from("thesinurbk保险金か#@1 ,"), max_size=20))
def test_prefixes(prefix: str, text: str) -> None:
    check(*pair_of_prefix(prefix), text)


@pytest.mark.parametrize("unit", ["a", " ", "^", "\u0301", "\u08d4", "\ufffd", "\0", "保", "é", "か", "a\u0301", "≠"])
def test_long_runs(unit: str) -> None:
    counter, encoder = pair(True, True, None, True)
    check_starts(counter, encoder, unit * 20_000)


def test_words_as_long_as_allowed() -> None:
    counter, encoder = pair(True, True, None, True, 300)
    for length in (299, 300, 301):
        check(counter, encoder, "a" * length + " é" * 2 + "保" * length)


def test_what_is_not_understood_is_left_to_the_encoder() -> None:
    for path, value in (
        (("model", "unk_token"), "[MISSING]"),
        (("model", "dropout"), 0.1),
        (("pre_tokenizer",), {"type": "Whitespace"}),
        (("normalizer",), {"type": "NFC"}),
    ):
        made = copy.deepcopy(config())
        inner = made
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        assert native_of(made) is None


@cache
def pair_of_words(settings: tuple[Any, ...]) -> tuple[Any, Tokenizer]:
    made = config(
        **dict(zip(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), settings, strict=True))
    )
    made["model"] = {"type": "WordLevel", "vocab": made["model"]["vocab"], "unk_token": "[UNK]"}
    return native_of(made), encoder_of(made)


@given(st.sampled_from(SETTINGS), raw_text | cluster_text | st.text(st.sampled_from(MARKS + TRICKY), max_size=12))
def test_words_that_are_one_token_each(settings: tuple[Any, ...], text: str) -> None:
    check(*pair_of_words(settings), text)
