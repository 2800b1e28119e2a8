"""The folder of this user's games and the server's database."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """`LASTSPIKE_HOME`, or the system's usual data folder. It may not exist yet."""
    if home := os.environ.get("LASTSPIKE_HOME"):
        return Path(home)
    return user_data_path("lastspike", appauthor=False, roaming=True)
