"""Reading strangers' records and editions, each within its limits."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from lastspike.protocol import EditionChecked
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import parse_toml
from lastspike.rules.editions.toml import to_toml
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Record, read_record, to_record
from lastspike.rules.table import setup
from lastspike.server.table.errors import Conflict, TooLarge
from lastspike.server.table.limits import MOST_FIGURES_BYTES
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import log_of, names_in_record, play_on
from lastspike.server.table.state import replay
from lastspike.server.table.views import Viewer, steps_for, welcome, you_info

MOST_TOML = 2 * MOST_FIGURES_BYTES
"""Letters of a file: its comments count as well."""


class ToReview(NamedTuple):
    """A finished game as its review needs it. The same game with the same names has the same
    digest, whatever else its record holds."""

    digest: str
    record: dict[str, Any]
    names: list[str]


def checked(raw: dict[str, Any] | None, toml: str | None) -> bytes:
    """A valid edition as the JSON of `EditionChecked`."""
    edition = read_edition(raw, toml)
    return msgspec.json.encode(EditionChecked(edition.to_figures(), to_toml(edition)))


def studied(raw: dict[str, Any], players: int) -> dict[str, Any]:
    """The figures of a valid edition for so many players."""
    edition = read_edition(raw)
    setup(edition, players)
    return edition.to_figures()


def looked_at(raw: dict[str, Any], version: str) -> bytes:
    """A finished game as the JSON of the `welcome` to a spectator."""
    record = _record(raw)
    if not record.game.over:
        raise Conflict("this game isn’t over yet; only finished games can be viewed")
    steps = log_of(record, now_ms())
    state = replay("", steps)
    viewer = Viewer()
    told = steps_for(state, steps, viewer)
    return msgspec.json.encode(welcome(state, told, viewer, you_info(state, None), version))


def played_on(
    raw: dict[str, Any], turns: int, seat: int, name: str, level: str, seed: bytes
) -> Draft:
    """See `play_on`; the person is still to be filled in."""
    return play_on(_record(raw), turns, seat, "", name, level, seed)


def to_review(raw: dict[str, Any]) -> ToReview:
    record = _record(raw)
    if not record.game.over:
        raise Conflict("only a game that is over can be reviewed")
    names = names_in_record(record)
    game = to_record(record.game)
    content = json.dumps([game, names], sort_keys=True).encode()
    return ToReview(hashlib.sha256(content).hexdigest(), game, names)


def read_edition(raw: dict[str, Any] | None, toml: str | None = None) -> Edition:
    """The edition with these figures or this TOML text, if it is no larger than a table takes."""
    if (raw is None) == (toml is None):
        raise LastSpikeError("send either figures or the text of a TOML file")
    if toml is not None:
        if len(toml) > MOST_TOML:
            raise TooLarge("this is too large")
        raw = parse_toml(toml.removeprefix("\ufeff"))
    _check_size(raw)
    edition = figures.read(raw)
    _check_size(edition.to_figures())
    return edition


def _record(raw: dict[str, Any]) -> Record:
    _check_size(raw.get("figures"))
    return read_record(raw)


def _check_size(raw: object) -> None:
    """Figures are measured before they are read, and once more with all that was left out."""
    with suppress(TypeError, ValueError):  # not JSON, such as a date in TOML: it is refused later
        if len(msgspec.json.encode(raw)) > MOST_FIGURES_BYTES:
            raise TooLarge("this is too large")
