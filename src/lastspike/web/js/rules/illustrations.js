// Tables and drawings that stand beside the rules.

import { STANDARD } from "../game/editions.js";
import { showError } from "../game/errors.js";
import { SPACES } from "../game/figures.js";
import { seatSymbol } from "../game/players.js";
import { keepRecord } from "../game/record.js";
import { get, version } from "../lib/api.js";
import { button, el, tableHead } from "../lib/ui/dom.js";
import { count, money, say, shortMoney, spoken } from "../lib/words.js";
import { BoardMap } from "../map/map.js";

/** @typedef {import("./rulebook.js").Rulebook} Rulebook */

/** By the names that the rules call them. @type {Record<string, (book: Rulebook) => HTMLElement>} */
export const FIGURES = { map, spike, worked, instead, payouts, costs, land, cash, strip, paid, deeds };

/** The board before the first tile. @param {Rulebook} book */
function map(book) {
  return drawnMap(book, book.words.labels.map, []);
}

/** The board when the last spike is driven. @param {Rulebook} book */
function spike(book) {
  const { tile, track } = book.examples.spike;
  return drawnMap(book, book.words.labels.spike, track, tile);
}

/** The worked example at its end, which opens at a table. @param {Rulebook} book */
function worked(book) {
  return ended(book, book.examples.worked?.last, "worked");
}

/** The same with the other last spike. @param {Rulebook} book */
function instead(book) {
  return ended(book, book.examples.worked?.instead, "instead");
}

/** @param {Rulebook} book @param {import("./examples.js").Ending | undefined} ending @param {"worked" | "instead"} name */
function ended(book, ending, name) {
  if (!ending) return el("div");
  const { tile, track } = ending;
  const drawn = drawnMap(book, book.label(name), track, tile);
  const { go, edition } = book;
  // The games are recorded with the figures of the standard edition.
  if (go && edition.id === STANDARD) {
    drawn.append(button(book.label(`open_${name}`), () => void openExample(tile, go), { "data-key": `open-${tile}` }));
  }
  return drawn;
}

/** Show the game that ends with this tile, before its last turn. @param {string} tile @param {(path: string) => void} go */
async function openExample(tile, go) {
  try {
    const record = await get(`web/${version}/examples/${tile}.json`);
    await keepRecord(record);
    const turns = record.moves.filter((/** @type {string} */ move) => /^[A-Z]\d$/.test(move)).length;
    go(`record#turn=${turns - 1}`);
  } catch (error) {
    showError(error);
  }
}

/** What the routes of the worked example paid. @param {Rulebook} book */
function payouts(book) {
  const { words: { labels }, examples: { figures } } = book;
  const rows = (book.examples.worked?.paid ?? []).map(({ letter, ends }, n) => [
    String(n + 1),
    letter,
    between(book, ends),
    ...ends.map((code) => shortMoney(figures.city(code).payouts[0])),
  ]);
  return framed(labels.payouts, [
    table(labels.payouts, [labels.number, labels.route, labels.between, labels.first_pays, labels.second_pays], rows, "payouts"),
  ]);
}

/** @param {Rulebook} book @param {string} caption @param {string[]} track @param {string} [spiked] */
function drawnMap(book, caption, track, spiked) {
  const { edition } = book;
  const { figures } = book.examples;
  const drawn = new BoardMap(figures, { onTile: () => {}, onCity: () => {} });
  /** @type {any} */
  const view = { track, land: Object.fromEntries(edition.cities.map(({ code }) => [code, Array(5).fill(null)])), last_spike: spiked ? 0 : null };
  drawn.update(view, { hand: [], legal: new Set(), ghost: null, last: spiked ?? null });
  return el("figure", { class: "rule-figure rule-map" }, drawn.element, el("figcaption", {}, caption));
}

/** @param {Rulebook} book */
function costs(book) {
  const { words: { labels }, edition } = book;
  const printed = new Printed(edition);
  const rows = edition.routes.map(({ letter, ends, costs }) => [
    letter,
    between(book, ends),
    ...costs.map((cost, n) => printed.mark(`routes.${letter}.costs`, n + 1, cost)),
  ]);
  return framed(labels.costs, [
    table(labels.costs, [labels.route, labels.between, ...SPACES.map((n) => [el("span", { class: "word" }, labels.space.replace("{number}", String(n))), el("span", { class: "digit" }, String(n))])], rows, "costs"),
    printed.note(labels.printed),
  ]);
}

/** @param {Rulebook} book */
function land(book) {
  const { words: { labels }, edition } = book;
  const printed = new Printed(edition);
  const name = (/** @type {string} */ code) => book.examples.figures.cityName(code, spoken());
  const numbers = (/** @type {number[]} */ of) => of.map((_, n) => String(n + 1));
  const prices = edition.cities.map(({ code, land }) => [
    name(code),
    labels.free,
    ...land.slice(1).map((price, n) => printed.mark(`cities.${code}.land`, n + 2, price)),
  ]);
  const pays = edition.cities.map(({ code, payouts }) => [
    name(code),
    ...payouts.map((amount, n) => printed.mark(`cities.${code}.payouts`, n + 1, amount)),
  ]);
  const [first] = edition.cities;
  return framed(labels.land, [
    el(
      "div",
      { class: "rule-pair" },
      table(labels.prices, [labels.city, ...numbers(first.land)], prices, "land"),
      table(labels.pays, [labels.city, ...numbers(first.payouts)], pays, "land"),
    ),
    printed.note(labels.printed),
  ]);
}

