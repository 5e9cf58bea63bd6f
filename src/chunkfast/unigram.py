"""Which Unigram tokenizers the native counter understands: Precompiled, white space rules, Metaspace, Unigram."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from chunkfast._core import Unigram
from chunkfast.definition import Definition, has_own_added_tokens, members

UNKNOWN_PENALTY = 10.0  # what the encoder takes from the lowest score for an unknown character


def read_unigram(config: Mapping[str, Any]) -> Definition | None:
    """Read the content of a tokenizer.json; None where a setting is not understood.

    The scores must be the encoder's own, as `Tokenizer.to_str()` gives them: its reader of decimal numbers rounds other
    than Python's, and the last bit of a score decides between paths that would be equal.
    """
    model = config["model"]
    if (
        has_own_added_tokens(config)
        or set(model) - {"type", "unk_id", "vocab", "byte_fallback"}
        or model.get("unk_id") is None
    ):
        return None
    normalizer, metaspace = _normalizer(config.get("normalizer")), _pre_tokenizer(config.get("pre_tokenizer"))
    if normalizer is None or metaspace is None:
        return None
    vocabulary: dict[str, float] = dict(model["vocab"])  # of pieces spelled alike the encoder knows the last
    names = [piece for piece, _ in model["vocab"]]
    unknown: str = names[model["unk_id"]]
    if names.count(unknown) > 1:
        return None
    byte_fallback = bool(model.get("byte_fallback"))
    if byte_fallback and not all(f"<0x{byte:02X}>" in vocabulary for byte in range(256)):
        return None
    lowest = min(score for _, score in model["vocab"])
    vocabulary.pop("", None)
    tokens = list(vocabulary)
    charsmap, squeeze, strip_left, strip_right = normalizer
    replacement, scheme, split_blanks = metaspace
    if squeeze not in ("", " ", replacement):
        return None
    if strip_right and not (squeeze or split_blanks):
        return None
    if split_blanks and scheme == "first":
        return None
    settings = {
        "tokens": "".join(tokens),
        "lengths": np.fromiter(map(len, tokens), np.int32, len(tokens)),
        "scores": np.fromiter(vocabulary.values(), np.float64, len(tokens)),
        "unknown": tokens.index(unknown) if unknown else -1,
        "unknown_score": lowest - UNKNOWN_PENALTY,
        "byte_fallback": byte_fallback,
        "charsmap": charsmap,
        "metaspace": replacement,
        "scheme": scheme,
        "split_blanks": split_blanks,
        "squeeze": squeeze,
        "strip_left": strip_left,
        "strip_right": strip_right,
    }
    return Definition(Unigram, settings)


def _normalizer(component: Mapping[str, Any] | None) -> tuple[bytes, str, bool, bool] | None:
    """Charsmap, what runs of spaces become ("": nothing), strip_left, strip_right."""
    charsmap, squeeze, strip_left, strip_right = b"", "", False, False
    steps = members(component, "normalizers")
    # In this order, each at most once.
    if steps and steps[0]["type"] == "Precompiled":
        charsmap = base64.b64decode(steps.pop(0)["precompiled_charsmap"])
    if steps and steps[0]["type"] == "Strip":
        step = steps.pop(0)
        strip_left, strip_right = bool(step["strip_left"]), bool(step["strip_right"])
    if steps and steps[0]["type"] == "Replace" and steps[0]["pattern"] == {"Regex": " {2,}"}:
        squeeze = steps.pop(0)["content"]
        if not squeeze:
            return None
    return None if steps else (charsmap, squeeze, strip_left, strip_right)


def _pre_tokenizer(component: Mapping[str, Any] | None) -> tuple[str, str, bool] | None:
    """Metaspace, prepend scheme, whether white space is split off before."""
    steps = members(component, "pretokenizers")
    split_blanks = len(steps) > 1 and steps[0]["type"] == "WhitespaceSplit"
    if split_blanks:
        steps.pop(0)
    if len(steps) != 1 or steps[0]["type"] != "Metaspace":
        return None
    step = dict(steps[0])
    prefixed = step.pop("add_prefix_space", True)
    scheme = step.pop("prepend_scheme", "always")
    step.pop("str_rep", None)  # older files: not read
    if not step.pop("split", True) or set(step) != {"type", "replacement"}:
        return None
    if not prefixed:
        scheme = "never"
    return step["replacement"], scheme, split_blanks
