"""The end of a game: why it was won or lost, luck and play, the turn that decided it, a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from .layout import map_faults
from .people import SLOW, TABLE, MakePerson, Person


def card(me: Person, title: str, **facts: str) -> Locator:
    return me.page.get_by_role("region", name=me.pattern(title, **facts))


def sums(me: Person) -> dict[str, list[int]]:
    """By name, as the table of the scores tells them: rank, start, payouts, bonus, track, land,
    cash."""
    found = {}
    for row in me.scores.get_by_role("row").all()[1:]:
        name = row.get_by_role("rowheader").locator("bdi").text_content() or ""
        cells = [cell.locator(".wide").all_text_contents() for cell in row.locator("td").all()]
        amounts = [int(re.sub(r"\D", "", text[0].replace("−", ""))) for text in cells if text]
        found[name] = [int(row.locator("td").first.text_content() or ""), *amounts]
    return found


def amount_in(text: str) -> int:
    (found,) = re.findall(r"\$([\d,]+)", text)
    return int(found.replace(",", ""))


def test_why_a_game_was_won_or_lost(person: MakePerson) -> None:
    me = person("en")
    me.come()
    me.name("Ada")
    me.play_now("Clerk")
    me.finish()
    found = sums(me)
    mine = found["You"]
    order = sorted(found, key=lambda name: found[name][0])
    rival = next(name for name in order if name != "You")
    won = mine[0] == 1
    why = card(me, "Why you won" if won else "Why you lost")
    expect(why).to_be_visible()

    # Place and margin
    told = why.get_by_role("paragraph").first.text_content() or ""
    assert rival in told
    if mine[-1] != found[rival][-1]:
        assert amount_in(told) == abs(mine[-1] - found[rival][-1])
    if not won:
        assert f" of {len(found)}" in told
        assert re.search(rf"\b{mine[0]}(st|nd|rd|th)\b", told)

    # The reasons are the differences of the table, the largest of those that explain it first
    reasons = why.get_by_role("listitem").filter(has_text=re.compile("more in|bonus of|less on"))
    texts = reasons.all_text_contents()
    wanted = {abs(one - other) for one, other in zip(mine[2:-1], found[rival][2:-1], strict=True)}
    assert {amount_in(text) for text in texts} == wanted - {0}
    better = re.compile(
        r"\bYou (collected|got|spent)" if won else rf"{rival} (collected|got|spent)"
    )
    speaks = [bool(better.search(text)) for text in texts]
    assert speaks == sorted(speaks, reverse=True)
    explains = [amount_in(text) for text, for_it in zip(texts, speaks, strict=True) if for_it]
    assert explains == sorted(explains, reverse=True)
    expect(why.get_by_role("img", name="Cash", exact=True)).to_be_visible()

    # At a desk and on a phone on its side it stands beside the map, which stays legible.
    for width, height in ((1280, 720), (844, 390)):
        me.resize(width, height)
        board, end = me.map.bounding_box(), me.finale.bounding_box()
        assert board
        assert end
        assert board["x"] + board["width"] <= end["x"]
        assert not map_faults(me.page)

    # Luck and play, from the server
    expect(why.get_by_role("img", name="Chance to win", exact=True)).to_be_visible()
    parts = why.get_by_role("list", name="Luck and play", exact=True).get_by_role("listitem")
    points = [
        int(re.sub("−", "-", re.findall(r"[+−]?\d+", text)[0]))
        for text in parts.all_text_contents()
    ]
    fair, result = 100 / len(found), 100 * won
    assert abs(fair + sum(points) - result) <= 3  # four of them are rounded

    # The turn that decided it, on the map
    show = why.get_by_role(
        "button", name=me.pattern("Show turn {number} on the map", number=r"\d+")
    )
    number = int(re.findall(r"\d+", show.text_content() or "")[0])
    show.click()
    expect(me.heading("After turn {number}", number=number)).to_be_visible()
    assert me.map.locator(".space.laid").count() == number
    # Whoever uses keys is never left nowhere, and Escape leads back.
    expect(me.page.get_by_role("slider", name=me.t("Turn"), exact=True)).to_be_focused()
    me.page.keyboard.press("Escape")
    expect(why).to_be_visible()
    expect(me.finale).to_be_focused()

    # The full review replaces the estimate
    estimate = why.get_by_text(
        me.t("A quick estimate; points are percentage points of the chance to win.")
    )
    expect(estimate).to_be_visible()
    me.button("Work it out more precisely").press("Enter")
    expect(why.locator(".why-luck")).to_be_focused()
    expect(
        why.get_by_text(me.t("A point is one percentage point of the chance to win."))
    ).to_be_visible(timeout=4 * SLOW)
    expect(me.button("Work it out more precisely")).to_have_count(0)

    with me.page.expect_download() as download:
        me.finale.get_by_role("button", name="Save a picture", exact=True).click()
    picture = Path(download.value.path()).read_bytes()
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert picture.startswith(b"\x89PNG")
    assert (width, height > 1000) == (1600, True)  # the map and, below it, the result

    # Others read of the winner, in their own language and by name
    watcher = person("fr", width=390, height=844, touch=True)
    watcher.page.goto(me.page.url)
    winner = {"You": "Ada"}.get(order[0], order[0])
    expect(card(watcher, "Why {player} won", player=winner)).to_be_visible()
    assert "vous" not in (watcher.page.locator(".reasons").text_content() or "").lower()
    watcher.page.reload()
    expect(watcher.page.get_by_role("list", name="Chance et jeu", exact=True)).to_be_visible()

    # And I play on from the turn that decided it
    on = me.page.get_by_role(
        "button",
        name=me.pattern("Play on from turn {number} as {player}", number=r"\d+", player="Ada"),
    )
    before = me.page.url
    on.click()
    me.page.wait_for_url(lambda url: url != before and bool(TABLE.search(url)))
    expect(me.map).to_be_visible()


def test_a_record_keeps_the_names_of_its_computers(person: MakePerson, tmp_path: Path) -> None:
    """Also one of an earlier version, which calls a computer player by its level."""
    me = person("en")
    me.come()
    me.name("Ada")
    me.play_now("Clerk")
    me.finish()
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download the record", exact=True).click()
    record = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert [each["name"] for each in record["players"]] == ["Ada", "Mabel", "Jules", "Flora"]
    for each in record["players"][1:]:
        each["name"] = each["level"]
    older = tmp_path / "older.json"
    older.write_text(json.dumps(record), "utf-8")
    winner = ["Ada", "Mabel", "Jules", "Flora"][record["result"]["winners"][0]]
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(older)
    expect(me.finale).to_contain_text(f"{winner} wins!")
    expect(card(me, "Why {player} won", player=winner)).to_be_visible()
    assert "clerk" not in (me.finale.text_content() or "")
    expect(me.page.get_by_role("list", name="Luck and play", exact=True)).to_be_visible()
