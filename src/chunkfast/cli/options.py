"""The options that both commands share, and the chunker they ask for."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, TypeAlias

import typer

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, load_tokenizer
from chunkfast.cli.reading import InputFormat

Chunker: TypeAlias = TokenChunker | SentenceChunker | StructureChunker


class Generation(str, Enum):
    """Which chunker: the three generations by name."""

    token = "token"
    sentence = "sentence"
    structure = "structure"


class Preset(str, Enum):
    """Settings that go well with a kind of document."""

    insurance = "insurance"
    law = "law"
    markdown = "markdown"
    general = "general"


class TableFormat(str, Enum):
    auto = "auto"
    markdown = "markdown"
    source = "source"
    rows = "rows"


class Headings(str, Enum):
    metadata = "metadata"
    prepend = "prepend"


INPUT, CUTTING, STRUCTURE = "Input", "Cutting", "Structure chunker"

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Files, folders, globs in quotes, or - for stdin. "
        ".txt .md .html are text; .jsonl .csv .tsv .parquet hold a document a row.",
        show_default=False,
    ),
]
TextColumn = Annotated[str, typer.Option(help="Column that holds the text.", rich_help_panel=INPUT)]
IdColumn = Annotated[
    str | None, typer.Option(help="Column that holds the document's id (else PATH:ROW).", rich_help_panel=INPUT)
]
TitleColumn = Annotated[str | None, typer.Option(help="Column that holds the document's title.", rich_help_panel=INPUT)]
InputFormatOption = Annotated[
    InputFormat | None,
    typer.Option(help="What the input is, whatever its suffix (stdin is text).", rich_help_panel=INPUT),
]

ChunkerOption = Annotated[
    Generation,
    typer.Option(
        "--chunker", "-c", help="Cut at every N tokens, at sentences, or by structure.", rich_help_panel=CUTTING
    ),
]
Tokenizer = Annotated[
    str,
    typer.Option(
        "--tokenizer",
        "-t",
        help="deepseek, chars, bytes, a path to a tokenizer.json, or a Hub id.",
        rich_help_panel=CUTTING,
    ),
]
ChunkSize = Annotated[
    int | None,
    typer.Option(
        "--chunk-size",
        "-s",
        min=1,
        help="Limit in tokens (512; structure: 1024).",
        rich_help_panel=CUTTING,
        show_default=False,
    ),
]
ChunkOverlap = Annotated[
    int | None,
    typer.Option(
        min=0, help="Repeated tokens (token: 50; structure: 100).", rich_help_panel=CUTTING, show_default=False
    ),
]
OverlapSentences = Annotated[
    int | None,
    typer.Option(
        min=0, help="Repeated sentences, for --chunker sentence (2).", rich_help_panel=CUTTING, show_default=False
    ),
]
ReserveTokens = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Tokens to leave free for a model's own, such as [CLS] (0).",
        rich_help_panel=CUTTING,
        show_default=False,
    ),
]

PresetOption = Annotated[
    Preset | None,
    typer.Option("--preset", "-p", help="Well-tried settings for a kind of document.", rich_help_panel=STRUCTURE),
]
TableSize = Annotated[
    int | None,
    typer.Option(min=1, help="Cut tables over this many tokens (300).", rich_help_panel=STRUCTURE, show_default=False),
]
ListSize = Annotated[
    str | None,
    typer.Option(
        metavar="INTEGER|none",
        help="Cut lists over this many tokens (300); none: only --chunk-size cuts them.",
        rich_help_panel=STRUCTURE,
        show_default=False,
    ),
]
PackSize = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Small sections under one heading share a chunk up to this size (0: none do).",
        rich_help_panel=STRUCTURE,
        show_default=False,
    ),
]
TableFormatOption = Annotated[
    TableFormat | None,
    typer.Option(
        "--table-format", help="How tables are written (auto).", rich_help_panel=STRUCTURE, show_default=False
    ),
]
HeadingsOption = Annotated[
    Headings | None,
    typer.Option(
        "--headings",
        help="Heading path beside the text, or at its head (metadata).",
        rich_help_panel=STRUCTURE,
        show_default=False,
    ),
]
SizeRules = Annotated[
    list[str] | None,
    typer.Option(
        "--size-rule",
        metavar="REGEX=SIZE",
        help="Another limit for sections whose heading path matches; may be repeated.",
        rich_help_panel=STRUCTURE,
        show_default=False,
    ),
]

CLASSES: Mapping[Generation, type[TokenChunker] | type[SentenceChunker] | type[StructureChunker]] = {
    Generation.token: TokenChunker,
    Generation.sentence: SentenceChunker,
    Generation.structure: StructureChunker,
}
FIELDS: Mapping[Generation, frozenset[str]] = {
    Generation.token: frozenset({"chunk_size", "chunk_overlap", "reserve_tokens"}),
    Generation.sentence: frozenset({"chunk_size", "overlap_sentences", "reserve_tokens"}),
    Generation.structure: frozenset(
        {
            "chunk_size",
            "chunk_overlap",
            "reserve_tokens",
            "table_size",
            "list_size",
            "pack_size",
            "table_format",
            "headings",
            "size_rules",
        }
    ),
}


def build_chunker(options: Mapping[str, Any]) -> Chunker:
    """The chunker that a command's options ask for.

    An option that this chunker does not have, or a value that it refuses, is a usage error.
    """
    generation, preset, tokenizer = options["chunker"], options["preset"], options["tokenizer"]
    settings = {
        name: _plain(options[name])
        for name in frozenset().union(*FIELDS.values())
        if options[name] not in (None, [], ())
    }
    for name in sorted(settings):
        if name not in FIELDS[generation]:
            raise typer.BadParameter(f"--chunker {generation.value} has no such setting", param_hint=_option(name))
    if preset is not None and generation is not Generation.structure:
        raise typer.BadParameter("presets are for --chunker structure", param_hint="--preset")
    if "list_size" in settings:
        settings["list_size"] = _list_size(settings["list_size"])
    if "size_rules" in settings:
        settings["size_rules"] = _size_rules(settings["size_rules"])
    try:
        counter = load_tokenizer(tokenizer)
    except (ValueError, ImportError, OSError) as error:
        raise typer.BadParameter(str(error), param_hint="--tokenizer") from error
    try:
        if preset is not None:
            return StructureChunker.for_documents(preset.value, counter, **settings)
        return CLASSES[generation](counter, **settings)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _option(setting: str) -> str:
    return {"size_rules": "--size-rule"}.get(setting, "--" + setting.replace("_", "-"))


def _list_size(value: str) -> int | None:
    if value == "none":
        return None
    if not value.isdecimal() or int(value) < 1:
        raise typer.BadParameter(
            f"{value!r} is neither a whole number of at least 1 nor none", param_hint="--list-size"
        )
    return int(value)


def _size_rules(values: list[str]) -> dict[str, int]:
    rules = {}
    for value in values:
        pattern, _, size = value.rpartition("=")
        if not pattern or not size.isdecimal():
            raise typer.BadParameter(f"{value!r} is not REGEX=SIZE", param_hint="--size-rule")
        rules[pattern] = int(size)
    return rules
