"""What can go wrong between a client and the server."""

from __future__ import annotations

from typing import Any

from lastspike.protocol import Problem


class ClientError(Exception):
    """Base of everything that this package raises, but for `TimeoutError`."""


class RefusedError(ClientError):
    """The server has understood, and refuses; nothing has changed. `problem` says why.

    `status` is that of HTTP, None from a socket. A `stale` turn was made for another turn than the
    present one, whose number is `turn`; `view` is then the game as it is.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        status: int | None = None,
        stale: bool = False,
        turn: int | None = None,
        view: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.status = status
        self.stale = stale
        self.turn = turn
        self.view = view


class LostError(ClientError):
    """The server can't be reached, or has ended a visit for good: with this `code` of a WebSocket,
    and with a `problem` if it said one."""

    def __init__(self, reason: str, code: int | None = None, problem: Problem | None = None):
        super().__init__(reason if problem is None else problem.message)
        self.code = code
        self.problem = problem
