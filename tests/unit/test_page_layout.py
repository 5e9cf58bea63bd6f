"""Tables that only lay out a page: sections, lists and paragraphs in their cells."""

from chunkfast import StructureChunker, outline

LONG = "房东在收到通知以后，应当及时派人查看，并将查看的结果书面告诉租客本人。"
OPEN = "房东在收到通知以后，应当及时派人查看，并将查看的结果书面告诉租"


def html(*rows: str) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def rows(text: str) -> list[tuple[int, str, str]]:
    return [(h.level, h.number, h.title) for h in outline(text)]


def test_sections_in_cells():
    text = f"# 7. 修缮\n\n{LONG}\n\n" + html(
        f"7.1|门窗|{LONG}", f"7.2|水管和 电线|{LONG}", "8.|费用|", f"8.1|租金|{LONG}"
    )
    assert rows(text + f"\n\n{LONG}\n\n# 9. 其他\n\n{LONG}\n") == [
        (1, "7.", "修缮"), (2, "7.1", "门窗"), (2, "7.2", "水管和 电线"), (1, "8.", "费用"), (2, "8.1", "租金"),
        (1, "9.", "其他"),
    ]  # fmt: skip


def test_chunks_are_rows():
    text = f"# 7. 修缮\n\n{LONG}\n\n" + html(f"7.1|门窗|{LONG}", f"7.2|水管|{LONG}") + f"\n\n{LONG}\n"
    chunks = StructureChunker("chars").chunk(text)
    assert [chunk.headings for chunk in chunks] == [("7. 修缮",), ("7. 修缮", "7.1 门窗"), ("7. 修缮", "7.2 水管")]
    assert chunks[1].text == f"<table><tr><td>7.1</td><td>门窗</td><td>{LONG}</td></tr>"
    assert chunks[2].text == f"<tr><td>7.2</td><td>水管</td><td>{LONG}</td></tr></table>\n\n{LONG}"
    assert chunks[2].contextualize() == f"7. 修缮\n{chunks[2].text}"
    heading = outline(text)[2]
    assert text[heading.start_index : heading.end_index] == "<tr><td>7.2</td><td>水管</td><td>"


def test_title_and_text_in_one_cell():
    assert rows(html(f"1.1|门窗修缮 {LONG}", f"1.2 自来水 {LONG}|", f"1.3|{LONG}")) == [
        (1, "1.1", "门窗修缮"), (1, "1.2", "自来水"), (1, "1.3", ""),
    ]  # fmt: skip
    contents = "目录\n1.1门窗和阳台扶手的修缮\n1.2水管\n1.3费用\n1.4租金\n\n"
    text = contents + html(
        f"1.1|门窗和阳台扶手的修缮{LONG}", f"1.2|水管|{LONG}", f"1.3|费用|{LONG}", f"1.4|租金|{LONG}"
    )
    assert [h.title for h in outline(text)] == ["门窗和阳台扶手的修缮", "水管", "费用", "租金"]


def test_two_numbers_in_one_cell():
    text = html(f"1. 1.1 门窗|修缮|{LONG}", f"1.2 1.3|水管|{LONG}", f"1. 4|电线|{LONG}")
    assert rows(text) == [(1, "1.", ""), (2, "1.1", "门窗"), (2, "1.2", ""), (2, "1.3", "水管"), (2, "1. 4", "电线")]


def test_chapter_that_the_table_repeats():
    text = f"# 2 费用\n\n{html('2 费用||', f'2.1|租金|{LONG}', f'2.2|押金|{LONG}')}\n\n# 3 期限\n\n{LONG}\n"
    assert [h.number for h in outline(text)] == ["2", "2.1", "2.2", "3"]


def test_rest_of_a_sentence_is_no_title():
    text = html(f"1.1|租金|{OPEN}", "1.2|客在查看以后没有异议，并且签字的", f"1.3|押金|{LONG}")
    assert rows(text) == [(1, "1.1", "租金"), (1, "1.2", ""), (1, "1.3", "押金")]


def test_items_in_cells_are_no_titles():
    items = [f"({n}){OPEN}|" for n in (1, 2, 3)]
    assert rows(f"# 1. 责任\n\n{html(*(cell + LONG for cell in items))}\n\n# 2. 其他\n\n{LONG}\n") == [
        (1, "1.", "责任"), (1, "2.", "其他"),
    ]  # fmt: skip


