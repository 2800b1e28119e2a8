"""Nets in files: small (16 bits a number), and with what they are for written in."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from lastspike.batch.arrays import Array
from lastspike.rules.errors import LastSpikeError

from .features import FEATURES_VERSION, features
from .net import Net
from .outlook import Map


def feature_count(table: Map) -> int:
    """How many numbers the net is told on this board."""
    from lastspike.batch import random_deals, random_remix

    rng = np.random.default_rng(0)
    remix = random_remix(rng, 1, table.board.shape)
    state = random_deals(table.board, 1, rng, remix, np)
    return int(features(table, state, state.turn, np).shape[1])


def write_net(path: Path, net: Net, edition: str) -> None:
    layers = {f"weights{number}": _small(values) for number, values in enumerate(net.weights)}
    layers |= {f"biases{number}": _small(values) for number, values in enumerate(net.biases)}
    with path.open("wb") as file:
        layers |= {"features": np.array(FEATURES_VERSION), "edition": np.array(edition)}
        np.savez_compressed(file, allow_pickle=False, **layers)


def read_net(file: Path | IO[bytes], name: str, players: int) -> Net:
    """`LastSpikeError` if it was made for other features, or for another number of players."""
    with np.load(file) as kept:
        version = int(kept["features"])
        if version != FEATURES_VERSION:
            raise LastSpikeError(
                "{name} is for features of version {version}, not {ours}",
                name=name,
                version=version,
                ours=FEATURES_VERSION,
            )
        layers = sum(key.startswith("weights") for key in kept.files)
        net = Net(
            tuple(kept[f"weights{n}"].astype(np.float32) for n in range(layers)),
            tuple(kept[f"biases{n}"].astype(np.float32) for n in range(layers)),
        )
    if net.players != players:
        raise LastSpikeError(
            "{name} is a net for {found} players, not for {players}",
            name=name,
            found=net.players,
            players=players,
        )
    return net


def _small(values: Array) -> Array:
    return np.asarray(values).astype(np.float16)
