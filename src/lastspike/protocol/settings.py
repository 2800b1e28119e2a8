"""The types of fields, and the settings of a table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from lastspike.languages import Language as Language

PROTOCOL = 1
DEFAULT_EDITION = "columbia-2015"

# ---- types of fields ------------------------------------------------------------------------

_END = r"$(?![\s\S])"
"""The end, in Python and in JavaScript alike. In Python `$` alone also fits before a line's end."""

SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Moves = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=12)]], Meta(min_length=0, max_length=60)
]
RequestId = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{1,40}" + _END,
        description="Chosen by the client, new for each request",
    ),
]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}" + _END, description="32 bytes in hexadecimal")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}" + _END)]
PersonId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,22}" + _END)]
EditionId = Annotated[str, Meta(min_length=1, max_length=80)]

Status = Literal["waiting", "playing", "over", "closed"]


# ---- settings of a table --------------------------------------------------------------------


class NoClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="none"):
    """No time limit."""


class LiveClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="live"):
    """A time bank for the game, and seconds added to it with each turn."""

    bank: Annotated[int, Meta(ge=10, le=86_400)] = 900
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 20


class DaysClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="days"):
    """A number of days for each turn."""

    days: Annotated[int, Meta(ge=1, le=60)] = 2


class HoursClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="hours"):
    """A number of hours at the start, and hours added with each turn, up to `most`."""

    hours: Annotated[int, Meta(ge=1, le=1_000)] = 72
    increment: Annotated[int, Meta(ge=0, le=240)] = 12
    most: Annotated[int, Meta(ge=1, le=1_000)] = 120


Clock = NoClock | LiveClock | DaysClock | HoursClock
SlowClock = DaysClock | HoursClock
"""The clocks of games that go on for days, which stand still while people are on holiday."""


class GameOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of the rules; see `docs/rules.md`."""

    double_cost: Literal["forced", "open"] = "forced"
    cash: Literal["open", "hidden"] = "open"
    hands: Literal["hidden", "open"] = "hidden"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a table. `figures` is a custom edition, which replaces `edition`. `pace` is
    the minimum time of a computer's turn in milliseconds, `stand_in` the level that plays for a
    person who left."""

    edition: EditionId = DEFAULT_EDITION
    figures: dict[str, Any] | None = None
    options: GameOptions = GameOptions()
    aids: bool = True
    clock: Clock = NoClock()
    public: bool = False
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 1200
    stand_in: Level = "surveyor"
