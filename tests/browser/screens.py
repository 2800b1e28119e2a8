"""The way to every screen of the page, for those who look at all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import expect

from .people import SLOW, TABLE, Person

Screen = Callable[[Person], None]
RECORDS = Path(__file__).parents[1] / "conformance"


def home(me: Person) -> None:
    """By the link at the head of every other screen: the page is loaded only once."""
    head = me.page.get_by_role("link", name="The Last Spike", exact=True)
    if head.count():
        head.click()
    else:
        me.come()
    me.page.wait_for_url(f"{me.url}/")
    expect(me.button("Play now")).to_be_visible()


def my_games(me: Person) -> None:
    home(me)
    # The list may be drawn again when the server has answered.
    me.heading("Your turn").evaluate("part => part.scrollIntoView()")


def alerts(me: Person) -> None:
    me.come("/alerts")
    expect(me.heading("Vacation")).to_be_visible()
    me.page.get_by_text(me.t("In other apps"), exact=True).click()


def history(me: Person) -> None:
    home(me)
    me.page.get_by_role("link", name=me.t("History and statistics"), exact=True).click()
    expect(me.heading("Statistics")).to_be_visible()


def preferences(me: Person) -> None:
    home(me)
    me.button("Settings").click()
    expect(me.dialog).to_be_visible()


def edition(me: Person) -> None:
    me.come("/edition")
    expect(me.heading("Setup")).to_be_visible()


def daily_deal(me: Person) -> None:
    me.come("/daily")
    expect(me.heading("Your calendar")).to_be_visible()


def names_round_one_device(me: Person) -> None:
    home(me)
    me.button("Choose players").click()
    expect(me.dialog).to_be_visible()


def learn(me: Person) -> None:
    home(me)
    me.button("How to play").click()
    expect(me.heading("Good to know")).to_be_visible()


def rules(me: Person) -> None:
    me.come("/rules#L3")
    expect(me.heading("Rules")).to_be_visible()
    expect(me.page.get_by_role("article").last).to_be_visible()


def lesson(me: Person) -> None:
    """Where the coach has something to sell or to buy below it."""
    me.page.evaluate("localStorage.setItem('lastspike.lesson', '{\"made\": 9}')")
    home(me)
    me.button("Continue the lesson").click()
    me.tiles_to_lay.first.click()
    expect(me.composer.get_by_role("button", name=me.sale).first).to_be_visible()


def waiting_room(me: Person) -> None:
    home(me)
    me.name("Ada Lovelace")
    me.for_players(4)
    me.page.wait_for_url(TABLE)
    expect(me.heading("Waiting room")).to_be_visible()
    me.page.get_by_text(me.t("A shuffle you can check")).click()


class Games(NamedTuple):
    """What a person left behind who played: everybody who looks at the screens becomes this person
    instead of playing again. The paths lead to a game in the middle and to one that is over and has
    been reviewed; cookies and storage are those of the browser."""

    going_on: str
    over: str
    cookies: Any
    storage: dict[str, str]


def play(me: Person) -> Games:
    """Play one game to its end and another to its middle, where it is this person's turn."""
    me.come()
    me.name("Ada Lovelace")
    curtain(me)  # these two are listed among the person's games
    waiting_room(me)
    me.play_now("Clerk")
    me.until_mine()
    me.take_turn()
    me.finish()
    over = urlsplit(me.page.url).path
    me.button("Review the game").click()
    expect(me.heading("Luck and play")).to_be_visible(timeout=4 * SLOW)
    me.play_now("Clerk")
    me.play_on(4)
    assert me.until_mine()
    storage: dict[str, str] = me.page.evaluate("({ ...localStorage })")
    del storage["lastspike.settings"]  # everybody keeps their own, with their language
    return Games(urlsplit(me.page.url).path, over, me.context.cookies(), storage)


def table(me: Person, games: Games) -> None:
    """In the middle of a game, in the own turn, with something on every tab."""
    me.context.add_cookies(games.cookies)
    me.page.evaluate(
        "kept => { for (const key in kept) localStorage.setItem(key, kept[key]); }", games.storage
    )
    me.come(games.going_on)
    assert me.until_mine()
    me.page.evaluate("scrollTo(0, 0)")


