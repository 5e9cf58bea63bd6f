"""`chunkfast sweep`: what overlap and sizes do to recall and storage."""

import json
from typing import Annotated

import typer
from rich.table import Table

from chunkfast import load_tokenizer
from chunkfast.cli.eval import (
    Budget,
    Context,
    Documents,
    Folders,
    K,
    Page,
    Questions,
    RetrieverName,
    TokenizerName,
    Within,
    advancing,
    described,
    grid,
    interval,
    share,
    show,
)
from chunkfast.evaluation import Series, Swept, experiments, read_questions, read_sources, report, retriever
from chunkfast.evaluation import sweep as run


def sweep(
    files: Questions,
    root: Documents,
    folders: Folders = None,
    chunker: Annotated[
        str,
        typer.Option("--chunker", "-c", help="structure, a preset, or what --vary names; with settings as for eval."),
    ] = "structure",
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SETTING=VALUE,VALUE...",
            help="Try these values of one setting; may be repeated. Without it: the overlap of all three generations, "
            "then chunk_size, table_size, list_size and pack_size.",
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
    as_json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Try values of settings: what they answer and what they store, and where more storage stops to pay.

    The knee is the value with the least storage among those within one point (0.01) of the best.
    """
    try:
        series = [_series(chunker, one) for one in vary] if vary else experiments(chunker)
        counter = load_tokenizer(tokenizer)
        questions = [question for file in files for question in read_questions(file)]
        sources = read_sources(root, folders or [""])
        with advancing(len({one.spec(value) for one in series for value in one.values})) as advance:
            swept = run(
                questions,
                sources,
                series,
                counter,
                retriever(retriever_name),
                k=k,
                budget=budget,
                context=context,
                within_document=within_document,
                advance=advance,
            )
        if page:
            about = described(questions, sources, k, budget, tokenizer, context, within_document, retriever_name)
            page.write_text(report(swept=swept, about=about), encoding="utf-8")
    except (ValueError, ImportError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        typer.echo(json.dumps([one.summary() for one in swept], ensure_ascii=False, indent=1))
        return
    show([_table(one) for one in swept])


def _series(chunker: str, text: str) -> Series:
    setting, _, values = text.partition("=")
    if not setting or not values:
        raise ValueError(f"--vary {text!r} is not SETTING=VALUE,VALUE...")
    return Series(chunker, setting, [int(value) if value.isdecimal() else value for value in values.split(",")])


def _table(swept: Swept) -> Table:
    knees = {swept.knee("answerable"): "knee", swept.knee("answerable_budget"): "knee in budget"}
    if len(knees) == 1:
        knees = dict.fromkeys(knees, "knee of both")
    table = grid(
        f"{swept.series.chunker}: {swept.series.setting}",
        (),
        (swept.series.setting, "answerable\n@k", "95 %", "in\nbudget", "recall\n@k", "storage", "chunks", "largest"),
    )
    table.add_column("")
    for i, (value, outcome) in enumerate(zip(swept.series.values, swept.outcomes, strict=True)):
        shares = {m: share(float(outcome.of(m).mean())) for m in ("answerable", "answerable_budget", "recall")}
        table.add_row(
            str(value), shares["answerable"], interval(outcome, "answerable"), shares["answerable_budget"],
            shares["recall"], f"{outcome.storage:.2f}", f"{outcome.chunks:,}", f"{outcome.largest:,}", knees.get(i, ""),
            style="bold" if i in knees else "",
        )  # fmt: skip
    return table
