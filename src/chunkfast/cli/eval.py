"""`chunkfast eval`: which chunker's chunks answer questions, by question type."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich import progress
from rich.console import Console
from rich.table import Table

from chunkfast import load_tokenizer
from chunkfast.evaluation import Outcome, contender, read_questions, read_sources
from chunkfast.evaluation import evaluate as run
from chunkfast.evaluation.metrics import mcnemar, wilson

COLUMNS = {"hit": "hit@k", "answerable": "answerable@k", "answerable_budget": "in budget", "recall": "recall@k",
           "mrr": "MRR", "char_iou": "IoU", "possible": "possible"}  # fmt: skip


def evaluate(
    files: Annotated[list[Path], typer.Argument(metavar="QUESTIONS", help="JSONL files.", exists=True, dir_okay=False)],
    root: Annotated[
        Path, typer.Option("--documents", "-d", help="Folder that the questions name documents from.", file_okay=False)
    ],
    folders: Annotated[
        list[str] | None, typer.Option("--folder", help="Index only this folder of it; may be repeated.")
    ] = None,
    chunkers: Annotated[
        list[str] | None,
        typer.Option(
            "--chunker",
            "-c",
            help="token, sentence, structure, a preset, langchain, semchunk, chonkie or semantic-text-splitter; with "
            "settings: structure:chunk_size=512,pack_size=384. May be repeated.",
        ),
    ] = None,
    tokenizer: Annotated[str, typer.Option("--tokenizer", "-t", help="As for chunkfast chunk.")] = "deepseek",
    k: Annotated[int, typer.Option("-k", min=1, help="Chunks retrieved.")] = 5,
    budget: Annotated[int, typer.Option(min=1, help="Tokens retrieved.")] = 2560,
    context: Annotated[bool, typer.Option(help="Index text behind title and heading path.")] = True,
    within_document: Annotated[bool, typer.Option("--within-document", help="Retrieve in the known document.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, with each failed question, as JSON.")] = False,
) -> None:
    """Ask questions of each chunker's chunks: a table by question type, and why questions failed."""
    errors = Console(stderr=True)
    try:
        counter = load_tokenizer(tokenizer)
        names = chunkers or ["token", "sentence", "structure"]
        with progress.Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
            tasks = {name: bar.add_task(name, total=None) for name in names}
            outcomes = run(
                [question for file in files for question in read_questions(file)],
                read_sources(root, folders or [""]),
                [contender(name, counter, context=context) for name in names],
                k=k,
                budget=budget,
                within_document=within_document,
                advance=lambda name, done, total: bar.update(tasks[name], completed=done, total=total),
            )
    except (ValueError, ImportError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        typer.echo(json.dumps([outcome.summary() for outcome in outcomes], ensure_ascii=False, indent=1))
        return
    console = Console()
    console.print(_figures(outcomes))
    console.print(_chunks(outcomes))


def _figures(outcomes: list[Outcome]) -> Table:
    table = Table(title="Share of questions, 95 % interval of answerable@k, exact McNemar against the first chunker")
    for column in ("type", "chunker", *COLUMNS.values(), "95 %", "p"):
        table.add_column(column, justify="left" if column in ("type", "chunker") else "right")
    for kind in dict.fromkeys(question.type for question in outcomes[0].questions):
        for outcome in outcomes:
            values = outcome.of("answerable", kind)
            low, high = wilson(float(values.mean()), len(values))
            p = "" if outcome is outcomes[0] else f"{mcnemar(outcomes[0].of('answerable', kind), values):.2g}"
            shares = [f"{outcome.of(metric, kind).mean():.3f}" for metric in COLUMNS]
            table.add_row(kind, outcome.name, *shares, f"{low:.2f}-{high:.2f}", p)
        table.add_section()
    return table


def _chunks(outcomes: list[Outcome]) -> Table:
    table = Table(title="Chunks, and why questions failed within k")
    for column in ("chunker", "chunks", "largest", "storage", "causes"):
        table.add_column(column)
    for o in outcomes:
        causes = ", ".join(f"{name} {count}" for name, count in o.causes().most_common())
        table.add_row(o.name, f"{o.chunks:,}", f"{o.largest:,}", f"{o.storage:.2f}", causes)
    return table
