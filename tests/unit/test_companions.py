"""What goes with what in a chunk: headings and page marks with text, and in `spans` all that a table slice shows."""

from __future__ import annotations

import pytest

from chunkfast import Chunk, StructureChunker, outline
from tests import corpora, invariants

SMALL = ["chars", "small BPE", "small WordPiece", "small Unigram"]
SENTENCE = "投保人应当按照约定支付保险费，逾期的应当补交。"
RULES = "".join(f"第{n}条 {SENTENCE}\n\n" for n in "一二三四五六七")
HTML = "<table><tr>{}</tr></table>"


def cut(text: str, size: int, name: str = "chars", **settings: object) -> list[Chunk]:
    """Chunks that keep every promise."""
    used = StructureChunker(corpora.tokenizer(name).spec, chunk_size=size, chunk_overlap=0, **settings)  # type: ignore[arg-type]
    chunks = list(used.chunk(text))
    found = [*invariants.problems(chunks, text, corpora.tokenizer(name), used, outline(text))]
    assert not found, found
    return chunks


def table(*rows: str) -> str:
    """An HTML table of rows of cells, separated by `|`; `2^x` is a cell over two rows, `2>x` one over two columns."""

    def cell(text: str) -> str:
        spans = {"^": "rowspan", ">": "colspan"}
        return f"<td {spans[text[1]]}={text[0]}>{text[2:]}</td>" if text[1:2] in spans else f"<td>{text}</td>"

    return HTML.format("</tr><tr>".join("".join(map(cell, row.split("|"))) for row in rows))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("size", [16, 20, 24, 32, 48])
def test_a_heading_takes_a_piece_of_its_text_along(name: str, size: int) -> None:
    cut(f"# 云杉保险条款\n\n## 第一章 总则\n\n{RULES}", size, name)


def test_of_many_headings_the_outermost_stand_apart() -> None:
    text = f"# 第一章 关于本保险合同的若干规定\n\n## 第一节 成立\n\n第一条 {SENTENCE}\n\n第二条 {SENTENCE}\n"
    first, second, *_ = cut(text, 24)
    assert first.text == "# 第一章 关于本保险合同的若干规定"
    assert second.text.startswith("## 第一节 成立\n\n第一条 投保人")


def test_a_lead_in_stays_with_the_headings_above_an_item_that_fits() -> None:
    lead = "有下列情形的我们不承担责任："
    text = f"# 条款\n\n前言。\n\n## 责任\n\n### 免除\n\n{lead}\n（一）投保人的故意行为造成的一切损失；\n（二）战争。\n"
    _, first, second, *_ = cut(text, 40, list_size=None)
    assert first.text == f"## 责任\n\n### 免除\n\n{lead}"
    assert second.text == f"{lead}\n（一）投保人的故意行为造成的一切损失；"


@pytest.mark.parametrize("mark", ["[P5]", "- 5 -", "第 5 页 共 20 页", "Page 5 of 20", "[P5]\n- 5 -"])
@pytest.mark.parametrize("size", [40, 400])
def test_a_page_mark_is_no_text_of_a_heading(mark: str, size: int) -> None:
    chunks = cut(f"第一章 总则\n{mark}\n第一条 {SENTENCE}\n\n第二条 {SENTENCE}\n", size)
    assert chunks[0].text.startswith(f"第一章 总则\n{mark}\n第一条 投保人")
    assert chunks[0].headings == ("第一章 总则", "第一条")


def test_page_marks_before_the_first_heading_go_with_it() -> None:
    chunks = cut(f"[P1]\n\n第一章 总则\n第一条 {SENTENCE}\n第二条 {SENTENCE}\n", 400)
    assert [c.text[:9] for c in chunks] == ["[P1]\n\n第一章", "第二条 投保人应当"]


@pytest.mark.parametrize("size", range(24, 80, 5))
def test_page_marks_stand_alone_only_where_there_is_no_room(size: int) -> None:
    items = "".join(f"（{n}）{SENTENCE[: 4 * i]}；\n[P{i}]\n" for i, n in enumerate("一二三四五", 1))
    chunks = cut(f"# 云杉保险条款\n\n第一条 应当载明下列事项：\n{items}{SENTENCE}\n\n[P6]\n\n{SENTENCE * 3}\n", size)
    assert size < 40 or all(c.text.removeprefix(c.prefix).strip("[P123456]\n") for c in chunks)


