"""Questions with gold and context spans, made from structured documents by rules."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from chunkfast import Heading
from chunkfast.evaluation.questions import Question, Source, Span
from chunkfast.evaluation.reading import Passage, Range, Reading, Row
from chunkfast.evaluation.wording import Chinese, English, bare, is_chinese, negates, points_back, unmarked

KINDS = ("text", "table", "negation", "multi_hop")
_ITEM = 120  # code points of an item that a question can hold
_CELL = 40
_COLUMNS = 3  # questions of one row, at most
_USES = 2  # questions of one term
_COMMON = 30  # sentences with a term: so many tell nothing of where it matters
_NUMBER = r"[〇零一二三四五六七八九十百千\d]+"
_PARAGRAPH = re.compile(r"\d+(?:\.\d+)+(?=\.?\s)")
_REFERENCE = re.compile(
    rf"(?<![》法例典定则])(?:第{_NUMBER}条(?:之[一二三四五六七八九十]+)?|(?<=见)\d+(?:\.\d+)+)"
    r"|\b(?:[Ss]ections?|[Aa]rticles?|[Pp]aragraphs?|[Cc]lauses?|Rules?)\s+\d+(?:\.\d+)*(?![\w.]*\sof\s(?:the\s)?[A-Z])"
)


def generate(sources: Sequence[Source], n: int = 2000, seed: int = 0) -> list[Question]:
    """Questions of four types, as many of each as there are, in turn from each document.

    * `text`: what a sentence of running text says; gold: its paragraph, or the sentence where that is long.
    * `table`: the cell of a row and a column; gold: the row; context: the header rows, caption, unit and conditions.
    * `negation`: an item of a list whose lead-in negates; gold: the item; context: the lead-in and the items around
      it. Where there are too few, items of other lists fill up, as `list`.
    * `multi_hop`: a sentence that refers to another section by its number, or that uses a term which another section
      defines; golds: both.

    Limits: questions are made of the document's words, so lexical retrieval finds the answers more easily than with
    users' own words: compare chunkers by them, not retrievers. Sections, lists and tables are those that
    `StructureChunker` reads: nothing is asked of what it does not see, and where it is wrong, so is the question.
    Whether a question makes sense was not judged by anyone, nor whether another passage answers it too; questions that
    are worded alike, and answers that stand several times in a document, are left out. In languages other than Chinese
    and English only table questions and list items are of use.

    Parameters
    ----------
    sources : sequence of Source
    n : int
        How many. Fewer are made where the documents offer no more.
    seed : int
        The same documents, `n` and `seed` give the same questions.

    Returns
    -------
    list of Question
        By type; spans are in code points of the documents.

    Raises
    ------
    ValueError
        `n` under 1.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, not {n}")
    by_type: dict[str, list[list[Question]]] = {kind: [] for kind in (*KINDS, "list")}
    seen: Counter[str] = Counter()
    for source in sources:
        maker = _Maker(source, random.Random(f"{seed} {source.name}"))
        made: dict[str, list[Question]] = {kind: [] for kind in by_type}
        for question in maker.questions():
            seen[question.text] += 1
            made[question.type].append(question)
        for kind, questions in made.items():
            maker.random.shuffle(questions)
            by_type[kind].append(questions)
    order = random.Random(seed)
    pools = {kind: _in_turn(groups, order, seen) for kind, groups in by_type.items()}
    chosen = [q for kind, count in _shares(n, pools).items() for q in pools[kind][:count]]
    numbers: Counter[str] = Counter()
    for i, question in enumerate(chosen):
        numbers[question.type] += 1
        chosen[i] = replace(question, id=f"{question.type}-{numbers[question.type]}")
    return chosen


def _in_turn(groups: list[list[Question]], order: random.Random, seen: Counter[str]) -> list[Question]:
    """One of each document, then the next of each; those that are worded like another are left out."""
    groups = [[question for question in group if seen[question.text] == 1] for group in groups]
    order.shuffle(groups)
    longest = max(map(len, groups), default=0)
    return [group[i] for i in range(longest) for group in groups if i < len(group)]


