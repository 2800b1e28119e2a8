// The rules in one language, filled with an edition's figures.

import { STANDARD } from "../game/editions.js";
import { inSeries } from "../game/teller.js";
import { get, version } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { count, listed, money, say, spoken } from "../lib/words.js";
import { Examples } from "./examples.js";
import { lacking, plain } from "./markup.js";

/** @typedef {import("./markup.js").Facts} Facts */
/**
 * @typedef {{id: string, title: string, text: string[], example?: string, figure?: string}} Rule
 * @typedef {{id: string, title: string, lead?: string, rules: Rule[]}} Section
 * @typedef {{title: string, ordered?: boolean, items: string[]}} Part
 * @typedef {{lead: string, labels: Record<string, string>, sections: Section[],
 *   summary: {title: string, goal: string, parts: Part[]}}} Words
 */

export class Rulebook {
  /**
   * @param {Words} words @param {import("../game/figures.js").Edition} edition @param {string} path
   * @param {((path: string) => void) | null} go leads to other screens; null in a dialog
   */
  constructor(words, edition, path, go) {
    this.words = words;
    this.edition = edition;
    this.path = path;
    this.go = go;
    this.examples = new Examples(edition);
    this.facts = factsOf(edition, this.examples);
  }

  /** The sections with the rules that hold for this edition: a rule needs the facts of one of its paragraphs. */
  get sections() {
    const holds = (/** @type {Rule} */ rule) => rule.text.some((text) => !lacking(text, this.facts));
    return this.words.sections
      .map((section) => ({ ...section, rules: section.rules.filter(holds) }))
      .filter(({ rules }) => rules.length);
  }

  /** A label with its places filled. @param {string} name */
  label(name) {
    return plain(this.words.labels[name], this.facts);
  }

  /** Where a rule stands, relative to the page's base. @param {string} id */
  address = (id) => `${this.path}#${id}`;

  /** @param {string} id @returns {Rule | undefined} */
  rule(id) {
    return this.words.sections.flatMap((section) => section.rules).find((rule) => rule.id === id);
  }
}

/**
 * The rules in the language that is spoken.
 * @param {string} [edition] as the address names it @param {((path: string) => void) | null} [go] to other screens
 */
export async function openRulebook(edition = "", go = null) {
  const [words, figures] = await Promise.all([
    get(`web/${version}/rules/${spoken()}.json`),
    get(`api/editions/${edition || STANDARD}`),
    loadStylesheet("rules.css"),
  ]);
  return new Rulebook(words, figures, edition ? `rules/${edition}` : "rules", go);
}

/** What the rulebooks say of the length of a game, and the years of the game and of its forerunner. */
const PRINTED = { minutes: 45, short_minutes: 30, year: 2015, first_year: 1976 };

/** Whether an id is the number of a rule, such as L3, rather than the name of a thing. @param {string} id */
export function numbered(id) {
  return /^[A-Z]\d$/.test(id);
}

/**
 * What the texts tell of an edition; null where it has nothing of the kind.
 * @param {import("../game/figures.js").Edition} edition @param {Examples} examples @returns {Facts}
 */
function factsOf(edition, examples) {
  const { figures, strip, grant, paid, sale, spike, busiest, worked } = examples;
  const city = (/** @type {string} */ code) => figures.cityName(code, spoken());
  const cost = (/** @type {string} */ tile) => figures.space(tile).cost;
  const players = Object.keys(edition.starting_cash).map(Number);
  const aside = Object.entries(edition.set_aside).filter(([, tiles]) => tiles);
  const pay = { two: paid.two.payouts[1], one: paid.one.payouts[0] };
  const routeName = (/** @type {import("../game/figures.js").Route} */ { ends: [one, other] }) => say("{one}–{other}", { one: city(one), other: city(other) });
  const routesOf = (/** @type {string} */ code) => count("{n} route", "{n} routes", figures.routesOf(code).length);
  const named = (/** @type {string[]} */ codes) => (codes.length ? listed(codes.map(city)) : null);
  const twoAside = edition.set_aside[2] ?? 0;
  return {
    start: city(edition.start),
    finish: city(edition.finish),
    bonus: money(edition.last_spike_bonus),
    cities: edition.cities.length,
    routes: edition.routes.length,
    tiles: figures.tiles.length,
    least: Math.min(...players),
    most: Math.max(...players),
    hand: count("{n} tile", "{n} tiles", edition.hand_size),
    aside: aside.length
      ? inSeries(aside.map(([n, tiles]) => say("{amount} with {who}", { who: count("{n} player", "{n} players", Number(n)), amount: count("{n} tile", "{n} tiles", tiles) })), "; ")
      : null,
    two_cash: edition.starting_cash[2] ? money(edition.starting_cash[2]) : null,
    two_aside: twoAside ? count("{n} tile", "{n} tiles", twoAside) : null,
    near_tile: strip.near,
    next_tile: strip.next,
    next_cost: money(cost(strip.next)),
    far_tile: strip.far,
    far_cost: money(cost(strip.far)),
    far_double: money(2 * cost(strip.far)),
    grant_city: city(grant.city.code),
    grant_tiles: listed(grant.tiles),
    sale_price: money(sale.price),
    sale_paid: money(sale.paid),
    pay_route: routeName(paid.route),
    pay_two_city: city(paid.two.code),
    pay_one_city: city(paid.one.code),
    pay_two: money(pay.two),
    pay_one: money(pay.one),
    pay_sum: money(pay.two + pay.one),
    busy_city: city(busiest.city.code),
    busy_routes: routesOf(busiest.city.code),
    start_routes: routesOf(edition.start),
    buy_city: city(grant.city.code),
    buy_prices: inSeries(grant.city.land.slice(1).map(money), ", "),
    spike_tile: spike.tile,
    spike_cost: money(cost(spike.tile)),
    spike_cities: named(spike.via),
    worked_tile: worked && worked.last.tile,
    worked_cost: worked && money(cost(worked.last.tile)),
    worked_route: worked && routeName(worked.last.route),
    worked_cities: worked && named(worked.last.via),
    instead_tile: worked && worked.instead.tile,
    instead_cost: worked && money(cost(worked.instead.tile)),
    instead_route: worked && routeName(worked.instead.route),
    instead_ends: worked && named(worked.instead.route.ends),
    instead_cities: worked && named(worked.instead.via),
    never_city: worked && named(worked.never),
    minutes: PRINTED.minutes,
    short_minutes: PRINTED.short_minutes,
    year: PRINTED.year,
    first_year: PRINTED.first_year,
  };
}
