// Where cities, spaces and the title stand on the map.

/** The height of the drawing; its width follows the shape of its place on the screen. */
export const HEIGHT = 760;
/** The radius of a city. */
export const PLATE = 47;
const EDGE = { x: 92, y: 84 };

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{tile: string, at: Point, angle: number, length: number, breadth: number,
 *   terrain: string, cost: number}} Space */

/** @param {[number, number]} at @param {number} width @returns {Point} */
export function place(at, width) {
  return {
    x: EDGE.x + (at[0] / 100) * (width - 2 * EDGE.x),
    y: EDGE.y + (at[1] / 100) * (HEIGHT - 2 * EDGE.y),
  };
}

/**
 * Where every space stands: four along each route, side by side where routes share both ends.
 * @param {Figures} figures @param {globalThis.Map<string, Point>} places @returns {Space[]}
 */
export function layOut(figures, places) {
  /** @type {Map<string, number>} */
  const twins = new Map();
  const ends = (/** @type {[string, string]} */ both) => [...both].sort().join();
  for (const route of figures.edition.routes) {
    twins.set(ends(route.ends), (twins.get(ends(route.ends)) ?? 0) + 1);
  }
  /** @type {Map<string, number>} */
  const seen = new Map();
  return figures.edition.routes.flatMap((route) => {
    const [from, to] = route.ends.map((code) => /** @type {Point} */ (places.get(code)));
    const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const along = { x: (to.x - from.x) / far, y: (to.y - from.y) / far };
    const key = ends(route.ends);
    const all = twins.get(key) ?? 1;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const aside = (nth - (all - 1) / 2) * 46 * (route.ends[0] < route.ends[1] ? 1 : -1);
    const length = (far - 2 * PLATE) / 4;
    const angle = (Math.atan2(along.y, along.x) * 180) / Math.PI;
    return route.costs.map((cost, n) => {
      const reach = PLATE + (n + 0.5) * length;
      return {
        tile: `${route.letter}${n + 1}`,
        at: {
          x: from.x + along.x * reach - along.y * aside,
          y: from.y + along.y * reach + along.x * aside,
        },
        angle,
        length: Math.max(12, length - 3),
        breadth: Math.min(46, Math.max(24, length)),
        terrain: route.terrain[n],
        cost,
      };
    });
  });
}

/** A place for the title where nothing else is.
 * @param {Point[]} cities @param {Space[]} spaces @param {number} width */
export function freeCorner(cities, spaces, width) {
  const corners = [
    { x: 200, y: 72 },
    { x: width - 200, y: 72 },
    { x: 200, y: HEIGHT - 84 },
    { x: width - 200, y: HEIGHT - 84 },
  ];
  const room = (/** @type {Point} */ corner) =>
    Math.min(
      ...[...cities, ...spaces.map((space) => space.at)].map((point) =>
        Math.hypot((point.x - corner.x) * 0.55, point.y - corner.y),
      ),
    );
  const best = corners.reduce((one, other) => (room(other) > room(one) ? other : one));
  return room(best) > 70 ? best : null;
}
