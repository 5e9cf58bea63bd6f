"""The demo's counts: each fault is seen where it is made, and none where it is not."""

import itertools
import json
from pathlib import Path

import pytest

from demo.faults import Faults, Piece, Sample

TEXT = """第一章 责任
第一条 我们负责赔偿火灾。也负责爆炸。

第二章 除外
下列损失，我们不负责赔偿：
（1）地震；
（2）海啸。

单位：元
| 年龄 | 保费 |
|---|---|
| 30 | 3500 |
| 31 | 3600 |
"""
LABELS = {
    "sections": [[1, 2], [4, 5]],
    "paragraphs": None,
    "lists": [{"lead_in": 5, "items": [6, 7], "last": 7}],
    "tables": [{"header": [9, 11], "rows": [[12, 13]]}],
}


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    (tmp_path / "a_zh.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "labels.json").write_text(json.dumps({"a_zh.txt": LABELS}), encoding="utf-8")
    return Sample(tmp_path / "a_zh.txt")


def pieces(*cuts: int | str, repeated: dict[int, str] | None = None) -> list[Piece]:
    """TEXT cut at offsets or before words, some pieces with a text repeated at their head."""
    places = [0, *(TEXT.index(cut) if isinstance(cut, str) else cut for cut in cuts), len(TEXT)]
    heads = repeated or {}
    spans = itertools.pairwise(places)
    return [Piece(heads.get(number, "") + TEXT[a:b], ((a, b),), b - a) for number, (a, b) in enumerate(spans)]


def faults(sample: Sample, found: list[Piece]) -> dict[str, int]:
    counts = sample.faults(found, 1000)
    assert counts.bytes[1] == len(TEXT.encode())
    return {name: getattr(counts, name)[0] for name in ("mixed", "headless", "orphans", "cuts", "over")}


NONE = {"mixed": 0, "headless": 0, "orphans": 0, "cuts": 0, "over": 0}


def test_nothing_is_wrong_with_whole_sections(sample: Sample) -> None:
    assert faults(sample, pieces("第二章")) == NONE


def test_sections_mixed(sample: Sample) -> None:
    assert faults(sample, pieces()) == NONE | {"mixed": 1}


def test_a_heading_alone_mixes_nothing(sample: Sample) -> None:
    assert faults(sample, pieces("下列损失"))["mixed"] == 0


def test_items_without_their_lead_in(sample: Sample) -> None:
    assert faults(sample, pieces("第二章", "（2）")) == NONE | {"orphans": 1}
    repeated = {2: "下列损失，我们不负责赔偿：\n"}
    assert faults(sample, pieces("第二章", "（2）", repeated=repeated)) == NONE


def test_rows_without_their_header(sample: Sample) -> None:
    assert faults(sample, pieces("第二章", "| 31")) == NONE | {"headless": 1}
    assert faults(sample, pieces("第二章", "| 31", repeated={2: "| 年龄 | 保费 |\n|---|---|\n"}))["headless"] == 1
    assert faults(sample, pieces("第二章", "| 31", repeated={2: "单位：元\n| 年龄 | 保费 |\n|---|---|\n"})) == NONE


@pytest.mark.parametrize(("cut", "inside"), [("也负责", 0), ("火灾。", 1), ("| 31", 0), ("3600", 1), ("震；", 1)])
def test_cuts(sample: Sample, cut: str, inside: int) -> None:
    assert faults(sample, pieces(cut))["cuts"] == inside


def test_over_the_limit_and_sums(sample: Sample) -> None:
    counts = sample.faults(pieces("第二章"), 30)
    assert counts.over == (1, 2)
    assert counts + Faults() == counts
