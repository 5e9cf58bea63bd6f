"""A document's outline and chunks for the terminal."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from chunkfast import Chunk, Chunks, Heading
from chunkfast.cli.chunking import visible

LEVELS = ("bold magenta", "bold blue", "cyan", "green")
KINDS = {"text": "white", "list": "green", "table": "cyan", "code": "yellow", "contents": "bright_black"}


class Role(NamedTuple):
    """What a piece of a chunk's text is: its gutter (legible without colour), and the styles of gutter and text."""

    gutter: str
    meaning: str
    gutter_style: str
    style: str


ROLES: Mapping[str, Role] = {
    "prefix": Role("»", "repeated header or lead-in", "bold yellow", "yellow"),
    "overlap": Role("~", "overlap", "bold magenta", "italic magenta"),
    "body": Role("│", "text", "bright_black", ""),
}


def legend() -> Text:
    """What the gutters mean."""
    text = Text()
    for role in ROLES.values():
        text.append(f" {role.gutter} ", role.gutter_style).append(f"{role.meaning}  ", "bright_black")
    return text


def outline_of(headings: Sequence[Heading]) -> RenderableType:
    """A line for each heading: indented by level, with its family and where it starts."""
    if not headings:
        return Text("no headings", "bright_black")
    table = Table.grid(padding=(0, 2), expand=False)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True, style="bright_black")
    table.add_column(justify="right", no_wrap=True, style="bright_black")
    for heading in headings:
        line = Text("  " * (heading.level - 1))
        line.append(heading_line(heading), _of(LEVELS, heading.level))
        table.add_row(line, str(heading.family), str(heading.start_index))
    return table


def heading_line(heading: Heading) -> str:
    """Number and title."""
    return visible(" ".join(filter(None, (heading.number, heading.title))))


def _of(styles: Sequence[str], level: int) -> str:
    return styles[min(level, len(styles)) - 1]


def chunks_of(chunks: Chunks) -> Iterable[RenderableType]:
    """Each chunk under a rule with its kind, tokens and place: its heading path, then its text piece by piece."""
    for chunk in chunks:
        yield Rule(_about(chunk), align="left", style="bright_black", characters="─")
        yield chunk_of(chunk)


def _about(chunk: Chunk) -> Text:
    about = Text.assemble(
        (f"#{chunk.index} ", "bold"),
        (chunk.kind, KINDS[chunk.kind]),
        "  ",
        (f"{chunk.token_count} tokens", "bold"),
        (f"  {chunk.start_index}-{chunk.end_index}", "bright_black"),
    )
    if chunk.page is not None:
        about.append(f"  {pages(chunk.page)}", "bright_black")
    return about


def pages(page: tuple[int, int]) -> str:
    """First and last page in words."""
    first, last = page
    return f"page {first}" if first == last else f"pages {first}-{last}"


def chunk_of(chunk: Chunk) -> RenderableType:
    """Heading path and text of one chunk."""
    names = [Text(visible(heading), _of(LEVELS, level)) for level, heading in enumerate(chunk.headings, 1)]
    parts = [Guttered(text, ROLES[role]) for role, text in pieces(chunk)]
    return Group(Text(" > ").join(names), *parts) if names else Group(*parts)


@dataclass(frozen=True)
class Guttered:
    """A text with a mark before each line, folded lines too."""

    text: str
    role: Role

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width - 2, 8)
        for line in visible(self.text).expandtabs(4).splitlines():
            for part in folded(line, width):
                yield Text.assemble((self.role.gutter, self.role.gutter_style), " ", (part, self.role.style))


def folded(line: str, width: int) -> list[str]:
    """`line` in parts of at most `width` cells: at blanks, or anywhere where it is in a script of wide characters."""
    if cell_len(line) <= width:
        return [line]
    if cell_len(line) > len(line):
        return chop_cells(line, width)
    return textwrap.wrap(line, width, drop_whitespace=False, replace_whitespace=False)


def pieces(chunk: Chunk) -> list[tuple[str, str]]:
    """The chunk's text as "prefix", "overlap" and "body", those that it has."""
    prefix, overlap = len(chunk.prefix), len(chunk.prefix) + len(chunk.overlap)
    parts = (chunk.text[:prefix], chunk.text[prefix:overlap], chunk.text[overlap:])
    return [(role, text.strip("\r\n")) for role, text in zip(ROLES, parts, strict=True) if text.strip()]
