"""Conversion between a table's log and a game record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from lastspike.protocol import GameOptions, Settings
from lastspike.rules.board import Seat
from lastspike.rules.editions.shipped import is_shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.records.record import Record, to_record
from lastspike.rules.records.turns import MadeTurn, Turn, made_turns, turns_of
from lastspike.words.names import names_of

from . import log_events as e
from .errors import Conflict, NotAllowed, NotFound
from .log_events import Draft, Index
from .now import now_ms
from .state import TableState, edition_of, from_stored_deal, to_codes, to_stored_deal
from .text import clean_name

SHUFFLE_FROM = "shuffle_from"
"""When the record of this game will have its shuffle, in milliseconds."""


def finished_record(state: TableState) -> dict[str, Any]:
    """The record of a finished game, with names and shuffle. `NotAllowed` while it is running.

    The seed of a ranked daily game is the secret link of its day: until the day is over, the record
    says when it will have the shuffle, instead of the shuffle.
    """
    if state.status != "over":
        raise NotAllowed("the record is available once the game is over")
    record = full_record(state)
    if state.daily is not None and state.closed_to(None, now_ms()):
        record.pop("shuffle", None)
        record[SHUFFLE_FROM] = state.daily.ends
    return record


def full_record(state: TableState) -> dict[str, Any]:
    """The record of any game, including hands and seed. Never send it to a client."""
    players = [
        {"name": seat.name or (name if seat.level else ""), "level": seat.level}
        | ({"left": True} if seat.for_good else {})
        for seat, name in zip(state.seats, names_of(state.seats), strict=True)
    ]
    return to_record(
        state.playing, state.shuffle, players=players, table=state.id, created=state.created
    )


def anonymous_record(state: TableState) -> dict[str, Any]:
    """The record of a finished game without names, table or time. `NotAllowed` while it is
    running."""
    record = finished_record(state)
    del record["table"], record["created"]
    for player in record["players"]:
        del player["name"]
    return record


def log_of(record: Record, now: int) -> list[e.Step]:
    """The log of a table with this finished game, created at the record's time, if it is valid."""
    game, shuffle, setup = record.game, record.shuffle, record.game.setup
    created = record.raw.get("created")
    if isinstance(created, bool) or not isinstance(created, int) or not 0 < created <= now:
        created = now
    names, levels = _players(record)
    seed, stopped = None, []
    if shuffle is not None:
        stopped = list(shuffle.stopped)
        given = {seat: secret.hex() for seat, secret in shuffle.contributions}
        seed = e.Secrets(seed=shuffle.seed.hex(), contributions=given)
    remixed = to_codes(setup, game.remixed)
    begin, turns = made_turns(game)
    dealt = e.Secrets(deal=to_stored_deal(setup, game.deal), remixed=remixed[:begin])
    steps = [
        e.Step(1, created, (e.TableCreated(_settings(game), levels, host=""),)),
        e.Step(2, now, (e.GameImported(names, stopped),), seed),
        e.Step(3, now, (e.GameStarted(record.raw["rules"]),), dealt),
    ]
    for turn in turns:
        mixed = remixed[begin : turn.remixes]
        secrets = e.Secrets(remixed=mixed) if mixed else None
        steps.append(e.Step(len(steps) + 1, now, (_made(turn, levels),), secrets, turn.number))
        begin = turn.remixes
    return steps


def play_on(
    record: Record, turns: int, seat: Seat, person: str, name: str, level: str, seed: bytes
) -> Draft:
    """A table that continues a recorded game after `turns` turns, with the person in one seat and
    computers in the others. It is one step, so that no half-made table exists."""
    game, setup = record.game, record.game.setup
    dealt = turns_of(game)
    made = dealt.turns
    if seat >= setup.players:
        raise NotFound("this table has no seat {seat}", seat=seat + 1)
    if turns > len(made):
        raise NotFound("this game has no turn {turn}", turn=turns)
    past = made[:turns]
    if game.over and turns == len(made):
        raise Conflict("this game is over; go back a few turns to play on from there")
    mixed = past[-1].remixes if past else dealt.remixes
    levels = [None if number == seat else level for number in range(setup.players)]
    return Draft(
        (
            e.TableCreated(_settings(game), levels, person),
            e.SeatTaken(seat, person, name),
            e.GameStarted(record.raw["rules"], played_on=True),
            *(_made(turn, levels) for turn in past),
        ),
        e.Secrets(
            seed=seed.hex(),
            deal=to_stored_deal(setup, game.deal),
            remixed=to_codes(setup, game.remixed[:mixed]),
        ),
        index=Index(
            status="playing",
            joined=(person,),
            turn=len(past),
            awaits_server=(made[turns].seat if turns < len(made) else game.turn) != seat,
        ),
    )


