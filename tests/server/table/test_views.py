"""What viewers are told: everything open, nothing hidden, and the same whatever they can't see."""

from __future__ import annotations

import copy
from random import Random

import msgspec
import pytest

from lastspike.protocol import GameOptions, LiveClock, Settings
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import commitment
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.state import TableState
from lastspike.server.table.views import (
    Viewer,
    changed_by,
    clock_info,
    encode,
    encoded,
    game_view,
    preview_for,
    steps_for,
    table_info,
    welcome,
    you_info,
)
from tests.rules.worlds import other_world
from tests.server.paper import HOST, Paper, secret_of

OPTIONS = [GameOptions(), GameOptions(cash="hidden"), GameOptions("open", "hidden", "hidden")]


def all_told(state: TableState, log: list[e.Step], viewer: Viewer) -> bytes:
    """Every byte that a viewer could get at this moment."""
    told: list[object] = [
        steps_for(state, log, viewer),
        game_view(state, viewer.seat),
        table_info(state),
        clock_info(state),
        you_info(state, HOST),
    ]
    if viewer.seat is not None and state.to_move() == viewer.seat:
        told += [
            preview_for(state, viewer.seat, "x", [move.text]) for move in state.playing.legal_moves
        ]
    return encode(told)


def viewers_of(players: int) -> list[Viewer]:
    seats = [Viewer(seat, True) for seat in range(players)]
    return [*seats, Viewer(None, True), Viewer(None, False)]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_a_viewer_cannot_see_changes_no_byte(players: int, options: GameOptions) -> None:
    paper = Paper(("me", *["clerk"] * (players - 1)), Settings(options=options), f"w{players}")
    paper.start()
    rng = Random(f"{players} {options}")
    while paper.state.status == "playing":
        for viewer in viewers_of(players):
            state = paper.state
            world, history = other_world(state.playing, viewer.seat, rng)
            other = copy.copy(state)
            other.game = copy.copy(state.playing)
            other.game.position, other.game.history = world, history
            other.seed, other.secrets = secret_of("other"), {0: bytes(32)}
            log = [step._replace(secrets=None) for step in paper.log]
            assert all_told(state, paper.log, viewer) == all_told(other, log, viewer)
        paper.play(1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_secret_is_in_what_anybody_is_told_before_the_end(options: GameOptions) -> None:
    paper = Paper(("me", None, "clerk"), Settings(options=options))
    paper.sit("a")
    secrets = [secret_of("paper"), secret_of(f"paper/{HOST}"), secret_of("paper/a")]
    paper.start()
    while paper.state.status == "playing":
        for viewer in viewers_of(3):
            told = all_told(paper.state, paper.log, viewer).decode()
            for secret in secrets:
                assert secret.hex() not in told
                assert commitment(secret).hex() in told or secret == secrets[0]
            _no_hidden_tile(paper.state.playing, told, viewer)
        paper.play(1)
    told = all_told(paper.state, paper.log, Viewer(None, False)).decode()
    assert secrets[0].hex() not in told  # that is for the record


def _no_hidden_tile(game: Game, told: str, viewer: Viewer) -> None:
    """Whoever is told of a tile was told because it is laid, their own, or was drawn openly."""
    events = [e["tile"] for e in _events(told) if e["event"] == "tile_drawn" and e["tile"]]
    mine = {e["tile"] for e in _events(told) if e["event"] == "tile_drawn" and e["tile"]}
    assert len(events) == len(mine)
    codes = game.setup.board.codes
    for seat, hand in enumerate(game.position.hidden.hands):
        if seat != viewer.seat:
            assert not mine & {codes[tile] for tile in hand}
    assert not mine & {codes[tile] for tile in game.position.hidden.pool}


def _events(told: str) -> list[dict[str, str]]:
    steps = msgspec.json.decode(told)[0]
    return [e for step in steps for each in step["happenings"] for e in each.get("events", [])]


def test_the_own_draws_are_told_and_others_are_not() -> None:
    paper = Paper(("me", "clerk"))
    paper.start()
    paper.play(6)
    for seat in (0, 1):
        draws = [
            event
            for step in steps_for(paper.state, paper.log, Viewer(seat, True))
            for each in step.happenings
            for event in each.get("events", [])
            if event["event"] == "tile_drawn"
        ]
        assert draws
        assert all((event["tile"] is not None) == (event["seat"] == seat) for event in draws)


def test_chat_goes_to_whom_it_is_for() -> None:
    paper = Paper(("me", None))
    paper.sit("a")
    paper.do(commands.say, "a", "", "to players")
    paper.do(commands.say, "x", "Xena", "to spectators")

    def heard(viewer: Viewer) -> list[str]:
        steps = steps_for(paper.state, paper.log, viewer)
        return [each["text"] for step in steps for each in step.happenings if "text" in each]

    assert heard(Viewer(0, True)) == ["to players"]
    # Round one device, between two turns: no hand is shown, and they still have seats.
    assert heard(Viewer(None, True)) == ["to players"]
    assert heard(Viewer(None, False)) == ["to players", "to spectators"]
    assert heard(Viewer(0, True, frozenset({"a"}))) == []


def test_a_welcome_holds_all_that_is_so_now() -> None:
    paper = Paper(("me", "clerk"), Settings(clock=LiveClock()))
    paper.start()
    paper.play(3)
    state, viewer, you = paper.state, Viewer(0, True), you_info(paper.state, HOST)
    steps = steps_for(state, paper.log[2:], viewer)
    told = welcome(state, steps, viewer, you, "version")
    assert told.version == "version"
    assert told.you == you
    assert told.table == table_info(state)
    assert told.steps == steps
    ahead = welcome(state, encoded(steps), viewer, you, "version")
    ahead = msgspec.structs.replace(ahead, now=told.now)
    assert encode(ahead) == encode(told)
    assert told.looking == 0
    assert told.view == game_view(state, 0)
    assert told.clock == clock_info(state)
    assert told.clock is not None


def test_what_a_step_changes() -> None:
    paper = Paper(("me", "clerk"), Settings(clock=LiveClock()))
    paper.start()
    table, game, clock, seats = changed_by(paper.log[-1:])
    assert (table, game, clock, seats) == (True, True, True, True)
    paper.play(1)
    assert changed_by(paper.log[-1:]) == (False, True, True, False)
    paper.do(commands.say, HOST, "", "hello")
    assert changed_by(paper.log[-1:]) == (False, False, False, False)
    paper.do(commands.leave, HOST, False, bytes(32))
    assert changed_by(paper.log[-1:]) == (True, False, True, True)
