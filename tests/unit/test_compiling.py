"""Tokenizers compiled from a file as it is written: the same counter as from the encoder's own JSON."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from chunkfast import TokenCounter, load_tokenizer, tokenizer_json
from chunkfast.vocabulary import merge_parts
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


def test_parts_of_merges() -> None:
    assert merge_parts([]) == []
    assert merge_parts(["a b", "ab c"]) == merge_parts([["a", "b"], ("ab", "c")]) == ["a", "b", "ab", "c"]
    for wrong in (["a b", "abc"], ["a b c"], ["a b", "a b c", "abc"], [["a", "b"], ["c"]], [["a", "b", "c"]]):
        with pytest.raises(ValueError, match="two parts"):
            merge_parts(wrong)


@given(
    st.text(st.sampled_from('0123456789"],:.{} \n-'))
    | st.lists(st.sampled_from(("1" * 7, "2" * 8, ",", "]", " ", "."))).map("".join)
)
def test_long_numbers(text: str) -> None:
    data = text.encode()
    found = tokenizer_json._LONG_NUMBER.search(data)
    assert tokenizer_json._long_number(data) == (found[1].decode() if found else "")
