"""Without the extra, a module says in one line what to install."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from lastspike.lab.research.optional_libraries import MissingLibrary
from tests.cli.command import refused, run, spawn

LIBRARIES = {
    "pettingzoo_env": "pettingzoo",
    "gymnasium_env": "gymnasium",
    "observations": "gymnasium",
    "openspiel": "pyspiel",
    "columns": "pyarrow",
}
INSTALLED_AS = {"pyspiel": "open_spiel"}


@pytest.mark.parametrize(("module", "library"), LIBRARIES.items())
def test_a_module_without_its_library_says_what_to_install(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("lastspike.lab.research.")]:
        if name != "lastspike.lab.research.optional_libraries":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibrary) as caught:
        importlib.import_module(f"lastspike.lab.research.{module}")
    assert isinstance(caught.value, ImportError)
    named = INSTALLED_AS.get(library, library)
    assert str(caught.value) == f"{named} is needed for this: pip install 'lastspike[research]'"


def test_the_command_says_so_too_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "lastspike.lab.research.columns", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    files = ["--columns", tmp_path / "games.parquet", "--records", tmp_path / "games.jsonl"]
    line = refused(run("dataset", "--games", 2, *files))
    assert line == "lastspike: pyarrow is needed for this: pip install 'lastspike[research]'"
    assert list(tmp_path.iterdir()) == []


def test_records_need_no_library_of_the_extra(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    without = "import sys\nfor n in ('pyarrow', 'gymnasium', 'pyspiel'): sys.modules[n] = None"
    done = spawn("dataset", "--games", 2, "--records", path, "--seed", "s", before=without)
    assert (done.code, done.err) == (0, "")
    assert path.read_text("utf-8").count("\n") == 2
