"""The page of an evaluation: everything escaped, nothing loaded, every chart well-formed."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chunkfast import load_tokenizer
from chunkfast.evaluation import Embedding, Question, Series, Source, Span, contender, evaluate, report, sweep
from chunkfast.evaluation.charts import Line, bars, curves

pytest.importorskip("jinja2")
CHARS = load_tokenizer("chars")
EVIL = "<script>alert('x')</script> & <b>bold</b>"
TEXT = f"{EVIL}\n{EVIL} again, and then some more.\nlast\n"
SAME = Embedding(lambda texts: [[1.0]] * len(texts))
QUESTION = Question(EVIL, f"what is {EVIL}?", EVIL, (Span("d", 0, len(EVIL)),), (Span("d", 3, 9),))


def page() -> str:
    contenders = [contender(lambda text: [(0, 9), (9, len(text))], CHARS, name=name) for name in (EVIL, "b")]
    outcomes = evaluate([QUESTION], [Source("d", TEXT)], contenders, SAME, k=1)
    swept = sweep(
        [QUESTION], [Source("d", TEXT)], [Series("token:chunk_size=40", "chunk_overlap", (0, 9))], CHARS, SAME
    )
    return report(outcomes, swept, {EVIL: EVIL})


def test_what_documents_say_is_shown_as_text() -> None:
    html = page()
    assert "<script" not in html
    assert "<b>bold" not in html
    assert html.count("&lt;script&gt;") > 8
    assert "cut inside" in html


def test_nothing_is_loaded() -> None:
    html = page()
    assert "default-src 'none'" in html
    assert not re.search(r"(?:src|href)\s*=\s*[\"'](?!#)|url\(|@import", html)


def test_charts_are_well_formed_and_inside_their_frame() -> None:
    charts = re.findall(r"<svg.*?</svg>", page(), re.DOTALL)
    assert len(charts) == 2 + 2 + 1 + 2  # bars, costs, overlaps, one series and its storage
    for chart in charts:
        root = ElementTree.fromstring(chart)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for node in root.iter():
            for name in ("x", "cx"):
                assert 0 <= float(node.attrib.get(name, 0)) <= width
            for name in ("y", "cy"):
                assert 0 <= float(node.attrib.get(name, 0)) <= height


def test_bars_are_as_high_as_their_shares() -> None:
    root = ElementTree.fromstring(bars(["t"], ["a", "b", "c"], [[0.0, 0.5, 1.0]], [[(0, 0.1), (0.4, 0.6), (0.9, 1)]]))
    heights = [float(node.attrib["height"]) for node in root.iter("rect")]
    assert heights[0] == 0
    assert heights[2] == pytest.approx(2 * heights[1], abs=0.2)


@pytest.mark.parametrize("points", [[(1.0, 0.5)], [(0.0, 0.0), (0.0, 1.0)], [(5.0, 0.97), (5.1, 0.98)]])
def test_curves_of_few_points(points: list[tuple[float, float]]) -> None:
    root = ElementTree.fromstring(curves([Line("a", 0, points, ["same"] * len(points), knee=0)], "x"))
    assert len(list(root.iter("circle"))) == len(points) + 1


def test_a_page_without_anything() -> None:
    assert "What chunks answer" in report()


def test_commands_write_it(tmp_path: Path) -> None:
    for package in ("bm25s", "jieba", "typer"):
        pytest.importorskip(package)
    from typer.testing import CliRunner

    from chunkfast.cli.app import app
    from tests.corpora import SAMPLES

    shared = [str(SAMPLES / "questions.jsonl"), "-d", str(SAMPLES), "-t", "chars", "--html", str(tmp_path / "r.html")]
    for command in (["eval", "-c", "token"], ["sweep", "--vary", "pack_size=0,300"]):
        result = CliRunner().invoke(app, [*command, *shared])
        assert result.exit_code == 0, result.output
        assert "<svg" in (tmp_path / "r.html").read_text(encoding="utf-8")
