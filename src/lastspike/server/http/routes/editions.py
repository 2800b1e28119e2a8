"""The routes of editions: which there are, whether one is valid, and what it plays like."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.rules.errors import EditionError, LastSpikeError
from lastspike.rules.table import setup
from lastspike.server.http.language import language_for
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.page.files import ASK_AGAIN
from lastspike.server.http.routing import get, post
from lastspike.server.http.services import FromServices
from lastspike.server.live.problems import problem_of
from lastspike.server.table.errors import NotFound
from lastspike.words.language import words_for

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
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.CheckEdition]
) -> Response[p.EditionChecked]:
    """Its figures and its file, or the first bad figure and what was expected; not stored."""
    caller = caller_key(request.scope)
    try:
        found = await services.reader.ask(caller, "checked", data.figures, data.toml)
    except EditionError as error:
        problem = _bad_figure(error, request.headers.get("accept-language"))
        return Response(p.EditionChecked(problem=problem))
    return Response(found, media_type=MediaType.JSON)


@post("/api/studies", summary="What does an edition play like?", tags=["editions"], status_code=200)
async def study_edition(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.StudyEdition]
) -> p.JobState:
    """Computer players play the edition, and the figures follow: see docs/study.md."""
    await services.admit(request, "studies")
    caller = caller_key(request.scope)
    if data.figures is None:
        edition = shipped(data.edition)
        setup(edition, data.players)  # refuses a number of players that it is not for
        figures = edition.to_figures()
    else:
        figures = await services.reader.ask(caller, "studied", data.figures, data.players)
    wanted = msgspec.json.encode([data.players, figures])
    key = f"study-{hashlib.sha256(wanted).hexdigest()}"
    job = services.jobs.get(key)
    if job is None or job.problem is not None:
        await services.admit_job(request, "study")
        job = services.jobs.ask(
            key,
            {
                "kind": "study",
                "edition": figures,
                "players": [data.players],
                "games": STUDY_GAMES,
                "seed": STUDY_SEED,
            },
            caller=caller,
        )
    return job.state(key)


def _bad_figure(error: EditionError, accepted: str | None) -> p.BadFigure:
    """The reason without its place: the page shows it beside the figure."""
    words = words_for(language_for(accepted))
    problem = problem_of(LastSpikeError(error.template, **error.facts), words)
    return p.BadFigure(error.path, problem.message, problem.template, problem.facts)
