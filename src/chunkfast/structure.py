"""The outline of a document, and the level that a single line would have in one."""

from enum import IntEnum
from typing import NamedTuple

from chunkfast import _core
from chunkfast.arguments import check_text

_FAMILIES = (
    *("", "#", "第X编", "第X分编", "第X部分", "第X章", "第X节", "第X条", "Part", "Chapter", "Article", "Section"),
    *("附录", "一、", "（一）", "I.", "1.", "1.1", "（1）", "①", "a)", "i)", "glyph", "-"),
)


class Heading(NamedTuple):
    """A heading of a document.

    Attributes
    ----------
    level : int
        Depth in the outline, 1 for the outermost.
    number : str
        Number as it stands in the text, with the sign that closes it (``"1."``, ``"第三条"``, ``"（一）"``); empty for
        a title without one.
    title : str
        Title without number and heading sign, its lines joined where it runs over several; empty where the text
        follows the number at once.
    start_index, end_index : int
        Half-open range in code points, from the heading sign or number to the end of the title; with the tags around
        them where number and title stand in cells of a table that lays out a page.
    family : str
        Numbering family: ``"第X章"``, ``"1.1"``, ``"Section"``, ``"#"`` for a title without number, and so on.
    """

    level: int
    number: str
    title: str
    start_index: int
    end_index: int
    family: str


class HeaderLevel(IntEnum):
    """Level of a single heading line."""

    H1 = 1
    H2 = 2
    H3 = 3


def outline(text: str) -> list[Heading]:
    """Return the headings of `text` in order.

    Contents lists, cross-references, list items, amounts, page furniture and the document's own title are no headings.

    Parameters
    ----------
    text : str
        A whole document.

    Raises
    ------
    TypeError
        `text` is no str.
    ValueError
        `text` holds a lone surrogate.
    """
    text = check_text("text", text)
    headings = []
    for row in _core.parse(text).headings():
        level, family, start, end, _, number_start, number_end, title_start, title_end, *_ = row
        lines = text[title_start:title_end].split("\n")
        join = "" if _is_wide(text[title_start:title_end]) else " "
        title = join.join(line.strip() for line in lines)
        headings.append(Heading(level, text[number_start:number_end], title, start, end, _FAMILIES[family]))
    return headings


def _is_wide(title: str) -> bool:
    return any("\u2e80" <= char <= "\U0003ffff" for char in title)


def detect_header_level(line: str) -> HeaderLevel | None:
    """Return the level of a line that is a heading by itself, None for any other line.

    H1: 第X编, 第X章, 第X节, 第X条, ``1. 中文标题``, Chapter, Article, Section, ``I.``, 附录, ``#``; H2: ``1.1``,
    ``一、``, ``##``; H3: ``1.1.1``, ``（一）``, ``（1）``, ``(1)``, ``1）``, ``①``, ``a)``, ``###`` and deeper.
    Cross-references, dates, amounts and sentences have none.

    Parameters
    ----------
    line : str
        One line, without the lines around it: what only they can tell (a list item, a contents entry) is not told.

    Raises
    ------
    TypeError
        `line` is no str.
    ValueError
        `line` holds a lone surrogate.
    """
    level = _core.header_level(check_text("line", line))
    return HeaderLevel(level) if level else None
