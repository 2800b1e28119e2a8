"""Finds Tycoon's nets for a setup: two per number of players, for the map they were trained on."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Setup, setup

from .net import Net
from .outlook import Map, map_of
from .weights import read_net

LEARNT = "columbia-2015"
"""The edition of the training games. The nets work for any with the same route graph."""


class NetForMap(NamedTuple):
    """A net and its map."""

    table: Map
    net: Net


@lru_cache(maxsize=64)
def net_for(given: Setup, net: str | None = None) -> NetForMap | None:
    """The net in this file, or the shipped one. None if there is none for this map and number of
    players; `LastSpikeError` if the file's net is for another number."""
    name = net or f"{LEARNT}-{given.players}.npz"
    file = Path(net) if net else files(__package__) / "nets" / name
    if not file.is_file() or not _same_routes(given, setup(shipped(LEARNT), given.players)):
        return None
    return NetForMap(map_of(given), read_net(file.read_bytes(), name, given.players))


@lru_cache(maxsize=64)
def policy_for(given: Setup) -> Net | None:
    """The shipped policy net, where there is a shipped value net."""
    name = f"{LEARNT}-{given.players}-policy.npz"
    file = files(__package__) / "nets" / name
    if not file.is_file() or net_for(given) is None:
        return None
    return read_net(file.read_bytes(), name)


@lru_cache(maxsize=64)
def check_net(name: str) -> None:
    """Raise `LastSpikeError` if the file holds no net, for any number of players."""
    try:
        read_net(Path(name).read_bytes(), name)
    except OSError as error:
        raise LastSpikeError(
            "{path} can’t be read: {reason}", path=name, reason=error.strerror
        ) from error


def _same_routes(one: Setup, other: Setup) -> bool:
    boards = [
        (s.board.ends, s.board.start, s.board.finish, s.edition.hand_size) for s in (one, other)
    ]
    return boards[0] == boards[1]
