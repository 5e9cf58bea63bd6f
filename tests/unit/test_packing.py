"""What shares a chunk: titles, lists inside a paragraph, lists of lines."""

from chunkfast import StructureChunker


def texts(text, size=200, **settings):
    return [chunk.text for chunk in StructureChunker("chars", size, 0, **settings).chunk(text)]


def test_title_stays_with_what_follows():
    assert texts("# 租房须知\n\n## 押金\n\n押金一月。\n\n## 租期\n\n租期一年。\n") == [
        "# 租房须知\n\n## 押金\n\n押金一月。",
        "## 租期\n\n租期一年。",
    ]
    assert texts("租房合同\n\n第一条 租期一年。\n\n第二条 押金一月。\n") == [
        "租房合同\n\n第一条 租期一年。",
        "第二条 押金一月。",
    ]
    assert texts("租房合同\n") == ["租房合同"]


def test_title_in_the_text_is_not_prepended():
    first, second = StructureChunker("chars", 200, 0, headings="prepend").chunk(
        "# 须知\n\n## 押金\n\n押金一月。\n\n## 租期\n\n租期一年。\n"
    )
    assert first.prefix == ""
    assert second.prefix == "须知\n"


def test_list_inside_a_paragraph_is_cut_by_the_limit_alone():
    inside = "房东提供：（1）钥匙两把；（2）水卡一张；（3）电卡一张。押金不计利息。"
    lines = inside.replace("（", "\n（")
    assert texts(inside, list_size=20) == [inside]
    assert len(texts(lines, list_size=20)) > 1
    assert all(text.startswith("房东提供：") for text in texts(inside, 24, list_size=20)[:3])
