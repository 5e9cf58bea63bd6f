"""Tokenizers compiled to native counters.

A `tokenizer.json` is read as data. What is not understood to the last setting is not compiled: the encoder then counts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chunkfast._core import ByteBPE, Counter
from chunkfast.char_bpe import compile_char_bpe
from chunkfast.patterns import NUMERIC, Automaton, CharSet, UnsupportedPattern, compile_pattern, read_set
from chunkfast.unigram import compile_unigram
from chunkfast.vocabulary import lengths_of, merge_parts
from chunkfast.wordpiece import compile_wordpiece

log = logging.getLogger(__name__)

# the pattern that ByteLevel(use_regex=True) stands for
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MAX_ADDED = 256  # characters of an added token: matching is linear in the text for each


class Unsupported(ValueError):
    """A setting of the tokenizer is not understood: the message says which."""


def compile_counter(tokenizer: dict[str, Any]) -> Counter | None:
    """The native counter of a parsed `tokenizer.json`, or None where some setting of it is not understood.

    The counter is that of the encoder with special tokens in the text counted as text (`encode_special_tokens`), none
    added around it, no truncation and no padding. The reason for a None goes to the debug log.
    """
    try:
        family = _family(tokenizer["model"])
        if family not in FAMILIES:
            raise Unsupported(f"model {family}")
        counter = FAMILIES[family](tokenizer)
        if counter is None:
            raise Unsupported(f"{family} with other settings than those compiled")
        return counter
    except (Unsupported, UnsupportedPattern) as reason:
        log.debug("tokenizer is not compiled, the encoder counts: %s", reason)
        return None


def _family(model: dict[str, Any]) -> str:
    """The model's type; older files leave it to the model's fields."""
    if "type" in model:
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in model else "WordLevel"


def _expect(settings: dict[str, Any], **expected: tuple[Any, ...]) -> None:
    """Raise Unsupported where a setting has none of the values expected of it, or is not known at all."""
    for name, value in settings.items():
        if name != "type" and value not in expected.get(name, ()):
            raise Unsupported(f"{settings.get('type', 'model')} has {name}={str(value)[:80]!r}")


def _members(component: dict[str, Any] | None, name: str) -> list[dict[str, Any]]:
    """A component as the list of its parts: a Sequence has some, None has none."""
    if component is None:
        return []
    return list(component[name]) if component["type"] == "Sequence" else [component]


def _byte_bpe(tokenizer: dict[str, Any]) -> Counter:
    model = dict(tokenizer["model"])
    vocab: dict[str, int] = model.pop("vocab")
    merges = model.pop("merges")
    model.pop("byte_fallback", None)  # these say what becomes of a byte without a token: here each has one
    model.pop("fuse_unk", None)
    model.pop("unk_token", None)
    ignore_merges = bool(model.pop("ignore_merges", False))
    _expect(model, dropout=(None, 0.0), continuing_subword_prefix=(None, ""), end_of_word_suffix=(None, ""))
    normalizers = [part["type"] for part in _members(tokenizer.get("normalizer"), "normalizers")]
    if normalizers not in ([], ["NFC"]):
        raise Unsupported(f"normalizers {normalizers}")
    added = _added_tokens(tokenizer.get("added_tokens") or (), bool(normalizers))
    automaton = _byte_level_pattern(_members(tokenizer.get("pre_tokenizer"), "pretokenizers"))
    if len(set(vocab.values())) < len(vocab):
        raise Unsupported("two tokens have one id")
    try:
        parts = merge_parts(merges)
        return ByteBPE(
            tokens="".join(vocab),
            lengths=lengths_of(vocab),
            ids=np.fromiter(vocab.values(), np.int32, len(vocab)),
            merges="".join(parts),
            merge_lengths=lengths_of(parts),
            ignore_merges=ignore_merges,
            segments=np.array(automaton.segments, np.int32),
            cell_class=automaton.cell_class,
            table=automaton.table,
            kinds=automaton.kinds,
            added=added,
            nfc=bool(normalizers),
        )
    except ValueError as error:
        raise Unsupported(f"vocabulary or merges: {error}") from error


def _added_tokens(tokens: Iterable[dict[str, Any]], is_normalized: bool) -> list[tuple[str, bool, bool]]:
    """Content, whether it is matched in normalised text, and whether it counts as a token, of each added token."""
    out = []
    for token in tokens:
        content, counted = str(token["content"]), not token["special"]
        if counted and (token["single_word"] or token["lstrip"] or token["rstrip"]):
            raise Unsupported(f"added token {content!r} with single_word, lstrip or rstrip")
        if not 0 < len(content) <= MAX_ADDED or (is_normalized and not content.isascii()):
            raise Unsupported(f"added token {content[:MAX_ADDED]!r}")
        out.append((content, bool(token["normalized"]), counted))
    if len({content for content, *_ in out}) < len(out):
        raise Unsupported("an added token twice")
    return out


def _byte_level_pattern(stages: list[dict[str, Any]]) -> Automaton:
    """The automaton of pre-tokenizers that end with ByteLevel: splits of single sets, then one pattern."""
    if not stages or stages[-1]["type"] != "ByteLevel":
        raise Unsupported(f"pre-tokenizers {[stage['type'] for stage in stages]}: not byte-level")
    *splits, byte_level = stages
    _expect(byte_level, add_prefix_space=(False,), trim_offsets=(False, True), use_regex=(False, True))
    pattern = GPT2_PATTERN if byte_level.get("use_regex", True) else _split_pattern(splits.pop()) if splits else None
    if pattern is None:
        raise Unsupported("ByteLevel without a pattern")
    isolated: list[tuple[CharSet, int | None]] = []
    for stage in splits:
        if stage["type"] == "Digits":
            _expect(stage, individual_digits=(False, True))
            isolated.append((NUMERIC, 1 if stage["individual_digits"] else None))
        else:
            isolated.append(read_set(_split_pattern(stage)))
    return compile_pattern(pattern, tuple(isolated))


def _split_pattern(stage: dict[str, Any]) -> str:
    if stage["type"] != "Split" or list(stage["pattern"]) != ["Regex"]:
        raise Unsupported(f"pre-tokenizer {stage['type']} with {list(stage.get('pattern', ()))}")
    _expect(stage, behavior=("Isolated",), invert=(False,), pattern=(stage["pattern"],))
    return str(stage["pattern"]["Regex"])


FAMILIES: dict[str, Callable[[dict[str, Any]], Counter | None]] = {
    "BPE": lambda tokenizer: compile_char_bpe(tokenizer) or _byte_bpe(tokenizer),
    "Unigram": compile_unigram,
    "WordPiece": compile_wordpiece,
}
