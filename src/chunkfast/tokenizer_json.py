"""Reading a tokenizer.json that may be anyone's: what would crash the encoder or fill the memory is refused before.

The encoder itself refuses what is malformed. These are the faults that it does not survive.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["read"]

MOST_BYTES = 2**28  # of a file; the largest known has 35 MB
# The encoder writes down a row for each id up to the greatest, so ids have to be small: 7 digits at most.
_LONG_NUMBER = re.compile(rb"[\s:,\[](\d{8,})[\s,\]}]")
_MAY_PRECEDE = np.isin(np.arange(256), list(b" \t\n\r\v\f:,["))
_PREFIX = b'"continuing_subword_prefix"'
_NOT_EMPTY = re.compile(rb'\s*:\s*"[^"]')


def read(path: str) -> bytes:
    """The content of the file; ValueError where it can't be read, or the encoder would not survive it."""
    try:
        if (size := os.path.getsize(path)) > MOST_BYTES:
            raise ValueError(f"tokenizer: {path!r} has {size:,} bytes, more than {MOST_BYTES:,}")
        source = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"tokenizer: can't read {path!r}: {error}") from error
    if number := _long_number(source):
        raise ValueError(f"tokenizer: {path!r} has an id or a size that is too large: {number[:40]}")
    if b'"merges"' in source and _has_prefix(source):
        _check_prefix(path, source)
    return source


def _has_prefix(source: bytes) -> bool:
    at = source.find(_PREFIX)
    while at >= 0:
        at += len(_PREFIX)
        if _NOT_EMPTY.match(source, at):
            return True
        at = source.find(_PREFIX, at)
    return False


def _long_number(data: bytes) -> str:
    """What `_LONG_NUMBER` finds, or nothing; a search for eight digits in a row comes before, as it takes a tenth."""
    characters = np.frombuffer(data, np.uint8)
    digits = characters - np.uint8(ord("0")) < 10
    for step in (1, 2, 4):
        digits = digits[:-step] & digits[step:]
    starts = np.flatnonzero(digits)
    for start in starts[_MAY_PRECEDE[characters[starts - 1]]].tolist():
        if number := _LONG_NUMBER.match(data, start - 1):
            return number[1].decode()
    return ""


def _check_prefix(path: str, source: bytes) -> None:
    """The encoder cuts the prefix off the right part of each merge without looking."""
    try:
        model: Any = json.loads(source)["model"]
        prefix, merges = model["continuing_subword_prefix"], model.get("merges", ())
        rights = [(merge.split(" ") if isinstance(merge, str) else merge)[1] for merge in merges]
        fits = all(right.startswith(prefix) for right in rights)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"tokenizer: {path!r} is not a tokenizer.json: {error}") from error
    if not fits:
        raise ValueError(f"tokenizer: {path!r} has merges whose right part does not begin with {prefix!r:.80}")
