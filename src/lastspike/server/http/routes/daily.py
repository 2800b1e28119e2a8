"""The routes of the Daily Deal: today, a try, my calendar, the lists, results and proofs."""

from __future__ import annotations

import math
import secrets
from datetime import date
from typing import Any

from litestar import Controller, Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.daily.deal import EDITION, LEVELS
from lastspike.rules.errors import LastSpikeError
from lastspike.server.daily.chains import ends_ms
from lastspike.server.daily.tries import dealt, new_try
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.new_table import (
    CreateToken,
    check_token,
    store_table,
    table_made,
    table_maker,
)
from lastspike.server.http.routing import get, post, put
from lastspike.server.http.services import FromServices, Services
from lastspike.server.jobs.job_queue import EXPECTED_S
from lastspike.server.storage.queries.daily import TryRow
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany
from lastspike.server.table.randomness import new_table_id
from lastspike.server.table.text import clean_name

AnyRequest = Request[Any, Any, Any]


class Daily(Controller):
    path = "/api/daily"
    tags = ("daily",)

    @get("/", summary="Today's deal, and my try at it")
    async def today(self, request: AnyRequest, services: FromServices) -> p.DailyToday:
        chains, results = services.chains, services.daily_results
        day = chains.today()
        person = await services.sessions.known(request)
        mine, streak, best = None, 0, 0
        if person is not None:
            mine = await results.todays(person.id)
            streak, best = await results.streaks(person.id)
        chain = await chains.chain()
        return p.DailyToday(
            day=day.isoformat(),
            number=chain.number(day),
            ends=ends_ms(day),
            chain=await chains.told(),
            commitment=(await chains.commitment(day)).hex(),
            mine=None if mine is None else await results.told(mine),
            streak=streak,
            best_streak=best,
            finished=await services.storage.daily.finished(chain.anchor.hex(), day.isoformat()),
        )

    @post("/{day:str}", summary="Play the deal of a day")
    async def play(
        self,
        request: AnyRequest,
        services: FromServices,
        day: FromPath[str],
        data: JSONBody[p.PlayDaily],
        given: CreateToken = "",
    ) -> Response[p.TableMade]:
        """Today's deal is ranked, and there is one try: asking again leads to the same table."""
        check_token(services, given)
        name = clean_name(data.name)
        wanted = services.chains.read_day(day)
        await services.chains.anchor()  # which says so if there is no Daily Deal here
        if wanted != services.chains.today():
            _pay_for_score(services, request)
        person, secret = await table_maker(services, request, name)
        row = await new_try(services.chains, person, wanted, new_table_id())
        row = await services.storage.daily.begin(row)
        await _deal(services, row, name)
        return table_made(services, row.table_id, person.id, secret)

    @get("/calendar", summary="My tries and streaks")
    async def calendar(self, request: AnyRequest, services: FromServices) -> p.DailyCalendar:
        person = await services.sessions.known(request)
        return await services.daily_results.calendar(None if person is None else person.id)

    @get("/lists", summary="The lists of today and of this week")
    async def lists(self, request: AnyRequest, services: FromServices) -> p.DailyLists:
        person = await services.sessions.known(request)
        await services.chains.anchor()
        return await services.daily_results.lists(None if person is None else person.id)

    @put("/listing", summary="Whether the lists may show me")
    async def listing(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.ListMe]
    ) -> p.Done:
        person = await services.sessions.required(request)
        await services.storage.daily.set_listed(person.id, data.listed)
        return p.Done(0)

    @get("/results/{table_id:str}", summary="The score of my game")
    async def result(
        self, request: AnyRequest, services: FromServices, table_id: FromPath[str]
    ) -> p.DailyResult:
        person = await services.sessions.required(request)
        return await services.daily_results.result(table_id, person.id)

    @get("/proof/{day:str}", summary="The link of a past day")
    async def proof(self, services: FromServices, day: FromPath[str]) -> p.DailyProof:
        wanted = services.chains.read_day(day)
        return await _proof(services, wanted, await services.chains.revealed(wanted))

    @get("/link", summary="The link of today, for servers that follow this one")
    async def link(self, request: AnyRequest, services: FromServices) -> p.DailyProof:
        """Only for whoever has the key: the link is secret while its day lasts."""
        _check_follower(request, services)
        today = services.chains.today()
        return await _proof(services, today, await services.chains.link_to_play(today))


async def _proof(services: Services, day: date, link: bytes) -> p.DailyProof:
    chain = await services.chains.chain()
    return p.DailyProof(
        day=day.isoformat(),
        number=chain.number(day),
        chain=await services.chains.told(),
        link=link.hex(),
        edition=EDITION,
        levels=list(LEVELS),
    )


def _pay_for_score(services: Services, request: AnyRequest) -> None:
    """Past deals can be played again and again, and each is scored: that takes CPU time, as reviews
    do. `TooMany` if the caller has used up their share."""
    wait = services.limits.jobs.take(caller_key(request.scope), EXPECTED_S["daily"])
    if wait:
        raise TooMany("you’ve created too many tables; wait {seconds} s", seconds=math.ceil(wait))


def _check_follower(request: AnyRequest, services: Services) -> None:
    """`NotFound` where nobody may follow this server, `NotAllowed` for a wrong key. After too many
    of those, even the right one has to wait."""
    key = services.config.daily_key
    if key is None or services.config.daily_follow is not None:
        raise NotFound("there is nothing here")
    caller, wrong_keys = caller_key(request.scope), services.limits.wrong_keys
    wait = wrong_keys.take(caller)
    if wait:
        raise TooMany("too many wrong keys; wait {seconds} s", seconds=math.ceil(wait))
    given = request.headers.get("authorization", "")
    if not secrets.compare_digest(given.encode(), f"Bearer {key}".encode()):
        raise NotAllowed("this is not the key for this server’s Daily Deal")
    wrong_keys.spend(caller, -1)


async def _deal(services: Services, row: TryRow, name: str) -> None:
    """Make the table of a try, unless it is there: another request, or one that was interrupted,
    may have stored the try."""
    if await services.storage.logs.table(row.table_id) is not None:
        return
    draft = await dealt(services.chains, row, name)
    try:
        await store_table(services, row.table_id, draft, public=False)
    except LastSpikeError:
        if await services.storage.logs.table(row.table_id) is None:
            raise
