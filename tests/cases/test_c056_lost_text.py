"""C056-C069: nothing is lost, changed or made up."""

from __future__ import annotations

from typing import Any

import pytest

from tests import corpora
from tests.chunkers import GENERATIONS, checked, chunker

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)


@each_generation
@each_tokenizer
@pytest.mark.parametrize(
    "code", ["\tif x:\n\t\treturn\n", "  a\n    b\n", "x  =  1   \n", "a\n\n\n\nb\n", "\u3000中\n"]
)
def test_c056_code_is_left_as_it_is(generation: str, name: str, code: str) -> None:
    text = f"Before.\n\n```py\n{code}```\n\nAfter.\n"
    assert any(code in c.text for c in checked(generation, corpora.tokenizer(name), text, 400, 0))
    for size in (6, 12):
        checked(generation, corpora.tokenizer(name), text, size, 0)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \n", "\n\n\n\n", "\u2028\u2028", "\n\t\n"])
def test_c057_all_paragraphs_are_kept(generation: str, name: str, gap: str) -> None:
    text = gap.join(("First paragraph.", "第二段。", "Third."))
    for size in (4, 10, 100):
        checked(generation, corpora.tokenizer(name), text, size, 0)


@each_generation
@pytest.mark.parametrize("fence", ["```", "~~~", "````", "```python", "  ```"])
def test_c058_a_fence_that_is_never_closed_loses_nothing(generation: str, fence: str) -> None:
    text = f"# Title\n\nText.\n\n{fence}\ncode\n\n# not a heading\n\nmore\n"
    for size in (8, 20, 200):
        checked(generation, corpora.CHARS, text, size, 0)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["a。b。c", "。。。", "a。", "。a", "a!b?c", "，，a，，"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_c059_small_sentences_at_small_sizes(generation: str, name: str, text: str, size: int) -> None:
    checked(generation, corpora.tokenizer(name), text, size, 0)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("size", range(1, 21, 3))
def test_c061_slices_and_the_space_between_them_are_the_text(generation: str, name: str, size: int) -> None:
    text = "The quick brown fox"
    chunks = checked(generation, corpora.tokenizer(name), text, size, 0)
    assert "".join("".join(c.text for c in chunks).split()) == "".join(text.split())


@pytest.mark.parametrize("body", ["Three small words.", "无。", "x", "（略）"])
@pytest.mark.parametrize("heading", ["# A", "第一章 总则", "1.1 范围", "（一）定义"])
def test_c063_a_section_with_little_text_is_kept(heading: str, body: str) -> None:
    text = f"{heading}\n{body}\n\n# Long\n\n" + "A longer section follows. " * 30
    for settings in ({}, {"pack_size": 60}):
        chunks = checked("structure", corpora.CHARS, text, 100, 0, **settings)
        assert body in chunks[0].text


@each_generation
@pytest.mark.parametrize("name", ["bytes", "small BPE", "small tiktoken"])
@pytest.mark.parametrize("text", ["龘", "龘 龘", "👍🏽", " 龘 ", "a\u3000龘"])
def test_c064_no_chunk_of_half_a_character_or_of_white_space(generation: str, name: str, text: str) -> None:
    for size in (1, 2, 3):
        chunks = checked(generation, corpora.tokenizer(name), text, size, 0)
        assert all(c.text.strip() for c in chunks)


@each_generation
@each_tokenizer
def test_c065_the_same_text_in_two_places_stays_two_chunks(generation: str, name: str) -> None:
    tokenizer = corpora.tokenizer(name)
    paragraph = "The same paragraph, word for word."
    text = f"{paragraph}\n\n" * 3
    chunks = checked(generation, tokenizer, text, tokenizer.count(paragraph) + 1, 0)
    if generation != "token":
        assert [c.text.strip() for c in chunks] == [paragraph] * 3
    assert len({c.id for c in chunks}) == len(chunks)


BLANK = ["", " ", " \n\t", "\u3000", "\r\n" * 20, "\x1c\x1d\x1e\x1f", "\x85\u2028\u2029", "\xa0\u2003", "\n" * 10_000]


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", BLANK)
def test_c068_blank_text_has_no_chunks(generation: str, name: str, text: str) -> None:
    chunks = chunker(generation, corpora.tokenizer(name).spec, 3, 0).chunk(text)
    assert list(chunks) == []
    assert len(chunks) == 0
    assert not chunks


WRONG: list[Any] = [None, b"x", float("nan"), 3, ["text"], bytearray(b"x"), pytest.param(object(), id="object")]


@each_generation
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_c069_what_is_not_text_is_a_type_error(generation: str, wrong: Any) -> None:
    made = chunker(generation, "chars", 20)
    with pytest.raises(TypeError, match=f"text.*{type(wrong).__name__}|{type(wrong).__name__}.*text"):
        made.chunk(wrong)


@each_generation
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("threads", [None, 1, 4])
def test_c069_and_in_a_batch_its_position_is_told(generation: str, wrong: Any, threads: int | None) -> None:
    made = chunker(generation, "chars", 20)
    texts = ["First.", "Second.", wrong, "Fourth.", wrong]
    with pytest.raises(TypeError, match=r"\b2\b"):
        made.chunk_batch(texts, threads=threads)
    good = [list(made.chunk(t)) for t in texts if isinstance(t, str)]
    assert [list(c) for c in made.chunk_batch(texts, threads=threads, on_error="skip") if c] == good
    with pytest.raises(ValueError, match="on_error"):
        made.chunk_batch(texts, on_error="ignore")


@each_generation
def test_c069_errors_can_be_collected(generation: str) -> None:
    made = chunker(generation, "chars", 20)
    result = made.chunk_batch(["First.", None, "Third.", "bad \ud83d"], on_error="collect")
    assert len(result) == 4
    assert list(result[0]) == list(made.chunk("First."))
    assert isinstance(result[1], TypeError)
    assert list(result[2]) == list(made.chunk("Third."))
    assert isinstance(result[3], ValueError)


@each_generation
def test_c069_a_str_is_no_batch(generation: str) -> None:
    with pytest.raises(TypeError, match="texts"):
        chunker(generation, "chars", 20).chunk_batch("one document")
