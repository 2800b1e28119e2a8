"""The routes of editions: which there are, and whether one of somebody's own is a good one."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.params import JSONBody

from lastspike import protocol as p
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import parse_toml, shipped, shipped_ids
from lastspike.rules.editions.toml import to_toml
from lastspike.rules.errors import EditionError, LastSpikeError
from lastspike.server.http.language import language_for
from lastspike.server.http.problems import problem_of
from lastspike.server.http.routing import get, post
from lastspike.server.table.commands import MOST_FIGURES_BYTES
from lastspike.server.table.errors import TooLarge
from lastspike.words.language import words_for

from .pages import ASK_AGAIN

MOST_TOML = 2 * MOST_FIGURES_BYTES
"""Letters of a file: its comments count as well."""


@get("/api/editions", summary="The editions that come with the game", tags=["editions"])
async def editions() -> Response[p.Editions]:
    found = map(shipped, shipped_ids())
    listed = [p.EditionListed(each.id, each.name, list(each.player_counts)) for each in found]
    return Response(p.Editions(listed), headers={"cache-control": ASK_AGAIN})


@post(
    "/api/editions/check",
    summary="Is this a good edition?",
    tags=["editions"],
    status_code=200,
)
async def check_edition(
    request: Request[Any, Any, Any], data: JSONBody[p.CheckEdition]
) -> p.EditionChecked:
    """Its figures and its file, or which figure is bad and what was expected. Nothing is stored."""
    try:
        edition = await asyncio.to_thread(read_edition, data.figures, data.toml)
    except EditionError as error:
        return p.EditionChecked(problem=_told(error, request.headers.get("accept-language")))
    return p.EditionChecked(edition.to_figures(), to_toml(edition))


def read_edition(raw: dict[str, Any] | None, toml: str | None = None) -> Edition:
    """The edition of these figures, or of this text of a file; no larger than a table takes."""
    if (raw is None) == (toml is None):
        raise LastSpikeError("send either figures or the text of a TOML file")
    if toml is not None:
        if len(toml) > MOST_TOML:
            raise TooLarge("this is too large")
        raw = parse_toml(toml.removeprefix("\ufeff"))
    edition = figures.read(raw)
    if len(msgspec.json.encode(edition.to_figures())) > MOST_FIGURES_BYTES:
        raise TooLarge("this is too large")
    return edition


def _told(error: EditionError, accepted: str | None) -> p.BadFigure:
    """The reason alone, since whoever shows the figure shows it there."""
    words = words_for(language_for(accepted))
    told = problem_of(LastSpikeError(error.template, **error.facts), words)
    return p.BadFigure(error.path, told.message, told.template, told.facts)
