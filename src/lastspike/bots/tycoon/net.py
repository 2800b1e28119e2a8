"""The net: from a seat's features to every seat's chance to win and final lead.

Two hidden layers. It runs on both NumPy (to play) and JAX (to learn).
"""

from __future__ import annotations

from typing import NamedTuple

from lastspike.batch.arrays import Array, ArrayModule, as_array

HIDDEN = (256, 128)
"""The widths of the hidden layers."""


class Net(NamedTuple):
    """Weights and biases of the layers; the last outputs chances, then leads."""

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    @property
    def players(self) -> int:
        return int(self.biases[-1].shape[0]) // 2


class Verdict(NamedTuple):
    """The net's output for each position, seats counted clockwise from the viewer.

    chances   [positions, seats]  to win, ties shared; they sum to one
    leads     [positions, seats]  final cash ahead of the best other, from -1 to 1
    """

    chances: Array
    leads: Array


def judge(net: Net, told: Array, xp: ArrayModule) -> Verdict:
    """The verdict on positions, given as rows of features."""
    logits, leads = outputs(net, told, xp)
    return Verdict(chances_of(logits, xp), leads)


def outputs(net: Net, told: Array, xp: ArrayModule) -> tuple[Array, Array]:
    """The logits of the chances, and the leads."""
    both = last_layer(net, told, xp)
    seats = both.shape[-1] // 2
    return both[..., :seats], xp.tanh(both[..., seats:])


def last_layer(net: Net, told: Array, xp: ArrayModule) -> Array:
    """[positions, outputs]: the values of the last layer."""
    values = told
    *hidden, last = zip(net.weights, net.biases, strict=True)
    for weights, biases in hidden:
        values = xp.maximum(values @ weights + biases, 0)
    weights, biases = last
    return as_array(values @ weights + biases)


def chances_of(logits: Array, xp: ArrayModule) -> Array:
    above = xp.exp(logits - logits.max(axis=-1, keepdims=True))
    return as_array(above / above.sum(axis=-1, keepdims=True))
