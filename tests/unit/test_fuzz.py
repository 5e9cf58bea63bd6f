"""The fuzzer's harness on fixed bytes, and on all that it ever found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzz import harness
from tests import corpora

FOUND = sorted(path for path in (corpora.ROOT / "fuzz" / "found").iterdir() if path.name != "README.md")


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found(path: Path) -> None:
    harness.check(path.read_bytes())


@pytest.mark.parametrize("seed", range(40))
def test_any_bytes(seed: int) -> None:
    harness.check(random.Random(seed).randbytes(seed * 10))


def test_a_document_has_every_part_and_character() -> None:
    every = harness.document(bytes(range(255)))
    assert all(part in every for part in harness.PARTS)
    assert harness.document(b"\xff\x44\xf6\x01\xff\x00\xd8\x00") == "\U0001f644\ufffd"
