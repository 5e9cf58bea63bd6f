"""Each adapter against the real library: the chunks, ids and offsets of `chunk()`, and the host's own settings."""

import json
from typing import Any

import pytest

from chunkfast import StructureChunker

TEXT = "# One\n\nSame words here. Same words here. Same words here. Same words here. Same words here.\n\n# Two\n\nSame words here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
CHUNKER = StructureChunker("chars", 60, 20)
CHUNKS = list(CHUNKER.chunk(TEXT, "Title"))
META = {"title": "Title", "tags": ["x"]}


def installed(module: str, extra: str) -> None:
    pytest.importorskip(module, reason=f"needs chunkfast[{extra}]")


def test_langchain() -> None:
    installed("langchain_text_splitters", "langchain")
    from langchain_core.documents import Document

    from chunkfast.adapters.langchain import ChunkfastTextSplitter

    splitter = ChunkfastTextSplitter(CHUNKER, add_start_index=True)
    sources = [Document(TEXT, metadata=META), Document(TEXT, metadata=META)]
    made = splitter.split_documents(sources)
    assert [(d.page_content, *map(d.metadata.get, ("chunk_id", "start_index", "end_index"))) for d in made] == 2 * [
        (c.text, c.id, c.start_index, c.end_index) for c in CHUNKS
    ]
    made[0].metadata["tags"].append("y")
    assert META["tags"] == made[1].metadata["tags"] == ["x"]
    assert "start_index" not in ChunkfastTextSplitter(CHUNKER).create_documents([TEXT])[0].metadata


def test_langchain_ids() -> None:
    """A store that is filled in several calls keeps the chunks of all documents, and replaces those of one it has."""
    installed("langchain_text_splitters", "langchain")
    from langchain_core.documents import Document

    from chunkfast.adapters.langchain import ChunkfastTextSplitter

    splitter = ChunkfastTextSplitter(CHUNKER)
    assert [d.id for d in splitter.create_documents([TEXT], [META])] == [c.id for c in CHUNKS]
    about = [{"source": "a.md"}, {"source": "b.md"}, {"source": "a.md", "page": 2}, {}, {}]
    sources = [*(Document(TEXT, metadata=m) for m in about), Document(TEXT, id="a.md"), Document(TEXT, id="b")]
    ids = [d.id for d in splitter.split_documents(sources[:5])]
    assert len(set(ids)) == len(ids)
    assert ids == [d.id for d in splitter.create_documents([TEXT] * 5, about)], "the same in every run"
    apart = [{d.id for d in splitter.split_documents([source])} for source in sources]
    assert apart[0] == apart[2] == apart[5]
    assert not any(apart[0] & apart[other] for other in (1, 3, 6))


def test_llama_index() -> None:
    installed("llama_index.core", "llama-index")
    from llama_index.core.schema import Document, MetadataMode

    from chunkfast.adapters.llama_index import ChunkfastNodeParser

    parser = ChunkfastNodeParser(CHUNKER)
    nodes: list[Any] = parser.get_nodes_from_documents([Document(text=TEXT, id_="d")])
    assert [(n.node_id, n.text, n.start_char_idx, n.end_char_idx, n.ref_doc_id) for n in nodes] == [
        (c.id, c.text, c.start_index, c.end_index, "d") for c in CHUNKER.chunk(TEXT)
    ]
    assert nodes[0].next_node.node_id == nodes[1].node_id
    copy = ChunkfastNodeParser.from_dict(json.loads(json.dumps(parser.to_dict())))
    assert copy.chunker == CHUNKER
    for node in parser.get_nodes_from_documents([Document(text=TEXT, metadata={"title": "Title"})]):
        assert len(node.get_content(metadata_mode=MetadataMode.EMBED)) <= CHUNKER.limit
    with pytest.raises(ValueError, match="metadata leaves no room"):
        parser.get_nodes_from_documents([Document(text=TEXT, metadata={"long": "x" * 99})])


def test_haystack() -> None:
    installed("haystack", "haystack")
    from haystack import Document

    from chunkfast.adapters.haystack import ChunkfastDocumentSplitter

    splitter = ChunkfastDocumentSplitter.from_dict(json.loads(json.dumps(ChunkfastDocumentSplitter(CHUNKER).to_dict())))
    assert splitter.chunker == CHUNKER
    source = Document(content=TEXT, meta=META)
    parts = splitter.run([source])["documents"]
    assert [(p.content, p.meta["chunk_id"], p.meta["split_id"], p.meta["split_idx_start"]) for p in parts] == [
        (c.text, c.id, c.index, c.start_index) for c in CHUNKS
    ]
    assert {p.meta["source_id"] for p in parts} == {source.id}
    by_id = {p.id: p for p in parts}
    shared = [(p, entry) for p in parts for entry in p.meta["_split_overlap"]]
    assert shared
    for part, entry in shared:
        back = next(e for e in by_id[entry["doc_id"]].meta["_split_overlap"] if e["doc_id"] == part.id)
        assert by_id[entry["doc_id"]].content[slice(*entry["range"])] == part.content[slice(*back["range"])]
    with pytest.raises(ValueError, match="has no text"):
        splitter.run([Document(content=None)])
    with pytest.raises(ValueError, match="can't be written"):
        ChunkfastDocumentSplitter(StructureChunker(len, 60)).to_dict()


def test_chonkie() -> None:
    installed("chonkie", "chonkie")
    from chonkie.types import Document

    from chunkfast.adapters.chonkie import ChunkfastChunker

    chunker = ChunkfastChunker(CHUNKER)
    expected = [(c.id, c.text, c.start_index, c.end_index, c.token_count) for c in CHUNKER.chunk(TEXT)]
    for made in (chunker(TEXT), *chunker([TEXT, TEXT]), chunker.chunk_document(Document(content=TEXT)).chunks):
        assert [(c.id, c.text, c.start_index, c.end_index, c.token_count) for c in made] == expected
