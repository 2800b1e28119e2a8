"""Serves the tiny app: `python -m tests.server.run.tiny_server port=0`, settings by name."""

from __future__ import annotations

import sys

from lastspike.server.config.reading import read_config
from lastspike.server.config.settings import Config
from lastspike.server.run.serving import serve

FACTORY = "tests.server.run.tiny_app:app_from_environment"


def unchecked(_config: Config) -> None:
    pass


def told(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    environment = {f"LASTSPIKE_{name.upper()}": text for name, text in given.items()}
    serve(read_config(None, environment, {}), ready=told, factory=FACTORY, check=unchecked)
