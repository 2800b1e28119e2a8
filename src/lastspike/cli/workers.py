"""The workers of a command that plays many games: local cores, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from lastspike.bots.levels import is_ours
from lastspike.lab.arena.cluster import LOCAL, Cluster, is_address
from lastspike.lab.arena.workers import Jobs
from lastspike.rules.errors import LastSpikeError

CLUSTER = "--cluster"

Cores = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, help="Number of cores to use. Default: all. Doesn’t change the results."
    ),
]
OnCluster = Annotated[
    str | None,
    typer.Option(
        CLUSTER,
        metavar="[ADDRESS]",
        help="Use a Ray cluster: auto for the one this machine belongs to, HOST:PORT for another, "
        "no address to start one here. Doesn’t change the results.",
        show_default=False,
    ),
]


@contextmanager
def workers(jobs: int | None, cluster: str | None) -> Iterator[Jobs]:
    """The workers that `--jobs` and `--cluster` select, open inside the `with` block."""
    if cluster is None:
        yield jobs or cores()
        return
    if jobs is not None and cluster != LOCAL:
        raise LastSpikeError("--jobs is for this machine: a cluster uses all the cores it has")
    with Cluster(cluster, jobs or cores()) as found:
        yield found


def cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def with_addresses(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a default address after each `--cluster` that has none.

    The next argument counts as the address if it looks like one and not like a player with a
    budget, since player names may follow too.
    """
    given: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*given, *arguments[place:]]
        given.append(argument)
        if argument == CLUSTER and not any(map(_only_address, arguments[place + 1 : place + 2])):
            given.append(LOCAL)
    return given


def _only_address(text: str) -> bool:
    """Whether it is an address and not a player such as speculator:60."""
    return is_address(text) and not is_ours(text)
