"""Checks of what users pass: each error names the argument and its value."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence

from chunkfast import _core

__all__ = ["MOST", "check_choice", "check_int", "check_iterable", "check_text", "check_texts", "describe"]

MOST = 2**60  # of any number given: the core adds several of them, or takes one three times, in int64


def check_text(name: str, text: object) -> str:
    """`text` as an exact str that can be encoded; the errors name it `name`."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {describe(text)}")
    text = str.__str__(text)
    if (index := _core.find_surrogate(text)) >= 0:
        raise ValueError(f"{name} has a lone surrogate, {text[index]!r}, at index {index}")
    return text


def check_iterable(name: str, values: object, of: str) -> None:
    """A TypeError where `values` are not what many `of` come in: a str or bytes is one."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be an iterable of {of}, not {describe(values)}")
    try:
        iter(values)
    except TypeError as error:  # an array without dimensions
        raise TypeError(f"{name} must be an iterable of {of}, not {describe(values)}") from error


def check_texts(name: str, texts: Iterable[object]) -> list[str]:
    """Several texts, each as by `check_text`."""
    check_iterable(name, texts, "str")
    return [check_text(f"{name}[{i}]", text) for i, text in enumerate(texts)]


def check_int(name: str, value: object, least: int, most: int = MOST) -> int:
    """`value` as an int from `least` to `most`; the errors name it `name`."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # this is the check
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, not {describe(value)}")
    if not least <= number <= most:
        bound = f"at least {least}" if number < least else f"at most {most}"
        raise ValueError(f"{name} must be {bound}, not {number if number.bit_length() < 200 else describe(number)}")
    return number


def check_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """`value` as one of `choices`; the errors name it `name`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {', '.join(map(repr, choices))}, not {describe(value)}")
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r:.80}")
    return str.__str__(value)


def describe(value: object) -> str:
    """Type and value for a message, in brief; an int of thousands of digits has no repr."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"that has no repr: {error}"
    return f"{type(value).__name__} {text[:80]}"
