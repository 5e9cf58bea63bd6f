"""Chunks of the samples as they were when last looked at: offsets and a hash of everything else, a line each.

`make golden` (`python -m tests.golden.test_golden`) writes the files anew; what changed shows in the diff.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import corpora, invariants
from tests.chunkers import GENERATIONS, Chunker, chunker

FOLDER = Path(__file__).parent
SETTINGS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "chars-400": ("chars", 400, {}),
    "chars-60": ("chars", 60, {}),
    "deepseek-usual": ("deepseek", 512, {}),
    "deepseek-packed": ("deepseek", 512, {"pack_size": 384, "headings": "prepend"}),
}
NAMES = [f"{g}-{s}" for g in GENERATIONS for s in SETTINGS if g == "structure" or not SETTINGS[s][2]]


def settings(name: str) -> tuple[corpora.UserTokenizer, Chunker]:
    generation, _, key = name.partition("-")
    tokenizer, size, more = SETTINGS[key]
    return corpora.tokenizer(tokenizer), chunker(generation, corpora.tokenizer(tokenizer).spec, size, **more)


def lines(name: str) -> Iterator[str]:
    """Document names, and below each its chunks: kind, tokens, spans, hash of the other fields."""
    tokenizer, used = settings(name)
    for document in corpora.samples():
        yield f"# {document.name}"
        chunks = used.chunk(document.text)
        invariants.check(chunks, document.text, tokenizer, used)
        for c in chunks:
            rest = repr((c.text, c.start_index, c.headings, c.prefix, c.overlap, c.page, c.id))
            spans = " ".join(f"{a}:{b}" for a, b in c.spans)
            yield f"{c.kind} {c.token_count} {spans} {hashlib.sha256(rest.encode()).hexdigest()[:12]}"


@pytest.mark.parametrize("name", NAMES)
def test_chunks_are_those_of_the_golden_file(name: str) -> None:
    golden = FOLDER / f"{name}.txt"
    assert "\n".join(lines(name)) + "\n" == golden.read_text(encoding="utf-8"), "look at it, then run `make golden`"


def write() -> None:
    for name in NAMES:
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
