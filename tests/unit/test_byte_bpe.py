"""Byte-level BPE's native counter against the encoder: patterns, characters, long runs, added tokens, settings."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split
from tokenizers.trainers import BpeTrainer

from chunkfast import _core
from chunkfast.native import GPT2_PATTERN
from tests.corpora import samples
from tests.counting import CHARACTERS, THOROUGH, check, check_starts, encoder_of, native_of, starts_by_encoder

WORD_ENDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+%s|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*%s"
PATTERNS = {
    "gpt2": [GPT2_PATTERN],
    "cl100k": [WORD_ENDS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + REST],
    "qwen2": [WORD_ENDS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}" + REST],
    "qwen3.6": [
        WORD_ENDS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ],
    "o200k": [CASED % (WORD_ENDS + "?", WORD_ENDS + "?") + r"|\p{N}{1,3}" + REST.replace(r"[\r\n]*", r"[\r\n/]*")],
    "tekken": [CASED % ("", "") + r"|\p{N}" + REST.replace(r"[\r\n]*", r"[\r\n/]*")],
    "deepseek": [
        r"\p{N}{1,3}",
        "[一-龥\u3040-ゟ゠-ヿ]+",
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
        "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
    ],
}
SPLITTERS = {
    name: Sequence(
        [*(Split(Regex(p), "isolated") for p in patterns), ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    for name, patterns in PATTERNS.items()
} | {
    "ByteLevel": ByteLevel(add_prefix_space=False),
    "starcoder": Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
    "numbers": Sequence([Digits(individual_digits=False), ByteLevel(add_prefix_space=False)]),
}
AROUND = ("a{}b", "A{}B", "1{}2", " {} ", "中{}文", "{}", "\n{}\n", ".{}'", "'{}", "a'{}x", "  {}", "{}  ", "é{}\u0301")
RUNS = (
    "a",
    "A",
    " ",
    "^",
    "=",
    "\u0301",
    "\n",
    "\r\n",
    "中",
    "ab",
    "aA",
    " \n",
    "\n ",
    "'s",
    "1",
    "\u2028",
    "e\u0301",
    "🙂",
    "\t x",
)


@cache
def trained(size: int = 1200) -> dict[str, Any]:
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = SPLITTERS["o200k"]
    extra = [c + c for c in "ab 中="] + ["the", "The", " a'b", "x'S", "12345", "保险金", "\r\n\r\n"]
    texts = [document.text for document in samples()] + extra * 50
    trainer = BpeTrainer(vocab_size=size, initial_alphabet=ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    made: dict[str, Any] = json.loads(tokenizer.to_str())
    return made


def config(splitter: str = "o200k", **model: Any) -> dict[str, Any]:
    """A tokenizer.json of the trained vocabulary behind one of the splitters, settings of the model changed."""
    made = copy.copy(trained())
    shell = Tokenizer(BPE())
    shell.pre_tokenizer = SPLITTERS[splitter]
    return made | {"pre_tokenizer": json.loads(shell.to_str())["pre_tokenizer"], "model": made["model"] | model}


@cache
def pair(splitter: str, ignore_merges: bool = False) -> tuple[Any, Tokenizer]:
    made = config(splitter, ignore_merges=ignore_merges)
    counter = native_of(made)
    assert isinstance(counter, _core.ByteBPE)
    return counter, encoder_of(made)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_every_character(splitter: str) -> None:
    """In a fuzz run all of them, else a sample beyond Latin-1."""
    counter, encoder = pair(splitter)
    chosen = CHARACTERS if THOROUGH else CHARACTERS[:256] + CHARACTERS[256::31]
    for around in AROUND:
        for first in range(0, len(chosen), 2048):
            check_starts(counter, encoder, "".join(around.format(c) for c in chosen[first : first + 2048]))


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_contractions_and_white_space(splitter: str) -> None:
    counter, encoder = pair(splitter)
    for end in ("s", "T", "re", "vE", "LL", "l", "d", "M", "\u017f", "x", "sS", "ſt"):
        for text in (f"it'{end} ok", f"IT'{end}", f"'{end}", f" '{end}'{end}", f"中'{end}", f"1'{end}", f"a’{end}"):
            check(counter, encoder, text)
    for space in (
        " ",
        "  ",
        "   ",
        "\t",
        " \t",
        "\n",
        "\r\n",
        " \n",
        "\n ",
        "\n  ",
        " \r\n  ",
        "\u3000",
        "\xa0 ",
        "\u2028",
    ):
        for left in ("", "a", "1", ".", "中", "\n"):
            for right in ("", "a", "1", ".", "中", "\x01", "/"):
                check(counter, encoder, left + space + right)


@pytest.mark.parametrize("splitter", ["ByteLevel", "o200k", "deepseek"])
@pytest.mark.parametrize("run", RUNS)
def test_long_runs(splitter: str, run: str) -> None:
    """Longer than a window; the encoder is slow on these, so its turn comes at lengths around the window's."""
    counter, encoder = pair(splitter)
    for length in (255, 256, 257, 1000, 5000):
        check_starts(counter, encoder, "x" + (run * length)[:length] + ".")
    assert counter.count(run * 1_000_000) > 0


