"""Ids of chunks in plain Python: what `_kernels/chunk_ids.pxd` must give."""

import hashlib
import re
from collections.abc import Iterable, Sequence

HASHES = re.compile(r"^#{1,6}\s+")
CELLS = re.compile(r"</t[dhDH]>(?:\s|<[^>]*>)*<[^/][^>]*>\s*(?=[^<\s]|$)")  # the tags between two cells


def chunk_ids(chunks: Iterable[tuple[Sequence[str], str]]) -> list[str]:
    """The id of each of a document's chunks, given as (headings, text)."""
    before: dict[bytes, int] = {}
    ids = []
    for headings, text in chunks:
        data = b"".join([b"chunkfast-id-1", *map(_sized, headings), _sized(text), _number(len(headings))])
        nth = before[data] = before.get(data, -1) + 1
        ids.append(hashlib.blake2b(data + (_number(nth) if nth else b""), digest_size=16).hexdigest())
    return ids


def heading_line(text: str) -> str:
    """A heading as one line: a title broken over lines or cells is joined, without a blank between wide characters, and
    without the signs of its lines."""
    line = ""
    for part in filter(None, map(str.strip, CELLS.sub("\n", text.strip(" \t#*\ufeff")).splitlines())):
        part = HASHES.sub("", part)
        joined = not line or (ord(line[-1]) > 0x2E7F and ord(part[0]) > 0x2E7F)
        line += part if joined else " " + part
    return line


def _sized(text: str) -> bytes:
    data = text.encode()
    return _number(len(data)) + data


def _number(value: int) -> bytes:
    return value.to_bytes(8, "little")
