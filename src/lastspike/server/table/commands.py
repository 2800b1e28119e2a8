"""Commands: what people and the clock may do at a table, as pure functions from state to draft.

A forbidden command raises an error that says why; a command with no effect returns None.
`live/table.py` gives the draft its number and time and appends it to the log.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Sequence

import msgspec

from lastspike.protocol import NoClock, Settings
from lastspike.rules.board import Seat, Space
from lastspike.rules.errors import IllegalMove
from lastspike.rules.moves import PASS_TEXT, Move
from lastspike.rules.position import Position, advance, start
from lastspike.rules.records.record import RULES, Shuffle
from lastspike.rules.records.shuffle import Stream, commitment, deal
from lastspike.rules.view import preview, view_of

from . import log_events as e
from .errors import Conflict, NotAllowed, NotFound, TooLarge
from .limits import (
    ABSENCE_MS,
    MOST_CHANGES,
    MOST_FIGURES_BYTES,
    MOST_FIGURES_IN_LOG,
    MOST_SAID,
    MOST_SAID_BY_SPECTATOR,
    MOST_SAID_BY_SPECTATORS,
    REVEAL_MS,
)
from .list_entry import awaits_server
from .log_events import Draft, Index
from .look_alikes import unique_name
from .now import now_ms
from .state import TableState, setup_of, to_codes, to_stored_deal


class Stale(Conflict):
    """A turn composed for another turn than the current one."""


# ---- before the game ------------------------------------------------------------------------


def create(
    host: str,
    seats: Sequence[str | None],
    mine: dict[Seat, str],
    settings: Settings,
    seed: bytes,
    taken: dict[Seat, tuple[str, str]] | None = None,
    again: str | None = None,
) -> Draft:
    """Create a table. `mine` names the host's seats; `taken` seats others, as in a rematch."""
    _check_settings(settings, len(seats))
    people = {seat: (host, name) for seat, name in mine.items()} | (taken or {})
    if not any(level is None for level in seats):
        raise NotAllowed("a table needs at least one person")
    return Draft(
        (
            e.TableCreated(settings, list(seats), host, again),
            *(e.SeatTaken(seat, person, name) for seat, (person, name) in sorted(people.items())),
            e.RoundBegan(1, commitment(seed).hex()),
        ),
        e.Secrets(seed=seed.hex()),
        index=Index(status="waiting", joined=tuple({host, *(who for who, _ in people.values())})),
    )


def take_seat(state: TableState, person: str, name: str, seat: Seat | None) -> Draft:
    _still_known(state, person)
    room_for_changes(state)
    _before_start(state)
    _not_removed(state, person)
    free = [number for number, each in enumerate(state.seats) if not each.filled]
    if seat is None:
        if not free:
            raise Conflict("every seat is taken; you can watch")
        seat = free[0]
    _check_seat(state, seat)
    if seat not in free:
        raise Conflict("this seat is already taken")
    name = unique_name(name, {each.name for each in state.seats})
    return Draft((e.SeatTaken(seat, person, name),), index=Index(joined=(person,)))


def set_seat(
    state: TableState, person: str, seat: Seat, level: str | None, known: Collection[str]
) -> Draft | None:
    room_for_changes(state)
    _host_only(state, person)
    _before_start(state)
    _check_seat(state, seat)
    check_level(level, known)
    if state.seats[seat].person is not None:
        raise Conflict("this seat is already taken")
    if state.seats[seat].level == level:
        return None
    others = (s for number, s in enumerate(state.seats) if number != seat)
    if level is not None and all(other.level is not None for other in others):
        raise NotAllowed("a table needs at least one person")
    return Draft((e.SeatSet(seat, level),))


def change_settings(
    state: TableState, person: str, settings: Settings, known: Collection[str]
) -> Draft | None:
    """Before the start, all settings; during a game, only those that don't affect its rules."""
    _not_daily(state)
    room_for_changes(state)
    _host_only(state, person)
    check_level(settings.stand_in, known)
    if settings == state.settings:
        return None
    if state.status == "playing":
        now = state.settings
        settings = msgspec.structs.replace(
            now, public=settings.public, pace=settings.pace, stand_in=settings.stand_in
        )
        if settings == now:
            raise Conflict("the game has started; this can no longer be changed")
    else:
        _before_start(state)
        _check_settings(settings, len(state.seats))
    return Draft((_settings_changed(state, settings),), index=Index(listed=settings.public))


