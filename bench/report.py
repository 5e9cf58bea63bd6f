"""The tables of the README: `python -m bench.report [FILES OF bench/]` runs the benchmarks and prints nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Result(NamedTuple):
    table: str
    row: str
    column: str
    rate: float  # MB of UTF-8 a second
    seconds: float  # median
    notes: dict[str, str]


def tables(results: Sequence[Result]) -> Iterator[str]:
    """Lines of Markdown: a table for each name, rates in MB/s, a row's notes of all columns behind them."""
    for name in dict.fromkeys(r.table for r in results):
        inside = [r for r in results if r.table == name]
        columns = list(dict.fromkeys(r.column for r in inside))
        notes = list(dict.fromkeys(key for r in inside for key in r.notes))
        yield ""
        yield f"**{name}** (MB/s)"
        yield ""
        yield "| | " + " | ".join([*columns, *notes]) + " |"
        yield "| --- |" + " ---: |" * (len(columns) + len(notes))
        for row in dict.fromkeys(r.row for r in inside):
            rates = {r.column: number(r.rate) for r in inside if r.row == row}
            said = {key: " / ".join(r.notes[key] for r in inside if r.row == row and key in r.notes) for key in notes}
            yield f"| {row} | " + " | ".join([*(rates.get(c, "") for c in columns), *said.values()]) + " |"


def number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def main(files: Sequence[str]) -> int:
    import contextlib
    import io

    import pytest

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = pytest.main(["--benchmark-only", "-p", "no:cacheprovider", *(files or [str(FOLDER)])])
    lines = output.getvalue().splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("**")), len(lines))
    print("\n".join(lines[first:] if code == 0 else lines))
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
