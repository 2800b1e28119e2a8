// What has room on the map at a scale: whole names or codes of cities, chips with code and cost.
// All figures are pixels on the screen; at a scale of one or more the drawing grows as a whole.

import { EDGE, HEIGHT, RING, WIDTH } from "./layout.js";

/** @typedef {import("./layout.js").Point} Point */
/** @typedef {import("./layout.js").Space} Space */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** How much of a chip is shown. @typedef {"full" | "brief" | "bare"} Level */

/** The least size of any text. */
export const LEAST = 11;
/** The share of chips that have to have room. */
const MOSTLY = 0.8;
/** How far a chip that has no room may be moved along its route, away from the city that it would cover, in pixels. */
const NUDGES = [3, 6, 9, 12];
/** So near is a space that touches a city. */
const CLOSE = 70;
/** Below this a phone shows the whole map: marks are smaller there. */
const TINY = 0.425;

/** The sizes of a city at a scale: its ring, the band of its cards, its name, what is offered. @param {number} scale */
export function citySizes(scale) {
  const small = Math.min(1, scale);
  const tiny = scale < TINY;
  const ring = Math.max(tiny ? Math.min(18, EDGE.x * scale - 1) : 20.5, RING * small);
  const band = Math.max(tiny ? 12.2 : 14.2, 16.5 * small);
  return { ring, band, hub: ring - band - 1.5, letters: small < 0.7 ? LEAST : 12.5, pays: small < 0.9 ? LEAST : 12, plate: small < 0.7 ? 13.5 : 17, tag: small < 0.7 ? 14 : 18, small };
}

/** @type {CanvasRenderingContext2D | null} */
let pen = null;
let family = ""; // asking for it makes the browser compute all styles

/** How wide a text is. @param {string} text @param {number} size */
export function widthOf(text, size, weight = 600) {
  pen ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  family ||= getComputedStyle(document.documentElement).getPropertyValue("--serif");
  pen.font = `${weight} ${size}px ${family}`;
  return pen.measureText(text).width;
}

/** The size of a chip. @param {Level} level @param {[number, number]} widths with its code, and of its cost alone */
export function chipBox(level, [full, brief]) {
  return level === "full" ? { wide: full, high: 27 } : { wide: brief, high: 14 };
}

/**
 * @param {number} scale
 * @param {Space[]} spaces
 * @param {{code: string, name: string, at: Point}[]} cities
 * @param {Map<string, [number, number]>} chips how wide the chip of each tile is
 */
export function roomAt(scale, spaces, cities, chips) {
  const small = Math.min(1, scale);
  const { ring, letters, plate } = citySizes(scale);
  const at = (/** @type {Point} */ { x, y }) => ({ x: x * small, y: y * small });
  const rings = cities.map((city) => at(city.at));
  const beds = spaces.map((space) => at(space.at));
  /** @type {Box[]} */
  const taken = [];
  const free = (/** @type {Box} */ box) => !taken.some((other) => meet(box, other)) && !rings.some((middle) => near(middle, box) < ring);

  /** @type {Map<string, {text: string, wide: number, x: number}>} */
  const plates = new Map();
  for (const { code, name, at: place } of cities) {
    const { x, y } = at(place);
    for (const text of [name, code]) {
      const wide = Math.ceil(widthOf(text, letters)) + (small < 0.7 ? 6 : 12);
      const left = Math.max(4, Math.min(WIDTH * small - wide - 4, x - wide / 2));
      const box = { left, right: left + wide, top: y + ring + 0.5, bottom: y + ring + plate };
      const fits = box.bottom <= HEIGHT * small + 30 && free(box) && !beds.some((bed) => near(bed, box) < 8 * small);
      if (!fits && text !== code) continue;
      taken.push(box);
      plates.set(code, { text, wide, x: left + wide / 2 - x });
      break;
    }
  }

  // Chips show as much as has room nearly everywhere: some with and some without would look like a difference.
  /** @type {Map<string, Level>} */
  const levels = new Map();
  /** How far a chip is moved along its route, away from a city. @type {Map<string, Point>} */
  const moved = new Map();
  for (const level of /** @type {Level[]} */ (["full", "brief"])) {
    const from = taken.length;
    const fits = (/** @type {Space} */ { tile }, /** @type {Point} */ { x, y }) => {
      const { wide, high } = chipBox(level, /** @type {[number, number]} */ (chips.get(tile)));
      const box = { left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 };
      return free(box) && taken.push(box) > 0;
    };
    const fitting = spaces.filter((space, n) => fits(space, beds[n]));
    if (fitting.length >= MOSTLY * spaces.length) {
      for (const { tile } of fitting) levels.set(tile, level);
      spaces.forEach((space, n) => {
        if (levels.has(space.tile)) return;
        const away = Math.sign(rings.reduce((sum, ring) => sum + along(space, beds[n], ring), 0));
        const by = NUDGES.find((far) => fits(space, ahead(space, beds[n], away * far)));
        if (by === undefined) return;
        levels.set(space.tile, level);
        moved.set(space.tile, ahead(space, { x: 0, y: 0 }, (away * by) / small));
      });
      break;
    }
    taken.length = from;
  }
  return { plates, levels, moved };
}

/** A point further along a route. @param {Space} space @param {Point} from @param {number} far @returns {Point} */
function ahead({ angle }, { x, y }, far) {
  return { x: x + Math.cos((angle * Math.PI) / 180) * far, y: y + Math.sin((angle * Math.PI) / 180) * far };
}

/** Which way along its route a space lies from a city that is near: 1, -1, or 0 for one that is far.
 * @param {Space} space @param {Point} bed @param {Point} ring */
function along({ angle }, bed, ring) {
  const way = Math.cos((angle * Math.PI) / 180) * (bed.x - ring.x) + Math.sin((angle * Math.PI) / 180) * (bed.y - ring.y);
  return Math.hypot(bed.x - ring.x, bed.y - ring.y) < CLOSE ? Math.sign(way) : 0;
}

/** @param {Box} one @param {Box} other */
function meet(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** How far a point is from a box. @param {Point} point @param {Box} box */
function near({ x, y }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
