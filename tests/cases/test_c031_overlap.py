"""C031-C040: what is repeated stands in the source, is told, and never takes the place of what is new."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests import corpora
from tests.chunkers import GENERATIONS, checked

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)


@pytest.mark.parametrize("text", ["abcdefghij", "保险人应当给付保险金", "éééééééééé"])
def test_c031_hard_cuts_overlap_too(text: str) -> None:
    chunks = checked("token", corpora.CHARS, text, 4, 2)
    assert [(c.start_index, c.end_index) for c in chunks] == [(0, 4), (2, 6), (4, 8), (6, 10)]
    assert [c.overlap for c in chunks] == ["", *(text[i : i + 2] for i in (2, 4, 6))]


@each_generation
@each_tokenizer
def test_c032_only_what_is_in_the_source_is_repeated(generation: str, name: str) -> None:
    text = "# Title\n\nFirst paragraph. It goes on. And on.\n\nSecond paragraph. It goes on too. And on.\n"
    for size in (8, 16, 40, 60):
        chunks = checked(generation, corpora.tokenizer(name), text, size)
        assert all(c.overlap in text for c in chunks)
        assert all(b.overlap.strip() in a.text for a, b in pairwise(chunks))


@each_generation
@pytest.mark.parametrize("length", [99, 100, 101, 180, 181, 260, 300])
def test_c034_no_chunk_at_the_end_that_repeats_only(generation: str, length: int) -> None:
    text = ("abcd efg. " * 40)[:length]
    chunks = checked(generation, corpora.CHARS, text, 100, 2 if generation == "sentence" else 20)
    assert chunks[-1].end_index >= len(text.rstrip())
    if generation == "token":
        assert len(chunks) == (1 if len(text) <= 100 else -(-(len(text) - 20) // 80))


@pytest.mark.parametrize("joint", ["", "\n"])
def test_c035_overlap_begins_at_a_sentence_of_the_same_section(joint: str) -> None:
    sentences = [f"保险人应当给付第{i}笔保险金。" for i in range(40)]
    text = "第一章 总则\n" + joint.join(sentences[:20]) + "\n第二章 责任\n" + joint.join(sentences[20:]) + "\n"
    chunks = checked("structure", corpora.CHARS, text, 120, 50)
    assert any(c.overlap for c in chunks)
    for chunk in chunks:
        if chunk.overlap:
            assert any(chunk.overlap.startswith(s) for s in sentences)
            assert len(chunk.overlap) <= 50
            assert "第二章" not in text[chunk.start_index : chunk.start_index + len(chunk.overlap) + 1]
    first = next(c for c in chunks if "第二章" in c.text)
    assert first.text.startswith("第二章")


@each_generation
@each_tokenizer
@pytest.mark.parametrize("share", [5, 10, 3])
def test_c038_counts_are_those_of_the_text_with_its_overlap(generation: str, name: str, share: int) -> None:
    text = "The insurer pays the benefit. 保险人应当给付。It doesn't pay for losses, or for delay. " * 10
    tokenizer = corpora.tokenizer(name)
    chunks = checked(generation, tokenizer, text, 40, 2 if generation == "sentence" else 40 // share)
    assert [c.token_count for c in chunks] == tokenizer.count_batch([c.text for c in chunks])


def test_c039_overlap_inside_a_long_section_and_none_across_headings() -> None:
    section = "".join(f"Sentence {i} of it says something. " for i in range(60))
    text = f"# Title\n\n## One\n\n{section}\n\n## Two\n\n{section}\n"
    chunks = checked("structure", corpora.CHARS, text, 800, 400)
    second = next(i for i, c in enumerate(chunks) if c.headings[-1:] == ("Two",))
    assert not chunks[second].overlap
    whole = [c for i, c in enumerate(chunks) if i not in (0, 1, second)]
    assert sum(bool(c.overlap) for c in whole) >= len(whole) - 2  # the last of a section may have no room for it


@each_generation
@each_tokenizer
def test_c040_overlap_that_does_not_fit_is_left_out(generation: str, name: str) -> None:
    tokenizer = corpora.tokenizer(name)
    paragraphs = [f"Paragraph {i} fits just so, with nothing to spare." for i in range(8)]
    size = max(map(tokenizer.count, paragraphs)) + 2
    chunks = checked(generation, tokenizer, "\n\n".join(paragraphs), size, 2 if generation == "sentence" else size // 2)
    if generation != "token":
        assert [c.text.strip() for c in chunks] == paragraphs
