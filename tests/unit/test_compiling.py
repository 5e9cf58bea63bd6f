"""Tokenizers compiled from a file as it is written: the same counter as from the encoder's own JSON."""

from __future__ import annotations

import json
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from chunkfast import TokenCounter, _core, load_tokenizer, tokenizer_json
from tests import corpora
from tests.counting import encoder_of, starts_by_encoder

TEXT = "The insurer's WON'T pay 1,234: 保险人 pays!\n\n\tIt is the client who doesn't. naïve 👨‍👩‍👧 ▁Ġ<unk>[UNK]"


def source_of(name: str) -> str:
    source: str = corpora.tokenizer(name).spec.to_str()
    return source


def load(folder: Path, config: dict[str, Any]) -> TokenCounter:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(config, ensure_ascii=False), encoding="utf-8")
    return load_tokenizer(str(path))


@pytest.mark.parametrize("name", ["small BPE", "small WordPiece", "small Unigram"])
def test_a_file_and_an_encoder_make_equal_counters(name: str, tmp_path: Path) -> None:
    config = json.loads(source_of(name))
    from_file, from_encoder = load(tmp_path, config), load_tokenizer(Tokenizer.from_str(source_of(name)))
    assert from_file.is_native == (name != "small Unigram")  # which has a normaliser that the encoder alone knows
    assert from_file == from_encoder == pickle.loads(pickle.dumps(from_file))
    assert hash(from_file) == hash(from_encoder)
    assert from_file.token_starts(TEXT).tolist() == starts_by_encoder(encoder_of(config), TEXT)
    less = config | {"model": config["model"] | {"vocab": config["model"]["vocab"]}, "truncation": None}
    assert load(tmp_path, less) == from_file


def test_what_older_files_leave_out_or_write_otherwise(tmp_path: Path) -> None:
    config = json.loads(source_of("small WordPiece"))
    del config["model"]["type"]
    counter = load(tmp_path, config)
    assert counter.is_native
    assert counter == load_tokenizer(corpora.tokenizer("small WordPiece").spec)
    config = json.loads(source_of("small BPE"))
    config["model"]["merges"] = [" ".join(merge) for merge in config["model"]["merges"]]
    for name in ("ignore_merges", "byte_fallback", "dropout", "continuing_subword_prefix"):
        config["model"].pop(name, None)
    counter = load(tmp_path, config)
    assert counter.is_native
    assert counter.token_starts(TEXT).tolist() == starts_by_encoder(encoder_of(config), TEXT)


@pytest.mark.parametrize("change", ["id", "added token"])
def test_what_is_written_twice(change: str, tmp_path: Path) -> None:
    config = json.loads(source_of("small BPE"))
    vocab = config["model"]["vocab"]
    if change == "id":
        longest = max(vocab, key=len)
        vocab[longest] = vocab[max(vocab.keys() - {longest}, key=len)]
    else:
        token = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
        config["added_tokens"] = [token | {"id": len(vocab) + i, "content": "pay"} for i in range(2)]
    counter = load(tmp_path, config)
    assert counter.count(TEXT) == len(encoder_of(config).encode(TEXT, add_special_tokens=False))


def with_merges(written: str) -> bytes:
    """A tokenizer.json of few tokens and of merges as they are written."""
    source = f"""{{"version": "1.0", "model": {{ "vocab":{{"a":0,"b" :1, "ab": 2, "a b":3, "\\n\\u4e2d\\ud83d\\ude42":4}}
        ,"merges": {written} , "type":"BPE" }} }}"""
    return source.encode()


def test_vocabularies_are_read_where_they_stand() -> None:
    rest, read = _core.read_vocabulary(with_merges('["a b"]'))
    assert json.loads(rest) == {"version": "1.0", "model": {"type": "BPE", "vocab": {}, "merges": []}}
    assert read is not None
    assert len(read) == 5
    assert all(token in read for token in ("a", "ab", "a b", "\n中🙂"))
    assert not any(token in read for token in ("", "c", "a bc"))
    for same in ('[["a","b"]]', '[ [ "a" , "b" ] ]', '["\\u0061 b"]'):
        _, other = _core.read_vocabulary(with_merges(same))
        assert other is not None
        assert other.digest == read.digest
    for different in ("[]", '["a b", "a b"]'):
        _, other = _core.read_vocabulary(with_merges(different))
        assert other is not None
        assert other.digest != read.digest


@pytest.mark.parametrize(
    "merges",
    [
        '["a  b"]',
        '["ab"]',
        '[["a"]]',
        '[["a","b","a"]]',
        '["a b",["a","b"]',
        '["a c"]',
        '[["ab", "a b"]]',
        '["#version a"]',
        '["a b"',
        "[7]",
        "{}",
    ],
)
def test_merges_that_are_not_understood(merges: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        _core.read_vocabulary(with_merges(merges))


@pytest.mark.parametrize(
    "model",
    [
        '{"vocab": {"a": -1}}', '{"vocab": {"a": 4294967296}}', '{"vocab": {"a": 1.5}}', '{"vocab": {"a": 0, "a": 1}}',
        '{"vocab": {"a": 0}, "vocab": {}}', '{"v\\u006fcab": {}}', '{"vocab": {"\\ud800": 0}}', '{"vocab": {"\\x": 0}}',
        '{"vocab": {"a": 0}', '{"vocab": {"a', '{"vocab"', "{", "", "7",
    ],
)  # fmt: skip
def test_models_that_are_not_understood(model: str) -> None:
    with pytest.raises(ValueError, match=r"not understood|twice"):
        _core.read_vocabulary(f'{{"version": "保", "model": {model}'.encode())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**32 - 1) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=5), st.integers(0, 2**32 - 1), max_size=12),
    json_values,
    st.booleans(),
    st.sampled_from((None, 1)),
    st.data(),
)
def test_any_vocabulary(
    vocab: dict[str, int], other: Any, ascii_only: bool, indent: int | None, data: st.DataObject
) -> None:
    merges = [[a, b] for a in vocab for b in vocab if a + b in vocab and a + b]
    config = {"other": other, "model": {"x": other, "merges": merges, "vocab": vocab, "y": other}, "last": other}
    source = json.dumps(config, ensure_ascii=ascii_only, indent=indent).encode()
    rest, read = _core.read_vocabulary(source)
    assert json.loads(rest) == config | {"model": config["model"] | {"vocab": {}, "merges": []}}
    assert read is not None
    assert len(read) == len(vocab)
    assert all(token in read for token in vocab)
    assert read.has_equal_ids == (len(set(vocab.values())) < len(vocab))
    damaged = source[: data.draw(st.integers(0, len(source)))]
    with suppress(ValueError):
        _core.read_vocabulary(damaged)


@given(
    st.text(st.sampled_from('0123456789"],:.{} \n-'))
    | st.lists(st.sampled_from(("1" * 7, "2" * 8, ",", "]", " ", "."))).map("".join)
)
def test_long_numbers(text: str) -> None:
    data = text.encode()
    found = tokenizer_json._LONG_NUMBER.search(data)
    assert tokenizer_json._long_number(data) == (found[1].decode() if found else "")
