"""The errors of the client."""

from __future__ import annotations

from typing import Any

from lastspike.protocol import Problem


class ClientError(Exception):
    """Base class of all errors of this package except `TimeoutError`."""


class RefusedError(ClientError):
    """The server refused the request, which changed nothing. `problem` says why.

    `status` is the HTTP status, None for a socket. A `stale` turn was made for another turn than
    the current one; `turn` and `view` are the current ones.
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
    """The server can't be reached, or closed the connection for good, with this WebSocket `code`
    and perhaps a `problem`."""

    def __init__(self, reason: str, code: int | None = None, problem: Problem | None = None):
        super().__init__(reason if problem is None else problem.message)
        self.code = code
        self.problem = problem
