"""The history checker notices a turn that is lost, doubled, told in another order, or leaked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from lastspike import protocol as p
from lastspike.bots.levels import make_player
from lastspike.server.storage.rows import Row
from tests.server.accounts import Leak
from tests.server.players import Acknowledged, Log, Memory
from tests.server.wiretap import TEXT, Message
from tests.server.worlds import SPECTATOR, TABLE, world

from .history import Heard, HistoryError, check_history

OPTIONS = p.GameOptions("forced", "hidden", "hidden")
_to_client = msgspec.json.Decoder(
    p.Welcome | p.News | p.CurrentView | p.Accepted | p.Refused | p.Presence
)


class Game(NamedTuple):
    """A finished game of two people with a spectator, and all that each of them was told."""

    rows: list[Row]
    told: dict[str, list[str]]
    remembered: dict[str, list[str]]
    """What their own programs took in. `told` is what was on the wire."""

    def check(self) -> int:
        log = Log(TABLE, self.rows)
        memory = Memory(TABLE)
        for row in self.rows:
            if row.request is not None and row.turn is not None:
                person, _, request = row.request.partition(":")
                (made,) = msgspec.json.decode(row.body)
                memory.asked(person, p.CommitTurn(request, row.turn, made["moves"]))
        for texts in self.remembered.values():
            have = 0
            for text in texts:
                message = _to_client.decode(text)
                memory.take(message, have)
                have = max([have, *(step.number for step in getattr(message, "steps", ()))])
        return check_history(log, memory, map(self._heard, self.told))

    def _heard(self, name: str) -> Heard:
        hello = Message(0, False, "frame", b'{"type":"hello","protocol":1}', TEXT)
        told = [Message(0, True, "frame", text.encode(), TEXT) for text in self.told[name]]
        return Heard(name, None if name == SPECTATOR else name, [hello, *told])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Game:
    async def play(folder: Path) -> Game:
        async with world(folder, 2, 2, p.Settings(options=OPTIONS)) as here:
            await here.begin({})
            while (seat := here.state.to_move()) is not None:
                player = make_player("clerk", f"turn {here.state.turn}")
                await here.turn([move.text for move in player.turn(here.state.playing.view(seat))])
            return Game(await here._storage.logs.steps(TABLE), here.told, here.told)

    return asyncio.run(play(tmp_path_factory.mktemp("world")))


@pytest.fixture
def game(played: Game) -> Game:
    """One that a test may change."""
    told = {name: list(texts) for name, texts in played.told.items()}
    return Game(list(played.rows), told, dict(played.remembered))


def turns_told(texts: Sequence[str]) -> list[int]:
    """Where among the messages a turn is told, in the middle of the game."""
    places = [place for place, text in enumerate(texts) if '"turn_made"' in text]
    return places[4:-4]


def test_what_happened_is_right(game: Game) -> None:
    assert game.check() > 3 * 20


def doctored(text: str, change: Callable[[dict[str, Any]], None]) -> str:
    message = json.loads(text)
    change(message)
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("viewer", ["p0", "p1", SPECTATOR])
class TestTold:
    def test_a_turn_that_is_not_told_is_missed(self, game: Game, viewer: str) -> None:
        texts = game.told[viewer]
        del texts[turns_told(texts)[0]]
        with pytest.raises(HistoryError, match=rf"{viewer}, connection 0: told"):
            game.check()

    def test_a_turn_that_is_told_twice_is_noticed(self, game: Game, viewer: str) -> None:
        texts = game.told[viewer]
        place = turns_told(texts)[0]
        texts.insert(place, texts[place])
        with pytest.raises(HistoryError, match=rf"{viewer}, connection 0: told"):
            game.check()

    def test_turns_in_another_order_are_noticed(self, game: Game, viewer: str) -> None:
        texts = game.told[viewer]
        one, other, *_ = turns_told(texts)
        texts[one], texts[other] = texts[other], texts[one]
        with pytest.raises(HistoryError, match=rf"{viewer}, connection 0: told"):
            game.check()

    def test_a_turn_with_other_moves_is_noticed(self, game: Game, viewer: str) -> None:
        texts = game.remembered[viewer] = list(game.told[viewer])
        one, other, *_ = turns_told(texts)
        moves = json.loads(texts[other])["steps"][0]["happenings"][0]["moves"]

        def change(message: dict[str, Any]) -> None:
            message["steps"][0]["happenings"][0]["moves"] = moves

        texts[one] = doctored(texts[one], change)
        with pytest.raises(HistoryError):
            game.check()

    def test_a_tile_that_another_drew_is_a_leak(self, game: Game, viewer: str) -> None:
        drawn = '"event":"tile_drawn","seat":%d,"tile":null'
        texts = game.told[viewer]
        seat = 1 if viewer == "p0" else 0
        place = next(p for p in turns_told(texts) if drawn % seat in texts[p])
        texts[place] = texts[place].replace(drawn % seat, (drawn % seat)[:-4] + '"A1"', 1)
        with pytest.raises(Leak):
            game.check()

    def test_a_hand_that_is_another_s_is_a_leak(self, game: Game, viewer: str) -> None:
        log = Log(TABLE, game.rows)
        texts = game.told[viewer]
        place = turns_told(texts)[0]

        def change(message: dict[str, Any]) -> None:
            other = 1 if viewer == "p0" else 0
            state = log.state_before(log.steps[message["steps"][-1]["number"]])
            hand = state.playing.position.hidden.hands[other]
            message["view"]["hands"][other] = [state.setup.board.codes[tile] for tile in hand]

        texts[place] = doctored(texts[place], change)
        with pytest.raises(Leak):
            game.check()


class TestAcknowledged:
    def number(self, game: Game) -> int:
        """The place of a turn's row in the middle of the log."""
        return [place for place, row in enumerate(game.rows) if row.turn is not None][9]

    def test_a_turn_that_is_lost_is_noticed(self, game: Game) -> None:
        """The last one: the log is shorter, and otherwise right."""
        del game.rows[-1]
        with pytest.raises(HistoryError):
            game.check()

    def test_a_turn_that_is_stored_twice_is_noticed(self, game: Game) -> None:
        """Once as it was acknowledged, and once more as another step."""
        log = Log(TABLE, game.rows)
        row = game.rows[self.number(game)]
        log.rows = [*game.rows, row._replace(number=len(game.rows) + 1, turn=None)]
        assert row.request is not None
        person, _, request = row.request.partition(":")
        memory = Memory(TABLE)
        (made,) = msgspec.json.decode(row.body)
        turn = p.CommitTurn(request, row.turn or 0, made["moves"])
        memory.acknowledged.append(Acknowledged(person, turn, row.number))
        with pytest.raises(HistoryError):
            check_history(log, memory, [])

    def test_two_acknowledgements_of_a_turn_name_one_step(self, game: Game) -> None:
        log = Log(TABLE, game.rows)
        one, other = (game.rows[self.number(game) + more] for more in (0, 2))
        memory = Memory(TABLE)
        for row in (one, other):
            (made,) = msgspec.json.decode(row.body)
            person = (row.request or "").partition(":")[0]
            turn = p.CommitTurn("same", row.turn or 0, made["moves"])
            memory.acknowledged.append(Acknowledged(person, turn, row.number))
        with pytest.raises(HistoryError):
            check_history(log, memory, [])

    def test_turns_that_changed_places_are_noticed(self, game: Game) -> None:
        place = self.number(game)
        one, other = game.rows[place], game.rows[place + 1]
        game.rows[place] = one._replace(request=other.request)
        game.rows[place + 1] = other._replace(request=one.request)
        with pytest.raises(HistoryError):
            game.check()
