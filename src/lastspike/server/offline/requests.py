"""Requests of the page: the routes of the server that make sense in one browser.

`http/routes/` has the same routes for many people. Here there is one person, and no limits.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from lastspike import protocol as p
from lastspike.languages import best_language
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.rules.errors import EditionError, LastSpikeError
from lastspike.rules.records.turns import turns_of
from lastspike.server.jobs.players.questions import Players
from lastspike.server.jobs.reading import checked, looked_at, played_on
from lastspike.server.live.problems import problem_of, unexpected
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.table import LiveTable
from lastspike.server.people.history import MOST_GAMES, Past, history, past_game
from lastspike.server.storage.errors import StorageDown
from lastspike.server.storage.rows import PersonRow, to_append
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound, Refusal
from lastspike.server.table.list_entry import index_of
from lastspike.server.table.log_events import Draft
from lastspike.server.table.look_alikes import unique_name
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed, new_table_id
from lastspike.server.table.records import finished_record, full_record, seated
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import encode, table_info
from lastspike.words.language import words_for

from .reviews import Reviews
from .store import LocalStore

ME = "me"
MOST_LISTED = 100
DEFAULT_LEVEL = "clerk"
"""Who plays the seats of others where no computer played."""


class Answer(NamedTuple):
    """`body` is JSON."""

    status: int
    body: str


class Requests:
    """`version` is that of the page."""

    def __init__(
        self, store: LocalStore, registry: TableRegistry, players: Players, version: str
    ) -> None:
        self._store = store
        self._registry = registry
        self._players = players
        self._version = version
        self._reviews = Reviews(store)

    async def answer(self, method: str, path: str, body: str, language: str) -> Answer:
        """The answer to a request. `path` begins with `api/`, and may have a query."""
        words = words_for(best_language([language]) or "en")
        try:
            found = await self._handle(method, path.partition("?")[0], body)
        except EditionError as error:
            problem = problem_of(LastSpikeError(error.template, **error.facts), words)
            bad = p.BadFigure(error.path, problem.message, problem.template, problem.facts)
            if path == "api/editions/check":
                return Answer(200, encode(p.EditionChecked(problem=bad)).decode())
            return Answer(400, encode(problem_of(error, words)).decode())
        except LastSpikeError as error:
            return Answer(_status_of(error), encode(problem_of(error, words)).decode())
        except Exception as error:
            return Answer(500, encode(problem_of(unexpected(error), words)).decode())
        return Answer(200, (found if isinstance(found, bytes) else encode(found)).decode())

    async def _handle(self, method: str, path: str, body: str) -> Any:
        for route in _ROUTES:
            found = route.path.fullmatch(path)
            if found and route.method == method:
                given: list[Any] = list(found.groups())
                if route.body is not None:
                    given.append(_decoded(body, route.body))
                return await route.handler(self, *given)
        raise NotFound("there is nothing here")

    # ---- the person -------------------------------------------------------------------------

    def _me(self) -> PersonRow:
        if self._store.person is None:
            raise NotAllowed("tell us your name first")
        return self._store.person

    async def _named(self, name: str) -> PersonRow:
        """The person, who from now on has this name if they had none."""
        if self._store.person is None:
            await self._store.save_person(PersonRow(secrets.token_urlsafe(9), name))
        return self._me()

    async def me(self) -> p.Me:
        return p.Me(*self._me())

    async def name(self, data: p.NewPerson) -> p.Me:
        person = await self._named(clean_name(data.name))
        await self._store.save_person(person._replace(name=clean_name(data.name)))
        return await self.me()

    async def erase(self) -> p.Done:
        """Forget the person with all their games: there is nobody else here."""
        for table_id in list(self._registry.live):
            self._registry.deleted(table_id)
        self._reviews.forget()
        await self._store.forget()
        return p.Done(0)

    async def my_tables(self) -> p.Tables:
        if self._store.person is None:
            return p.Tables([])
        ids = (entry.id for entry in self._store.logs.newest()[:MOST_LISTED])
        return p.Tables(await self._registry.listed(ids, self._store.person.id))

    async def my_history(self) -> p.History:
        person = self._store.person
        if person is None:
            return p.History(None, [], {})
        over = [entry for entry in self._store.logs.newest() if entry.status == "over"]
        found: list[Past] = []
        for entry in over[:MOST_GAMES]:
            table = await self._registry.table(entry.id)
            past = past_game(table.state, person.id)
            if past is not None:
                found.append(past)
        return history(person, found)

    async def about(self) -> p.AboutServer:
        return p.AboutServer(None, None, None, None)

    # ---- tables -----------------------------------------------------------------------------

    async def create(self, data: p.CreateTable) -> p.TableMade:
        name = clean_name(data.name)
        levels = [None if seat == ME else seat for seat in data.seats]
        for level in [*levels, data.settings.stand_in]:
            commands.check_level(level, self._players.levels())
        names: dict[int, str] = {}
        for seat, who in enumerate(data.seats):
            if who == ME:
                given = data.names.get(str(seat))
                names[seat] = unique_name(clean_name(given) if given else name, names.values())
        person = await self._named(name)
        draft = commands.create(person.id, levels, names, data.settings, new_seed())
        return await self._made(new_table_id(), draft)

    async def _made(self, table_id: str, draft: Draft) -> p.TableMade:
        first = to_append(table_id, draft.step(1, now_ms()), index_of(draft))
        await self._store.logs.create_table(first)
        return p.TableMade(table_id, self._me().id)

    async def table(self, table_id: str) -> p.TableInfo:
        return table_info((await self._registry.table(table_id)).state)

    async def _act(
        self, table_id: str, command: Callable[..., Draft | None], *given: object
    ) -> p.Done:
        person = self._me().id
        table: LiveTable = await self._registry.table(table_id)
        return p.Done(await table.act(lambda state: command(state, person, *given)))

    async def set_seat(self, table_id: str, seat: str, data: p.SetSeat) -> p.Done:
        known = self._players.levels()
        return await self._act(table_id, commands.set_seat, int(seat), data.level, known)

    async def take_seat(self, table_id: str, data: p.TakeSeat) -> p.Done:
        name = clean_name(data.name)
        await self._named(name)
        return await self._act(table_id, commands.take_seat, name, data.seat)

    async def settings(self, table_id: str, data: p.ChangeSettings) -> p.Done:
        known = self._players.levels()
        return await self._act(table_id, commands.change_settings, data.settings, known)

    async def leave(self, table_id: str, data: p.Leave) -> p.Done:
        return await self._act(table_id, commands.leave, data.for_good, new_seed())

    async def come_back(self, table_id: str) -> p.Done:
        return await self._act(table_id, commands.come_back)

    async def close(self, table_id: str) -> p.Done:
        return await self._act(table_id, commands.close)

    async def agree_to_end(self, table_id: str, data: p.AgreeToEnd) -> p.Done:
        return await self._act(table_id, commands.agree_to_end, data.undo)

    async def rematch(self, table_id: str) -> p.Rematch:
        await self._act(table_id, commands.offer_rematch, new_table_id())
        state = (await self._registry.table(table_id)).state
        assert state.rematch is not None
        if state.rematch not in self._store.logs.entries:
            draft = commands.rematch_of(state, self._me().id, new_seed())
            await self._made(state.rematch, draft)
        return p.Rematch(state.rematch)

    async def record(self, table_id: str) -> dict[str, Any]:
        return finished_record((await self._registry.table(table_id)).state)

    async def running_game(self, table_id: str) -> dict[str, Any]:
        """What `play_on` needs to continue a game, but for a name. It has everybody's tiles, as
        this browser has."""
        state = (await self._registry.table(table_id)).state
        mine = state.seats_of(self._me().id)
        if state.status != "playing" or not mine:
            raise Conflict("only a running game can be continued elsewhere")
        levels = [seat.level for seat in state.seats if seat.level]
        return {
            "record": full_record(state),
            "turns": len(turns_of(state.playing).turns),
            "seat": mine[0],
            "level": max(levels, key=self._players.levels().index, default=DEFAULT_LEVEL),
        }

    async def review(self, table_id: str) -> p.JobState:
        return await self._reviews.of_table((await self._registry.table(table_id)).state)

    # ---- editions and records ---------------------------------------------------------------

    async def editions(self) -> p.Editions:
        found = map(shipped, shipped_ids())
        listed = [p.EditionListed(each.id, each.name, list(each.player_counts)) for each in found]
        return p.Editions(listed)

    async def edition(self, edition_id: str) -> dict[str, Any]:
        if edition_id not in shipped_ids():
            raise NotFound("there is no such edition")
        return shipped(edition_id).to_figures()

    async def check_edition(self, data: p.CheckEdition) -> bytes:
        return checked(data.figures, data.toml)

    async def look_at_record(self, data: dict[str, Any]) -> bytes:
        return looked_at(data, self._version)

    async def review_record(self, data: p.ReviewRecord) -> p.JobState:
        return await self._reviews.of_record(data.record)

    async def play_on(self, data: p.PlayOn) -> p.TableMade:
        name = clean_name(data.name)
        commands.check_level(data.level, self._players.levels())
        draft = played_on(data.record, data.turns, data.seat, name, data.level, new_seed())
        person = await self._named(name)
        return await self._made(new_table_id(), seated(draft, person.id))


class _Route(NamedTuple):
    method: str
    path: re.Pattern[str]
    handler: Callable[..., Awaitable[Any]]
    body: Any = None


def _route(
    method: str, path: str, handler: Callable[..., Awaitable[Any]], body: Any = None
) -> _Route:
    """`{}` in a path stands for any part of it."""
    return _Route(method, re.compile(re.escape(path).replace(r"\{\}", "([^/]+)")), handler, body)


_ROUTES = (
    _route("GET", "api/me", Requests.me),
    _route("POST", "api/me", Requests.name, p.NewPerson),
    _route("DELETE", "api/me", Requests.erase),
    _route("GET", "api/me/tables", Requests.my_tables),
    _route("GET", "api/me/history", Requests.my_history),
    _route("GET", "api/about", Requests.about),
    _route("POST", "api/tables/", Requests.create, p.CreateTable),
    _route("GET", "api/tables/{}", Requests.table),
    _route("PUT", "api/tables/{}/seats/{}", Requests.set_seat, p.SetSeat),
    _route("POST", "api/tables/{}/seats", Requests.take_seat, p.TakeSeat),
    _route("PATCH", "api/tables/{}/settings", Requests.settings, p.ChangeSettings),
    _route("POST", "api/tables/{}/leave", Requests.leave, p.Leave),
    _route("POST", "api/tables/{}/return", Requests.come_back),
    _route("POST", "api/tables/{}/close", Requests.close),
    _route("POST", "api/tables/{}/agree-to-end", Requests.agree_to_end, p.AgreeToEnd),
    _route("POST", "api/tables/{}/rematch", Requests.rematch),
    _route("GET", "api/tables/{}/record", Requests.record),
    _route("GET", "api/tables/{}/continue", Requests.running_game),
    _route("POST", "api/tables/{}/review", Requests.review),
    _route("GET", "api/editions", Requests.editions),
    _route("GET", "api/editions/{}", Requests.edition),
    _route("POST", "api/editions/check", Requests.check_edition, p.CheckEdition),
    _route("POST", "api/records", Requests.look_at_record, dict[str, Any]),
    _route("POST", "api/records/review", Requests.review_record, p.ReviewRecord),
    _route("POST", "api/records/play-on", Requests.play_on, p.PlayOn),
)


def _decoded(body: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise LastSpikeError(
            "this request can’t be understood: {reason}", reason=str(error)[:200]
        ) from None


def _status_of(error: LastSpikeError) -> int:
    if isinstance(error, StorageDown):
        return 503
    return error.status if isinstance(error, Refusal) else 400
