"""Which BPE tokenizers over characters with byte fallback the native counter understands: Llama 2, Mistral, Gemma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from chunkfast import _core
from chunkfast.vocabulary import lengths_of, merge_parts
from chunkfast.wordpiece import has_own_added_tokens

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
    if not all(token in vocab for token in _BYTES) or len(set(vocab.values())) < len(vocab):
        return None
    try:
        merges = merge_parts(model["merges"])
        return _core.CharBPE(
            "".join(vocab),
            lengths_of(vocab),
            np.fromiter(vocab.values(), np.uint32, len(vocab)),
            merges="".join(merges),
            merge_lengths=lengths_of(merges),
            put=put,
        )
    except ValueError:
        return None


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
