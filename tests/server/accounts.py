"""What was so at a table, and what of it a viewer may know, as a game goes on."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from lastspike.rules.editions.shipped import shipped
from lastspike.rules.position import Position
from lastspike.rules.records.record import Shuffle
from lastspike.server.storage.rows import Row, to_step
from lastspike.server.table.state import TableState

TILES = frozenset(shipped("columbia-2015").tiles)
TILE = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(TILES))})(?![\w-])")
"""A tile's code as a word of its own; in ids, which are random, letters and digits meet anyhow."""


class Leak(AssertionError):
    """Somebody was told what they may not know, or what nobody has accounted for."""

    def __init__(self, why: str, value: object = None) -> None:
        super().__init__(why)
        self.why, self.value, self.path = why, value, ""

    def __str__(self) -> str:
        return f"{self.path}: {self.why}: {self.value!r}"


class Truth:
    """What was so at a table, turn by turn, as its log says; `positions` are before each turn."""

    def __init__(self, table_id: str, rows: Sequence[Row]) -> None:
        self.positions: dict[int, Position] = {}
        self.secrets: set[bytes] = set()
        state = TableState(table_id)
        for row in rows:
            step = to_step(row)
            state.apply(step)
            if state.game is not None:
                self.positions[state.turn] = state.game.position
            if step.secrets is not None:
                hidden = (step.secrets.seed, step.secrets.contribution)
                self.secrets |= {bytes.fromhex(secret) for secret in hidden if secret}
        self.state = state
        self.over = state.status == "over"
        self.codes = state.setup.board.codes
        self.options = state.setup.options
        shuffle = state.shuffle
        if shuffle is not None:
            self.secrets.add(_key(shuffle))

    def hand(self, turn: int, seat: int) -> list[str]:
        return [self.codes[tile] for tile in self.positions[turn].hidden.hands[seat]]

    def track(self, turn: int) -> set[str]:
        table = self.positions[turn].table
        return {self.codes[space] for space in table.board.spaces_in(table.track)}


def _key(shuffle: Shuffle) -> bytes:
    """What the stream of the game runs on: who has it has everything."""
    key: bytes = shuffle.stream().__getstate__()[0]
    return key


class Account:
    """What one viewer may know through one connection, as far as it has come.

    A person with one seat sees its hand; one with several sees the hand that was asked for with
    `look`, from the view that answers it until its turn ends.
    """

    def __init__(self, truth: Truth, person: str | None) -> None:
        self.truth = truth
        self.seats = truth.state.seats_of(person)
        self.looked: int | None = None
        self.looks: list[int | None] = []
        """The hands asked for that no view has answered yet."""
        self.turn = 0
        self.sent: set[str] = set()
        """The tiles that this viewer has named."""
        self._track: tuple[int, set[str]] = (-1, set())

    def asked(self, body: bytes) -> None:
        """The viewer sends something."""
        self.sent |= set(TILE.findall(body.decode("utf-8", "replace")))
        try:
            message = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        if isinstance(message, dict) and message.get("type") == "look":
            seat = message.get("seat")
            if seat is None or seat in self.seats:
                self.looks.append(seat)

    def told(self, body: bytes) -> dict[str, Any]:
        """The viewer gets a message of the socket, which is returned. What it shows is to be held
        against this account."""
        message: dict[str, Any] = msgspec.json.decode(body)
        if msgspec.json.encode(message) != body:
            raise Leak("there is more in it than it says", body)
        view = message.get("view")
        for step in message.get("steps", ()):
            for happening in step["happenings"]:
                if happening["kind"] == "turn_made" and happening["seat"] == self.looked:
                    self.looked = None
        if message["type"] == "view" and message["looking"] in self.looks:
            self.looked = message["looking"]
            del self.looks[: self.looks.index(self.looked) + 1]
        if view is not None:
            self.turn = view["number"]
        return message

    @property
    def over(self) -> bool:
        return self.turn in self.truth.positions and self.position.table.phase == "over"

    @property
    def position(self) -> Position:
        return self.truth.positions[self.turn]

    def sees(self, seat: int) -> bool:
        """Whether the hand of this seat, and its cash, are this viewer's own to see now."""
        return seat in self.seats and (len(self.seats) == 1 or seat == self.looked)

    def knows_hand(self, seat: int) -> bool:
        return self.sees(seat) or self.over or self.truth.options.hands == "open"

    def knows_cash(self, seat: int) -> bool:
        out = not self.position.table.in_game(seat)
        return self.sees(seat) or self.over or out or self.truth.options.cash == "open"

    def own(self) -> set[str]:
        """The tiles of the hands that this viewer may see now."""
        if not self.turn:
            return set()
        seats = range(len(self.truth.state.seats))
        known = (self.truth.hand(self.turn, seat) for seat in seats if self.knows_hand(seat))
        return {tile for hand in known for tile in hand}

    def track(self) -> set[str]:
        if self._track[0] != self.turn:
            self._track = self.turn, self.truth.track(self.turn) if self.turn else set()
        return self._track[1]


def no_secret_in(told: bytes, truth: Truth, where: str) -> None:
    """No seed, no contribution and no key of the stream, whole or half, in any form."""
    for secret in truth.secrets:
        half = secret[:16]
        forms = [half, half.hex().encode(), half.hex().upper().encode()]
        forms += [b",".join(b"%d" % byte for byte in half)]
        forms += [b", ".join(b"%d" % byte for byte in half)]
        forms += [str(int.from_bytes(secret, order)).encode() for order in ("big", "little")]
        for shift in range(3):  # wherever it begins within something longer, in base 64
            inner = base64.b64encode(bytes(shift) + half)[4 if shift else 0 : 20]
            forms += [inner, inner.replace(b"+", b"-").replace(b"/", b"_")]
        for form in forms:
            if form in told:
                raise Leak(f"a secret in {where}", form)
