// The events of a game in sentences, in the viewer's language.

import { count, listed, money, say, spoken } from "../lib/words.js";

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
    return say("{one} – {other}", { one, other });
  }

  /** One sentence an event; the payouts of a route share one. @param {any[]} events */
  tell(events) {
    /** @type {string[]} */
    const sentences = [];
    /** @type {any[]} */
    let payouts = [];
    const settle = () => {
      if (payouts.length) sentences.push(this.payouts(payouts));
      payouts = [];
    };
    for (const event of events) {
      if (event.event === "payout") {
        payouts.push(event);
        continue;
      }
      settle();
      sentences.push(...this.sentence(event));
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
      else if (["last_spike", "bankruptcy", "game_over"].includes(event.event)) told.push(...this.sentence(event));
    }
    const payouts = events.filter((event) => event.event === "payout");
    if (payouts.length) told.push(this.payouts(payouts));
    return told;
  }

  /** One sum for each player. @param {any[]} payouts */
  payouts(payouts) {
    /** @type {Map<number, number>} */
    const sums = new Map();
    for (const { seat, amount } of payouts) sums.set(seat, (sums.get(seat) ?? 0) + amount);
    const parts = [...sums].map(([seat, amount]) => `${this.names[seat]} ${money(amount)}`);
    const told = parts.reduce((told, next) => say("{told}; {next}", { told, next }));
    return say("Payouts: {payouts}.", { payouts: told });
  }

  /** @param {any} event @returns {string[]} */
  sentence(event) {
    const player = event.seat === undefined ? "" : this.names[event.seat];
    switch (event.event) {
      case "first_player": {
        if (!event.drawn.length) return [say("{player} goes first.", { player })];
        const tiles = event.drawn
          .map((/** @type {string} */ tile, /** @type {number} */ seat) => `${this.names[seat]} ${tile}`)
          .reduce((/** @type {string} */ told, /** @type {string} */ next) =>
            say("{told}, {next}", { told, next }),
          );
        return [say("A tile each to see who begins: {tiles}. {player} goes first.", { tiles, player })];
      }
      case "tile_chosen":
        return [
          say("{player} chooses {tile} and must raise {cost}.", {
            player,
            tile: event.tile,
            cost: money(event.cost),
          }),
        ];
      case "land_sold":
        return [
          say("{player} sells {card}, land in {city}, to the bank for {amount}.", {
            player,
            card: `${event.city}${event.rank}`,
            city: this.city(event.city),
            amount: money(event.amount),
          }),
        ];
      case "track_laid": {
        const facts = {
          player,
          tile: event.tile,
          route: this.route(event.tile[0]),
          cost: money(event.cost),
        };
        return [
          event.double
            ? say("{player} lays {tile} ({route}) at double cost: {cost}.", facts)
            : say("{player} lays {tile} ({route}) for {cost}.", facts),
        ];
      }
      case "grant_taken":
        return [say("{player} takes the free grant of {city}.", { player, city: this.city(event.city) })];
      case "last_spike":
        return [
          say("{player} drives the last spike and earns {bonus}!", { player, bonus: money(event.bonus) }),
        ];
      case "route_finished":
        return [say("{route} is finished.", { route: this.route(event.route) })];
      case "land_bought":
        return [
          say("{player} buys {card}, land in {city}, for {price}.", {
            player,
            card: `${event.city}${event.rank}`,
            city: this.city(event.city),
            price: money(event.price),
          }),
        ];
      case "nothing_bought":
        return [say("{player} buys nothing.", { player })];
      case "tile_drawn":
        return event.tile ? [say("{player} draws {tile}.", { player, tile: event.tile })] : [];
      case "turn_skipped":
        return [say("{player} has no tile and is skipped.", { player })];
      case "bankruptcy": {
        const told = [say("{player} can't pay for any tile and is bankrupt.", { player })];
        if (event.grants.length) {
          const cities = listed(event.grants.map((/** @type {string} */ code) => this.city(code)));
          told.push(
            count(
              "The free grant of {cities} leaves the game.",
              "The free grants of {cities} leave the game.",
              event.grants.length,
              { cities },
            ),
          );
        }
        return told;
      }
      case "pool_mixed":
        return [
          count("The pool, {n} tile, is mixed again.", "The pool, {n} tiles, is mixed again.", event.tiles),
        ];
      case "game_over":
        return this.gameOver(event);
      default:
        return [];
    }
  }

  /** @param {any} event */
  gameOver(event) {
    const told = [];
    if (event.reason === "last player") told.push(say("Only one player is left: the game is over."));
    else if (event.reason === "no tiles left")
      told.push(say("Nobody has a tile left: the game is over without a last spike."));
    else told.push(say("The game is over."));
    const winners = event.winners.map((/** @type {number} */ seat) => this.names[seat]);
    told.push(
      winners.length > 1
        ? say("{players} share the win.", { players: listed(winners) })
        : say("{player} wins!", { player: winners[0] }),
    );
    return told;
  }
}
