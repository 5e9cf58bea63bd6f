"""What a native counter must agree on with the encoder that it was compiled from, on one text."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from chunkfast._core import Counter
from chunkfast.native import compile_counter

# Every character in a long run; else without the insides of long uniform ranges (ideographs, syllables, private use).
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "long"
UNIFORM = [
    range(*ends)
    for ends in ((0x3400, 0xA000), (0xAC00, 0xD7A4), (0xE000, 0xF900), (0x17000, 0x1B000), (0x20000, 0x110000))
]
CHARACTERS = [
    chr(c)
    for c in range(0x110000)
    if not 0xD800 <= c < 0xE000 and (THOROUGH or c % 197 == 0 or not any(c in r for r in UNIFORM))
]


def encoder_of(config: Mapping[str, Any]) -> Tokenizer:
    """The encoder as chunkfast uses it: special tokens are text, nothing is cut off, filled up or added."""
    encoder = Tokenizer.from_str(json.dumps(config))
    encoder.encode_special_tokens = True
    encoder.no_truncation()
    encoder.no_padding()
    return encoder


def native_of(config: Mapping[str, Any]) -> Counter | None:
    """The native counter of the same, None where a setting is not understood."""
    compiled = compile_counter(json.dumps(config).encode())
    return None if compiled is None else compiled[0]


def starts_by_encoder(encoder: Tokenizer, text: str) -> list[int]:
    return [start for start, _ in encoder.encode(text, add_special_tokens=False).offsets]


def check_starts(counter: Any, encoder: Tokenizer, text: str) -> None:
    expected = starts_by_encoder(encoder, text)
    assert counter.token_starts(text).tolist() == expected
    assert counter.count(text) == len(expected)


def check(counter: Any, encoder: Tokenizer, text: str, spans: int = 4) -> None:
    """Count, starts, ranks, safe cuts and spans: `spans` safe and as many arbitrary ones."""
    check_starts(counter, encoder, text)
    positions = np.arange(len(text) + 1)
    ranks, safe = counter.ranks(text, positions)
    assert ranks.tolist() == np.searchsorted(counter.token_starts(text), positions).tolist()
    assert safe[0]
    assert safe[-1]
    choose = random.Random(text)
    cuts = np.flatnonzero(safe).tolist()
    pairs = [sorted(choose.choices(where, k=2)) for where in (cuts, positions.tolist()) for _ in range(spans)]
    begins, ends = np.array(pairs, dtype=np.int64).T.copy()
    counts = counter.count_spans(text, begins, ends)
    assert counts.tolist() == [len(starts_by_encoder(encoder, text[a:b])) for a, b in pairs]
    additive = ranks[ends[:spans]] - ranks[begins[:spans]]
    assert counts[:spans].tolist() == additive.tolist()
    check_windows(counter, text, np.column_stack([positions, ranks])[safe == 1], choose)


def check_windows(counter: Any, text: str, cuts: Any, choose: random.Random) -> None:
    """Windows counted at their edges, from the safe cuts that the counter picks and from all there are."""
    edges = sorted(choose.choices(range(len(text) + 1), k=24))
    windows = np.array([edges[i : i + 12 : 11] for i in range(13)], np.int64)
    expected = counter.count_spans(text, windows[:, 0].copy(), windows[:, 1].copy()).tolist()
    model = getattr(counter, "model", counter)
    starts, places = model.token_places(text)
    assert starts.tolist() == counter.token_starts(text).tolist()
    assert {tuple(place) for place in places.tolist()} <= {tuple(cut) for cut in cuts.tolist()}
    for known in (places, np.ascontiguousarray(cuts, np.int64)):
        assert model.count_windows(text, windows, known).tolist() == expected
