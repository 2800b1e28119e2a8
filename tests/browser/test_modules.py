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
  const page = { draftChanged() {}, acting() {}, told() {}, failed: (error) => asked.push(error) };
  const composer = new Composer({ canPlay: true }, connection, page);
  composer.spoken = () => "";
  await composer.choose("V1");
  for (const move of ["-DOD1", "+DEN", "+OGD", "+OGD"]) await composer.add(move);
  await composer.back();
  await composer.choose("V1");
  return { asked, moves: composer.moves };
}"""

WEIGHED = """async () => {
  const { version } = document.documentElement.dataset;
  const { weighed } = await import(`${document.baseURI}web/${version}/js/table/end/luck.js`);
  const told = (deal, draws, own, others) => weighed({
    deal: { mean: deal }, draws: { mean: draws },
    own_play: { mean: own }, others_play: { mean: others },
  });
  return [told(0.05, -0.05, 0.15, -0.2), told(0.2, 0.2, 0.1, -0.1), told(0.1, -0.1, 0.1, 0.08)];
}"""


STOPPED = """async () => {
  const { version } = document.documentElement.dataset;
  const at = `${document.baseURI}web/${version}/js/game/shuffle.js`;
  const { stoppedRounds } = await import(at);
  const rounds = [{ round: 1, silent: [1], left: [] }, { round: 2, silent: [], left: [0, 2] }];
  return stoppedRounds(rounds, ["Ada", "Bob", "Cy"]);
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


def test_luck_and_play_are_weighed_as_their_bars_show(person: MakePerson) -> None:
    """Own play and others' play that cancel out have long bars all the same."""
    assert person("en").come().page.evaluate(WEIGHED) == [
        "Play mattered more than luck.",
        "Luck mattered more than play.",
        "Luck and play mattered about equally.",
    ]


def test_stopped_rounds_of_the_shuffle_are_told_with_who_stopped_them(person: MakePerson) -> None:
    me = person("en")
    me.come()
    assert me.page.evaluate(STOPPED) == [
        "Round 1 was stopped: Bob’s browser didn’t answer in time.",
        "Round 2 was stopped: the player in seat 1 left.",
        "Round 2 was stopped: the player in seat 3 left.",
    ]
