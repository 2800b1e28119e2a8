// The rules in one language, filled with an edition's figures.

import { STANDARD } from "../game/editions.js";
import { get, version } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { count, listed, money, say, spoken } from "../lib/words.js";
import { Examples } from "./examples.js";

/** @typedef {import("./markup.js").Facts} Facts */
/**
 * @typedef {{id: string, title: string, text: string[], example?: string, figure?: string}} Rule
 * @typedef {{id: string, title: string, lead?: string, rules: Rule[]}} Section
 * @typedef {{title: string, ordered?: boolean, items: string[]}} Part
 * @typedef {{lead: string, labels: Record<string, string>, sections: Section[],
 *   summary: {title: string, goal: string, parts: Part[]}}} Words
 */

export class Rulebook {
  /** @param {Words} words @param {import("../game/figures.js").Edition} edition @param {string} path */
  constructor(words, edition, path) {
    this.words = words;
    this.edition = edition;
    this.path = path;
    this.examples = new Examples(edition);
    this.facts = factsOf(edition, this.examples);
  }

  /** Where a rule stands, relative to the page's base. @param {string} id */
  address = (id) => `${this.path}#${id}`;

  /** @param {string} id @returns {Rule | undefined} */
  rule(id) {
    return this.words.sections.flatMap((section) => section.rules).find((rule) => rule.id === id);
  }
}

/** The rules in the language that is spoken. @param {string} [edition] as the address names it */
export async function openRulebook(edition = "") {
  const [words, figures] = await Promise.all([
    get(`web/${version}/rules/${spoken()}.json`),
    get(`api/editions/${edition || STANDARD}`),
    loadStylesheet("rules.css"),
  ]);
  return new Rulebook(words, figures, edition ? `rules/${edition}` : "rules");
}

/** Whether an id is the number of a rule, such as L3, rather than the name of a thing. @param {string} id */
export function numbered(id) {
  return /^[A-Z]\d$/.test(id);
}

/**
 * What the texts tell of an edition; null where it has nothing of the kind.
 * @param {import("../game/figures.js").Edition} edition @param {Examples} examples @returns {Facts}
 */
function factsOf(edition, examples) {
  const { figures, strip, grant, paid, sale, spike, busiest } = examples;
  const city = (/** @type {string} */ code) => figures.cityName(code, spoken());
  const cost = (/** @type {string} */ tile) => figures.space(tile).cost;
  const players = Object.keys(edition.starting_cash).map(Number);
  const aside = Object.entries(edition.set_aside).filter(([, tiles]) => tiles);
  const pay = { two: paid.two.payouts[1], one: paid.one.payouts[0] };
  const [from, to] = paid.route.ends.map(city);
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
      ? aside.map(([n, tiles]) => say("{amount} with {who}", { who: count("{n} player", "{n} players", Number(n)), amount: count("{n} tile", "{n} tiles", tiles) })).join(" · ")
      : null,
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
    pay_route: say("{one}–{other}", { one: from, other: to }),
    pay_two_city: city(paid.two.code),
    pay_one_city: city(paid.one.code),
    pay_two: money(pay.two),
    pay_one: money(pay.one),
    pay_sum: money(pay.two + pay.one),
    busy_city: city(busiest.city.code),
    busy_routes: count("{n} route", "{n} routes", busiest.routes.length),
    buy_city: city(grant.city.code),
    buy_prices: grant.city.land.slice(1).map(money).reduce((told, next) => say("{told}, {next}", { told, next })),
    spike_tile: spike.tile,
    spike_cost: money(cost(spike.tile)),
    spike_cities: spike.via.length ? listed(spike.via.map(city)) : null,
  };
}
