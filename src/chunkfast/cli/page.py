"""Documents and their chunks as one page for a browser: `page.html`, filled in, with everything escaped."""

import base64
import hashlib
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader

from chunkfast import Audit, Chunk, Chunks, Heading, audit
from chunkfast.audit import LABELS
from chunkfast.cli.chunking import visible
from chunkfast.cli.drawing import ROLES, heading_line, pages, pieces
from chunkfast.cli.options import Chunker

# What a chunk can have wrong that a reader should see, in the words of a mark on the chunk.
FAULTS: Mapping[str, str] = {
    "mixed": "mixes sections",
    "headless": "table without its header",
    "leadless": "item without its lead-in",
    "cuts": "cut inside a sentence or row",
    "graphemes": "cut inside a grapheme",
    "over": "over the limit",
    "lone_headings": "heading alone",
}
_ROW = re.compile(r"\s*\||.*\S(?:\t| +\| +)\S")


@dataclass(frozen=True)
class Shown:
    """A document with the chunks that each chunker makes of it."""

    id: str
    text: str
    outline: Sequence[Heading]
    chunks: Mapping[str, Chunks]


def render(documents: Sequence[Shown], chunkers: Mapping[str, Chunker], shown: int = 1) -> Iterator[str]:
    """The parts of the page; the first `shown` chunkers are visible side by side, the others can be switched on."""
    files = PackageLoader("chunkfast.cli", ".")
    environment = Environment(loader=files, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["visible"] = visible
    script, _, _ = files.get_source(environment, "page.js")
    views = [
        _view(number, name, chunker, documents, number < shown)
        for number, (name, chunker) in enumerate(chunkers.items())
    ]
    return environment.get_template("page.html").generate(
        title=", ".join(dict.fromkeys(next(iter(d.chunks.values())).title or d.id for d in documents)) or "chunkfast",
        documents=[
            {"id": document.id, "title": views[0]["documents"][n]["title"], "outline": _outline(n, document, views[0])}
            for n, document in enumerate(documents)
        ],
        views=views,
        roles=ROLES,
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _view(number: int, name: str, chunker: Chunker, documents: Sequence[Shown], shown: bool) -> dict[str, Any]:
    audits = [audit(document.text, document.chunks[name], chunk_size=chunker.limit) for document in documents]
    total = Audit.sum(audits)
    counts = total.counts()
    tokens = [count for document in documents for count in document.chunks[name].token_counts.tolist()]
    return {
        "number": number,
        "name": name,
        "shown": shown,
        "settings": {
            field.name: value.name if field.name == "tokenizer" else value
            for field in fields(chunker)
            if (value := getattr(chunker, field.name)) not in (None, ())
        },
        "chunks": len(tokens),
        "mean": round(sum(tokens) / len(tokens)) if tokens else 0,
        "most": max(tokens, default=0),
        "stored": total.stored.share or 0,
        "faults": [(LABELS[kind], count) for kind in FAULTS if (count := counts[kind]) is not None],
        "documents": [
            {
                "id": document.id,
                "title": document.chunks[name].title,
                "starts": _own_starts(document.chunks[name]),
                "chunks": _chunks(document.chunks[name], verdict, chunker.limit),
            }
            for document, verdict in zip(documents, audits, strict=True)
        ],
    }


def _chunks(chunks: Chunks, verdict: Audit, limit: int) -> Iterator[dict[str, Any]]:
    faults: dict[int, Counter[str]] = defaultdict(Counter)
    for fault in verdict.faults:
        if fault.kind in FAULTS:
            faults[fault.chunk][FAULTS[fault.kind]] += 1
    for chunk in chunks:
        yield {
            "chunk": chunk,
            "start": _own_start(chunk),
            "fill": min(100, round(100 * chunk.token_count / limit)),
            "pages": pages(chunk.page) if chunk.page else None,
            "pieces": [
                (role, grid, text) for role, piece in pieces(chunk) for grid, text in _lines(visible(piece), chunk.kind)
            ],
            "faults": faults.get(chunk.index, {}),
        }


def _lines(piece: str, kind: str) -> Iterator[tuple[bool, str]]:
    """A piece in runs of lines: those of code and of tables in text (True) are shown unfolded, in columns."""
    fenced = False

    def is_grid(line: str) -> bool:
        nonlocal fenced
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced ^= fence
        return fenced or fence or kind == "code" or bool(_ROW.match(line))

    for grid, lines in groupby(piece.split("\n"), is_grid):
        yield grid, "".join(f"{line}\n" for line in lines)  # a browser drops the last of them


def _own_start(chunk: Chunk) -> int:
    return chunk.start_index + len(chunk.overlap)


def _own_starts(chunks: Chunks) -> list[int]:
    return [_own_start(chunk) for chunk in chunks]


def _outline(number: int, document: Shown, view: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each heading, with the chunk of a view that it is in."""
    starts = view["documents"][number]["starts"]
    for heading in document.outline:
        yield {
            "line": heading_line(heading),
            "level": heading.level,
            "start": heading.start_index,
            "chunk": max(bisect_right(starts, heading.start_index) - 1, 0),
        }
