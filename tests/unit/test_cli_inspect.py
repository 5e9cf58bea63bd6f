"""The page of `chunkfast inspect --html`: every chunk is in it, as text, and nothing of a document runs or is fetched."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("jinja2")

from typer.testing import CliRunner

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, outline
from chunkfast.cli.app import app

HOSTILE = """# <script>alert(1)</script>

Text with <u onclick="alert(2)">tags</u>, &amp;, "quotes" and a { { brace } }, {{ 6 * 7 }}, \x1b[2J and \u202eright to left.

## <img src="http://127.0.0.1/x.png" onerror='document.title="run"'>

</div></article></section></main><script>document.title = "run"</script>

| a | b |
|---|---|
| 1 | </td><style>* { display: none }</style> |
"""


class Page(HTMLParser):
    """Tags with their attributes, ids, link targets, and the text of each chunk."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._inside: list[str] = []
        self._chunk = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.tags.append((tag, about))
        if tag == "article":
            self._chunk = about["id"] or ""
            self.texts[self._chunk] = ""
        if tag not in ("meta", "input"):
            self._inside.append(f"{tag} {about.get('class', '')}")

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop().split()[0] == tag, "tags are nested"

    def handle_data(self, data: str) -> None:
        if "div text" in self._inside:
            self.texts[self._chunk] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [about for name, about in self.tags if name == tag]


def run(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["inspect", *arguments, "-t", "chars"])
    assert result.exit_code == code, result.output
    return result


def page_of(folder: Path, text: str, *arguments: str) -> str:
    (folder / "doc.md").write_text(text, encoding="utf-8")
    run(str(folder / "doc.md"), "--html", str(folder / "page.html"), *arguments)
    return (folder / "page.html").read_text(encoding="utf-8")


def squeezed(text: str) -> str:
    return "".join(text.replace("\x1b", "␛").split())


def test_chunks_of_all_generations_are_in_the_page(tmp_path: Path) -> None:
    text = HOSTILE + "A sentence of some length for the windows. " * 60
    page = Page(page_of(tmp_path, text, "--chunk-size", "200"))
    chunkers = StructureChunker("chars", 200), TokenChunker("chars"), SentenceChunker("chars")
    expected = {
        f"v{view}-0-{chunk.index}": squeezed(chunk.text)
        for view, chunker in enumerate(chunkers)
        for chunk in chunker.chunk(text)
    }
    assert {place: squeezed(text) for place, text in page.texts.items()} == expected


def test_a_document_adds_no_tag_and_nothing_is_fetched(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path, HOSTILE))
    tame = Page(page_of(tmp_path, re.sub(r"[<>&\"'{}]", "x", HOSTILE)))
    kinds = {tag for tag, _ in page.tags}
    assert kinds == {tag for tag, _ in tame.tags}
    assert len(page.named("script")) == len(page.named("style")) == 1
    assert not kinds & {"img", "link", "u", "iframe"}
    assert not {name for _, about in page.tags for name in about} & {"src", "onclick", "onerror"}


def test_the_outline_links_to_chunks_that_hold_the_headings(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path, HOSTILE))
    links = [about for about in page.named("a") if about.get("title") and about.get("data-start")]
    assert [about["data-start"] for about in links] == [str(h.start_index) for h in outline(HOSTILE)]
    for about, heading in zip(links, outline(HOSTILE), strict=True):
        assert squeezed(heading.title) in squeezed(page.texts[str(about["href"])[1:]])


def test_what_stands_beside(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path, HOSTILE, "--beside", "structure:chunk_size=90", "--beside", "sentence"))
    assert [about["aria-label"] for about in page.named("section")] == [
        "structure",
        "structure:chunk_size=90",
        "sentence",
    ]
    assert [("checked" in about) for about in page.named("input") if about["type"] == "checkbox"] == [True] * 3
    for wrong in (("--beside", "langchain"), ("--beside", "structure:colour=1"), ("--outline",)):
        run(str(tmp_path / "doc.md"), "--html", str(tmp_path / "page.html"), *wrong, code=2)
    run(str(tmp_path / "doc.md"), "--beside", "token", code=2)


def test_several_documents_share_a_page_and_broken_ones_are_named(tmp_path: Path) -> None:
    for name, data in ("a.md", b"# A\n\none"), ("b.md", b"\xff"), ("c.md", b"# C\n\ntwo"):
        (tmp_path / name).write_bytes(data)
    result = run(str(tmp_path), "--html", str(tmp_path / "page.html"), code=1)
    assert "b.md" in result.stderr
    texts = Page((tmp_path / "page.html").read_text(encoding="utf-8")).texts
    assert (texts["v0-0-0"].split(), texts["v0-1-0"].split()) == (["#", "A", "one"], ["#", "C", "two"])


def test_without_jinja_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "chunkfast.cli.page", raising=False)
    (tmp_path / "a.md").write_text("one")
    result = run(str(tmp_path / "a.md"), "--html", str(tmp_path / "page.html"), code=1)
    assert "--html needs jinja2: pip install 'chunkfast[cli]'" in result.stderr


def test_in_a_browser(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs chromium")
    page_of(tmp_path, HOSTILE, "--chunk-size", "90")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    address = (tmp_path / "page.html").as_uri() + "#v0-0-1"
    shown = subprocess.run([browser, *flags, address], capture_output=True, text=True, check=True, timeout=200).stdout
    page = Page(shown)
    assert "<title>run</title>" not in shown
    assert "hidden" not in next(about for about in page.named("input") if about["type"] == "search"), "our script ran"
    assert [about["id"] for about in page.named("article") if about.get("class") == "now"] == ["v0-0-1"]
