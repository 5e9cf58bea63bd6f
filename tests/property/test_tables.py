"""Rows, cells and rendered text of generated tables are those of a plain reader, for every kind of str."""

from __future__ import annotations

import html
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfast._core import parse
from tests.reference.tables import column_names, filled, html_cells, markdown_row, pairs_row, pipe_cells, squeeze

KINDS = ("", "é", "中", "😀")  # a str of 1, 1, 2 or 4 bytes a character
DATA, HEADER, DELIMITER, REPEAT, BETWEEN = range(5)
BLANK = "\u200b\u200e\u200f\ufeff"

words = st.sampled_from(("rate", "a b", "5 年交", "x|y", "<55", "A & B", "男", "", "é1", "\u3000", "🙂", "12.5%", "-"))
cells = st.one_of(st.integers(0, 999).map(str), words)


@st.composite
def html_tables(draw: st.DrawFn, spans: bool) -> str:
    """One to three header rows over rows that start with a number; tags and attributes in all the usual ways."""
    width, heads, count = draw(st.integers(2, 5)), draw(st.integers(1, 3)), draw(st.integers(3, 9))
    wild = draw(st.booleans())
    taken: set[tuple[int, int]] = set()
    rows = []
    for r in range(heads + count):
        row = []
        for k in range(width):
            if (r, k) in taken:
                continue
            most = next((m for m in range(1, width - k + 1) if k + m == width or (r, k + m) in taken), 1)
            columns = draw(st.integers(1, most)) if spans and k else 1
            last = heads if r < heads else heads + count
            below = draw(st.integers(1, last - r)) if spans and k + columns < width else 1
            taken |= {(r + i, k + j) for i in range(below) for j in range(columns)}
            text = f"{'年龄' if r < heads else 18 + r}" if k == 0 else draw(cells) + (f"h{r}{k}" if r < heads else "")
            tag = draw(st.sampled_from(("td", "TD"))) if wild else "td"
            quote = draw(st.sampled_from(('"', "'", ""))) if wild else '"'
            given = draw(st.permutations([f"colspan={quote}{columns}{quote}", f"rowspan={quote}{below}{quote}"]))
            close = "" if wild and draw(st.booleans()) else f"</{tag}>"
            blank = draw(st.sampled_from(("", " ", "\n", "<br>", "&nbsp;"))) if wild else ""
            row.append(f"<{' '.join([tag, *given])}>{blank}{html.escape(text)}{close}")
        rows.append("<tr>" + "".join(row) + ("" if wild and draw(st.booleans()) else "</tr>"))
    return "<table border=1>" + draw(st.sampled_from(("", "\n"))).join(rows) + "</table>"


def visible(text: str, kind: int) -> str:
    """What a reader sees of one cell's source."""
    if kind == 3:
        (cell,) = html_cells(f"<table><tr><td>{text}</td></tr></table>")
        return cell.text
    return squeeze(text.replace("\\|", "|"))


def source_of(text: str, row: dict[str, int], cell: dict[str, int]) -> str:
    return text[row["start"] + cell["start"] : row["start"] + cell["end"]]


def check_spans(text: str, table_format: int) -> None:
    """Tables in order, rows cover them, cells lie in their rows, rendered spans follow each other and are bounded."""
    document = parse(text, table_format)
    rows, cells, rendered = document.rows(), document.cells(), document.rendered_text()
    at = out = 0
    for table in document.tables():
        assert at <= table["start"] <= table["body"] < table["end"] <= len(text)
        assert 0 <= table["note_start"] <= table["note_end"] <= table["body"]
        at = table["end"]
        here = rows[table["first"] : table["last"]]
        assert 0 <= table["header"] <= len(here)
        assert here[0]["start"] == table["body"]
        assert here[-1]["end"] == table["end"]
        place = table["body"]
        for row in here:
            assert not text[place : row["start"]].strip().strip(BLANK).strip()
            assert place <= row["start"] < row["end"]
            place = row["end"]
            for cell in cells[row["first"] : row["last"]]:
                assert 0 <= cell["start"] <= cell["end"] <= row["end"] - row["start"]
        assert table["out_start"] == out
        out = table["out_end"]
        for row in here[table["header"] :]:
            if table["rendered"] and row["kind"] == DATA:
                assert row["out_start"] == out
                out = row["out_end"]
            else:
                assert row["out_start"] == row["out_end"]
        source = table["end"] - table["start"] + table["note_end"] - table["note_start"]
        assert out - table["out_start"] <= 4 * source + 200
    assert out == len(rendered)


PIECES = (
    "\n", "\n\n", "\r\n", " ", "\t", "\t\t", "|", "|a|", "|-|-|\n", "a|b|c\n", "1|2|3\n", "45 | 3500\n", "<table>",
    "<table a='b>'>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "</th>", "<thead>", "</thead>",
    "<td colspan=3>", "<td rowspan='2'>", "<td colspan=1000000000 rowspan=99999999>", "<td rowspan=0", "<caption>",
    "</caption>", "&nbsp;", "&lt;", "&#x4e2d;", "&#0;", "&amp", "<br>", "<b>", "单位：元\n", "年龄", "性别",
    "男性", "女性", "18", "19", "0.5", "方案一", "方案二", "# 领取年龄：60周岁\n", "(每1000元)\n", "[P3]\n", "1,2,3\n",
    "x,y,z\n", 'a,"b"",c",1\n', "1\t2\t3\n", "名\t男\t女\n", "```", "很长的句子，很长的句子。", "<!-- ", "\\|",
    "`<table>`", "😀", "é", "\u200e", "\ufeff",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=50).map("".join), st.booleans(), st.sampled_from((0, 1, 3)))
