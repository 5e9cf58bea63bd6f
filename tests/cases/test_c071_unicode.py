"""C071-C077: grapheme clusters, lone surrogates, line ends, odd tokenizers, special tokens."""

from __future__ import annotations

import pytest

from chunkfast import StructureChunker, load_tokenizer, outline
from tests import corpora
from tests.chunkers import GENERATIONS, checked, chunker
from tests.reference.graphemes import clusters
from tests.strategies import CLUSTERS

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("text", ["👩‍👩‍👧", "龘", "👩‍👩‍👧龘", "a👩‍👩‍👧b", "👩‍👩‍👧 👩‍👩‍👧"])
@pytest.mark.parametrize("size", range(1, 7))
def test_c071_a_grapheme_over_the_limit_stays_whole(generation: str, name: str, text: str, size: int) -> None:
    chunks = checked(generation, corpora.tokenizer(name), text, size, 0)

    def visible(text: str) -> list[str]:
        return [text[a:b] for a, b in clusters(text) if text[a:b].strip()]

    assert [cluster for c in chunks for cluster in visible(c.text)] == visible(text)


@each_generation
@each_tokenizer
@pytest.mark.parametrize("cluster", CLUSTERS)
def test_c072_cuts_only_between_graphemes(generation: str, name: str, cluster: str) -> None:
    for size in (1, 2, 3, 6):
        checked(generation, corpora.tokenizer(name), cluster * 10, size, 0)


@each_generation
@each_tokenizer
@pytest.mark.parametrize(
    ("text", "index"), [("ok \ud83d tail", 3), ("\udc00", 0), ("保险人\udfff", 3), ("👍" + "a" * 99 + "\ud800", 100)]
)
def test_c073_a_lone_surrogate_names_its_index(generation: str, name: str, text: str, index: int) -> None:
    made = chunker(generation, corpora.tokenizer(name).spec, 6, 0)
    with pytest.raises(ValueError, match=rf"\b{index}\b"):
        made.chunk(text)
    with pytest.raises(ValueError, match=rf"\b1\b.*\b{index}\b|\b{index}\b.*\b1\b"):
        made.chunk_batch(["fine", text])
    assert [list(c) for c in made.chunk_batch(["fine", text], on_error="skip") if c] == [list(made.chunk("fine"))]


@each_tokenizer
def test_c073_for_a_counter_too(name: str) -> None:
    counter = load_tokenizer(corpora.tokenizer(name).spec)
    if name != "words":
        for call in (counter.count, counter.token_starts, lambda t: counter.count_batch([t])):
            with pytest.raises(ValueError, match="3"):
                call("ok \ud83d tail")


LINES = [
    "# Title",
    "",
    "First paragraph. It goes on.",
    "",
    "- one",
    "- two",
    "",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "",
    "End.",
]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\u0085", "\u2029", "\x0b"])
@pytest.mark.parametrize("size", [8, 20, 60, 200])
def test_c074_every_line_end_means_the_same(end: str, size: int) -> None:
    """Structure is that of the text with "\\n"; offsets are those of the text itself."""
    plain, text = "\n".join(LINES), end.join(LINES)
    assert [(h.level, h.title) for h in outline(text)] == [(h.level, h.title) for h in outline(plain)]
    made = StructureChunker("chars", chunk_size=size * len(end), chunk_overlap=0, table_size=40)
    if len(end) == 1:
        assert [c.spans for c in made.chunk(text)] == [c.spans for c in made.chunk(plain)]
    checked("structure", corpora.CHARS, text, size, 0)


@each_generation
@each_tokenizer
@pytest.mark.parametrize(
    "text", ["A\r\n\r\nB\r\nC", "\r\n" * 5 + "A", "A\r\rB\n\rC", "A\u2028B\u0085C", "\rA\n\r\nB\r"]
)
def test_c074_a_line_end_of_two_characters_is_never_cut(generation: str, name: str, text: str) -> None:
    for size in (1, 2, 3, 10):
        checked(generation, corpora.tokenizer(name), text, size, 0)


@each_generation
@pytest.mark.parametrize(
    "text", ["e\u0301\u0301 a\u0300", "保险é人", "\u0301a", "\x00a\x01b", "a\u200db", "\ufeff保险", "İ ẞ ﬃ ㍿ ½", "각"]
)
def test_c076_tokens_that_share_or_skip_characters(generation: str, text: str) -> None:
    for name in ("small WordPiece", "small BPE", "small Unigram", "small tiktoken"):
        for size in (1, 2, 4):
            checked(generation, corpora.tokenizer(name), text * 4, size, 0)


SPECIALS = {
    "small BPE": "<|endoftext|>",
    "small WordPiece": "[SEP]",
    "small Unigram": "<unk>",
    "small tiktoken": "<|endoftext|>",
}


@each_generation
@pytest.mark.parametrize("name", SPECIALS)
def test_c077_a_special_token_in_the_text_is_text(generation: str, name: str) -> None:
    tokenizer, special = corpora.tokenizer(name), SPECIALS[name]
    text = f"The file ends with {special} and {special}{special}. " * 12
    for size in (3, 16, 64):
        chunks = checked(generation, tokenizer, text, size, 0)
        assert "".join(c.text for c in chunks).count(special[1:-1]) <= 36
    counter = load_tokenizer(tokenizer.spec)
    assert counter.count(special) == tokenizer.count(special) > 1 or name == "small Unigram"


@each_tokenizer
def test_c077_and_is_never_counted_for_less_than_the_user_counts(name: str) -> None:
    tokenizer = corpora.tokenizer(name)
    counter = load_tokenizer(tokenizer.spec)
    for text in ("a<|endoftext|>b [CLS] [UNK] <unk>", "[MASK]", "<|endoftext|>" * 9):
        own = tokenizer.spec
        if hasattr(own, "encode_batch") and hasattr(own, "to_str"):
            assert counter.count(text) >= len(own.encode(text, add_special_tokens=False).ids)
        assert counter.count(text) == tokenizer.count(text)
