"""What must be embedded again after a document was edited, and `chunkfast diff`."""

import json
from pathlib import Path
from typing import Any

import pytest

from chunkfast import SentenceChunker, StructureChunker, TokenChunker
from chunkfast.diff import KINDS, diff


def row(identity: str, text: str, start: int = 0, document: str = "a", **more: Any) -> dict[str, Any]:
    place = {"index": start, "start_index": start, "end_index": start + len(text)}
    return {"document_id": document, "chunk_id": identity, "text": text, "token_count": len(text), **place, **more}


def actions(old: list[dict[str, Any]], new: list[dict[str, Any]], **settings: Any) -> list[tuple[Any, ...]]:
    return [(a.action, a.chunk_id, a.old_chunk_id) for a in diff(old, new, **settings).actions]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ([row("1", "x")], [row("1", "x")], [("keep", "1", "1")]),
        ([row("1", "x")], [row("1", "x", 5)], [("move", "1", "1")]),
        ([row("1", "x")], [row("1", "x", document="b")], [("move", "1", "1")]),
        ([row("1", "x")], [row("2", "x")], [("move", "2", "1")]),
        ([row("1", "x")], [row("2", "y")], [("embed", "2", None), ("delete", None, "1")]),
        ([row("1", "x")], [row("1", "y")], [("embed", "1", None)]),
        ([row("1", "x")], [], [("delete", None, "1")]),
        ([], [row("1", "x"), row("2", "x")], [("embed", "1", None), ("embed", "2", None)]),
        ([row("1", "x"), row("2", "x", 9)], [row("2", "x", 9)], [("keep", "2", "2"), ("delete", None, "1")]),
        (
            [row("1", "x", headings=["A"])],
            [row("2", "x", headings=["B"])],
            [("embed", "2", None), ("delete", None, "1")],
        ),
        ([row("1", "x", title="A")], [row("1", "x", title="B")], [("embed", "1", None)]),
    ],
)
def test_actions(old: list[dict[str, Any]], new: list[dict[str, Any]], wanted: list[tuple[Any, ...]]) -> None:
    assert actions(old, new) == wanted


def test_where_the_text_alone_was_embedded_headings_do_not_matter() -> None:
    old, new = [row("1", "x", headings=["A"], title="T")], [row("2", "x", headings=["B"], title="U")]
    assert actions(old, new, embedded="text") == [("move", "2", "1")]


def test_shares() -> None:
    found = diff([row("1", "xxx"), row("2", "y", 9)], [row("1", "xxx"), row("3", "z", 9), row("2", "y", 7)])
    assert [found.count(kind) for kind in KINDS] == [1, 1, 1, 0]
    assert found.saved == 2 / 3
    assert found.saved_tokens == 4 / 5
    assert diff([], []).saved is None
    assert diff([{"text": "x"}], [{"text": "x"}]).count("keep") == 1
    assert diff([], [{"text": "x"}]).saved_tokens is None


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match=r"new\[0\] has no text"):
        diff([], [{"chunk_id": "1"}])
    with pytest.raises(ValueError, match=r"old\[1\] has the document and id of a row before"):
        diff([row("1", "x"), row("1", "y")], [])
    with pytest.raises(ValueError, match="embedded must be one of 'context', 'text', not 'all'"):
        diff([], [], embedded="all")  # type: ignore[arg-type]


def contract(edited: str = "") -> str:
    """Twelve chapters of ten articles; `edited` goes into one clause in the middle."""
    lines = ["家庭财产保险条款"]
    number = 0
    for chapter in "一二三四五六七八九":
        lines.append(f"\n第{chapter}章 责任之{chapter}")
        for _ in range(10):
            number += 1
            more = edited if number == 45 else ""
            lines.append(
                f"第{number}条 发生第{number}类事故时，我们{more}按实际损失赔偿。您应当在{number}日内通知我们，并提供有关证明。"
            )
    return "\n".join(lines) + "\n"


def rows(chunker: Any, text: str) -> list[dict[str, Any]]:
    return chunker.chunk(text).to_dicts("contract")  # type: ignore[no-any-return]


@pytest.mark.parametrize("pack_size", [0, 200])
def test_one_clause_edited_changes_three_chunks_at_most(pack_size: int) -> None:
    chunker = StructureChunker("chars", 512, pack_size=pack_size)
    old, new = rows(chunker, contract()), rows(chunker, contract("在核实之后"))
    found = diff(old, new)
    assert len(old) > 20
    assert 1 <= found.count("embed") <= 3
    assert found.count("embed") == len({r["chunk_id"] for r in new} - {r["chunk_id"] for r in old})
    assert found.count("keep") + found.count("move") == len(new) - found.count("embed")


def test_windows_behind_the_edit_change_all() -> None:
    chunker = TokenChunker("chars", 512, 50)
    found = diff(rows(chunker, contract()), rows(chunker, contract("在核实之后")))
    assert found.count("embed") > len(found.actions) / 4


@pytest.mark.parametrize("chunker", [TokenChunker("chars"), SentenceChunker("chars"), StructureChunker("chars")])
def test_nothing_is_embedded_where_nothing_has_changed(chunker: Any) -> None:
    found = diff(rows(chunker, contract()), rows(chunker, contract()))
    assert found.saved == found.saved_tokens == 1
    assert found.count("keep") == len(found.actions)


class TestCommand:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("typer")
        pytest.importorskip("pyarrow")
        monkeypatch.chdir(tmp_path)
        Path("a.txt").write_text(contract(), encoding="utf-8")
        self.run("chunk", "a.txt", "-o", "old.jsonl", "-t", "chars")
        Path("a.txt").write_text(contract("在核实之后"), encoding="utf-8")
        self.run("chunk", "a.txt", "-o", "new.parquet", "-t", "chars")

    @staticmethod
    def run(*arguments: str, code: int = 0) -> Any:
        from typer.testing import CliRunner

        from chunkfast.cli.app import app

        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == code, result.output
        return result

    @pytest.mark.parametrize("output", ["actions.jsonl", "actions.parquet"])
    def test_table_and_actions(self, output: str) -> None:
        import pyarrow.parquet as pq

        shown = self.run("diff", "old.jsonl", "new.parquet", "-o", output).output
        assert all(word in shown for word in (*KINDS, "saved"))
        text = Path(output)
        found = (
            pq.read_table(output).to_pylist()
            if output.endswith("parquet")
            else [json.loads(line) for line in text.read_text(encoding="utf-8").splitlines()]
        )
        new = pq.read_table("new.parquet").to_pylist()
        assert [r["chunk_id"] for r in found if r["action"] != "delete"] == [r["chunk_id"] for r in new]
        assert [r["action"] for r in found].count("embed") == 1
        assert {r["document_id"] for r in found if r["action"] == "keep"} == {"a.txt"}

    def test_json(self) -> None:
        found = json.loads(self.run("diff", "old.jsonl", "new.parquet", "--json").output)
        assert found["embed"]["chunks"] == 1
        assert found["saved"] > 0.9

    def test_problems(self) -> None:
        self.run("diff", "old.jsonl", "missing.jsonl", code=2)
        self.run("diff", "old.jsonl", "new.parquet", "-o", "actions.txt", code=2)
        Path("new.jsonl").write_text('{"chunk_id": "1"}\n', encoding="utf-8")
        assert "new[0] has no text" in self.run("diff", "old.jsonl", "new.jsonl", code=1).output
        Path("new.jsonl").write_text("[]\n", encoding="utf-8")
        assert (
            "new.jsonl: line 1: holds a list, not an object"
            in self.run("diff", "old.jsonl", "new.jsonl", code=1).output
        )
