"""Grapheme clusters of a text, by the `regex` module, in time linear in the text."""

from __future__ import annotations

from collections.abc import Iterator

import regex

CLUSTER = regex.compile(r"\X")
WINDOW = 64


def clusters(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each cluster.

    `regex` looks back over all flags before a place to tell whether a flag ends there, which is quadratic in a run of
    them. No rule looks back over a boundary, so it is asked about a window that starts at one.
    """
    start, size = 0, WINDOW
    while start < len(text):
        window = text[start : start + size]
        length = CLUSTER.match(window).end()
        if length == len(window) < len(text) - start:
            size *= 2  # the cluster may go on behind the window
            continue
        yield start, start + length
        start, size = start + length, WINDOW