def _shares(n: int, pools: dict[str, list[Question]]) -> dict[str, int]:
    """How many of each type: a quarter, and more of the others where a type has fewer."""
    have = {kind: len(pools[kind]) for kind in KINDS}
    have["negation"] += len(pools["list"])
    taken = {}
    for left, kind in enumerate(sorted(KINDS, key=have.__getitem__)):  # the scarcest first
        taken[kind] = min(have[kind], n // (len(KINDS) - left))
        n -= taken[kind]
    taken["list"] = max(0, taken["negation"] - len(pools["negation"]))
    taken["negation"] -= taken["list"]
    return {kind: taken[kind] for kind in ("text", "table", "negation", "list", "multi_hop")}


class _Maker:
    """All questions of one document."""

    def __init__(self, source: Source, order: random.Random) -> None:
        self.source, self.random = source, order
        self.reading = Reading(source)
        self.words: Chinese | English = Chinese() if is_chinese(source.text) else English()

    def questions(self) -> Iterator[Question]:
        makers: tuple[Callable[[], Iterator[Question]], ...] = (self.texts, self.tables, self.lists, self.hops)
        for maker in makers:
            yield from maker()

    def question(
        self, kind: str, text: str, gold: Sequence[Range], context: Sequence[Range] = ()
    ) -> Iterator[Question]:
        """One, unless its answer stands in the document elsewhere too."""
        name = self.source.name
        if all(len(self.source.alike(*span)) == 1 for span in gold):
            yield Question("", text, kind, tuple(Span(name, *s) for s in gold), tuple(Span(name, *s) for s in context))

    def where(self, section: int) -> str:
        return self.words.where(self.reading.title, bare(self.reading.title_of(section)))

    def fits(self, span: Range) -> bool:
        return self.words.shortest <= span[1] - span[0] <= self.words.longest

    def texts(self) -> Iterator[Question]:
        for passage, around in zip(self.reading.sentences, self.paragraphs, strict=True):
            sentence = self.reading[passage.start, passage.end]
            if self.fits((passage.start, passage.end)) and not points_back(sentence):
                yield from self.question("text", self.words.text(self.where(passage.section), sentence), [around])

    @cached_property
    def paragraphs(self) -> list[Range]:
        """For each sentence the sentences on its line with it, or the sentence alone where they are long."""
        found: list[Range] = []
        line: list[Range] = []
        for passage in (*self.reading.sentences, None):
            if line and (passage is None or "\n" in self.reading[line[-1][1], passage.start]):
                whole = line[0][0], line[-1][1]
                found += [whole] * len(line) if self.fits(whole) else line
                line = []
            if passage is not None:
                line.append((passage.start, passage.end))
        return found

    def tables(self) -> Iterator[Question]:
        for row in self.reading.rows:
            label, *cells = row.cells
            names = Counter(name for name, _ in row.cells)
            if any(len(part) > _CELL for part in label):
                continue
            good = [c for c in cells if names[c[0]] == 1 and len(c[1]) <= _CELL and c[1] != label[1]]
            for name, _ in self.random.sample(good, min(_COLUMNS, len(good))):
                text = self.words.table(self.where(row.section), self.conditions(row), label, name)
                yield from self.question("table", text, [(row.start, row.end)], row.needs)

    def conditions(self, row: Row) -> str:
        """The condition lines, which tell tables apart that have the same header."""
        short = [bare(line) for line in row.conditions if len(line) <= _CELL]
        return ("，" if isinstance(self.words, Chinese) else ", ").join(filter(None, short))

    def lists(self) -> Iterator[Question]:
        for passage in self.reading.items:
            item = unmarked(self.reading[passage.start, passage.end])
            if len(item) < self.words.shortest // 2 or len(item) > _ITEM or item[-1] in "：:":
                continue
            negative = [self.reading[span] for span in passage.needs if negates(self.reading[span])]
            text = self.words.item(self.where(passage.section), item, negative[-1] if negative else "")
            kind = "negation" if negative else "list"
            yield from self.question(kind, text, [(passage.start, passage.end)], passage.needs)

    def hops(self) -> Iterator[Question]:
        yield from self.references()
        yield from self.terms()

    def references(self) -> Iterator[Question]:
        for passage in self.reading.sentences:
            sentence = self.reading[passage.start, passage.end]
            for found in _REFERENCE.finditer(sentence):
                targets = self.numbered.get(_digits(found[0]), [])
                if len(targets) != 1:
                    continue
                section, title, target = targets[0]
                if target and section != passage.section and self.fits(target):
                    text = self.words.reference(self.where(passage.section), sentence, found[0], bare(title))
                    yield from self.question("multi_hop", text, [(passage.start, passage.end), target])

    @cached_property
    def numbered(self) -> dict[str, list[tuple[int, str, Range | None]]]:
        """By number: sections (heading, title, opening), and paragraphs of running text (heading above, "", itself)."""
        found: dict[str, list[tuple[int, str, Range | None]]] = {}
        for i, heading in enumerate(self.reading.headings):
            if number := _digits(heading):
                found.setdefault(number, []).append((i, heading.title, self.openings.get(i)))
        for passage, around in zip(self.reading.sentences, self.paragraphs, strict=True):
            number_at = _PARAGRAPH.match(self.reading[passage.start, passage.end])
            if number_at and passage.start == around[0]:
                found.setdefault(_digits(number_at[0]), []).append((passage.section, "", around))
        return found

    @cached_property
    def openings(self) -> dict[int, Range]:
        """The paragraph that a section begins with, where that is running text."""
        found: dict[int, Range] = {}
        for passage, around in zip(self.reading.sentences, self.paragraphs, strict=True):
            if passage.section >= 0 and passage.section not in found:
                end = self.reading.headings[passage.section].end_index
                if passage.start >= end and not self.reading[end, passage.start].strip(" \t\n*_"):
                    found[passage.section] = around
        return found

    def terms(self) -> Iterator[Question]:
        for passage in (*self.reading.sentences, *self.reading.items):
            definition = self.reading[passage.start, passage.end]
            term = self.words.defined(definition) or self.titled(passage, definition)
            if not term or not self.fits((passage.start, passage.end)):
                continue
            uses = [s for s in self.reading.sentences if s.section != passage.section and self.uses(s, term)]
            if len(uses) > _COMMON:
                continue
            for use in self.random.sample(uses, min(_USES, len(uses))):
                sentence = self.reading[use.start, use.end]
                text = self.words.term(self.where(use.section), sentence, term)
                yield from self.question(
                    "multi_hop", text, [(use.start, use.end), (passage.start, passage.end)], passage.needs
                )

    def titled(self, passage: Passage, sentence: str) -> str | None:
        """The title of a section that begins "指..."; it names the term."""
        begins = re.match(r"(?:是|系)?指", sentence.strip())
        return self.reading.title_of(passage.section) if begins and passage.section >= 0 else None

    def uses(self, passage: Passage, term: str) -> bool:
        sentence = self.reading[passage.start, passage.end]
        fits = self.fits((passage.start, passage.end)) and not points_back(sentence)
        return fits and self.words.is_part(term, sentence) and self.words.defined(sentence) is None


def _digits(named: Heading | str) -> str:
    """A number without its words and signs: "Section 6.1", "6.1." and "6.1" are the same."""
    text = named if isinstance(named, str) else named.number
    return re.sub(r"[A-Za-z\s（）()§、．：:]|\.$", "", text)
