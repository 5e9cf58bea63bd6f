"""`chunkfast audit`: chunkers and chunk files side by side."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from chunkfast.cli.app import app  # noqa: E402

ONE = "第一章 总则\n第一条 本条款适用于家庭。保险期间为一年。\n\n第二章 责任\n第二条 火灾由我们赔偿。\n"
TWO = "# Fees\n\nA fee of $3.50 applies. It is due on 1 May.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.txt").write_bytes(ONE.encode())
    (tmp_path / "docs" / "two.md").write_bytes(TWO.encode())
    return tmp_path


def run(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["audit", *arguments, "-t", "chars"])
    assert result.exit_code == code, result.output
    return result


def write(path: str, rows: list[dict[str, Any]]) -> None:
    if path.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def values(*arguments: str, code: int = 0) -> dict[str, Any]:
    return dict(json.loads(run(*arguments, "--json", code=code).stdout))


def test_three_generations_by_default(folder: Path) -> None:
    output = run("docs").stdout
    assert all(name in output for name in ("2 documents", "token", "sentence", "structure"))
    found = values("docs")
    assert found["token"]["mixed"]["found"] == 1
    assert found["structure"]["mixed"]["found"] == 0
    assert found["token"]["faults"][0]["document"] == "docs/one.txt"


def test_faults_are_shown(folder: Path) -> None:
    assert "第二条" in run("docs", "-c", "token", "--show", "2").stdout


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_our_own_chunks_are_judged_as_before_they_were_written(folder: Path, suffix: str) -> None:
    result = CliRunner().invoke(app, ["chunk", "docs", "-o", "chunks" + suffix, "-t", "chars", "-s", "40"])
    assert result.exit_code == 0
    found = values("docs", "-c", "structure", "--chunks", "chunks" + suffix, "-s", "40")
    assert found["structure"] == found["chunks" + suffix]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize(
    "row",
    [
        {"text": ONE, "document_id": "docs/one.txt"},
        {"page_content": ONE, "metadata": {"source": "one.txt", "start_index": 0}},
        {"start": 0, "end": len(ONE), "doc_id": "one.txt"},
        {"text": ONE, "start_char_idx": 0, "end_char_idx": len(ONE), "document": "docs/one.txt"},
    ],
)
def test_columns_of_other_tools(folder: Path, suffix: str, row: dict[str, Any]) -> None:
    write("other" + suffix, [row])
    found = values("docs", "--chunks", "other" + suffix)["other" + suffix]
    assert (found["chunks"], found["mixed"]["found"], found["not_found"]["found"], found["over"]) == (1, 1, 0, None)


def test_one_document_needs_no_id(folder: Path) -> None:
    write("other.jsonl", [{"text": "本条款适用于家庭。"}, {"text": "我们什么都赔。"}])
    found = values("docs/one.txt", "--chunks", "other.jsonl", "-s", "8")["other.jsonl"]
    assert found["not_found"] == {"found": 1, "of": 2, "share": 0.5}
    assert found["covered"]["share"] is None
    assert found["over"]["found"] == 1


def test_broken_chunk_files_are_named(folder: Path) -> None:
    write("other.jsonl", [{"text": ONE, "document_id": "three.txt"}])
    assert "no document 'three.txt'" in run("docs", "--chunks", "other.jsonl", code=1).output
    write("other.jsonl", [{"words": ONE, "document_id": "one.txt"}])
    assert "row 1 has none of the columns" in run("docs", "--chunks", "other.jsonl", code=1).output
    write("other.jsonl", [{"start": 0, "end": 10_000, "document_id": "one.txt"}])
    assert "no range of a text" in run("docs", "--chunks", "other.jsonl", code=1).output
    Path("other.jsonl").write_text("{", encoding="utf-8")
    assert "line 1: not JSON" in run("docs", "--chunks", "other.jsonl", code=1).output
    Path("other.parquet").write_text("{", encoding="utf-8")
    assert "not readable as Parquet" in run("docs", "--chunks", "other.parquet", code=1).output
    run("docs", "--chunks", "missing.jsonl", code=2)
