"""Names: of players, of levels of computer players, of terrain and of endings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lastspike.bots.levels import shown_name
from lastspike.rules.outcome import Reason

if TYPE_CHECKING:  # which needs Babel, and names don't
    from .language import Words

COMPUTER_NAMES = (
    ("Otto", "Hugo", "Amos"),
    ("Mabel", "Edna", "Nell"),
    ("Jules", "Silas", "Émile"),
    ("Flora", "Ada", "Inês"),
    ("Theo", "Rufus", "Kenji"),
    ("Rosa", "Hazel", "Hana"),
)
"""By seat: the first name that no person at the table has. Same as in `web/js/game/players.js`."""


class Named(Protocol):
    """A seat; `name` is None if a computer plays it."""

    @property
    def name(self) -> str | None: ...


def names_of(seats: Sequence[Named]) -> list[str]:
    """The name of each seat; no computer gets a person's name."""
    taken = {(seat.name or "").casefold() for seat in seats}
    return [
        seat.name or next((each for each in names if each.casefold() not in taken), "")
        for seat, names in zip(seats, COMPUTER_NAMES, strict=False)
    ]


class Level(NamedTuple):
    """A level of computer players in one language: its name, how hard it is, how it plays."""

    name: str
    ease: str
    style: str


def level_names(words: Words) -> dict[str, Level]:
    """By level, the easiest first. Same as in `web/js/game/levels.js`."""
    say = words.say
    return {
        "greenhorn": Level(say("Greenhorn"), say("very easy"), say("plays random moves")),
        "clerk": Level(say("Clerk"), say("easy"), say("takes whatever pays most right now")),
        "surveyor": Level(
            say("Surveyor"), say("hard"), say("estimates which routes will be finished")
        ),
        "speculator": Level(
            say("Speculator"), say("very hard"), say("plays the game out in its head")
        ),
        "tycoon": Level(say("Tycoon"), say("hardest"), say("has learned from millions of games")),
    }


def player_name(name: str, words: Words) -> str:
    """The name of a computer player to show: a level's own name, with what was typed after it; a
    player of a package capitalized; a program as typed."""
    found = re.match(r"[a-z]+", name)
    known = level_names(words)
    if found and found[0] in known and not name[found.end() :][:1].isalnum():
        return known[found[0]].name + name[found.end() :]
    return shown_name(name)


def terrain_name(terrain: str, words: Words) -> str:
    match terrain:
        case "hills":
            return words.say("hills")
        case "mountain":
            return words.say("mountain")
        case "bridge":
            return words.say("bridge")
        case "tunnel":
            return words.say("tunnel")
        case _:
            return words.say("plains")


def ending_name(reason: Reason, words: Words) -> str:
    """How a game ended."""
    match reason:
        case "last spike":
            return words.say("last spike")
        case "last player":
            return words.say("one player left")
        case "no tiles left":
            return words.say("no tiles left")