def since(me: Person) -> None:
    me.page.keyboard.press("s")
    expect(me.dialog).to_be_visible()


def keys(me: Person) -> None:
    me.page.keyboard.press("?")
    expect(me.dialog).to_be_visible()


def menu(me: Person) -> None:
    me.button("Table menu").click()
    expect(me.dialog).to_be_visible()


def close(me: Person) -> None:
    me.page.keyboard.press("Escape")
    expect(me.dialog).to_have_count(0)


def composed(me: Person) -> None:
    me.tiles_to_lay.first.click()
    expect(me.button("End turn")).to_be_visible()


def hint(me: Person) -> None:
    me.button("Hint").click()
    expect(me.advice).to_be_visible()


def land(me: Person) -> None:
    me.tab("Land").click()
    expect(me.page.get_by_role("tabpanel", name=me.t("Land"))).to_be_visible()


def chat(me: Person) -> None:
    me.say("Bonjour, おはよう, good morning!")
    expect(me.chat).to_contain_text("おはよう")


def text_board(me: Person) -> None:
    me.tab("Text").click()
    for typed in ("hand", "route V", "city DEN", "player 2", "since"):
        me.type(typed)


def end(me: Person, games: Games) -> None:
    me.come(games.over)
    expect(me.finale).to_be_visible()


def proof(me: Person) -> None:
    me.button("Check the shuffle").click()
    expect(me.heading("Shuffle check")).to_be_visible()
    expect(me.button("Back to the game")).to_be_visible()


def review(me: Person) -> None:
    me.button("Back to the game").click()
    expect(me.finale).to_be_visible()
    me.button("Review the game").click()
    expect(me.heading("Luck and play")).to_be_visible(timeout=4 * SLOW)


def then(me: Person) -> None:
    """The board as it was after the turn that decided the game."""
    me.heading("Turning points").locator("..").get_by_role("button").first.click()
    me.button("See all hands").click()
    hands = me.page.get_by_role("region", name=me.t("Hands at this point"), exact=True)
    expect(hands).to_be_visible()


def record_of(edition: str) -> Path:
    """A recorded game that was played to its end by the figures of this edition."""
    return min(RECORDS.glob(f"*-{edition}-*.json"), default=None) or min(
        RECORDS.glob(f"*-{edition}.json")
    )


def record(me: Person) -> None:
    """A finished game of another edition, with a map of its own."""
    home(me)
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record_of("crooked"))
    expect(me.finale).to_be_visible()


def curtain(me: Person) -> None:
    names_round_one_device(me)
    for number, name in enumerate(("Ada", "Grace", "Blaise"), 1):
        me.dialog.get_by_label(me.t("Player {number}", number=number)).fill(name)
    me.dialog.get_by_role("button", name=me.t("Start the game")).click()
    me.page.wait_for_url(TABLE)
    expect(me.show_hand).to_be_visible()


def all_screens(
    me: Person, games: Games, *, without: Collection[str] = (), until: str = ""
) -> Iterator[str]:
    """Go to each screen in turn; the name of the one that is shown. Up to the waiting room it is
    somebody new who looks; then it is the person who played the games."""
    for name, show in (
        ("home", home),
        ("settings", preferences),
        ("learn", learn),
        ("lesson", lesson),
        ("rules", rules),
        ("edition", edition),
        ("daily", daily_deal),
        ("names", names_round_one_device),
        ("curtain", curtain),
        ("waiting-room", waiting_room),
        ("table", partial(table, games=games)),
        ("since", since),
        ("keys", keys),
        ("menu", menu),
        ("composed", composed),
        ("hint", hint),
        ("land", land),
        ("chat", chat),
        ("text-board", text_board),
        ("end", partial(end, games=games)),
        ("proof", proof),
        ("review", review),
        ("then", then),
        ("my-games", my_games),
        ("history", history),
        ("alerts", alerts),
        ("record", record),
    ):
        if name in without:
            continue
        if me.dialog.count():
            close(me)
        show(me)
        yield name
        if name == until:
            return
