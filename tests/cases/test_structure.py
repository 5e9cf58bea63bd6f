"""Cases of structure, under their numbers."""

import pytest

from chunkfast import outline

PROSE = "The rest of this part says what it means at some length, in whole sentences."


@pytest.mark.parametrize("line", ["11.5.2的要求见下。", "Article 5 applies to all.", "第三条规定的情形除外。"])
def test_c085_cross_references_are_body(line):
    assert outline(f"前文。\n{line}\n后文。\n") == []


def test_c086_heading_and_its_body():
    text = "11.4 前节\n内容。\n11.5 通则\n正文。\n"
    heading = outline(text)[1]
    assert text[heading.end_index :].strip() == "正文。"


def test_c090_dotted_lines_are_no_headings():
    assert outline("第一章 总则 ..... 3\n" * 20) == []


def test_c092_full_path():
    assert [h.level for h in outline("# T\n\n# h1\n\nx\n\n## h2\n\nx\n")] == [1, 2]


@pytest.mark.parametrize(
    "code",
    [
        "```\n# note\n```",
        "~~~\n# note\n~~~",
        "    # note",
        "````\n```\n# note\n```\n````",
        "- x\n\n  ```\n  # note\n  ```",
    ],
)
def test_c094_hash_in_code(code):
    assert [h.title for h in outline(f"# T\n\n## A\n\n{code}\n\n## B\n\nx\n")] == ["A", "B"]


def test_c095_open_fence_runs_to_the_end():
    assert [h.title for h in outline("# T\n\n## A\n\nx\n\n```\n# note\n\n## B\n")] == ["A"]


def test_c098_sequence_and_body_decide():
    assert [h.number for h in outline(f"1. Summary\n\n{PROSE}\n\n2. Costs\n\n{PROSE}\n")] == ["1.", "2."]
    assert outline("Buy:\n\n1. Apples\n2. Pears\n3. Plums\n") == []
    assert [h.title for h in outline(f"# T\n\n## 1. Intro\n\n{PROSE}\n\n## 2. More\n\n{PROSE}\n")] == ["Intro", "More"]
