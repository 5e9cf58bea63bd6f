"""One property for each promise, over documents that hypothesis builds, for all three generations."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chunkfast import Chunk, StructureChunker, outline
from tests import corpora, invariants, strategies
from tests.chunkers import GENERATIONS, chunker, chunkers

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)
small_sizes = strategies.chunk_sizes


@each_tokenizer
@each_generation
@given(text=strategies.documents, data=st.data())
def test_1_the_limit_is_a_proof(generation: str, name: str, text: str, data: st.DataObject) -> None:
    tokenizer = corpora.tokenizer(name)
    chunker = data.draw(chunkers(generation, tokenizer.spec, small_sizes))
    assert not [*invariants.limit_problems(list(chunker.chunk(text)), tokenizer, chunker)]


@each_generation
@given(text=strategies.documents, data=st.data())
def test_2_text_is_never_rebuilt(generation: str, text: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(tuple(corpora.SMALL)))
    chunker = data.draw(chunkers(generation, corpora.tokenizer(name).spec, small_sizes))
    chunks = list(chunker.chunk(text))
    assert not [*invariants.text_problems(chunks, text, chunker)]
    assert "\ufffd" in text or not any("\ufffd" in chunk.text for chunk in chunks)


@each_generation
@given(text=strategies.documents, data=st.data())
def test_3_nothing_is_lost(generation: str, text: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(tuple(corpora.SMALL)))
    chunker = data.draw(chunkers(generation, corpora.tokenizer(name).spec, small_sizes))
    assert not [*invariants.coverage_problems(list(chunker.chunk(text)), text)]


@each_generation
@given(text=strategies.documents, data=st.data())
def test_4_every_chunk_is_progress(generation: str, text: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(tuple(corpora.SMALL)))
    chunker = data.draw(chunkers(generation, corpora.tokenizer(name).spec, small_sizes))
    assert not [*invariants.progress_problems(list(chunker.chunk(text)))]


@given(text=strategies.built(), data=st.data())
def test_5_sections_never_mix(text: str, data: st.DataObject) -> None:
    chunker = data.draw(chunkers("structure", "chars", st.one_of(small_sizes, st.just(400))))
    headings = outline(text)
    assert not [*invariants.section_problems(chunker.chunk(text), text, corpora.CHARS, chunker, headings)]
    titles = {"".join((h.number + h.title).split()) for h in headings}
    for chunk in chunker.chunk(text):
        assert {"".join(h.split()) for h in chunk.headings} <= titles


@given(
    columns=st.integers(2, 5),
    rows=st.integers(3, 40),
    size=st.integers(60, 400),
    form=st.sampled_from(("pipes", "html")),
    table_format=st.sampled_from(("auto", "source", "markdown")),
)
def test_6_every_table_slice_has_its_header(columns: int, rows: int, size: int, form: str, table_format: str) -> None:
    names = [f"head{i}" for i in range(columns)]
    cells = [[f"{r}.{c}" for c in range(columns)] for r in range(rows)]
    if form == "html":
        lines = [
            "<tr>" + "".join(f"<{tag}>{c}</{tag}>" for c in row) + "</tr>"
            for tag, row in (("th", names), *(("td", r) for r in cells))
        ]
        text = "<table>\n" + "\n".join(lines) + "\n</table>\n"
    else:
        text = "\n".join("| " + " | ".join(row) + " |" for row in (names, ["---"] * columns, *cells)) + "\n"
    chunker = StructureChunker("chars", chunk_size=size, chunk_overlap=0, table_size=size, table_format=table_format)
    chunks = chunker.chunk(text)
    header = chunks[0].text.splitlines()[: 2 if form == "pipes" or table_format != "source" else 1]
    assume(
        2 * sum(len(line) + 1 for line in header) <= size
        and not (form == "html" and table_format == "source" and size < 200)
    )
    for chunk in chunks:
        assert chunk.kind == "table"
        assert all(name in chunk.text for name in names)
    assert [*re.findall(r"\b\d+\.\d+\b", "".join(c.text[len(c.prefix) :] for c in chunks))] == [
        c for row in cells for c in row
    ]


@given(
    items=st.integers(2, 30),
    words=st.integers(1, 8),
    size=st.integers(40, 200),
    mark=st.sampled_from(("（{c}）", "({n}) ", "{n}. ", "- ")),
)
def test_6_every_slice_of_a_list_has_its_lead_in(items: int, words: int, size: int, mark: str) -> None:
    lead = "有下列情形之一的，不承担责任："
    tens, digits = ("", "十", "二十", "三十"), ("", *"一二三四五六七八九")
    numerals = [tens[n // 10] + digits[n % 10] for n in range(1, items + 1)]
    lines = [mark.format(n=i + 1, c=numerals[i]) + "事由" * words + f"{i + 1}；" for i in range(items)]
    chunker = StructureChunker("chars", chunk_size=size, chunk_overlap=0, list_size=size // 2)
    chunks = chunker.chunk(lead + "\n" + "\n".join(lines) + "\n")
    assume(len(lead) + 1 <= size / 4)
    for chunk in chunks:
        assert chunk.text.startswith(lead)


@each_tokenizer
@each_generation
@given(texts=st.lists(strategies.documents, max_size=6), data=st.data())
def test_8_the_same_answer_alone_in_a_batch_and_in_threads(
    generation: str, name: str, texts: list[str], data: st.DataObject
) -> None:
    chunker = data.draw(chunkers(generation, corpora.tokenizer(name).spec, small_sizes))
    alone = [rows(chunker.chunk(text)) for text in texts]
    assert [rows(chunks) for chunks in chunker.chunk_batch(texts, threads=1)] == alone
    assert [rows(chunks) for chunks in chunker.chunk_batch(texts, threads=8)] == alone
    assert [rows(chunks) for chunks in chunker.iter_chunks(iter(texts))] == alone
    if name != "small tiktoken":  # made here, so that another process couldn't find it
        assert [rows(pickle.loads(pickle.dumps(chunker)).chunk(text)) for text in texts] == alone


def rows(chunks: object) -> list[tuple[object, ...]]:
    """All fields of all chunks."""
    assert all(isinstance(chunk, Chunk) for chunk in chunks)  # type: ignore[attr-defined]
    return [
        (
            c.text,
            c.token_count,
            c.start_index,
            c.end_index,
            c.index,
            c.kind,
            c.headings,
            c.prefix,
            c.overlap,
            c.spans,
            c.page,
            c.id,
        )
        for c in chunks  # type: ignore[attr-defined]
    ]


@each_generation
@given(text=strategies.built(), size=st.integers(4, 80))
def test_8_the_kind_of_the_str_changes_nothing(generation: str, text: str, size: int) -> None:
    """One lower-case letter in strs of 1, 2 and 4 bytes a character: the cuts stay."""
    chunks = [chunker(generation, "chars", size).chunk(f"{text} é".replace("é", letter)) for letter in "éě𝒹"]
    assert [c.spans for c in chunks[0]] == [c.spans for c in chunks[1]] == [c.spans for c in chunks[2]]


@each_generation
@given(data=st.data())
def test_settings_compare_hash_and_show_by_value(generation: str, data: st.DataObject) -> None:
    first = data.draw(chunkers(generation, "chars", small_sizes))
    second = pickle.loads(pickle.dumps(first))
    assert first == second
    assert hash(first) == hash(second)
    assert repr(first) == repr(second)
    assert str(first.chunk_size) in repr(first)
    with pytest.raises((AttributeError, TypeError)):
        first.chunk_size = 5
    assert first != chunker(generation, "chars", first.chunk_size + 1, 0)


@pytest.mark.parametrize("generation", ["token", "structure"])
@example(size=10, overlap=10)
@example(size=10, overlap=12)
@given(size=st.integers(1, 500), overlap=st.integers(0, 600))
def test_4_overlap_below_the_size_or_an_error_that_names_both(generation: str, size: int, overlap: int) -> None:
    if overlap < size:
        chunks = chunker(generation, "chars", size, overlap).chunk("abc\n" * 50)
        assert all(a.start_index < b.start_index for a, b in pairwise(chunks))
    else:
        with pytest.raises(ValueError, match=rf"{overlap}.*{size}|{size}.*{overlap}"):
            chunker(generation, "chars", size, overlap)
