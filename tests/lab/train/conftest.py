"""Trainings of one shape are compiled once for all tests."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    if find_spec("jax") is None:
        return
    import jax

    jax.config.update("jax_compilation_cache_dir", str(tmp_path_factory.mktemp("compiled")))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.5)
