"""Imports point one way: a module of the package imports only what stands below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import chunkfast

ROOT = Path(chunkfast.__file__).parent
# From the bottom; modules of one layer may use each other only where their layer is a folder of its own.
LAYERS = (
    {"_core", "jsonl", "tokenizer_json", "patterns"},
    {"arguments", "definition"},
    {"wordpiece", "unigram", "char_bpe"},
    {"native"},
    {"tokens"},
    {"structure", "planner", "chunks", "auditing"},
    {"chunker"},
    {"token_chunker", "sentence_chunker", "structure_chunker", "audit", "diff", "arrow"},
    {"spark", "ray"},
    {""},  # chunkfast itself: the public names
    {"adapters", "evaluation"},
    {"cli"},
)
LATER = {("chunks", "arrow"), ("chunker", "arrow")}  # inside methods: to_arrow needs an extra


def layer_of(module: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if module in layer)


def imports() -> Iterator[tuple[str, str]]:
    """(importing, imported): first part of the names below `chunkfast`; what stands under TYPE_CHECKING counts not."""
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).with_suffix("").parts[0].removesuffix("__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        typing_only = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").startswith("chunkfast")
                and id(node) not in typing_only
            ):
                below = (
                    [alias.name for alias in node.names]
                    if node.module == "chunkfast"
                    else [str(node.module).split(".")[1]]
                )
                modules = {below_name for layer in LAYERS for below_name in layer}
                yield from ((name, module if module in modules else "") for module in below)


def test_imports_point_down() -> None:
    wrong = [
        (above, below)
        for above, below in imports()
        if above and above != below and (above, below) not in LATER and layer_of(above) <= layer_of(below)
    ]
    assert not wrong
