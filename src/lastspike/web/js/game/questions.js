// Questions about the board, answered from the view in the same sentences as in the terminal.

import { levelName } from "./levels.js";
import { inSeries } from "./teller.js";
import { money, say, sayAs, sayBoard } from "../lib/words.js";

/** @typedef {import("./figures.js").View} View */

/** What can be typed: an English word, and those of the page's language. The same as in `words/typed.py`. */
function typedWords() {
  return [
    ["hand", sayAs("typed", "hand")],
    ["route", sayAs("typed", "route")],
    ["routes", sayAs("typed", "routes")],
    ["city", sayAs("typed", "city")],
    ["cities", sayAs("typed", "cities")],
    ["player", sayAs("typed", "player")],
    ["players", sayAs("typed", "players")],
    ["since", sayAs("typed", "since")],
    ["board", sayAs("typed", "board")],
    ["hint", sayAs("typed", "hint")],
    ["back", sayAs("typed", "back, b")],
    ["help", sayAs("typed", "help, h")],
    ["pass", sayAs("typed", "pass, none")],
    ["end", sayAs("typed", "end")],
    ["turn", sayAs("typed", "turn")],
  ];
}

/** A text with its first word in English, if it can be typed; case and accents don't matter. @param {string} typed */
export function inEnglish(typed) {
  const [first, ...rest] = typed.trim().split(/\s+/);
  const found = typedWords().find(([, words]) => words.split(/[,、] ?/).some((word) => folded(word) === folded(first)));
  return found ? [found[0], ...rest].join(" ") : typed;
}

