"""The command line: every kind of input and output, broken inputs, exit codes, pipes."""

import csv
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from chunkfast import StructureChunker  # noqa: E402
from chunkfast.cli.app import app  # noqa: E402

ONE = "第一章 总则\n第一条 本条款适用于家庭。保险期间为一年。\n\n第二章 责任\n第二条 火灾由我们赔偿。\n"
TWO = "# Fees\n\nA fee of $3.50 applies. It is due on 1 May.\n"
COLUMNS = [
    "document_id",
    "title",
    "chunk_id",
    "index",
    "text",
    "token_count",
    "start_index",
    "end_index",
    "kind",
    "headings",
    "prefix",
    "overlap",
    "page",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with two documents, one of them in a subfolder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "docs" / "one.txt").write_bytes(ONE.encode())
    (tmp_path / "docs" / "sub" / "two.md").write_bytes(TWO.encode())
    return tmp_path


def run(*arguments: str, stdin: bytes | None = None, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [*arguments, *(["-t", "chars"] if "-t" not in arguments else [])], input=stdin)
    assert result.exit_code == code, result.output
    return result


def process(*arguments: str, stdin: bytes = b"", code: int = 0) -> "subprocess.CompletedProcess[bytes]":
    done = subprocess.run(
        [sys.executable, "-m", "chunkfast.cli", *arguments, "-t", "chars"],
        input=stdin,
        capture_output=True,
        timeout=200,
    )
    assert done.returncode == code, done.stderr.decode()
    return done


def rows(output: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def texts(output: str | bytes) -> list[str]:
    return [row["text"] for row in rows(output)]


def cut(text: str, title: str | None = None) -> list[str]:
    return [chunk.text for chunk in StructureChunker("chars").chunk(text, title=title)]


def test_rows_hold_what_the_chunks_hold(folder: Path) -> None:
    chunks = StructureChunker("chars").chunk(ONE)
    for row, chunk in zip(rows(run("chunk", "docs/one.txt").stdout), chunks, strict=True):
        assert list(row) == COLUMNS
        assert row["document_id"] == "docs/one.txt"
        assert (row["chunk_id"], row["headings"], row["title"]) == (chunk.id, list(chunk.headings), chunks.title)
        for name in ("index", "text", "token_count", "start_index", "end_index", "kind", "prefix", "overlap"):
            assert row[name] == getattr(chunk, name)


@pytest.mark.parametrize(
    "paths", [["docs"], ["docs/one.txt", "docs/sub/two.md"], ["docs/**/*.*"], ["docs", "docs/one.txt"]]
)
def test_files_folders_and_globs(folder: Path, paths: list[str]) -> None:
    output = rows(run("chunk", *paths).stdout)
    assert list(dict.fromkeys(row["document_id"] for row in output)) == ["docs/one.txt", "docs/sub/two.md"]
    assert [row["text"] for row in output] == cut(ONE) + cut(TWO)


def test_hidden_files_and_other_suffixes_in_a_folder_are_left_out(folder: Path) -> None:
    (folder / "docs" / ".hidden.txt").write_text("no")
    (folder / "docs" / "data.bin").write_text("no")
    assert texts(run("chunk", "docs").stdout) == cut(ONE) + cut(TWO)


def test_stdin(folder: Path) -> None:
    assert texts(process("chunk", "-", stdin=ONE.encode()).stdout) == cut(ONE)
    lines = "".join(json.dumps({"text": text}) + "\n" for text in (ONE, TWO)).encode()
    assert texts(process("chunk", "-", "--input-format", "jsonl", stdin=lines).stdout) == cut(ONE) + cut(TWO)


def test_newlines_are_kept(folder: Path) -> None:
    (folder / "crlf.txt").write_bytes(b"A line.\r\nAnother line.\r\n")
    assert rows(run("chunk", "crlf.txt").stdout)[0]["text"].startswith("A line.\r\nAnother")


@pytest.fixture(params=["jsonl", "csv", "tsv", "parquet"])
def table(request: pytest.FixtureRequest, folder: Path) -> str:
    """A table of two documents with columns body, key and name."""
    data = [{"key": "a", "body": ONE, "name": "One"}, {"key": "b", "body": TWO, "name": "Two"}]
    path = folder / f"table.{request.param}"
    if request.param == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in data), encoding="utf-8")
    elif request.param == "parquet":
        pq.write_table(pa.Table.from_pylist(data), path)
    else:
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, ["key", "body", "name"], delimiter="\t" if request.param == "tsv" else ",")
            out.writeheader()
            out.writerows(data)
    return path.name


def test_tables_by_column(table: str) -> None:
    output = rows(run("chunk", table, "--text-column", "body", "--id-column", "key", "--title-column", "name").stdout)
    assert [row["text"] for row in output] == cut(ONE) + cut(TWO)
    assert {(row["document_id"], row["title"]) for row in output} == {("a", "One"), ("b", "Two")}


def test_rows_without_an_id_column_are_numbered(table: str) -> None:
    output = rows(run("chunk", table, "--text-column", "body").stdout)
    assert {row["document_id"] for row in output} == {f"{table}:1", f"{table}:2"}


