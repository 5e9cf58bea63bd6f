"""Generation 1: a window of so many tokens, the next one begun before its end."""

from __future__ import annotations

from collections.abc import Sequence


def token_windows(text: str, token_starts: Sequence[int], chunk_size: int, chunk_overlap: int) -> list[tuple[int, int]]:
    """Windows of `chunk_size` tokens, each beginning `chunk_overlap` tokens before the end of the one before.

    Parameters
    ----------
    token_starts : code-point index of each token's first character, ascending

    Returns
    -------
    Half-open code-point spans; the last window is the first that reaches the end of the text.
    """
    edges = [*token_starts, len(text)]
    spans = []
    first = 0
    while first < len(token_starts):
        last = min(first + chunk_size, len(token_starts))
        spans.append((edges[first], edges[last]))
        if last == len(token_starts):
            break
        first += chunk_size - chunk_overlap
    return spans