def _settings_changed(state: TableState, settings: Settings) -> e.SettingsChanged:
    """Names figures that the log has already. `Conflict` if it has no room for more of them."""
    if settings.figures is None:
        return e.SettingsChanged(settings)
    key, size = e.figures_key(settings.figures)
    if key in state.figures:
        return e.SettingsChanged(msgspec.structs.replace(settings, figures=None), key)
    if state.figures_bytes + size > MOST_FIGURES_IN_LOG:
        raise Conflict("this table has been changed too many times; create a new one")
    return e.SettingsChanged(settings)


def remove(state: TableState, person: str, other: str, undo: bool = False) -> Draft | None:
    """They stay removed from this table, under whatever name, until the host lets them back."""
    _host_only(state, person)
    if undo:
        room_for_changes(state)
        return Draft((e.LetBack(other),)) if other in state.removed else None
    _before_start(state)
    if other == person:
        raise NotAllowed("you can’t remove yourself; leave the table instead")
    seats = state.seats_of(other)
    if not seats:
        raise NotFound("this person has no seat here")
    return Draft(
        tuple(e.SeatFreed(seat, removed=True) for seat in seats), index=Index(left=(other,))
    )


def ready(state: TableState, person: str, round_number: int, committed: str) -> Draft:
    """Commit to a contribution, one per person. When everybody is ready, secrets are requested."""
    room_for_changes(state)
    seat = _waiting_seat(state, person, round_number)
    if state.secrets_asked is not None:
        raise Conflict("everybody is already ready")
    people = state.people().values()
    waiting = [other for other in people if other != seat and not state.seats[other].commitment]
    events: list[e.AnyLogEvent] = [e.PersonReady(seat, committed)]
    if not waiting and all(each.filled for each in state.seats):
        events.append(e.SecretsAsked(state.round))
    return Draft(tuple(events))


def not_ready(state: TableState, person: str) -> Draft | None:
    room_for_changes(state)
    seat = _waiting_seat(state, person, state.round)
    if state.secrets_asked is not None:
        raise Conflict("the tiles are being dealt")
    return Draft((e.PersonNotReady(seat),)) if state.seats[seat].commitment else None


def reveal(state: TableState, person: str, round_number: int, secret: bytes) -> Draft | None:
    """Reveal a contribution. The last one deals the tiles."""
    seat = _waiting_seat(state, person, round_number)
    if state.secrets_asked is None:
        raise Conflict("not everybody is ready yet")
    if seat in state.secrets:
        return None
    if commitment(secret).hex() != state.seats[seat].commitment:
        raise NotAllowed("this secret does not match its fingerprint")
    given = {**state.secrets, seat: secret}
    revealed = e.SecretRevealed(seat)
    if len(given) < len(state.people()):
        return Draft((revealed,), e.Secrets(contribution=secret.hex()))
    assert state.seed is not None
    stream = Shuffle(state.seed, tuple(sorted(given.items()))).stream()
    dealt = deal(state.setup, stream)
    mix = RecordingMixer(stream)
    position, _ = start(state.setup, dealt, mix)
    status = "over" if position.table.phase == "over" else "playing"
    secrets = e.Secrets(
        contribution=secret.hex(),
        deal=to_stored_deal(state.setup, dealt),
        remixed=to_codes(state.setup, mix.orders),
    )
    awaits = awaits_server(state.settings, state.seats, position.table.turn)
    index = Index(status=status, awaits_server=awaits)
    return Draft((revealed, e.GameStarted(RULES)), secrets, index=index)


def begin_round_again(state: TableState, now: int, seed: bytes) -> Draft | None:
    """Start a new round with a new seed if a browser did not reveal its secret in time."""
    if state.status != "waiting" or state.secrets_asked is None:
        return None
    if now < state.secrets_asked + REVEAL_MS:
        return None
    silent = [seat for seat in state.people().values() if seat not in state.secrets]
    return _new_round(state, seed, silent, [])


def _new_round(state: TableState, seed: bytes, silent: list[Seat], left: list[Seat]) -> Draft:
    event = e.RoundBegan(state.round + 1, commitment(seed).hex(), silent, left)
    return Draft((event,), e.Secrets(seed=seed.hex()))


# ---- the game -------------------------------------------------------------------------------


def make_turn(state: TableState, person: str, turn: int, moves: Sequence[str]) -> Draft:
    """A person's whole turn. It also ends a stand-in's play for them."""
    if state.status in ("playing", "over") and turn != state.turn:
        raise Stale("you played turn {turn}, but it’s now turn {now}", turn=turn, now=state.turn)
    seat = _to_move(state)
    if state.daily is not None and state.daily.ranked and now_ms() >= state.daily.ends:
        raise Conflict("the day is over; a computer is finishing the game for you")
    if seat not in state.seats_of(person) or state.seats[seat].for_good:
        raise IllegalMove("T4", "it’s not your turn")
    back = () if state.seats[seat].stand_in is None else (e.SeatReturned(seat),)
    return _turn(state, seat, moves, None, back)


