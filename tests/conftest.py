"""Hypothesis profiles: `ci` for every run (fixed examples), `sanitize` for slow builds, `long` to search (`make fuzz`)."""

import os

from hypothesis import HealthCheck, settings

common = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
    "print_blob": True,
}
settings.register_profile("ci", max_examples=60, derandomize=True, database=None, **common)
few = common | {"suppress_health_check": [*common["suppress_health_check"], HealthCheck.filter_too_much]}
settings.register_profile("sanitize", max_examples=12, derandomize=True, database=None, **few)
settings.register_profile("long", max_examples=3000, **common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