def test_rows_cover_their_table(text: str, wrap: bool, table_format: int) -> None:
    check_spans(f"<table>{text}</table>" if wrap else text, table_format)


def only_table(text: str, table_format: int = 0) -> tuple[Any, dict[str, int], list[dict[str, int]]]:
    document = parse(text, table_format)
    (table,) = document.tables()
    return document, table, document.rows()[table["first"] : table["last"]]


@given(html_tables(spans=True), st.sampled_from(KINDS))
def test_html_cells(source: str, kind: str) -> None:
    document, _, rows = only_table(source + kind)
    wanted = html_cells(source)
    found = [
        (visible(source_of(source, row, c), 3), r, c["column"], c["columns"], c["rows"])
        for r, row in enumerate(rows)
        for c in document.cells()[row["first"] : row["last"]]
    ]
    assert found == wanted


@given(html_tables(spans=True), st.sampled_from(KINDS))
def test_html_as_markdown(source: str, kind: str) -> None:
    document, table, rows = only_table(source + kind)
    rendered = document.rendered_text()
    if not table["rendered"]:  # its spans would make it several times its source
        return
    for r, (row, grid) in enumerate(zip(rows, filled(html_cells(source)), strict=True)):
        written = rendered[row["out_start"] : row["out_end"]]
        if r < table["header"] and not written.startswith("|"):
            assert {cell for cell in grid if cell} == {written.rstrip("\n")}
        elif r < table["header"]:
            assert pipe_cells(written) == grid + [""] * (table["columns"] - len(grid))
        else:
            assert written == markdown_row(grid)


@given(html_tables(spans=False), st.sampled_from(KINDS))
def test_html_as_pairs(source: str, kind: str) -> None:
    document, table, rows = only_table(source + kind, 3)
    rendered = document.rendered_text()
    grid = filled(html_cells(source))
    names = column_names(grid[: table["header"]])
    for row, values in list(zip(rows, grid, strict=True))[table["header"] :]:
        assert rendered[row["out_start"] : row["out_end"]] == pairs_row(names, values)


@given(st.data(), st.sampled_from(KINDS), st.booleans(), st.booleans())
def test_pipe_cells(data: st.DataObject, kind: str, outer: bool, delimiter: bool) -> None:
    width = data.draw(st.integers(2, 5))
    grid = [["年龄", *(f"h{k}" for k in range(width - 1))]]
    others = st.lists(cells, min_size=width - 1, max_size=width - 1)
    grid += [[str(18 + r), *data.draw(others)] for r in range(data.draw(st.integers(2, 6)))]
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in grid]
    lines = [f"| {line} |" if outer else f"{line}|" for line in lines]
    if delimiter:
        lines.insert(1, "|" + "---|" * width)
    source = "\n".join(lines)
    document, table, rows = only_table(source + ("\n\n" + kind), 1)
    assert table["header"] == 1 + delimiter
    assert [row["kind"] for row in rows] == [HEADER] + [DELIMITER] * delimiter + [DATA] * (len(grid) - 1)
    rendered, at = document.rendered_text(), iter(document.cells())
    for row, line in zip(rows, lines, strict=True):
        assert source[row["start"] : row["end"]] == line.rstrip()
        if row["kind"] == DELIMITER:
            continue
        found = [next(at) for _ in range(row["last"] - row["first"])]
        wanted = [squeeze(cell) for cell in pipe_cells(line)]
        assert [visible(source_of(source, row, cell), 0) for cell in found] == wanted
        assert rendered[row["out_start"] : row["out_end"]] == markdown_row(wanted)


@given(html_tables(spans=True), st.sampled_from((0, 1)))
def test_source_keeps_all_rows(source: str, table_format: int) -> None:
    """Every cell's text stands in the rendered table, or the table is left as it is."""
    document, table, _ = only_table(source, table_format)
    if table["rendered"]:
        rendered = document.rendered_text().replace("\\|", "|")
        for cell in html_cells(source):
            assert cell.text in rendered


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_agree(kind: str) -> None:
    """One document with every sort of table: the same rows whatever characters follow it."""
    text = (
        "单位：元\n\n<table><tr><td rowspan=2>年龄<td colspan=2>男性<tr><td>3年交<td>5年交"
        "<tr><td>18<td>1<td>2<tr><td>19<td>3<td>4</table>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "x\ty\tz\n1\t2\t3\n2\t3\t4\n\nid,x,y\n1,2,3\n2,3,4\n\n"
    )
    document, plain = parse(text + kind), parse(text)
    assert document.tables() == plain.tables()
    assert document.rows() == plain.rows()
    assert [table["kind"] for table in plain.tables()] == [3, 0, 1, 2]
