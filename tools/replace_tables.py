"""Put the tables that a bench printed in place of those of a page: `make quality | python tools/replace_tables.py docs/quality.md`.

A table is told by the bold words above it, up to a comma or parenthesis, and by its first cell; a line of failures by the
same words. Prints which of the input the page does not have. The words around the tables are for a reader to check.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

Key = tuple[str, str]


def blocks(lines: list[str]) -> Iterator[tuple[Key, int, int]]:
    """Key, first line and end of each table."""
    bold, start = "", -1
    for i, line in enumerate([*lines, ""]):
        if line.startswith("failures of "):
            yield (bold, "failures"), i, i + 1
        if line.startswith("|"):
            start = i if start < 0 else start
        elif start >= 0:
            yield (bold, lines[start].split("|")[1].strip()), start, i
            start = -1
        if found := re.match(r"\*\*(.+?)\*\*", line):
            bold = re.split(r"[,(]", found[1])[0]


def main(page: str) -> int:
    path, printed = Path(page), sys.stdin.read().splitlines()
    lines = path.read_text(encoding="utf-8").splitlines()
    made = {key: printed[start:end] for key, start, end in blocks(printed)}
    for key, start, end in reversed(list(blocks(lines))):
        if key in made:
            lines[start:end] = made.pop(key)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for key in made:
        print(f"not in {page}:", *key)
    return bool(made)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
