// What follows from an edition's figures and the table: costs, payouts, prices, distances.

/**
 * @typedef {{code: string, name: string, names: Record<string, string>, at: [number, number],
 *   land: number[], payouts: number[]}} City
 * @typedef {{letter: string, ends: [string, string], costs: number[], terrain: string[]}} Route
 * @typedef {{id: string, name: string, start: string, finish: string, last_spike_bonus: number,
 *   hand_size: number, set_aside: Record<string, number>, starting_cash: Record<string, number>,
 *   printed: string[], cities: City[], routes: Route[]}} Edition
 * @typedef {{seat: number | null, cash: (number | null)[], track: string[],
 *   land: Record<string, (number | "out" | null)[]>, phase: string, turn: number | null,
 *   chosen: string | null, bankrupt: number[], last_spike: number | null,
 *   hands: (string[] | null)[], tiles: number[], pool: number, aside: number, legal: string[],
 *   number: number}} View
 */

export const SPACES = [1, 2, 3, 4];
/** So few tiles are left when the last spike is near. */
export const NEAR = 3;

/** What the bank pays for a land card: half its price, rounded up to whole thousands (F2). @param {number} price */
export function salePrice(price) {
  return Math.ceil(price / 2000) * 1000;
}

export class Figures {
  /** @param {Edition} edition */
  constructor(edition) {
    this.edition = edition;
    this.cities = new Map(edition.cities.map((city) => [city.code, city]));
    this.routes = new Map(edition.routes.map((route) => [route.letter, route]));
    this.tiles = edition.routes.flatMap((route) => SPACES.map((n) => `${route.letter}${n}`));
  }

  /** @param {string} code @returns {City} */
  city(code) {
    return /** @type {City} */ (this.cities.get(code));
  }

  /** The route of a tile or a letter. @param {string} tile @returns {Route} */
  route(tile) {
    return /** @type {Route} */ (this.routes.get(tile[0]));
  }

  /** The space of a tile. @param {string} tile */
  space(tile) {
    const { costs, terrain } = this.route(tile);
    const n = Number(tile[1]) - 1;
    return { cost: costs[n], terrain: terrain[n] };
  }

  /** The routes that end in a city. @param {string} code */
  routesOf(code) {
    return this.edition.routes.filter(({ ends }) => ends.includes(code));
  }

  /** @param {string} code @param {string} language */
  cityName(code, language) {
    const city = this.city(code);
    return city.names[language] ?? city.name;
  }

  /** What laying a tile costs now, doubled where it is not adjacent (L2, L3).
   * @param {View} view @param {string} tile */
  cost(view, tile) {
    const plain = this.space(tile).cost;
    const double = !this.adjacent(view, tile);
    return { plain, double, cost: double ? 2 * plain : plain };
  }

  /** @param {View} view @param {string} tile */
  adjacent(view, tile) {
    const n = Number(tile[1]);
    if (n === 1 || n === 4) return true;
    return [n - 1, n + 1].some((near) => view.track.includes(`${tile[0]}${near}`));
  }

  /** The spaces of a route that lack track. @param {Pick<View, "track">} view @param {string} letter */
  missing(view, letter) {
    return this.spaces(letter).filter((tile) => !view.track.includes(tile));
  }

  /** The four spaces of a route. @param {string} letter */
  spaces(letter) {
    return SPACES.map((n) => `${letter}${n}`);
  }

  /** How many cards of a city each seat holds. @param {Pick<View, "land">} view @param {string} code */
  holders(view, code) {
    /** @type {Map<number, number>} */
    const cards = new Map();
    for (const holder of view.land[code]) {
      if (typeof holder === "number") cards.set(holder, (cards.get(holder) ?? 0) + 1);
    }
    return cards;
  }

  /** How many cards a seat holds, by city; only cities where it holds some.
   * @param {View} view @param {number} seat */
  holdings(view, seat) {
    return Object.keys(view.land)
      .map((code) => ({ code, cards: this.holders(view, code).get(seat) ?? 0 }))
      .filter(({ cards }) => cards);
  }

  /** What finishing a route now would pay each seat. @param {View} view @param {string} letter */
  payouts(view, letter) {
    /** @type {Map<number, number>} */
    const paid = new Map();
    for (const { seat, amount } of this.shares(view, letter)) paid.set(seat, (paid.get(seat) ?? 0) + amount);
    return paid;
  }

  /** The same for each of the route's two cities, by seat. @param {View} view @param {string} letter */
  shares(view, letter) {
    return this.route(letter).ends.flatMap((city) =>
      [...this.holders(view, city)]
        .sort(([one], [other]) => one - other)
        .map(([seat, cards]) => ({ seat, city, amount: this.city(city).payouts[cards - 1] })),
    );
  }

  /** The cards that a seat holds, each with its price. @param {View} view @param {number} seat */
  cards(view, seat) {
    return this.edition.cities.flatMap(({ code, land }) =>
      view.land[code].flatMap((holder, rank) => (holder === seat ? [{ card: `${code}${rank}`, price: land[rank] }] : [])),
    );
  }

  /** The price of all land that a seat holds (E2). @param {View} view @param {number} seat */
  landPrice(view, seat) {
    return this.cards(view, seat).reduce((sum, { price }) => sum + price, 0);
  }

  /** The cheapest card left of a city that can be bought (B1): its rank and price, or null.
   * @param {Pick<View, "land">} view @param {string} code */
  onSale(view, code) {
    const cards = view.land[code];
    if (cards[0] === null) return null;
    const rank = cards.indexOf(null);
    return rank < 0 ? null : { rank, price: this.city(code).land[rank] };
  }

  /** How many tiles are missing between a city and each of the others. @param {Pick<View, "track">} view @param {string} from */
  distances(view, from) {
    const far = new Map(this.edition.cities.map((city) => [city.code, Infinity]));
    far.set(from, 0);
    for (let round = 0; round < this.edition.cities.length; round++) {
      for (const { letter, ends } of this.edition.routes) {
        const missing = this.missing(view, letter).length;
        const [one, other] = ends;
        const ahead = /** @type {number} */ (far.get(one));
        const back = /** @type {number} */ (far.get(other));
        if (ahead + missing < back) far.set(other, ahead + missing);
        if (back + missing < ahead) far.set(one, back + missing);
      }
    }
    return far;
  }

  /** How many tiles are missing on the shortest way to the last spike. @param {Pick<View, "track">} view */
  toLastSpike(view) {
    return /** @type {number} */ (this.distances(view, this.edition.start).get(this.edition.finish));
  }

  /** The spaces without track on any shortest way to the last spike: the tile for the only one left drives it. @param {Pick<View, "track">} view */
  lastSpikeSpaces(view) {
    const from = this.distances(view, this.edition.start);
    const to = this.distances(view, this.edition.finish);
    const least = from.get(this.edition.finish);
    return this.edition.routes.flatMap(({ letter, ends: [one, other] }) => {
      const missing = this.missing(view, letter);
      const way = (/** @type {string} */ here, /** @type {string} */ there) => (from.get(here) ?? Infinity) + missing.length + (to.get(there) ?? Infinity);
      return Math.min(way(one, other), way(other, one)) === least ? missing : [];
    });
  }

  /** Tiles that the viewer has not seen: in the pool, aside or in other hands. @param {View} view */
  unseen(view) {
    const seen = new Set([...view.track, ...view.hands.flatMap((hand) => hand ?? [])]);
    if (view.chosen) seen.add(view.chosen);
    return this.tiles.filter((tile) => !seen.has(tile));
  }
}
