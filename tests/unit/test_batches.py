"""Many documents: order, threads, memory, errors with position and id, progress, a chunker used again."""

import gc
import pickle
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkfast import DocumentError, SentenceChunker, StructureChunker, TokenChunker
from chunkfast.chunker import Chunker

CHUNKER = TokenChunker("chars", 10, 0)
BAD: list[object] = ["First.", None, "Third.", "bad \ud83d"]


@pytest.mark.parametrize("threads", [1, 2, 8, None])
def test_order_is_kept(threads: int | None) -> None:
    texts = [f"document {i} " * (1 + 997 * i % 50) for i in range(300)]
    alone = [CHUNKER.chunk(text) for text in texts]
    assert CHUNKER.chunk_batch(texts, threads) == alone
    assert list(CHUNKER.iter_chunks(iter(texts), threads)) == alone


@pytest.mark.parametrize(("threads", "ahead"), [(1, 1), (2, 9 * 64)])
def test_no_more_is_read_than_is_worked_on(threads: int, ahead: int) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f"document {taken}"

    for used, _ in zip(range(1, 2000), CHUNKER.iter_chunks(endless(), threads), strict=False):
        assert taken <= used + ahead


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_tell_position_and_id(threads: int) -> None:
    first, none, third, surrogate = CHUNKER.chunk_batch(BAD, threads, "collect", ids="abcd")
    assert [first, third] == CHUNKER.chunk_batch(BAD, threads, "skip")
    assert isinstance(none, DocumentError)
    assert isinstance(none, TypeError)
    assert (none.position, none.id) == (1, "b")
    assert isinstance(surrogate, ValueError)
    assert str(surrogate) == r"texts[3] (id 'd') has a lone surrogate, '\ud83d', at index 4"
    copy = pickle.loads(pickle.dumps(surrogate))
    assert (str(copy), copy.position, copy.id) == (str(surrogate), 3, "d")
    with pytest.raises(DocumentError, match=r"texts\[1\] \(id 'b'\) must be a str") as raised:
        CHUNKER.chunk_batch(BAD, threads, ids="abcd")
    assert isinstance(raised.value.__cause__, TypeError)


def test_what_a_callable_gets_wrong_is_told_with_the_document() -> None:
    broken = TokenChunker(lambda text: "x" if "!" in text else len(text), 10, 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match=r"^texts\[1\]: "):
        broken.chunk_batch(["fine", "not!"], threads=1)


def test_progress_counts_every_document() -> None:
    seen: list[int] = []
    CHUNKER.chunk_batch(BAD, 2, "skip", progress=seen.append)
    assert seen == [1, 2, 3, 4]


def test_ids_are_as_many_as_texts() -> None:
    with pytest.raises(ValueError, match=r"longer|shorter"):
        CHUNKER.chunk_batch(["a", "b"], ids=["only one"])


SAMPLES = [path.read_text(encoding="utf-8") for path in sorted(Path("samples").glob("*.*")) if path.suffix != ".json"]
RULES = {"headings": "prepend", "extra_headings": [r"附表"], "size_rules": {"责任免除": 200}}


@pytest.mark.parametrize(
    "chunker",
    [
        TokenChunker("chars", 64),
        SentenceChunker("chars", 64),
        StructureChunker("chars", 64, list_size=32),
        StructureChunker("bytes", 160, **RULES),
    ],
)
def test_a_chunker_used_again_gives_what_a_new_one_gives(chunker: Chunker) -> None:
    for text in [*SAMPLES, *reversed(SAMPLES), "", *SAMPLES[:2]]:
        assert chunker.chunk(text) == pickle.loads(pickle.dumps(chunker)).chunk(text)
        with pytest.raises(ValueError, match="surrogate"):
            chunker.chunk(text + "\ud800")


def test_a_counter_may_use_the_chunker_that_asks_it() -> None:
    def count(text: str) -> int:
        if len(text) > 20:
            chunker.chunk("A short one. " + text[:7])
        return len(text)

    chunker = SentenceChunker(count, 60, 0)
    text = "A sentence of some length stands here. " * 9
    assert [chunk.text for chunk in chunker.chunk(text)] == [
        chunk.text for chunk in SentenceChunker("chars", 60, 0).chunk(text)
    ]


def test_a_chunker_is_gone_with_its_last_name() -> None:
    gc.disable()
    try:
        chunker = StructureChunker("chars", 64, **RULES)
        chunker.chunk(SAMPLES[0])
        gone = weakref.ref(chunker)
        del chunker
        assert gone() is None
    finally:
        gc.enable()
