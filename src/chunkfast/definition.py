"""What a native counter is made of, and what all families read of a tokenizer.json."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from chunkfast._core import Counter, Vocabulary

__all__ = ["Definition", "has_own_added_tokens", "members"]


class Definition(NamedTuple):
    """A class of the core and its settings."""

    kind: type[Counter]
    settings: dict[str, Any]

    def counter(self) -> Counter:
        """The counter; ValueError where the core can't make it of these settings."""
        return self.kind(**self.settings)

    def digest(self) -> bytes:
        """16 bytes: those of another definition where both are of the same settings, and so count alike."""
        digest = hashlib.blake2b(self.kind.__name__.encode(), digest_size=16)
        for name, value in self.settings.items():
            if isinstance(value, Vocabulary):
                data = value.digest
            else:
                data = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
            digest.update(f" {name} {len(data)} ".encode())
            digest.update(data)
        return digest.digest()


def members(component: Mapping[str, Any] | None, name: str) -> list[Mapping[str, Any]]:
    """A component as the list of its parts: a Sequence has some, None has none."""
    if component is None:
        return []
    return list(component[name]) if component["type"] == "Sequence" else [component]


def has_own_added_tokens(config: Mapping[str, Any]) -> bool:
    """Whether the encoder looks for tokens in the text before the model does: special ones are text here."""
    return any(not token["special"] for token in config.get("added_tokens") or ())
