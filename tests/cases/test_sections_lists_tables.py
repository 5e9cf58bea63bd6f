"""C087 to C110: sections packed, lead-ins and headers repeated, rows kept whole. Sizes are characters."""

from __future__ import annotations

import re

import pytest

from chunkfast import Chunks, StructureChunker
from tests import corpora, invariants

SENTENCE = "The insurer answers in writing and says why. "


def cut(text: str, size: int, **settings: object) -> Chunks:
    """The chunks of a text, with every promise held."""
    chunker = StructureChunker("chars", chunk_size=size, chunk_overlap=0, **settings)  # type: ignore[arg-type]  # they differ
    chunks = chunker.chunk(text)
    invariants.check(chunks, text, corpora.CHARS, chunker)
    return chunks


def pipe(*rows: str) -> str:
    return "".join(f"| {row} |\n" for row in rows)


def slices_of(chunks: Chunks) -> list[str]:
    return [chunk.text for chunk in chunks if chunk.kind == "table"]


def test_c087_small_clauses_share_a_chunk_under_one_parent_and_long_ones_are_split() -> None:
    small = "".join(f"### 1.{i} Clause\n\n{SENTENCE}\n\n" for i in range(1, 11))
    text = f"# 1 Small\n\n{small}# 2 Long\n\n{SENTENCE * 200}\n"
    chunks = cut(text, 400, pack_size=400)
    packed = [chunk for chunk in chunks if chunk.text.count("Clause") > 1]
    assert packed
    assert not any("# 2" in chunk.text for chunk in packed)
    assert sum(chunk.start_index >= text.index("# 2") for chunk in chunks) > 20


def test_c089_a_chunk_is_a_range_of_the_source_behind_a_prefix_that_is_declared() -> None:
    text = f"# Parrots\n\nThey talk.\n\n# Rates\n\nNot covered are:\n\n(1) {SENTENCE}\n\n(2) {SENTENCE}\n"
    for chunk in cut(text, 80, list_size=80):
        assert chunk.text.startswith(chunk.prefix)
        assert chunk.text.removeprefix(chunk.prefix) == text[chunk.start_index : chunk.end_index]
        assert not ("Parrots" in chunk.text and "Rates" in chunk.text)


def test_c091_sections_are_not_merged_whatever_the_limit() -> None:
    chunks = cut(f"# T1\n\n{SENTENCE}\n\n# T2\n\n{SENTENCE}\n", 10_000)
    assert [chunk.text.split()[1] for chunk in chunks] == ["T1", "T2"]
    assert chunks[1].headings == ("T2",)


@pytest.mark.parametrize("lead", ["The following are not covered:", "下列各项不在保障范围内："])
def test_c096_each_item_has_the_lead_in_as_prefix_and_in_its_count(lead: str) -> None:
    text = f"{lead}\n\n- {SENTENCE}\n- {SENTENCE}\n- {SENTENCE}\n"
    chunks = cut(text, len(lead) + len(SENTENCE) + 10, list_size=len(lead) + len(SENTENCE) + 10)
    assert len(chunks) == 3
    for chunk in chunks:
        assert chunk.text.startswith(lead)
        assert chunk.token_count == len(chunk.text)
    assert all(chunk.prefix.strip() == lead for chunk in list(chunks)[1:])


def test_c097_headings_take_at_most_half_of_the_limit() -> None:
    text = f"# {'A very long heading ' * 7}\n\n{SENTENCE * 10}"
    for chunk in cut(text, 128, headings="prepend"):
        assert len(chunk.prefix) <= 64


def test_c100_header_and_delimiter_in_each_slice() -> None:
    text = pipe("Age | Term | Premium", "--- | --- | ---", *(f"{i} | 10 | {i * 37}" for i in range(60)))
    slices = slices_of(cut(text, 90))
    assert len(slices) > 10
    assert all(table.startswith(pipe("Age | Term | Premium", "--- | --- | ---")) for table in slices)
    assert all(table.startswith(pipe("Age | Term | Premium")) for table in slices_of(cut(text, 80)))  # over half of it


