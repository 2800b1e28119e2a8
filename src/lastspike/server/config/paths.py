"""Where this user's games and the server's database are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder for this user's games. It may not exist yet."""
    if os.environ.get("LASTSPIKE_HOME"):
        return Path(os.environ["LASTSPIKE_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "lastspike"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "lastspike"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "lastspike"
