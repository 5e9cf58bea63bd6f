"""Generation 2: whole sentences packed up to a limit, each chunk repeating the last sentences of the one before."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

END = re.compile(r"(?:[。！？!?…；]+|\.(?=\s))[”’』」）》)\]]*|\n+")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Sentences by one regular expression: end marks with their closers, and newlines."""
    spans, start = [], 0
    for end in END.finditer(text):
        spans.append((start, end.end()))
        start = end.end()
    return [*spans, (start, len(text))] if start < len(text) else spans


def pack_sentences(
    text: str, sentences: Sequence[tuple[int, int]], count: Callable[[str], int], chunk_size: int, overlap: int
) -> list[tuple[int, int]]:
    """Greedy packing of sentences that each fit the limit.

    As many of the last `overlap` sentences as leave room for the next new one stand at the head of the next chunk.

    Returns
    -------
    Half-open spans into the text, from the first sentence repeated to the last one held, trailing white space left out.
    """
    spans, first, at = [], 0, 0
    while at < len(sentences):
        last = at + 1
        while last < len(sentences) and count(text[sentences[first][0] : sentences[last][1]].strip()) <= chunk_size:
            last += 1
        spans.append((sentences[first][0], sentences[last - 1][1]))
        if last == len(sentences):
            break
        at = last
        first = max(first + 1, last - overlap)
        while first < at and count(text[sentences[first][0] : sentences[at][1]].strip()) > chunk_size:
            first += 1
    return spans
