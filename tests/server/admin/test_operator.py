"""What the operator can do, at a real server and with real sockets."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from lastspike import protocol as p
from lastspike.client import LostError, Person, RefusedError, Table
from lastspike.server.http.limits.rate_limits import ADDRESS_REPORTS_PER_HOUR
from tests.server.company import (
    FAST,
    PATIENCE,
    SharedServers,
    begin,
    happened,
    heard,
    in_database,
    people,
    watching,
)
from tests.server.running import RunningServer
from tests.server.strangers import ask

from .operating import KEY_HASH, Operating, later

pytestmark = pytest.mark.anyio

CONTACT = "operator@example.org"
NEVER = "nobody-may-read-this"
TOLD = {"reason": "house rules"}


@pytest.fixture
def server(shared_servers: SharedServers) -> RunningServer:
    return shared_servers.get("sqlite", admin_key_hash=KEY_HASH, contact=CONTACT, name="The Club")


async def lost(table: Table) -> LostError:
    """Why a viewer was shut out for good."""
    with pytest.raises(LostError) as cause:
        await table.until(lambda _: False, PATIENCE)
    return cause.value


async def id_of(person: Person) -> str:
    return (await person.me()).person


async def everywhere(server: RunningServer, text: str) -> list[str]:
    """The columns of the logs in which a text is still found."""
    rows = await in_database(server, "SELECT body, secret FROM step")
    return [each for row in rows for each in row if each and text.encode() in bytes(each)]


# ---- the key ----------------------------------------------------------------------------------


async def test_nobody_gets_in_without_the_key(server: RunningServer) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        for path in ("", "tables", "persons", "connections", "bans", "reports", "audit"):
            answer = await http.get(f"/api/admin/{path}")
            assert (answer.status_code, answer.json()["code"]) == (403, "needs_key")
        # Not in an address, where proxies would log it; and not from another site's page.
        answer = await http.get("/api/admin/", params={"key": KEY_HASH})
        assert answer.status_code == 403
        theirs = {"authorization": f"Bearer {KEY_HASH}", "origin": "https://evil.example"}
        theirs["sec-fetch-site"] = "cross-site"
        answer = await http.post("/api/admin/bans", json={}, headers=theirs)
        assert answer.status_code == 403
        assert "another site" in answer.json()["message"]


async def test_a_server_without_a_key_has_no_operator(shared_servers: SharedServers) -> None:
    without = shared_servers.get("sqlite")
    async with Operating(without.url) as operator:
        with pytest.raises(AssertionError, match="There is nothing here"):
            await operator.get()


# ---- tables -----------------------------------------------------------------------------------


async def test_the_operator_closes_a_running_game_and_sees_no_hand(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob), Operating(server.url) as operator:
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            line = await a.say("Good luck")
            seen = await operator.get(f"tables/{table_id}")
            assert [each["name"] for each in seen["seats"]] == ["Ada", "Bob"]
            assert [(each["step"], each["text"]) for each in seen["chat"]] == [(line, "Good luck")]
            assert len(seen["connections"]) == 2
            assert {each["address"] for each in seen["connections"]} == {"127.0.0.1"}
            told = str(seen)
            assert "hands" not in told.replace("'hands': 'hidden'", "")
            assert "cash'" not in told.replace("'cash': 'open'", "")
            await operator.post(f"tables/{table_id}/close", **TOLD)
            for table in (a, b):
                await table.until(lambda table: table.info.status == "closed", PATIENCE)
                assert happened(table, "table_closed")[0]["operator"]
        assert await operator.audited(table=table_id) == ["table_closed"]
        # Closing it again changes nothing, and writes nothing.
        await operator.post(f"tables/{table_id}/close", **TOLD)
        assert await operator.audited(table=table_id) == ["table_closed"]


async def test_a_deleted_table_is_gone_for_everybody(server: RunningServer) -> None:
    async with people(server.url, "Ada") as (ada,), Operating(server.url) as operator:
        table_id = await ada.create(["me", "clerk"], p.Settings(pace=10_000))
        async with ada.watch(table_id) as table:
            await begin(table)
            await operator.post(f"tables/{table_id}/delete", **TOLD)
            assert (await lost(table)).code == p.CLOSE_GONE
        for kind in ("step", "membership"):
            query = f"SELECT 1 FROM {kind} WHERE table_id = :id"
            assert await in_database(server, query, id=table_id) == []
        with pytest.raises(RefusedError, match="no such table"):
            await ada.take_seat(table_id)
        assert await operator.audited(table=table_id) == ["table_deleted"]
        listed = (await operator.get("tables"))["tables"]
        assert table_id not in [each["table"] for each in listed]


async def test_a_removed_message_is_gone_from_every_screen_and_the_log(
    server: RunningServer,
) -> None:
    async with people(server.url, "Ada", "Eve") as (ada, eve), Operating(server.url) as operator:
        table_id = await ada.create(["me", None], FAST)
        async with watching(table_id, ada, eve) as (a, _e):
            step = await a.say(NEVER)
            await operator.post(f"tables/{table_id}/redact", step=step, **TOLD)
            await a.until(lambda table: happened(table, "chat_redacted"), PATIENCE)
            assert happened(a, "chat_redacted") == [{"kind": "chat_redacted", "step": step}]
        assert await everywhere(server, NEVER) == []
        async with eve.watch(table_id) as again:
            assert [each["text"] for each in happened(again, "said")] == ["…"]
        with pytest.raises(AssertionError, match="no such message"):
            await operator.post(f"tables/{table_id}/redact", step=1, **TOLD)
        assert await operator.audited(table=table_id) == ["chat_redacted"]


# ---- persons ----------------------------------------------------------------------------------


async def test_a_renamed_person_has_the_new_name_everywhere(server: RunningServer) -> None:
    async with people(server.url, NEVER, "Bob") as (rude, bob), Operating(server.url) as operator:
        table_id = await bob.create(["me", None, None], FAST)
        await rude.take_seat(table_id)
        elsewhere = await bob.create(["me", None], FAST)
        async with watching(table_id, rude, bob) as (r, b), rude.watch(elsewhere) as w:
            await r.say("hello")
            await w.say("who, me?")
            await operator.post(f"persons/{await id_of(rude)}/rename", name="Bob", **TOLD)
            # At this table somebody else is called Bob.
            await b.until(lambda table: table.info.seats[1].name == "Bob 2", PATIENCE)
            last = await r.say("hm")
            await heard(b, last)
            assert happened(b, "said")[-1]["name"] == "Bob 2"
            await w.until(lambda table: happened(table, "person_renamed"), PATIENCE)
            await w.say("still me")
            assert happened(w, "said")[-1]["name"] == "Bob 2"
            async with bob.watch(elsewhere, sit=False) as again:  # who plays hears no spectators
                assert happened(again, "said") == []
        assert await everywhere(server, NEVER) == []
        async with bob.watch(table_id) as again:  # as the log now has it
            assert [each["name"] for each in happened(again, "said")] == ["Bob 2", "Bob 2"]
            assert happened(again, "seat_taken")[1]["name"] == "Bob 2"
        (found,) = (await operator.get("persons", name=await id_of(rude)))["persons"]
        assert (found["name"], found["connections"]) == ("Bob", 0)
        # Whom the operator renamed can still erase themselves, and the new name goes as well.
        await rude.be_forgotten()
        async with bob.watch(table_id) as again:
            assert [each["name"] for each in happened(again, "said")] == ["◆", "◆"]
            assert {each["name"] for each in happened(again, "person_renamed")} == {"…"}


async def test_an_erased_person_leaves_no_name(server: RunningServer) -> None:
    async with people(server.url, "Mallory") as (mallory,), Operating(server.url) as operator:
        table_id = await mallory.create(["me", None], FAST)
        their_id = await id_of(mallory)
        await operator.post(f"persons/{their_id}/erase", **TOLD)
        assert await everywhere(server, "Mallory") == []
        assert (await operator.get("persons", name="Mallory"))["persons"] == []
        assert (await operator.get(f"tables/{table_id}"))["seats"][0]["name"] is None
        newest = (await operator.get("audit"))["events"][0]
        assert (newest["what"], newest["person"], newest["detail"]) == (
            "person_erased",
            "erased",
            {},
        )
        with pytest.raises(AssertionError, match="no such person"):
            await operator.post(f"persons/{their_id}/erase", **TOLD)


# ---- bans -------------------------------------------------------------------------------------


async def test_a_banned_person_is_out_at_once_until_the_ban_ends(server: RunningServer) -> None:
    async with people(server.url, "Mallory", "Bob") as (mallory, bob):
        table_id = await mallory.create(["me", None, "clerk"], FAST)
        await bob.take_seat(table_id)
        their_id = await id_of(mallory)
        async with Operating(server.url) as operator, watching(table_id, mallory, bob) as (m, b):
            await begin(m, b)
            made = await operator.post(
                "bans", person=their_id, reason="insulted others", ends=later(24)
            )
            assert (await lost(m)).code == p.CLOSE_BANNED
            # Nobody waits for them: a computer plays on.
            await b.until(lambda table: table.info.seats[0].stands_in, PATIENCE)
            with pytest.raises(RefusedError) as refused:
                await mallory.create(["me", "clerk"], FAST)
            problem = refused.value.problem
            assert problem.code == "banned"
            assert "insulted others" in problem.message
            assert CONTACT in problem.message
            assert "UTC" in problem.message
            with pytest.raises(LostError, match="insulted others") as cause:
                await mallory.watch(table_id).__aenter__()
            assert cause.value.code == p.CLOSE_BANNED
            assert (await operator.get(f"persons/{their_id}"))["about"]["banned"]
            # Their own data stay theirs.
            assert (await mallory.export()).person.name == "Mallory"
            await bob.introduce("Robert")  # others notice nothing
            await operator.delete(f"bans/{made['id']}")
            async with mallory.watch(table_id) as back:
                await back.until(lambda table: not table.info.seats[0].stands_in, PATIENCE)
            assert await operator.audited(person=their_id) == ["banned", "ban_ended"]


async def test_a_banned_address_reads_why_and_the_operator_gets_in(server: RunningServer) -> None:
    async with Operating(server.url) as operator:
        made = await operator.post("bans", network="127.0.0.1/8", reason="floods", ends=later(1))
        try:
            async with httpx.AsyncClient(
                base_url=server.url, headers={"accept-language": "fr"}
            ) as http:
                refused = await http.get("/api/me/tables")
                assert refused.status_code == 403
                assert refused.json()["code"] == "banned"
                assert "banni" in refused.json()["message"]
                page = await http.get("/", headers={"accept": "text/html"})
                assert page.status_code == 200  # which shows the reason
                assert (await http.get("/api/about")).json()["contact"] == CONTACT
                assert (await http.get("/healthz")).status_code == 200
            # However they write the path.
            for path in ("//api/me/tables", "/api//me/tables/", "/%61pi/me/tables"):
                answer = await ask(server.url, "GET", path)
                assert (answer.status, answer.json["code"]) == (403, "banned"), path
            (ban,) = (await operator.get("bans"))["bans"]
            assert ban["network"] == "127.0.0.0/8"
        finally:
            await operator.delete(f"bans/{made['id']}")
        async with people(server.url, "Ada") as (ada,):
            await ada.create(["me", "clerk"], FAST)


@pytest.mark.parametrize(
    "body",
    [
        {"ends": later(1)},
        {"ends": later(1), "person": "x", "network": "192.0.2.1"},
        {"ends": later(1), "network": "everybody"},
        {"ends": 1, "network": "192.0.2.1"},
        {"ends": later(24 * 4000), "network": "192.0.2.1"},
        {"ends": later(1), "person": "nobody"},
    ],
)
async def test_a_ban_that_makes_no_sense_is_refused(
    server: RunningServer, body: dict[str, Any]
) -> None:
    async with Operating(server.url) as operator:
        with pytest.raises(AssertionError):
            await operator.post("bans", reason="?", **body)


# ---- announcements and reports ----------------------------------------------------------------


async def test_an_announcement_reaches_those_here_and_those_who_come(
    server: RunningServer,
) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob), Operating(server.url) as operator:
        table_id = await ada.create(["me", None], FAST)
        async with ada.watch(table_id) as here:
            made = await operator.post("announcements", text="Maintenance at ten.", ends=later())
            await here.until(lambda table: table.announcements, PATIENCE)
            assert [each.text for each in here.announcements] == ["Maintenance at ten."]
            async with bob.watch(table_id) as new:
                await new.until(lambda table: table.announcements, PATIENCE)
                async with httpx.AsyncClient() as http:
                    assert "Maintenance at ten." in (await http.get(server.url)).text
                await operator.delete(f"announcements/{made['id']}")
                for table in (here, new):
                    await table.until(lambda table: not table.announcements, PATIENCE)
        assert (await operator.audited())[-2:] == ["announced", "announcement_ended"]


async def test_a_report_reaches_the_operator_with_its_context(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Eve") as (ada, eve), Operating(server.url) as operator:
        table_id = await ada.create(["me", None], FAST)
        await eve.take_seat(table_id)
        async with watching(table_id, ada, eve) as (a, e):
            await a.say("Hello")
            step = await e.say("Something nasty")
            last = await a.say("Please don’t")
            await heard(e, last)
        await ada.report(table_id, "She insulted me", step=step)
        with pytest.raises(RefusedError, match="no such message"):
            await ada.report(table_id, "?", step=step + 1000)
        found = (await operator.get("reports"))["reports"][-1]
        assert (found["by"]["name"], found["about"]["name"]) == ("Ada", "Eve")
        assert found["reason"] == "She insulted me"
        assert [each["text"] for each in found["context"]] == [
            "Hello",
            "Something nasty",
            "Please don’t",
        ]
        assert (await operator.get())["open_reports"] == 1
        await operator.post(f"reports/{found['id']}/settle", note="talked to her")
        assert (await operator.get("reports"))["reports"] == []
        (settled,) = (await operator.get("reports", settled=True))["reports"]
        assert settled["note"] == "talked to her"
        assert await operator.audited(person=await id_of(eve)) == ["report_settled"]
        # In her own export, Eve reads what happened but not who reported it.
        exported = await eve.export()
        assert await id_of(ada) not in str(exported.events)
        assert exported.reports == []
        assert (await ada.export()).reports[0].reason == "She insulted me"


async def test_one_address_can_not_fill_the_list_of_reports(server: RunningServer) -> None:
    """People are easily made: the limit of each of them is not enough."""
    names = [f"Eve {number}" for number in range(4)]
    async with people(server.url, *names) as (host, *others):
        table_id = await host.create(["me", None], FAST)
        await asyncio.gather(*(each.introduce() for each in others))

        async def report(person: Person, address: str) -> int:
            path, there = f"/api/tables/{table_id}/report", {"X-Forwarded-For": address}
            told = {"reason": "?"}
            answer = await ask(server.url, "POST", path, told, cookie=person.secret, headers=there)
            return answer.status

        reporting = [each for each in (host, *others) for _ in range(9)]
        answers = [await report(each, "203.0.113.77") for each in reporting]
        assert answers == [200] * ADDRESS_REPORTS_PER_HOUR + [429] * (36 - ADDRESS_REPORTS_PER_HOUR)
        assert await report(host, "203.0.113.78") == 200
        for each in (host, *others):
            await each.be_forgotten()
