"""Tycoon by a net of one's own, which its name tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastspike.bots.levels import make_player
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.net_lookup import net_for
from lastspike.bots.tycoon.weights import write_net
from lastspike.rules import Game, Stream, seed_of_text, setup, shipped
from lastspike.rules.errors import LastSpikeError


def ours() -> Net:
    known = net_for(setup(shipped(), 2))
    assert known is not None
    return known.net


def kept(net: Net, folder: Path) -> Path:
    path = folder / "a net.npz"
    write_net(path, net, "columbia-2015")
    return path


def moves(name: str) -> list[str]:
    """A game between two of this name."""
    game = Game.shuffled(setup(shipped(), 2), Stream(seed_of_text("own")))
    players = [make_player(name, f"{seat}") for seat in range(2)]
    while game.turn is not None:
        for move in players[game.turn].turn(game.view(game.turn)):
            game.play(move)
    return [move.text for move in game.moves]


@pytest.mark.parametrize("budget", [":0", ":2"])
def test_our_own_net_plays_the_same_from_a_file(budget: str, tmp_path: Path) -> None:
    assert moves(f"tycoon{budget}@{kept(ours(), tmp_path)}") == moves(f"tycoon{budget}")


def test_another_net_plays_otherwise(tmp_path: Path) -> None:
    worst = Net(*(tuple(-np.asarray(values) for values in layers) for layers in ours()))
    assert moves(f"tycoon:0@{kept(worst, tmp_path)}") != moves("tycoon:0")


def test_without_a_budget_it_searches_as_usual(tmp_path: Path) -> None:
    player = make_player(f"tycoon@{kept(ours(), tmp_path)}", "")
    usual = make_player("tycoon", "")
    assert vars(player)["budget"] == vars(usual)["budget"]


def test_what_is_no_net_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("no net")
    with pytest.raises(LastSpikeError, match="isn’t a net; use the "):
        make_player(f"tycoon@{tmp_path / 'notes'}", "")
    with pytest.raises(LastSpikeError, match="nothing can’t be read: No such file"):
        make_player(f"tycoon:0@{tmp_path / 'nothing'}", "")


def test_a_net_for_two_does_not_play_among_three(tmp_path: Path) -> None:
    player = make_player(f"tycoon:0@{kept(ours(), tmp_path)}", "")
    game = Game.shuffled(setup(shipped(), 3), Stream(seed_of_text("own")))
    assert game.turn is not None
    with pytest.raises(LastSpikeError, match="is a net for 2 players, not for 3"):
        player.turn(game.view(game.turn))
