"""`chunkfast diff`: what to embed, keep, move and delete after documents were chunked anew."""

import json
import os
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkfast.cli.chunking import visible
from chunkfast.cli.reading import BrokenInput
from chunkfast.cli.records import read_records
from chunkfast.diff import KINDS, Action, Diff
from chunkfast.diff import diff as diff_rows

SUFFIXES = (".jsonl", ".ndjson", ".parquet")
_MEANING = {
    "embed": "new: compute a vector",
    "keep": "unchanged: do nothing",
    "move": "same vector: update place or id",
    "delete": "gone: remove from the index",
}


class Embedded(str, Enum):
    """What was embedded of each chunk."""

    context = "context"
    text = "text"


File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, show_default=False)]


def diff(
    old: File,
    new: File,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the actions, a row each: .jsonl or .parquet.", dir_okay=False),
    ] = None,
    embedded: Annotated[
        Embedded, typer.Option(help="What was embedded: title, headings and text, or the text alone.")
    ] = Embedded.context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Compare two files of chunks, JSONL or Parquet, as `chunkfast chunk` writes them: what must be embedded again?"""
    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(f"{output.name!r} has none of the suffixes {', '.join(SUFFIXES)}", param_hint="-o")
    try:
        found = diff_rows(_named(old), _named(new), embedded.value)
    except (BrokenInput, ValueError) as error:
        typer.echo(f"chunkfast: {error}", err=True)
        raise typer.Exit(1) from None
    if output is not None:
        try:
            _write(found, output)
        except OSError as error:
            typer.echo(f"chunkfast: {output}: {error.strerror or error}", err=True)
            raise typer.Exit(1) from None
    if as_json:
        counts: dict[str, Any] = {kind: {"chunks": found.count(kind), "tokens": found.tokens(kind)} for kind in KINDS}
        typer.echo(json.dumps({**counts, "saved": found.saved, "saved_tokens": found.saved_tokens}))
    else:
        Console(highlight=False).print(_table(found, old, new))


def _named(path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from read_records(path)
    except BrokenInput as error:
        raise BrokenInput(f"{path}: {error}") from error


def _table(found: Diff, old: Path, new: Path) -> Table:
    table = Table(title=Text(visible(f"{old} -> {new}")), header_style="bold")
    for name in ("action", "chunks", "tokens"):
        table.add_column(name, justify="left" if name == "action" else "right")
    table.add_column("meaning")
    for kind in KINDS:
        tokens = found.tokens(kind)
        table.add_row(kind, f"{found.count(kind):,}", "-" if tokens is None else f"{tokens:,}", _MEANING[kind])
    table.add_section()
    table.add_row(
        "saved", *("-" if x is None else f"{x:.1%}" for x in (found.saved, found.saved_tokens)), "of embedding"
    )
    return table


def _write(found: Diff, path: Path) -> None:
    """The file appears under its name when it is complete."""
    part = path.with_name(path.name + ".part")
    try:
        if path.suffix.lower() == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            columns = zip(*found.actions, strict=True) if found.actions else ([] for _ in Action._fields)
            number = pa.int64()
            text = pa.string()
            types = [text] * 5 + [number] * 4
            arrays = [
                pa.array([None if v is None else str(v) if kind is text else v for v in values], kind)
                for values, kind in zip(columns, types, strict=True)
            ]
            pq.write_table(pa.table(dict(zip(Action._fields, arrays, strict=True))), part, compression="zstd")
        else:
            with open(part, "w", encoding="utf-8", newline="\n") as out:
                out.writelines(json.dumps(action._asdict(), ensure_ascii=False) + "\n" for action in found.actions)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
