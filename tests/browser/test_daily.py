"""The Daily Deal on the page: from Home to the shared line, calendar, lists, and the proof."""

from __future__ import annotations

import re
from functools import partial

from playwright.sync_api import Route, expect

from .layout import faults_in_every_language
from .people import MakePerson, Person

SCORING = 240_000
"""How long a score may take on a busy machine, in milliseconds."""


def begin(me: Person) -> None:
    """From Home to the first hand."""
    me.come()
    me.button("Play today’s deal").click()
    me.page.wait_for_url(re.compile("/table/"))
    expect(me.tiles.first).to_be_visible()


def hands(me: Person) -> list[str]:
    return sorted(told[:2] for told in me.tiles.all_text_contents())


def test_from_home_to_the_shared_line_twice(person: MakePerson) -> None:
    """Two people get the same deal, play it differently, and see their scores."""
    ada, bob = person("en"), person("fr", width=390, height=844, touch=True)
    begin(ada)
    begin(bob)
    assert hands(ada) == hands(bob)
    expect(ada.button("Hint")).to_have_count(0)
    ada.finish()
    bob.finish()
    card = ada.page.locator(".daily-result")
    expect(card.get_by_text(ada.pattern("Your score: {score}", score=r".+"))).to_be_visible(
        timeout=SCORING
    )
    line = card.get_by_role("textbox").input_value()
    assert re.match(
        r"The Last Spike, Daily Deal for .+: \S+ ± \d+ [🟩⬜🟥]{8,14} http\S+/daily$", line
    )
    expect(ada.button("Play again")).to_have_count(0)
    ada.button("Save a picture").last.wait_for()
    with ada.page.expect_download() as saved:
        card.get_by_role("button", name="Save a picture").click()
    assert saved.value.suggested_filename.startswith("last-spike-daily-")
    copied(ada, line)
    shared(bob)
    worst = card.get_by_role("button", name="Play on from there")
    if worst.count():
        worst.click()
        expect(ada.tiles.first).to_be_visible()

    # Home and the calendar know the try; nobody is listed without having asked for it.
    ada.come()
    expect(ada.button("See your result")).to_be_visible()
    ada.come("/daily")
    expect(ada.heading("Your calendar")).to_be_visible()
    expect(ada.page.get_by_text(ada.t("Nobody is listed yet today."))).to_be_visible()
    ada.page.get_by_label(ada.t("Show me on the leaderboards")).check()
    expect(ada.page.locator(".list .me")).to_have_count(1)
    bob.come("/daily")
    found = []
    for each in (ada, bob):
        found += faults_in_every_language(each, "daily", partial(sees_lists, each))
        past = each.page.evaluate("fetch('/api/daily/calendar').then(sent => sent.json())")["days"]
        each.come(f"/daily/{past[1]}")
        found += faults_in_every_language(each, "proof", partial(sees_proof, each))
    assert not found, "\n" + "\n".join(found)


def sees_lists(me: Person) -> None:
    expect(me.heading("Leaderboards")).to_be_visible()


def sees_proof(me: Person) -> None:
    expect(
        me.page.get_by_text(me.t("✓ This deal was set before anybody played it."))
    ).to_be_visible()


def copied(me: Person, line: str) -> None:
    """At a desk, *Share result* copies the line."""
    me.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=me.url)
    me.button("Share result").click()
    expect(me.page.get_by_text(me.t("Result copied."), exact=True).first).to_be_visible()
    assert me.page.evaluate("navigator.clipboard.readText()") == line


def shared(me: Person) -> None:
    """On a phone, it hands the line to whatever the person shares with. The card fits in every
    language."""

    def score() -> None:
        told = me.page.get_by_text(me.pattern("Your score: {score}", score=r".+"))
        expect(told.first).to_be_visible(timeout=SCORING)

    score()
    found = faults_in_every_language(me, "the result of a daily game", score)
    assert not found, "\n" + "\n".join(found)
    me.page.evaluate("navigator.share = async (shared) => { window.shared = shared; }")
    me.button("Share result").click()
    line = me.page.get_by_role("textbox", name=me.t("Line to share")).input_value()
    assert me.page.evaluate("window.shared") == {"text": line}


def test_the_proof_of_a_past_deal(person: MakePerson) -> None:
    me = person("en")
    me.come("/daily")
    me.page.locator(".calendar button").nth(-2).click()
    me.button("Check this deal").click()
    expect(me.page.get_by_text("✓ This deal was set")).to_be_visible()
    hands = me.page.locator(".proof dd").filter(has_text=re.compile(r"^([A-Z]\d ){3}[A-Z]\d$"))
    expect(hands).to_have_count(4)
    # A link that isn't of the chain is found out.
    me.page.route("**/api/daily/proof/*", wrong_link)
    me.page.reload()
    expect(me.page.get_by_text("✗ This deal’s link doesn’t belong")).to_be_visible()


def wrong_link(route: Route) -> None:
    answer = route.fetch()
    proof = answer.json()
    proof["link"] = f"{int(proof['link'][0], 16) ^ 1:x}{proof['link'][1:]}"
    route.fulfill(response=answer, json=proof)
