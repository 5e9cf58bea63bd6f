"""C014-C030: the limit holds on the final text, whatever is in it."""

from __future__ import annotations

import pytest

from chunkfast import StructureChunker
from tests import corpora
from tests.chunkers import GENERATIONS, checked, chunker

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("unit", ["abcdefghij", "é", "保", "👍🏽", "e\u0301"])
def test_c014_text_without_a_space_is_cut_hard(generation: str, name: str, unit: str) -> None:
    text = unit * (3000 // len(unit))
    chunks = checked(generation, corpora.tokenizer(name), text, 50, 0)
    assert "".join(c.text for c in chunks) == text


@each_tokenizer
@pytest.mark.parametrize("heading", ["# Title\n", "第一章 总则\n", "1.1 保险责任\n\n"])
@pytest.mark.parametrize("mode", ["metadata", "prepend"])
def test_c015_the_limit_counts_headings_and_joiners(name: str, heading: str, mode: str) -> None:
    tokenizer = corpora.tokenizer(name)
    body = "保险人应当给付保险金。The insurer pays."
    for extra in range(4):
        size = tokenizer.count(body) + extra
        checked("structure", tokenizer, heading + body, size, 0, headings=mode)


@each_tokenizer
@pytest.mark.parametrize("rows", [2, 5, 9])
def test_c016_what_is_repeated_is_counted_for_tables_too(name: str, rows: int) -> None:
    tokenizer = corpora.tokenizer(name)
    table = "| 年龄 | 保费 |\n|---|---|\n" + "".join(f"| {18 + i} | {1000 + i} |\n" for i in range(rows))
    whole = tokenizer.count("## 费率\n\n" + table)
    for size in range(max(1, whole - 6), whole + 3):
        checked("structure", tokenizer, "## 费率\n\n" + table, size, 0)
        checked("structure", tokenizer, "## 费率\n\n" + table, size, 0, headings="prepend")


@each_tokenizer
@pytest.mark.parametrize("mode", ["metadata", "prepend"])
@pytest.mark.parametrize("mark", ["# ", "第一章 ", "1.1 "])
def test_c018_a_heading_over_the_limit_does_not_push_the_body_out(name: str, mode: str, mark: str) -> None:
    heading = mark + "保险 责任 " * 30
    text = f"{heading}\n给付保险金。The body is kept.\n"
    for size in (10, 25, 50):
        chunks = checked("structure", corpora.tokenizer(name), text, size, 0, headings=mode)
        assert any("kept." in c.text for c in chunks) or size == 10
        assert "".join(text[a:b] for c in chunks for a, b in c.spans).count("kept") <= len(chunks)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("joint", [", ", "，", " ", "", "、"])
def test_c019_a_sentence_over_the_limit_is_cut_at_the_next_finer_place(generation: str, name: str, joint: str) -> None:
    text = joint.join(f"clause{i}" for i in range(40)) + "."
    checked(generation, corpora.tokenizer(name), text, 10, 0)


def test_c019_the_next_finer_place_is_a_clause_then_a_space() -> None:
    clauses = "甲乙丙丁，戊己庚辛，壬癸子丑，寅卯辰巳。"
    assert [c.text for c in checked("sentence", corpora.CHARS, clauses, 8, 0)] == [
        "甲乙丙丁，",
        "戊己庚辛，",
        "壬癸子丑，",
        "寅卯辰巳。",
    ]
    words = "alpha beta gamma delta epsilon."
    assert [c.text.strip() for c in checked("sentence", corpora.CHARS, words, 12, 0)] == [
        "alpha beta",
        "gamma delta",
        "epsilon.",
    ]


@each_generation
@each_tokenizer
def test_c021_a_long_paragraph_never_breaks_the_limit(generation: str, name: str) -> None:
    text = "The insurer pays within ten days, unless the claim is disputed; see 1.2.1 for terms. " * 60
    checked(generation, corpora.tokenizer(name), text, 128)


@each_generation
@each_tokenizer
def test_c023_a_larger_size_makes_fewer_chunks(generation: str, name: str) -> None:
    text = "保险人应当在收到申请后的十日内给付保险金。 " * 60
    sizes = [len(checked(generation, corpora.tokenizer(name), text, size, 0)) for size in (20, 50, 200, 500)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@pytest.mark.parametrize("generation", ["sentence", "structure"])
def test_c025_chinese_sentences_are_known_without_a_setting(generation: str) -> None:
    text = "投保人应当如实告知！保险人是否承保？保险人应当出具保险单。" * 8
    chunks = checked(generation, corpora.CHARS, text, 64, 0)
    assert all(c.text[-1] in "。！？" for c in chunks)


@each_generation
@pytest.mark.parametrize(("name", "letter"), [("chars", "a"), ("bytes", "保"), ("chars", "\n"), ("bytes", "a\n")])
def test_c026_ten_million_of_one_character(generation: str, name: str, letter: str) -> None:
    text = letter * (10_000_000 // len(letter))
    chunks = chunker(generation, name, 100_000, 0).chunk(text)
    assert all(c.token_count <= 100_000 for c in chunks)
    assert sum(c.text.count(letter.strip()) for c in chunks if letter.strip()) == text.count(letter.strip() or "x")


@each_generation
def test_c027_reserved_tokens_are_left_free_and_not_counted(generation: str) -> None:
    from tokenizers import Tokenizer
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer.from_str(corpora.small_wordpiece().spec.to_str())
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    text = "The insurer pays the benefit within ten days of the claim. " * 40
    plain, adding = corpora.small_wordpiece(), corpora.user_tokenizer("adds two", tokenizer)
    assert [c.token_count for c in checked(generation, adding, text, 64)] == [
        c.token_count for c in checked(generation, plain, text, 64)
    ]
    reserved = checked(generation, adding, text, 64, reserve_tokens=2)
    assert max(c.token_count for c in reserved) <= 62
    assert all(len(tokenizer.encode(c.text).ids) <= 64 for c in reserved)


@each_generation
@pytest.mark.parametrize("make", [corpora.small_bpe, corpora.small_wordpiece, corpora.small_unigram])
def test_c028_the_tokenizer_passed_in_is_left_as_it_is(generation: str, make: object) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(make().spec.to_str())  # type: ignore[operator]
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=300)
    before = tokenizer.to_str()
    checked(generation, corpora.user_tokenizer("truncating", tokenizer), "word " * 200, 50)
    assert tokenizer.to_str() == before
    assert len(tokenizer.encode("word " * 200).ids) == 300


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["👍🏽👨‍👩‍👧🇨🇳" * 8, "a👍🏽b " * 12, "👨‍👩‍👧👍🏽，" * 12])
def test_c030_windows_are_counted_as_they_are_emitted(generation: str, name: str, text: str) -> None:
    for size in (1, 6, 13):
        checked(generation, corpora.tokenizer(name), text, size, 0)


def test_c018_and_a_title_over_the_limit_neither() -> None:
    chunks = StructureChunker("chars", chunk_size=20, chunk_overlap=0, headings="prepend").chunk(
        "Body.", title="T" * 90
    )
    assert "Body." in chunks[0].text
    assert chunks[0].token_count <= 20
