"""The commands."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import chunkfast
from chunkfast.cli import options as opt
from chunkfast.cli.audit import audit
from chunkfast.cli.chunking import Progress, run
from chunkfast.cli.diff import diff
from chunkfast.cli.eval import evaluate
from chunkfast.cli.inspect import inspect
from chunkfast.cli.questions import questions
from chunkfast.cli.reading import Columns, Problem, expand, read
from chunkfast.cli.sweep import sweep
from chunkfast.cli.writing import SUFFIXES, OutputFormat, writer

app = typer.Typer(
    help="Cut documents into chunks for retrieval.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"chunkfast {chunkfast.__version__}")
        raise typer.Exit


@app.callback()
def chunkfast_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Cut documents into chunks for retrieval."""


@app.command()
def chunk(
    context: typer.Context,
    paths: opt.Paths,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="File to write; its suffix says the format. Without it: stdout.", dir_okay=False
        ),
    ] = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option("--format", "-f", help="Output format (by the suffix of -o; stdout: jsonl).", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Threads.")] = 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress bar (there is none in a pipe anyway).")
    ] = False,
    chunker: opt.ChunkerOption = opt.Generation.structure,
    tokenizer: opt.Tokenizer = "deepseek",
    chunk_size: opt.ChunkSize = None,
    chunk_overlap: opt.ChunkOverlap = None,
    overlap_sentences: opt.OverlapSentences = None,
    reserve_tokens: opt.ReserveTokens = None,
    preset: opt.PresetOption = None,
    table_size: opt.TableSize = None,
    list_size: opt.ListSize = None,
    pack_size: opt.PackSize = None,
    table_format: opt.TableFormatOption = None,
    headings: opt.HeadingsOption = None,
    size_rules: opt.SizeRules = None,
    input_format: opt.InputFormatOption = None,
    text_column: opt.TextColumn = "text",
    id_column: opt.IdColumn = None,
    title_column: opt.TitleColumn = None,
) -> None:
    """Cut documents into chunks: JSONL, Parquet, Arrow or text out.

    What cannot be read is named on stderr, the rest is done, and the exit code is 1.
    """
    form = _output_format(output, output_format)
    cut = opt.build_chunker(context.params)
    problems: list[Problem] = []
    files = expand(paths, problems.append, skip=output)
    rows_on_terminal = output is None and sys.stdout.isatty()  # they would run through the bar
    shown = Progress(len(files), bar=not (quiet or rows_on_terminal))
    for problem in problems:
        shown.report(problem)
    documents = read(files, Columns(text_column, id_column, title_column), shown.report, input_format)
    try:
        with writer(output, form) as write, shown.running():
            run(documents, cut, write, shown, jobs)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except OSError as error:
        typer.echo(f"chunkfast: {output or 'stdout'}: {error.strerror or error}", err=True)
        raise typer.Exit(1) from None
    if shown.tally.problems:
        raise typer.Exit(1)


def _output_format(output: Path | None, asked: OutputFormat | None) -> OutputFormat:
    if output is None:
        form = asked or OutputFormat.jsonl
        if form in (OutputFormat.parquet, OutputFormat.arrow):
            raise typer.BadParameter(f"{form.value} needs a file: -o chunks.{form.value}", param_hint="--format")
        return form
    form_of_suffix = SUFFIXES.get(output.suffix.lower())
    if asked is None and form_of_suffix is None:
        raise typer.BadParameter(
            f"{output.name!r} has none of the suffixes {', '.join(SUFFIXES)}: add --format", param_hint="--output"
        )
    if not output.absolute().parent.is_dir():
        raise typer.BadParameter(f"{output.parent} is no folder", param_hint="--output")
    return asked or form_of_suffix or OutputFormat.jsonl


app.command()(inspect)
app.command()(audit)
app.command()(diff)
app.command("eval")(evaluate)
app.command()(questions)
app.command()(sweep)
