"""Processes that share work: whoever stops asking is not kept waiting."""

from __future__ import annotations

import pytest

from lastspike.lab.arena.workers import in_order


def large(_: int) -> bytes:
    """So much that sending it takes longer than making it."""
    return bytes(30_000_000)


@pytest.mark.timeout(90)
def test_whoever_stops_asking_while_results_are_sent_is_not_kept_waiting() -> None:
    results = iter(in_order(large, range(1000), 2))
    assert next(results) == large(0)
    del results  # with that the work ends
