"""Modules of the page by themselves: fed with messages and clicks, without a table."""

from __future__ import annotations

from .people import MakePerson

TWICE = """async () => {
  const { version } = document.documentElement.dataset;
  const { Model } = await import(`${document.baseURI}web/${version}/js/game/model.js`);
  const said = (number) => ({
    number, at: number, happenings: [{ kind: "said", person: "p", name: "Ada", text: `${number}` }],
  });
  const model = new Model("");
  const told = [];
  for (const steps of [[said(1), said(2)], [said(2), said(3)], [said(3)], [said(5)], [said(4)]]) {
    const found = model.receive({ type: "news", steps });
    told.push({ steps: found.steps.map(({ number }) => number), changed: [...found.changed] });
  }
  return { told, chat: model.chat.map(({ text }) => text), number: model.number };
}"""

CARDS = """async () => {
  const { version } = document.documentElement.dataset;
  const at = `${document.baseURI}web/${version}/js/table/turn/composer.js`;
  const { Composer } = await import(at);
  const asked = [];
  const connection = {
    ask: async ({ moves }) => {
      asked.push(moves);
      return { legal: ["+DEN", "+OGD"], table: { phase: "buy" } };
    },
  };
  const composer = new Composer({ canPlay: true }, connection, { draftChanged() {} });
  await composer.choose("V1");
  for (const move of ["-DOD1", "+DEN", "+OGD", "+OGD"]) await composer.add(move);
  await composer.back();
  await composer.choose("V1");
  return { asked, moves: composer.moves };
}"""


def test_a_step_that_comes_twice_is_told_once(person: MakePerson) -> None:
    """As after a lost line, when what was missed overlaps with what is known."""
    found = person("en").come().page.evaluate(TWICE)
    assert [each["steps"] for each in found["told"]] == [[1, 2], [3], [], [5], []]
    assert [each["changed"] for each in found["told"]] == [["chat"], ["chat"], [], ["chat"], []]
    assert found["chat"] == ["1", "2", "3", "5"]
    assert found["number"] == 5


def test_another_card_takes_the_place_of_the_chosen_one(person: MakePerson) -> None:
    found = person("en").come().page.evaluate(CARDS)
    assert found["asked"] == [
        ["V1"],
        ["V1", "-DOD1"],
        ["V1", "-DOD1", "+DEN"],
        ["V1", "-DOD1", "+OGD"],
        ["V1", "-DOD1"],  # the same once more takes it back
        ["V1"],
    ]
    assert found["moves"] == []
