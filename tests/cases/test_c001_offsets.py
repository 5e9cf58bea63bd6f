"""C001-C013: offsets are tracked, never searched for, and count code points."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests import corpora
from tests.chunkers import GENERATIONS, checked, chunker

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["chunk chunk", "aaaa aaaa", "a a a a a a", "章 章 章", "chunk\nchunk\nchunk"])
def test_c001_repeated_words_have_their_own_offsets(generation: str, name: str, text: str) -> None:
    chunks = checked(generation, corpora.tokenizer(name), text, 5, 0)
    assert all(a.end_index <= b.start_index for a, b in pairwise(chunks))


@each_generation
@each_tokenizer
@pytest.mark.parametrize("sentence", ["The same again. ", "同一句话。", "é👍🏽。", "x. "])
def test_c002_repeated_sentences_have_their_own_offsets(generation: str, name: str, sentence: str) -> None:
    text = sentence * 6
    chunks = checked(generation, corpora.tokenizer(name), text, 8, 2 if generation == "sentence" else 3)
    assert all(0 <= c.start_index < c.end_index for c in chunks)
    assert all(text[c.start_index : c.end_index] == c.text for c in chunks)


@each_generation
@each_tokenizer
def test_c004_a_batch_gives_what_each_document_gives(generation: str, name: str) -> None:
    made = chunker(generation, corpora.tokenizer(name).spec, 12)
    texts = ["", "One. Two. Three.", "第一条 甲。乙。\n（一）丙；\n（二）丁。", "é\r\n👍🏽" * 9, "One. Two. Three."]
    batch = made.chunk_batch(texts)
    for text, chunks in zip(texts, batch, strict=True):
        assert list(chunks) == list(made.chunk(text))


@each_generation
@pytest.mark.parametrize("text", ["ä" * 50, "龘" * 50, "ä龘" * 25, "𠮷" * 20, "ä " * 25])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_c006_tokens_that_share_a_character_are_not_torn_apart(generation: str, text: str, size: int) -> None:
    for name in ("small BPE", "bytes", "small tiktoken"):
        chunks = checked(generation, corpora.tokenizer(name), text, size, 0)
        assert not any("\ufffd" in c.text for c in chunks)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("joint", [" ", "\n", "\r\n", "  ", "\u3000"])
def test_c007_slices_are_exact_with_overlap(generation: str, name: str, joint: str) -> None:
    text = joint.join(f"Short sentence {word}." for word in ("one", "two", "three", "four", "five", "six"))
    chunks = checked(generation, corpora.tokenizer(name), text, 20, 2)
    assert all(text[c.start_index : c.end_index] == c.text for c in chunks)


@each_generation
@pytest.mark.parametrize("name", ["chars", "bytes", "small BPE", "small WordPiece", "small Unigram"])
@pytest.mark.parametrize("letter", ["a", "é", "保"])
def test_c009_hard_cuts_have_real_offsets(generation: str, name: str, letter: str) -> None:
    chunks = checked(generation, corpora.tokenizer(name), letter * 2000, 100, 0)
    assert [c.start_index for c in chunks] == [0, *(c.end_index for c in chunks[:-1])]


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["é1é2", "保1险2", "👍🏽1🇨🇳2", "e\u03011e\u03012"])
def test_c010_indices_are_code_points(generation: str, name: str, text: str) -> None:
    chunks = checked(generation, corpora.tokenizer(name), text, 1, 0)
    assert chunks[0].start_index == 0
    assert chunks[-1].end_index == len(text)
    assert "".join(text[c.start_index : c.end_index] for c in chunks) == text


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["今天下雨。明天天晴。", "今天下雨。\n明天天晴。", "今天。 明天。", "a。b。"])
def test_c011_nothing_is_put_between_sentences(generation: str, name: str, text: str) -> None:
    chunks = checked(generation, corpora.tokenizer(name), text, 200)
    assert [c.text for c in chunks] == [text]


@each_generation
@pytest.mark.parametrize("text", ["Ａbc é", "ÀÉÎ ﬁ ½ Ⅷ", "İstanbul ẞ", "e\u0301 É", "ＡＢＣ　ｄｅｆ"])
def test_c013_text_is_a_slice_whatever_the_tokenizer_makes_of_it(generation: str, text: str) -> None:
    for name in ("small WordPiece", "small Unigram"):
        for size in (1, 2, 3, 100):
            chunks = checked(generation, corpora.tokenizer(name), text, size, 0)
            assert "".join("".join(c.text.split()) for c in chunks) == "".join(text.split())
