"""Chunk the samples with all three generations, count what each one breaks, and show it."""

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from chunkfast import Chunk, Chunks, SentenceChunker, StructureChunker, TokenChunker, load_tokenizer
from demo.faults import Faults, Piece, Range, Sample

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
OUT = ROOT / "demo-out"
# A question, the sample that answers it, where in the source (which match), and what to mark in a chunk.
PAIRS = (
    (
        "年金从60周岁领取，45岁女性分10年交，每年交多少？",
        "annuity_rates_zh.md",
        r"<tr><td>45</td>",
        -1,
        r"^.*<td>45</td>.*$|^\| *45 *\|.*$",
    ),
    ("器官移植中，供体的费用赔不赔？", "exclusions_zh.txt", "（26）", 0, r"^（26）.*$"),
)

Generation = TokenChunker | SentenceChunker | StructureChunker


def all_generations() -> dict[str, Generation]:
    """The three generations with their default settings and DeepSeek's tokenizer."""
    tokenizer = load_tokenizer("deepseek")
    return {
        "1 token": TokenChunker(tokenizer),
        "2 sentence": SentenceChunker(tokenizer),
        "3 structure": StructureChunker(tokenizer),
    }


def all_samples() -> list[Sample]:
    """The labelled samples."""
    return [Sample(path) for path in sorted(SAMPLES.glob("*_*.*"))]


def main() -> None:
    """Print the counts and the chunks side by side, and write `demo-out/`."""
    console = Console(highlight=False)
    generations, samples = all_generations(), all_samples()
    size = sum(len(sample.text.encode("utf-8")) for sample in samples)
    console.print(f"{len(samples)} samples, {size / 1000:.0f} kB, tokens of DeepSeek's tokenizer\n")
    console.print(table_of(list(generations), counted(generations, samples)))
    fixed, _, structure = generations.values()
    for question, name, words, which, marked in PAIRS:
        text = next(sample.text for sample in samples if sample.name == name)
        place = [match.start() for match in re.finditer(words, text)][which]
        console.print()
        console.print(Text.assemble((question, "bold"), f"  ({name})"))
        console.print(side_by_side(fixed.chunk(text), structure.chunk(text), text, place, marked))
    write(console)


def counted(generations: dict[str, Generation], samples: list[Sample]) -> dict[str, list[str]]:
    """What each generation breaks, summed over the samples: a row for each fault, a value for each generation."""
    found = []
    for chunker in generations.values():
        total = Faults()
        for sample in samples:
            chunks = chunker.chunk(sample.text)
            total += sample.faults([piece(chunk, sample.text) for chunk in chunks], chunker.chunk_size)
        found.append(total)
    rows = {"chunks": [str(faults.over[1]) for faults in found]}
    for label, field in (
        ("chunks that mix sections", "mixed"),
        ("table slices without their header", "headless"),
        ("list items without their lead-in", "orphans"),
        ("cuts inside a sentence or a row", "cuts"),
        ("chunks over the limit", "over"),
    ):
        rows[label] = ["{} of {}".format(*getattr(faults, field)) for faults in found]
    rows["bytes stored, source = 1"] = [f"{faults.bytes[0] / faults.bytes[1]:.2f}" for faults in found]
    return rows


def table_of(names: list[str], rows: dict[str, list[str]]) -> Table:
    """The counts, in red what is broken."""
    table = Table(header_style="bold")
    table.add_column("counted over all samples", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right")
    for label, values in rows.items():
        styles = ("" if " of " not in value else "green" if value.startswith("0 ") else "red" for value in values)
        table.add_row(label, *map(Text, values, styles))
    return table


def piece(chunk: Chunk, source: str) -> Piece:
    """The chunk as the counts see it: its own text is what comes after the repeated prefix and overlap.

    The text of a rendered table is no slice of the source; there its spans are the rows that it holds.
    """
    spans = list(chunk.spans)
    if chunk.text == "".join(source[a:b] for a, b in spans):
        repeated = len(chunk.prefix) + len(chunk.overlap)
        body: list[Range] = []
        for a, b in spans:
            skipped = min(repeated, b - a)
            repeated -= skipped
            if a + skipped < b:
                body.append((a + skipped, b))
        spans = body
    return Piece(chunk.text, tuple(spans), chunk.token_count)


def side_by_side(left: Chunks, right: Chunks, text: str, place: int, marked: str) -> Table:
    """The chunk of either generation that holds `place`."""
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    panels = []
    for title, chunks in (("fixed window", left), ("structure", right)):
        chunk = next(chunk for chunk in chunks if any(a <= place < b for a, b in piece(chunk, text).body))
        panels.append(Panel(excerpt(chunk, marked), title=f"{title}, {chunk.token_count} tokens", title_align="left"))
    grid.add_row(*panels)
    return grid


def excerpt(chunk: Chunk, marked: str, lines: int = 3) -> Text:
    """Title and headings as an index would hold them, repeated header or lead-in, first lines, the line in question."""
    shown = Text(overflow="fold")
    for heading in filter(None, (chunk.title, *chunk.headings) if chunk.headings else ()):
        shown.append(heading + "\n", "bold cyan")
    shown.append(chunk.prefix, "yellow")
    rest = chunk.text[len(chunk.prefix) :].strip("\n").split("\n")
    answer = next((number for number, line in enumerate(rest) if re.search(marked, line)), 0)
    for number in sorted({*range(min(lines, len(rest))), answer}):
        if number == answer and answer > lines:
            shown.append("...\n", "bright_black")
        shown.append(rest[number] + "\n", "bold" if number == answer else "")
    if answer < len(rest) - 1:
        shown.append("...", "bright_black")
    return shown


def write(console: Console) -> None:
    """Write the chunks of generation 3 to `demo-out/` with the command line."""
    OUT.mkdir(exist_ok=True)
    console.print()
    for name in ("chunks.jsonl", "chunks.parquet"):
        arguments = ["chunk", "samples/*_*.*", "-o", f"demo-out/{name}"]
        console.print(f"$ chunkfast {' '.join(repr(a) if '*' in a else a for a in arguments)}", style="bold")
        subprocess.run([sys.executable, "-m", "chunkfast.cli", *arguments], cwd=ROOT, check=True)
    console.print("\nLook at one:  .venv/bin/chunkfast inspect samples/home_policy_zh.txt")


if __name__ == "__main__":
    main()
