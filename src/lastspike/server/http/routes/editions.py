"""The routes of editions: which there are, whether one is valid, and what it plays like."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import parse_toml, shipped, shipped_ids
from lastspike.rules.editions.toml import to_toml
from lastspike.rules.errors import EditionError, LastSpikeError
from lastspike.rules.table import setup
from lastspike.server.http.language import language_for
from lastspike.server.http.page.files import ASK_AGAIN
from lastspike.server.http.problems import problem_of
from lastspike.server.http.routing import get, post
from lastspike.server.http.services import FromServices
from lastspike.server.table.errors import NotFound, TooLarge
from lastspike.server.table.limits import MOST_FIGURES_BYTES
from lastspike.words.language import words_for

MOST_TOML = 2 * MOST_FIGURES_BYTES
"""Letters of a file: its comments count as well."""

STUDY_GAMES = 300
"""Half a second of one core, for means that are sure to a few per cent."""
STUDY_SEED = "page"


@get("/api/editions", summary="The editions that come with the game", tags=["editions"])
async def editions() -> Response[p.Editions]:
    found = map(shipped, shipped_ids())
    listed = [p.EditionListed(each.id, each.name, list(each.player_counts)) for each in found]
    return Response(p.Editions(listed), headers={"cache-control": ASK_AGAIN})


@get("/api/editions/{edition_id:str}", summary="The figures of an edition", tags=["editions"])
async def edition(edition_id: FromPath[str]) -> Response[dict[str, Any]]:
    if edition_id not in shipped_ids():
        raise NotFound("there is no such edition")
    return Response(shipped(edition_id).to_figures(), headers={"cache-control": ASK_AGAIN})


@post(
    "/api/editions/check",
    summary="Is this a good edition?",
    tags=["editions"],
    status_code=200,
)
async def check_edition(
    request: Request[Any, Any, Any], data: JSONBody[p.CheckEdition]
) -> p.EditionChecked:
    """Its figures and its file, or the first bad figure and what was expected; not stored."""
    try:
        edition = await asyncio.to_thread(read_edition, data.figures, data.toml)
    except EditionError as error:
        return p.EditionChecked(problem=_bad_figure(error, request.headers.get("accept-language")))
    return p.EditionChecked(edition.to_figures(), to_toml(edition))


@post("/api/studies", summary="What does an edition play like?", tags=["editions"], status_code=200)
async def study_edition(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.StudyEdition]
) -> p.JobState:
    """Computer players play the edition, and the figures follow: see docs/study.md."""
    edition = await asyncio.to_thread(_studied, data)
    setup(edition, data.players)  # refuses a number of players that it is not for
    figures = edition.to_figures()
    wanted = msgspec.json.encode([data.players, figures])
    key = f"study-{hashlib.sha256(wanted).hexdigest()}"
    job = services.jobs.get(key)
    if job is None or job.problem is not None:
        services.limit_jobs(request)
        job = services.jobs.ask(
            key,
            {
                "kind": "study",
                "edition": figures,
                "players": [data.players],
                "games": STUDY_GAMES,
                "seed": STUDY_SEED,
            },
        )
    return job.state(key)


def read_edition(raw: dict[str, Any] | None, toml: str | None = None) -> Edition:
    """The edition with these figures or this TOML text, if it is no larger than a table takes."""
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


def _bad_figure(error: EditionError, accepted: str | None) -> p.BadFigure:
    """The reason without its place: the page shows it beside the figure."""
    words = words_for(language_for(accepted))
    problem = problem_of(LastSpikeError(error.template, **error.facts), words)
    return p.BadFigure(error.path, problem.message, problem.template, problem.facts)


def _studied(data: p.StudyEdition) -> Edition:
    return shipped(data.edition) if data.figures is None else read_edition(data.figures)
