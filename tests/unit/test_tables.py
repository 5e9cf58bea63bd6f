"""The shapes of tables in real documents: where they are, what is header, caption, continuation, and what is text."""

from typing import Any

import pytest

from chunkfast import StructureChunker
from chunkfast._core import parse

KINDS = ("data", "header", "delimiter", "repeat", "between")


def tables_of(text: str, table_format: int = 0) -> list[dict[str, Any]]:
    """Each table with its caption, note, kinds of rows and rendered text."""
    document = parse(text, table_format)
    rows, rendered, found = document.rows(), document.rendered_text(), []
    for table in document.tables():
        here = rows[table["first"] : table["last"]]
        data = "".join(rendered[row["out_start"] : row["out_end"]] for row in here[table["header"] :])
        found.append(
            {
                "caption": text[table["start"] : table["body"]].split("\n")[:-1],
                "note": text[table["note_start"] : table["note_end"]],
                "kinds": [KINDS[row["kind"]] for row in here],
                "header": table["header"],
                "head": rendered[table["out_start"] : table["out_end"]],
                "data": data,
                "source": text[table["body"] : table["end"]],
            }
        )
    return found


def headers_of(text: str) -> list[int]:
    return [table["header"] for table in tables_of(text)]


def html(*rows: str) -> str:
    """Rows of cells divided by `|`; `~2` after a cell's text is its colspan, `^2` its rowspan."""
    out = []
    for row in rows:
        cells = []
        for cell in row.split("|"):
            text, _, below = cell.partition("^")
            text, _, across = text.partition("~")
            cells.append(f'<td colspan="{across or 1}" rowspan={below or 1}>{text}</td>')
        out.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(out)}</table>"


def ages(first: int, last: int, columns: int = 2) -> list[str]:
    return [f"{age}{'|7' * columns}" for age in range(first, last + 1)]


@pytest.mark.parametrize(
    "lines",
    [
        ["| name | price |", "|---|---|", "| nut | 3 |"],
        ["name | price", "--- | :-:", "nut | 3"],
        ["| 年龄 | 保费 |", "| 18 | 3 |"],
        ["年龄 | 男 | 女", "18 | 3 | 4", "19 | 3 | 4"],
        ["年龄\t男\t女", "18\t3\t4", "19\t3\t"],
        ["age,men,women", "18,3,4", "19,3,4"],
        ['name,note,n', '"a, b",c,1', '"d ""e""",f,2'],
    ],
)  # fmt: skip
def test_forms(lines: list[str]) -> None:
    (table,) = tables_of("before\n\n" + "\n".join(lines) + "\n\nafter\n")
    assert table["source"].rstrip("\t") == "\n".join(lines).rstrip("\t")
    assert table["kinds"][0] == "header"


@pytest.mark.parametrize(
    "text",
    [
        "Home | About | Contact\n\nText.\n",
        "We sold nuts, bolts, and screws.\nThen we sold nails, pins, and tacks.\nThen wire, rope, and twine.\n",
        "1,234,567.00\n2,345,678.00\n3,456,789.00\n",
        "应收1,234,567.00元，减\n去4,548,242.99元，共计\n7,871,973.69元，下同\n",
        "1.1.\tThis rule applies to every member.\n1.2.\tThat rule applies to nobody at all.\n1.3.\tNo rule.\n",
        "(a)\tone\n(b)\ttwo\n(c)\tthree\n",
        "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n",
        "The `<table>` element has rows.\n",
        "<table></table>\n",
        "|\n|\n|\n",
    ],
)
def test_no_table(text: str) -> None:
    assert tables_of(text) == []


