"""A table on paper: decisions made and applied one after the other, without server or database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from lastspike.bots.levels import make_player
from lastspike.protocol import Settings
from lastspike.rules.records.shuffle import commitment
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.list_entry import index_of
from lastspike.server.table.log_events import Draft, Index
from lastspike.server.table.state import TableState

HOST = "p0"
LEVELS = ("greenhorn", "clerk", "surveyor", "speculator", "tycoon")


def secret_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


class Paper:
    """A table whose log is a list, with a clock that stands still unless it is moved."""

    def __init__(
        self,
        seats: Sequence[str | None] = ("me", None),
        settings: Settings | None = None,
        seed: str = "paper",
        *,
        table: str = "t" * 22,
        now: int = 1_000_000,
    ) -> None:
        self.state = TableState(table)
        self.log: list[e.Step] = []
        self.indexes: list[Index | None] = []
        """What each step changes in the index of tables."""
        self.now = now
        self.seed = seed
        self._append(self._created(seats, settings))

    def _created(self, seats: Sequence[str | None], settings: Settings | None) -> Draft:
        mine = {seat: f"Host {seat}" for seat, who in enumerate(seats) if who == "me"}
        levels = [None if who == "me" else who for who in seats]
        return commands.create(HOST, levels, mine, settings or Settings(), secret_of(self.seed))

    def do(self, decide: Callable[..., Draft | None], *given: Any) -> int:
        """Decide and apply; the step's number, 0 where nothing had to change."""
        draft = decide(self.state, *given)
        if draft is None:
            return 0
        self._append(draft)
        return self.state.number

    def _append(self, draft: Draft) -> None:
        step = e.Step(self.state.number + 1, self.now, draft.events, draft.secrets, draft.turn)
        stored = e.from_stored(step.number, step.at, *e.to_stored(step), step.turn)
        assert stored == step
        self.log.append(step)
        self.indexes.append(index_of(draft, self.state if self.state.number else None))
        self.state.apply(step)

    def sit(self, *people: str) -> None:
        for person in people:
            self.do(commands.take_seat, person, person.upper(), None)

    def start(self) -> None:
        """Everybody is ready and reveals."""
        people = list(self.state.people())
        for person in people:
            mine = commitment(secret_of(f"{self.seed}/{person}")).hex()
            self.do(commands.ready, person, self.state.round, mine)
        for person in people:
            self.do(commands.reveal, person, self.state.round, secret_of(f"{self.seed}/{person}"))

    def play(self, turns: int = 1000, level: str = "clerk") -> None:
        """So many turns, thought out by a computer player, whoever's they are."""
        for _ in range(turns):
            seat = self.state.to_move()
            if seat is None:
                return
            moves = make_player(level, "paper").turn(self.state.playing.view(seat))
            self.turn([move.text for move in moves])

    def turn(self, moves: list[str]) -> None:
        """Whoever's turn it is makes it."""
        seat = self.state.to_move()
        assert seat is not None
        person = self.state.seats[seat].person
        if self.state.seats[seat].computer is not None:
            assert self.do(commands.computer_turn, self.state.turn, moves)
        else:
            assert person is not None
            self.do(commands.make_turn, person, self.state.turn, moves)

    def replayed(self) -> TableState:
        """The state that follows from the log alone."""
        state = TableState(self.state.id)
        for step in self.log:
            state.apply(step)
        return state
