"""Why a question could not be answered from what was retrieved."""

from __future__ import annotations

import re

CAUSES = ("section mixed", "header missing", "lead-in missing", "cut inside", "ranked too low")
_TABLE = re.compile(r"<t[dhr]\b|\||\t")


def cause(gold_text: str, whole: bool, understood: bool, mixed: bool) -> str:
    """The cause, by what the chunks are worth.

    Parameters
    ----------
    gold_text : str
        The first gold span that was not answered.
    whole, understood : bool
        Some chunk holds it; some chunk holds it with its context.
    mixed : bool
        The best of these chunks holds text of several sections.
    """
    if not whole:
        return "cut inside"
    if not understood:
        return "header missing" if _TABLE.search(gold_text) else "lead-in missing"
    return "section mixed" if mixed else "ranked too low"
