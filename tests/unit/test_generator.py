"""Generated questions: what is asked of hand-labelled samples, and exact questions of small documents."""

import json
from collections import Counter
from pathlib import Path

import pytest

from chunkfast.evaluation import Question, Source, generate, read_questions, read_sources, write_questions
from chunkfast.evaluation.wording import Chinese, English, bare, negates, unmarked
from tests.corpora import SAMPLES

LABELS = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))

RULES = """第一章 责任免除
第一条 下列情形，我们不承担责任：
（一）投保人故意造成的损失；
（二）核辐射造成的一切损失；
（三）违反第二条规定投保的。
第二条 投保人应当如实告知保险标的的有关情况，不得隐瞒。投保人隐瞒的，我们可以解除合同。
第二章 费率
第三条 费率见下表。
| 年龄 | 男 | 女 |
| --- | --- | --- |
| 30 | 1.1 | 1.0 |
| 40 | 2.1 | 2.0 |
第四条 发生第二条规定的情形，造成保险人损失的，投保人应当赔偿。
"""


def asked(text: str) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in generate([Source("d", text)], 100):
        found.setdefault(question.type, []).append(question)
    return found


def test_of_a_small_document() -> None:
    found = asked(RULES)
    questions = {kind: [q.text.split("：", 1)[1] for q in qs] for kind, qs in found.items()}
    assert "投保人故意造成的损失，保险公司承担责任吗？" in questions["negation"]
    assert "年龄为30的，女是多少？" in questions["table"]
    assert "投保人隐瞒的，怎么规定？" in questions["text"]
    assert "发生第二条规定的情形，其中所指的第二条是怎么规定的？" in questions["multi_hop"]

    def shown(question: Question) -> tuple[list[str], list[str]]:
        return tuple([RULES[s.start : s.end] for s in spans] for spans in (question.gold, question.context))  # type: ignore[return-value]

    of_table = next(q for q in found["table"] if "30的，女" in q.text)
    assert shown(of_table) == (["| 30 | 1.1 | 1.0 |"], ["| 年龄 | 男 | 女 |"])
    of_list = next(q for q in found["negation"] if "故意" in q.text)
    assert shown(of_list) == (["（一）投保人故意造成的损失；"], ["第一条 下列情形，我们不承担责任："])
    (hop,) = found["multi_hop"]
    assert shown(hop)[0][1].startswith("投保人应当如实告知")


@pytest.mark.parametrize("name", [name for name in LABELS if LABELS[name]["tables"] or LABELS[name]["lists"]])
def test_golds_are_the_labelled_rows_and_items(name: str) -> None:
    """By hand-made labels, which know nothing of chunkfast."""
    text = (SAMPLES / name).read_bytes().decode("utf-8")
    label, lines = LABELS[name], Counter[int]()
    rows = {n for table in label["tables"] for a, b in table["rows"] for n in range(a, b + 1)}
    headers = {n for table in label["tables"] for n in range(table["header"][0], table["header"][1] + 1)}
    items = {n for block in label["lists"] for n in block["items"]}
    leads = items | {block["lead_in"] for block in label["lists"]}
    for question in generate([Source(name, text)], 300):
        if question.type not in ("table", "negation", "list"):
            continue
        gold = [text.count("\n", 0, span.start) + 1 for span in question.gold]
        needs = [text.count("\n", 0, text.index(text[s.start : s.end].strip(), s.start)) + 1 for s in question.context]
        wanted, around = (rows, headers) if question.type == "table" else (items, leads)
        lines["asked"] += 1
        lines["gold"] += not set(gold) <= wanted
        lines["context"] += not set(needs) <= around
    assert lines["asked"] > 3
    assert (lines["gold"], lines["context"]) == (0, 0)


def test_types_share_alike_and_the_rest_goes_to_who_has_more() -> None:
    made = generate(read_sources(SAMPLES), 60, seed=3)
    counts = Counter(question.type for question in made)
    assert {counts[kind] for kind in ("text", "table", "negation")} == {max(counts.values())}
    assert counts["multi_hop"] <= max(counts.values())
    assert len({question.text for question in made}) == len({question.id for question in made}) == 60
    assert made != generate(read_sources(SAMPLES), 60, seed=4)


def test_file(tmp_path: Path) -> None:
    made = generate([Source("d", RULES)], 10)
    for name in ("a.jsonl", "b.jsonl"):
        write_questions(generate([Source("d", RULES)], 10), tmp_path / name)
    assert read_questions(tmp_path / "a.jsonl") == made
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_command(tmp_path: Path) -> None:
    testing = pytest.importorskip("typer.testing")
    from chunkfast.cli.app import app

    out = tmp_path / "q.jsonl"
    result = testing.CliRunner().invoke(app, ["questions", str(SAMPLES), "-o", str(out), "-n", "20", "--seed", "1"])
    assert result.exit_code == 0, result.output
    assert len(read_questions(out)) == 20
    (tmp_path / "empty").mkdir()
    assert testing.CliRunner().invoke(app, ["questions", str(tmp_path / "empty"), "-o", str(out)]).exit_code == 2


def test_what_is_taken_off() -> None:
    assert unmarked("（1）战争；") == "战争"
    assert unmarked("第三条 保险人\n应当给付。") == "保险人应当给付"
    assert unmarked("(ii) lighting; and") == "lighting"
    assert unmarked("- It runs\n  by itself.") == "It runs by itself"
    assert unmarked("5 days are left.") == "5 days are left"
    assert bare("（单位：元）") == "单位：元"


def test_what_negates() -> None:
    assert all(
        map(
            negates,
            ("我们不承担给付保险金的责任：", "不得有下列行为：", "We do not pay for:", "The following are excluded:"),
        )
    )
    assert not any(
        map(
            negates,
            ("履行下列职责：", "保险期间不满一年的，按下列方式计算：", "You must:", "Not later than 5 days, send:"),
        )
    )


def test_what_is_defined() -> None:
    assert Chinese().defined("本条例所称共享工具，是指由共享点登记的工具。") == "共享工具"
    assert Chinese().defined("您在指定受益人时，应当书面通知我们。") is None
    assert English().defined('(a) "ferry" means a vessel that carries passengers;') == "ferry"


def test_wrong_number() -> None:
    with pytest.raises(ValueError, match="n must be at least 1, not 0"):
        generate([Source("d", RULES)], 0)
