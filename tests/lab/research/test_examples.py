"""The notebooks in `examples/` run from their first cell to their last."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[3] / "examples").glob("research_*.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert path.read_text("utf-8").count("\n# %% ") >= 3, "cells"
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.count("\n") >= 2


def test_there_is_one_for_every_library() -> None:
    libraries = ["dataset", "gymnasium", "openspiel", "pettingzoo"]
    assert [path.stem.removeprefix("research_") for path in NOTEBOOKS] == libraries
