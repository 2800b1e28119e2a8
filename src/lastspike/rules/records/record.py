"""Game records, `lastspike/1`: writing them, and reading them with everything checked.

Reading replays the game: its moves must be legal, its result correct, and its shuffle, if there is
one, must give its commitment, deal and remixes. Otherwise `RecordError` says where and why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TextIO

from lastspike.rules.board import Board, Seat, Space
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.figures import repr_short
from lastspike.rules.editions.shipped import is_shipped, shipped
from lastspike.rules.errors import (
    EditionError,
    IllegalMove,
    LastSpikeError,
    RecordError,
    UnknownMove,
)
from lastspike.rules.game import Game
from lastspike.rules.hidden import Deal
from lastspike.rules.outcome import Outcome
from lastspike.rules.table import Options, Setup, read_options, setup

from .shuffle import SECRET_BYTES, Stream, commitment
from .shuffle import deal as dealt_by

FORMAT = "lastspike/1"
RULES = 1
"""The newest version of the rules that this engine plays."""


class StoppedRound(NamedTuple):
    """An earlier round of the shuffle without a deal: whose browsers were silent, and who left."""

    round: int
    silent: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()


class Shuffle(NamedTuple):
    """The secrets of the verifiable shuffle, which are public once the game is over."""

    seed: bytes
    contributions: tuple[tuple[Seat, bytes], ...] = ()
    stopped: tuple[StoppedRound, ...] = ()

    def stream(self) -> Stream:
        return Stream(self.seed, [secret for _, secret in self.contributions])


class Record(NamedTuple):
    """A record that was read and replayed. `raw` has everything in it, unknown keys included."""

    game: Game
    shuffle: Shuffle | None
    raw: Mapping[str, Any]


def to_record(game: Game, shuffle: Shuffle | None = None, **more: Any) -> dict[str, Any]:
    """The record of a game, finished or not, as JSON takes it. `more` adds keys."""
    codes = game.setup.board.codes
    edition = game.setup.edition
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": RULES,
        "edition": edition.id,
        "options": game.setup.options._asdict(),
        "deal": {
            "first": game.deal.first,
            "hands": [[codes[tile] for tile in hand] for hand in game.deal.hands],
            "pool": [codes[tile] for tile in game.deal.pool],
            "aside": [codes[tile] for tile in game.deal.aside],
        },
        "moves": [move.text for move in game.moves],
        "remixed": [[codes[tile] for tile in order] for order in game.remixed],
    }
    if not is_shipped(edition):
        record["figures"] = edition.to_figures()
    if shuffle is not None:
        record["shuffle"] = {
            "commitment": commitment(shuffle.seed).hex(),
            "seed": shuffle.seed.hex(),
            "contributions": [[seat, secret.hex()] for seat, secret in shuffle.contributions],
        }
        if shuffle.stopped:
            record["shuffle"]["stopped"] = [
                {"round": each.round, "silent": list(each.silent), "left": list(each.left)}
                for each in shuffle.stopped
            ]
    record.update(more)
    outcome = game.outcome
    if outcome is not None:
        record["result"] = result_of(outcome)
    return record


def result_of(outcome: Outcome) -> dict[str, Any]:
    return {
        "cash": list(outcome.cash),
        "winners": list(outcome.winners),
        "ranks": list(outcome.ranks),
        "last_spike": outcome.last_spike,
        "bankrupt": list(outcome.bankrupt),
    }


def read_records(file: TextIO) -> Iterator[Record]:
    """The records of a text file: a single one, or one per line. They are read one at a time."""
    for where, raw in _objects(file):
        try:
            yield read_record(raw)
        except RecordError as error:
            place = " ".join(filter(None, (where, error.where)))
            raise RecordError(place, error.template, **error.facts) from None


def read_record(raw: object) -> Record:
    """Check and replay one record, given as JSON values."""
    if not isinstance(raw, dict):
        raise RecordError("", "expected a record, found {found}", found=repr_short(raw))
    _check_version(raw)
    edition = _edition(raw)
    options = _options(raw)
    dealt = _get(raw, "deal", dict)
    hands = _get(dealt, "hands", list, "deal")
    try:
        table = setup(edition, len(hands), options)
    except LastSpikeError as error:
        raise RecordError("deal.hands", error.template, **error.facts) from None
    game_deal = _deal(dealt, table)
    remixes = _Remixes(raw, table.board)
    game = Game(table, game_deal, remixes.next)
    for place, text in enumerate(_get(raw, "moves", list), 1):
        _play(game, place, text)
    remixes.check_all_used()
    _check_result(raw, game)
    shuffle, stream = _shuffle(raw, game)
    game.set_randomness(stream)
    return Record(game, shuffle, raw)


def _objects(file: TextIO) -> Iterator[tuple[str, object]]:
    """Each JSON value of the file, with its line where there are several."""
    try:
        first, number = "", 0
        while not first.strip():
            first, number = file.readline(), number + 1
            if not first:
                raise RecordError("", "the file is empty")
        try:
            value = _parse(first)
        except RecordError:
            # Not a line of its own: then the whole file must be one value.
            yield "", _parse(first + file.read(), number)
            return
        first_line, where = number, ""
        for line in file:
            number += 1
            if not line.strip():
                continue
            if not where:  # there are several, so each is named by its line
                where = f"line {number}"
                yield f"line {first_line}", value
            else:
                yield where, value
            where, value = f"line {number}", _parse(line, number)
        yield where, value
    except UnicodeDecodeError:
        raise RecordError("", "not a UTF-8 text file") from None


def _parse(text: str, first_line: int = 1) -> object:
    try:
        text = text.removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RecordError(
            f"line {first_line + error.lineno - 1}, column {error.colno}",
            "not JSON, or cut off: {reason}",
            reason=error.msg,
        ) from None
    except RecursionError:
        raise RecordError(f"line {first_line}", "nested too deeply") from None
    except LastSpikeError as error:
        raise RecordError(f"line {first_line}", "not JSON: {reason}", reason=error) from None
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(
            f"line {first_line}", "not JSON: {reason}", reason=str(error)[:80]
        ) from None


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise LastSpikeError("a key appears twice in the same object")
    return found


def _no_constant(name: str) -> None:
    raise LastSpikeError("{name} is not a number", name=name)


def _check_version(raw: Mapping[str, Any]) -> None:
    if raw.get("format") != FORMAT:
        raise RecordError(
            "format",
            "expected {expected}, found {found}",
            expected=FORMAT,
            found=repr_short(raw.get("format")),
        )
    rules = _get(raw, "rules", int)
    if rules > RULES:
        raise RecordError(
            "rules",
            "made with newer rules (version {found}); this program knows versions up to {known}",
            found=repr_short(rules),
            known=RULES,
        )
    if rules < 1:
        raise RecordError("rules", "expected 1 or more, found {found}", found=repr_short(rules))


def _edition(raw: Mapping[str, Any]) -> Edition:
    if "figures" in raw:
        try:
            return figures.read(raw["figures"])
        except EditionError as error:
            where = f"figures.{error.path}".rstrip(".")
            raise RecordError(where, error.template, **error.facts) from None
    try:
        return shipped(_get(raw, "edition", str))
    except EditionError as error:
        raise RecordError("edition", error.template, **error.facts) from None


def _options(raw: Mapping[str, Any]) -> Options:
    given = _get(raw, "options", dict) if "options" in raw else {}
    try:
        return read_options(given)
    except LastSpikeError as error:
        raise RecordError("options", error.template, **error.facts) from None


def _deal(dealt: Mapping[str, Any], table: Setup) -> Deal:
    edition, board, players = table.edition, table.board, table.players
    first = _get(dealt, "first", int, "deal")
    if not 0 <= first < players:
        raise RecordError(
            "deal.first",
            "expected a seat from 0 to {last}, found {found}",
            last=players - 1,
            found=repr_short(first),
        )
    hands = [
        _tiles(board, f"deal.hands.{place}", hand, edition.hand_size)
        for place, hand in enumerate(dealt["hands"], 1)
    ]
    put_aside = edition.set_aside.get(players, 0)
    aside = _tiles(board, "deal.aside", dealt.get("aside", []), put_aside)
    pool = _tiles(board, "deal.pool", _get(dealt, "pool", list, "deal"))
    seen: set[Space] = set()
    for tile in (*(tile for hand in hands for tile in hand), *aside, *pool):
        if tile in seen:
            raise RecordError("deal", "{tile} is dealt twice", tile=board.codes[tile])
        seen.add(tile)
    for tile in board.tiles:
        if tile not in seen:
            raise RecordError("deal", "{tile} is not dealt", tile=board.codes[tile])
    return Deal(first, tuple(tuple(sorted(hand)) for hand in hands), tuple(pool), tuple(aside))


def _tiles(board: Board, where: str, raw: object, count: int | None = None) -> list[Space]:
    if not isinstance(raw, list):
        raise RecordError(where, "expected a list, found {found}", found=repr_short(raw))
    if count is not None and len(raw) != count:
        raise RecordError(
            where, "expected this many tiles: {count}; found {found}", count=count, found=len(raw)
        )
    for place, code in enumerate(raw, 1):
        if not isinstance(code, str) or code not in board.space_of:
            raise RecordError(f"{where}.{place}", "not a tile: {found}", found=repr_short(code))
    return [board.space_of[code] for code in raw]


class _Remixes:
    """The new orders of the pool that the record holds, handed out one a bankruptcy."""

    def __init__(self, raw: Mapping[str, Any], board: Board) -> None:
        orders = _get(raw, "remixed", list) if "remixed" in raw else []
        self._orders = [
            _tiles(board, f"remixed.{place}", order) for place, order in enumerate(orders, 1)
        ]
        self._used = 0

    def next(self, tiles: list[Space]) -> list[Space]:
        self._used += 1
        where = f"remixed.{self._used}"
        if self._used > len(self._orders):
            raise RecordError(where, "missing: a player went bankrupt, so the pool was reshuffled")
        order = self._orders[self._used - 1]
        if sorted(order) != sorted(tiles):
            raise RecordError(
                where, "expected exactly the tiles in the pool and in the bankrupt player’s hand"
            )
        return order

    def check_all_used(self) -> None:
        if self._used < len(self._orders):
            raise RecordError(
                f"remixed.{self._used + 1}",
                "one too many; the number of bankruptcies is {count}",
                count=self._used,
            )


def _play(game: Game, place: int, text: object) -> None:
    where = f"moves.{place}"
    if not isinstance(text, str):
        raise RecordError(where, "expected a move, found {found}", found=repr_short(text))
    if game.over:
        raise RecordError(where, "{move} comes after the end of the game", move=repr_short(text))
    try:
        game.play(game.setup.board.parse(text))
    except UnknownMove as error:
        raise RecordError(where, error.template, **error.facts) from None
    except IllegalMove as error:
        raise RecordError(
            where, "{move} by seat {seat}: {why}", move=text, seat=game.turn, why=error
        ) from None


def _check_result(raw: Mapping[str, Any], game: Game) -> None:
    if "result" not in raw:
        return
    stated = _get(raw, "result", dict)
    outcome = game.outcome
    if outcome is None:
        raise RecordError("result", "the game is not over after its last move")
    for key, value in result_of(outcome).items():
        if key not in stated:
            raise RecordError(f"result.{key}", "missing")
        if _as_json(stated[key]) != _as_json(value):
            raise RecordError(
                f"result.{key}",
                "the record says {stated}, the replay gives {replayed}",
                stated=_as_json(stated[key])[:80],
                replayed=_as_json(value),
            )


def _as_json(value: object) -> str:
    """JSON tells true from 1, as Python does not; what it can't write is equal to nothing."""
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return repr_short(value)


