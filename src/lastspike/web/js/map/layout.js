// Where cities, spaces and the title stand: one drawing for an edition, cropped to its network.

/** The drawing's size in units: one is a pixel where the map has the room of a small desktop. */
export const WIDTH = 905;
export const HEIGHT = 460;
/** The radius of a city. */
export const RING = 36;
/** How far the outermost cities stand from the edges. */
export const EDGE = { x: 50, top: 62, bottom: 64 };
/** How far the land goes on around the drawing, which shows where its place has another shape. */
export const BEYOND = { x: 320, y: 300 };

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{tile: string, at: Point, angle: number, length: number, terrain: string, cost: number}} Space */

/** Where the cities stand, from edge to edge. @param {Figures} figures @returns {globalThis.Map<string, Point>} */
export function placesOf({ edition: { cities } }) {
  /** @param {0 | 1} axis @param {number} from @param {number} to */
  const spread = (axis, from, to) => {
    const all = cities.map(({ at }) => at[axis]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return (/** @type {number} */ value) => (most > least ? from + ((value - least) / (most - least)) * (to - from) : (from + to) / 2);
  };
  const x = spread(0, EDGE.x, WIDTH - EDGE.x);
  const y = spread(1, EDGE.top, HEIGHT - EDGE.bottom);
  return new Map(cities.map(({ code, at }) => [code, { x: x(at[0]), y: y(at[1]) }]));
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
    const aside = (nth - (all - 1) / 2) * 38 * (route.ends[0] < route.ends[1] ? 1 : -1);
    const length = (far - 2 * (RING + 2)) / 4;
    const angle = (Math.atan2(along.y, along.x) * 180) / Math.PI;
    return route.costs.map((cost, n) => {
      const reach = RING + 2 + (n + 0.5) * length;
      return {
        tile: `${route.letter}${n + 1}`,
        at: {
          x: from.x + along.x * reach - along.y * aside,
          y: from.y + along.y * reach + along.x * aside,
        },
        angle,
        length: Math.max(12, length - 2),
        terrain: route.terrain[n],
        cost,
      };
    });
  });
}

/** A corner where nothing else is: its name and place, so far from the edges, or null.
 * @param {Point[]} things @param {{x: number, top: number, bottom: number}} edge @param {string[]} corners that may be taken, the best first */
export function freeCorner(things, edge, corners) {
  const room = (/** @type {Point} */ corner) => Math.min(...things.map(({ x, y }) => Math.hypot((x - corner.x) * 0.5, y - corner.y)));
  const found = corners.map((name) => ({ name, at: { x: name.endsWith("west") ? edge.x : WIDTH - edge.x, y: name.startsWith("north") ? edge.top : HEIGHT - edge.bottom } }));
  return found.find(({ at }) => room(at) > 58) ?? null;
}
