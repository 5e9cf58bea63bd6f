"""JSON Lines: a row of a file, whoever wrote it."""

from __future__ import annotations

import json
from typing import Any


def parse_row(line: bytes, number: int) -> dict[str, Any] | None:
    """The object on a line of a JSONL file; None where the line is blank.

    Parameters
    ----------
    line : bytes
        UTF-8; lines end with LF, so U+2028 and the like may stand in a string.
    number : int
        Of the line, from 1: the first may start with a byte order mark.

    Raises
    ------
    ValueError
        The line is no UTF-8, no JSON, nested too deep to be read, or no object. The message is the reason.
    """
    if not line.strip():
        return None
    try:
        row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte 0x{line[error.start]:02x} at {error.start})") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at column {error.colno})") from error
    except ValueError as error:  # an integer of thousands of digits
        raise ValueError(f"not readable JSON ({str(error).partition(';')[0]})") from error
    except RecursionError as error:
        raise ValueError("not readable JSON (nested too deep)") from error
    if not isinstance(row, dict):
        raise ValueError(f"holds {kind_of(row)}, not an object")
    return row


def kind_of(value: object) -> str:
    """What a value of JSON is, for messages."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else f"a {type(value).__name__}")