def test_page_layout_is_text() -> None:
    long = "我们在收到通知以后，应当及时作出核定，并将核定结果书面通知您或者受益人。"
    assert tables_of(html(f"8.3|年龄错误|{long}", f"|的处理|{long}", f"8.4|未还款项|{long}")) == []
    assert tables_of(html("2.1|保险金额|见保险单", "2.2|保险期间|终身")) == []
    assert tables_of(html("（1）投保人的故意行为；", "（2）被保险人的故意行为；")) == []
    assert tables_of(html("(1)因战争、军事冲突而受到损害的；|", "|(2)因核爆炸、核辐射而受到损害的；")) == []


def test_labels_make_a_table_of_long_cells() -> None:
    long = "我们在收到通知以后，应当及时作出核定，并将核定结果书面通知您或者受益人。"
    assert len(tables_of(html("序号|名称|定义", f"1|甲|{long}", f"2|乙|{long}"))) == 1
    assert len(tables_of(html("身故时间|比例", f"{long}|160%", f"{long}|140%"))) == 1
    assert tables_of(html("释义|合同", f"{long}|160%", f"{long}|{long}")) == []


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (["投保年龄|保额", "0-17周岁|1188", "18-65周岁|1184"], 1),
        (["性别|男性~2", "交费期间年龄|3年交|5年交", *ages(0, 4)], 2),
        (["方案|方案一~4", "性别|男性~2|女性~2", "年龄|3年交|5年交|3年交|5年交", *ages(0, 5, 4)], 3),
        (["年龄^2|男性~2", "3年交|5年交", *ages(18, 20)], 2),
        (["单位：元~3", "年龄^2|男性~2", "3年交|5年交", *ages(18, 24)], 3),
        (["|早应：大民~2", "年龄|3年交|5年交", *ages(18, 24)], 2),  # a unit row, misread
        (["年龄^4|男~4", "甲~4", "乙~2|丙~2", "丁|戊|己|庚", *ages(18, 30, 4)], 4),
        (["年龄^2|保险期间~3", "1|2|3", *ages(18, 24, 3)], 2),  # numbers, but under the corner cell
        (ages(37, 42), 0),  # the rest of a longer table
        (["计划一|基本责任", "计划二|基本责任和可选责任"], 0),  # a legend
        (["因子|甲|乙", "系数|1.00|1.20"], 1),  # a table on its side
        (["免赔额（元）|0|50", "因子|1.00|0.95"], 1),
        (["身故时间|比例", "年满18周岁后|160%", "年满41周岁后|140%"], 1),
        (["甲伤残|1级", "乙伤残|1级", "丙伤残|1级"], 0),
        (["1|2|3"], 0),
    ],
)
def test_header_rows(rows: list[str], header: int) -> None:
    assert headers_of(html(*rows)) == [header]


def test_marked_header_rows() -> None:
    assert headers_of("<table><tr><th>a<th>b<tr><th>c<th>d<tr><td>x<td>y<tr><td>x<td>y</table>") == [2]
    assert headers_of("<table><thead><tr><td>a<td>b</thead><tr><td>x<td>y<tr><td>x<td>y</table>") == [1]
    assert headers_of("| a | b |\n| c | d |\n|---|---|\n| x | y |\n| z | w |\n") == [3]
    assert headers_of("| 年龄 | 男 |\n|---|---|\n| 年龄 | 3年交 |\n| 18 | 5 |\n| 19 | 5 |\n") == [3]
    assert headers_of("2010 | high | low\nfirst quarter | 70.9 | 60.1\nsecond quarter | 71.9 | 61.1\n") == [1]
    assert headers_of("- | 2004 | 2003\nnet sales | 100 | 90\nprofit | 10 | 9\n") == [1]


def test_captions() -> None:
    table = html("年龄|3年交", "18|5", "19|5")
    lines = ["# 甲公司费率表", "", "(每1000元年交保险费)", "", "# 领取年龄：60周岁", "", "性别：男性", "单位：元"]
    (found,) = tables_of("\n".join([*lines, "", table]))
    assert found["caption"] == [*lines[2:], ""]
    assert found["head"] == "(每1000元年交保险费)\n领取年龄：60周岁\n性别：男性\n单位：元\n|年龄|3年交|\n|-|-|\n"


