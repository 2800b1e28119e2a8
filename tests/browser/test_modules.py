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
  const teller = { city: String, move: String, tell: () => [] };
  const failed = (error) => asked.push(error);
  const page = { draftChanged() {}, acting() {}, told() {}, failed, teller: () => teller };
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
  return [
    told(0.05, -0.05, 0.15, -0.3), told(0.2, 0.2, 0.1, -0.1),
    told(0, 0.1, -0.3, 0.1), told(0.1, -0.1, 0.2, 0.08),
  ];
}"""


STOPPED = """async () => {
  const { version } = document.documentElement.dataset;
  const at = `${document.baseURI}web/${version}/js/game/shuffle.js`;
  const { stoppedRounds } = await import(at);
  const rounds = [{ round: 1, silent: [1], left: [] }, { round: 2, silent: [], left: [0, 2] }];
  return stoppedRounds(rounds, ["Ada", "Bob", "Cy"]);
}"""

RIVERS = """async () => {
  const { version } = document.documentElement.dataset;
  const from = (path) => import(`${document.baseURI}web/${version}/js/map/${path}`);
  const [{ layOut, placesOf }, { coursesOf, smooth }] =
    await Promise.all([from("layout.js"), from("land/water.js")]);
  const edition = await (await fetch("api/editions/columbia-2015")).json();
  const places = placesOf({ edition });
  const spaces = layOut({ edition }, places);
  const routes = edition.routes.map(({ ends }) => ends.map((code) => places.get(code)));
  const side = (p, q, r) => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  const cross = (a, b, c, d) =>
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const found = [];
  for (let seed = 0; seed < 20; seed++) {
    let state = seed;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const crossed = coursesOf(spaces, routes, random).flatMap(({ points }) => {
      const line = smooth(points);
      return line.slice(1).flatMap((to, n) => routes.some(([c, d]) => cross(line[n], to, c, d))
        ? [spaces.toSorted((one, other) => far(one.at, to) - far(other.at, to))[0].tile] : []);
    });
    found.push(crossed.sort().join());
  }
  return [[...new Set(found)],
    spaces.filter(({ terrain }) => terrain === "bridge").map(({ tile }) => tile).sort().join()];
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
    """Deal and draws that cancel out have long bars all the same."""
    assert person("en").come().page.evaluate(WEIGHED) == [
        "The others’ play mattered most.",
        "Luck mattered most.",
        "Own play mattered most.",
        "Luck and play mattered about equally.",
    ]


def test_rivers_cross_routes_at_bridges_only(person: MakePerson) -> None:
    """Each bridge is crossed once, and no other space, however the rivers happen to wind."""
    crossed, bridges = person("en").come().page.evaluate(RIVERS)
    assert crossed == [bridges]


def test_stopped_rounds_of_the_shuffle_are_told_with_who_stopped_them(person: MakePerson) -> None:
    me = person("en")
    me.come()
    assert me.page.evaluate(STOPPED) == [
        "Round 1 was stopped: Bob’s browser didn’t answer in time.",
        "Round 2 was stopped: the player in seat 1 left.",
        "Round 2 was stopped: the player in seat 3 left.",
    ]
