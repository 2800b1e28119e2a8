"""One viewer at a table: what they ask for over their connection, and the answers.

A route of the server and the worker of a page without a server both use it, so a message means the
same in both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import without_others_cash
from lastspike.server.jobs.players.questions import Players
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict, NotAllowed, TooMany
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState
from lastspike.server.table.text import clean_chat
from lastspike.server.table.views import encode, game_view, preview_for
from lastspike.words.events import Teller
from lastspike.words.hints import may_be_told, tell_reason
from lastspike.words.language import words_for
from lastspike.words.names import names_of

from .connection import Connection
from .problems import problem_of, unexpected
from .table import Answer, LiveTable

decode = msgspec.json.Decoder(p.FromClient).decode
NOT_UNDERSTOOD = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What `decode` raises for a text that is no message."""


class Visit:
    """`players` answer questions for hints."""

    __slots__ = ("connection", "hints", "players", "table")

    def __init__(self, table: LiveTable, connection: Connection, players: Players) -> None:
        self.table = table
        self.connection = connection
        self.players = players
        self.hints: asyncio.Task[None] | None = None

    async def handle(self, message: p.FromClient) -> None:
        """Do what the viewer asks for, and answer."""
        request = getattr(message, "id", None)
        try:
            await _HANDLERS[type(message)](self, message)
        except LastSpikeError as error:
            self._refuse(request, error)
        except Exception as error:
            self._refuse(request, unexpected(error))

    def not_understood(self, error: Exception) -> None:
        """Refuse a text that is no message."""
        reason = "".join(c if c.isprintable() else " " for c in str(error))[:200]
        self._refuse(
            None, LastSpikeError("this message can’t be understood: {reason}", reason=reason)
        )

    def _push(self, message: p.ToClient) -> None:
        self.connection.push(encode(message))

    def _refuse(self, request: str | None, error: LastSpikeError) -> None:
        problem = problem_of(error, words_for(self.connection.language))
        if isinstance(error, commands.Stale):
            state = self.table.state
            view = game_view(state, self.connection.looking)
            self._push(p.Refused(problem, request, stale=True, turn=state.turn, view=view))
        else:
            self._push(p.Refused(problem, request))

    def _person(self) -> str:
        if self.connection.person is None:
            raise NotAllowed("tell us your name first")
        return self.connection.person

    async def _act(self, request: str, decide: Callable[[TableState, str], Draft | None]) -> None:
        person = self._person()
        answer = Answer(self.connection, request)
        number = await self.table.act(
            lambda state: decide(state, person), f"{person}:{request}", answer
        )
        if not answer.sent:
            self._push(p.Accepted(request, number))

    async def hello(self, _message: p.Hello) -> None:
        raise Conflict("you’ve already said hello")

    async def look(self, message: p.Look) -> None:
        if message.seat is not None and message.seat not in self.connection.seats:
            raise NotAllowed("this is not your seat")
        self.table.show_hand(self.connection, message.seat)

    async def preview(self, message: p.AskPreview) -> None:
        self._push(preview_for(self.table.state, self._seat(), message.id, message.moves))

    async def hint(self, message: p.AskHint) -> None:
        """Start a hint in the background; meanwhile other messages are served."""
        state = self.table.state
        if not state.settings.aids:
            raise NotAllowed("hints are off at this table")
        if state.daily is not None and state.daily.ranked:
            raise NotAllowed("there are no hints in ranked games")
        if self.hints is not None and not self.hints.done():
            raise TooMany("one hint at a time")
        seat = self._seat()
        view = state.playing.view(seat)
        if not view.my_turn:
            raise NotAllowed("you can ask for a hint only on your own turn")
        preview_for(state, seat, message.id, message.moves)  # which says what is illegal
        self.hints = asyncio.get_running_loop().create_task(self._hint(message, view, state.turn))

    async def _hint(self, message: p.AskHint, view: Any, turn: int) -> None:
        try:
            hint = await self.players.hint(
                without_others_cash(view),
                list(message.moves),
                who=self.connection.person or "",
                wanted=lambda: self._is_turn(turn, view.seat),
            )
        except LastSpikeError as error:
            self._refuse(message.id, error)
            return
        state = self.table.state
        if not self._is_turn(turn, view.seat):
            self._refuse(message.id, NotAllowed("you can ask for a hint only on your own turn"))
            return
        reasons = [reason for reason in hint.reasons if may_be_told(reason, view)]
        names = names_of(state.seats)
        teller = Teller(state.setup.edition, names, words_for(self.connection.language))
        self._push(
            p.Hinted(
                id=message.id,
                level=hint.level,
                moves=hint.moves,
                reasons=[_reason(reason) for reason in reasons],
                words=[line for reason in reasons for line in tell_reason(teller, reason)],
            )
        )

    def _is_turn(self, turn: int, seat: int | None) -> bool:
        """Whether it is still this turn, and the hand is not hidden again."""
        return self.table.state.turn == turn and self.connection.looking == seat

    def _seat(self) -> int:
        """The seat whose hand this viewer sees."""
        if self.table.state.game is None:
            raise Conflict("no game is being played here")
        if self.connection.looking is None:
            raise NotAllowed("look at your hand first")
        return self.connection.looking

    async def turn(self, message: p.CommitTurn) -> None:
        def decide(state: TableState, person: str) -> Draft:
            draft = commands.make_turn(state, person, message.turn, message.moves)
            if self.connection.looking != state.to_move():
                raise NotAllowed("look at your hand first")
            return draft

        await self._act(message.id, decide)

    async def say(self, message: p.Say) -> None:
        text = clean_chat(message.text)
        self._may_say()
        name = self.connection.name
        await self._act(message.id, lambda state, who: commands.say(state, who, name, text))

    def _may_say(self) -> None:
        """Raise if this viewer writes too much; `NotAllowed` without a name."""
        self._person()

    async def ready(self, message: p.Ready) -> None:
        await self._act(
            message.id,
            lambda state, who: commands.ready(state, who, message.round, message.commitment),
        )

    async def not_ready(self, message: p.NotReady) -> None:
        await self._act(message.id, commands.not_ready)

    async def reveal(self, message: p.Reveal) -> None:
        secret = bytes.fromhex(message.secret)
        await self._act(
            message.id, lambda state, who: commands.reveal(state, who, message.round, secret)
        )

    async def come_back(self, message: p.Return) -> None:
        await self._act(message.id, commands.come_back)

    async def ping(self, message: p.Ping) -> None:
        await self._seen()
        self._push(p.Pong(message.id, now_ms()))

    async def _seen(self) -> None:
        """The viewer is still there."""


_HANDLERS: dict[type, Callable[[Visit, Any], Awaitable[None]]] = {
    p.Hello: Visit.hello,
    p.Look: Visit.look,
    p.AskPreview: Visit.preview,
    p.AskHint: Visit.hint,
    p.CommitTurn: Visit.turn,
    p.Say: Visit.say,
    p.Ready: Visit.ready,
    p.NotReady: Visit.not_ready,
    p.Reveal: Visit.reveal,
    p.Return: Visit.come_back,
    p.Ping: Visit.ping,
}


def _reason(reason: Any) -> dict[str, Any]:
    """A reason as JSON, its kind first."""
    return {"reason": type(reason).__name__, **reason._asdict()}
