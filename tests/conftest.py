"""What all tests share: how many examples Hypothesis tries, every time and in `make soak`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

# Every core has a test of its own already. Read when NumPy is first imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

# The same examples at every run, so that a change is judged by itself and not by luck; the soak
# looks further, at other examples each time.
settings.register_profile(
    "test", max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "soak", max_examples=1000, deadline=None, suppress_health_check=SLOW_IS_FINE
)
# For the mutants: whether it fails is all there is to know, so the example is not made smaller.
settings.register_profile("haste", settings.get_profile("test"), phases=[Phase.generate])
settings.load_profile("soak" if os.environ.get("LASTSPIKE_SOAK") == "1" else "test")
