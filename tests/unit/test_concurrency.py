"""Ctrl-C, threads, forked and spawned processes; nothing here may hang, so every other process has its time."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from chunkfast import TokenChunker, load_tokenizer
from tests import corpora
from tests.chunkers import GENERATIONS, chunker

TEXTS = [f"第{i}条 内容{i}。\n\n- a {i}\n- b\n\nThe insurer pays {i}. " * (1 + i % 7) for i in range(200)]
ENDLESS = """
import itertools, sys
from chunkfast import StructureChunker
chunker = StructureChunker(lambda text: len(text.split()), 50)
text = "The insurer pays the benefit. " * 3000
print("ready", flush=True)
"""
VERBS = {
    "batch": "chunker.chunk_batch([text] * 100_000, {threads})",
    "iterator": "for chunks in chunker.iter_chunks(itertools.repeat(text), {threads}): pass",
    "iterator held": "held = chunker.iter_chunks(itertools.repeat(text), {threads})\nfor chunks in held: pass",
}


def end_with_sigint(process: subprocess.Popen[str], is_at_work: Callable[[], bool]) -> tuple[float, str]:
    """Processor seconds that a process takes to end after Ctrl-C, and what it said; killed after a minute."""
    try:
        assert process.stdout is not None
        process.stdout.readline()
        assert wait_for(is_at_work)
        before = processor_time(process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    return (children_time() if before is None else children_time() - before), said


def processor_time(pid: int) -> float | None:
    """Of a running process; what counts is how much it still works, not how busy the machine is."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + children_time()


def children_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc for the time of another process")
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("verb", VERBS)
def test_ctrl_c_ends_a_batch_within_a_second(verb: str, threads: int) -> None:
    script = ENDLESS + VERBS[verb].format(threads=threads)
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    begun = time.monotonic()
    seconds, said = end_with_sigint(process, lambda: time.monotonic() > begun + 0.8)
    assert process.returncode != 0
    assert "KeyboardInterrupt" in said
    assert seconds < 1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc for the time of another process")
def test_ctrl_c_ends_the_command(tmp_path: Path) -> None:
    pytest.importorskip("typer")
    output = tmp_path / "out.jsonl"
    for i in range(120):
        (tmp_path / f"{i}.txt").write_text("The insurer pays the benefit. 保险人给付。\n" * 20_000, encoding="utf-8")
    ready = "print('ready', flush=True)\nfrom chunkfast.cli import main\nmain()"
    command = [sys.executable, "-c", f"import sys\nsys.argv = ['chunkfast', 'chunk', {str(tmp_path)!r}, '-j', '4', '--tokenizer', 'chars', '-o', {str(output)!r}]\n{ready}"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    part = tmp_path / "out.jsonl.part"
    seconds, _ = end_with_sigint(process, lambda: part.exists() and part.stat().st_size > 0)
    assert process.returncode != 0
    assert not part.exists()
    assert not output.exists()
    assert seconds < 1.5


def wait_for(done: Callable[[], bool]) -> bool:
    """Whether it comes true within half a minute."""
    end = time.monotonic() + 30
    while not done() and time.monotonic() < end:
        time.sleep(0.01)
    return done()


def test_an_iterator_left_alone_ends_its_threads() -> None:
    before = threading.active_count()
    stream = TokenChunker("chars", 50).iter_chunks(iter(TEXTS * 20), 4)
    next(stream)
    stream.close()
    assert wait_for(lambda: threading.active_count() <= before)
    stream = TokenChunker("chars", 50).iter_chunks(iter(TEXTS * 20), 4)
    next(stream)
    cycle: list[Any] = [stream]  # nothing but the collector ends it
    cycle.append(cycle)
    del stream, cycle
    gc.collect()
    assert wait_for(lambda: threading.active_count() <= before)


def test_the_collector_may_end_an_iterator_in_a_thread_that_starts() -> None:
    """It did so with a lock of `threading` held, and waited for ever."""
    script = """
import gc, threading
from chunkfast import TokenChunker
made = TokenChunker("chars", 50)
gc.set_threshold(1)
for _ in range(300):
    stream = made.iter_chunks(iter(["some text"] * 600), 2)
    next(stream)
    cycle = [stream]
    cycle.append(cycle)
    del stream, cycle
    threads = [threading.Thread(target=list) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_an_error_of_the_texts_comes_through_and_ends_the_threads() -> None:
    def texts() -> Iterator[str]:
        yield from TEXTS
        raise KeyError("mine")

    before = threading.active_count()
    with pytest.raises(KeyError, match="mine"):
        list(TokenChunker("chars", 50).iter_chunks(texts(), 4))
    assert wait_for(lambda: threading.active_count() <= before)


@pytest.mark.parametrize("name", ["chars", "small BPE", "small WordPiece", "small Unigram", "small tiktoken", "words"])
@pytest.mark.parametrize("generation", GENERATIONS)
def test_eight_threads_on_one_chunker(generation: str, name: str) -> None:
    made = chunker(generation, corpora.tokenizer(name).spec, 30)
    texts = TEXTS[:40]
    alone = [made.chunk(text) for text in texts]
    start = threading.Barrier(8)

    def all_of_them(_: int) -> list[Any]:
        start.wait(30)
        return [made.chunk(text) for text in texts]

    with ThreadPoolExecutor(8) as pool:
        assert all(result == alone for result in pool.map(all_of_them, range(8), timeout=120))


def ids_of(texts: list[str]) -> list[list[str]]:
    return [MADE.chunk(text).ids for text in texts]


MADE = chunker("structure", "chars", 30)


@pytest.mark.parametrize("method", [m for m in ("fork", "spawn") if m in multiprocessing.get_all_start_methods()])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of fork beside threads: that is the test
def test_other_processes_give_the_same(method: str) -> None:
    MADE.chunk_batch(TEXTS, 4)  # threads have been there before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        result = pool.map_async(ids_of, [TEXTS[:20], TEXTS[20:40]])
        assert [ids for part in result.get(timeout=120) for ids in part] == ids_of(TEXTS[:40])


def test_a_tokenizer_is_shared_by_a_fork() -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork here")
    script = """
import os, sys
from tests import corpora
from chunkfast import load_tokenizer
counters = [load_tokenizer(corpora.tokenizer(name).spec) for name in ("small BPE", "small WordPiece", "small Unigram")]
text = "The insurer pays 保险金. " * 100
counts = [counter.count(text) for counter in counters]
pid = os.fork()
if pid == 0:
    os._exit(0 if [counter.count(text) for counter in counters] == counts else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=120, cwd=corpora.ROOT)


def test_a_counter_is_shared_while_it_is_made_and_dropped() -> None:
    """Counters that come and go in one thread while others count."""
    spec = corpora.tokenizer("small BPE").spec
    expected = load_tokenizer(spec).count(TEXTS[7])

    def use(_: int) -> set[int]:
        return {load_tokenizer(spec).count(TEXTS[7]) for _ in range(3)}

    with ThreadPoolExecutor(4) as pool:
        assert all(counts == {expected} for counts in pool.map(use, range(8), timeout=120))
