"""Many documents: order, threads, memory, errors with position and id, progress."""

import pickle
from collections.abc import Iterator

import pytest

from chunkfast import DocumentError, TokenChunker

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