def computer_turn(
    state: TableState, turn: int, moves: Sequence[str], level: str | None = None
) -> Draft | None:
    """A computer player's turn, made by another `level` than the seat's where that was too costly;
    None if it was computed for another turn."""
    if state.status != "playing" or state.turn != turn:
        return None
    seat = _to_move(state)
    own = state.seats[seat].computer
    return None if own is None else _turn(state, seat, moves, level or own, ())


def _turn(
    state: TableState,
    seat: Seat,
    texts: Sequence[str],
    level: str | None,
    before: tuple[e.AnyLogEvent, ...],
) -> Draft:
    game = state.playing
    board = state.setup.board
    moves: list[Move] = [board.parse(text) for text in texts]
    ahead = preview(view_of(game.position, seat), moves)
    if not ahead.turn_over:
        if ahead.table.phase == "raise":
            raise IllegalMove(
                "F1",
                "you still need to raise money for {tile}",
                tile=board.codes[ahead.table.chosen],
            )
        if ahead.table.phase == "lay":
            raise IllegalMove("T1", "you must lay one tile on your turn")
        moves.append(board.parse(PASS_TEXT))
    mix = RecordingMixer(copy.copy(state.mixer.stream))
    position = game.position.copy()
    for move in moves:  # which the preview has checked
        advance(position, move, mix)
    return Draft(
        (*before, e.TurnMade(state.turn, seat, [move.text for move in moves], level)),
        e.Secrets(remixed=to_codes(state.setup, mix.orders)) if mix.orders else None,
        state.turn,
        _index_after(state, position, by_computer=level is not None, returned=bool(before)),
    )


def _index_after(
    state: TableState, position: Position, by_computer: bool, returned: bool
) -> Index | None:
    """How a turn changes the index of tables; most turns between people don't."""
    if position.table.phase == "over":
        return Index(status="over")
    if not isinstance(state.settings.clock, NoClock):
        return None
    awaits = awaits_server(state.settings, state.seats, position.table.turn)
    return Index(awaits_server=awaits) if returned or awaits != by_computer else None


class RecordingMixer:
    """Mixes the pool and records each order, for the log."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self.orders: list[Sequence[Space]] = []

    def __call__(self, tiles: list[Space]) -> Sequence[Space]:
        assert self.stream is not None
        self.orders.append(tuple(self.stream.shuffle(tiles)))
        return self.orders[-1]


# ---- leaving and returning ------------------------------------------------------------------


def leave(state: TableState, person: str, for_good: bool, seed: bytes) -> Draft | None:
    """Before the start, free the seats; during a game, hand them to a computer player."""
    if state.status in ("over", "closed"):
        return None
    seats = state.seats_of(person)
    if not seats:
        raise NotFound("you have no seat here")
    if state.status == "waiting":
        events: list[e.AnyLogEvent] = [e.SeatFreed(seat) for seat in seats]
        secrets = None
        if state.secrets_asked is not None:
            again = _new_round(state, seed, [], seats)
            events += again.events
            secrets = again.secrets
        return Draft((*events, *_new_host(state, person)), secrets, index=Index(left=(person,)))
    if not for_good:
        _not_daily(state)
        room_for_changes(state)
    why = "for_good" if for_good else "left"
    level = state.settings.stand_in
    events = [
        e.SeatHandedOver(seat, state.seats[seat].stand_in or level, why, True)  # type: ignore[arg-type]
        for seat in seats
        if not state.seats[seat].for_good and (for_good or state.seats[seat].stand_in is None)
    ]
    if for_good:
        events += _new_host(state, person)
    return Draft(tuple(events)) if events else None


def forget(state: TableState, person: str, seed: bytes) -> Draft | None:
    """A person who erases their data leaves for good, and their name is no longer shown."""
    if person in state.forgotten:
        return None
    left = leave(state, person, True, seed) if state.seats_of(person) else None
    events = _new_host(state, person) if left is None else left.events
    return Draft(
        (*events, e.PersonForgotten(person)),
        None if left is None else left.secrets,
        index=Index(left=(person,)),
    )


def hand_over(
    state: TableState, person: str, seat: Seat, away_since: int | None, now: int
) -> Draft | None:
    """The host hands an absent person's seat to a computer, at a table without a clock."""
    _not_daily(state)
    _host_only(state, person)
    if state.status != "playing":
        raise Conflict("no game is being played here")
    _check_seat(state, seat)
    if state.seats[seat].computer is not None:
        return None
    if not isinstance(state.settings.clock, NoClock):
        raise NotAllowed("a computer takes over when their time is up")
    if away_since is None:
        raise NotAllowed("this person is here")
    if now < away_since + ABSENCE_MS:
        raise NotAllowed("wait until they have been away for two minutes")
    return Draft((e.SeatHandedOver(seat, state.settings.stand_in, "absent", True),))


