"""Vocabularies and merges as the core reads them: strings in a row, and their lengths."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["lengths_of", "merge_parts"]


def lengths_of(tokens: Collection[str]) -> NDArray[np.int32]:
    """Code points of each token: ndarray of int32."""
    return np.fromiter(map(len, tokens), np.int32, len(tokens))


def merge_parts(merges: Sequence[Any]) -> list[str]:
    """The left and the right token of each merge, in a row; ValueError where one has not two parts.

    Older files write a merge as one string with a space in between.
    """
    if set(map(type, merges)) == {str}:
        if {merge.count(" ") for merge in merges} != {1}:
            raise ValueError("merges of other than two parts")
        return " ".join(merges).split(" ")
    if not set(map(len, merges)) <= {2}:
        raise ValueError("merges of other than two parts")
    return list(chain.from_iterable(merges))