def _shuffle(raw: Mapping[str, Any], game: Game) -> tuple[Shuffle | None, Stream | None]:
    """The shuffle, checked, and its stream as the game has left it."""
    if "shuffle" not in raw:
        return None, None
    stated = _get(raw, "shuffle", dict)
    seed = _secret("shuffle.seed", stated.get("seed"))
    given = [
        _contribution(place, entry, game.setup.players)
        for place, entry in enumerate(_get(stated, "contributions", list, "shuffle"), 1)
    ]
    seats = [seat for seat, _ in given]
    if seats != sorted(set(seats)):
        raise RecordError("shuffle.contributions", "expected one per seat, in seat order")
    if _secret("shuffle.commitment", stated.get("commitment")) != commitment(seed):
        raise RecordError("shuffle.commitment", "this isn’t the seed’s SHA-256 fingerprint")
    stopped = _get(stated, "stopped", list, "shuffle") if "stopped" in stated else []
    shuffle = Shuffle(
        seed,
        tuple(given),
        tuple(
            _stopped(f"shuffle.stopped.{place}", entry, game.setup.players)
            for place, entry in enumerate(stopped, 1)
        ),
    )
    stream = shuffle.stream()
    dealt = dealt_by(game.setup, stream)
    if dealt._replace(drawn=()) != game.deal._replace(drawn=()):
        raise RecordError("shuffle", "the seed and the contributions don’t produce this deal")
    for place, order in enumerate(game.remixed, 1):
        tiles = [tile for tile in game.setup.board.tiles if tile in order]
        if tuple(stream.shuffle(tiles)) != order:
            raise RecordError(
                f"remixed.{place}", "the seed and the contributions don’t produce this order"
            )
    return shuffle, stream


