"""The page and the terminal tell the same: every event and every answer, in every language."""

from __future__ import annotations

import json

import pytest

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


@pytest.mark.parametrize("own", [None, 0, 2])
@pytest.mark.parametrize("language", LANGUAGES)
def test_events_and_answers_are_told_alike(
    person: MakePerson, language: str, own: Seat | None
) -> None:
    """To who watches, and to one of the players, who is "you"."""
    me = person(language)
    me.come()
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
