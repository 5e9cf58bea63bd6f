"""Every public name with every wrong argument: TypeError or ValueError that names argument and value, nothing else."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkfast
from chunkfast import (
    Audit,
    Chunks,
    SentenceChunker,
    StructureChunker,
    TokenChunker,
    TokenCounter,
    audit,
    detect_header_level,
    load_tokenizer,
    outline,
    split_sentences,
    split_table,
)
from chunkfast.diff import diff
from tests import corpora

TEXT = "第一条 保险责任\n本公司给付保险金。\n"


class Text(str):
    """A str that says something else of itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "another text"

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, index: Any) -> str:
        return "z"


class Index:
    """What int() and indexing take, with a wrong answer."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> Any:
        return self.value

    def __repr__(self) -> str:
        return f"Index({self.value!r})"


VALUES: dict[str, Any] = {
    "None": None,
    "bytes": b"text",
    "bytearray": bytearray(b"text"),
    "nan": float("nan"),
    "inf": float("inf"),
    "float": 3.0,
    "complex": 3j,
    "Decimal": decimal.Decimal(3),
    "date": datetime.date(2026, 1, 1),
    "True": True,
    "False": False,
    "zero": 0,
    "one": 1,
    "negative": -1,
    "int64 max": 2**63 - 1,
    "int64 min": -(2**63),
    "huge": 10**30,
    "10,000 digits": 10**10_000,
    "minus 10,000 digits": -(10**10_000),
    "numpy int": np.int64(7),
    "numpy bool": np.bool_(True),
    "numpy float": np.float64(7.0),
    "numpy nan": np.float64("nan"),
    "numpy str": np.str_("some text"),
    "numpy bytes": np.bytes_(b"some text"),
    "array": np.arange(3),
    "array without dimensions": np.array(3),
    "array of str": np.array(["a", "b"]),
    "datetime64": np.datetime64("NaT"),
    "pandas NA": pd.NA,
    "pandas NaT": pd.NaT,
    "Series": pd.Series(["a", None]),
    "DataFrame": pd.DataFrame({"text": ["a"]}),
    "empty str": "",
    "str": "a, b",
    "subclass of str": Text("some text"),
    "lone surrogate": "ok \ud83d tail",
    "NUL": "a\0b",
    "pattern without end": "(",
    "empty list": [],
    "list": [1, 2],
    "list of str": ["a", "b"],
    "nested list": [["a"]],
    "tuple": (0, 1),
    "dict": {"a": 1},
    "set": {"a"},
    "iterator": iter(["a"]),
    "object": object(),
    "a class": int,
    "str itself": str,
    "function": lambda *_: "x",
    "exception": ValueError("a"),
    "module": warnings,
    "Ellipsis": ...,
    "NotImplemented": NotImplemented,
    "index of str": Index("1"),
    "index of None": Index(None),
    "index": Index(4),
}

CHUNKER = StructureChunker("chars", 20)
MADE = CHUNKER.chunk(TEXT)
AUDIT = audit(TEXT, MADE)


@cache
def counter(name: str) -> TokenCounter:
    return load_tokenizer(corpora.tokenizer(name).spec)


def consumed(chunker: Any) -> Callable[..., list[Any]]:
    return lambda *args, **kw: list(chunker.iter_chunks(*args, **kw))


# What is called, the argument that varies, and the kind of value that it takes.
CALLS: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "outline": (outline, "text", "text"),
    "detect_header_level": (detect_header_level, "line", "text"),
    "split_sentences": (split_sentences, "text", "text"),
    "split_table": (split_table, "text", "text"),
    "split_table title": (lambda x: split_table(TEXT, x), "title", "text or None"),
    "split_table max_size": (lambda x: split_table(TEXT, max_size=x), "max_size", "size"),
    "split_table tokenizer": (lambda x: split_table(TEXT, tokenizer=x), "tokenizer", "never"),
    "load_tokenizer": (load_tokenizer, "tokenizer", "tokenizer"),
    "TokenChunker": (TokenChunker, "tokenizer", "tokenizer"),
    "TokenChunker chunk_size": (lambda x: TokenChunker("chars", x), "chunk_size", "size"),
    "TokenChunker chunk_overlap": (lambda x: TokenChunker("chars", 9, x), "chunk_overlap", "count or None"),
    "TokenChunker reserve_tokens": (lambda x: TokenChunker("chars", reserve_tokens=x), "reserve_tokens", "count"),
    "SentenceChunker": (SentenceChunker, "tokenizer", "tokenizer"),
    "SentenceChunker chunk_size": (lambda x: SentenceChunker("bytes", x), "chunk_size", "size"),
    "SentenceChunker overlap": (lambda x: SentenceChunker("chars", 9, x), "overlap_sentences", "count"),
    "StructureChunker": (StructureChunker, "tokenizer", "tokenizer"),
    "StructureChunker chunk_size": (lambda x: StructureChunker("chars", x), "chunk_size", "size"),
    "StructureChunker table_size": (lambda x: StructureChunker("chars", table_size=x), "table_size", "size or None"),
    "StructureChunker list_size": (lambda x: StructureChunker("chars", list_size=x), "list_size", "size or None"),
    "StructureChunker pack_size": (lambda x: StructureChunker("chars", pack_size=x), "pack_size", "count"),
    "StructureChunker size_rules": (lambda x: StructureChunker("chars", size_rules=x), "size_rules", "rules"),
    "StructureChunker size": (lambda x: StructureChunker("chars", size_rules={"a": x}), "size_rules['a']", "size"),
    "StructureChunker headings": (lambda x: StructureChunker("chars", headings=x), "headings", "choice"),
    "StructureChunker table_format": (lambda x: StructureChunker("chars", table_format=x), "table_format", "choice"),
    "StructureChunker extra": (lambda x: StructureChunker("chars", extra_headings=x), "extra_headings", "patterns"),
    "for_documents": (lambda x: StructureChunker.for_documents(x, "chars"), "kind", "choice"),
    "for_documents tokenizer": (lambda x: StructureChunker.for_documents("law", x), "tokenizer", "tokenizer"),
    "chunk": (CHUNKER.chunk, "text", "text"),
    "chunk title": (lambda x: CHUNKER.chunk(TEXT, x), "title", "text or None"),
    "chunk_batch": (CHUNKER.chunk_batch, "texts", "texts"),
    "chunk_batch text": (lambda x: CHUNKER.chunk_batch([TEXT, x]), "texts[1]", "text"),
    "chunk_batch threads": (lambda x: CHUNKER.chunk_batch([TEXT], x), "threads", "threads or None"),
    "chunk_batch on_error": (lambda x: CHUNKER.chunk_batch([TEXT], 1, x), "on_error", "choice"),
    "chunk_batch ids": (lambda x: CHUNKER.chunk_batch([TEXT], ids=x), "", "ids"),
    "chunk_batch progress": (lambda x: CHUNKER.chunk_batch([TEXT], progress=x), "progress", "callable or None"),
    "iter_chunks": (consumed(CHUNKER), "texts", "texts"),
    "iter_chunks threads": (lambda x: consumed(CHUNKER)(iter([TEXT]), x), "threads", "threads or None"),
    "chunk_arrow": (CHUNKER.chunk_arrow, "table", "never"),
    "Chunks": (lambda x: Chunks(x, None), "rows", "never"),
    "audit": (lambda x: audit(x, []), "text", "text or surrogate"),
    "audit chunks": (lambda x: audit(TEXT, x), "chunks", "chunks"),
    "audit chunk": (lambda x: audit(TEXT, [x]), "chunks[0]", "chunk"),
    "audit start": (lambda x: audit(TEXT, [{"text": "a", "start_index": x, "end_index": 3}]), "start_index", "number"),
    "audit spans": (
        lambda x: audit(TEXT, [{"text": TEXT[:3], "start_index": 0, "end_index": 3, "spans": x}]),
        "spans of chunks[0]",
        "spans",
    ),
    "audit tokens": (lambda x: audit(TEXT, [{"text": "a", "token_count": x}]), "token_count", "number"),
    "audit tokenizer": (lambda x: audit(TEXT, [], tokenizer=x), "tokenizer", "tokenizer or None"),
    "audit chunk_size": (lambda x: audit(TEXT, [], chunk_size=x), "chunk_size", "size or None"),
    "Audit.sum": (Audit.sum, "audits", "empty"),
    "Audit.sum of": (lambda x: Audit.sum([AUDIT, x]), "audits[1]", "never"),
    "Audit.compare": (Audit.compare, "audits", "never"),
    "Audit.compare of": (lambda x: Audit.compare({"a": x}), "audits['a']", "never"),
    "diff": (lambda x: diff(x, []), "old", "empty"),
    "diff row": (lambda x: diff([], [x]), "new[0]", "never"),
    "diff embedded": (lambda x: diff([], [], x), "embedded", "choice"),
}
for name in corpora.SMALL:
    CALLS |= {
        f"{name} count": (lambda x, name=name: counter(name).count(x), "text", "text"),
        f"{name} count_batch": (lambda x, name=name: counter(name).count_batch(x), "texts", "texts"),
        f"{name} text": (lambda x, name=name: counter(name).count_batch([TEXT, x]), "texts[1]", "text"),
        f"{name} token_starts": (lambda x, name=name: counter(name).token_starts(x), "text", "text"),
    }

TEXTS = {"empty str", "str", "subclass of str", "NUL", "numpy str", "pattern without end"}
INTS = {"one", "index", "numpy int", "array without dimensions"}
STRS = {"list of str", "array of str", "dict", "set", "iterator"}
GOOD: dict[str, set[str]] = {  # the values that each kind of argument takes, by name
    "never": set(),
    "text": TEXTS,
    "text or None": {*TEXTS, "None"},
    "text or surrogate": {*TEXTS, "lone surrogate"},
    "texts": {*STRS, "empty list", "DataFrame"},
    "size": INTS,
    "size or None": {*INTS, "None"},
    "count": {*INTS, "zero"},
    "count or None": {*INTS, "zero", "None"},
    "threads or None": {*INTS, "None"},
    "number": {*INTS, "None", "zero", "negative", "True", "False", "float", "Decimal", "numpy bool", "numpy float"}
    | {"int64 max", "int64 min", "huge", "10,000 digits", "minus 10,000 digits"},
    "choice": set(),
    "rules": {"None", "dict"},
    "patterns": {"None", "empty list", "list of str"},
    "ids": {"None", "pattern without end", "nested list", "dict", "set", "iterator", "DataFrame"},
    "callable or None": {"None", "a class", "str itself", "function"},
    "tokenizer": {"function"},
    "tokenizer or None": {"None", "function"},
    "chunks": {*STRS, "empty list", "DataFrame"},
    "chunk": {*TEXTS, "lone surrogate", "tuple"},
    "spans": {"None", "empty list"},
    "empty": {"empty list"},
}


@pytest.mark.parametrize(("function", "argument", "kind"), CALLS.values(), ids=CALLS)
def test_a_wrong_argument_is_named_with_its_value(function: Callable[[Any], Any], argument: str, kind: str) -> None:
    for name, value in VALUES.items():
        if name == "iterator":
            value = iter(["a"])
        try:
            function(value)
        except (TypeError, ValueError) as error:
            if name in GOOD[kind]:
                raise AssertionError(f"{name}: refused, {error}") from error
            message = str(error)
            assert argument in message, f"{name}: {message!r} does not name {argument}"
            assert len(message) < 500, f"{name}: {message[:200]!r}..."
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__} {error}") from error
        else:
            assert name in GOOD[kind], f"{name}: taken"


def test_every_public_name_is_tried() -> None:
    tried = {call.split()[0].split(".")[0] for call in CALLS}
    results = {"Chunk", "Heading", "DocumentError", "HeaderLevel", "TokenCounter"}  # made by calls, checked by them
    assert set(chunkfast.__all__) - results <= tried


@pytest.mark.parametrize("value", [Text(TEXT), np.str_(TEXT)], ids=["subclass", "numpy"])
def test_a_subclass_of_str_is_read_as_what_it_holds(value: str) -> None:
    for made in (TokenChunker("chars", 5), SentenceChunker("chars", 5), CHUNKER):
        assert made.chunk(value) == made.chunk(TEXT)
        assert made.chunk_batch([value, value], 2) == [made.chunk(TEXT)] * 2
    assert outline(value) == outline(TEXT)
    assert split_sentences(value) == split_sentences(TEXT)
    for made in map(counter, corpora.SMALL):
        assert made.count(value) == made.count(TEXT)
        assert made.token_starts(value).tolist() == made.token_starts(TEXT).tolist()
        assert made.count_batch([value]).tolist() == made.count_batch([TEXT]).tolist()


LARGE = 2**60


@pytest.mark.parametrize("name", corpora.SMALL)
@pytest.mark.parametrize(
    "text", [TEXT, "", "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 20, "包括：\n" + "（1）甲；\n" * 20]
)
def test_the_largest_settings_overflow_nothing(name: str, text: str) -> None:
    spec = counter(name)
    for chunks in (
        TokenChunker(spec, LARGE, LARGE - 1).chunk(text),
        TokenChunker(spec, LARGE, LARGE - 2, reserve_tokens=1).chunk(text),
        SentenceChunker(spec, LARGE, LARGE).chunk(text),
        SentenceChunker(spec, LARGE, 1, reserve_tokens=LARGE - 1).chunk(text),
        StructureChunker(spec, LARGE, LARGE - 1, LARGE, LARGE, LARGE, {"": LARGE}).chunk(text),
        StructureChunker(spec, LARGE, 0, 1, 1, LARGE, headings="prepend", table_format="rows").chunk(text),
    ):
        assert "".join("".join(c.text.split()) for c in chunks) or not text.strip()


@pytest.mark.parametrize(
    "returned",
    [None, True, "3", 1.0, float("nan"), -1, 2**60 + 1, 10**30, VALUES["10,000 digits"], pd.NA, np.bool_(1), int, [1]],
    ids=lambda value: type(value).__name__,
)
def test_a_function_that_returns_no_count(returned: Any) -> None:
    for kind in (TokenChunker, SentenceChunker, StructureChunker):
        with pytest.raises((TypeError, ValueError), match=r"tokenizer: what .* returned for a text of \d+ characters"):
            kind(lambda text: returned, 8, 0).chunk(TEXT)


anything = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.characters(), max_size=8),
        st.binary(max_size=8),
        st.sampled_from([value for name, value in VALUES.items() if name != "iterator" and "digits" not in name]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(
            st.sampled_from(("text", "start_index", "end_index", "spans", "token_count", "headings")), inner
        ),
    ),
    max_leaves=6,
)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of re, for odd patterns
@given(
    call=st.sampled_from([name for name, (_, argument, _) in CALLS.items() if argument != "tokenizer"]), value=anything
)
def test_nothing_else_is_raised(call: str, value: Any) -> None:
    with contextlib.suppress(TypeError, ValueError):
        CALLS[call][0](value)