def test_a_heading_sign_without_a_title_is_no_text() -> None:
    chunks = cut(f"## 第一章 总则\n\n###\n\n第一条 {SENTENCE}\n", 400)
    assert [c.text[:19] for c in chunks] == ["## 第一章 总则\n\n###\n\n第一条"]


@pytest.mark.parametrize("table_format", ["auto", "source", "rows"])
def test_a_page_number_belongs_to_the_table_above_it(table_format: str) -> None:
    rates = table("年龄|保费", *(f"{age}|{age}00" for age in range(30, 40)))
    text = f"## 一、男性\n\n{rates}\n\n- 3 -\n\n## 二、女性\n\n{rates}\n\n- 4 -\n"
    chunks = cut(text, 600, table_format=table_format, table_size=600)
    assert [c.headings for c in chunks] == [("一、男性",), ("二、女性",)]


def test_a_shortened_header_names_the_cells_that_it_shows() -> None:
    names = "|".join(f"第{n}保单年度末" for n in "一二三四五六七八")
    text = table("2^年龄|8>现金价值", names, *("|".join(f"{r}{c}" for c in range(9)) for r in range(1, 30)))
    chunks = cut(text, 130)
    assert len(chunks) > 5
    for chunk in chunks[2:]:
        (start, end), *_ = chunk.spans
        assert "年龄" in text[start:end]
        assert "第八保单年度末" not in text[start:end]
        assert "第八保单年度末" not in chunk.text


def test_conditions_from_above_are_named_where_they_are_shown() -> None:
    rows = ["年龄|趸交|三年交", *(f"{age}|{age}00|{age}0" for age in range(30, 50))]
    tables = [table(f"性别|2>{name}", *rows) for name in ("男性", "女性")]
    text = "（每1000元年交保险费）\n单位：人民币元\n" + "\n\n".join(tables)
    chunks = cut(text, 140)
    assert {name for c in chunks for name in ("男性", "女性") if name in c.text} == {"男性", "女性"}
    for chunk in chunks:
        assert "单位：人民币元" in chunk.text
        assert "单位：人民币元" in "".join(text[a:b] for a, b in chunk.spans)


def test_a_cell_that_reaches_down_is_named_in_each_slice() -> None:
    text = table(
        "等级|项目|比例",
        *(row for n in range(9) for row in (f"3^第{n}级|项目{n}甲|5%", f"项目{n}乙|5%", f"项目{n}丙|5%")),
    )
    for chunk in cut(text, 100, table_size=60):
        for n in range(9):
            named = f"第{n}级" in "".join(text[a:b] for a, b in chunk.spans)
            assert (f"第{n}级" in chunk.text) == named == (f"项目{n}" in chunk.text)


def test_no_lead_in_of_white_space_is_left_of_one_too_long() -> None:
    lead = "下列各项所述的费用我们均不予承担且不予退还的情形如下所列"
    text = f"{lead}：\n（一）在境外发生的治疗费用；\n（二）美容以及整形的各项费用；\n"
    assert all(not c.prefix or c.prefix.strip() for c in cut(text, 20))


@pytest.mark.parametrize("name", SMALL)
def test_a_heading_takes_a_piece_along_however_long_its_text_is(name: str) -> None:
    for length in range(1, 24):
        cut(f"## 第一章 总则\n\n第一条 {SENTENCE[:length]}。\n\n第二条 {SENTENCE}\n", 18, name)


@pytest.mark.parametrize("size", range(12, 30))
def test_no_heading_is_cut_to_fill_a_chunk_with_the_one_above(size: int) -> None:
    chunks = cut(f"{RULES}# 第五章 日常管理\n\n第八十八条 {SENTENCE}\n", size)
    assert any(c.text.endswith("第八十八条") or "第八十八条 投" in c.text for c in chunks)


