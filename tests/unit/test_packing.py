"""What shares a chunk: paragraphs, lists of lines and lists inside a paragraph; what is shown over one."""

import pytest

from chunkfast import StructureChunker


def texts(text, size=200, **settings):
    return [chunk.text for chunk in StructureChunker("chars", size, 0, **settings).chunk(text)]


def test_list_inside_a_paragraph_is_cut_by_the_limit_alone():
    inside = "房东提供：（1）钥匙两把；（2）水卡一张；（3）电卡一张。押金不计利息。"
    lines = inside.replace("（", "\n（")
    assert texts(inside, list_size=20) == [inside]
    assert len(texts(lines, list_size=20)) > 1
    assert all(text.startswith("房东提供：") for text in texts(inside, 24, list_size=20)[:3])


def test_no_title_or_heading_is_shown_twice():
    text = "# 须知\n\n## 押金\n\n### 退还\n\n押金一月。\n\n### 扣除\n\n不扣。\n"
    first, second = StructureChunker("chars", 40, 0).chunk(text)
    assert first.contextualize() == first.text == "# 须知\n\n## 押金\n\n### 退还\n\n押金一月。"
    assert texts(text, 60, headings="prepend") == [first.text, "须知\n## 押金\n### 扣除\n\n不扣。"]
    assert second.contextualize() == "须知\n押金\n### 扣除\n\n不扣。"


def test_headings_at_the_end_take_no_overlap():
    text = "## 押金\n\n押金一月。\n\n## 租期\n\n## 其他\n"
    assert texts(text, 60, pack_size=8) == [text.strip()]
    assert all(not chunk.overlap for chunk in StructureChunker("chars", 14, 5).chunk(text))


def test_paragraphs_are_joined_up_to_pack_size():
    paragraphs = ["房东应当按时维修房屋。", "租客应当按时支付租金。", "押金应当在退租以后的一个月之内全部退还给租客。"]
    text = "\n\n".join(paragraphs)
    assert texts(text, 100) == [text]
    assert texts(text, 100, pack_size=24) == ["\n\n".join(paragraphs[:2]), paragraphs[2]]
    assert texts(text, 100, pack_size=8) == paragraphs


def test_overlap_of_a_preset_goes_with_its_size():
    assert StructureChunker.for_documents("general", "chars").chunk_overlap == 50
    assert StructureChunker.for_documents("general", "chars", chunk_size=40).chunk_overlap == 10
    assert StructureChunker.for_documents("general", "chars", chunk_size=40, chunk_overlap=0).chunk_overlap == 0


@pytest.mark.parametrize("title", [None, "Travel policy", " Travel policy\n"])
def test_the_document_s_own_title_is_not_repeated_where_it_is_given(title):
    text = "# Travel policy\n\nWe pay.\n\n## One\n\nSome text.\n"
    chunks = StructureChunker("chars", headings="prepend").chunk(text, title)
    assert [chunk.text for chunk in chunks] == ["# Travel policy\n\nWe pay.", "Travel policy\n## One\n\nSome text."]


def test_size_rules_of_a_preset_go_with_its_size():
    clause = "1.1 责任免除\n" + "投保人对被保险人的故意伤害。" * 60
    assert StructureChunker.for_documents("insurance", "chars").size_rules
    smaller = StructureChunker.for_documents("insurance", "chars", chunk_size=300)
    assert max(chunk.token_count for chunk in smaller.chunk(clause)) <= 300


def test_section_that_only_announces_goes_with_the_first_below():
    text = "# 1. 费用\n\n## 1.1 修缮\n\n房东承担以下费用：\n\n### 门窗\n\n门窗的修缮。\n\n### 水管\n\n水管的修缮。\n\n## 1.2 其他\n\n另行约定。\n"
    chunks = StructureChunker("chars", 100, 0).chunk(text)
    assert [chunk.headings[1:] for chunk in chunks] == [("1.1 修缮",), ("1.1 修缮", "水管"), ("1.2 其他",)]
    assert chunks[0].text.endswith("房东承担以下费用：\n\n### 门窗\n\n门窗的修缮。")
    assert texts(text, 32)[0].endswith("房东承担以下费用：")  # no room
    upper = (
        "# 须知\n\n请细读。\n\n# 费用\n\n房东承担以下费用：\n\n## 门窗\n\n门窗的修缮。\n\n### 水管\n\n水管的修缮。\n"
    )
    assert texts(upper, 100)[1].endswith("房东承担以下费用：")  # sections of the second level stay by themselves


def test_headings_in_a_chunk_without_their_text_have_their_own_path():
    text = "# 第一章 房屋和家具\n\n## 第一节 门窗和扶手\n\n# 第二章 租金和押金\n\n## 第三节 付款的日期\n\n租金在每月一日支付。\n"
    chunks = StructureChunker("chars", chunk_size=26, chunk_overlap=0, headings="prepend").chunk(text)
    assert [(chunk.prefix, chunk.headings) for chunk in chunks][:2] == [
        ("", ("第一章 房屋和家具", "第一节 门窗和扶手")), ("", ("第二章 租金和押金",)),
    ]  # fmt: skip


def test_a_page_mark_that_joins_the_chunk_behind_it_leaves_the_overlap_of_the_next_one_ahead():
    text = "第二条 乙方应当付款。承运人交货。\n[P3]\n三十日内。# 一\n甲。"
    chunks = StructureChunker("chars", 20, chunk_overlap=19).chunk(text)
    starts = [chunk.start_index for chunk in chunks]
    assert len(starts) == 3
    assert starts == sorted(set(starts))
