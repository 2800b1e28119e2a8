"""Serves the tiny app: `python -m tests.server.tiny_server port=0 workers=2`, settings by name."""

from __future__ import annotations

import sys

from lastspike.server.config import Config
from lastspike.server.configuring import read_config
from lastspike.server.serving import serve

FACTORY = "tests.server.tiny_app:app_from_environment"


def unchecked(_config: Config) -> None:
    pass


def told(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    environment = {f"LASTSPIKE_{name.upper()}": text for name, text in given.items()}
    serve(read_config(None, environment, {}), ready=told, factory=FACTORY, check=unchecked)