@pytest.mark.parametrize(
    ("above", "captions"),
    [
        (["附表："], 1),
        (["意外医疗保险金：", "", "单位：元"], 3),
        (["Table 2. Rates", ""], 2),
        (["男性", "单位：元", ""], 3),
        (["# 2.状态因子："], 0),
        (["3.免赔额因子："], 0),
        (["# 第一章 总则"], 0),
        (["注：月交保险费为年交保险费的十分之一。"], 0),
        (["被保险人的年龄以周岁计算。"], 0),
        (["（1）保险合同；"], 0),
    ],
)
def test_what_is_a_caption(above: list[str], captions: int) -> None:
    (found,) = tables_of("\n".join(["正文。", "", *above, html("年龄|3年交", "18|5", "19|5")]))
    assert len(found["caption"]) == captions


HEAD = ("方案|方案一~2", "年龄|3年交|5年交")


@pytest.mark.parametrize(
    "between",
    ["\n", "\n\n[P4]\n\n", "\n\n单位：元\n\n", "\n- 12 -\n", "\n第 3 页 共 9 页\n"],
)
def test_next_page(between: str) -> None:
    first = html(*HEAD, *ages(18, 22))
    (repeated,) = tables_of(first + between + html(*HEAD, *ages(23, 25)))
    assert [kind for kind in repeated["kinds"] if kind not in ("data", "between")] == ["header"] * 2 + ["repeat"] * 2
    (bare,) = tables_of(first + between + html(*ages(23, 25)))
    assert bare["header"] == 2
    assert bare["data"] == "".join(f"|{age}|7|7|\n" for age in range(18, 26))
    (fewer,) = tables_of(first + between + html(*ages(23, 25, 1)))
    assert fewer["data"].endswith("|25|7|\n")
    (misread,) = tables_of(first + between + html("方案|方案一~2", "年令|3年交|5年交", *ages(23, 25)))
    assert misread["kinds"].count("header") == 2


@pytest.mark.parametrize(
    "second",
    [
        html(*HEAD, *ages(0, 5)),  # the count starts again
        html("方案|方案二~2", "年龄|3年交|5年交", *ages(23, 25)),
        html(*ages(0, 5)),
        "注：以上为年交保险费。\n\n" + html(*ages(23, 25)),
    ],
)
def test_another_table(second: str) -> None:
    assert len(tables_of(html(*HEAD, *ages(18, 22)) + "\n\n" + second)) == 2


def test_condition_before_the_rest_of_the_table_above() -> None:
    first = "领取年龄：60周岁\n\n" + html(*HEAD, *ages(18, 22))
    rest = html(*HEAD, *ages(23, 25))
    last = "单位：元\n\n" + html(*HEAD, *ages(0, 5))
    joined, other = tables_of(f"{first}\n\n领取年龄：65周岁\n\n{rest}\n\n{last}")
    assert joined["kinds"].count("between") == 1
    assert joined["head"].startswith("领取年龄：60周岁\n")
    assert other["note"] == "领取年龄：65周岁"
    assert other["head"].startswith("领取年龄：65周岁\n单位：元\n")


def test_header_again_in_the_middle() -> None:
    (same,) = tables_of(html(*HEAD, *ages(0, 4), *HEAD, *ages(5, 6)))
    assert same["kinds"].index("repeat") == 7
    assert same["data"].count("年龄") == 0
    both = html("性别|男性~2", HEAD[1], *ages(0, 4), "性别|女性~2", HEAD[1], *ages(0, 4))
    men, women = tables_of("单位：元\n" + both)
    assert men["head"] == "单位：元\n|性别|男性|男性|\n|-|-|-|\n|年龄|3年交|5年交|\n"
    assert women["head"] == "单位：元\n|性别|女性|女性|\n|-|-|-|\n|年龄|3年交|5年交|\n"