def test_a_missing_column_is_named(table: str) -> None:
    assert "no column 'txt' (columns: key, body, name)" in run("chunk", table, "--text-column", "txt", code=1).stderr


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.jsonl", "out.txt"])
def test_outputs(folder: Path, name: str) -> None:
    run("chunk", "docs", "-o", name)
    expected = rows(run("chunk", "docs").stdout)
    if name.endswith("jsonl"):
        assert rows((folder / name).read_bytes()) == expected
    elif name.endswith("txt"):
        written = (folder / name).read_text(encoding="utf-8")
        assert written.count("===== ") == len(expected)
        assert all(row["text"].rstrip() in written for row in expected)
    else:
        read = pq.read_table(folder / name) if name.endswith("parquet") else pa.ipc.open_file(folder / name).read_all()
        assert read.column_names == COLUMNS
        assert read.to_pylist() == expected
    assert not list(folder.glob("*.part"))


def test_format_goes_before_suffix(folder: Path) -> None:
    run("chunk", "docs", "-o", "out.txt", "--format", "jsonl")
    assert texts((folder / "out.txt").read_bytes()) == cut(ONE) + cut(TWO)


def test_the_output_is_not_read_again(folder: Path) -> None:
    for _ in range(2):
        run("chunk", "docs", "-o", "docs/chunks.jsonl")
    assert texts((folder / "docs/chunks.jsonl").read_bytes()) == cut(ONE) + cut(TWO)


def test_empty_documents_give_no_rows(folder: Path) -> None:
    (folder / "empty.txt").write_text(" \n")
    run("chunk", "empty.txt", "-o", "out.parquet")
    assert pq.read_table(folder / "out.parquet").num_rows == 0


def test_broken_files_are_named_and_the_rest_is_done(folder: Path) -> None:
    (folder / "docs" / "bad.txt").write_bytes("第一条".encode("gbk"))
    result = run("chunk", "docs", "missing.txt", "no*.md", code=1)
    assert texts(result.stdout) == cut(ONE) + cut(TWO)
    assert "chunkfast: docs/bad.txt: not UTF-8 (byte 0xb5 at 0)" in result.stderr
    assert "chunkfast: missing.txt: no such file or folder" in result.stderr
    assert "chunkfast: no*.md: matches no file" in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file_is_named(folder: Path) -> None:
    (folder / "docs" / "one.txt").chmod(0)
    result = run("chunk", "docs", code=1)
    assert "docs/one.txt: Permission denied" in result.stderr
    assert texts(result.stdout) == cut(TWO)


def test_broken_rows_are_numbered_and_the_rest_is_done(folder: Path) -> None:
    lines = [
        json.dumps({"text": ONE}).encode(),
        b"{oops",
        b'{"text": 5}',
        b"[1]",
        b'{"text": "\\ud83d"}',
        b'"\xff"',
        b"",
        b'{"body": ""}',
    ]
    (folder / "rows.jsonl").write_bytes(b"\n".join([*lines, json.dumps({"text": TWO}).encode()]))
    result = run("chunk", "rows.jsonl", code=1)
    assert texts(result.stdout) == cut(ONE) + cut(TWO)
    reported = [line.split(": ")[1] for line in result.stderr.splitlines()]
    assert sorted(reported) == [f"rows.jsonl:{number}" for number in (2, 3, 4, 5, 6, 8)]
    assert "rows.jsonl:3: column 'text' holds a number, not text" in result.stderr


def test_a_broken_table_says_where(folder: Path) -> None:
    (folder / "a.csv").write_bytes(b'text\n"first"\n"sec\xffond"\nthird\n')
    (folder / "b.parquet").write_bytes(b"PAR1 no")
    result = run("chunk", "a.csv", "b.parquet", code=1)
    assert texts(result.stdout) == ["first"]
    assert "a.csv: line 3: not UTF-8" in result.stderr
    assert "b.parquet: not readable as Parquet" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chunk-size", "0"], "chunk-size"),
        (["--chunk-size", "many"], "chunk-size"),
        (["--chunk-size", "50", "--chunk-overlap", "50"], "chunk_overlap"),
        (["--chunker", "token", "--overlap-sentences", "2"], "overlap-sentences"),
        (["--chunker", "sentence", "--preset", "law"], "preset"),
        (["--list-size", "few"], "list-size"),
        (["--size-rule", "责任免除"], "size-rule"),
        (["-t", "no/such/tokenizer.json"], "tokenizer"),
        (["--format", "parquet"], "needs a file"),
        (["-o", "chunks.xyz"], "suffixes"),
        (["-o", "nowhere/chunks.jsonl"], "nowhere"),
        (["--chunker", "magic"], "chunker"),
    ],
)
def test_wrong_usage_is_exit_code_2(folder: Path, arguments: list[str], message: str) -> None:
    result = run("chunk", "docs", *arguments, code=2)
    assert message in "".join(result.stderr.split("│")).replace("\n", " ")
    assert result.stdout == ""


