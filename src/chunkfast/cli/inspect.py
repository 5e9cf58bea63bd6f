"""`chunkfast inspect`: a document's outline and chunks, in the terminal or as a page."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import chunkfast
from chunkfast.cli import options as opt
from chunkfast.cli.chunking import Progress, visible
from chunkfast.cli.drawing import chunks_of, legend, outline_of
from chunkfast.cli.reading import Columns, Document, Problem, Report, expand, read
from chunkfast.evaluation.contenders import named


def inspect(
    context: typer.Context,
    paths: opt.Paths,
    only_outline: Annotated[bool, typer.Option("--outline", help="Show the outline only.")] = False,
    only_chunks: Annotated[bool, typer.Option("--chunks", help="Show the chunks only.")] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            "--html", help="Write one page to look at in a browser, that needs no other file.", dir_okay=False
        ),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHUNKER",
            help="With --html, another chunker beside: token, sentence, structure or a preset; with settings: "
            "structure:chunk_size=512. May be repeated. Without it: the other two generations, to switch on.",
            show_default=False,
        ),
    ] = None,
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
    """Show a document's outline and chunks, with repeated headers, lead-ins and overlap told apart."""
    cut = opt.build_chunker(context.params)
    if beside and page is None:
        raise typer.BadParameter("needs --html", param_hint="--beside")
    if page is not None and (only_outline or only_chunks):
        raise typer.BadParameter("a page has both outline and chunks", param_hint="--html")
    shown = Progress(0, bar=False)
    report = shown.report
    documents = read(expand(paths, report), Columns(text_column, id_column, title_column), report, input_format)
    if page is None:
        _draw(documents, cut, report, outline=not only_chunks, chunks=not only_outline)
    else:
        name = preset.value if preset else chunker.value
        others = beside or [generation.value for generation in opt.Generation if generation.value != name]
        views = {name: cut} | {f"{spec} by default" if spec == name else spec: _named(spec, cut) for spec in others}
        _write(page, documents, views, 1 + len(beside or ()), report)
    if shown.tally.problems:
        raise typer.Exit(1)


def _named(spec: str, like: opt.Chunker) -> opt.Chunker:
    """The chunker of a name, with the tokenizer of another."""
    try:
        chunker = named(spec, like.tokenizer)
    except (ValueError, ImportError) as error:
        raise typer.BadParameter(str(error), param_hint="--beside") from error
    if not isinstance(chunker, opt.Chunker):
        raise typer.BadParameter(f"{spec!r} is no chunker of chunkfast", param_hint="--beside")
    return chunker


def _draw(documents: Iterable[Document], cut: opt.Chunker, report: Report, *, outline: bool, chunks: bool) -> None:
    console = Console(highlight=False)
    for document in documents:
        try:
            made = cut.chunk(document.text, title=document.title)
        except ValueError as error:
            report(Problem(document.id, str(error)))
            continue
        console.print(Text(visible(document.id), "bold reverse"), Text(visible(made.title or ""), "bold"))
        if outline:
            console.print(outline_of(chunkfast.outline(document.text)))
        if chunks:
            for drawn in chunks_of(made):
                console.print(drawn)
            console.print(legend())


def _write(
    page: Path, documents: Iterable[Document], chunkers: Mapping[str, opt.Chunker], shown: int, report: Report
) -> None:
    try:
        from chunkfast.cli.page import Shown, render
    except ImportError as error:
        typer.echo(f"chunkfast: --html needs {error.name}: pip install 'chunkfast[cli]'", err=True)
        raise typer.Exit(1) from error
    inspected = []
    for document in documents:
        try:
            chunks = {name: cut.chunk(document.text, title=document.title) for name, cut in chunkers.items()}
        except ValueError as error:
            report(Problem(document.id, str(error)))
            continue
        inspected.append(Shown(document.id, document.text, chunkfast.outline(document.text), chunks))
    try:
        with open(page, "w", encoding="utf-8") as file:
            file.writelines(render(inspected, chunkers, shown))
    except OSError as error:
        report(Problem(str(page), error.strerror or str(error)))