@pytest.mark.parametrize("ignore_merges", [False, True])
def test_documents(ignore_merges: bool) -> None:
    counter, encoder = pair("o200k", ignore_merges)
    for document in samples():
        check(counter, encoder, document.text)


def test_every_way_to_hold_a_str() -> None:
    """The same words among characters of 1, 2 and 4 bytes."""
    counter, encoder = pair("o200k")
    for mark in ("é", "中", "🙂"):
        check(counter, encoder, f"The naïve word's {mark} end. Über 12345 {mark}\n\n  the " * 3)


def test_tokens_that_merging_does_not_give() -> None:
    """With `ignore_merges` a pre-token in the vocabulary is one token, without it only if merging gives it."""
    vocab = dict(trained()["model"]["vocab"])
    odd = [" zq", "zqj" * 20, "中文字", "qqqqqqqqqq", "é"]
    spell = ByteLevel(add_prefix_space=False, use_regex=False)
    for token in odd:
        vocab.setdefault(spell.pre_tokenize_str(token)[0][0], len(vocab))
    for ignore in (False, True):
        made = config("o200k", vocab=vocab, ignore_merges=ignore)
        counter, encoder = native_of(made), encoder_of(made)
        assert counter is not None
        for token in odd:
            for text in (token, "a" + token, token + "\n", token + token, "1" + token.lower(), f"保{token}险{token}"):
                check(counter, encoder, text)


def test_merges_that_come_twice_or_out_of_order() -> None:
    merges = [list(merge) for merge in trained()["model"]["merges"]]
    for changed in (merges[::-1], merges + merges[:200], merges[::2] + merges[1::2]):
        made = config("o200k", merges=changed)
        counter, encoder = native_of(made), encoder_of(made)
        assert counter is not None
        for document in samples()[:4]:
            check(counter, encoder, document.text[:5000])


ADDED = [
    {"content": "<think>", "special": False, "normalized": False},
    {"content": "<|im_end|>", "special": True, "normalized": False},
    {"content": "<tool>", "special": False, "normalized": True},
    {"content": "im", "special": False, "normalized": True},
    {"content": "<<tool>>", "special": True, "normalized": True},
    {"content": "｜中｜", "special": False, "normalized": False},
    {"content": "｜中｜文", "special": True, "normalized": False},
]


@cache
def added_pair(count: int) -> tuple[Any, Tokenizer]:
    made = copy.deepcopy(config("o200k"))
    first = len(made["model"]["vocab"])
    shape = {"single_word": False, "lstrip": False, "rstrip": False}
    made["added_tokens"] = [token | shape | {"id": first + i} for i, token in enumerate(ADDED[:count])]
    counter = native_of(made)
    assert counter is not None
    return counter, encoder_of(made)


@pytest.mark.parametrize("count", range(1, len(ADDED) + 1))
def test_added_tokens(count: int) -> None:
    counter, encoder = added_pair(count)
    for text in (
        "<think>a<think>", "a <think>  <|im_end|> b", "<tool> x<tool>", "<<tool>> y", "<|im_end|>", "simim",
        "<thin<think>k>", "a｜中｜b｜中｜文c", "｜中｜｜中｜", "<<tool>>>  <tool>  1",
        "im 12 im<|im_end|>im", "  <think>",
        "<think>\n\n<think>",
    ):  # fmt: skip
        check(counter, encoder, text, spans=40)


