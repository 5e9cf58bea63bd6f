"""Which BERT tokenizers the native counter understands: BertNormalizer, BertPreTokenizer, WordPiece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkfast import _core
from chunkfast.vocabulary import lengths_of

_NORMALIZER = {"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}
_MODEL = {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"}


def compile_wordpiece(config: Mapping[str, Any]) -> _core.Counter | None:
    """Compile the content of a tokenizer.json; None where a setting is not understood."""
    model, normalizer = config["model"], config.get("normalizer")
    if (
        has_own_added_tokens(config)
        or set(model) - {"type"} != _MODEL  # older files leave it to the settings
        or config.get("pre_tokenizer") != {"type": "BertPreTokenizer"}
    ):
        return None
    if normalizer is None:
        normalizer = dict.fromkeys(_NORMALIZER, False) | {"type": "BertNormalizer"}
    if normalizer["type"] != "BertNormalizer" or set(normalizer) != _NORMALIZER:
        return None
    vocabulary = model["vocab"]
    if model["unk_token"] not in vocabulary:
        return None  # the encoder refuses words that it can't cut
    accents = normalizer["strip_accents"]
    return _core.WordPiece(
        "".join(vocabulary),
        lengths_of(vocabulary),
        model["continuing_subword_prefix"],
        model["max_input_chars_per_word"],
        clean_text=normalizer["clean_text"],
        handle_chinese_chars=normalizer["handle_chinese_chars"],
        strip_accents=normalizer["lowercase"] if accents is None else accents,
        lowercase=normalizer["lowercase"],
    )


def has_own_added_tokens(config: Mapping[str, Any]) -> bool:
    """Whether the encoder looks for tokens in the text before the model does: special ones are text here."""
    return any(not token["special"] for token in config.get("added_tokens") or ())
