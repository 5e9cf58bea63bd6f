"""Ids are the versioned hash that the plain Python has, for every kind of str."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, _core
from tests import corpora, strategies
from tests.reference.ids import chunk_ids, heading_line

EMPTY = np.empty(0, np.int64)
SIZES = [0, 1, 7, 127, 128, 129, 255, 256, 257, 1000]


@pytest.mark.parametrize("step", [1, 3, 64, 127, 128, 129, 1 << 40])
@pytest.mark.parametrize("size", SIZES)
def test_the_hash_is_blake2b(size: int, step: int) -> None:
    data = bytes(i * 7 % 251 for i in range(size))
    assert _core.blake2b(data, step) == hashlib.blake2b(data, digest_size=16).digest()


@given(st.binary(max_size=600), st.integers(1, 300))
def test_the_hash_is_blake2b_of_any_bytes(data: bytes, step: int) -> None:
    assert _core.blake2b(data, step) == hashlib.blake2b(data, digest_size=16).digest()


def check(text: str) -> None:
    for chunker in (
        StructureChunker("chars", 80, 10, pack_size=40),
        SentenceChunker("chars", 60),
        TokenChunker("chars", 50),
    ):
        chunks = chunker.chunk(text)
        assert chunks.ids == [chunk.id for chunk in chunks] == chunk_ids((c.headings, c.text) for c in chunks)


@given(strategies.documents)
def test_ids_are_those_of_the_plain_python(text: str) -> None:
    check(text)


@pytest.mark.parametrize("character", ["é", "文", "\U0001f600"])  # one, two and four bytes a character
def test_equal_chunks_are_told_apart_by_which_they_are(character: str) -> None:
    text = f"# A {character}\n\nsame text\n\n# B\n\nsame text\n\n# A {character}\n\nsame text\n\n" * 5
    chunks = StructureChunker("chars", 80).chunk(text)
    assert len(set(chunks.ids)) == len(chunks) > 10
    check(text)


def test_ids_of_real_documents() -> None:
    for document in corpora.some_real_documents(every=40):
        check(document.text)


@given(st.text("ab 文。\n\r\v\x1c\x1f\x85\u2028\u3000#*\t\ufeff\U0001f600", max_size=12), st.booleans())
def test_heading_lines(title: str, wide: bool) -> None:
    """The document's title is made of any span by the same rule as headings are."""
    rows = _core.rows_of(title + "\U0001f600" * wide, "", *[EMPTY] * 7, 0, len(title))
    assert rows.title() == heading_line(title)