def test_conditions_hold_for_the_next_table_with_the_same_columns() -> None:
    second = html("方案|方案二~2", "年龄|3年交|5年交", *ages(18, 22))
    _, other = tables_of("领取年龄：60周岁\n\n" + html(*HEAD, *ages(18, 22)) + "\n\n注：略。\n\n" + second)
    assert other["note"] == "领取年龄：60周岁"


def test_a_header_alone_on_its_page() -> None:
    (table,) = tables_of(html("身故时间|比例") + "\n\n" + html("18周岁以后|160%", "41周岁以后|140%", "61周岁以后|120%"))
    assert table["kinds"] == ["header", "data", "data", "data"]


@pytest.mark.parametrize(
    ("source", "rendered"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "|a|b|\n|-|-|\n|c|d|\n"),
        ("<TABLE><TR><TD COLSPAN = '2' >a</TD></TR><TR><TD>c<TD>d<tr><td>e<td>f</TABLE>", "a\n|c|d|\n|-|-|\n|e|f|\n"),
        (
            "<table><tr><td>a &amp; b&nbsp;<td>x|y<tr><td>c<br>c<td><b>d</b>&#x4e2d;</table>",
            "|a & b|x\\|y|\n|-|-|\n|c c|d中|\n",
        ),
        (
            "<table>\n<tr>\n<td>a\n a</td>\n<td>b\n<tr><td>c</td><td>&unknown;</table>",
            "|a a|b|\n|-|-|\n|c|&unknown;|\n",
        ),
        (
            "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>in<td>side</table>end</table>",
            "|a|b|\n|-|-|\n|c|in side end|\n",
        ),
        ("<table><caption>名</caption><tr><td>a<td>b<tr><td>c<td>d</table>", "名\n|a|b|\n|-|-|\n|c|d|\n"),
        ("<table><tr><td>a<td>x<y<tr><td>c<td>5 < 6</table>", "|a|x<y|\n|-|-|\n|c|5 < 6|\n"),
    ],
)
def test_html_soup(source: str, rendered: str) -> None:
    (table,) = tables_of(source)
    assert table["head"] + table["data"] == rendered


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("17.22", "17.22"),
        ("17 200", "17 200"),
        ("17\n&nbsp; 200", "17 200"),
        ("17<br>200&nbsp;", "17 200"),
        ("17|2", "17\\|2"),
        ("两&amp;三", "两&三"),
        ("1&lt;b", "1<b"),
        ("&nbsp;17", "17"),
    ],
)
@pytest.mark.parametrize("wide", ["", "两", "😀"])
def test_cells_that_begin_with_what_stands_for_itself(cell: str, shown: str, wide: str) -> None:
    (table,) = tables_of(f"<table><tr><td>{wide}<td>b<tr><td>{cell}</td><td>{cell}</TD ></table>")
    assert table["head"] + table["data"] == f"|{wide}|b|\n|-|-|\n|{shown}|{shown}|\n"


@pytest.mark.parametrize("tags", ["<td></td>", "<TD></TD>", "<td></td >", "<td a=b></Td>", "<td><td>", "<td></tdx>"])
@pytest.mark.parametrize("after", ["<td>", "<td >", "<td\n>", "<TD>", "<td a=b>"])
def test_tags_beside_others_of_their_kind(tags: str, after: str) -> None:
    opening, closing = tags[: tags.index(">") + 1], tags[tags.index(">") + 1 :]
    closing = "" if closing == "<td>" else closing
    (table,) = tables_of(f"<table><tr>{opening}k{closing}{after}v<tr>{opening}1{closing}{after}2</table>")
    assert table["head"] + table["data"] == "|k|v|\n|-|-|\n|1|2|\n"