@pytest.mark.parametrize("chunker", ["token", "sentence", "structure"])
def test_chunkers_and_sizes(folder: Path, chunker: str) -> None:
    overlap = ["--overlap-sentences", "0"] if chunker == "sentence" else ["--chunk-overlap", "0"]
    output = rows(run("chunk", "docs", "--chunker", chunker, "--chunk-size", "16", *overlap).stdout)
    assert 0 < max(row["token_count"] for row in output) <= 16
    assert {row["overlap"] for row in output} == {""}


@pytest.mark.parametrize("preset", ["insurance", "law", "markdown", "general"])
def test_presets_may_be_changed_by_options(folder: Path, preset: str) -> None:
    output = rows(
        run(
            "chunk", "docs", "--preset", preset, "--chunk-size", "20", "--table-size", "20", "--list-size", "none"
        ).stdout
    )
    assert max(row["token_count"] for row in output) <= 20


def test_jobs_change_nothing(folder: Path) -> None:
    for number in range(40):
        (folder / "docs" / f"{number:02}.txt").write_text(ONE * (number + 1), encoding="utf-8")
    assert run("chunk", "docs", "--jobs", "4").stdout == run("chunk", "docs").stdout


def test_quiet_in_a_pipe(folder: Path) -> None:
    done = process("chunk", "docs", "-o", "out.jsonl")
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_on_a_terminal(folder: Path) -> None:
    shown = on_a_terminal("chunk", "docs", "-o", "out.jsonl", "-t", "chars")
    assert "2 documents" in shown
    assert "MB/s" in shown
    assert on_a_terminal("chunk", "docs", "-o", "out.jsonl", "-t", "chars", "--quiet") == ""


def on_a_terminal(*arguments: str) -> str:
    parent, child = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-m", "chunkfast.cli", *arguments],
            stderr=child,
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=200,
        )
    finally:
        os.close(child)
    shown = b""
    try:
        while piece := os.read(parent, 65536):
            shown += piece
    except OSError:  # Linux: the other end is closed and all is read
        pass
    os.close(parent)
    return shown.decode()


def test_inspect_tells_the_pieces_apart(folder: Path) -> None:
    items = "".join(f"（{number}）因第{number}种情形造成的损失和费用；\n" for number in range(1, 30))
    (folder / "list.txt").write_text("第一章 责任免除\n下列损失，我们不负责赔偿：\n" + items, encoding="utf-8")
    shown = run("inspect", "list.txt", "--chunk-size", "200", "--list-size", "100").stdout
    assert "» 下列损失，我们不负责赔偿：" in shown
    assert "│ （29）" in shown
    assert "第一章 责任免除" in run("inspect", "list.txt", "--outline").stdout
    shown = run("inspect", "docs/one.txt", "--chunker", "token", "--chunk-size", "20", "--chunk-overlap", "6").stdout
    assert "~ " in shown


def test_inspect_does_not_let_a_document_steer_the_terminal(folder: Path) -> None:
    (folder / "escape.txt").write_text("before \x1b[2J after")
    assert "\x1b" not in run("inspect", "escape.txt").stdout


def test_inspect_names_broken_files(folder: Path) -> None:
    (folder / "docs" / "bad.txt").write_bytes(b"\xff")
    result = run("inspect", "docs", code=1)
    assert "docs/bad.txt" in result.stderr
    assert "docs/one.txt" in result.stdout


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('no', name='typer')")
    done = subprocess.run(
        [sys.executable, "-m", "chunkfast.cli", "--help"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 1
    assert "pip install 'chunkfast[cli]'" in done.stderr


def test_the_library_does_not_import_the_command_line() -> None:
    code = "import chunkfast, sys; print(sorted({'typer', 'rich', 'pyarrow', 'tokenizers'} & set(sys.modules)))"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=200
        ).stdout.strip()
        == "[]"
    )


def test_parquet_is_written_while_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is held between reading and writing is bounded, however large the file: so a corpus may exceed memory."""
    from chunkfast.cli import chunking, reading, writing

    monkeypatch.setattr(reading, "BATCH_ROWS", 10)
    monkeypatch.setattr(chunking, "BATCH_DOCUMENTS", 8)
    monkeypatch.setattr(writing, "BATCH_ROWS", 50)
    read, written, held = 0, 0, []
    document, to_table = reading._document, writing.to_table

    def counted(*arguments: Any) -> reading.Document:
        nonlocal read
        read += 1
        return document(*arguments)

    def written_out(batch: Any) -> Any:
        nonlocal written
        held.append(read - written)
        written += len(batch)
        return to_table(batch)

    monkeypatch.setattr(reading, "_document", counted)
    monkeypatch.setattr(writing, "to_table", written_out)
    with pq.ParquetWriter(folder / "in.parquet", pa.schema([("text", pa.string())])) as file:
        for _ in range(10):
            file.write_table(pa.table({"text": [ONE, TWO] * 20}))
    run("chunk", "in.parquet", "-o", "out.parquet", "--jobs", "2")
    each = len(cut(ONE)) + len(cut(TWO))
    made = pq.ParquetFile(folder / "out.parquet").metadata
    assert (read, written, made.num_rows) == (400, 400, 200 * each)
    assert made.num_row_groups == len(held) > 10
    assert max(held) <= 50 + 5 * 8
