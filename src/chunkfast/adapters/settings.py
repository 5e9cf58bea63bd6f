"""A chunker as plain data, for the libraries that write their pipelines to files."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, load_tokenizer

__all__ = ["AnyChunker", "from_settings", "to_settings", "with_reserved"]

AnyChunker: TypeAlias = TokenChunker | SentenceChunker | StructureChunker
_CLASSES: Mapping[str, type[AnyChunker]] = {
    made.__name__: made for made in (TokenChunker, SentenceChunker, StructureChunker)
}


def to_settings(chunker: AnyChunker) -> dict[str, Any]:
    """The class and settings of a chunker, fit for JSON and YAML.

    Raises
    ------
    ValueError
        Its tokenizer was given as an object: only a name, a path or a Hub id can be written down.
    """
    name = chunker.tokenizer.name
    try:
        written = load_tokenizer(name) == chunker.tokenizer
    except ValueError:
        written = False
    if not written:
        raise ValueError(f"tokenizer {name!r} can't be written to a file: give a name, a path or a Hub id instead")
    return {"class": type(chunker).__name__, **_arguments(chunker), "tokenizer": name}


def _arguments(chunker: AnyChunker) -> dict[str, Any]:
    settings = {field.name: getattr(chunker, field.name) for field in dataclasses.fields(chunker)}
    if "size_rules" in settings:
        settings["size_rules"] = dict(settings["size_rules"]) or None
        settings["extra_headings"] = list(settings["extra_headings"])
    return settings


def with_reserved(chunker: AnyChunker, tokens: int) -> AnyChunker:
    """The chunker with so many more tokens taken off its limit; a ValueError where none are left."""
    arguments = _arguments(chunker)
    arguments["reserve_tokens"] += tokens
    return type(chunker)(**arguments)


def from_settings(settings: Mapping[str, Any]) -> AnyChunker:
    """The chunker that `to_settings` wrote.

    Raises
    ------
    ValueError
        There is no such class, or a setting is out of range.
    """
    values = dict(settings)
    name = values.pop("class", None)
    if name not in _CLASSES:
        raise ValueError(f"class must be one of {', '.join(_CLASSES)}, not {name!r}")
    return _CLASSES[name](**values)
