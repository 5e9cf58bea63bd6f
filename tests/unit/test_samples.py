"""The questions about samples: golds and contexts are where the hand-made labels have rows, headers, items, lead-ins."""

import json
import re
from collections import Counter

import pytest

from chunkfast import load_tokenizer
from chunkfast.evaluation import Embedding, Question, Span, contender, evaluate, read_questions, read_sources
from tests.corpora import SAMPLES

QUESTIONS = read_questions(SAMPLES / "questions.jsonl")
LABELS = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
TEXTS = {name: (SAMPLES / name).read_bytes().decode("utf-8") for name in LABELS}


def line(span: Span) -> int:
    return TEXTS[span.document].count("\n", 0, span.start) + 1


def test_types() -> None:
    counts = Counter(question.type for question in QUESTIONS)
    assert set(counts) == {"text", "table", "negation", "multi_hop"}
    assert min(counts.values()) >= 8
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    assert {span.document for question in QUESTIONS for span in question.gold} == set(LABELS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_spans_are_whole_lines_or_sentences(question: Question) -> None:
    for span in (*question.gold, *question.context):
        text = TEXTS[span.document]
        shown = text[span.start : span.end]
        assert shown == shown.strip()
        assert re.search(
            r"(?:[\n。.？?；;:]|条|之一|\d)\s*$", text[: span.start]
        )  # behind a sentence or the section's number


def test_tables_and_lists_are_where_the_labels_are() -> None:
    for question in QUESTIONS:
        label = LABELS[question.gold[0].document]
        if question.type == "table":
            (table,) = (t for t in label["tables"] for a, b in t["rows"] if a <= line(question.gold[0]) <= b)
            assert all(table["header"][0] <= line(span) <= table["header"][1] for span in question.context), question
        if question.type == "negation":
            around = {n for block in label["lists"] for n in (block["lead_in"], *block["items"])}
            assert all(line(span) in around for span in (*question.gold, *question.context)), question


def test_structure_can_answer_what_windows_cannot() -> None:
    counter = load_tokenizer("chars")
    names = ("structure:chunk_size=1024", "token:chunk_size=512,chunk_overlap=50")
    first = Embedding(lambda texts: [[1.0]] * len(texts))  # ranking plays no part in what is possible
    ours, windows = evaluate(QUESTIONS, read_sources(SAMPLES), [contender(name, counter) for name in names], first)
    for kind in ("table", "negation"):
        assert ours.of("possible", kind).mean() == 1
        assert windows.of("possible", kind).mean() < 0.9