def seated(draft: Draft, person: str) -> Draft:
    """The draft of `play_on`, made for nobody, for this person."""
    created, taken, *others = draft.events
    assert isinstance(created, e.TableCreated)
    assert isinstance(taken, e.SeatTaken)
    created = msgspec.structs.replace(created, host=person)
    taken = msgspec.structs.replace(taken, person=person)
    assert draft.index is not None
    index = draft.index._replace(joined=(person,))
    return draft._replace(events=(created, taken, *others), index=index)


def _made(turn: Turn | MadeTurn, levels: Sequence[str | None]) -> e.TurnMade:
    moves = [move.text for move in turn.moves]
    return e.TurnMade(turn.number, turn.seat, moves, levels[turn.seat])


def content_of(steps: Sequence[e.Step]) -> bytes | None:
    """A hash of the game's edition, deal, moves and mixed pools, without its players: what tells it
    from other games. None if no game was dealt."""
    settings, deal = Settings(), None
    moves: list[str] = []
    remixed: list[list[str]] = []
    for step in steps:
        for event in step.events:
            match event:
                case e.TableCreated(settings=settings) | e.SettingsChanged(settings=settings):
                    pass
                case e.TurnMade():
                    moves += event.moves
        if step.secrets is not None:
            deal = step.secrets.deal or deal
            remixed += step.secrets.remixed
    if deal is None:
        return None
    edition = edition_of(settings)
    parts = (
        edition.id if is_shipped(edition) else edition.to_figures(),
        settings.options.double_cost,
        [deal.first, [sorted(hand) for hand in deal.hands], deal.pool, deal.aside],
        moves,
        remixed,
    )
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def says(steps: Sequence[e.Step], game: Game) -> bool:
    """Whether a log has the deal, the moves and the mixed pools of this game, in order: these
    determine a game, so it replays to the same."""
    secrets = [step.secrets for step in steps if step.secrets is not None]
    dealt = [each.deal for each in secrets if each.deal is not None]
    remixed = [order for each in secrets for order in each.remixed]
    turns = [each for step in steps for each in step.events if isinstance(each, e.TurnMade)]
    return (
        [from_stored_deal(game.setup, deal) for deal in dealt] == [game.deal]
        and [move for turn in turns for move in turn.moves] == [move.text for move in game.moves]
        and remixed == to_codes(game.setup, game.remixed)
    )


def _settings(game: Game) -> Settings:
    edition, options = game.setup.edition, game.setup.options
    return Settings(
        edition=edition.id,
        figures=None if is_shipped(edition) else edition.to_figures(),
        options=GameOptions(options.double_cost, options.cash, options.hands),
    )


def names_in_record(record: Record) -> list[str]:
    """The name of each seat, as the page shows it."""
    names, levels = _players(record)
    seats = [_Player(name, level) for name, level in zip(names, levels, strict=True)]
    return [
        name if seat.name or seat.level else ""
        for seat, name in zip(seats, names_of(seats), strict=True)
    ]


class _Player(NamedTuple):
    name: str
    level: str | None


def _players(record: Record) -> tuple[list[str], list[str | None]]:
    """The cleaned names and the computer players' levels; empty where the record has none. Older
    records call a computer player by its level, which is no name."""
    count = record.game.setup.players
    given = record.raw.get("players")
    entries: list[Any] = given if isinstance(given, list) and len(given) == count else [{}] * count
    players = [entry if isinstance(entry, dict) else {} for entry in entries]
    levels = [_shown(player.get("level")) or None for player in players]
    names = [_shown(player.get("name")) for player in players]
    return [
        "" if name == level else name for name, level in zip(names, levels, strict=True)
    ], levels


def _shown(text: object) -> str:
    try:
        return clean_name(text) if isinstance(text, str) else ""
    except LastSpikeError:
        return ""