@pytest.mark.parametrize("size", [28, 40, 400])
@pytest.mark.parametrize("sign", ["#", "###", "#\n\n#", "-----", "[P4]\n4\n\n#"])
def test_signs_that_set_text_off_are_no_text_of_a_heading(sign: str, size: int) -> None:
    _, chunk, *_ = cut(f"# 条款\n\n前言。\n\n# 注意事项\n\n{sign}\n\n·{SENTENCE * 3}\n", size)
    assert chunk.text.startswith(f"# 注意事项\n\n{sign}\n\n·投保人")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("mark", ["[P12]\n12", "[P12]\n— 12 —", "第 12 页 共 20 页"])
def test_page_marks_join_a_neighbour_that_has_room(mark: str, name: str) -> None:
    items = [f"（{n}）{SENTENCE[: 3 * i]}；" for i, n in enumerate("一二三四五六七", 1)]
    cut(f"第一条 应当包括以下信息：\n{f'{chr(10)}{mark}{chr(10)}'.join(items)}\n", 24, name)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("mark", ["[P12]\n12", "[P12]\n— 12 —", "- 12 -"])
def test_no_page_mark_within_a_sentence_stands_alone(mark: str, name: str) -> None:
    for length in range(1, 23, 3):
        cut(f"第一条 包括：\n（一）{SENTENCE[:length]}\n{mark}\n{SENTENCE[length:]}\n（二）{SENTENCE}\n", 24, name)


def test_page_marks_behind_a_text_that_is_cut_join_a_neighbour_that_has_room() -> None:
    first, second = cut("保险人的前言保险人\n[P2]\n2\n第二条\u3000保险费。", 15)
    assert (first.text, second.text) == ("保险人的前言保险人", "[P2]\n2\n第二条\u3000保险费。")


@pytest.mark.parametrize("size", range(19, 40, 3))
def test_a_page_number_goes_with_the_mark_above_it(size: int) -> None:
    items = f"（一）{SENTENCE}\n（二）{SENTENCE}\n"
    assert all(c.text.strip() != "1" for c in cut(f"{items}[P1]\n1\n\n{SENTENCE}\n", size))


def test_a_number_goes_with_the_text_below_it() -> None:
    chunks = cut(f"{SENTENCE}\n\n109\n嗜睡症{SENTENCE}\n又称{SENTENCE}\n", 24)
    assert any(c.text.startswith("109\n嗜睡症投保人") for c in chunks)


@pytest.mark.parametrize("size", range(24, 60, 4))
def test_a_heading_is_not_left_by_a_table_header_that_fits_by_itself_alone(size: int) -> None:
    rows = ["保险责任的名称|每日补贴的金额", *(f"住院补贴{n}|{n}0元" for n in range(9))]
    cut(f"# 附件：补贴金额表\n\n{table(*rows)}\n", size)


def test_header_rows_that_are_repeated_in_a_table_are_shown_where_they_cannot_be_repeated_before_it() -> None:
    header = "年龄|" + "|".join(f"第{n}保单年度末现金价值" for n in "一二三四五六七八九十")
    pages = [
        table(header, *("|".join([str(age), *"abcdefghij"]) for age in ages)) for ages in (range(20), range(20, 40))
    ]
    text = "单位：人民币元\n" + "\n".join(pages)
    chunks = cut(text, 200)
    assert sum("第十保单年度末现金价值" in c.text for c in chunks) == 2


def test_an_article_whose_words_end_other_pages_too_has_text() -> None:
    last, pages = "本规定自公布之日起实施，由本会负责解释。", []
    for page, subject in enumerate(["投保人", "受益人", "代理人", "经纪人", "公估人"], 4):
        articles = [f"第{n}条\n{subject}应当{'如实' * k}告知。" for k, n in enumerate("一二三四五六七八"[:page])]
        pages.append("\n".join([*articles, f"第{'一二三四五六七八九'[page]}条", last, "", f"[P{page}]", f"{page}\n"]))
    chunks = cut("".join(pages), 200)
    assert [len(c.headings) for c in chunks if last in c.text] == [1] * 5
    assert all(c.text.startswith("第") for c in chunks if last in c.text)


def test_a_rendered_header_is_shortened_at_whole_cells() -> None:
    for chunk in cut(table("the insurer 3500|保险费", *(f"{n}622|{n}950" for n in range(1, 8))), 32):
        assert chunk.prefix in ("", "|the insurer 3500|\n")
