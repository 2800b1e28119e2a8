"""`lastspike` with other limits than its constants: for servers in processes of their own.

`TEST_LIMITS='{"app.BODY_BYTES": 4096}' python -m tests.server.patched serve`. Names without a room
of the server are in `http`. Workers that are spawned import the main module again, so the limits
hold in them too.
"""

from __future__ import annotations

import json
import os
from importlib import import_module

from lastspike.cli import main

TEST_LIMITS = "TEST_LIMITS"

for name, value in json.loads(os.environ.get(TEST_LIMITS, "{}")).items():
    module, _, constant = name.rpartition(".")
    room = module if "." in module else f"http.{module}"
    limiting = import_module(f"lastspike.server.{room}")
    assert hasattr(limiting, constant), f"there is no limit {name}"
    setattr(limiting, constant, value)

if __name__ == "__main__":
    main()
