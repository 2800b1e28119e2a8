"""Where this user's games and the server's database are kept."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """The folder for this user's games: `LASTSPIKE_HOME`, or where the system keeps such data.

    It may not exist yet.
    """
    if home := os.environ.get("LASTSPIKE_HOME"):
        return Path(home)
    return user_data_path("lastspike", appauthor=False, roaming=True)
