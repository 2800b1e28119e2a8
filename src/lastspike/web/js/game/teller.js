// The events of a game in sentences, in the viewer's language.

import { listed, money, say, sayEvent, sentences, shortMoney, spoken } from "../lib/words.js";

/** @typedef {import("./figures.js").Figures} Figures */

/** A part of a line in the log; `own` is what the viewer was paid. @typedef {{text: string, own?: boolean}} Piece */

export class Teller {
  /** @param {Figures} figures @param {string[]} names
   * @param {number | null} [own] the seat of the viewer, who is called "you" */
  constructor(figures, names, own = null) {
    this.figures = figures;
    this.names = names;
    this.own = own;
  }

  /** What a player is called at the beginning of a line. @param {number} seat */
  name(seat) {
    return seat === this.own ? say("You") : this.names[seat];
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

  /** The same in as few words as possible, for screen readers. @param {any[]} events */
  brief(events) {
    /** @type {string[]} */
    const told = [];
    for (const event of events) {
      const player = event.seat === undefined ? "" : this.name(event.seat);
      if (event.event === "track_laid") told.push(say("{player}: {tile}.", { player, tile: event.tile }));
      else if (event.event === "grant_taken" || event.event === "land_bought") told.push(say("Land in {city}.", { city: this.city(event.city) }));
      else if (["route_finished", "last_spike", "bankruptcy", "game_over"].includes(event.event)) told.push(...this.sentences(event));
    }
    const payouts = events.filter((event) => event.event === "payout");
    if (payouts.length) told.push(...this.payouts(payouts));
    return told;
  }

  /** What the viewer gets, then what the others get: one sum for each. @param {any[]} payouts */
  payouts(payouts) {
    const sums = sumsOf(payouts);
    const others = [...sums].filter(([seat]) => seat !== this.own);
    const mine = this.own === null ? undefined : sums.get(this.own);
    return sayEvent(
      "payouts",
      { own: mine !== undefined, others: others.length },
      { amount: money(mine ?? 0), payouts: others.length ? inSeries(others.map(([seat, amount]) => this.share(seat, money(amount))), "; ") : "" },
    );
  }

  /** A player and an amount, in a list. @param {number} seat @param {string} amount */
  share(seat, amount) {
    return seat === this.own ? say("you {amount}", { amount }) : say("{player} {amount}", { player: this.names[seat], amount });
  }

  /** @param {any} event @returns {string[]} */
  sentences(event) {
    return sayEvent(event.event, { ...event, own: this.isOwn(event) }, this.places(event));
  }

  /** Whether an event is the viewer's own. @param {any} event */
  isOwn(event) {
    return this.own !== null && (event.winners ?? [event.seat]).includes(this.own);
  }

  /**
   * A turn at a glance: one line of what the player did, one for each route that was finished, and whole sentences
   * for what happens seldom.
   * @param {any[]} events @returns {{done: Piece[], more: Piece[][]}}
   */
  summary(events) {
    /** @type {Piece[]} */
    const done = [];
    /** @type {Piece[][]} */
    const more = [];
    for (const event of events) {
      const own = this.isOwn(event);
      switch (event.event) {
        case "track_laid": {
          const cost = shortMoney(event.cost);
          done.push({ text: event.tile }, { text: event.double ? say("{cost} (double)", { cost }) : cost });
          break;
        }
        case "land_sold": {
          const facts = { city: this.city(event.city), amount: shortMoney(event.amount) };
          done.push({ text: own ? say("sell {city} {amount}", facts) : say("sells {city} {amount}", facts) });
          break;
        }
        case "grant_taken":
          done.push({ text: say("free land in {city}", { city: this.city(event.city) }) });
          break;
        case "land_bought": {
          const facts = { city: this.city(event.city), price: shortMoney(event.price) };
          done.push({ text: own ? say("buy {city} {price}", facts) : say("buys {city} {price}", facts) });
          break;
        }
        case "tile_drawn":
          if (event.tile) done.push({ text: own ? say("draw {tile}", { tile: event.tile }) : say("draws {tile}", { tile: event.tile }) });
          break;
        case "last_spike":
          done.push({ text: say("last spike: +{amount}", { amount: shortMoney(event.bonus) }), own });
          break;
        case "turn_skipped":
          done.push({ text: say("no tiles, turn skipped") });
          break;
        case "bankruptcy":
          done.push({ text: say("bankrupt") });
          more.push(...this.sentences(event).slice(1).map((text) => [{ text }]));
          break;
        case "route_finished": {
          const paid = events.filter((other) => other.event === "payout" && other.route === event.route);
          more.push([{ text: say("{route} finished", { route: this.route(event.route) }) }, ...this.paid(sumsOf(paid))]);
          break;
        }
        case "payout":
        case "tile_chosen":
        case "nothing_bought":
          break;
        default:
          more.push([{ text: sentences(this.sentences(event)) }]);
      }
    }
    return { done, more };
  }

  /** Who was paid how much, the viewer first. @param {Map<number, number>} sums @returns {Piece[]} */
  paid(sums) {
    return [...sums]
      .sort(([one], [other]) => Number(other === this.own) - Number(one === this.own))
      .map(([seat, dollars]) => {
        const own = seat === this.own;
        const amount = shortMoney(dollars);
        return { own, text: own ? say("you get {amount}", { amount }) : this.share(seat, amount) };
      });
  }

  /** @param {number} seat @param {string} tile */
  drawn(seat, tile) {
    return seat === this.own ? say("you {tile}", { tile }) : say("{player} {tile}", { player: this.names[seat], tile });
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
      drawn: (tiles) => ({ tiles: inSeries(tiles.map((/** @type {string} */ tile, /** @type {number} */ seat) => this.drawn(seat, tile)), ", ") }),
      grants: (codes) => ({ cities: cities(codes) }),
      winners: (seats) => {
        const others = seats.filter((/** @type {number} */ seat) => seat !== this.own);
        return { players: listed(others.map((/** @type {number} */ seat) => this.names[seat])), player: this.names[seats[0]] };
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

/** One sum for each seat that was paid. @param {any[]} payouts @returns {Map<number, number>} */
function sumsOf(payouts) {
  const sums = new Map();
  for (const { seat, amount } of payouts) sums.set(seat, (sums.get(seat) ?? 0) + amount);
  return sums;
}

/** Parts one after the other, with this language's comma or semicolon. @param {string[]} parts @param {", " | "; "} sign */
export function inSeries(parts, sign) {
  return parts.reduce((told, next) =>
    sign === "; " ? say("{told}; {next}", { told, next }) : say("{told}, {next}", { told, next }),
  );
}
