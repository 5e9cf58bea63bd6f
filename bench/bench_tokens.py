"""Token counters: ours, the encoder, and other packages; wrong counts stand beside the rates.

A count is wrong where it differs from the Hugging Face encoder's on a line of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bench.bench_chunkers import FAMILIES, column, family
from chunkfast import load_tokenizer
from tests import corpora

Counter = Callable[[str], int]


def ours(tokenizer: corpora.UserTokenizer) -> Counter:
    return load_tokenizer(tokenizer.spec).count


def encoder(tokenizer: corpora.UserTokenizer) -> Counter:
    return tokenizer.count


def tokie(tokenizer: corpora.UserTokenizer) -> Counter:
    loaded = pytest.importorskip("tokie").Tokenizer.from_json(path_of(tokenizer))
    special = loaded.count_tokens("")
    return lambda text: int(loaded.count_tokens(text)) - special


def tiktoken(tokenizer: corpora.UserTokenizer) -> Counter:
    """With the ranks and the pattern of the tokenizer.json: those that tiktoken names need the network."""
    encoding = as_tiktoken(path_of(tokenizer))
    return lambda text: len(encoding.encode_ordinary(text))


def bpe_openai(tokenizer: corpora.UserTokenizer) -> Counter:
    package = pytest.importorskip("bpe_openai")
    if tokenizer.name != "o200k_base":
        pytest.skip("bpe-openai has only OpenAI's encodings")
    try:
        encoding = package.get_encoding("o200k_base")
    except Exception as error:
        pytest.skip(f"bpe-openai can't load o200k_base here: {error}")
    return lambda text: len(encoding.encode_ordinary(text))


def path_of(tokenizer: corpora.UserTokenizer) -> str:
    if not isinstance(tokenizer.spec, str):
        pytest.skip("needs a tokenizer.json of ../shared/data")
    return tokenizer.spec


def as_tiktoken(path: str) -> Any:
    """A `tiktoken.Encoding` of a byte-level BPE tokenizer.json whose ids are ranks."""
    import json
    from pathlib import Path

    from tokenizers.pre_tokenizers import ByteLevel

    package = pytest.importorskip("tiktoken")
    loaded = json.loads(Path(path).read_text(encoding="utf-8"))
    if loaded["model"].get("type") != "BPE":
        pytest.skip("tiktoken has byte-level BPE only")
    pieces = loaded["pre_tokenizer"]["pretokenizers"]
    pattern = next(p["pattern"]["Regex"] for p in pieces if p["type"] == "Split")
    byte_of = {ByteLevel(add_prefix_space=False).pre_tokenize_str(chr(b))[0][0]: b for b in range(0x20, 0x7F)}
    byte_of |= byte_characters()
    ranks = {bytes(byte_of[c] for c in token): rank for token, rank in loaded["model"]["vocab"].items()}
    return package.Encoding("bench", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def byte_characters() -> dict[str, int]:
    """GPT-2's characters for bytes: printable ones stand for themselves, the others for 256 and on, in order."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in printable]
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}


DOCUMENT = 20_000  # bytes
COUNTERS = {
    "chunkfast": ours,
    "tokenizers (Hugging Face)": encoder,
    "tokie": tokie,
    "tiktoken": tiktoken,
    "bpe-openai": bpe_openai,
}


@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "chars"])
@pytest.mark.parametrize("package", COUNTERS)
def test_count(package: str, name: str, text: str, measure: Callable[..., Any], request: pytest.FixtureRequest) -> None:
    tokenizer = family(name)
    count = COUNTERS[package](tokenizer)
    lines = text.splitlines(keepends=True)[:4000]
    notes = {"wrong lines": f"{wrong(count, tokenizer, lines)} of {len(lines)}"}
    size = len(text.encode())
    step = len(text) * DOCUMENT // size + 1
    documents = [text[i : i + step] for i in range(0, len(text), step)]

    def count_all() -> None:
        for document in documents:
            count(document)

    measure(f"Counting tokens, {name}", package, column(request), count_all, size=size, **notes)


def wrong(count: Counter, tokenizer: corpora.UserTokenizer, lines: Sequence[str]) -> int:
    return sum(count(line) != true for line, true in zip(lines, tokenizer.count_batch(lines), strict=True))
