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
  for (const level of /** @type {Level[]} */ (["full", "brief"])) {
    const from = taken.length;
    const fitting = spaces.filter(({ tile }, n) => {
      const { x, y } = beds[n];
      const { wide, high } = chipBox(level, /** @type {[number, number]} */ (chips.get(tile)));
      const box = { left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 };
      return free(box) && taken.push(box);
    });
    if (fitting.length >= MOSTLY * spaces.length) {
      for (const { tile } of fitting) levels.set(tile, level);
      break;
    }
    taken.length = from;
  }
  return { plates, levels };
}

/** @param {Box} one @param {Box} other */
function meet(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** How far a point is from a box. @param {Point} point @param {Box} box */
function near({ x, y }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
