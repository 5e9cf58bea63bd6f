"""A tokenizer.json out of nobody's hands: refused with a ValueError, or counted with as the encoder does; nothing else."""

from __future__ import annotations

import base64
import copy
import json
import logging
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from chunkfast import TokenChunker, TokenCounter, load_tokenizer
from tests import corpora
from tests.counting import encoder_of

TEXTS = ("The insurer's 1,234 claims: 保险人 pays! \n\n\t" * 3, "a" * 300, "", "\0\ufeff\u200d👨‍👩‍👧 e\u0301 <s>[CLS]")


def load(folder: Path, source: str | bytes) -> TokenCounter:
    path = folder / "tokenizer.json"
    path.write_bytes(source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass"))
    return load_tokenizer(str(path))


def check(folder: Path, source: str) -> str:
    """Load and use it; says what became of it."""
    try:
        counter = load(folder, source)
    except ValueError as error:
        return refused(error, "refused")
    encoder = encoder_of(json.loads(source))
    for text in TEXTS:
        try:
            count, starts = counter.count(text), counter.token_starts(text)
            chunks = TokenChunker(counter, 7, 2).chunk(text)
        except ValueError as error:  # the encoder can't do it
            return refused(error, "fails on texts", not counter.is_native)
        offsets = encoder.encode(text, add_special_tokens=False).offsets
        assert count == len(starts) == len(offsets)
        assert not counter.is_native or starts.tolist() == [start for start, _ in offsets]
        assert all(0 <= start <= len(text) for start in starts)
        assert "".join("".join(c.text[len(c.overlap) :] for c in chunks).split()) == "".join(text.split())
    return "native" if counter.is_native else "encoder"


def refused(error: ValueError, how: str, may_be: bool = True) -> str:
    assert may_be
    assert "tokenizer" in str(error)
    return how


@cache
def config(name: str) -> dict[str, Any]:
    """A small tokenizer.json of each family that is compiled, and one that is not."""
    if name in ("small BPE", "small WordPiece", "small Unigram"):
        made: dict[str, Any] = json.loads(corpora.tokenizer(name).spec.to_str())
        return made | {"normalizer": None} if name == "small Unigram" else made  # as it is compiled
    if name == "WordLevel":
        return {
            "version": "1.0",
            "added_tokens": [],
            "pre_tokenizer": {"type": "Whitespace"},
            "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"},
        }
    if name == "pattern":
        pattern = {
            "type": "Split",
            "pattern": {"Regex": r"\p{L}+| ?[^\s\p{L}]+|\s+"},
            "behavior": "Isolated",
            "invert": False,
        }
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
        return config("small BPE") | {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [pattern, byte_level]}}
    letters = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "c", "ab", "abc", "▁a"]
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, REPLACE]},
        "pre_tokenizer": None,
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {letter: i for i, letter in enumerate(letters)},
            "merges": ["a b", "ab c", "▁ a"],
        },
    }


REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
EVERY = 16 if os.environ.get("HYPOTHESIS_PROFILE") == "sanitize" else 4  # a quarter of the values at each place
FAMILIES = ("small BPE", "pattern", "small WordPiece", "small Unigram", "character BPE", "WordLevel")

HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**32 - 2, 2**32, 2**63, 2**64, 10**40, 1.5, -1e308, 1e308, "", "\0", "a", "👍"),
    *("a" * 1000, "\ud800", [], [[]], [None], ["a"], ["a", "b"], [["a", "b"]], [["a", 1.0]], ["a b c"], {}, {"a": "a"}),
    *({"a": -1}, {"a": 0, "b": 0}, {"a": 2**32 - 2}, {"type": "NFC"}, {"type": "none"}, {"Regex": "("}, {"Regex": ""}, {"String": ""}),
    {"Regex": "(a+)+$"},
    {"Regex": "(?:(?:(?:a{16}){16}){16}){16}"},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a config: all fields, a few entries of what is long."""
    yield path
    if isinstance(value, dict):
        for key in [*value][: 4 if len(value) > 20 else None]:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i in range(min(len(value), 2)):
            yield from places(value[i], (*path, i))


def put(made: dict[str, Any], path: tuple[Any, ...], value: Any) -> str:
    """The JSON with another value at a place."""
    made = copy.deepcopy(made)
    at: Any = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(made)


@pytest.mark.parametrize("family", FAMILIES)
def test_any_value_at_any_place(family: str, tmp_path: Path) -> None:
    made = config(family)
    seen = {"refused": 0, "fails on texts": 0, "native": 0, "encoder": 0}
    for number, path in enumerate([path for path in places(made) if path]):
        for value in HOSTILE[number % EVERY :: EVERY]:
            source = put(made, path, value)
            try:
                seen[check(tmp_path, source)] += 1
            except BaseException as error:
                raise AssertionError(f"{path} = {value!r:.60}: {type(error).__name__} {error}") from error
    assert seen["refused"] > 10


@pytest.mark.parametrize("family", FAMILIES)
def test_every_field_missing_or_twice(family: str, tmp_path: Path) -> None:
    made = config(family)
    for path in places(made):
        if not path or isinstance(path[-1], int):
            continue
        less = copy.deepcopy(made)
        at: Any = less
        for key in path[:-1]:
            at = at[key]
        value = at.pop(path[-1])
        check(tmp_path, json.dumps(less))
        check(tmp_path, json.dumps(made).replace(f"{json.dumps(path[-1])}:", f"{json.dumps(path[-1])}: {json.dumps(value)}, {json.dumps(path[-1])}:", 1))  # fmt: skip


@pytest.mark.parametrize("family", ["small BPE", "character BPE"])
def test_merges_in_circles(family: str, tmp_path: Path) -> None:
    made = copy.deepcopy(config(family))
    model = made["model"]
    vocab = model["vocab"]
    some = [token for token in vocab if len(token) == 1][:4]
    for merges in (
        model["merges"] * 3,
        model["merges"][::-1],
        [[left, right] for left in some for right in some],
        [["", token] for token in some],
        [[token, ""] for token in some],
        [[some[0], some[1]], [some[1], some[0]]],
        ["a b"] * 1000,
        [["missing", "tokens"]],
        [["a"]],
        [["a", "b", "c"]],
        ["ab"],
        [" "],
        [""],
    ):
        check(tmp_path, json.dumps(made | {"model": model | {"merges": merges}}))
        for result in ("", some[0], "ab"):  # what the merge makes is one of what it is made of
            check(
                tmp_path, json.dumps(made | {"model": model | {"vocab": vocab | {"": 5, result: 5}, "merges": merges}})
            )


@pytest.mark.parametrize("family", FAMILIES)
def test_ids(family: str, tmp_path: Path) -> None:
    made = config(family)
    model = made["model"]
    names = [token[0] for token in model["vocab"]] if family == "small Unigram" else list(model["vocab"])
    for ids in (
        [0] * len(names),
        [*range(len(names))][::-1],
        [-i for i in range(len(names))],
        [2**32 - 2 - i for i in range(len(names))],
        [i << 20 for i in range(len(names))],
        [2**40 + i for i in range(len(names))],
        [i / 2 for i in range(len(names))],
        [str(i) for i in range(len(names))],
    ):
        vocab = (
            [[n, i] for n, i in zip(names, ids, strict=True)]
            if family == "small Unigram"
            else dict(zip(names, ids, strict=True))
        )
        check(tmp_path, json.dumps(made | {"model": model | {"vocab": vocab}}))


def test_a_vocabulary_with_large_ids_takes_no_memory(tmp_path: Path) -> None:
    """The encoder writes down every id up to the greatest."""
    made = config("WordLevel")
    with pytest.raises(ValueError, match=r"tokenizer.*4294967294"):
        load(tmp_path, put(made, ("model", "vocab", "a"), 2**32 - 2))


@pytest.mark.parametrize("depth", [100, 1000, 100_000])
def test_deep_nesting(depth: int, tmp_path: Path) -> None:
    made = json.dumps(config("small BPE") | {"pre_tokenizer": "HERE"})
    stage = '{"type": "Sequence", "pretokenizers": ['
    for inner in (stage * depth + "]}" * depth, "[" * depth + "]" * depth, '{"a": ' * depth + "1" + "}" * depth):
        check(tmp_path, made.replace('"HERE"', inner))
    pattern = "(?:" * depth + "a" + ")" * depth
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    check(tmp_path, put(config("pattern"), ("pre_tokenizer", "pretokenizers"), [split, byte_level]))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(?:a|aa)+b",
        "(?:(?:(?:(?:a{16}){16}){16}){16}){16}",
        "(?:(?:(?:(?:(?!\\S)){16}){16}){16}){16}",
        "a{1,16}" * 100,
        "|".join("abcdefghijklmnop"[i % 16] * (i % 50 + 1) for i in range(1000)),
        "[" + "".join(chr(0x4E00 + 3 * i) for i in range(20_000)) + "]+",
        "|".join(f"[{chr(0x4E00 + 3 * i)}]" for i in range(1000)),
        "(?i:" + "s" * 4000 + ")",
        "a{99999999999}",
        "\\p{Lu}" * 1000,
        "()",
        "(?=a)",
        "\\",
    ],
    ids=lambda pattern: pattern[:20],
)
def test_patterns_that_take_for_ever(pattern: str, tmp_path: Path) -> None:
    check(tmp_path, put(config("pattern"), ("pre_tokenizer", "pretokenizers", 0, "pattern"), {"Regex": pattern}))


@pytest.mark.parametrize(
    "charsmap",
    [
        b"",
        b"\0",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f" + b"\0" * 64,
        b"\4\0\0\0" + b"\0\4\0\0" + b"a\0",
        b"\0\0\0\0a\0",
        b"\4\0\0\0" + b"\xff" * 4 + b"a\0",
        bytes([0, 4, 0, 0]) + bytes(range(256)) * 4 + "é保👍\0".encode(),
        bytes([0, 4, 0, 0]) + bytes(255 - i % 256 for i in range(1024)) + b"\xe3\0",
        bytes([0, 4, 0, 0]) + b"\0\1\0\0" * 256 + b"no end",
    ],
    ids=range(10),
)
def test_charsmaps(charsmap: bytes, tmp_path: Path) -> None:
    """A table of a normaliser that points anywhere, cut short, or to half a character."""
    for blob in (base64.b64encode(charsmap).decode(), "!!!", base64.b64encode(charsmap).decode()[:-1]):
        normalizer = {"type": "Precompiled", "precompiled_charsmap": blob}
        check(tmp_path, json.dumps(config("small Unigram") | {"normalizer": normalizer}))


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe{}",
        b"\x00" * 1000,
        b"\xef\xbb\xbf{}",
        b'{"model": ',
        b"1" * 100_000,
        b'"' + b"a" * 1_000_000,
        b"NaN",
        b'{"model": {"type": "BPE", "vocab": {"\\ud800": 0}, "merges": []}}',
    ],
    ids=lambda source: str(source[:12]),
)
def test_no_tokenizer_at_all(source: bytes, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="tokenizer"):
        load(tmp_path, source)


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    with path.open("wb") as file:
        file.truncate(2**31)  # takes no room on the disk
    with pytest.raises(ValueError, match=f"tokenizer.*{2**31:,} bytes"):
        load_tokenizer(str(path))


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    for name in (
        str(tmp_path),
        str(tmp_path / "tokenizer.json"),
        "/dev/zero",
        "/dev/null",
        "",
        ".",
        "a\0b.json",
        "\ud800.json",
        "x" * 9999,
    ):
        with pytest.raises(ValueError, match="tokenizer"):
            load_tokenizer(name)


def test_an_encoder_that_fails_on_a_text_is_an_error_of_the_document() -> None:
    """Words that a vocabulary lacks, and no unknown token."""
    encoder = Tokenizer.from_str(put(config("WordLevel"), ("model", "unk_token"), "none"))
    chunker = TokenChunker(encoder, 5, 0)
    with pytest.raises(ValueError, match=r"^texts\[1\]: tokenizer"):
        chunker.chunk_batch(["a a", "b"], 1)


def test_falling_back_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "chunkfast"):
        counter = load(tmp_path, json.dumps(config("WordLevel")))
    assert not counter.is_native
    assert "encoder" in caplog.text
