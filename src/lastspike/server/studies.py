"""The route of studies: what an edition plays like. Asking begins one, asking again says how far
it is. Nothing of it is stored."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Annotated, Any

import msgspec
from litestar import Request
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lastspike.rules.edition import Edition
from lastspike.rules.shipped import DEFAULT_EDITION, shipped
from lastspike.rules.table import setup

from .editions import read_edition
from .routing import post
from .services import FromServices

GAMES = 300
"""Two seconds of one core, and means that are sure to a few per cent."""
SEED = "page"


class StudyEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """Of `figures`, where they are given, otherwise of an edition that comes with the game."""

    players: Annotated[int, Meta(ge=2, le=6)]
    edition: Annotated[str, Meta(min_length=1, max_length=80)] = DEFAULT_EDITION
    figures: dict[str, Any] | None = None


class StudyState(Struct, frozen=True):
    """How far a study is, from 0 to 1, and what it found once it is done. Ask again until it is."""

    progress: float
    study: dict[str, Any] | None = None


@post("/api/studies", summary="What does an edition play like?", tags=["editions"], status_code=200)
async def study_edition(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[StudyEdition]
) -> StudyState:
    """Games of good computer players by these figures, and what they come to: see docs/study.md."""
    edition = await asyncio.to_thread(_edition, data)
    setup(edition, data.players)  # refuses a number of players that it is not for
    figures = edition.to_figures()
    wanted = msgspec.json.encode([data.players, figures])
    key = f"study {hashlib.sha256(wanted).hexdigest()}"
    errand = services.errands.get(key)
    if errand is None or errand.problem is not None:
        services.may_ask_for_errand(request)
        errand = services.errands.ask(
            key,
            {
                "kind": "study",
                "edition": figures,
                "players": [data.players],
                "games": GAMES,
                "seed": SEED,
            },
        )
    if errand.problem is not None:
        raise errand.problem
    return StudyState(1.0 if errand.done else errand.progress, errand.found)


def _edition(data: StudyEdition) -> Edition:
    return shipped(data.edition) if data.figures is None else read_edition(data.figures)
