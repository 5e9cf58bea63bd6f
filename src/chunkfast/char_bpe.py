"""Which BPE tokenizers over characters with byte fallback the native counter understands: Llama 2, Mistral, Gemma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkfast._core import CharBPE, Vocabulary
from chunkfast.definition import Definition, has_own_added_tokens

_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def read_char_bpe(config: Mapping[str, Any], vocabulary: Vocabulary) -> Definition | None:
    """Read the content of a tokenizer.json but for vocabulary and merges; None where a setting is not understood."""
    model = config["model"]
    put = _put(config.get("normalizer"), config.get("pre_tokenizer"))
    if put is None or has_own_added_tokens(config) or not model.get("byte_fallback") or model.get("ignore_merges"):
        return None
    if any(model.get(name) for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix")):
        return None
    if not all(token in vocabulary for token in _BYTES):
        return None
    return Definition(CharBPE, {"vocabulary": vocabulary, "put": put})


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