def test_list_goes_on_below_the_table():
    text = html(f"1.1|租金|{LONG}", "1.2|押金|有下列情形之一的，押金不退：") + "\n\n(1)提前搬走；\n(2)损坏门窗。\n"
    chunks = StructureChunker("chars", list_size=8).chunk(text)
    assert [(c.prefix, c.text.strip()[-8:]) for c in chunks if c.kind == "list"][1:] == [
        ("有下列情形之一的，押金不退：", "(2)损坏门窗。")
    ]


def test_several_tables_and_text_on_one_line():
    one, two = html(f"1.1|租金|{LONG}", f"1.2|押金|{LONG}"), html(f"1.3|门窗|{LONG}", f"1.4|水管|{LONG}")
    text = f"前言。{one}后记。{two}完。\n"
    assert [h.number for h in outline(text)] == ["1.1", "1.2", "1.3", "1.4"]
    chunks = StructureChunker("chars").chunk(text)
    assert "".join(text[a:b] for chunk in chunks for a, b in chunk.spans) == text.strip()


def test_lines_in_cells():
    cell = "<td>\n1.1\n</td>\n<td>租金</td>\n<td>"
    text = f"<table>\n<tr>\n{cell}{LONG}\n{LONG}</td>\n</tr>\n<tr><td>1.2</td><td>押金</td><td>{LONG}</td></tr>\n</table>\n"
    assert rows(text) == [(1, "1.1", "租金"), (1, "1.2", "押金")]


def test_headings_before_the_text_of_a_chunk():
    text = f"# 7. 修缮\n\n{LONG}\n\n" + html(f"7.1|门窗|{LONG}{LONG}", f"7.2|水管|{LONG}")
    chunks = StructureChunker("chars", chunk_size=100, chunk_overlap=0, headings="prepend").chunk(text)
    assert [chunk.prefix for chunk in chunks] == ["", "# 7. 修缮\n", "# 7. 修缮\n7.1门窗\n", "# 7. 修缮\n"]


def test_title_that_the_table_repeats_with_its_number():
    text = f"# 1 期限\n\n{LONG}\n\n# 费用\n\n{html('2 费用||', f'2.1|租金|{LONG}', f'2.2|押金|{LONG}')}\n\n# 3 其他\n\n{LONG}\n"
    assert rows(text) == [(1, "1", "期限"), (1, "2", "费用"), (2, "2.1", "租金"), (2, "2.2", "押金"), (1, "3", "其他")]


def test_tags_behind_a_heading_are_its_own():
    text = f"<table><tr><td>7.1</td><td>门窗\u200b</td>\ufeff<td>\u200b</td></tr>\u200b<tr><td>7.2</td><td>水管</td><td>{LONG}</td></tr></table>"
    first, second = outline(text)
    assert text[first.start_index : first.end_index] == text[: text.index("<tr><td>7.2")]
    assert text[second.start_index : second.end_index] == "<tr><td>7.2</td><td>水管</td><td>"


def test_text_at_the_end_of_a_table_that_is_not_closed():
    text = f"<table><tr><td>7.1</td><td>门窗</td><td>{LONG}</td></tr><tr><td>7.2</td><td>水管</td></tr>{LONG}\n"
    second = outline(text)[1]
    assert text[second.start_index : second.end_index] == "<tr><td>7.2</td><td>水管</td></tr>"
    assert [chunk.headings for chunk in StructureChunker("chars").chunk(text)] == [("7.1 门窗",), ("7.2 水管",)]


def test_number_over_a_cell_that_is_a_heading_takes_no_title_from_it():
    first, second = outline(html("2.5||第一章 总则", f"7.2|水管|{LONG}"))
    assert first.title == ""
    assert first.end_index <= second.start_index


def test_title_that_the_table_repeats_is_shown_once_over_the_text():
    text = f"# 2 费用\n\n{html('2 费用|', f'2.1|租金|{LONG}{LONG}', f'2.2|押金|{LONG}')}\n\n# 3 期限\n\n{LONG}\n"
    first = outline(text)[0]
    assert text[first.start_index : first.end_index].endswith("<td>2 费用</td><td></td></tr>")
    chunks = StructureChunker("chars", chunk_size=110, chunk_overlap=0, headings="prepend").chunk(text)
    assert {chunk.prefix for chunk in chunks} >= {"# 2 费用\n"}
    assert all("<" not in chunk.prefix for chunk in chunks)
