"""The proof of the shuffle: computed in the browser, for every recorded game that has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.sizes import in_soak

from .people import MakePerson, Person

RECORDS = sorted((Path(__file__).parents[1] / "conformance").glob("*.json"))
SHUFFLED = [path for path in RECORDS if json.loads(path.read_text("utf-8")).get("shuffle")]

CHECK = """async (record) => {
  const root = `web/${document.documentElement.dataset.version}/js/`;
  const at = (path) => import(new URL(root + path, document.baseURI).href);
  const { Figures } = await at("game/figures.js");
  const { verifyShuffle } = await at("review/verify-shuffle.js");
  const edition = record.figures ?? await (await fetch(`api/editions/${record.edition}`)).json();
  return await verifyShuffle(record, new Figures(edition));
}"""


def test_every_recorded_shuffle_holds_and_no_changed_one(person: MakePerson) -> None:
    me = person("en")
    me.come()
    assert len(SHUFFLED) > 15
    for path in SHUFFLED:
        record = json.loads(path.read_text("utf-8"))
        assert me.page.evaluate(CHECK, record)["holds"], path.name
    records = [json.loads(path.read_text("utf-8")) for path in SHUFFLED]
    mixed_again = next(record for record in records if record.get("remixed"))
    for changed, spoilt in [*changes(records[0]), *other_orders(mixed_again)]:
        found = me.page.evaluate(CHECK, changed)
        assert not found["holds"]
        assert not found[spoilt], spoilt


def changes(record: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The record with one thing changed in it, and what no longer holds."""
    deal, shuffle = record["deal"], record["shuffle"]
    other = shuffle["seed"][::-1]
    hands = [list(hand) for hand in deal["hands"]]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    return [
        ({**record, "shuffle": {**shuffle, "seed": other}}, "commitmentHolds"),
        ({**record, "shuffle": {**shuffle, "contributions": []}}, "dealHolds"),
        ({**record, "deal": {**deal, "hands": hands}}, "dealHolds"),
        ({**record, "deal": {**deal, "first": (deal["first"] + 1) % len(hands)}}, "firstHolds"),
    ]


def other_orders(record: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The record with one heap of tiles in another order: what is drawn next depends on it."""
    deal, (first, *others) = record["deal"], record["remixed"]
    assert len(deal["pool"]) > 1
    assert len(first) > 1
    return [
        ({**record, "deal": {**deal, "pool": deal["pool"][::-1]}}, "dealHolds"),
        ({**record, "remixed": [first[::-1], *others]}, "remixedHolds"),
    ]


def verdict(me: Person, good: bool) -> None:
    told = (
        "✓ The tiles were dealt exactly as promised; nobody chose them."
        if good
        else "✗ Something doesn’t match. See below."
    )
    expect(me.page.get_by_text(me.t(told), exact=True)).to_be_visible()


def test_who_played_compares_what_the_browser_saw_and_sent(person: MakePerson) -> None:
    me = person("fr", width=360, height=640, touch=True)
    me.play_now()
    me.finish()
    me.button("Check the shuffle").click()
    verdict(me, good=True)
    expect(me.page.get_by_text(me.t("This browser’s secret is among them."))).to_be_visible()
    me.page.reload()
    verdict(me, good=True)
    me.page.evaluate(
        """() => {
          const ours = (name) => name.startsWith("lastspike.shuffle.");
          const key = Object.keys(localStorage).find(ours);
          const part = JSON.parse(localStorage.getItem(key));
          part.commitment = part.commitment.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
          localStorage.setItem(key, JSON.stringify(part));
        }"""
    )
    me.page.reload()
    verdict(me, good=False)
    me.button("Back to the game").click()
    expect(me.finale).to_be_visible()


@pytest.mark.parametrize("language", [in_soak("pt"), "ja"])
def test_a_record_from_a_file_is_checked_too(person: MakePerson, language: str) -> None:
    me = person(language)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(SHUFFLED[0])
    expect(me.finale).to_be_visible()
    me.button("Check the shuffle").click()
    verdict(me, good=True)
    me.page.go_back()
    expect(me.finale).to_be_visible()
    me.page.go_forward()
    verdict(me, good=True)
    me.back.click()
    expect(me.finale).to_be_visible()
