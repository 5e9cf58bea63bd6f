"""`chunkfast questions`: questions with known answers, made from a folder of documents."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from chunkfast.evaluation import generate, read_sources, write_questions


def questions(
    root: Annotated[Path, typer.Argument(metavar="FOLDER", help="Documents.", exists=True, file_okay=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="JSONL file to write.", dir_okay=False)],
    n: Annotated[int, typer.Option("-n", min=1, help="How many.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same documents, -n and seed give the same file.")] = 0,
    folders: Annotated[
        list[str] | None, typer.Option("--folder", help="Use only this folder of it; may be repeated.")
    ] = None,
) -> None:
    """Make questions for chunkfast eval: of text, table cells, list items, and two sections at once.

    They are made by rules, of the documents' own words: compare chunkers by them, not retrievers, and read some before
    you trust them.
    """
    try:
        sources = read_sources(root, folders or [""])
        made = generate(sources, n, seed)
        if not made:
            raise ValueError(f"{root} holds no documents that questions can be made from")
        write_questions(made, output)
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    counts = ", ".join(f"{kind} {count}" for kind, count in Counter(q.type for q in made).items())
    typer.echo(f"{len(made)} questions about {len(sources)} documents: {counts}", err=True)
