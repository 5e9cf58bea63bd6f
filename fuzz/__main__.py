"""Run libFuzzer, through atheris, on the promises: `python -m fuzz [corpus] [-max_total_time=60 ...]`."""

import ctypes
import hashlib
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["chunkfast"]):
    from chunkfast import _core

from atheris import core_with_libfuzzer

from fuzz.harness import check

FOUND = Path(__file__).parent / "found"


def count_the_core() -> None:
    """Give libFuzzer the counters of the compiled core (CHUNKFAST_FUZZ), and a table of places, which it asks for."""
    core = ctypes.CDLL(_core.__file__)
    size = 1 << 17  # of fuzz/coverage.c
    counters = ctypes.addressof((ctypes.c_uint8 * size).in_dll(core, "chunkfast_counters"))
    count_the_core.places = places = (ctypes.c_uint64 * (2 * size))()  # type: ignore[attr-defined]  # kept alive
    library = ctypes.CDLL(core_with_libfuzzer.__file__)
    library.__sanitizer_cov_8bit_counters_init(ctypes.c_void_p(counters), ctypes.c_void_p(counters + size))
    first = ctypes.addressof(places)
    library.__sanitizer_cov_pcs_init(ctypes.c_void_p(first), ctypes.c_void_p(first + ctypes.sizeof(places)))


def keep_and_check(data: bytes) -> None:
    """`check`, with what breaks a promise kept before libFuzzer hears of it: its timer may end the process first."""
    try:
        check(data)
    except Exception:
        (FOUND / f"broken-{hashlib.sha1(data).hexdigest()}").write_bytes(data)
        raise


count_the_core()
atheris.Setup([*sys.argv, "-max_len=700", "-len_control=0", "-timeout=60", "-rss_limit_mb=4096"], keep_and_check)
atheris.Fuzz()
