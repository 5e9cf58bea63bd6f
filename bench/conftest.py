"""Rates instead of times: every benchmark is a row and a column of a table of MB/s, printed at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.report import Result, tables
from tests import corpora

SIZE = 1_000_000  # bytes of UTF-8 in each text
TEXTS: dict[str, Callable[[int], str]] = {
    "English": corpora.english,
    "Chinese": corpora.chinese,
    "rate tables": corpora.rate_tables,
}
RESULTS: list[Result] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore")  # of peers


@pytest.fixture(params=list(TEXTS))
def text(request: pytest.FixtureRequest) -> str:
    return TEXTS[request.param](SIZE)


@pytest.fixture
def measure(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Time `function(*arguments)` and enter the median in a table.

    `measure(table, row, column, function, *arguments, size=bytes, **notes)` returns what the function returned;
    `notes` are figures that stand beside the rate.
    """

    def run(
        table: str, row: str, column: str, function: Callable[..., Any], *arguments: Any, size: int, **notes: str
    ) -> Any:
        benchmark.group, benchmark.name = table, f"{row}, {column}"
        returned = function(*arguments)  # warms caches, and is what is returned
        benchmark.pedantic(function, arguments, rounds=rounds(function, arguments))
        median = benchmark.stats.stats.median
        RESULTS.append(Result(table, row, column, size / 1e6 / median, median, notes))
        return returned

    return run


def rounds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
    """How often to run: for about a second, three times at least."""
    from time import perf_counter

    begun = perf_counter()
    function(*arguments)
    return max(3, min(100, int(1 / (perf_counter() - begun + 1e-9))))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in tables(RESULTS):
        terminalreporter.write_line(line)
