"""Looking back: the board as it was, in a running game and in one that is over; playing on."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from .people import TABLE, MakePerson, Person
from .screens import record_of

RECORDS = sorted((Path(__file__).parents[1] / "conformance").glob("*.json"))

FOLD = """async (record) => {
  const root = `web/${document.documentElement.dataset.version}/js/`;
  const at = (path) => import(new URL(root + path, document.baseURI).href);
  const { Figures } = await at("game/figures.js");
  const { tableAfter } = await at("game/past-table.js");
  const { Model } = await at("game/model.js");
  const asked = await fetch("api/records", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record),
  });
  const told = await asked.json();
  const model = new Model("");
  model.receive(told);
  const figures = new Figures(
    told.table.settings.figures ?? await (await fetch(`api/editions/${record.edition}`)).json());
  const then = tableAfter(figures, model.view, model.dealt, model.turns, record);
  return { then, now: model.view };
}"""


def test_every_recorded_game_comes_out_at_its_end(person: MakePerson) -> None:
    """What the page makes of the events is what the engine made of the moves."""
    me = person("en")
    me.come()
    for path in RECORDS:
        record = json.loads(path.read_text("utf-8"))
        found = me.page.evaluate(FOLD, record)
        then, now = found["then"], found["now"]
        assert then["cash"] == record["result"]["cash"], path.name
        for key in ("track", "land", "tiles", "pool", "bankrupt", "last_spike"):
            wanted, got = now[key], then[key]
            if key in ("track", "bankrupt"):
                wanted, got = sorted(wanted), sorted(got)
            assert got == wanted, (path.name, key)
        assert [len(hand) for hand in then["hands"]] == now["tiles"], path.name
        assert not {tile for hand in then["hands"] for tile in hand} & set(now["track"])


def laid(me: Person) -> int:
    """How many tiles the map shows with track."""
    return me.map.locator(".space.laid").count()


def looking(me: Person) -> Locator:
    return me.page.get_by_role("group", name=me.t("Replay"), exact=True)


def test_the_log_leads_back_while_a_game_is_played(person: MakePerson) -> None:
    me = person("fr")
    me.play_now()
    me.play_on(3)
    assert me.until_mine()
    now = laid(me)
    expect(looking(me)).to_be_hidden()
    me.log.get_by_role("button", name=me.t("Turn {number}", number=2), exact=True).click()
    assert laid(me) == 2
    me.page.keyboard.press("ArrowLeft")
    assert laid(me) == 1
    me.page.keyboard.press("ArrowRight")
    assert laid(me) == 2
    looking(me).get_by_role("button", name=me.t("Now"), exact=True).click()
    assert laid(me) == now
    me.page.keyboard.press("ArrowLeft")
    assert laid(me) == now - 1
    me.tiles_to_lay.first.click()  # whoever plays looks at the board as it is
    expect(me.button("End turn")).to_be_visible()
    assert laid(me) == now
    expect(looking(me)).to_be_hidden()


def test_a_finished_game_is_watched_again_and_played_on(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record_of("standard"))
    expect(me.finale).to_be_visible()
    me.page.reload()
    expect(me.finale).to_be_visible()
    slider = looking(me).get_by_role("slider")
    whole = laid(me)
    slider.fill("4")
    assert laid(me) == 4
    hands = me.page.get_by_role("region", name=me.t("Hands at this point"), exact=True)
    expect(hands).to_be_visible()
    expect(me.finale).to_be_hidden()
    eyes = hands.get_by_label(me.t("View"), exact=True)
    all_tiles = hands.locator(".small-tile").count()
    assert all_tiles >= 8
    eyes.select_option(index=1)
    expect(hands.get_by_text(me.t_as("hands", "Hidden"), exact=True).first).to_be_visible()
    assert 0 < hands.locator(".small-tile").count() <= 4
    looking(me).get_by_role("button", name=me.t("Next payout"), exact=True).click()
    assert 4 < laid(me) <= whole
    me.button("Show the scores").click()
    expect(me.finale).to_be_visible()
    assert laid(me) == whole
    slider.fill("3")
    hands.get_by_role(
        "button", name=me.pattern("Play on from here as {player}", player=".+")
    ).click()
    me.page.wait_for_url(TABLE)
    expect(me.map).to_be_visible()
    me.hurry()
    assert me.until_mine()
    me.play_on()
    expect(me.finale).to_be_visible()


def test_a_picture_of_the_board(person: MakePerson) -> None:
    me = person("pt")
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record_of("crooked"))
    expect(me.finale).to_be_visible()
    with me.page.expect_download() as download:
        me.finale.get_by_role("button", name=me.t("Save a picture"), exact=True).click()
    picture = Path(download.value.path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    width = int.from_bytes(picture[16:20], "big")
    assert width == 1600
    assert len(picture) > 60_000  # a blank sheet would be far smaller
    assert download.value.suggested_filename.endswith(".png")