def test_nfc() -> None:
    made = config("o200k") | {"normalizer": {"type": "NFC"}}
    counter, encoder = native_of(made), encoder_of(made)
    assert counter is not None
    composed = [c for c in CHARACTERS[::31] if counter_takes(counter, c)]
    assert len(composed) > len(CHARACTERS) // 62
    for first in range(0, len(composed), 2048):
        check_starts(counter, encoder, "".join(f"e{c}가{c} " for c in composed[first : first + 2048]))
    for text in ("e\u0301", "\u1100\u1161", "\u212b", "\uf900", "a\u0323\u0301"):
        with pytest.raises(_core.EncoderNeeded):
            counter.count("x" + text)


def counter_takes(counter: Any, text: str) -> bool:
    try:
        counter.count(text)
    except _core.EncoderNeeded:
        return False
    return True


CHANGES: dict[str, dict[str, Any]] = {
    "normalizer": {"normalizer": {"type": "Lowercase"}},
    "no splitter": {"pre_tokenizer": None},
    "one piece": {
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    },
    "prefix": {
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    },
    "Metaspace": {
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    },
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_left_to_the_encoder(change: str) -> None:
    assert native_of(config() | CHANGES[change]) is None


@pytest.mark.parametrize(
    "change",
    [
        {"dropout": 0.1},
        {"continuing_subword_prefix": "##"},
        {"end_of_word_suffix": "</w>"},
        {"new_setting": True},
        {"vocab": {"a": 0}, "merges": []},
        {"merges": [["a", "never"]]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_models_that_are_left_to_the_encoder(change: dict[str, Any]) -> None:
    assert native_of(config(**change)) is None


@pytest.mark.parametrize(
    "pattern",
    [r"a+?", r"(a)", r"\p{L}++", r"[a&&b]", r"[[:alpha:]]", r"a|b|", r"\w+", r"a*", r"\d+|^x", r"(?i:ss)|a", r"[^ab"],
)
def test_patterns_that_are_left_to_the_encoder(pattern: str) -> None:
    splitter = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    made = config() | {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [splitter, byte_level]}}
    assert native_of(made) is None


def test_threads_share_a_counter() -> None:
    from concurrent.futures import ThreadPoolExecutor

    fresh, encoder = native_of(config()), encoder_of(config())
    assert fresh is not None
    texts = [document.text for document in samples()] * 4
    with ThreadPoolExecutor(12) as pool:  # more than tables of known words are kept
        assert list(pool.map(fresh.count, texts)) == [len(starts_by_encoder(encoder, text)) for text in texts]


LETTERS = (
    "ab",
    "thers",
    "the\x00",
    "é",
    "aé",
    "中的",
    "a中",
    "\uffff",
    "a\uffff",
    "🙂a",
    "\u0301a",
    "\x00",
    "\xff",
    "\x80a",
)


@pytest.mark.parametrize("letters", LETTERS, ids=ascii)
@pytest.mark.parametrize("first", ["count", "token_starts"])
def test_words_met_before(letters: str, first: str) -> None:
    """Words as long as there is room for in a table of known ones, and longer, asked for again and again."""
    fresh, encoder = native_of(config("cl100k")), encoder_of(config("cl100k"))
    choose = random.Random(letters)
    words = ["".join(choose.choices(letters, k=length)) for length in range(1, 31) for _ in range(4)]
    for _ in range(3):
        text = " ".join(choose.sample(words, len(words)))
        getattr(fresh, first)(text)
        check(fresh, encoder, text)


def test_arguments() -> None:
    counter, _ = pair("o200k")
    with pytest.raises(ValueError, match="index 1"):
        counter.count("a\ud800")
    with pytest.raises(ValueError, match=r"span 0 is \[2, 1\)"):
        counter.count_spans("abc", np.array([2]), np.array([1]))
    with pytest.raises(ValueError, match=r"positions\[1\] is 0"):
        counter.ranks("abc", np.array([1, 0]))
    with pytest.raises(TypeError):
        counter.count(b"abc")
