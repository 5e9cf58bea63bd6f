"""Tokenizers compiled to native counters.

A `tokenizer.json` is read as data. What is not understood to the last setting is not compiled: the encoder then counts.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from chunkfast._core import ByteBPE, Counter, Vocabulary, read_vocabulary
from chunkfast.char_bpe import read_char_bpe
from chunkfast.definition import Definition, members
from chunkfast.patterns import NUMERIC, Automaton, CharSet, compile_pattern, read_set
from chunkfast.unigram import read_unigram
from chunkfast.wordpiece import read_wordpiece

log = logging.getLogger(__name__)

# the pattern that ByteLevel(use_regex=True) stands for
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Fields of a BPE model that are read elsewhere, or say what becomes of a byte without a token: here each has one.
_WITHOUT_EFFECT = {"vocab", "merges", "byte_fallback", "fuse_unk", "unk_token"}
MAX_ADDED = 256  # characters of an added token: matching is linear in the text for each


class Unsupported(ValueError):
    """A setting of the tokenizer is not understood: the message says which."""


def compile_counter(source: bytes) -> tuple[Counter, bytes] | None:
    """The native counter of a `tokenizer.json`, None where a setting is not understood; the digest of its definition.

    The counter is that of the encoder with special tokens in the text counted as text (`encode_special_tokens`), none
    added around it, no truncation and no padding. The reason for a None goes to the debug log. What is no
    `tokenizer.json` at all may raise LookupError, TypeError, AttributeError or ArithmeticError.
    """
    try:
        definition = _definition(source)
        return definition.counter(), definition.digest()
    except ValueError as reason:
        log.debug("tokenizer is not compiled, the encoder counts: %s", reason)
        return None


def compile_ranks(pattern: str, ranks: Mapping[bytes, int]) -> tuple[Counter, bytes] | None:
    """The same of a tiktoken encoding, without its special tokens: its split pattern and the ranks of its tokens."""
    try:
        automaton = compile_pattern(pattern, rust=True)
        if not automaton.covers_all():
            raise Unsupported("a pattern that leaves something out, which is lost")
        if len(set(ranks.values())) < len(ranks):
            raise Unsupported("two tokens of one rank")
        tokens = sorted(ranks, key=ranks.__getitem__)
        vocabulary = Vocabulary.of_ranks(b"".join(tokens), np.fromiter(map(len, tokens), np.int32, len(tokens)))
        definition = _byte_bpe(vocabulary, True, automaton, [], False)
        return definition.counter(), definition.digest()
    except ValueError as reason:
        log.debug("encoding is not compiled, tiktoken counts: %s", reason)
        return None


def _definition(source: bytes) -> Definition:
    rest, vocabulary = read_vocabulary(source)
    config: dict[str, Any] = json.loads(rest)
    family = _family(config["model"])
    found: Definition | None = None
    if family == "Unigram":
        found = read_unigram(config)
    elif vocabulary is not None and family in ("WordPiece", "WordLevel"):
        found = read_wordpiece(config, vocabulary)
    elif vocabulary is not None and family == "BPE":
        found = read_char_bpe(config, vocabulary) or _read_byte_bpe(config, vocabulary)
    if found is None:
        raise Unsupported(f"{family} with other settings than those compiled")
    return found


def _family(model: dict[str, Any]) -> str:
    """The model's type; older files leave it to the model's fields."""
    if "type" in model:
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in model else "WordLevel"


def _expect(settings: Mapping[str, Any], **expected: tuple[Any, ...]) -> None:
    """Raise Unsupported where a setting has none of the values expected of it, or is not known at all."""
    for name, value in settings.items():
        if name != "type" and value not in expected.get(name, ()):
            raise Unsupported(f"{settings.get('type', 'model')} has {name}={str(value)[:80]!r}")


def _read_byte_bpe(config: dict[str, Any], vocabulary: Vocabulary) -> Definition:
    model = config["model"]
    _expect(
        {name: model[name] for name in model.keys() - _WITHOUT_EFFECT},
        dropout=(None, 0.0),
        continuing_subword_prefix=(None, ""),
        end_of_word_suffix=(None, ""),
        ignore_merges=(False, True),
    )
    normalizers = [part["type"] for part in members(config.get("normalizer"), "normalizers")]
    if normalizers not in ([], ["NFC"]):
        raise Unsupported(f"normalizers {normalizers}")
    added = _added_tokens(config.get("added_tokens") or (), bool(normalizers))
    automaton = _byte_level_pattern(members(config.get("pre_tokenizer"), "pretokenizers"))
    return _byte_bpe(vocabulary, bool(model.get("ignore_merges")), automaton, added, bool(normalizers))


def _byte_bpe(
    vocabulary: Vocabulary, ignore_merges: bool, automaton: Automaton, added: list[tuple[str, bool, bool]], nfc: bool
) -> Definition:
    settings = {
        "vocabulary": vocabulary,
        "ignore_merges": ignore_merges,
        "segments": np.array(automaton.segments, np.int32),
        "cell_class": automaton.cell_class,
        "table": automaton.table,
        "kinds": automaton.kinds,
        "added": added,
        "nfc": nfc,
    }
    return Definition(ByteBPE, settings)


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
    return sorted(out)


def _byte_level_pattern(stages: list[Mapping[str, Any]]) -> Automaton:
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


def _split_pattern(stage: Mapping[str, Any]) -> str:
    if stage["type"] != "Split" or list(stage["pattern"]) != ["Regex"]:
        raise Unsupported(f"pre-tokenizer {stage['type']} with {list(stage.get('pattern', ()))}")
    _expect(stage, behavior=("Isolated",), invert=(False,), pattern=(stage["pattern"],))
    return str(stage["pattern"]["Regex"])