/** @param {string} word */
function folded(word) {
  return word.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

export class Questions {
  /**
   * @param {View} view @param {import("./figures.js").Figures} figures
   * @param {import("./teller.js").Teller} teller
   * @param {{hand: string[], levels: (string | null)[], payouts: boolean,
   *   paid?: (letter: string) => {seat: number, city: string, amount: number}[]}} about the viewer's hand, who
   *   is a computer, whether this table shows what a route would pay, and what a finished one has paid
   */
  constructor(view, figures, teller, about) {
    this.view = view;
    this.figures = figures;
    this.teller = teller;
    this.about = about;
  }

  hand() {
    if (!this.about.hand.length) return [sayBoard("no_tile")];
    return this.about.hand.map((tile) => {
      const { cost, double } = this.figures.cost(this.view, tile);
      return sayBoard(double ? "tile_double" : "tile", { tile, route: this.teller.route(tile[0]), cost: money(cost) });
    });
  }

  /** A route's four spaces, and who would be paid if it were finished now. @param {string} letter */
  route(letter) {
    const { figures, view, teller } = this;
    const letters = [...figures.routes.keys()];
    if (!figures.routes.has(letter)) return [sayBoard("which_route", { letters: inSeries(letters, ", "), example: letters[0] })];
    const missing = figures.missing(view, letter);
    const told = [sayBoard("route", { letter, ends: teller.route(letter) })];
    for (const tile of figures.spaces(letter)) {
      const name = !missing.includes(tile) ? "space_built" : this.about.hand.includes(tile) ? "space_in_hand" : "space";
      told.push(sayBoard(name, { tile, cost: money(figures.cost(view, tile).plain) }));
    }
    const shares = (/** @type {{seat: number, city: string, amount: number}[]} */ all) =>
      all.map(({ seat, city, amount }) => sayBoard(seat === teller.own ? "own_payout" : "payout", { player: teller.names[seat], amount: money(amount), city: teller.city(city) }));
    if (!missing.length) {
      const made = this.about.paid?.(letter) ?? [];
      return [...told, sayBoard("route_finished"), ...(made.length ? [say("It paid: {payouts}.", { payouts: inSeries(shares(made), "; ") })] : [])];
    }
    if (!this.about.payouts) return told;
    const paid = shares(figures.shares(view, letter));
    told.push(paid.length ? sayBoard("route_pays", { payouts: inSeries(paid, "; ") }) : sayBoard("route_pays_nobody"));
    return told;
  }

  routes() {
    return [...this.figures.routes.keys()].map((letter) => {
      const spaces = this.figures.spaces(letter).length;
      const built = spaces - this.figures.missing(this.view, letter).length;
      return sayBoard("route_line", { letter, ends: this.teller.route(letter), built, spaces });
    });
  }

  /** Who holds land in a city, what the next card costs, what its cards pay. @param {string} code */
  city(code) {
    const { figures, view, teller } = this;
    if (!figures.cities.has(code)) {
      const cities = [...figures.cities.keys()].map((each) => sayBoard("city_choice", { city: teller.city(each), code: each }));
      return [sayBoard("which_city", { cities: inSeries(cities, ", ") })];
    }
    const told = [sayBoard("city", { city: teller.city(code), code })];
    const holders = figures.holders(view, code);
    teller.names.forEach((player, seat) => {
      const cards = holders.get(seat);
      if (cards) told.push(sayBoard(seat === teller.own ? "own_holds" : "holds", { player }, cards));
    });
    const sale = figures.onSale(view, code);
    if (view.land[code][0] === null) told.push(sayBoard("grant_free"));
    else told.push(sale ? sayBoard("next_card", { price: money(sale.price) }) : sayBoard("sold_out"));
    const { payouts } = figures.city(code);
    told.push(sayBoard("city_pays", { most: payouts.length, payouts: inSeries(payouts.map(money), ", ") }));
    const open = [...figures.routes.values()]
      .filter(({ letter, ends }) => ends.includes(code) && figures.missing(view, letter).length)
      .map(({ letter }) => letter);
    told.push(open.length ? sayBoard("routes_to_pay", { letters: inSeries(open, ", ") }) : sayBoard("pays_no_more"));
    return told;
  }

  cities() {
    const { figures, view, teller } = this;
    return [...figures.cities.keys()].map((code) => {
      const sale = figures.onSale(view, code);
      const holders = figures.holders(view, code);
      const parts = [
        ...(sale ? [sayBoard("card_price", { price: money(sale.price) })] : []),
        sayBoard("card_pays", { amount: money(figures.city(code).payouts[0]) }),
        ...teller.names.flatMap((player, seat) => {
          const cards = holders.get(seat);
          return cards ? [sayBoard(seat === teller.own ? "own_cards" : "cards", { player }, cards)] : [];
        }),
      ];
      return sayBoard("city_line", { code, city: teller.city(code), facts: inSeries(parts, "; ") });
    });
  }

  /** A player by number or name. @param {string} asked */
  player(asked) {
    const { view, teller, figures } = this;
    const seat = teller.names.findIndex((name, seat) => [name.toLowerCase(), String(seat + 1)].includes(asked.toLowerCase()));
    if (seat < 0) {
      const known = teller.names.map((player, each) => sayBoard("player_choice", { player, number: each + 1 }));
      return [sayBoard("which_player", { players: inSeries(known, ", ") })];
    }
    const number = seat + 1;
    if (view.bankrupt.includes(seat)) return [sayBoard("bankrupt", { number, player: teller.names[seat] })];
    const level = this.about.levels[seat];
    const player = level ? say("{name} ({level})", { name: teller.names[seat], level: levelName(level) }) : teller.names[seat];
    const cash = view.cash[seat];
    const land = figures.cards(view, seat).map(({ card, price }) => sayBoard(price ? "land_card" : "free_land_card", { card, price: money(price) }));
    return [
      sayBoard("player", { number, player, cash: cash === null ? sayBoard("cash_hidden") : money(cash) }, view.tiles[seat]),
      land.length ? sayBoard("land", { cards: inSeries(land, ", ") }) : sayBoard("no_land"),
    ];
  }

  players() {
    return this.teller.names.flatMap((_, seat) => this.player(String(seat + 1)));
  }
}
