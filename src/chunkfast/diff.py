"""What an index has to do when documents are chunked anew: embed, keep, move or delete each chunk."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from chunkfast.arguments import check_choice, check_iterable, describe

__all__ = ["Action", "Diff", "diff"]

Kind: TypeAlias = Literal["embed", "keep", "move", "delete"]
Embedded: TypeAlias = Literal["context", "text"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Action(NamedTuple):
    """What to do with one chunk.

    Attributes
    ----------
    action : str
        "embed": it is new, or replaces what stood under its id. "keep": nothing has changed. "move": its vector stays
        right, but its place, id or document has changed. "delete": it is no more.
    document_id, chunk_id : object
        The new chunk's; None for "delete".
    old_document_id, old_chunk_id : object
        The old chunk's; None for "embed".
    index, start_index, end_index, token_count : int or None
        The new chunk's, the old one's for "delete".
    """

    action: Kind
    document_id: Any
    chunk_id: Any
    old_document_id: Any
    old_chunk_id: Any
    index: int | None  # type: ignore[assignment]  # goes before tuple.index
    start_index: int | None
    end_index: int | None
    token_count: int | None


@dataclass(frozen=True)
class Diff:
    """The actions that make an old index a new one: those of the new chunks in their order, then what to delete."""

    actions: tuple[Action, ...]

    def count(self, kind: Kind) -> int:
        """Number of chunks with an action."""
        return sum(action.action == kind for action in self.actions)

    def tokens(self, kind: Kind) -> int | None:
        """Tokens of the chunks with an action; None where a chunk has no token count."""
        counts = [action.token_count for action in self.actions if action.action == kind]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    @property
    def saved(self) -> float | None:
        """Share of the new chunks that need no embedding; None where there are none."""
        chunks = len(self.actions) - self.count("delete")
        return (self.count("keep") + self.count("move")) / chunks if chunks else None

    @property
    def saved_tokens(self) -> float | None:
        """The same share in tokens; None where they are not known."""
        embed, keep, move = self.tokens("embed"), self.tokens("keep"), self.tokens("move")
        if embed is None or keep is None or move is None or embed + keep + move == 0:
            return None
        return (keep + move) / (embed + keep + move)


class _Row(NamedTuple):
    document: Any
    id: Any
    content: bytes
    place: tuple[Any, Any, Any]  # index, start_index, end_index
    tokens: int | None


def diff(old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]], embedded: Embedded = "context") -> Diff:
    """Compare two sets of chunks.

    A chunk keeps its vector if what was embedded is the same. It is looked for under the same document and id first,
    then among all old chunks that are left.

    Parameters
    ----------
    old, new : iterable of mapping
        Rows as `Chunks.to_dicts` makes them and `chunkfast chunk` writes them; `text` is needed, the rest may be
        missing.
    embedded : {"context", "text"}
        What was embedded: title, headings and text (`Chunk.contextualize`), or the text alone.

    Raises
    ------
    TypeError
        `old` or `new` is no iterable, or one of its rows no mapping.
    ValueError
        A row without a text, or two of one set with the same document and id; `embedded` is something else.
    """
    check_choice("embedded", embedded, get_args(Embedded))
    before, after = _rows("old", old, embedded), _rows("new", new, embedded)
    left = dict(before)
    sources: list[_Row | None] = [None] * len(after)
    for i, (name, row) in enumerate(after.items()):
        if name in left and left[name].content == row.content:
            sources[i] = left.pop(name)
    by_content: dict[bytes, deque[Any]] = defaultdict(deque)
    for name, row in left.items():
        by_content[row.content].append(name)
    for i, row in enumerate(after.values()):
        if sources[i] is None and by_content.get(row.content):
            sources[i] = left.pop(by_content[row.content].popleft())
    actions = [_action(row, source) for row, source in zip(after.values(), sources, strict=True)]
    gone = [row for name, row in left.items() if name not in after]  # what is embedded anew replaces the old one
    actions += [Action._make(("delete", None, None, row.document, row.id, *row.place, row.tokens)) for row in gone]
    return Diff(tuple(actions))


def _action(row: _Row, source: _Row | None) -> Action:
    kind: Kind = "embed"
    if source is not None:
        same = (source.document, source.id, source.place) == (row.document, row.id, row.place)
        kind = "keep" if same else "move"
    old = (None, None) if source is None else (source.document, source.id)
    return Action._make((kind, row.document, row.id, *old, *row.place, row.tokens))


def _rows(side: str, rows: Iterable[Mapping[str, Any]], embedded: Embedded) -> dict[tuple[Any, Any], _Row]:
    found: dict[tuple[Any, Any], _Row] = {}
    alike: dict[tuple[Any, bytes], int] = {}
    check_iterable(side, rows, "mappings")
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"{side}[{number}] must be a mapping, not {describe(row)}")
        text, headings = row.get("text"), row.get("headings")
        if not isinstance(text, str):
            raise ValueError(f"{side}[{number}] has no text")
        if headings is not None:
            check_iterable(f"headings of {side}[{number}]", headings, "str")
        parts = [text] if embedded == "text" else [row.get("title") or "", *(headings or ()), text]
        digest = hashlib.blake2b(digest_size=16)
        for part in parts:
            data = str(part).encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        identity = row.get("chunk_id")
        if identity is None:  # what is embedded, and which one of those that are alike
            content = row.get("document_id"), digest.digest()
            alike[content] = alike.get(content, 0) + 1
            identity = f"{digest.hexdigest()}-{alike[content]}"
        name = row.get("document_id"), identity
        if name in found:
            raise ValueError(f"{side}[{number}] has the document and id of a row before: {name}")
        place = row.get("index"), row.get("start_index"), row.get("end_index")
        found[name] = _Row(*name, digest.digest(), place, row.get("token_count"))
    return found
