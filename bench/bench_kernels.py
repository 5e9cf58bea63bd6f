"""The kernels alone: sentence ends, structure, token windows, and what they are measured against."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from chunkfast import TokenChunker, _core, outline, split_sentences

TABLE = "Kernels"
END = re.compile(r"[。！？!?…；]+[”’』」）》)\]]*|\.(?=\s)|\n+")
COLUMNS = ("English", "Chinese", "rate tables")


def column(request: pytest.FixtureRequest) -> str:
    return str(request.node.callspec.params["text"])


KERNELS: dict[str, Callable[[str], Any]] = {
    "sentence ends": _core.sentence_ends,
    "sentence ends as str (split_sentences)": split_sentences,
    "sentence ends, one `re`": lambda text: [m.end() for m in END.finditer(text)],
    "structure (parse)": _core.parse,
    "outline as Heading objects": outline,
    "grapheme clusters": _core.grapheme_ends,
    "token windows, chars": TokenChunker("chars").chunk,
    "splitlines of str": str.splitlines,
    "encode to UTF-8": str.encode,
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest) -> None:
    measure(TABLE, name, column(request), KERNELS[name], text, size=len(text.encode()))