@pytest.mark.parametrize(("figure", "section"), [("1.2", True), ("12.34", True), ("123.4", False), ("1.234", False)])
def test_figures_that_may_number_sections(figure: str, section: bool) -> None:
    """Rows that all begin with a section number and go on in words lay out a page."""
    text = "<table>" + "".join(f"<tr><td>{figure}<td>about the thing" for _ in range(4)) + "</table>"
    assert bool(tables_of(text)) is not section


def test_several_tables_on_a_line_and_lines_in_a_table() -> None:
    one = html("甲|乙", "丙|1", "丁|2")
    text = f"前文{one}中{one}后文\n"
    assert [table["source"] for table in tables_of(text)] == [one, one]
    assert len(tables_of(one.replace("</tr>", "</tr>\n\n"))) == 1


def test_a_table_never_closed_ends_with_its_last_tag() -> None:
    (table,) = tables_of("<table><tr><td>a<td>b</tr>\n<tr><td>c<td>d</tr>\n\nA paragraph.\n")
    assert table["source"].endswith("d</tr>")
    first, second = tables_of("<table><tr><td>a<td>b\n<tr><td>c<td>d\n\n" + html("e|f", "g|h"))
    assert first["source"].endswith("d")
    assert second["data"] == "|g|h|\n"
    (table,) = tables_of("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>e\n")
    assert table["data"] == "|c|d|\n|e|\n"


def test_spans_that_would_blow_a_table_up() -> None:
    bomb = "<table>" + "<tr><td rowspan=60000 colspan=900>wide<td>b</tr>" * 3 + "<tr><td>c<td>d" * 300 + "</table>"
    (table,) = tables_of(bomb)
    assert table["head"] == table["data"] == ""
    (huge,) = tables_of("<table><tr><td colspan=1000000000>a<tr><td>b<td>c<tr><td>d<td>e</table>")
    assert huge["head"] + huge["data"] == "a\n|b|c|\n|-|-|\n|d|e|\n"


def test_formats() -> None:
    rates = html("性别|男性~2", HEAD[1], "18|5|", "19|5|6")
    pipes = "| a | b |\n|---|---|\n| 1 | x\\|y |\n"
    text = f"单位：元\n\n{rates}\n\n{pipes}"
    assert [table["data"] for table in tables_of(text, 0)] == ["|18|5||\n|19|5|6|\n", ""]
    assert [table["data"] for table in tables_of(text, 1)] == ["|18|5||\n|19|5|6|\n", "|1|x\\|y|\n"]
    assert [table["head"] + table["data"] for table in tables_of(text, 2)] == ["", ""]
    rows, other = tables_of(text, 3)
    assert rows["head"] == "单位：元\n"
    assert rows["data"] == ("性别/年龄: 18; 男性/3年交: 5\n性别/年龄: 19; 男性/3年交: 5; 男性/5年交: 6\n")
    assert other["data"] == "a: 1; b: x|y\n"


def test_numbers_and_titles_of_parts_are_no_table():
    lines = "Part 1\tThe house\nPart 1.1\tThe rooms\nPart 1.2\tThe garden\n"
    assert parse(f"{lines}It has a gate.\n").tables() == []


def test_page_mark_between_parts_of_a_table_left_as_source_goes_with_a_neighbour():
    rows = "".join(f"<tr><td>{age}</td><td>{age * 37}.5</td><td>{age * 11}.3</td></tr>\n" for age in range(40, 44))
    head = "<tr><th>年龄</th><th>男性</th><th>女性</th></tr>\n"
    text = f"<table>\n{head}{rows}</table>\n\n- 2 -\n\n<table>\n{rows}</table>\n"
    for size in range(16, 60):
        texts = [chunk.text.strip() for chunk in StructureChunker("chars", size, 0, table_format="source").chunk(text)]
        if "- 2 -" in texts:
            at = texts.index("- 2 -")
            assert min(len(texts[at - 1]), len(texts[at + 1])) + len("- 2 -\n\n") > size
