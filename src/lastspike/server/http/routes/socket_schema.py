"""The JSON Schema of a table's socket messages.

`python -m lastspike.server.http.routes.socket_schema` prints it, and
`docs/protocol/socket.json` is a copy.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any, Literal, Union, get_type_hints

import msgspec
from msgspec import Struct

from lastspike import protocol as p
from lastspike.rules.events import KINDS
from lastspike.server.table import log_events as e


class OpenTable(Struct, frozen=True):
    """What lies open. `cash` is by seat, null where the table hides it. `land` has five cards for
    each city, by rank: the seat that has it, null for the bank, `out` for a grant that left the
    game. `turn` is the seat to move, null when the game is over."""

    cash: list[int | None]
    track: list[str]
    land: dict[str, list[int | Literal["out"] | None]]
    phase: Literal["lay", "raise", "buy", "over"]
    turn: int | None


class GameView(OpenTable, frozen=True):
    """The game as one seat sees it, or a spectator (`seat` null). `number` is that of the turn to
    be made, `chosen` the tile for which money is raised, `hands` has null for a hand that may not
    be seen, `tiles` the size of each, `pool` and `aside` their sizes. `legal` is what the seat may
    do first in its turn, empty while it is another's."""

    number: int
    seat: int | None
    chosen: str | None
    bankrupt: list[int]
    last_spike: int | None
    hands: list[list[str] | None]
    tiles: list[int]
    pool: int
    aside: int
    legal: list[str]


def socket_schema() -> dict[str, Any]:
    """Under `$defs`: `FromClient` and `ToClient` are the messages, `LogEvent` is what a step
    holds, `Event` what happened in the game, and the others are what they are made of."""
    roots, defs = msgspec.json.schema_components(
        (p.FromClient, p.ToClient, e.AnyLogEvent, _events(), GameView, OpenTable),
        ref_template="#/$defs/{name}",
    )
    for described in defs.values():
        if "description" in described:
            described["description"] = " ".join(described["description"].split())
    unions = dict(zip(("FromClient", "ToClient", "LogEvent", "Event"), roots, strict=False))
    for name in ("GameStarted", "TurnMade"):
        defs[name]["properties"]["events"] = _list_of("Event")
        defs[name]["required"].append("events")
    del defs["SettingsChanged"]["properties"]["figures"]  # only stored
    del defs["SeatHandedOver"]["properties"]["clock_goes_on"]
    # What the messages hold as plain objects, since the server tells it from the rules' own values.
    defs["Step"]["properties"]["happenings"] = _list_of("LogEvent")
    defs["Previewed"]["properties"]["events"] = _list_of("Event")
    defs["Previewed"]["properties"]["table"] = _ref("OpenTable")
    for name in ("News", "CurrentView"):
        defs[name]["properties"]["view"] = _ref("GameView")
    defs["Welcome"]["properties"]["view"] = {"anyOf": [_ref("GameView"), {"type": "null"}]}
    defs["Refused"]["properties"]["view"] = {
        "anyOf": [_ref("GameView"), {"type": "null"}],
        "default": None,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The Last Spike: messages over a table's socket, protocol {p.PROTOCOL}",
        "anyOf": [_ref("FromClient"), _ref("ToClient")],
        "$defs": {**unions, **defs},
    }


@cache
def socket_schema_text() -> str:
    return json.dumps(socket_schema(), indent=2, ensure_ascii=False) + "\n"


def _events() -> Any:
    """The events of the rules as structs, which is how messages write them: nothing left out."""
    return Union[  # noqa: UP007  # of types that are only known here
        tuple(
            msgspec.defstruct(
                event.__name__,
                list(get_type_hints(event).items()),
                tag_field="event",
                tag=kind,
                namespace={"__doc__": event.__doc__},
            )
            for event, kind in KINDS.items()
        )
    ]


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


if __name__ == "__main__":
    sys.stdout.write(socket_schema_text())
