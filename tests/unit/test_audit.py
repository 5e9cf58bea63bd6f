"""The audit: each fault is seen where it is made and not where it isn't, and what can't be known is said to be unknown."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from chunkfast import SentenceChunker, StructureChunker, TokenChunker
from chunkfast.audit import Audit, Count, audit
from demo.__main__ import all_samples, piece
from demo.faults import Faults

TEXT = """第一章 责任
第一条 我们负责赔偿火灾造成的损失。也负责赔偿爆炸。

第二章 除外
下列损失，我们不负责赔偿：
（1）地震及其次生灾害；
（2）海啸，包括：
①海水倒灌；
②船只搁浅。

第三章 费率
单位：元
| 年龄 | 保费 |
|---|---|
| 30 | 3500 |
| 31 | 3600 |
"""
HEADER = "单位：元\n| 年龄 | 保费 |\n|---|---|\n"
LEAD = "下列损失，我们不负责赔偿：\n"
CHAPTERS = ("第二章", "第三章")


def spans(*cuts: str | int) -> list[tuple[int, int]]:
    """TEXT cut before words or at offsets."""
    places = [TEXT.index(cut) if isinstance(cut, str) else cut for cut in cuts]
    return list(itertools.pairwise([0, *places, len(TEXT)]))


def found(chunks: Any, text: str = TEXT, **settings: Any) -> dict[str, int]:
    """The counts that are not zero, but for sums and tiny chunks."""
    counts = audit(text, chunks, **settings).counts()
    return {
        name: count.found
        for name, count in counts.items()
        if count and count.found and name not in ("covered", "stored", "fill", "tiny")
    }


def test_nothing_is_wrong_with_whole_sections() -> None:
    for chunks in (
        spans(*CHAPTERS),
        [TEXT[a:b] for a, b in spans(*CHAPTERS)],
        [TEXT[a:b].strip() for a, b in spans(*CHAPTERS)],
    ):
        verdict = audit(TEXT, chunks)
        assert found(chunks) == {}
        assert verdict.covered.share == 1
        assert verdict.mixed == (0, 3)
        assert verdict.headless == (0, 1)
        assert verdict.leadless == (0, 4)
        assert verdict.cuts == (0, 2)


@pytest.mark.parametrize(
    ("chunks", "faults"),
    [
        (spans(), {"mixed": 1}),
        (spans("第三章"), {"mixed": 1}),
        (spans("下列", "第三章"), {}),  # the next chapter's heading at the end is no text of it
        (spans(*CHAPTERS, "| 31"), {"headless": 1}),
        (spans(*CHAPTERS, "| 年龄"), {"headless": 1}),  # the unit belongs to the header
        (spans("第二章", "（2）", "第三章"), {"leadless": 3}),
        (spans("第二章", "②", "第三章"), {"leadless": 1}),
        (spans("的损失。", *CHAPTERS), {"cuts": 1}),
        (spans("也负责", *CHAPTERS), {}),
        (spans("第二章", "次生", "第三章"), {"cuts": 1, "leadless": 3 + 1}),
        (spans(*CHAPTERS, "3600"), {"cuts": 1, "headless": 1}),
        (spans("第二章", "下列", "第三章"), {"lone_headings": 1}),
        ([*spans(*CHAPTERS), (len(TEXT) - 20, len(TEXT))], {"duplicates": 1, "headless": 1}),
    ],
)
def test_faults(chunks: list[tuple[int, int]], faults: dict[str, int]) -> None:
    assert found(chunks) == faults


def test_repeated_header_and_lead_in() -> None:
    """In what a chunk says beside its place, as rows of ours and of other libraries have it."""

    def rows(cut: str, prefix: str) -> list[dict[str, Any]]:
        places = spans(*CHAPTERS, cut) if cut.startswith("|") else spans("第二章", cut, "第三章")
        start = TEXT.index(cut)
        return [
            {"text": (prefix if a == start else "") + TEXT[a:b], "start_index": a, "end_index": b} for a, b in places
        ]

    assert found(rows("| 31", "")) == {"headless": 1}
    assert found(rows("| 31", HEADER.removeprefix("单位：元\n"))) == {"headless": 1}
    assert found(rows("| 31", HEADER)) == {}
    assert found(rows("②", LEAD)) == {"leadless": 1}  # it is nested in (2)
    assert found(rows("②", LEAD + "（2）海啸，包括：\n")) == {}


def test_graphemes_and_limits() -> None:
    text = "One e\u0301lan. Two."
    assert found([(0, 5), (5, len(text))], text) == {"graphemes": 2, "cuts": 1}
    assert found([(0, 11), (11, len(text))], text) == {}
    verdict = audit(text, [(0, 11), (11, len(text))], tokenizer="chars", chunk_size=6)
    assert (verdict.over, verdict.fill) == ((1, 2), (len(text), 12))
    assert audit(text, [(0, len(text))], tokenizer="chars").over is None
    assert audit(text, [text], chunk_size=6).over is None
    assert audit(text, TokenChunker("chars", 10, 0).chunk(text), chunk_size=9).over == (1, 2)


def test_tiny() -> None:
    text = "第一条 " + "保险期间为一年。" * 4 + "\n第二条 略。\n"
    assert audit(text, [(0, text.index("第二条")), (text.index("第二条"), len(text))]).tiny == (1, 2)


def test_what_is_not_in_the_source_is_unknown() -> None:
    verdict = audit(TEXT, ["我们什么都赔。", TEXT[: TEXT.index("第二章")]])
    assert verdict.not_found == (1, 2)
    assert verdict.mixed == (0, 1)
    assert verdict.covered.share is None
    only = audit(TEXT, ["我们什么都赔。"])
    assert (only.mixed.share, only.headless.share, only.leadless.share, only.cuts.share) == (None,) * 4


def test_a_text_that_stands_in_several_places_is_not_guessed() -> None:
    text = "A first line.\nThe same.\nA second line.\nThe same.\nA last line.\n"
    assert audit(text, ["The same."]).not_found.found == 1
    assert audit(text, ["A first line.", "The same.", "A second line.", "The same."]).not_found.found == 0
    assert audit(text, ["A second line.", "The same."]).covered == (
        len("Asecondline.Thesame."),
        len("".join(text.split())),
    )


def test_offsets_that_do_not_agree_with_the_text_are_not_believed() -> None:
    wrong = {"text": TEXT[: TEXT.index("第二章")], "start_index": 20, "end_index": 30}
    assert audit(TEXT, [wrong]).faults == audit(TEXT, [wrong["text"]]).faults
    assert audit(TEXT, [wrong]).covered == audit(TEXT, [wrong["text"]]).covered


def test_faults_say_where() -> None:
    (fault,) = audit(TEXT, spans("第三章")).faults
    assert (fault.kind, fault.chunk, fault.offset) == ("mixed", 0, TEXT.index("第二章"))
    assert fault.excerpt.startswith("第二章 除外")


def test_sums_dicts_and_tables() -> None:
    good, bad = audit(TEXT, spans(*CHAPTERS)), audit(TEXT, spans())
    total = Audit.sum([good, bad])
    assert (total.chunks, total.mixed, total.over, len(total.faults)) == (4, (1, 4), None, 1)
    assert Audit.sum([]).chunks == 0
    values = json.loads(json.dumps(bad.to_dict()))
    assert values["mixed"] == {"found": 1, "of": 1, "share": 1.0}
    assert values["over"] is None
    assert values["faults"][0]["kind"] == "mixed"
    table = Audit.compare({"good": good, "bad": bad})
    assert "| | good | bad |" in table
    assert "| chunks that mix sections | 0 of 3 | 1 of 1 |" in table
    assert "| chunks over the limit | - | - |" in table


def test_bad_arguments() -> None:
    with pytest.raises(TypeError, match="text must be a str, not int"):
        audit(3, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"chunks\[1\] must be"):
        audit(TEXT, ["第一章", 3])
    with pytest.raises(ValueError, match=r"chunks\[0\] is \(5, 2\)"):
        audit(TEXT, [(5, 2)])
    with pytest.raises(ValueError, match="chunk_size must be at least 1, not 0"):
        audit(TEXT, [], chunk_size=0)
    with pytest.raises(TypeError, match="iterable of chunks, not str"):
        audit(TEXT, TEXT)


def test_the_function_is_callable_by_either_name_and_order() -> None:
    import chunkfast.audit

    assert chunkfast.audit(TEXT, spans()).mixed == Count(1, 1)  # type: ignore[operator]
    assert audit(spans(), TEXT) == audit(TEXT, spans())  # type: ignore[arg-type]


GENERATIONS = {"token": TokenChunker, "sentence": SentenceChunker, "structure": StructureChunker}


@pytest.mark.parametrize("size", [256, 1024])
def test_structure_chunks_of_the_samples_have_none_of_the_three_faults(size: int) -> None:
    for sample in all_samples():
        chunks = StructureChunker("chars", size, list_size=None if size == 256 else 300).chunk(sample.text)
        verdict = audit(sample.text, chunks, tokenizer="chars", chunk_size=size)
        assert (verdict.mixed.found, verdict.lone_headings.found, verdict.over) == (0, 0, (0, len(chunks)))
        assert verdict.not_found.found == verdict.graphemes.found == verdict.duplicates.found == 0
        assert verdict.covered.share == 1
        if size == 1024:  # a header over half of the limit is shortened
            assert (verdict.headless.found, verdict.leadless.found, verdict.cuts.found) == (0, 0, 0), verdict.faults


@pytest.mark.parametrize("generation", GENERATIONS)
def test_counts_agree_with_the_labels(generation: str) -> None:
    """Sections and headers mean the same to the labels of the demo; lists there are judged by the lead-in's end.

    In two samples the labels let some sections share a chunk that the outline has at its second level.
    """
    for sample in all_samples():
        chunks = GENERATIONS[generation]("chars", 900).chunk(sample.text)
        labelled: Faults = sample.faults([piece(chunk, sample.text) for chunk in chunks], 900)
        verdict = audit(sample.text, chunks, chunk_size=900)
        assert (sample.name, verdict.headless) == (sample.name, labelled.headless)
        if sample.name in ("manual_en.md", "travel_policy_en.txt"):
            assert verdict.mixed.found >= labelled.mixed[0]
        else:
            assert (sample.name, verdict.mixed) == (sample.name, labelled.mixed)
        assert (verdict.over, verdict.stored) == (labelled.over, labelled.bytes)
        assert verdict.cuts.of == labelled.cuts[1]
        assert verdict.leadless.found >= labelled.orphans[0]


def test_places_do_not_matter_where_the_text_is_the_source() -> None:
    """Strings alone are judged as chunks with their places are."""
    for sample in all_samples():
        chunks = list(TokenChunker("chars", 700, 0).chunk(sample.text))
        by_text, by_place = audit(sample.text, [c.text for c in chunks]), audit(sample.text, chunks)
        assert by_text.not_found.found == 0
        assert by_text.counts() == by_place.counts()
        pairs = [(c.start_index, c.end_index) for c in chunks]
        assert audit(sample.text, pairs).counts() == by_place.counts()


def test_rendered_rows_are_known_by_their_cells() -> None:
    text = Path(__file__, "../../../samples/annuity_rates_zh.md").resolve().read_text(encoding="utf-8")
    for table_format in ("auto", "rows", "source"):
        chunks = StructureChunker("chars", 1024, table_format=table_format).chunk(text)
        verdict = audit(text, chunks.to_dicts())
        assert (verdict.not_found.found, verdict.mixed.found, verdict.covered.share) == (0, 0, 1)
        assert audit(text, chunks).headless.found == 0
