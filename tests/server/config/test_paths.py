"""Where games are kept: where they were before, on every system."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from lastspike.server.config.paths import data_folder


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LASTSPIKE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ada")


def test_a_folder_that_is_named_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("LASTSPIKE_HOME", "/games")
    assert data_folder() == Path("/games")


def test_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    assert data_folder() == Path("/home/ada/.local/share/lastspike")
    monkeypatch.setenv("XDG_DATA_HOME", "")
    assert data_folder() == Path("/home/ada/.local/share/lastspike")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/lastspike")


def test_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    assert data_folder() == Path("/home/ada/Library/Application Support/lastspike")


def test_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roaming, and without a folder of the author's in between."""
    monkeypatch.setattr(platformdirs, "PlatformDirs", Windows)
    roaming = r"C:\Users\ada\AppData\Roaming"
    monkeypatch.setattr("platformdirs.windows.get_win_folder", {"CSIDL_APPDATA": roaming}.get)
    assert str(data_folder()) == str(Path(roaming) / "lastspike")
