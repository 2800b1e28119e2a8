"""One place of the program broken on purpose, and the tests that must notice."""

from __future__ import annotations

from typing import Literal, NamedTuple

Area = Literal["server", "page", "bots", "cli", "lab"]
_AREAS: dict[str, Area] = {
    "server": "server",
    "web": "page",
    "bots": "bots",
    "cli": "cli",
    "lab": "lab",
}


class Break(NamedTuple):
    """`old` stands once in `file` of the package and becomes `new`; one of `tests` must notice."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def area(self) -> Area:
        """Which part of the program it is in. Limits in the rules protect the server."""
        return _AREAS.get(self.file.partition("/")[0], "server")
