"""Which BPE tokenizers over characters with byte fallback the native counter understands: Llama 2, Mistral, Gemma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from chunkfast import _core
from chunkfast.wordpiece import has_own_added_tokens, letters_by_frequency

_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def compile_char_bpe(config: Mapping[str, Any]) -> _core.Counter | None:
    """Compile the content of a tokenizer.json; None where a setting is not understood."""
    model = config["model"]
    vocab: dict[str, int] = model["vocab"]
    put = _put(config.get("normalizer"), config.get("pre_tokenizer"))
    if put is None or has_own_added_tokens(config) or not model.get("byte_fallback") or model.get("ignore_merges"):
        return None
    if any(model.get(name) for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix")):
        return None
    merges = [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]]
    if any(len(merge) != 2 for merge in merges) or not all(token in vocab for token in _BYTES):
        return None
    lefts, rights = [left for left, _ in merges], [right for _, right in merges]
    results = [left + right for left, right in merges]
    # Bytes of characters without a token stand alone; a character that ends a word has no other reading.
    if not {*lefts, *rights}.isdisjoint(_BYTES) or not set(results) <= vocab.keys() or "▁" not in vocab:
        return None
    letters = letters_by_frequency(token for token in vocab if len(token) == 1)
    known = set(letters)
    spellings = sorted(token for token in set(results) if known.issuperset(token))

    def ids(tokens: list[str]) -> np.ndarray[Any, np.dtype[np.uint32]]:
        return np.fromiter(map(vocab.__getitem__, tokens), np.uint32, len(tokens))

    joints = {(left[-1], right[0]) for left, right in merges}
    return _core.CharBPE(
        letters,
        ids(list(letters)),
        lefts=ids(lefts),
        rights=ids(rights),
        results=ids(results),
        joints="".join(left + right for left, right in joints if left in known and right in known),
        spellings=spellings,
        put=put,
    )


def _put(normalizer: Mapping[str, Any] | None, pre_tokenizer: Mapping[str, Any] | None) -> str | None:
    """When a metaspace is put before a text: "nothing", "always", "missing" (if it begins with none); None: unknown."""
    steps = [] if normalizer is None else normalizer.get("normalizers", [normalizer])
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    if pre_tokenizer is None and steps == [replace]:
        return "nothing"
    if pre_tokenizer is None and steps in (
        [{"type": "Prepend", "prepend": "▁"}, replace],
        [replace, {"type": "Prepend", "prepend": "▁"}],
    ):
        return "always"
    if not steps and pre_tokenizer is not None and pre_tokenizer.get("type") == "Metaspace":
        settings: dict[str, Any] = {
            name: pre_tokenizer.get(name) for name in ("replacement", "split", "prepend_scheme")
        }
        if settings == {"replacement": "▁", "split": False, "prepend_scheme": "never"}:
            return "nothing"
        if settings in ({"replacement": "▁", "split": False, "prepend_scheme": s} for s in ("always", "first")):
            return "missing"
    return None
