"""History: games and what they come to, the same person on another device, data taken away and
deleted."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from lastspike import protocol as p
from tests.server.company import FAST, begin, finish, people, watching
from tests.server.running import RunningServer

from .axe import violations
from .people import MakePerson, Person
from .words import several

OPEN = p.Settings(pace=0, stand_in="greenhorn", options=p.GameOptions(hands="open"))
ADA, BOB = "Ada Lovelace", "Blaise"


class Seeded(NamedTuple):
    """What was played before: Ada's links for new devices, and the tables."""

    links: list[str]
    over: str
    running: str
    history: p.History


def seeded(url: str, links: int = 1) -> Seeded:
    """Games played over sockets; apart, since the browser has the event loop of this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _seed(url, links)).result()


async def _seed(url: str, links: int) -> Seeded:
    async with people(url, ADA, BOB) as (ada, bob):
        over = ""
        for number, settings in enumerate((FAST, FAST, OPEN)):
            over = await ada.create(["me", None, *["greenhorn"] * number], settings)
            await bob.take_seat(over)
            async with watching(over, ada, bob) as (a, b):
                await begin(a, b)
                await finish(a, b, seed=number)
                await a.say("Bonne partie")
        running = await ada.create(["me", None], FAST)
        await bob.take_seat(running)
        async with watching(running, ada, bob) as (a, b):
            await begin(a, b)
            await a.say("Bonjour")
        tokens = [(await ada.link()).token for _ in range(links)]
        tokens.append((await bob.link()).token)
        return Seeded(tokens, over, running, await ada.history())


def open_link(me: Person, token: str) -> None:
    """By keys alone: the dialog's first button says yes."""
    me.page.goto(f"{me.url}/history#link={token}")
    expect(me.dialog).to_have_accessible_name(me.t("Is this device yours?"))
    assert token not in me.page.url  # nor in what the browser remembers of where it was
    me.button("Yes, bring my games here").focus()
    me.page.keyboard.press("Enter")
    expect(me.heading("Statistics")).to_be_visible()


def no_violations(me: Person) -> None:
    assert not violations(me.page)


def games_of(me: Person) -> Locator:
    region = me.page.locator("section", has=me.heading("Your games"))
    return region.get_by_role("listitem")


def test_a_newcomer_finds_nothing_and_the_way_on(person: MakePerson) -> None:
    me = person("fr", width=360, height=640, touch=True)
    me.come("/history")
    expect(me.heading("No finished games yet")).to_be_visible()
    expect(me.button("Delete your data")).to_have_count(0)
    no_violations(me)
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()


def test_games_and_figures_on_a_second_device(person: MakePerson, server: RunningServer) -> None:
    """Portuguese at a desk: the link, the figures, watching again, a link for the next device."""
    before = seeded(server.url)
    me = person("pt")
    open_link(me, before.links[0])
    counted = [game for game in before.history.games if not game.teaching]
    wins = sum(game.mine[0] in game.winners for game in counted)
    figures = me.page.locator("dl")
    expect(figures).to_contain_text(f"{me.t('Games')}2")
    expect(figures).to_contain_text(f"{me.t('Wins')}{wins}{me.t('fair share: {fair}', fair='42%')}")
    for game in counted:
        players = several("pt", "{n} player", "{n} players", len(game.seats))
        expect(me.page.get_by_role("listitem").filter(has_text=players)).to_have_count(1)
    expect(me.page.get_by_text(me.t("people only"))).to_be_visible()
    expect(me.page.get_by_text(re.compile(re.escape(me.t("Your payouts by city"))))).to_be_visible()
    expect(games_of(me)).to_have_count(3)
    expect(games_of(me).first).to_contain_text(me.t("open hands"))
    for shown, game in zip(games_of(me).all(), before.history.games, strict=True):
        rank = game.seats[0].rank
        place = me.t("rank {rank} of {players}", rank=rank, players=len(game.seats))
        expect(shown).to_contain_text(me.t_as("game", "won") if 0 in game.winners else place)
        expect(shown).to_contain_text(BOB)
    no_violations(me)
    me.button("Create a personal link").click()
    link = me.field("Your personal link").input_value()
    picture = me.page.get_by_role("img", name=me.t("QR code with your personal link"))
    picture.evaluate("image => image.decode()")
    no_violations(me)
    games_of(me).first.get_by_role("link").click()
    expect(me.finale).to_be_visible()
    me.page.go_back()
    expect(me.heading("Statistics")).to_be_visible()
    # The next device, which is open already: there the link is pasted into the address.
    phone = person("en", width=360, height=640, touch=True, dark=True)
    phone.come("/history")
    expect(phone.heading("No finished games yet")).to_be_visible()
    phone.page.evaluate("link => { location.href = link; }", link)
    phone.button("Yes, bring my games here").click()
    expect(games_of(phone)).to_have_count(3)
    no_violations(phone)
    phone.come()
    phone.page.get_by_role("link", name=phone.t("History and statistics")).click()
    expect(games_of(phone)).to_have_count(3)