def come_back(state: TableState, person: str, now: int | None = None) -> Draft | None:
    """The person takes their seats back, except seats left for good, and one whose time is up until
    the computer has made its turn: otherwise that turn could be put off for ever."""
    if state.status != "playing":
        return None
    ends = state.time_ends()
    late = ends is not None and ends <= (now_ms() if now is None else now)
    back = tuple(
        e.SeatReturned(number)
        for number in state.seats_of(person)
        if state.seats[number].stand_in is not None
        and not state.seats[number].for_good
        and not (late and number == state.to_move() and state.seats[number].clock_goes_on)
    )
    return Draft(back) if back else None


# ---- chat and hosting -----------------------------------------------------------------------


def say(state: TableState, person: str, name: str, text: str) -> Draft:
    """Seated persons and spectators have separate channels."""
    _still_known(state, person)
    _not_removed(state, person)
    if person in state.muted:
        raise NotAllowed("the host has muted you at this table")
    if state.status == "closed":
        raise Conflict("this table is closed")
    seats = state.seats_of(person)
    if not seats:
        _room_to_say(state, "spectators", person, MOST_SAID_BY_SPECTATORS, MOST_SAID_BY_SPECTATOR)
        others = {who: other for who, other in state.speakers.items() if who != person}
        name = unique_name(name, {each.name for each in state.seats} | set(others.values()))
        return Draft((e.Said("spectators", person, name, text),))
    _room_to_say(state, "players", person, MOST_SAID, MOST_SAID // len(state.people()))
    known = state.seats[seats[0]].name or name
    return Draft((e.Said("players", person, known, text, seats[0]),))


def _room_to_say(state: TableState, channel: str, person: str, most: int, each: int) -> None:
    """A channel and a person have so many messages each, so that nobody silences the others."""
    said = state.said[channel]
    if said.total() >= most:
        raise Conflict("this chat is full")
    if said[person] >= each:
        raise Conflict("you’ve reached your message limit in this chat")


def mute(state: TableState, person: str, other: str, undo: bool) -> Draft | None:
    room_for_changes(state)
    _host_only(state, person)
    if other == person:
        raise NotAllowed("you can’t mute yourself")
    return None if (other in state.muted) != undo else Draft((e.Muted(other, undo),))


def close(state: TableState, person: str) -> Draft | None:
    """The host closes the table before the start. A running game ends only by agreement."""
    _host_only(state, person)
    if state.status == "closed":
        return None
    if state.status == "playing":
        return agree_to_end(state, person)
    if state.status == "over":
        raise Conflict("the game is over; there is nothing to close")
    return Draft((e.TableClosed(),), index=Index(status="closed"))


def close_by_operator(state: TableState) -> Draft | None:
    """The operator closes a table; a running game ends without a result."""
    if state.status == "closed":
        return None
    if state.status == "over":
        raise Conflict("the game is over; there is nothing to close")
    return Draft((e.TableClosed(operator=True),), index=Index(status="closed"))


def redact(number: int) -> Draft:
    """The operator removes the message of a step."""
    return Draft((e.ChatRedacted(number),))


def rename(state: TableState, person: str, name: str) -> Draft | None:
    """The operator gives a person another name. Where somebody else at the table has a name that
    looks like it, a number follows it."""
    if person in state.forgotten:
        return None
    taken = {each.name for each in state.seats if each.person != person}
    names: dict[Seat, str] = {}
    for seat in state.seats_of(person):
        names[seat] = unique_name(name, {*taken, *names.values()})
    speakers = {each for who, each in state.speakers.items() if who != person}
    return Draft((e.PersonRenamed(person, unique_name(name, {*taken, *speakers}), names),))


def agree_to_end(state: TableState, person: str, undo: bool = False) -> Draft | None:
    """End the game without a result once everybody who plays wants it. Whoever has left isn't
    asked; whoever was replaced because they were away or out of time is."""
    _not_daily(state)
    if state.status != "playing":
        raise Conflict("no game is being played here")
    seat = state.people().get(person)
    if seat is None or state.seats[seat].for_good:
        raise NotAllowed("only the people playing can end the game")
    if undo:
        return Draft((e.EndAgreed(seat, undo=True),)) if seat in state.end_agreed else None
    agreed = state.end_agreed | {seat}
    events: list[e.AnyLogEvent] = [] if seat in state.end_agreed else [e.EndAgreed(seat)]
    if all(other in agreed or state.seats[other].left for other in state.people().values()):
        return Draft((*events, e.TableClosed()), index=Index(status="closed"))
    if events:
        room_for_changes(state)
    return Draft(tuple(events)) if events else None


def offer_rematch(state: TableState, person: str, table_id: str) -> Draft | None:
    """The first request creates the new table; later ones have no effect."""
    may_rematch(state, person)
    return None if state.rematch else Draft((e.RematchOffered(table_id),))


def may_rematch(state: TableState, person: str) -> None:
    _not_daily(state)
    if not state.seats_of(person):
        raise NotAllowed("only those who played can ask for a rematch")
    if state.status != "over":
        raise Conflict("the game is not over yet")


def rematch_of(state: TableState, host: str, seed: bytes) -> Draft:
    """The first step of a rematch: the same seats and settings."""
    taken = {
        number: (seat.person, seat.name or "")
        for number, seat in enumerate(state.seats)
        if seat.person is not None and not seat.for_good
    }
    levels = [seat.level for seat in state.seats]
    return create(host, levels, {}, state.settings, seed, taken, state.id)


def _new_host(state: TableState, leaver: str) -> tuple[e.AnyLogEvent, ...]:
    if state.host != leaver:
        return ()
    for person, seat in state.people().items():
        if person != leaver and not state.seats[seat].for_good:
            return (e.HostChanged(person),)
    return ()


def _host_only(state: TableState, person: str) -> None:
    if person != state.host:
        raise NotAllowed("only the host of the table can do this")


def _not_daily(state: TableState) -> None:
    if state.daily is not None:
        raise NotAllowed("this isn’t possible in the Daily Deal")


def _still_known(state: TableState, person: str) -> None:
    """A request may arrive just after its person erased their data."""
    if person in state.forgotten:
        raise NotAllowed("tell us your name first")


def _not_removed(state: TableState, person: str) -> None:
    if person in state.removed:
        raise NotAllowed("the host has removed you from this table; you can only watch")


def room_for_changes(state: TableState) -> None:
    if state.number - sum(said.total() for said in state.said.values()) >= MOST_CHANGES:
        raise Conflict("this table has been changed too many times; create a new one")


def may_change_settings(state: TableState, person: str, settings: Settings) -> None:
    """Refuse what can be refused without reading an edition."""
    _host_only(state, person)
    room_for_changes(state)
    _check_size(settings)


def _check_settings(settings: Settings, seats: int) -> None:
    """Raise if the edition or the number of players is invalid."""
    _check_size(settings)
    setup_of(settings, seats)


def _check_size(settings: Settings) -> None:
    figures = settings.figures
    if figures is not None and len(msgspec.json.encode(figures)) > MOST_FIGURES_BYTES:
        raise TooLarge("this is too large")


def _check_seat(state: TableState, seat: Seat) -> None:
    if not 0 <= seat < len(state.seats):
        raise NotFound("this table has no seat {seat}", seat=seat + 1)


def _before_start(state: TableState) -> None:
    if state.status == "closed":
        raise Conflict("this table is closed")
    if state.status != "waiting":
        raise Conflict("the game has started; this can no longer be changed")
    if state.secrets_asked is not None:
        raise Conflict("the tiles are being dealt")


def _waiting_seat(state: TableState, person: str, round_number: int) -> Seat:
    """The lowest seat of a person in the waiting room."""
    if state.status != "waiting":
        raise Conflict("the game has started; this can no longer be changed")
    seat = state.people().get(person)
    if seat is None:
        raise NotAllowed("take a seat first")
    if round_number != state.round:
        raise Conflict("a new round of the shuffle has begun")
    return seat


def _to_move(state: TableState) -> Seat:
    seat = state.to_move()
    if seat is None:
        if state.status == "over":
            raise IllegalMove("E1", "the game is over")
        raise Conflict("no game is being played here")
    return seat


def check_level(level: str | None, known: Collection[str]) -> None:
    if level is not None and level not in known:
        raise NotFound(
            "there is no computer player called {name}; choose from {known}",
            name=level[:40],
            known=tuple(known),
        )
