"""Question files, and the documents that they ask about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkfast.jsonl import parse_row

SUFFIXES = frozenset({".md", ".txt", ".html", ".tsv", ".csv"})
_MARKUP = re.compile(r"<[^<>]{1,300}>|[\s|#*]+")


class Span(NamedTuple):
    """Half-open range of code points of a document."""

    document: str
    start: int
    end: int


@dataclass(frozen=True)
class Question:
    """A question, where its answer stands, and what must stand in the same chunk for the answer to be understood."""

    id: str
    text: str
    type: str
    gold: tuple[Span, ...]
    context: tuple[Span, ...] = ()


class Source:
    """A document. Its content is what is neither white space nor mark-up (tags, pipes, `#`, `*`)."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self._alike: dict[tuple[int, int], list[tuple[int, int]]] = {}

    @cached_property
    def _positions(self) -> NDArray[np.int64]:
        mask = np.ones(len(self.text), bool)
        for found in _MARKUP.finditer(self.text):
            mask[found.start() : found.end()] = False
        return np.flatnonzero(mask)

    @cached_property
    def _content(self) -> str:
        return "".join([self.text[i] for i in self._positions.tolist()])

    def content(self, offsets: Any) -> NDArray[np.int64]:
        """Number of content characters before each offset, int64."""
        return np.asarray(np.searchsorted(self._positions, offsets), np.int64)

    def alike(self, start: int, end: int) -> list[tuple[int, int]]:
        """The content ranges in which the same words stand, that of the span itself among them."""
        if (start, end) in self._alike:
            return self._alike[start, end]
        a, b = self.content([start, end]).tolist()
        words, found = self._content[a:b], [(a, b)]
        at = self._content.find(words) if words else -1
        while at >= 0:
            if at != a:
                found.append((at, at + len(words)))
            at = self._content.find(words, at + 1)
        self._alike[start, end] = found
        return found


def read_questions(path: str | Path) -> list[Question]:
    """Read a JSONL file: `question`, `gold`; `qid`, `context` and `type` (else the file's name) where they are given.

    A span is `{"doc": name, "span": [start, end]}`.

    Raises
    ------
    ValueError
        A line that is no such object; the message names file and line.
    """
    path, questions = Path(path), []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            row = parse_row(line, number)
            if row is None:
                continue
            gold, context = _spans(row["gold"]), _spans(row.get("context", ()))
            if not gold:
                raise ValueError("gold is empty")
            identity = str(row.get("qid", f"{path.stem}-{number}"))
            questions.append(Question(identity, row["question"], row.get("type", path.stem), gold, context))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}:{number} is no question: {error!r}") from error
    return questions


def write_questions(questions: Iterable[Question], path: str | Path) -> None:
    """Write a JSONL file that `read_questions` reads."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for q in questions:
            row = {"qid": q.id, "type": q.type, "question": q.text, "gold": _rows(q.gold), "context": _rows(q.context)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _rows(spans: Iterable[Span]) -> list[dict[str, Any]]:
    return [{"doc": span.document, "span": [span.start, span.end]} for span in spans]


def _spans(rows: Iterable[Any]) -> tuple[Span, ...]:
    spans = tuple(Span(row["doc"], *map(int, row["span"])) for row in rows)
    for span in spans:
        if not 0 <= span.start < span.end:
            raise ValueError(f"span {span.start}-{span.end} is empty")
    return spans


def read_sources(root: str | Path, folders: Iterable[str] = ("",)) -> list[Source]:
    """Documents below the folders of `root`, named by their path from `root`; UTF-8, newlines kept."""
    root = Path(root)
    files = {file for folder in folders for file in (root / folder).rglob("*") if file.suffix.lower() in SUFFIXES}
    return [Source(f.relative_to(root).as_posix(), f.read_bytes().decode("utf-8")) for f in sorted(files)]
