"""Generation 3: by section, then block, then sentence, with header rows and lead-ins repeated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from chunkfast import _core, planner
from chunkfast.arguments import MOST, check_choice, check_int, describe
from chunkfast.chunker import Chunker
from chunkfast.chunks import Chunks, HeadingPaths

if TYPE_CHECKING:
    from chunkfast.tokens import Int64Array, TokenizerLike

__all__ = ["StructureChunker", "split_table"]

Headings = Literal["metadata", "prepend"]
TableFormat = Literal["auto", "markdown", "source", "rows"]
DocumentKind = Literal["insurance", "law", "markdown", "general"]

_TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)  # in the order of _core.parse
_NO_LIMIT = MOST
_PRESETS: dict[str, dict[str, Any]] = {
    # By measurement, docs/quality.md; 1536 for key clauses is the published account's.
    "insurance": {
        "chunk_size": 1024,
        "chunk_overlap": 0,
        "pack_size": 220,
        "size_rules": {"责任免除|保险责任": 1536},
    },
    "law": {"chunk_size": 1024, "pack_size": 384},
    "markdown": {"chunk_size": 1024, "pack_size": 384},
    "general": {"chunk_size": 512, "chunk_overlap": 50, "pack_size": 384},
}


@dataclass(frozen=True, init=False)
class StructureChunker(Chunker):
    """Generation 3: chunks that follow the document's sections, paragraphs, lists and tables.

    No chunk holds text of two sections. A paragraph, list or table that fits is not cut. A large table is cut between
    rows and a long list between items, and each slice begins with the header rows, or the lead-in, that it can't be
    understood without.

    Parameters
    ----------
    tokenizer
        See `load_tokenizer`.
    chunk_size : int
        Most tokens of a chunk, prefix and overlap included.
    chunk_overlap : int, optional
        Tokens repeated from the chunk before in the same section, at most, from the start of a sentence on; None: 100,
        or a quarter of the limit where that is less.
    table_size, list_size : int or None
        Tables and lists over it are cut in slices of about so many tokens, table slices of three rows at least; None:
        `chunk_size` alone cuts them, as it does lists written inside one paragraph.
    pack_size : int
        Whole small sections that follow each other under one heading, and have none below them, share a chunk of at
        most so many tokens, and whole paragraphs of one section do; 0: each section is by itself, and its paragraphs
        share chunks of `chunk_size`.
    size_rules : mapping of str to int, optional
        Other limits for some sections: the first regular expression that is found in the heading path (headings joined
        by " > ") gives the section's `chunk_size`.
    headings : {"metadata", "prepend"}
        "prepend" puts title and heading path at the head of each chunk's text, as part of its prefix, inside the limit.
    table_format : {"auto", "markdown", "source", "rows"}
        "auto" renders HTML tables, and pipe tables with spans, as compact Markdown and leaves the others as they are;
        "markdown" renders all, "source" none; "rows" writes `column: value; ...` for each row.
    extra_headings : sequence of str, optional
        Regular expressions for headings that no numbering or mark tells, outermost first: a line that one matches from
        its first character on is a heading, and those that are found by themselves stand below.
    reserve_tokens : int
        Taken off `chunk_size` and the sizes of `size_rules`, for tokens that a model adds.

    Raises
    ------
    TypeError, ValueError
        A setting of the wrong type or out of range; `chunk_overlap >= chunk_size`; a pattern that is no regular
        expression; a tokenizer that can't be loaded.
    """

    chunk_overlap: int
    table_size: int | None
    list_size: int | None
    pack_size: int
    size_rules: tuple[tuple[str, int], ...]
    headings: Headings
    table_format: TableFormat
    extra_headings: tuple[str, ...]

    def __init__(
        self,
        tokenizer: TokenizerLike,
        chunk_size: int = 1024,
        chunk_overlap: int | None = None,
        table_size: int | None = 300,
        list_size: int | None = 300,
        pack_size: int = 0,
        size_rules: Mapping[str, int] | None = None,
        headings: Headings = "metadata",
        table_format: TableFormat = "auto",
        extra_headings: Sequence[str] | None = None,
        *,
        reserve_tokens: int = 0,
    ) -> None:
        self._set("tokenizer", tokenizer)
        self._set("chunk_size", chunk_size)
        self._set("chunk_overlap", chunk_overlap)
        self._set("reserve_tokens", reserve_tokens)
        self.__post_init__()
        self._check_overlap(100)
        self._set("table_size", None if table_size is None else check_int("table_size", table_size, 1))
        self._set("list_size", None if list_size is None else check_int("list_size", list_size, 1))
        self._set("pack_size", check_int("pack_size", pack_size, 0))
        self._set("size_rules", _checked_rules(size_rules, self.reserve_tokens))
        self._set("headings", check_choice("headings", headings, get_args(Headings)))
        self._set("table_format", check_choice("table_format", table_format, _TABLE_FORMATS))
        self._set(
            "extra_headings", () if extra_headings is None else _checked_patterns("extra_headings", extra_headings)
        )

    @classmethod
    def for_documents(cls, kind: DocumentKind, tokenizer: TokenizerLike, **settings: Any) -> StructureChunker:
        """A chunker with well-tried settings for a kind of document: "insurance", "law", "markdown" or "general".

        `settings` are those of the class and go before the preset's. A preset's `chunk_overlap` and `size_rules` go
        with its own `chunk_size` only: another is the limit of every chunk.
        """
        preset = _PRESETS[check_choice("kind", kind, tuple(_PRESETS))]
        if "chunk_size" in settings:
            preset = {name: value for name, value in preset.items() if name not in ("chunk_overlap", "size_rules")}
        return cls(tokenizer, **{**preset, **settings})

    def _cutter(self) -> _core.Cutter:
        rules = [re.compile(pattern) for pattern in self.extra_headings]
        limits = [(re.compile(pattern), size - self.reserve_tokens) for pattern, size in self.size_rules]
        return _core.StructureCutter(
            self.tokenizer,
            self.limit,
            self.chunk_overlap,
            _NO_LIMIT if self.table_size is None else self.table_size,
            _NO_LIMIT if self.list_size is None else self.list_size,
            self.pack_size,
            _TABLE_FORMATS.index(self.table_format),
            self.headings == "prepend",
            planner.shorten,
            len(self.extra_headings),
            partial(_find_headings, rules) if rules else None,
            partial(_find_limits, self.limit, limits) if limits else None,
        )


def _find_headings(rules: Sequence[re.Pattern[str]], text: str) -> Int64Array:
    """(start, level) of each line that a rule matches, the outermost where several do."""
    starts = (line.start() for line in re.finditer("^", text, re.MULTILINE))
    levels = ((start, next((k for k, rule in enumerate(rules, 1) if rule.match(text, start)), 0)) for start in starts)
    return np.array([(start, level) for start, level in levels if level], np.int64).reshape(-1, 2)


def _find_limits(limit: int, rules: Sequence[tuple[re.Pattern[str], int]], rows: _core.Rows) -> Int64Array:
    """The limit of each section's text, by the first rule that its path of headings matches, then that of the text
    before the first heading."""
    paths = HeadingPaths(rows)
    limits = np.full(len(paths), limit, np.int64)
    for section in range(len(paths) - 1):
        path = " > ".join(paths[section])
        limits[section] = next((size for rule, size in rules if rule.search(path)), limit)
    return limits


def split_table(text: str, title: str | None = None, max_size: int = 300, tokenizer: TokenizerLike = "chars") -> Chunks:
    """Cut the tables of a text in slices of at most `max_size` tokens, each with its header.

    Parameters
    ----------
    text : str
        A table, with its caption or other text around it.
    title : str, optional
        As for `StructureChunker.chunk`.
    max_size : int
        Most tokens of a slice.
    tokenizer
        See `load_tokenizer`.

    Raises
    ------
    TypeError, ValueError
        As `StructureChunker` and its `chunk`.
    """
    size = check_int("max_size", max_size, 1)
    return StructureChunker(tokenizer, size, 0, table_size=size, list_size=None).chunk(text, title)


def _checked_patterns(name: str, patterns: object) -> tuple[str, ...]:
    if isinstance(patterns, str | bytes) or not isinstance(patterns, Sequence):
        raise TypeError(f"{name} must be a sequence of str, not {describe(patterns)}")
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise TypeError(f"{name} must hold str, not {describe(pattern)}")
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{name}: {pattern!r:.80} is not a regular expression: {error}") from None
    return tuple(patterns)


def _checked_rules(rules: object, reserve_tokens: int) -> tuple[tuple[str, int], ...]:
    if rules is None:
        return ()
    if not isinstance(rules, Mapping):
        raise TypeError(f"size_rules must be a mapping of str to int, not {describe(rules)}")
    patterns = _checked_patterns("size_rules", tuple(rules))
    return tuple((p, check_int(f"size_rules[{p!r}]", rules[p], reserve_tokens + 1)) for p in patterns)
