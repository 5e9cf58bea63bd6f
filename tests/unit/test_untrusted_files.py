"""Files from anywhere: whatever the bytes, each document is read or reported with its place, and the rest is read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfast.cli.reading import Columns, Document, Problem, read
from chunkfast.evaluation import read_questions

ROWS = [{"text": "第一条 责任。", "id": "1"}, {"text": 'b, "c"\n x\u2028y', "id": "x"}, {"text": "", "id": "3"}] * 3


def jsonl() -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode()


def comma_separated() -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, ["text", "id"])
    writer.writeheader()
    writer.writerows(ROWS)
    return file.getvalue().encode()


def parquet() -> bytes:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), file)
    return file.getvalue()


FILES = {"jsonl": jsonl, "csv": comma_separated, "parquet": parquet}


def documents_and_problems(path: Path) -> tuple[list[Document], list[Problem]]:
    problems: list[Problem] = []
    return list(read([str(path)], Columns(id="id"), problems.append)), problems


def damaged(data: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    for place, size, new in edits:
        place %= len(data) + 1
        data = data[:place] + new + data[place + size :]
    return data


@pytest.mark.parametrize("kind", FILES)
@given(edits=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 40), st.binary(max_size=12)), max_size=5))
def test_damage_loses_no_row_in_silence(
    kind: str, tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, bytes]]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"damaged.{kind}"
    data = FILES[kind]()
    path.write_bytes(damaged(data, edits))
    documents, problems = documents_and_problems(path)
    assert all(isinstance(document.text, str) for document in documents)
    assert all(problem.where.startswith(str(path)) and problem.reason for problem in problems)
    if path.read_bytes() == data:
        assert [document.text for document in documents] == [row["text"] for row in ROWS]
        assert not problems


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"text": "a", "id": ' + b"1" * 5000 + b"}", "integer"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"text": NaN, "id": "1"}', "holds a number, not text"),
        (b'{"text": "\xff", "id": "1"}', "not UTF-8 (byte 0xff at 10)"),
        (b'"text"', "holds text, not an object"),
        (b'{"text": "a"', "not JSON"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_and_the_next_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(line + b'\n{"text": "next", "id": "2"}\n')
    documents, (problem,) = documents_and_problems(path)
    assert [document.id for document in documents] == ["2"]
    assert problem.where == f"{path}:1"
    assert reason in problem.reason


def test_questions_hold_any_line_separator_but_a_newline(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    gold = [{"doc": "a.txt", "span": [0, 1]}]
    path.write_text(json.dumps({"question": "a\u2028b\x85c", "gold": gold}, ensure_ascii=False), encoding="utf-8")
    assert [question.text for question in read_questions(path)] == ["a\u2028b\x85c"]
