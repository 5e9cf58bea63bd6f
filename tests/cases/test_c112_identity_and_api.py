"""C112-C118: threads, processes, ids, the same verbs and fields everywhere, wrong arguments."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from chunkfast import Chunks, StructureChunker, load_tokenizer
from tests import corpora
from tests.chunkers import CLASSES, GENERATIONS, USUAL, checked, chunker

each_generation = pytest.mark.parametrize("generation", GENERATIONS)
each_tokenizer = pytest.mark.parametrize("name", corpora.SMALL)

TEXT = (
    "第一章 总则\n第一条 保险人应当给付。投保人应当如实告知。\n"
    "第二章 责任\n第二条 有下列情形之一的：\n（一）甲；\n（二）乙。\n"
    "\n| 年龄 | 保费 |\n|---|---|\n| 18 | 100 |\n| 19 | 110 |\n\n第三章 附则\n第三条 本条款自公布之日起施行。\n"
)


@each_generation
@each_tokenizer
def test_c112_eight_threads_share_one_chunker(generation: str, name: str) -> None:
    made = chunker(generation, corpora.tokenizer(name).spec, 20)
    texts = [f"{i} {TEXT}" * (1 + i % 3) for i in range(24)]
    alone = [list(made.chunk(t)) for t in texts]
    with ThreadPoolExecutor(8) as pool:
        assert [list(c) for c in pool.map(made.chunk, texts)] == alone
    shared = made.chunk(TEXT * 3)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: [(c.text, c.id, c.spans) for c in shared], range(32)))
    assert all(r == results[0] for r in results)


PROGRAM = """
import sys
from tests.chunkers import chunker
print(*[c.id for c in chunker(sys.argv[1], "chars", 40, 0).chunk(sys.stdin.buffer.read().decode())])
"""


@each_generation
def test_c114_ids_are_the_same_in_another_process(generation: str) -> None:
    ids = [c.id for c in chunker(generation, "chars", 40, 0).chunk(TEXT)]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, generation],
        input=TEXT.encode(),
        capture_output=True,
        check=True,
        cwd=corpora.ROOT,
        timeout=200,
    )
    assert ran.stdout.decode().split() == ids


@pytest.mark.parametrize("old", ["如实告知", "甲", "110", "公布"])
def test_c114_an_edit_changes_the_ids_of_its_section_and_no_others(old: str) -> None:
    made = StructureChunker("chars", chunk_size=40, chunk_overlap=10)
    before, after = made.chunk(TEXT), made.chunk(TEXT.replace(old, old[:-1] + "新增文字"))
    chapter = next(i for i in (3, 2, 1) if TEXT.index(old) > TEXT.index(f"第{'一二三'[i - 1]}章"))

    def ids(chunks: Chunks) -> dict[bool, list[str]]:
        def inside(c: Any) -> bool:
            return any(h.startswith(f"第{'一二三'[chapter - 1]}章") for h in c.headings)

        return {place: [c.id for c in chunks if inside(c) == place] for place in (True, False)}

    assert ids(before)[False] == ids(after)[False]
    assert ids(before)[True] != ids(after)[True]


def test_c114_equal_chunks_are_told_apart_and_only_by_their_order() -> None:
    made = StructureChunker("chars", chunk_size=30, chunk_overlap=0)
    section = "The same text, twice.\n\n"
    twice, once = made.chunk(section * 2), made.chunk(section + "Another text, once.\n")
    assert twice[0].text == twice[1].text
    assert twice[0].id != twice[1].id
    assert twice[0].id == once[0].id


@each_generation
@each_tokenizer
def test_c115_the_same_fields_in_every_generation(generation: str, name: str) -> None:
    chunks = checked(generation, corpora.tokenizer(name), TEXT, 24)
    for chunk in chunks:
        assert isinstance(chunk.text, str)
        assert isinstance(chunk.prefix, str)
        assert isinstance(chunk.overlap, str)
        assert isinstance(chunk.headings, tuple)
        assert all(isinstance(h, str) for h in chunk.headings)
        assert chunk.kind in {"text", "list", "table", "code", "contents"}
        assert all(type(i) is int for i in (chunk.token_count, chunk.start_index, chunk.end_index, chunk.index))
        assert isinstance(chunk.id, str)
        assert chunk.contextualize().endswith(chunk.text)


@each_generation
def test_c115_the_same_verbs_in_every_generation(generation: str) -> None:
    made = chunker(generation, "chars", 24)
    alone = list(made.chunk(TEXT))
    assert list(made.chunk(TEXT, title="Title")) is not None
    assert [list(c) for c in made.chunk_batch([TEXT, TEXT], threads=2)] == [alone, alone]
    assert [list(c) for c in made.iter_chunks(t for t in [TEXT, TEXT])] == [alone, alone]
    assert inspect.signature(CLASSES[generation].chunk) == inspect.signature(StructureChunker.chunk)
    usual = {name: getattr(CLASSES[generation]("chars"), name) for name in USUAL[generation]}
    assert usual == USUAL[generation]


@each_generation
def test_c115_chunks_are_a_sequence(generation: str) -> None:
    chunks = chunker(generation, "chars", 24).chunk(TEXT)
    rows = list(chunks)
    assert len(chunks) == len(rows) > 3
    assert chunks[-1] == rows[-1]
    assert list(chunks[1:3]) == rows[1:3]
    assert list(chunks[::-1]) == rows[::-1]
    assert list(reversed(chunks)) == rows[::-1]
    assert rows[2] in chunks
    assert chunks.index(rows[2]) == 2
    for index in (len(rows), -len(rows) - 1):
        with pytest.raises(IndexError):
            chunks[index]
    with pytest.raises(TypeError):
        chunks["0"]
    assert list(pickle.loads(pickle.dumps(chunks))) == rows


WRONG_TOKENIZERS: list[Any] = [None, 3, 1.5, b"chars", [], {}, pytest.param(object(), id="object"), int, True]


@each_generation
@pytest.mark.parametrize("wrong", WRONG_TOKENIZERS, ids=repr)
def test_c116_a_tokenizer_of_the_wrong_type(generation: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match="tokenizer"):
        CLASSES[generation](wrong)
    with pytest.raises(TypeError, match="tokenizer"):
        load_tokenizer(wrong)


@each_generation
@pytest.mark.parametrize("wrong", ["", "no-such-name", "/no/such/file.json", "../x", "chars ", "\x00", "a" * 5000])
def test_c116_a_tokenizer_that_is_not_there(generation: str, wrong: str) -> None:
    with pytest.raises(ValueError, match="tokenizer"):
        CLASSES[generation](wrong)


INTEGERS = {
    *("chunk_size", "chunk_overlap", "overlap_sentences", "reserve_tokens"),
    *("table_size", "list_size", "pack_size"),
}
NUMBERS: list[Any] = [None, "10", 1.5, b"1", [], float("nan"), True, 1j]
OPTIONAL = {"list_size", "table_size", "chunk_overlap"}  # None has a meaning


@each_generation
@pytest.mark.parametrize("wrong", NUMBERS, ids=repr)
def test_c116_numbers_of_the_wrong_type(generation: str, wrong: Any) -> None:
    parameters = inspect.signature(CLASSES[generation]).parameters
    for name in parameters:
        if name in INTEGERS:
            if wrong is None and name in OPTIONAL:
                continue
            with pytest.raises(TypeError, match=name):
                CLASSES[generation]("chars", **{name: wrong})


@each_generation
@pytest.mark.parametrize("wrong", [-1, -(10**30), 10**30, 2**63])
def test_c116_numbers_out_of_range(generation: str, wrong: int) -> None:
    parameters = inspect.signature(CLASSES[generation]).parameters
    for name in parameters:
        if name in INTEGERS:
            with pytest.raises(ValueError, match=name):
                CLASSES[generation]("chars", **{name: wrong})
    with pytest.raises(ValueError, match="chunk_size"):
        CLASSES[generation]("chars", chunk_size=0)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("headings", "inline"),
        ("headings", None),
        ("table_format", "html"),
        ("table_format", 3),
        ("size_rules", {"(": 10}),
        ("size_rules", {"a": 0}),
        ("size_rules", 3),
        ("extra_headings", 3),
    ],
)
def test_c116_other_settings(name: str, wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=name):
        StructureChunker("chars", **{name: wrong})


@each_generation
def test_c116_arguments_of_the_verbs(generation: str) -> None:
    made = chunker(generation, "chars", 24)
    with pytest.raises(TypeError, match="title"):
        made.chunk("text", title=3)
    for wrong in (0, -1, 10**9 * -1):
        with pytest.raises(ValueError, match="threads"):
            made.chunk_batch(["text"], threads=wrong)
    with pytest.raises(TypeError, match="threads"):
        made.chunk_batch(["text"], threads="2")
    with pytest.raises(TypeError, match="texts"):
        made.chunk_batch(3)
    with pytest.raises(TypeError):
        made.chunk()
    with pytest.raises(TypeError):
        CLASSES[generation]("chars", no_such_setting=3)


@each_generation
def test_c116_settings_are_fixed(generation: str) -> None:
    made = chunker(generation, "chars", 24)
    assert hash(made) == hash(chunker(generation, "chars", 24))
    assert made != chunker(generation, "chars", 25)
    if is_dataclass(made):
        for field in fields(made):
            with pytest.raises(AttributeError):
                setattr(made, field.name, 3)


@pytest.mark.parametrize("words", [11, 12, 21, 22])
def test_c118_no_sliver_at_the_end_of_a_section(words: int) -> None:
    """The last chunk of a section is no scrap where the one before could spare sentences for it."""
    sentence = "Nine letters go here ok. "
    text = "# Title\n\n## One\n\n" + sentence * words + "\n\n## Two\n\n" + sentence
    chunks = checked("structure", corpora.CHARS, text, 10 * len(sentence) + 10, 0)
    last = [c for c in chunks if c.headings[-1:] == ("One",)][-1]
    assert last.token_count > 2 * len(sentence)
