"""Net files: float16 weights with the edition and the features version."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from lastspike.batch.arrays import Array
from lastspike.rules.errors import LastSpikeError

from .features import FEATURES_VERSION
from .net import Net

NO_NET = (ValueError, EOFError, BadZipFile, zlib.error, TypeError, KeyError, IndexError)
"""The errors that NumPy and `_net_of` raise for a file that is damaged or not a net."""


def write_net(path: Path, net: Net, edition: str) -> None:
    layers = {f"weights{number}": _small(values) for number, values in enumerate(net.weights)}
    layers |= {f"biases{number}": _small(values) for number, values in enumerate(net.biases)}
    with path.open("wb") as file:
        layers |= {"features": np.array(FEATURES_VERSION), "edition": np.array(edition)}
        np.savez_compressed(file, allow_pickle=False, **layers)


def read_net(content: bytes, name: str, players: int | None = None) -> Net:
    """The net in a file. `LastSpikeError` if there is none, or if it has another features version
    or, where `players` is given, another number of players."""
    try:
        with np.load(BytesIO(content)) as kept:
            return _net_of(kept, name, players)
    except NO_NET as error:
        raise LastSpikeError(
            "{name} isn’t a net; use the {file} that lastspike train writes to its folder",
            name=name,
            file="net.npz",
        ) from error


def _net_of(kept: Mapping[str, Array], name: str, players: int | None) -> Net:
    version = int(kept["features"])
    if version != FEATURES_VERSION:
        raise LastSpikeError(
            "{name} was trained with features version {version}; this program uses version {ours}",
            name=name,
            version=version,
            ours=FEATURES_VERSION,
        )
    layers = sum(key.startswith("weights") for key in kept)
    net = Net(
        tuple(kept[f"weights{n}"].astype(np.float32) for n in range(layers)),
        tuple(kept[f"biases{n}"].astype(np.float32) for n in range(layers)),
    )
    if players not in (None, net.players):
        raise LastSpikeError(
            "{name} is a net for {found} players, not for {players}",
            name=name,
            found=net.players,
            players=players,
        )
    return net


def _small(values: Array) -> Array:
    return np.asarray(values).astype(np.float16)
