"""Values of a setting: what they store, and the knee."""

import json
from pathlib import Path

import pytest

from chunkfast import load_tokenizer
from chunkfast.evaluation import Embedding, Series, experiments, read_questions, read_sources, sweep
from chunkfast.evaluation.sweep import knee
from tests.corpora import SAMPLES

LETTERS = Embedding(lambda texts: [[text.count(letter) for letter in "aeiou的一"] for text in texts])


def test_the_published_curve_has_its_knee_where_the_account_put_it() -> None:
    assert knee([0.81, 0.86, 0.89, 0.90, 0.90], [1, 1.05, 1.1, 1.2, 1.3]) == 2


def test_of_equal_storage_the_better() -> None:
    assert knee([0.895, 0.9, 0.5], [1, 1, 0.5]) == 1


def test_more_overlap_stores_more() -> None:
    series = [
        Series("token:chunk_size=200", "chunk_overlap", (0, 50, 100)),
        Series("structure", "list_size", (50, "none")),
    ]
    questions = read_questions(SAMPLES / "questions.jsonl")
    windows, lists = sweep(questions, read_sources(SAMPLES), series, load_tokenizer("chars"), LETTERS)
    storage = [outcome.storage for outcome in windows.outcomes]
    assert storage[0] == pytest.approx(1, abs=0.01)
    assert storage[1] == pytest.approx(200 / 150, abs=0.05)
    assert storage[2] == pytest.approx(2, abs=0.1)
    assert lists.outcomes[0].chunks > lists.outcomes[1].chunks
    summary = windows.summary()
    assert [row["value"] for row in summary["values"]] == [0, 50, 100]
    assert set(summary["values"][0]["answerable"]["types"]) == {"text", "table", "negation", "multi_hop"}
    assert summary["knee"]["answerable"] in (0, 50, 100)


def test_the_experiments() -> None:
    series = experiments("insurance:list_size=600")
    assert [one.setting for one in series[:3]] == ["chunk_overlap", "overlap_sentences", "chunk_overlap"]
    assert series[2].spec(50) == "insurance:list_size=600,chunk_overlap=50"
    assert {one.setting for one in series[3:]} == {"chunk_size", "table_size", "list_size", "pack_size"}


def test_command(tmp_path: Path) -> None:
    for package in ("bm25s", "jieba", "typer"):
        pytest.importorskip(package)
    from typer.testing import CliRunner

    from chunkfast.cli.app import app

    command = ["sweep", str(SAMPLES / "questions.jsonl"), "-d", str(SAMPLES), "-t", "chars", "--vary"]
    result = CliRunner().invoke(app, [*command, "pack_size=0,400", "--json"])
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.stdout)
    assert [row["value"] for row in one["values"]] == [0, 400]
    shown = CliRunner().invoke(app, [*command, "pack_size=0,400"]).stdout
    assert "knee" in shown
    for wrong in ("pack_size", "nothing=1,2", "chunk_size=0"):
        assert CliRunner().invoke(app, [*command, wrong]).exit_code == 2
