"""Memory: what a document costs beside its text, and what stays when its chunks are gone; each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import corpora

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="needs Linux to read peaks of memory"
)

MEASURE = """
import gc, sys
from pathlib import Path
from chunkfast import *
from tests import corpora

def resident(what):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(what)) * 1024

def peak_of(function):
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = resident("VmRSS")
    result = function()
    return resident("VmHWM") - before
"""


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MEASURE + script],
        capture_output=True, text=True, timeout=120, cwd=corpora.ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize(
    "made", ['TokenChunker("chars", 500)', 'SentenceChunker("chars", 500)', 'StructureChunker("chars", 500)']
)
@pytest.mark.parametrize(
    "unit",
    [
        "The insurer pays the benefit within ten days of the claim. ",
        "A paragraph of a dozen words or so, as short ones are here.\\n\\n",
        "保险人应当在十日内给付保险金，投保人应当缴纳保险费。",
        "a",
        "- An item of a list, of nine words or so.\\n",
        "# A heading\\n\\nA paragraph of some length stands below it, and says what there is to say.\\n\\n",
    ],
    ids=["prose", "paragraphs", "Chinese", "letters", "items", "sections"],
)
def test_a_document_costs_twice_its_text_and_eight_bytes_a_token(made: str, unit: str) -> None:
    out = run(f"""
text = "{unit}" * (8_000_000 // len("{unit}"))
made = {made}
made.chunk(text[:100_000])
print(peak_of(lambda: made.chunk(text)), sys.getsizeof(text), len(text))
""")
    peak, size, tokens = map(int, out.split())
    assert peak <= 2 * size + 8 * tokens + 2_000_000


def test_short_lines_cost_a_bounded_number_of_bytes_each() -> None:
    """What is known of a line, a heading and a section does not depend on its length."""
    out = run("""
made = StructureChunker("chars", 500)
text = "# A heading\\n" * 200_000
made.chunk(text[:100_000])
print(peak_of(lambda: made.chunk(text)))
""")
    assert int(out) < 600 * 200_000


ROUNDS = """
text = "第一条 保险责任\\n\\n包括：\\n（1）甲；\\n（2）乙。\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n\\nThe insurer pays. " * 400
bad = [None, "\\ud800", b"x", 3]

def round_of_all():
    {body}

for _ in range(8):
    round_of_all()
gc.collect()
before = resident("VmRSS")
for _ in range(60):
    round_of_all()
gc.collect()
print(resident("VmRSS") - before)
"""


@pytest.mark.parametrize(
    "body",
    [
        'for made in (TokenChunker("bytes", 60), SentenceChunker("chars", 60), StructureChunker("chars", 60)): [made.chunk(text)[i] for i in (0, -1)]',
        'outline(text), split_sentences(text), split_table(text), audit(text[:2000], StructureChunker("chars", 60).chunk(text[:2000]))',
        'StructureChunker("chars", 60).chunk_batch([text[:5000], *bad] * 4, 4, "collect")',
        'load_tokenizer(corpora.tokenizer("small BPE").spec).token_starts(text[:50_000])',
        'load_tokenizer(corpora.tokenizer("small WordPiece").spec).token_starts(text[:50_000])',
        'load_tokenizer(corpora.tokenizer("small Unigram").spec).token_starts(text[:50_000])',
        "list(SentenceChunker('chars', 60).iter_chunks([text[:5000]] * 20, 2))",
    ],
    ids=["chunkers", "functions", "errors", "BPE", "WordPiece", "Unigram", "threads"],
)
def test_nothing_is_left_behind(body: str) -> None:
    assert int(run(ROUNDS.replace("{body}", body))) < 12_000_000


def test_references_are_given_back() -> None:
    """Of the objects that go in and of those shared by all, none gains a reference."""
    out = run("""
from chunkfast import _core
import numpy as np
text = "第一条 甲\\n\\n正文。" + "x" * 50
title = "title of " + str(sys.argv)
positions = np.arange(10)
counter = load_tokenizer(corpora.tokenizer("small BPE").spec)
watched = [text, title, positions, counter, counter.model, None.__class__, _core.Counter, int, str]

def use():
    StructureChunker(counter, 20, headings="prepend").chunk(text, title).to_dicts()
    counter.ranks(text, positions), counter.count_spans(text, positions[:-1], positions[1:])
    _core.parse(text).tables(), _core.parse(text).headings()
    for wrong in ("\\ud800", None, 3):
        try:
            counter.count(wrong)
        except (TypeError, ValueError):
            pass

for _ in range(5):
    use()
gc.collect()
before = [sys.getrefcount(x) for x in watched]
for _ in range(500):
    use()
gc.collect()
print(max(sys.getrefcount(x) - y for x, y in zip(watched, before)))
""")
    assert int(out) < 50
