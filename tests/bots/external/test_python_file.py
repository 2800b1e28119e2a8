"""FILE.py:CLASS is a player's name: a class in a file plays like one of a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastspike.bots.external.guard import Guarded
from lastspike.bots.levels import check_players, make_player, shown_name
from lastspike.rules import Game
from lastspike.rules.errors import LastSpikeError
from tests.cli.command import refused, run

LAST = """
from lastspike.bots.player import ComputerPlayer
from beside import last

class Last(ComputerPlayer):
    level = "last"
    def choose(self, view):
        return last(view.legal_moves)

class Loser(Last):
    def choose(self, view):
        raise RuntimeError("no idea")

def no_player(seed):
    return seed
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("def last(moves): return moves[-1]\n", "utf-8")
    path = tmp_path / "my_player.py"
    path.write_text(LAST, "utf-8")
    return path


def test_a_class_in_a_file_plays_with_the_modules_beside_it(file: Path) -> None:
    game = Game.new(2, "a")
    view = game.view(game.position.table.turn)
    player = make_player(f"{file}:Last", "seed")
    assert isinstance(player, Guarded)
    assert player.choose(view) == view.legal_moves[-1]
    assert player.faults == []


def test_its_mistakes_end_no_game(file: Path) -> None:
    game = Game.new(2, "a")
    view = game.view(game.position.table.turn)
    player = make_player(f"{file}:Loser", "seed")
    assert isinstance(player, Guarded)
    assert player.choose(view) in view.legal_moves
    assert "no idea" in str(player.faults[0])


@pytest.mark.parametrize("missing", ["other.py:Last", "my_player.py:First", "my_player.py:len"])
def test_what_is_not_there_is_named(file: Path, missing: str) -> None:
    with pytest.raises(LastSpikeError, match="can’t be started") as caught:
        check_players([str(file.parent / missing)])
    assert missing in str(caught.value)


def test_what_makes_no_player_is_refused(file: Path) -> None:
    with pytest.raises(LastSpikeError, match="isn’t a computer player"):
        make_player(f"{file}:no_player", "seed")


def test_the_commands_take_it(file: Path) -> None:
    name = f"{file}:Last"
    assert shown_name(name) == name
    done = run("arena", name, "greenhorn", "--players", 2, "--deals", 1, "--jobs", 1, LC_ALL="C")
    assert name in done.out.replace("\n", "")
    assert "fault" not in done.out
    done = run("simulate", "--bots", f"{name},clerk", "--players", 2, "--games", 2, LC_ALL="C")
    assert (done.code, done.err) == (0, "")
    assert "Nobody" in refused(run("arena", f"{file}:Nobody", "clerk", "--players", 2))
