"""What the core has lost sight of, by LeakSanitizer: `make sanitize` runs it in a process with that switched on.

CPython keeps blocks to its end, and they are in reach until then; so the check is made before the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os

import numpy as np

from chunkfast import SentenceChunker, StructureChunker, TokenChunker, load_tokenizer, outline, split_sentences
from tests import corpora

TEXT = (
    "第一条 保险责任\n\n包括：\n（1）甲；\n（2）乙。\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe insurer pays 10%. \n```\ncode\n```\n"
    "<table><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr></table>\n" * 40
)


def use() -> None:
    for name in corpora.SMALL:
        counter = load_tokenizer(corpora.tokenizer(name).spec)
        positions = np.arange(len(TEXT))
        counter.token_starts(TEXT)
        counter.ranks(TEXT, positions)
        counter.count_spans(TEXT, positions[:-1], positions[1:])
        for made in (
            TokenChunker(counter, 20, 5),
            SentenceChunker(counter, 20),
            StructureChunker(counter, 20, 5, 8, 8, 10, headings="prepend", table_format="rows"),
        ):
            made.chunk(TEXT)[0].contextualize()
        for wrong in ("\ud800", None, 3):
            with contextlib.suppress(TypeError, ValueError):
                counter.count(wrong)  # type: ignore[arg-type]  # the error path is what may leak
    outline(TEXT)
    split_sentences(TEXT)


if __name__ == "__main__":
    for _ in range(3):
        use()
    gc.collect()
    leaks = ctypes.CDLL(None).__lsan_do_recoverable_leak_check()
    print("leaks in the core:", "found, see above" if leaks else "none", flush=True)
    os._exit(leaks)  # what CPython itself leaves at its end is not ours
