"""`chunkfast audit`: several chunkers, and chunk files of other tools, side by side."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkfast import Audit, load_tokenizer
from chunkfast import audit as audit_chunks
from chunkfast.audit import rows
from chunkfast.cli import options as opt
from chunkfast.cli.chunking import Progress, visible
from chunkfast.cli.reading import BrokenInput, Columns, Document, Problem, Report, expand, read
from chunkfast.cli.records import DOCUMENT, END, START, TEXT, column, read_records

_SUMS = ("chunks", "source covered", "bytes stored, source = 1", "fill")


def audit(
    paths: opt.Paths,
    chunker: Annotated[
        list[opt.Generation] | None,
        typer.Option(
            "--chunker",
            "-c",
            help="A chunker to audit; may be repeated. Without it and --chunks: all three.",
            rich_help_panel=opt.CUTTING,
        ),
    ] = None,
    chunks: Annotated[
        list[Path] | None,
        typer.Option(
            help="Chunks of another tool to audit: .jsonl or .parquet, in the order of each document, with a column "
            "text, or start and end, and document_id; may be repeated.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    tokenizer: opt.Tokenizer = "deepseek",
    chunk_size: opt.ChunkSize = None,
    preset: opt.PresetOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every fault and its place.")] = False,
    show: Annotated[int, typer.Option(min=0, help="Show so many faults of each kind.")] = 0,
    input_format: opt.InputFormatOption = None,
    text_column: opt.TextColumn = "text",
    id_column: opt.IdColumn = None,
    title_column: opt.TitleColumn = None,
) -> None:
    """Count what is wrong with chunks: mixed sections, missing headers and lead-ins, cut sentences, coverage.

    PATH are the source documents. Chunk files are told apart by document_id: the document's path, its file name, or
    its id in --id-column; with one document it is not needed.
    """
    shown = Progress(0, bar=False)
    report = shown.report
    names = chunker or ([] if chunks else list(opt.Generation))
    unset = dict.fromkeys(frozenset().union(*opt.FIELDS.values()))
    cutters = {
        name.value: opt.build_chunker(
            {
                **unset,
                "chunker": name,
                "chunk_size": chunk_size,
                "tokenizer": tokenizer,
                "preset": preset if name is opt.Generation.structure else None,
            }
        )
        for name in names
    }
    documents = list(read(expand(paths, report), Columns(text_column, id_column, title_column), report, input_format))
    found: dict[str, list[tuple[str, Audit]]] = {}
    for name, cutter in cutters.items():
        found[name] = []
        for document in documents:
            try:
                verdict = audit_chunks(document.text, cutter.chunk(document.text), chunk_size=cutter.limit)
            except ValueError as error:
                report(Problem(document.id, str(error)))
                continue
            found[name].append((document.id, verdict))
    counter = load_tokenizer(tokenizer) if chunks else None
    for path in chunks or ():
        found[str(path)] = []
        for document, records in _by_document(path, documents, report):
            try:
                verdict = audit_chunks(document.text, records, tokenizer=counter, chunk_size=chunk_size)
            except ValueError as error:
                report(Problem(f"{path}: {document.id}", str(error)))
                continue
            found[str(path)].append((document.id, verdict))
    totals = {name: Audit.sum(verdict for _, verdict in verdicts) for name, verdicts in found.items()}
    if as_json:
        values = {name: {**total.to_dict(), "faults": _faults(found[name])} for name, total in totals.items()}
        typer.echo(json.dumps(values, ensure_ascii=False, indent=1))
    else:
        console = Console(highlight=False)
        console.print(_table(totals, len(documents)))
        for name, verdicts in found.items() if show else ():
            console.print(Text(name, "bold"))
            seen: dict[str, int] = defaultdict(int)
            for fault in _faults(verdicts):
                seen[fault["kind"]] += 1
                if seen[fault["kind"]] <= show:
                    place = f"{fault['document']} #{fault['chunk']} @{fault['offset']}"
                    console.print(Text(visible(f"  {fault['kind']}  {place}  {fault['excerpt']!r}")))
    if shown.tally.problems:
        raise typer.Exit(1)


def _faults(verdicts: Iterable[tuple[str, Audit]]) -> list[dict[str, Any]]:
    return [{"document": name, **fault._asdict()} for name, verdict in verdicts for fault in verdict.faults]


def _table(totals: dict[str, Audit], documents: int) -> Table:
    table = Table(header_style="bold")
    table.add_column(f"{documents} document{'s' if documents != 1 else ''}", no_wrap=True)
    for name in totals:
        table.add_column(visible(name), justify="right", overflow="fold")
    for label, values in rows(totals):
        styles = (
            "" if label in _SUMS or value == "-" else "green" if value.startswith("0 ") else "red" for value in values
        )
        table.add_row(label, *map(Text, values, styles))
    return table


def _by_document(path: Path, documents: list[Document], report: Report) -> list[tuple[Document, list[Any]]]:
    """The chunks in a file by their document, as `audit` takes them."""
    found: dict[str, list[Any]] = defaultdict(list)
    known = {document.id: document for document in documents}
    by_name: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        by_name[PurePath(document.id).name].append(document)
    strangers: dict[str, int] = {}
    try:
        for number, row in enumerate(read_records(path), 1):
            identity = column(DOCUMENT, row)
            if identity is None and len(documents) == 1:
                identity = documents[0].id
            named = by_name.get(PurePath(str(identity)).name, [])
            if str(identity) not in known and len(named) == 1:
                identity = named[0].id
            if str(identity) not in known:
                strangers.setdefault(str(identity), number)
                continue
            found[str(identity)].append(_chunk(row, number))
    except (BrokenInput, OSError) as error:
        report(Problem(str(path), str(error)))
    for identity, number in strangers.items():
        report(Problem(f"{path}:{number}", f"no document {identity!r} among the sources"))
    return [(document, found[document.id]) for document in documents if document.id in found]


def _chunk(row: dict[str, Any], number: int) -> Any:
    text, start, end = column(TEXT, row), column(START, row), column(END, row)
    if text is None and start is not None and end is not None:
        return int(start), int(end)
    if not isinstance(text, str):
        raise BrokenInput(f"row {number} has none of the columns {', '.join(TEXT)}, nor both start and end")
    return {"text": text, "start_index": start, "end_index": end, "token_count": row.get("token_count")}
