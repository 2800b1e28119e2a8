// Examples for the rules, found in any edition.

import { Figures, salePrice, SPACES } from "../game/figures.js";

/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {import("../game/figures.js").City} City */
/** @typedef {import("../game/figures.js").Route} Route */
/**
 * @typedef {{route: Route, near: string, next: string, far: string}} Strip
 * @typedef {{route: Route, two: City, one: City}} Paid
 * @typedef {{tile: string, track: string[], via: string[]}} Spike
 * @typedef {{paid: Route[], last: Ending, instead: Ending, never: string[]}} Worked
 * @typedef {{tile: string, route: Route, track: string[], via: string[]}} Ending `track` includes the last spike
 */

/** The routes of the rulebook's worked example, in the order in which they paid. */
const PAID = ["OGD-Y-SAC", "ELP-X-YUM", "DOD-F-ELP", "DOD-E-DEN", "STL-B-DOD", "STL-A-OMA", "DEN-V-OGD"];
/** The route that could have paid instead of the last one. */
const INSTEAD = "YUM-Z-SAC";
/** Where the line leads, if it is the one or the other. */
const VIA = [["DOD", "DEN", "OGD"], ["DOD", "ELP", "YUM"]];
/** The space that both routes lack. */
const LACKING = 3;

export class Examples {
  /** @param {Edition} edition */
  constructor(edition) {
    this.figures = new Figures(edition);
    this.edition = edition;
  }

  /** The city on the most routes. @returns {{city: City, routes: Route[]}} */
  get busiest() {
    const all = this.edition.cities.map((city) => ({ city, routes: this.figures.routesOf(city.code) }));
    return all.reduce((one, other) => (other.routes.length > one.routes.length ? other : one));
  }

  /** A route with one tile laid: the space beside it, and one that is beside nothing (L2, L3).
   * @returns {Strip} */
  get strip() {
    const route = this.edition.routes[0];
    const [near, next, far] = [1, 2, 3].map((n) => `${route.letter}${n}`);
    return { route, near, next, far };
  }

  /** A city, and the tiles of which the first brings its free land (L7). */
  get grant() {
    const city = this.figures.city(this.edition.routes[0].ends[1]);
    const tiles = this.figures.routesOf(city.code).map(({ letter, ends }) => `${letter}${ends[0] === city.code ? 1 : 4}`);
    return { city, tiles };
  }

  /** Land in both ends of a route: two cards here, one there (P1). @returns {Paid} */
  get paid() {
    const { city, routes } = this.busiest;
    const tips = [this.edition.start, this.edition.finish];
    const inland = routes.filter(({ ends }) => !ends.some((end) => tips.includes(end)));
    const route = inland.find((each) => PAID.includes(named(each))) ?? inland[0] ?? routes[0];
    const other = route.ends.find((end) => end !== city.code) ?? city.code;
    return { route, two: city, one: this.figures.city(other) };
  }

  /** What the bank pays for a card, best one whose half is not whole thousands (F2). */
  get sale() {
    const prices = this.edition.cities.flatMap(({ land }) => land.slice(1));
    const price = prices.find((each) => each % 2000) ?? prices[0];
    return { price, paid: salePrice(price) };
  }

  /** A line that lacks one tile, by as few routes as can be and through busy cities (E1).
   * @returns {Spike} */
  get spike() {
    const { start, finish } = this.edition;
    const busy = (/** @type {Step[]} */ way) => way.reduce((sum, { to }) => sum + this.figures.routesOf(to).length, 0);
    /** @type {Step[]} */
    let best = [];
    /** @param {string} from @param {Step[]} way */
    const search = (from, way) => {
      if (from === finish) {
        const shorter = way.length < best.length || !best.length;
        if (shorter || (way.length === best.length && busy(way) > busy(best))) best = way;
        return;
      }
      if (best.length && way.length >= best.length) return;
      for (const route of this.figures.routesOf(from)) {
        const to = route.ends[0] === from ? route.ends[1] : route.ends[0];
        if (to !== start && !way.some((step) => step.to === to)) search(to, [...way, { route, to }]);
      }
    };
    search(start, []);
    const last = best[Math.floor(best.length / 2)].route;
    return {
      tile: `${last.letter}3`,
      track: best.flatMap(({ route }) => route.costs.map((_, n) => `${route.letter}${n + 1}`)),
      via: best.slice(0, -1).map((step) => step.to),
    };
  }

  /** The game on the rulebook's last page; null if this edition has another map. @returns {Worked | null} */
  get worked() {
    const { routes, cities } = this.edition;
    /** @param {string} name @returns {Route[]} */
    const route = (name) => routes.filter((each) => named(each) === name);
    const paid = PAID.flatMap(route);
    const [other] = route(INSTEAD);
    if (paid.length < PAID.length || !other) return null;
    const whole = paid.slice(0, -1).flatMap(({ letter }) => SPACES.map((n) => `${letter}${n}`));
    const last = paid[paid.length - 1];
    const begun = [last, other].flatMap(({ letter }) => SPACES.filter((n) => n !== LACKING).map((n) => `${letter}${n}`));
    /** @param {Route} by @param {string[]} via @returns {Ending} */
    const ending = (by, via) => {
      const tile = `${by.letter}${LACKING}`;
      return { tile, route: by, track: [...whole, ...begun, tile], via };
    };
    const ends = new Set([...paid, other].flatMap((each) => each.ends));
    return { paid, last: ending(last, VIA[0]), instead: ending(other, VIA[1]), never: cities.map(({ code }) => code).filter((code) => !ends.has(code)) };
  }
}

/** A route as the worked example names it. @param {Route} route */
function named({ letter, ends: [one, other] }) {
  return `${one}-${letter}-${other}`;
}

/** @typedef {{route: Route, to: string}} Step */
