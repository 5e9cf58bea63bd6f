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
_PREFIX = re.compile(r'"continuing_subword_prefix"\s*:\s*"[^"]')


def read(path: str) -> str:
    """The text of the file; ValueError where it can't be read, or the encoder would not survive it."""
    try:
        if (size := os.path.getsize(path)) > MOST_BYTES:
            raise ValueError(f"tokenizer: {path!r} has {size:,} bytes, more than {MOST_BYTES:,}")
        data = Path(path).read_bytes()
        source = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"tokenizer: can't read {path!r}: {error}") from error
    if number := _long_number(data):
        raise ValueError(f"tokenizer: {path!r} has an id or a size that is too large: {number[:40]}")
    if '"merges"' in source and _PREFIX.search(source):
        _check_prefix(path, source)
    return source


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


def _check_prefix(path: str, source: str) -> None:
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