def test_c101_two_header_rows_and_the_delimiter() -> None:
    header = pipe("Age | Men | Women", "Age | monthly | monthly", "--- | --- | ---")
    text = header + pipe(*(f"{i} | {i * 3} | {i * 4}" for i in range(60)))
    slices = slices_of(cut(text, 160, table_size=160))
    assert len(slices) > 5
    assert all(table.startswith(header) for table in slices)


def test_c102_caption_unit_and_condition_lines_are_part_of_the_header() -> None:
    above = "年交保险费率表\n\n单位：元\n\n缴费期间：10年\n\n"
    text = (
        "正文到此为止。\n\n"
        + above
        + pipe("年龄 | 男 | 女", "--- | --- | ---", *(f"{i} | {i * 31} | {i * 29}" for i in range(18, 60)))
    )
    chunks = [chunk for chunk in cut(text, 120) if chunk.kind == "table"]
    assert len(chunks) > 4
    for chunk in chunks:
        assert all(line in chunk.text for line in above.split())
        assert re.search(r"\| 年龄 \| 男 \| 女 \|\n\| --- \| --- \| --- \|\n\| \d+ \|", chunk.text)


def test_c103_a_header_of_most_of_the_limit_is_shortened_at_a_cell_and_the_row_kept() -> None:
    text = pipe(
        "Age of the insured person | Premium | Sum", "--- | --- | ---", *(f"{i} | 1 | 2" for i in range(30, 40))
    )
    first, *rest = cut(text, 66)
    assert first.text == pipe("Age of the insured person | Premium | Sum", "--- | --- | ---")
    for chunk in rest:
        assert len(chunk.prefix) <= 33
        assert re.search(r"\| \d+ \| 1 \| 2 \|", chunk.text)


def test_c104_a_row_that_does_not_fit_any_more_goes_to_the_next_slice_whole() -> None:
    rows = [f"{i} | {'x' * (10 + i % 17)}" for i in range(40)]
    slices = slices_of(cut(pipe("Age | Note", "--- | ---", *rows), 100))
    assert all(any(pipe(row).strip() in table for table in slices) for row in rows)
    long = " | ".join(f"cell number {i}" for i in range(20))
    pieces = slices_of(cut(pipe("Age | Note", "--- | ---", "1 | 2", long, "3 | 4"), 100))
    assert all(any(f"cell number {i} |" in table for table in pieces) for i in range(20))


@pytest.mark.parametrize("cell", ["th", "td"])
def test_c106_leading_rows_of_html_are_the_header(cell: str) -> None:
    header = f"<tr><{cell}>Age</{cell}><{cell}>Premium</{cell}></tr>"
    rows = "".join(f"<tr><td>{i}</td><td>{i * 37}</td></tr>" for i in range(18, 60))
    slices = slices_of(cut(f"<table>{header}{rows}</table>", 100))
    assert len(slices) > 3
    assert all(re.match(r"\|\s*Age\s*\|\s*Premium\s*\|", table) for table in slices)


def test_c107_two_columns_are_a_table() -> None:
    text = pipe("Term | Rate", "--- | ---", *(f"{i} years | {i}.5" for i in range(40)))
    assert all("| Term | Rate |" in table for table in slices_of(cut(text, 100)))


def test_c109_slices_are_told_apart_by_id_index_and_headings() -> None:
    table = pipe("Age | Premium", "--- | ---", *("30 | 100" for _ in range(60)))
    chunks = cut(f"# Rates\n\n## Men\n\n{table}\n## Women\n\n{table}", 100)
    assert len(set(chunks.ids)) == len(chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert {chunk.headings for chunk in chunks if chunk.kind == "table"} == {
        ("Men",),
        ("Women",),
    }


def test_c110_the_prefix_of_a_table_is_its_header_not_its_heading() -> None:
    text = "# Tariff\n\nOf 2024.\n\n## Rates\n\n" + pipe(
        "Age | Premium", "--- | ---", *(f"{i} | {i * 37}" for i in range(60))
    )
    _, first, *rest = cut(text, 100)
    assert first.text.startswith("## Rates\n\n| Age |")
    for chunk in rest:
        assert chunk.prefix == pipe("Age | Premium", "--- | ---")
        assert chunk.headings == ("Rates",)
