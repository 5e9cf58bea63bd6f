"""tiktoken's encodings compiled to the native core: counts and starts are those of `encode_ordinary`."""

from __future__ import annotations

import json
import pickle
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from chunkfast import _core, load_tokenizer
from tests import corpora
from tests.counting import CHARACTERS, check, check_starts
from tests.property.test_native_counts import any_text, repeated_text
from tests.unit.test_byte_bpe import AROUND, CASED, PATTERNS, RUNS, WORD_ENDS, trained

REST = r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
# The patterns of tiktoken_ext.openai_public, and those of its older versions, which tokenizer.json files have
TIKTOKEN_PATTERNS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+" + REST,
    "o200k": CASED % (WORD_ENDS + "?", WORD_ENDS + "?")
    + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "older gpt2": PATTERNS["gpt2"][0],
    "older cl100k": PATTERNS["cl100k"][0],
}
ALPHABET = {chr(c): c for c in (*range(33, 127), *range(161, 173), *range(174, 256))}
ALPHABET |= {chr(256 + i): c for i, c in enumerate(c for c in range(256) if chr(c) not in ALPHABET)}


def ranks_of(vocab: dict[str, int]) -> dict[bytes, int]:
    """Ranks of a byte-level vocabulary, whose ids are in the order of its merges."""
    return {
        bytes(map(ALPHABET.__getitem__, token)): number
        for token, number in vocab.items()
        if set(token) <= ALPHABET.keys()
    }


class Oracle:
    """`encode_ordinary` in the shape of the encoder that `tests.counting` asks."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self.encoding = encoding

    def encode(self, text: str, add_special_tokens: bool) -> SimpleNamespace:
        pieces = self.encoding.decode_tokens_bytes(self.encoding.encode_ordinary(text))
        assert b"".join(pieces) == text.encode()
        starts = np.cumsum([0, *map(len, pieces)])[:-1]
        character = np.cumsum([(byte & 0xC0) != 0x80 for byte in text.encode()]) - 1
        return SimpleNamespace(offsets=[(int(character[start]), 0) for start in starts])


@cache
def pair(name: str, pattern: str) -> tuple[Any, Any]:
    if name == "small":
        vocab = trained()["model"]["vocab"]
    else:
        path = corpora.DATA / "tokenizers" / f"{name}.json"
        if not path.is_file():
            pytest.skip("real tokenizers (../shared/data) are not on this machine")
        vocab = json.loads(path.read_bytes())["model"]["vocab"]
    encoding = tiktoken.Encoding(
        name,
        pat_str=TIKTOKEN_PATTERNS[pattern],
        mergeable_ranks=ranks_of(vocab),
        special_tokens={"<|endoftext|>": len(vocab)},
    )
    counter = load_tokenizer(encoding)
    assert counter.is_native
    return counter, Oracle(encoding)


@pytest.mark.parametrize("pattern", TIKTOKEN_PATTERNS)
def test_every_character(pattern: str) -> None:
    for around in AROUND:
        for first in range(0, len(CHARACTERS), 1 << 15):
            chosen = CHARACTERS[first : first + (1 << 15) : 7]
            check_starts(*pair("small", pattern), "".join(around.format(c) for c in chosen))


@given(st.sampled_from(sorted(TIKTOKEN_PATTERNS)), st.one_of(any_text, repeated_text))
def test_any_text(pattern: str, text: str) -> None:
    check(*pair("small", pattern), text)


@given(any_text)
def test_any_text_and_a_real_vocabulary(text: str) -> None:
    check(*pair("o200k_base", "o200k"), text)


@pytest.mark.parametrize("run", RUNS)
def test_long_runs(run: str) -> None:
    check_starts(*pair("small", "cl100k"), "x" + run * 5000 + "y")


def test_documents() -> None:
    for document in corpora.samples():
        check_starts(*pair("small", "cl100k"), document.text)
        check_starts(*pair("o200k_base", "o200k"), document.text)


def test_merges_are_by_rank_alone() -> None:
    """Of two ways to one token the leftmost is taken, whichever two tokens it joins."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    for token in (b"aa", b"ab", b"ba", b"aaa", b"aba", b"bab", b"abab", b"babab", b"aabaa"):
        ranks[token] = len(ranks)
    encoding = tiktoken.Encoding("odd", pat_str=TIKTOKEN_PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={})
    counter = load_tokenizer(encoding)
    assert counter.is_native
    for number in range(1 << 10, 1 << 11):
        check_starts(counter, Oracle(encoding), bin(number)[3:].replace("0", "a").replace("1", "b"))


def test_special_tokens_are_text() -> None:
    counter, oracle = pair("small", "cl100k")
    check(counter, oracle, "a<|endoftext|> b")


def test_counters_of_one_encoding() -> None:
    counter, oracle = pair("small", "gpt2")
    again = pickle.loads(pickle.dumps(counter))
    assert again == counter
    assert hash(again) == hash(counter)
    assert again != pair("small", "cl100k")[0]
    assert again.count_batch(["a", "保险金 x"]).tolist() == [
        len(oracle.encoding.encode_ordinary(t)) for t in ("a", "保险金 x")
    ]


@pytest.mark.parametrize("pattern", [r"\p{L}+|\p{N}", r"\w+|\W+", r"(?:ab)++|.", r"\s++$|\S"])
def test_patterns_that_are_left_to_tiktoken(pattern: str) -> None:
    encoding = tiktoken.Encoding(
        "odd", pat_str=pattern, mergeable_ranks={bytes([byte]): byte for byte in range(256)}, special_tokens={}
    )
    counter = load_tokenizer(encoding)
    assert not counter.is_native
    assert counter.count("ab 12") == len(encoding.encode_ordinary("ab 12"))


def test_half_a_vocabulary() -> None:
    with pytest.raises(ValueError, match="twice"):
        _core.Vocabulary.of_ranks(b"aa", np.array([1, 1], np.int32))
    with pytest.raises(ValueError, match="characters"):
        _core.Vocabulary.of_ranks(b"aa", np.array([1], np.int32))