POST = """async ([path, body]) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return await answer.json();
}"""


def test_devices_are_listed_and_logged_out(person: MakePerson) -> None:
    """French at a desk; the phone that is logged out shows its table at that moment."""
    me = person("fr")
    me.come()
    wanted = {"name": ADA, "seats": ["me", None], "settings": {}}
    table = me.page.evaluate(POST, ["/api/tables", wanted])["table"]
    token = me.page.evaluate(POST, ["/api/me/link", {}])["token"]
    phone = person("en", width=360, height=640, touch=True, dark=True)
    phone.page.goto(f"{phone.url}/history#link={token}")
    phone.button("Yes, bring my games here").click()
    expect(phone.heading("Your devices")).to_be_visible()
    no_violations(phone)
    phone.come(f"/table/{table}")
    expect(phone.page.get_by_role("main")).to_contain_text(ADA)

    me.come("/history")
    devices = me.page.locator("section", has=me.heading("Your devices")).get_by_role("listitem")
    expect(devices).to_have_count(2)
    expect(devices.first).to_contain_text(me.t("this device"))
    expect(devices.last).not_to_contain_text(me.t("this device"))
    expect(devices.last).to_contain_text(me.t("active now"))
    no_violations(me)
    devices.last.get_by_role("button").press("Enter")
    expect(devices).to_have_count(1)
    expect(devices).to_contain_text(me.t("this device"))
    expect(me.button("Log out all other devices")).to_have_count(0)
    expect(phone.heading("This device was logged out")).to_be_visible()
    no_violations(phone)
    phone.come("/history")
    expect(phone.heading("No finished games yet")).to_be_visible()
    expect(phone.heading("Your devices")).to_have_count(0)

    devices.first.get_by_role("button").press("Enter")
    expect(me.dialog).to_have_accessible_name(me.t("Log out of this device?"))
    expect(me.dialog).to_contain_text(ADA)  # who can't come back
    no_violations(me)
    me.dialog.get_by_role("button", name=me.t("Log out"), exact=True).press("Enter")
    expect(me.heading("You are logged out")).to_be_visible()
    assert not me.context.cookies()
    assert ADA not in me.page.evaluate("() => JSON.stringify({ ...localStorage })")


def test_data_is_taken_away_and_deleted_by_keys(person: MakePerson, server: RunningServer) -> None:
    """Japanese on a phone; the other player sees the name go while the game goes on."""
    before = seeded(server.url)
    bob = person("en")
    bob.page.goto(f"{bob.url}/table/{before.running}#link={before.links[1]}")
    bob.button("Yes, bring my games here").click()
    expect(bob.heading("Statistics")).to_be_visible()
    bob.come(f"/table/{before.running}")
    expect(bob.players).to_contain_text(ADA)
    bob.tab("Chat").click()
    expect(bob.chat).to_contain_text("Bonjour")
    other = person("en", beside=bob)
    other.come(f"/table/{before.over}")
    expect(other.finale).to_contain_text(ADA)

    me = person("ja", width=360, height=640, touch=True)
    open_link(me, before.links[0])
    me.button("Agree to publication").press("Enter")
    expect(me.button("Withdraw consent")).to_be_focused()
    agreed = me.page.locator("section", has=me.heading("Games for research"))
    expect(agreed.locator("strong")).to_be_visible()
    no_violations(me)
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name=me.t("Export your data")).press("Enter")
    data = json.loads(download.value.path().read_text("utf-8"))
    assert data["person"]["name"] == ADA
    assert data["person"]["publishes_since"] > 0
    assert len(data["records"]) == 3
    assert [line["text"] for line in data["chat"]].count("Bonne partie") == 3
    me.button("Delete your data").press("Enter")
    expect(me.dialog).to_have_accessible_name(me.t("Delete all of {name}’s data?", name=ADA))
    no_violations(me)
    me.page.keyboard.press("Escape")  # thought better of it
    expect(me.dialog).to_have_count(0)
    me.button("Delete your data").press("Enter")
    me.page.keyboard.press("Tab")
    expect(me.button("Delete forever")).to_be_focused()
    me.page.keyboard.press("Enter")
    expect(me.heading("Your data has been deleted")).to_be_visible()
    kept = me.page.evaluate("() => JSON.stringify({ ...localStorage })")
    assert ADA not in kept
    assert not me.context.cookies()

    expect(bob.players).to_contain_text("★")
    expect(bob.players).not_to_contain_text(ADA)
    expect(bob.chat).to_contain_text("…")
    for gone in (ADA, "Bonjour"):
        expect(bob.page.get_by_role("main")).not_to_contain_text(gone)
    expect(other.finale).to_contain_text("★")
    expect(other.page.get_by_role("main")).not_to_contain_text(ADA)
    bob.play_on(1)
    assert bob.until_mine()  # a computer has moved for who is gone
    me.come("/history")
    expect(me.heading("No finished games yet")).to_be_visible()
