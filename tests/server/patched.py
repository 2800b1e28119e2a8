"""`lastspike` with other limits than its constants: for servers in processes of their own.

`TEST_LIMITS='{"MESSAGES_PER_10S": 9}' python -m tests.server.patched serve`. Workers that are
spawned import the main module again, so the limits hold in them too.
"""

from __future__ import annotations

import json
import os

from lastspike.cli import main
from lastspike.server.http import rate_limits

TEST_LIMITS = "TEST_LIMITS"

for name, value in json.loads(os.environ.get(TEST_LIMITS, "{}")).items():
    assert name in vars(rate_limits), f"there is no limit {name}"
    setattr(rate_limits, name, value)

if __name__ == "__main__":
    main()
