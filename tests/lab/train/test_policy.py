"""`lastspike train --policy-of`: learns to predict the turns of a value net."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lastspike.bots.tycoon.net_lookup import net_for, policy_for
from lastspike.bots.tycoon.weights import read_net, write_net
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from tests.cli.command import run

from . import needs

pytestmark = [needs.JAX, pytest.mark.soak]


@pytest.mark.skipif(os.environ.get("LASTSPIKE_SOAK") != "1", reason="compiles long: make soak")
def test_a_policy_net_is_learnt_from_a_value_net(tmp_path: Path) -> None:
    found, shipped_policy = net_for(setup(shipped(), 2)), policy_for(setup(shipped(), 2))
    assert found is not None
    assert shipped_policy is not None
    value, folder = tmp_path / "value.npz", tmp_path / "training"
    write_net(value, found.net, "columbia-2015")
    sizes = ["--players", 2, "--games", 64, "--batches", 4]
    done = run("train", folder, *sizes, "--policy-of", value)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"The net is in {folder / 'policy.npz'}.\n"
    left = read_net((folder / "policy.npz").read_bytes(), "left")
    assert [w.shape for w in left.weights] == [w.shape for w in shipped_policy.weights]
    losses = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    assert losses[-1]["buying"] < losses[0]["buying"]
