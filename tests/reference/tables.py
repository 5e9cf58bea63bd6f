"""Tables read and written the slow way: cells of pipe and HTML tables, spans filled in, and their compact Markdown."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple


class Cell(NamedTuple):
    text: str  # as a reader sees it
    row: int
    column: int
    columns: int
    rows: int


def squeeze(text: str) -> str:
    return " ".join(text.split())


class _Table(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.cells: list[Cell] = []
        self.taken: set[tuple[int, int]] = set()
        self.row = -1
        self.span = (1, 1)
        self.text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("tr", "td", "th"):
            self.close()
        if tag == "tr":
            self.row += 1
        elif tag in ("td", "th"):
            given = {name: int(value or 1) for name, value in attrs if name in ("colspan", "rowspan")}
            self.span = given.get("colspan", 1), given.get("rowspan", 1)
            self.text = []
        elif tag in ("br", "p", "div") and self.text is not None:
            self.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("tr", "td", "th", "table"):
            self.close()

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    def close(self) -> None:
        if self.text is None:
            return
        column = 0
        while (self.row, column) in self.taken:
            column += 1
        columns, rows = self.span
        self.taken |= {(self.row + r, column + c) for r in range(rows) for c in range(columns)}
        self.cells.append(Cell(squeeze("".join(self.text)), self.row, column, columns, rows))
        self.text = None


def html_cells(html: str) -> list[Cell]:
    """The cells of one HTML table, each in the first column that no rowspan from above covers."""
    parser = _Table()
    parser.feed(html)
    return parser.cells


def pipe_cells(line: str) -> list[str]:
    """The cells of a line of a pipe table, escaped pipes as pipes."""
    line = line.strip()
    cells = re.split(r"(?<!\\)\|", line.removeprefix("|"))
    if cells[-1] == "" and len(cells) > 1:
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]


def filled(cells: list[Cell]) -> list[list[str]]:
    """The grid of the cells, each cell's text in every place that it covers."""
    grid = {(c.row + r, c.column + k): c.text for c in cells for r in range(c.rows) for k in range(c.columns)}
    last = max(c.row for c in cells)
    width = [max(k for r, k in grid if r == row) + 1 for row in range(last + 1)]
    return [[grid.get((row, k), "") for k in range(width[row])] for row in range(last + 1)]


def markdown_row(cells: list[str]) -> str:
    return "|" + "".join(cell.replace("|", "\\|") + "|" for cell in cells) + "\n"


def pairs_row(names: list[str], cells: list[str]) -> str:
    """`name: value; name: value`, without the empty cells."""
    named = [(names[k] if k < len(names) else "", cell) for k, cell in enumerate(cells) if cell]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named) + "\n"


def column_names(header: list[list[str]]) -> list[str]:
    """The header rows of each column joined with `/`, a part that repeats the one above it left out."""
    names = []
    for column in zip(*header, strict=True):
        parts = [part for r, part in enumerate(column) if part and (r == 0 or part != column[r - 1])]
        names.append("/".join(parts))
    return names
