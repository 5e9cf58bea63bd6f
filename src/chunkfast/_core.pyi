"""The native core. `int64` and `uint8` arrays must be C-contiguous; see `_core.pyx` for what is checked."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, disjoint_base

_Int32: TypeAlias = NDArray[np.int32]
_Int64: TypeAlias = NDArray[np.int64]
_UInt8: TypeAlias = NDArray[np.uint8]

BLOCK_KINDS: tuple[str, ...]

# -- text and structure

def grapheme_ends(text: str) -> list[int]: ...
def read_mark(line: str) -> dict[str, Any] | None: ...
def wrap_width(text: str) -> int: ...
def blake2b(data: bytes, step: int = ...) -> bytes: ...
def sentence_ends(text: str, wrap: int | None = None) -> _Int64: ...
def header_level(line: str) -> int: ...
def parse(
    text: str, table_format: int = 0, extra_headings: _Int64 | None = None, extra_levels: int = 0
) -> Document: ...

@disjoint_base
class Document:
    @property
    def text(self) -> str: ...
    @property
    def wrap(self) -> int: ...
    def blocks(self) -> list[tuple[str, int, int, int, int, int, int, int]]: ...
    def items(self) -> list[tuple[int, int, int, int]]: ...
    def heading_leads(self) -> list[tuple[int, int, int]]: ...
    def heading_lines(self) -> list[tuple[int, int]]: ...
    def headings(self) -> list[tuple[int, ...]]: ...
    def title(self) -> tuple[int, int]: ...
    def rendered_text(self) -> str: ...
    def tables(self) -> list[dict[str, Any]]: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def cells(self) -> list[dict[str, Any]]: ...
    def lines(self) -> list[tuple[int, int, int, int, int, int]]: ...

# -- token counters

@disjoint_base
class Counter:
    @property
    def additive(self) -> bool: ...
    def count(self, text: str) -> int: ...
    def token_starts(self, text: str) -> _Int64: ...
    def ranks(self, text: str, positions: _Int64) -> tuple[_Int64, _UInt8]: ...
    def token_places(self, text: str) -> tuple[_Int64, _Int64]: ...
    def count_windows(self, text: str, windows: _Int64, places: _Int64) -> _Int64: ...
    def count_spans(self, text: str, starts: _Int64, ends: _Int64) -> _Int64: ...

class Chars(Counter):
    def __new__(cls) -> Self: ...

class Bytes(Counter):
    def __new__(cls) -> Self: ...

@disjoint_base
class WordPiece(Counter):
    def __init__(
        self,
        tokens: str,
        lengths: _Int32,
        prefix: str,
        longest_word: int,
        clean_text: bool,
        handle_chinese_chars: bool,
        strip_accents: bool,
        lowercase: bool,
    ) -> None: ...

@disjoint_base
class Unigram(Counter):
    def __init__(
        self,
        tokens: str,
        lengths: _Int32,
        scores: NDArray[np.float64],
        unknown: int,
        unknown_score: float,
        byte_fallback: bool,
        charsmap: bytes,
        metaspace: str,
        scheme: str,
        split_blanks: bool,
        squeeze: str,
        strip_left: bool,
        strip_right: bool,
    ) -> None: ...

@disjoint_base
class CharBPE(Counter):
    def __init__(
        self,
        tokens: str,
        lengths: _Int32,
        ids: NDArray[np.uint32],
        merges: str,
        merge_lengths: _Int32,
        put: str,
    ) -> None: ...

class EncoderNeeded(ValueError): ...

@disjoint_base
class ByteBPE(Counter):
    def __new__(
        cls,
        *,
        tokens: str,
        lengths: _Int32,
        ids: _Int32,
        merges: str,
        merge_lengths: _Int32,
        ignore_merges: bool,
        segments: _Int32,
        cell_class: bytes,
        table: bytes,
        kinds: bytes,
        added: list[tuple[str, bool, bool]],
        nfc: bool,
    ) -> Self: ...

# -- chunks

def find_surrogate(text: str) -> int: ...
def is_boundary(text: str, position: int) -> bool: ...
def rows_of(
    source: str,
    rendered: str,
    pieces: _Int64,
    piece_ends: _Int64,
    spans: _Int64,
    span_ends: _Int64,
    columns: _Int64,
    pages: _Int64,
    headings: _Int64,
    title_start: int,
    title_end: int,
) -> Rows: ...

@disjoint_base
class Rows:
    @property
    def source(self) -> str: ...
    @property
    def rendered(self) -> str: ...
    def __len__(self) -> int: ...
    def text(self, i: int) -> str: ...
    def texts(self) -> list[str]: ...
    def spans(self, i: int) -> tuple[tuple[int, int], ...]: ...
    def row(self, i: int) -> tuple[int, int, int, int, int, int, int]: ...
    def page(self, i: int) -> tuple[int, int] | None: ...
    def column(self, which: int) -> _Int64: ...
    def heading_count(self) -> int: ...
    def heading(self, section: int) -> tuple[str, int]: ...
    def title(self) -> str: ...
    def ids(self) -> list[str]: ...

_Utf8: TypeAlias = tuple[_UInt8, _Int64]

def columns_of(
    documents: list[Rows],
) -> tuple[_Utf8, _Utf8, _Utf8, _Utf8, _Int64, _UInt8, _Int64, _Int64]: ...

class _Counts(Protocol):
    """What a cutter asks of a `chunkfast.tokens.TokenCounter`."""

    is_additive: bool
    tokens_per_character: int

    @property
    def model(self) -> Counter | None: ...
    def token_starts(self, text: str) -> _Int64: ...
    def count_batch(self, texts: Sequence[str]) -> _Int64: ...
    def ranks(self, text: str, positions: _Int64) -> tuple[_Int64, _UInt8]: ...

@disjoint_base
class Cutter:
    def cut(
        self, texts: list[Any], titles: Sequence[str | None] | None = None
    ) -> list[Rows | TypeError | ValueError]: ...

@disjoint_base
class WindowCutter(Cutter):
    def __init__(self, counter: _Counts, limit: int, overlap: int) -> None: ...

class SentenceCutter(Cutter):
    def __init__(self, counter: _Counts, limit: int, overlap: int) -> None: ...

@disjoint_base
class StructureCutter(Cutter):
    def __init__(
        self,
        counter: _Counts,
        limit: int,
        overlap: int,
        table_size: int,
        list_size: int,
        pack_size: int,
        table_format: int,
        prepend: bool,
        shorten: Callable[[StructureCutter, int, int], None],
        extra_levels: int = 0,
        find_headings: Callable[[str], _Int64] | None = None,
        find_limits: Callable[[Rows], _Int64] | None = None,
    ) -> None: ...
    @property
    def text(self) -> str: ...
    def slice(self, start: int, end: int, rendered: bool) -> str: ...
    def prefix_spans(self, prefix: int) -> list[tuple[int, int, bool]]: ...
    def prefix_is_header(self, prefix: int) -> bool: ...
    def set_prefix(self, prefix: int, spans: list[tuple[int, int, bool]], tokens: int) -> None: ...
