"""Which BERT tokenizers the native counter understands: BertNormalizer, BertPreTokenizer, WordPiece or WordLevel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkfast._core import Vocabulary, WordPiece
from chunkfast.definition import Definition, has_own_added_tokens

_NORMALIZER = {"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}
_MODEL = {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"}
_WORD_LEVEL = {"unk_token", "vocab"}


def read_wordpiece(config: Mapping[str, Any], vocabulary: Vocabulary) -> Definition | None:
    """Read the content of a tokenizer.json but for its vocabulary; None where a setting is not understood."""
    model, normalizer = config["model"], config.get("normalizer")
    if model.get("type") == "WordLevel" and set(model) - {"type"} == _WORD_LEVEL:
        # Each word is one token, known or not: as words are that are too long for WordPiece.
        model = model | {"continuing_subword_prefix": "", "max_input_chars_per_word": 0}
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
    if model["unk_token"] not in vocabulary:
        return None  # the encoder refuses words that it can't cut
    accents = normalizer["strip_accents"]
    settings = {
        "vocabulary": vocabulary,
        "prefix": model["continuing_subword_prefix"],
        "longest_word": model["max_input_chars_per_word"],
        "clean_text": normalizer["clean_text"],
        "handle_chinese_chars": normalizer["handle_chinese_chars"],
        "strip_accents": normalizer["lowercase"] if accents is None else accents,
        "lowercase": normalizer["lowercase"],
    }
    return Definition(WordPiece, settings)
