"""`lastspike train` without JAX; `tests/train` has it with."""

from __future__ import annotations

from pathlib import Path

from .command import refused, spawn


def test_without_jax_it_says_what_to_install(tmp_path: Path) -> None:
    folder = tmp_path / "training"
    without = "import sys; sys.modules['jax'] = None"
    line = refused(spawn("train", folder, "--players", 2, before=without))
    assert line == "lastspike: JAX is needed for this: pip install 'lastspike[train]'"
    assert not folder.exists()
