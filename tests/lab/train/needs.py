"""What a test of training may need."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

JAX = pytest.mark.skipif(
    find_spec("jax") is None, reason="JAX is not installed; it comes with the extra `train`"
)
