"""LlamaIndex (extra `llama-index`): a `NodeParser` over a chunker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.bridge.pydantic import Field, field_serializer, field_validator
from llama_index.core.node_parser.interface import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits, default_id_func
from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
from llama_index.core.utils import get_tqdm_iterable

from chunkfast import Chunk
from chunkfast.adapters.settings import AnyChunker, from_settings, to_settings, with_reserved

__all__ = ["ChunkfastNodeParser"]


class ChunkfastNodeParser(NodeParser):
    """Split LlamaIndex documents with a chunker.

    A document's `title` metadata is the title of its nodes. The tokens of the metadata that is embedded, or shown to
    the model, are taken off the limit, so that a node fits with them. Nodes have the chunks' offsets in code points,
    and their ids, unless `id_func` is given; equal chunks of two documents have equal ids.

    Parameters
    ----------
    chunker : TokenChunker, SentenceChunker or StructureChunker
    include_metadata, include_prev_next_rel, callback_manager, id_func
        As for every `NodeParser`.
    """

    chunker: Any = Field(description="A chunker of chunkfast.")

    def __init__(self, chunker: AnyChunker, **settings: Any) -> None:
        if settings.get("id_func") == {"id_func_name": "default_id_func", "title": "id_func"}:
            del settings["id_func"]  # as `to_dict` writes it
        super().__init__(chunker=chunker, **settings)  # type: ignore[call-arg]  # a field of pydantic

    @field_validator("chunker", mode="before")
    @classmethod
    def _loaded(cls, chunker: Any) -> Any:
        return from_settings(chunker) if isinstance(chunker, dict) else chunker

    @field_serializer("chunker")
    def _saved(self, chunker: Any) -> dict[str, Any]:
        return to_settings(chunker)

    @classmethod
    def class_name(cls) -> str:
        return "ChunkfastNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            title = node.metadata.get("title")
            chunks = self._chunker_for(node).chunk(
                node.get_content(metadata_mode=MetadataMode.NONE), title if isinstance(title, str) else None
            )
            made = build_nodes_from_splits(
                chunks.texts,
                node,
                id_func=self._id_of(chunks.ids) if self.id_func is default_id_func else self.id_func,
            )
            for chunk, part in zip(chunks, made, strict=True):
                _place(part, chunk)
            parsed += made
        return parsed

    def _chunker_for(self, node: BaseNode) -> AnyChunker:
        """The chunker with the tokens of the node's metadata reserved."""
        chunker: AnyChunker = self.chunker
        shown = [node.get_metadata_str(mode) for mode in (MetadataMode.EMBED, MetadataMode.LLM)]
        if not self.include_metadata or not any(shown):
            return chunker
        separator = "\n\n"  # of the default text_template, between metadata and text
        reserved = max(chunker.tokenizer.count(text + separator) for text in shown)
        try:
            return with_reserved(chunker, reserved)
        except ValueError as error:
            raise ValueError(f"node {node.node_id!r}: its metadata leaves no room for text: {error}") from error

    @staticmethod
    def _id_of(ids: Sequence[str]) -> Any:
        return lambda i, document: ids[i]

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """As usual, with the true places put back: LlamaIndex searches for the text, and finds another or none."""
        places = [(node.start_char_idx, node.end_char_idx) for node in nodes if isinstance(node, TextNode)]
        done: list[BaseNode] = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, place in zip((node for node in done if isinstance(node, TextNode)), places, strict=True):
            node.start_char_idx, node.end_char_idx = place
        return done


def _place(node: TextNode, chunk: Chunk) -> None:
    node.start_char_idx, node.end_char_idx = chunk.start_index, chunk.end_index
