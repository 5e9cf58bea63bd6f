"""Figures from offsets and from outcomes; nothing here searches strings."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

Ranges = NDArray[np.int64]  # shape (n, 2), half open


def union(ranges: Ranges) -> Ranges:
    """The same characters in ranges that neither meet nor overlap, in order."""
    if not len(ranges):
        return ranges.reshape(0, 2)
    ranges = ranges[np.argsort(ranges[:, 0], kind="stable")]
    reach = np.maximum.accumulate(ranges[:, 1])
    first = np.r_[True, ranges[1:, 0] > reach[:-1]]
    return np.column_stack([ranges[first, 0], reach[np.r_[first[1:], True]]])


def shared(ranges: Ranges, start: int, end: int) -> int:
    """How many characters of [start, end) stand in ranges that do not overlap each other."""
    return int(np.maximum(0, np.minimum(ranges[:, 1], end) - np.maximum(ranges[:, 0], start)).sum())


def wilson(share: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """95 % interval of a share of `n` (Wilson 1927)."""
    if not n:
        return 0.0, 1.0
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def mcnemar(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Exact two-sided p that `a` and `b`, of the same questions in order, are as good: by those where they differ."""
    wins, losses = int((a > b).sum()), int((a < b).sum())
    n = wins + losses
    tail = sum(comb(n, i) for i in range(min(wins, losses) + 1))
    return min(1.0, float(2 * tail / 2**n))