/** @param {Rulebook} book */
function cash(book) {
  const { words: { labels }, edition } = book;
  const rows = Object.entries(edition.starting_cash).map(([players, amount]) => [players, money(amount)]);
  return framed(labels.cash, [table(labels.cash, [labels.players, labels.each], rows, "cash")]);
}

/** A route with its first tile laid. @param {Rulebook} book */
function strip(book) {
  const { words: { labels } } = book;
  const { figures, strip: { route, near } } = book.examples;
  /** @type {any} */
  const view = { track: [near] };
  const [from, to] = route.ends.map((code) => figures.cityName(code, spoken()));
  return el(
    "figure",
    { class: "rule-figure" },
    el("p", { class: "strip-ends", "aria-hidden": "true" }, el("span", {}, from), el("span", {}, to)),
    el(
      "ol",
      { class: "strip" },
      SPACES.map((n) => {
        const tile = `${route.letter}${n}`;
        const { cost, double } = figures.cost(view, tile);
        const kind = tile === near ? "laid" : double ? "double" : "plain";
        return el(
          "li",
          { class: `strip-space ${kind}` },
          el("b", {}, tile),
          el("span", { class: "strip-cost" }, kind === "laid" ? "" : money(cost)),
          el("span", { class: "strip-kind" }, labels[kind]),
        );
      }),
    ),
    el("figcaption", {}, labels.strip),
  );
}

/** @param {Rulebook} book */
function paid(book) {
  const { words: { labels }, facts } = book;
  const rows = [
    [facts.pay_two_city, "2", facts.pay_two],
    [facts.pay_one_city, "1", facts.pay_one],
    [labels.sum, "", facts.pay_sum],
  ];
  return framed(labels.paid, [table(labels.paid, [labels.city, labels.cards, labels.amount], rows.map((row) => row.map(String)), "paid")]);
}

/** The cards of a city whose free one is taken. @param {Rulebook} book */
function deeds(book) {
  const { words: { labels } } = book;
  const { city } = book.examples.grant;
  const name = book.examples.figures.cityName(city.code, spoken());
  const state = (/** @type {number} */ rank) => (rank === 0 ? "taken" : rank === 1 ? "next" : "later");
  return el(
    "figure",
    { class: "rule-figure" },
    el(
      "ol",
      { class: "deed-row" },
      city.land.map((price, rank) =>
        el(
          "li",
          { class: `deed-card ${state(rank)}` },
          el("span", { class: "deed-city" }, name),
          el("b", {}, rank === 0 ? labels.free : money(price)),
          el("span", { class: "deed-state" }, rank === 0 && seatSymbol(1, "seat-1"), labels[state(rank)]),
        ),
      ),
    ),
    el("figcaption", {}, labels.deeds),
  );
}

/** What everybody starts with, by the number of players. @param {import("../game/figures.js").Edition} edition */
export function cashList(edition) {
  const told = Object.entries(edition.starting_cash).map(([n, amount]) => say("{amount} with {who}", { who: count("{n} player", "{n} players", Number(n)), amount: money(amount) }));
  return el("ul", { class: "cash-list" }, told.map((each) => el("li", {}, each)));
}

/** @param {Rulebook} book @param {string[]} ends */
function between(book, ends) {
  const [one, other] = ends.map((code) => book.examples.figures.cityName(code, spoken()));
  return say("{one}–{other}", { one, other });
}

/** Wide tables scroll in a frame of their own. @param {string} name @param {(Node | null)[]} content */
function framed(name, content) {
  return el("div", { class: "rule-figure rule-table", tabindex: "0", role: "group", "aria-label": name }, content);
}

/** @param {string} caption @param {(string | (Node | string)[])[]} heads @param {string[][]} rows @param {string} kind */
function table(caption, heads, rows, kind) {
  return el(
    "table",
    { class: `figures ${kind}` },
    el("caption", {}, caption),
    tableHead(heads),
    el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map((cell) => el("td", {}, cell.replace(STAR, ""), el("span", { class: "star" }, cell.endsWith(STAR) && STAR)))))),
  );
}

/** The mark of what is printed; it has a place of its own, so that figures stay in line. */
const STAR = "*";

/** Which figures of an edition a rulebook states; the others are reconstructed. */
class Printed {
  /** @param {import("../game/figures.js").Edition} edition */
  constructor(edition) {
    this.paths = new Set(edition.printed);
    this.some = false;
  }

  /** An amount, with a mark where it is printed. @param {string} path @param {number} place @param {number} value */
  mark(path, place, value) {
    const found = [path, `${path}.${place}`, `${path}=${value}`].some((each) => this.paths.has(each));
    this.some ||= found;
    return shortMoney(value) + (found ? STAR : "");
  }

  /** @param {string} text */
  note(text) {
    return this.some ? el("p", { class: "notes" }, text) : null;
  }
}
