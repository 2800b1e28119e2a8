// The events of a game in sentences, in the viewer's language.

import { listed, money, say, sayEvent, spoken } from "../lib/words.js";

/** @typedef {import("./figures.js").Figures} Figures */

export class Teller {
  /** @param {Figures} figures @param {string[]} names */
  constructor(figures, names) {
    this.figures = figures;
    this.names = names;
  }

  /** @param {string} code */
  city(code) {
    return this.figures.cityName(code, spoken());
  }

  /** A route by its two end cities. @param {string} letter */
  route(letter) {
    const [one, other] = this.figures.route(letter).ends.map((code) => this.city(code));
    return say("{one}–{other}", { one, other });
  }

  /** One sentence an event; the payouts of a route share one. @param {any[]} events */
  tell(events) {
    /** @type {string[]} */
    const sentences = [];
    /** @type {any[]} */
    let payouts = [];
    const settle = () => {
      if (payouts.length) sentences.push(...this.payouts(payouts));
      payouts = [];
    };
    for (const event of events) {
      if (event.event === "payout") {
        payouts.push(event);
        continue;
      }
      settle();
      sentences.push(...this.sentences(event));
    }
    settle();
    return sentences;
  }

  /** A move in words, as an advice. @param {string} move */
  move(move) {
    if (move === "pass") return say("buy nothing");
    if (move.startsWith("+")) return say("buy land in {city}", { city: this.city(move.slice(1)) });
    if (move.startsWith("-")) return say("sell {card}", { card: move.slice(1) });
    return say("lay {tile} ({route})", { tile: move, route: this.route(move[0]) });
  }

  /** The same in as few words as will do, for who hears it read out. @param {any[]} events */
  brief(events) {
    /** @type {string[]} */
    const told = [];
    for (const event of events) {
      const player = event.seat === undefined ? "" : this.names[event.seat];
      if (event.event === "track_laid") told.push(say("{player}: {tile}.", { player, tile: event.tile }));
      else if (event.event === "grant_taken" || event.event === "land_bought") told.push(say("Land in {city}.", { city: this.city(event.city) }));
      else if (["last_spike", "bankruptcy", "game_over"].includes(event.event)) told.push(...this.sentences(event));
    }
    const payouts = events.filter((event) => event.event === "payout");
    if (payouts.length) told.push(...this.payouts(payouts));
    return told;
  }

  /** One sum for each player. @param {any[]} payouts */
  payouts(payouts) {
    /** @type {Map<number, number>} */
    const sums = new Map();
    for (const { seat, amount } of payouts) sums.set(seat, (sums.get(seat) ?? 0) + amount);
    const parts = [...sums].map(([seat, amount]) => `${this.names[seat]} ${money(amount)}`);
    return sayEvent("payouts", {}, { payouts: inSeries(parts, "; ") });
  }

  /** @param {any} event @returns {string[]} */
  sentences(event) {
    return sayEvent(event.event, event, this.places(event));
  }

  /** What fills the places of a sentence about an event, by their names. @param {any} event */
  places(event) {
    const cities = (/** @type {string[]} */ codes) => listed(codes.map((code) => this.city(code)));
    /** @type {Record<string, (value: any) => Record<string, string>>} */
    const fillers = {
      seat: (seat) => ({ player: this.names[seat] }),
      tile: (tile) => ({ tile, route: this.route(tile[0]) }),
      route: (letter) => ({ route: this.route(letter) }),
      city: (code) => ({ city: this.city(code), card: `${code}${event.rank ?? ""}` }),
      cost: (cost) => ({ cost: money(cost) }),
      amount: (amount) => ({ amount: money(amount) }),
      price: (price) => ({ price: money(price) }),
      bonus: (bonus) => ({ bonus: money(bonus) }),
      drawn: (tiles) => ({ tiles: inSeries(tiles.map((/** @type {string} */ tile, /** @type {number} */ seat) => `${this.names[seat]} ${tile}`), ", ") }),
      grants: (codes) => ({ cities: cities(codes) }),
      winners: (seats) => {
        const names = seats.map((/** @type {number} */ seat) => this.names[seat]);
        return { players: listed(names), player: names[0] };
      },
    };
    /** @type {Record<string, string>} */
    const facts = {};
    for (const [field, value] of Object.entries(event)) {
      if (field in fillers && value !== null && value?.length !== 0) Object.assign(facts, fillers[field](value));
    }
    return facts;
  }
}

/** Parts one after the other, with this language's comma or semicolon. @param {string[]} parts @param {", " | "; "} sign */
export function inSeries(parts, sign) {
  return parts.reduce((told, next) =>
    sign === "; " ? say("{told}; {next}", { told, next }) : say("{told}, {next}", { told, next }),
  );
}
