"""Computer players by name: levels, budgets, programs, and what installed packages offer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lastspike.bots.external.guard import Guarded
from lastspike.bots.external.program import Program
from lastspike.bots.levels import LEVELS, MOST_PLAYOUTS, MOST_WORLDS, make_player, offered_players
from lastspike.bots.speculator import PLAYOUTS, Speculator
from lastspike.rules.errors import LastSpikeError

from .helpers import new_game, one_view, play_to_the_end

PACKAGE = """
from lastspike.bots.greenhorn import Greenhorn
from lastspike.rules.view import View

class First(Greenhorn):
    level = "first"
    def choose(self, view):
        return view.legal_moves[0]

class Tripping(First):
    def choose(self, view):
        raise ValueError("tripped")

def quitting(seed):
    raise SystemExit(1)

seeds = []
def noting(seed):
    seeds.append(seed)
    return First(seed)
"""
ENTRY_POINTS = """
[lastspike.players]
tripping = travelling_players:Tripping
first = travelling_players:First
noting = travelling_players:noting
quitting = travelling_players:quitting
absent = travelling_players:Nobody
lost = no_such_module_anywhere:Player
stranger = builtins:str
greenhorn = travelling_players:Tripping

[console_scripts]
other = travelling_players:First
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as pip leaves it behind, on the path."""
    (tmp_path / "travelling_players.py").write_text(PACKAGE, "utf-8")
    about = tmp_path / "travelling_players-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: travelling-players\nVersion: 1.0\n", "utf-8"
    )
    (about / "entry_points.txt").write_text(ENTRY_POINTS, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "travelling_players", raising=False)
    return tmp_path


def refusal(name: str) -> str:
    with pytest.raises(LastSpikeError) as refused:
        make_player(name, "seed")
    return str(refused.value)


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_by_its_name(name: str) -> None:
    player = make_player(name, "seed")
    assert type(player) is type(LEVELS[name]("seed"))
    assert player.level == name
    game, seat = one_view()
    assert player.choose(game.view(seat)) in game.legal_moves


def test_the_levels_from_the_weakest_up() -> None:
    assert list(LEVELS) == ["greenhorn", "clerk", "surveyor", "speculator", "tycoon"]


@pytest.mark.parametrize(
    ("name", "playouts"),
    [
        ("speculator", PLAYOUTS),
        ("speculator:1", 1),
        ("speculator:240", 240),
        ("speculator:0008", 8),
        ("speculator:1000000", MOST_PLAYOUTS),
    ],
)
def test_a_budget_of_playouts(name: str, playouts: int) -> None:
    player = make_player(name, "seed")
    assert isinstance(player, Speculator)
    assert player.playouts == playouts


@pytest.mark.parametrize(
    "budget", ["0", "-1", "x", "1.5", " 8", "8 ", "1_000", "1000001", "10000000", "٣", "9" * 5000]
)
def test_a_bad_budget_is_refused(budget: str) -> None:
    expected = "expected a number from {} to {} after the colon"
    assert refusal(f"speculator:{budget}").endswith(expected.format(1, MOST_PLAYOUTS))
    if budget != "0":  # which is for the one turn ahead that Tycoon looks without search
        assert refusal(f"tycoon:{budget}").endswith(expected.format(0, MOST_WORLDS))
    assert refusal("tycoon:1001").endswith(expected.format(0, MOST_WORLDS))


@pytest.mark.parametrize(
    "name", ["", "Clerk", "tycoons", "clerk:8", "speculator:", "clerk ", "exec", "EXEC:true"]
)
def test_a_name_that_is_none_is_refused_with_those_there_are(name: str) -> None:
    said = refusal(name)
    assert said.startswith(f"there is no computer player called {name or repr(name)}; choose from ")
    assert "greenhorn, clerk, surveyor, speculator" in said


def test_a_program_by_its_command() -> None:
    player = make_player("exec:my-player --depth '3 4'", "seed")
    assert isinstance(player, Program)
    assert player.level == "exec:my-player --depth '3 4'"
    assert player.player._words == ["my-player", "--depth", "3 4"]


@pytest.mark.parametrize("name", ["exec:", "exec:  ", "exec:'my player"])
def test_a_command_that_is_none_is_refused(name: str) -> None:
    assert refusal(name) == f"{name}: expected a command after the colon"


def test_a_package_s_players_are_offered_by_name(package: Path) -> None:
    names = [offered.name for offered in offered_players()]
    assert {"first", "tripping"} <= set(names)
    assert names == sorted(names)
    assert "other" not in names
    assert "first" in refusal("nobody")


def test_a_package_s_player_plays(package: Path) -> None:
    player = make_player("first", "seed")
    assert isinstance(player, Guarded)
    assert player.level == "first"
    game, seat = one_view()
    assert player.turn(game.view(seat))[0] == game.legal_moves[0]
    assert player.faults == []


def test_a_package_s_player_that_fails_is_survived(package: Path) -> None:
    player = make_player("tripping", "seed")
    assert isinstance(player, Guarded)
    play_to_the_end(new_game(2), [player, make_player("clerk", "other")])
    assert len(player.faults) == 3
    assert str(player.faults[0]) == (
        "tripping failed: travelling_players.py:12: ValueError('tripped')"
    )


def test_a_package_s_player_gets_a_seed_of_its_own(package: Path) -> None:
    for seed in ("table/1", "table/1", "table/2"):
        make_player("noting", seed)
    import travelling_players  # type: ignore[import-not-found]

    first, again, other = travelling_players.seeds
    assert first == again != other
    assert "table" not in first


@pytest.mark.parametrize("name", ["quitting", "absent", "lost"])
def test_a_player_that_can_t_be_made_is_refused(package: Path, name: str) -> None:
    assert refusal(name).startswith(f"the player {name} can’t be started: ")


def test_what_is_no_player_is_refused(package: Path) -> None:
    assert refusal("stranger") == "stranger isn’t a computer player"


def test_no_package_takes_the_place_of_a_level(package: Path) -> None:
    assert type(make_player("greenhorn", "seed")) is type(LEVELS["greenhorn"]("seed"))