def _contribution(place: int, entry: object, players: int) -> tuple[Seat, bytes]:
    where = f"shuffle.contributions.{place}"
    if not isinstance(entry, list) or len(entry) != 2:
        raise RecordError(
            where, "expected a seat and a secret, found {found}", found=repr_short(entry)
        )
    seat, secret = entry
    return _seat(where, seat, players), _secret(where, secret)


def _stopped(where: str, entry: object, players: int) -> StoppedRound:
    if not isinstance(entry, dict):
        raise _of_another_kind(where, dict, repr_short(entry))
    silent, left = (
        tuple(_seat(f"{where}.{key}", seat, players) for seat in _get(entry, key, list, where))
        for key in ("silent", "left")
    )
    return StoppedRound(_get(entry, "round", int, where), silent, left)


def _seat(where: str, seat: object, players: int) -> Seat:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise RecordError(where, "no such seat: {found}", found=repr_short(seat))
    return seat


def _secret(where: str, raw: object) -> bytes:
    digits = 2 * SECRET_BYTES
    if not isinstance(raw, str) or len(raw) != digits or set(raw) - set("0123456789abcdef"):
        raise RecordError(
            where,
            "expected {digits} hexadecimal digits, found {found}",
            digits=digits,
            found=repr_short(raw),
        )
    return bytes.fromhex(raw)


def _get(raw: Mapping[str, Any], key: str, kind: type, within: str = "") -> Any:
    where = f"{within}.{key}" if within else key
    if key not in raw:
        raise RecordError(where, "missing")
    value = raw[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _of_another_kind(where, kind, repr_short(value))
    return value


def _of_another_kind(where: str, kind: type, found: str) -> RecordError:
    if kind is dict:
        return RecordError(where, "expected keys and values, found {found}", found=found)
    if kind is list:
        return RecordError(where, "expected a list, found {found}", found=found)
    if kind is str:
        return RecordError(where, "expected a string, found {found}", found=found)
    return RecordError(where, "expected a whole number, found {found}", found=found)


def dump_records(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Each record as one line of JSON, as a file of many holds them."""
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records)
