"""The page on writing players: its example is the file, plays well, and nothing is left unsaid."""

from __future__ import annotations

import re
import shlex
import sys
from typing import Any

import pytest

from lastspike.bots.external.process import Process
from lastspike.bots.external.program import Program
from lastspike.bots.greenhorn import Greenhorn
from lastspike.rules.events import KINDS
from lastspike.rules.view import view_to_json
from tests.rules.helpers import small_map

from .helpers import ROOT, new_game, one_view, play_to_the_end

EXAMPLE = ROOT / "examples" / "player.py"
PAGE = (ROOT / "docs" / "players.md").read_text("utf-8")


def example(seed: str) -> Program:
    return Program(shlex.join([sys.executable, str(EXAMPLE)]), seed)


def block(language: str, start: str = "") -> str:
    found = re.findall(rf"(?ms)^```{language}\n({re.escape(start)}.*?)^```$", PAGE)
    assert len(found) == 1
    return str(found[0])


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_page_shows_the_example_as_it_is() -> None:
    assert block("py") == EXAMPLE.read_text("utf-8")


@pytest.mark.parametrize(
    "options",
    [{}, {"double_cost": "open"}, {"cash": "hidden"}, {"hands": "open"}],
    ids=lambda options: next(iter(options), "usual"),
)
@pytest.mark.parametrize("players", [2, 6])
def test_the_example_plays_legally(players: int, options: dict[str, Any]) -> None:
    program = example("seed")
    others = [Greenhorn(str(seat)) for seat in range(1, players)]
    play_to_the_end(new_game(players, **options), [program, *others])
    assert program.faults == []
    assert program.name == "Example"


def test_the_example_knows_no_figure_by_heart() -> None:
    edition = small_map("M:EAST1-HALFWAY", "B:HALFWAY-W", cash={2: 9000})
    for seed in "abc":
        program = example("seed")
        play_to_the_end(new_game(2, seed, edition=edition), [program, Greenhorn("1")])
        assert program.faults == []


def test_the_example_is_no_fool() -> None:
    """Against three Greenhorns it wins some 85 games in a hundred."""
    wins = 0
    for number in range(8):
        game = new_game(4, f"no fool/{number}")
        play_to_the_end(game, [example("seed"), *(Greenhorn(str(seat)) for seat in range(3))])
        assert game.outcome is not None
        wins += 0 in game.outcome.winners
    assert wins >= 5


def test_the_session_on_the_page_is_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    send, receive = Process.send, Process.receive

    def noted_send(self: Process, *lines: str) -> None:
        said.extend(f"> {line}" for line in lines)
        send(self, *lines)

    def noted_receive(self: Process, deadline: float) -> bytes | None:
        line = receive(self, deadline)
        said.append(f"< {(line or b'').decode()}")
        return line

    monkeypatch.setattr(Process, "send", noted_send)
    monkeypatch.setattr(Process, "receive", noted_receive)
    play_to_the_end(new_game(2, "docs"), [example("docs"), Greenhorn("1")])
    rest = iter(said)
    for shown in block("text", "> hello").splitlines():
        pattern = re.escape(shown).replace("…", ".*")
        pattern = re.sub(r"(?<=go\\ )\d+", r"\\d+", pattern)
        assert any(re.fullmatch(pattern, line) for line in rest), shown


def test_every_key_of_a_view_is_explained() -> None:
    game, seat = one_view()
    rows = re.findall(r"(?m)^\| (`.*?) \|", section("The view"))
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named - set(KINDS.values()) == set(view_to_json(game.view(seat))) - set(KINDS.values())
    assert "last_spike" in named


def test_every_key_of_the_options_is_explained() -> None:
    about = section("As a program")
    game, seat = one_view()
    sent = example("seed").player._options(game.setup, seat)
    figures = game.setup.edition.to_figures()
    for name in re.findall(r'"(\w+)":', sent):
        if name.isdecimal() or name in {"fr", "ja"}:
            continue
        assert f"`{name}`" in about, name
    assert {*figures, *figures["cities"][0], *figures["routes"][0]} <= set(
        re.findall(r"`(\w+)`", about)
    )


def test_every_event_is_explained_with_its_keys() -> None:
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| (`.*?) \|", section("The view")))
    for event, kind in KINDS.items():
        keys = list(event._fields)  # type: ignore[attr-defined]
        assert re.findall(r"`(\w+)`", rows[kind]) == keys, kind
