"""Tokenizers of odd settings: whether the core counts or the encoder, counts and starts are the encoder's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import accumulate, chain
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from chunkfast import load_tokenizer, tokens
from tests.corpora import TRAINING, samples
from tests.property.test_native_counts import any_text
from tests.unit.test_byte_bpe import PATTERNS

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
BEHAVIORS = ("isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous")


@cache
def trained(family: str) -> str:
    """A tokenizer.json without normalizer and pre-tokenizer."""
    model: Any
    trainer: Any
    if family == "byte-level BPE":
        model, alphabet = models.BPE(), pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, show_progress=False)
    elif family == "BPE":
        model = models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True)
        trainer = trainers.BpeTrainer(
            vocab_size=900, special_tokens=["<unk>", *BYTES], limit_alphabet=300, show_progress=False
        )
    elif family == "WordPiece":
        model = models.WordPiece(unk_token="[UNK]")
        trainer = trainers.WordPieceTrainer(
            vocab_size=900, special_tokens=["[UNK]", "[CLS]"], limit_alphabet=300, show_progress=False
        )
    else:
        model = models.Unigram()
        trainer = trainers.UnigramTrainer(
            vocab_size=1500, special_tokens=["<unk>", "<s>"], unk_token="<unk>", show_progress=False
        )
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = {
        "byte-level BPE": pre_tokenizers.ByteLevel(add_prefix_space=False),
        "WordPiece": pre_tokenizers.BertPreTokenizer(),
    }.get(family, pre_tokenizers.Metaspace())
    tokenizer.train_from_iterator([*TRAINING, *(document.text[:5000] for document in samples())], trainer)
    return tokenizer.to_str()


byte_level = st.builds(
    pre_tokenizers.ByteLevel, add_prefix_space=st.booleans(), use_regex=st.booleans(), trim_offsets=st.booleans()
)
metaspaces = st.builds(
    pre_tokenizers.Metaspace,
    replacement=st.sampled_from("▁▁_"),
    prepend_scheme=st.sampled_from(("always", "never", "first")),
    split=st.booleans(),
)
patterns = st.sampled_from(
    [r"\s+", r"\p{N}", r"\p{N}{1,3}", r" ?\p{L}+", r"\w+|[^\w\s]+", "[一-龥]+", *chain.from_iterable(PATTERNS.values())]
)
splits = st.one_of(
    st.builds(pre_tokenizers.Split, patterns.map(Regex), st.just("isolated")),
    st.builds(pre_tokenizers.Split, patterns.map(Regex), st.sampled_from(BEHAVIORS), invert=st.booleans()),
    st.builds(pre_tokenizers.Split, st.sampled_from((" ", "a", "的")), st.sampled_from(BEHAVIORS)),
    st.builds(pre_tokenizers.Digits, individual_digits=st.booleans()),
    st.builds(pre_tokenizers.Punctuation, st.sampled_from(BEHAVIORS)),
    st.sampled_from((pre_tokenizers.Whitespace(), pre_tokenizers.WhitespaceSplit(), pre_tokenizers.BertPreTokenizer())),
)
last = {
    "byte-level BPE": byte_level,
    "WordPiece": st.one_of(st.just(pre_tokenizers.BertPreTokenizer()), splits),
    "BPE": st.one_of(st.none(), metaspaces),
    "Unigram": metaspaces,
}
bert_normalizers = st.builds(
    normalizers.BertNormalizer,
    clean_text=st.booleans(),
    handle_chinese_chars=st.booleans(),
    strip_accents=st.sampled_from((None, True, False)),
    lowercase=st.booleans(),
)
any_normalizer = st.one_of(
    st.none(),
    bert_normalizers,
    st.builds(normalizers.Strip, st.booleans(), st.booleans()),
    st.sampled_from(
        (
            normalizers.NFC(),
            normalizers.NFKC(),
            normalizers.Lowercase(),
            normalizers.Replace(" ", "▁"),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Prepend("▁"),
            normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
            normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]),
        )
    ),
)
added_tokens = st.tuples(
    st.booleans(),
    st.builds(
        AddedToken,
        st.sampled_from(("<tok>", "the", " x", "x ", "é", "中", "  ", "\n", "<|im_end|>", "[UNK]", "12", "▁x")),
        single_word=st.booleans(),
        lstrip=st.booleans(),
        rstrip=st.booleans(),
        normalized=st.booleans(),
    ),
)
model_settings = st.fixed_dictionaries(
    {},
    optional={
        "dropout": st.sampled_from((None, 0.0)),
        "ignore_merges": st.booleans(),
        "fuse_unk": st.booleans(),
        "byte_fallback": st.booleans(),
    },
)


@st.composite
def odd_tokenizers(draw: st.DrawFn, family: str) -> Tokenizer:
    config = json.loads(trained(family))
    if family != "WordPiece":
        changes = draw(model_settings)
        config["model"] |= {name: value for name, value in changes.items() if name in config["model"]}
    tokenizer = Tokenizer.from_str(json.dumps(config))
    stages = draw(st.one_of(st.just([]), st.lists(splits, max_size=2)))
    stages = [stage for stage in (*stages, draw(last[family])) if stage is not None]
    tokenizer.pre_tokenizer = None if not stages else stages[0] if len(stages) == 1 else pre_tokenizers.Sequence(stages)
    tokenizer.normalizer = draw(st.one_of(st.none(), bert_normalizers if family == "WordPiece" else any_normalizer))
    for is_special, token in draw(st.one_of(st.just([]), st.lists(added_tokens, max_size=2))):
        (tokenizer.add_special_tokens if is_special else tokenizer.add_tokens)([token])
    return tokenizer


@contextmanager
def unless_the_encoder_fails() -> Iterator[None]:
    """Some normalizers and added tokens make the encoder panic, at times: nothing to compare with then."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException" or "the encoder fails" in str(error):
            reject()
        raise


@pytest.mark.parametrize("family", sorted(last))
@given(data=st.data(), texts=st.lists(any_text, min_size=4, max_size=12))
def test_odd_settings(family: str, data: st.DataObject, texts: list[str]) -> None:
    tokenizer = data.draw(odd_tokenizers(family))
    with mock.patch.object(tokens.log, "warning", side_effect=AssertionError("the probe text found a difference")):
        counter = load_tokenizer(tokenizer)
    encoder = Tokenizer.from_str(tokenizer.to_str())
    encoder.encode_special_tokens = True
    with unless_the_encoder_fails():
        expected = [encoder.encode(text, add_special_tokens=False).offsets for text in texts]
        assert counter.count_batch(texts).tolist() == [len(offsets) for offsets in expected]
        for text, offsets in zip(texts, expected, strict=True):
            starts = [start for start, _ in offsets]
            assert counter.token_starts(text).tolist() == list(accumulate(starts, max))
            assert counter.count(text) == len(starts)
