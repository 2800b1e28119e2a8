"""An app that stands in for the server's own, to test how it is run and what stands before it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, WebSocket, delete, get, post, websocket
from litestar.params import FromPath, JSONBody

from lastspike.protocol import NewPerson
from lastspike.rules.errors import IllegalMove, LastSpikeError
from lastspike.server.config.settings import CONFIG_JSON, Config
from lastspike.server.http.guard import guard
from lastspike.server.http.limits.rate_limits import RateLimits
from lastspike.server.http.problems import EXCEPTION_HANDLERS
from lastspike.server.monitoring import logs, metrics
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound, TooLarge, TooMany

REFUSALS: dict[str, Exception] = {
    "ours": LastSpikeError("a fact: {fact}", fact="blue"),
    "move": IllegalMove("L5", "not now"),
    "not_allowed": NotAllowed("no"),
    "not_found": NotFound("none"),
    "conflict": Conflict("late"),
    "too_large": TooLarge("big"),
    "too_many": TooMany("wait", seconds=2.5),
    "down": StorageDown("later"),
    "malformed": msgspec.ValidationError("Expected `int`, got `str` - at `$.seat`"),
    "odd": LastSpikeError(
        "{inner} {listed} {mapped}",
        inner=LastSpikeError("inside"),
        listed=(1, {2}),
        mapped={3: None},
    ),
    "foreign": RuntimeError("the password is hunter2"),
}


@get("/api/who")
async def who() -> dict[str, Any]:
    return {"pid": os.getpid()}


@get("/page", media_type="text/html")
async def page() -> str:
    return "<p>hello"


@get("/count")
async def count() -> str:
    metrics.SOCKETS.set(2)
    metrics.STEPS.inc(3)
    return metrics.render().decode()


@get("/api/refused/{kind:str}")
async def refused(kind: FromPath[str]) -> None:
    raise REFUSALS[kind]


@post("/api/persons")
async def persons(data: JSONBody[NewPerson]) -> dict[str, str]:
    return {"name": data.name}


@delete("/api/persons")
async def forget() -> None:
    return None


@websocket("/api/socket")
async def echo(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    async for text in socket.iter_data(mode="text"):
        await socket.send_text(text)


BODY_BYTES = 2048
CLOSED = "TINY_APP_CLOSED"
"""Where the environment names a file: while it is there, no worker can start."""


def open_doors(_app: Litestar) -> None:
    if Path(os.environ.get(CLOSED, os.devnull)).is_file():
        raise StorageDown("later")


def make_app(config: Config) -> Litestar:
    app = Litestar(
        [who, page, count, refused, persons, forget, echo],
        on_startup=[open_doors],
        exception_handlers=EXCEPTION_HANDLERS,
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        openapi_config=None,
    )
    return guard(app, config, RateLimits(config))


def app_from_environment() -> Litestar:
    config = Config.from_env_json(os.environ[CONFIG_JSON])
    logs.set_up(config)
    return make_app(config)
