"""The route of studies: what an edition plays like. Asking begins one, asking again says how far
it is. Nothing of it is stored."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import msgspec
from litestar import Request
from litestar.params import JSONBody

from lastspike import protocol as p
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from lastspike.server.http.routing import post
from lastspike.server.http.services import FromServices

from .editions import read_edition

GAMES = 300
"""Half a second of one core, and means that are sure to a few per cent."""
SEED = "page"


@post("/api/studies", summary="What does an edition play like?", tags=["editions"], status_code=200)
async def study_edition(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.StudyEdition]
) -> p.JobState:
    """Games of good computer players by these figures, and what they come to: see docs/study.md."""
    edition = await asyncio.to_thread(_edition, data)
    setup(edition, data.players)  # refuses a number of players that it is not for
    figures = edition.to_figures()
    wanted = msgspec.json.encode([data.players, figures])
    key = f"study {hashlib.sha256(wanted).hexdigest()}"
    job = services.jobs.get(key)
    if job is None or job.problem is not None:
        services.limit_jobs(request)
        job = services.jobs.ask(
            key,
            {
                "kind": "study",
                "edition": figures,
                "players": [data.players],
                "games": GAMES,
                "seed": SEED,
            },
        )
    return job.told()


def _edition(data: p.StudyEdition) -> Edition:
    return shipped(data.edition) if data.figures is None else read_edition(data.figures)
