"""`lastspike train`: from a net, against a net, and what it leaves and says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.net_lookup import net_for
from lastspike.bots.tycoon.weights import read_net, write_net
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from tests.cli.command import refused, run

from . import needs

pytestmark = needs.JAX

SAID = (
    r"Among its opponents, one copy of the net wins ([\d.]+)%; "
    r"among copies of the net, one opponent wins ([\d.]+)%."
)


def good_net() -> Net:
    known = net_for(setup(shipped(), 2))
    assert known is not None
    return known.net


def net_without_a_thought() -> Net:
    """All turns are the same to it."""
    net = good_net()
    return Net(*(tuple(np.zeros_like(values) for values in layers) for layers in net))


def test_from_a_net_against_a_net(tmp_path: Path) -> None:
    good, bad, folder = tmp_path / "good.npz", tmp_path / "bad.npz", tmp_path / "training"
    write_net(good, good_net(), "columbia-2015")
    write_net(bad, net_without_a_thought(), "columbia-2015")
    sizes = ["--players", 2, "--games", 64, "--batches", 1, "--rate", 0]
    arguments = ["train", folder, *sizes, "--from", good, "--against", bad]
    done = run(*arguments)
    assert (done.code, done.err) == (0, "")
    where, result = done.out.splitlines()
    assert where == f"The net is in {folder / 'net.npz'}."
    told = re.fullmatch(SAID, result)
    assert told
    won, lost = map(float, told.groups())
    assert won > 90
    assert lost < 10
    (line,) = (folder / "log.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["learner"] > 0.9
    left = read_net((folder / "net.npz").read_bytes(), "left", 2)
    for own, given in zip(left, good_net(), strict=True):
        assert all(map(np.array_equal, own, given)), "with no rate nothing is learnt"
    picture = (folder / "course.svg").read_text("utf-8")
    assert "one learner among those it learns to answer" in picture

    write_net(bad, good_net(), "columbia-2015")
    assert refused(run(*arguments)).startswith(
        f"lastspike: {folder} holds a training run with different settings ("
    )


@pytest.mark.parametrize("option", ["--from", "--against"])
def test_a_file_that_is_no_net_is_one_line(tmp_path: Path, option: str) -> None:
    path, folder = tmp_path / "notes.txt", tmp_path / "training"
    path.write_text("no net")
    line = refused(run("train", folder, "--players", 2, option, path))
    assert line.startswith("lastspike: notes.txt isn’t a net; use the net.npz ")
    assert not folder.exists()
