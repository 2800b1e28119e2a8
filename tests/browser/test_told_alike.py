"""The page and the terminal tell the same: every event, answer and number, in every language."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from lastspike.languages import LANGUAGES
from lastspike.rules.board import Seat
from lastspike.rules.events import to_json
from lastspike.rules.records.record import read_record
from lastspike.rules.view import view_to_json
from lastspike.words.events import Teller
from lastspike.words.language import words_for
from lastspike.words.questions import Questions

from .people import MakePerson
from .screens import RECORDS

NAMES = ["Ada", "Bob", "Chloé", "大輔", "Eve", "Flo"]
TOLD = (
    "049-SALE-SPIKE-double-empty-pool-n3-raise-standard",
    "052-T5-DRAW-T5-SKIP-bankrupt-bankrupts-empty-hand-empty-pool-line-n4-raise",
    "056-T5-BANKRUPT-T5-DRAW-bankrupt-bankrupts-last-player-line-n4-no-options-raise",
)
"""Recorded games that hold every kind of event between them."""

IN_PAGE = """async ({ edition, events, views, names, own }) => {
  const { version } = document.documentElement.dataset;
  const at = (path) => `${document.baseURI}web/${version}/js/${path}`;
  const [{ Figures }, { Teller }, { Questions }] = await Promise.all(
    ["game/figures.js", "game/teller.js", "game/questions.js"].map((path) => import(at(path))),
  );
  const figures = new Figures(edition);
  const teller = new Teller(figures, names, own);
  const answers = views.map(({ view, hand }) => {
    const about = { hand, levels: names.map(() => null), payouts: true };
    const asked = new Questions(view, figures, teller, about);
    return [
      ...asked.hand(), ...asked.routes(), ...asked.cities(), ...asked.players(),
      ...edition.routes.flatMap(({ letter }) => asked.route(letter)), ...asked.route("?"),
      ...edition.cities.flatMap(({ code }) => asked.city(code)), ...asked.city("?"),
      ...asked.player("?"),
    ];
  });
  return { told: teller.tell(events), answers };
}"""


NUMBERS = (0, 0.05, 0.25, 0.285, 0.5, 0.949, 0.95, 1, 1.005, 2.5, 12.34, 999.95, 3000, 9999.96)
AMOUNTS = (0, 500, 1000, 5000, 9999, 10_000, 20_000, 35_000, 123_456, 1_234_000)

WRITTEN = """async ({ numbers, amounts }) => {
  const { version } = document.documentElement.dataset;
  const at = `${document.baseURI}web/${version}/js/lib/words.js`;
  const { money, number, percent, shortMoney } = await import(at);
  const all = (write) => numbers.map((value) => [0, 1, 2].map((digits) => write(value, digits)));
  const short = [4000, 20000, 35000, -20000, 0, 1500].map(shortMoney);
  return { money: amounts.map(money), number: all(number), percent: all(percent), short };
}"""

SHORT = {
    "en": ["$4k", "$20k", "$35k", "−$20k", "$0", "$1,500"],
    "fr": ["4_k$", "20_k$", "35_k$", "−20_k$", "0_$", "1_500_$"],
    "pt": ["4_k$", "20_k$", "35_k$", "−20_k$", "0_$", "1500_$"],
    "pt-BR": ["$_4k", "$_20k", "$_35k", "−$_20k", "$_0", "$_1.500"],
    "ja": ["4千", "2万", "3.5万", "−2万", "0ドル", "1,500ドル"],
}
"""Where there is little room: 4,000, 20,000, 35,000, −20,000, 0 and 1,500. _ is any hard space."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_money_numbers_and_percentages_are_written_alike(person: MakePerson, language: str) -> None:
    me = person(language)
    me.come()
    expect(me.button("Play now")).to_be_visible()
    words = words_for(language)
    numbers = [sign * number for number in NUMBERS for sign in (1, -1)]
    amounts = [sign * amount for amount in AMOUNTS for sign in (1, -1)]
    found = me.page.evaluate(WRITTEN, {"numbers": numbers, "amounts": amounts})
    assert found["money"] == [words.money(amount) for amount in amounts]
    for name, write in (("number", words.number), ("percent", words.percent)):
        assert found[name] == [[write(value, digits) for digits in range(3)] for value in numbers]
    assert [re.sub("[\\u00a0\\u202f]", "_", text) for text in found["short"]] == SHORT[language]


@pytest.mark.parametrize("own", [None, 0, 2])
@pytest.mark.parametrize("language", LANGUAGES)
def test_events_and_answers_are_told_alike(
    person: MakePerson, language: str, own: Seat | None
) -> None:
    """To who watches, and to one of the players, who is "you"."""
    me = person(language)
    me.come()
    expect(me.button("Play now")).to_be_visible()
    page = me.page
    kinds = set()
    for name in TOLD:
        record = read_record(json.loads((RECORDS / f"{name}.json").read_text("utf-8")))
        game, setup = record.game, record.game.setup
        names = NAMES[: setup.players]
        teller = Teller(setup.edition, names, words_for(language), own)
        kinds |= {type(event).__name__ for event in game.history}
        views, answers = [], []
        for moves in range(0, len(game.moves), max(1, len(game.moves) // 4)):
            then = game.again()
            for move in game.moves[:moves]:
                then.play(move)
            seat: Seat | None = then.turn
            if seat is None:
                continue
            view = then.view(seat)
            hand = [setup.board.codes[tile] for tile in view.hand]
            views.append({"view": view_to_json(view), "hand": hand})
            answers.append(_answers(Questions(view, teller, (), names)))
        given = {
            "edition": setup.edition.to_figures(),
            "events": [to_json(event) for event in game.history],
            "views": views,
            "names": names,
            "own": own,
        }
        found = page.evaluate(IN_PAGE, json.loads(json.dumps(given)))
        assert found["told"] == teller.tell(game.history)
        for here, there in zip(found["answers"], answers, strict=True):
            assert here == there
    assert len(kinds) == 15


def _answers(asked: Questions) -> list[str]:
    edition = asked.teller.edition
    return [
        *asked.hand(),
        *asked.routes(),
        *asked.cities(),
        *asked.players(),
        *(line for route in edition.routes for line in asked.route(route.letter)),
        *asked.route("?"),
        *(line for city in edition.cities for line in asked.city(city.code)),
        *asked.city("?"),
        *asked.player("?"),
    ]
