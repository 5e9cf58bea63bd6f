"""Generations 1 and 2 against the oracles, where both must cut at the same places."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from chunkfast import SentenceChunker, TokenChunker, split_sentences
from tests import corpora, strategies
from tests.reference.sentence_packing import pack_sentences
from tests.reference.token_windows import token_windows

one_cluster_each = st.text(st.sampled_from("abc é保𠮷.,\n"), min_size=1, max_size=300)


@given(text=one_cluster_each, size=st.integers(1, 64), data=st.data())
def test_windows_of_characters(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    expected = [(a, b) for a, b in token_windows(text, range(len(text)), size, overlap) if text[a:b].strip()]
    assert [(c.start_index, c.end_index) for c in TokenChunker("chars", size, overlap).chunk(text)] == expected


@given(kind=st.sampled_from(("ascii", "chinese")), size=st.integers(4, 64), data=st.data())
def test_windows_of_tokens(kind: str, size: int, data: st.DataObject) -> None:
    """Where every window has, by itself, the tokens that it has in the whole, and no two tokens share a character."""
    text, overlap = data.draw(strategies.paragraphs(kind)), data.draw(st.integers(0, size - 1))
    tokenizer = corpora.small_bpe()
    starts = [a for a, _ in tokenizer.spec.encode(text, add_special_tokens=False).offsets]
    assume(len(set(starts)) == len(starts))
    expected = token_windows(text, starts, size, overlap)
    assume(all(count <= size for count in tokenizer.count_batch([text[a:b] for a, b in expected])))
    assert [(c.start_index, c.end_index) for c in TokenChunker(tokenizer.spec, size, overlap).chunk(text)] == expected


@given(text=strategies.built(), size=st.integers(8, 200), overlap=st.integers(0, 4))
def test_packing_of_sentences(text: str, size: int, overlap: int) -> None:
    """Given the same sentences, none of them over the limit. The last two chunks may share their text more evenly."""
    sentences, at = [], 0
    for sentence in split_sentences(text):
        start = text.index(sentence.strip(), at)
        at = start + len(sentence.strip())
        sentences.append((start, at))
    assume(sentences and all(b - a <= size for a, b in sentences))
    expected = pack_sentences(text, sentences, len, size, overlap)
    found = [(c.start_index, c.end_index) for c in SentenceChunker("chars", size, overlap).chunk(text)]
    assert len(found) == len(expected)
    assert found[:-2] == expected[:-2]
    assert (found[0][0], found[-1][1]) == (expected[0][0], expected[-1][1])
