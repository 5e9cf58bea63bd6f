"""Arrow in and out: every kind of text column, nulls, ids and titles, streams, and what errors tell."""

from collections.abc import Iterator
from typing import Any

import pytest

from chunkfast import SentenceChunker, StructureChunker, TokenChunker

pa = pytest.importorskip("pyarrow", reason="needs chunkfast[arrow]")

from chunkfast import arrow  # noqa: E402

CHUNKER = StructureChunker("chars", 60, 20)
ONE = "[P1]\n# One\n\nSame words here. Same words here. Same words here. Same words here.\n\n[P2]\n| a | b |\n|---|---|\n| 1 | 2 |\n"
TWO = "第一章 总则\n第一条 下列费用，我们不赔：\n（一）整形费用以及由此产生的其他费用；\n（二）误工费用，包括护理人员的误工费用；\n（三）交通费用；\n"
WIDE = "# Ünïts\n\nWe pay for the following:\n(a) 😀 été, and all that comes of it;\n(b) \U00020bb7, in full.\n" * 2
TEXTS = [ONE, None, "", " \n\n", TWO, "Plain."]


def rows_of(texts: list[Any], ids: list[Any], titles: list[Any] | None = None) -> list[dict[str, Any]]:
    titles = titles or [None] * len(texts)
    documents = [(i, text, title) for i, text, title in zip(ids, texts, titles, strict=True) if text is not None]
    return [row for i, text, title in documents for row in CHUNKER.chunk(text, title).to_dicts(i)]


@pytest.mark.parametrize("chunker", [CHUNKER, SentenceChunker("chars", 60), TokenChunker("chars", 60, 9)], ids=repr)
@pytest.mark.parametrize("text", [ONE, TWO, WIDE, ""], ids=["pages", "list", "wide", "empty"])
def test_rows_are_the_chunks(chunker: Any, text: str) -> None:
    chunks = chunker.chunk(text)
    rows = chunks.to_dicts("d")
    names = ["index", "text", "token_count", "start_index", "end_index", "kind", "prefix", "overlap"]
    for row, chunk in zip(rows, chunks, strict=True):
        assert {name: row[name] for name in names} == {name: getattr(chunk, name) for name in names}
        assert (row["document_id"], row["title"], row["chunk_id"]) == ("d", chunks.title, chunk.id)
        assert row["headings"] == list(chunk.headings)
        assert row["page"] == (None if chunk.page is None else list(chunk.page))
    table = chunks.to_arrow("d")
    assert table.schema == arrow.schema()
    assert table.to_pylist() == rows
    table.validate(full=True)


KINDS = [
    pa.string(),
    pa.large_string(),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.large_string()),
    *([pa.string_view()] if hasattr(pa, "string_view") else []),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_kind_of_string_column(kind: Any) -> None:
    plain = pa.table({"text": TEXTS, "id": list("abcdef"), "title": ["T", None, None, None, None, ""]})
    table = pa.table({name: plain[name].cast(kind) for name in plain.column_names})
    made = CHUNKER.chunk_arrow(table, "text", "id", "title")
    assert made.to_pylist() == rows_of(TEXTS, list("abcdef"), plain["title"].to_pylist())
    assert set(made["document_id"].to_pylist()) == {"a", "e", "f"}
    made.validate(full=True)


def test_chunked_columns_and_batches() -> None:
    expected = rows_of(TEXTS, list(range(6)))
    assert CHUNKER.chunk_arrow(pa.table({"text": pa.chunked_array([TEXTS[:1], [], TEXTS[1:]])})).to_pylist() == expected
    assert CHUNKER.chunk_arrow(pa.record_batch({"text": TEXTS})).to_pylist() == expected
    assert CHUNKER.chunk_arrow(pa.table({"text": TEXTS}).slice(4)).to_pylist() == rows_of(TEXTS[4:], [0, 1])
    for nothing in (pa.array([], pa.string()), pa.array([None, None], pa.null())):
        assert CHUNKER.chunk_arrow(pa.table({"text": nothing})).schema == arrow.schema(pa.int64())


@pytest.mark.parametrize(
    "ids", [pa.array([7, 8], pa.uint16()), pa.array([b"\xff", None]), pa.array([1.5, 2.5])], ids=str
)
def test_ids_keep_their_type(ids: Any) -> None:
    made = CHUNKER.chunk_arrow(pa.table({"text": [ONE, TWO], "key": ids}), id_column="key")
    assert made.schema == arrow.schema(ids.type)
    assert made.to_pylist() == rows_of([ONE, TWO], ids.to_pylist())


def test_a_reader_is_cut_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "DOCUMENTS", 4)
    taken = 0

    def batches() -> Iterator[Any]:
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield pa.record_batch({"text": [ONE] * 10})

    source = pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches())
    reader = CHUNKER.chunk_arrow(source)
    assert isinstance(reader, pa.RecordBatchReader)
    assert taken == 0
    each = len(CHUNKER.chunk(ONE))
    documents = 0
    for batch in reader:
        assert batch.num_rows <= 4 * each
        documents += batch.num_rows // each
        assert taken == -(-documents // 10)
        assert batch["document_id"][-1].as_py() == documents - 1
    assert documents == 1000


def test_large_documents_fill_a_batch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "CHARACTERS", 2 * len(ONE))
    batches = list(arrow.chunk_batches(CHUNKER, [pa.record_batch({"text": [ONE] * 5})]))
    assert [len(set(batch["document_id"].to_pylist())) for batch in batches] == [2, 2, 1]


def test_errors_name_column_row_and_id() -> None:
    table = pa.table({"text": TEXTS, "id": list("abcdef"), "n": range(6)})
    for arguments, message in (
        (("body",), r"text_column: there is no column 'body'; there are 'text', 'id', 'n'"),
        (("text", "key"), "id_column: there is no column 'key'"),
        (("text", None, "name"), "title_column: there is no column 'name'"),
    ):
        with pytest.raises(ValueError, match=message):
            CHUNKER.chunk_arrow(table, *arguments)
    for arguments in (("n",), ("text", None, "n")):
        with pytest.raises(TypeError, match="column 'n' holds int64, not strings"):
            CHUNKER.chunk_arrow(table, *arguments)
    with pytest.raises(TypeError, match=r"table must be a pyarrow.Table"):
        CHUNKER.chunk_arrow({"text": TEXTS})  # type: ignore[arg-type]
    broken = pa.StringArray.from_buffers(2, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pa.py_buffer(b"a\xff"))
    with pytest.raises(ValueError, match=r"column 'text', row 1 \(id 'y'\): .*can't decode"):
        CHUNKER.chunk_arrow(pa.table({"text": broken, "id": ["x", "y"]}), id_column="id")
