// What a surveyor writes and draws around the land: title, names of ranges and rivers, a compass rose, the frame.

import { svg } from "../../lib/ui/dom.js";
import { say } from "../../lib/words.js";
import { HEIGHT, WIDTH } from "../layout.js";
import { widthOf } from "../room.js";
import { distance, round, smooth } from "./water.js";

/** @typedef {import("../layout.js").Point} Point */

/** Where the lands are written, between two cities: how far along the line from its middle, how far beside it, and how
 * wide. @returns {[string, string, string, number, number, number][]} */
const lands = () => [
  [say("Rocky Mountains"), "OGD", "OMA", 0, 14, 212],
  [say("Great Plains"), "DEN", "STL", -16, 24, 176],
  [say("Great Basin"), "SAC", "DEN", 0, 4, 176],
  [say("Sierra Nevada"), "SAC", "OGD", 0, -46, 150],
];

/** Rivers that have a name, by a tile whose bridge crosses them. @returns {[string, string][]} */
const waters = () => [
  [say("Missouri"), "C1"],
  [say("Mississippi"), "B1"],
  [say("Rio Grande"), "F3"],
  [say("Colorado"), "Z1"],
];

/** Where each land's name is written: from one point to another. @param {globalThis.Map<string, Point>} places */
export function landNames(places) {
  return lands().flatMap(([text, one, other, ahead, aside, wide]) => {
    const [from, to] = [places.get(one), places.get(other)];
    if (!from || !to) return [];
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const way = { x: (to.x - from.x) / far, y: (to.y - from.y) / far };
    const middle = { x: (from.x + to.x) / 2 + way.x * ahead - way.y * aside, y: (from.y + to.y) / 2 + way.y * ahead + way.x * aside };
    const at = (/** @type {number} */ part) => ({ x: middle.x + way.x * wide * part, y: middle.y + way.y * wide * part });
    return [{ text, from: at(-0.5), to: at(0.5), wide }];
  });
}

/** Points along the names, which mountains keep away from. @param {ReturnType<typeof landNames>} names */
export function namePoints(names) {
  return names.flatMap(({ from, to }) => Array.from({ length: 15 }, (_, n) => ({ x: from.x + ((to.x - from.x) * n) / 14, y: from.y + ((to.y - from.y) * n) / 14 - 5 })));
}

/** @param {ReturnType<typeof landNames>} names @param {import("./water.js").Course[]} courses @param {(at: Point) => boolean} free where a name can be read
 * @param {number} number of the map on its page */
export function drawNames(names, courses, free, number) {
  /** @type {Set<string>} */
  const used = new Set();
  return svg(
    "g",
    { class: "lettering" },
    names.map(({ text, from, to, wide }) => {
      const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
      return svg("text", { class: "land-name", textLength: wide, transform: `translate(${round((from.x + to.x) / 2)} ${round((from.y + to.y) / 2)}) rotate(${round(angle)})` }, text);
    }),
    waters().flatMap(([text, tile], n) => {
      const course = courses.find(({ tiles }) => tiles.includes(tile));
      const line = course && stretch(smooth(course.points), (at) => free(at) && !used.has(cell(at)), widthOf(text, 13.5) * 1.1 + 8);
      if (!line) return [];
      for (const at of line) used.add(cell(at));
      const id = `river-${n}-${number}`;
      const path = svg("textPath", { href: `#${id}`, startOffset: "50%" }, text);
      return [svg("path", { id, class: "river-line", d: bow(line) }), svg("text", { class: "river-name", dy: -6 }, path)];
    }),
  );
}

/** One bend from end to end: letters would stumble over many. @param {Point[]} line */
function bow(line) {
  const [from, middle, to] = [line[0], line[line.length >> 1], line[line.length - 1]];
  const by = { x: 2 * middle.x - (from.x + to.x) / 2, y: 2 * middle.y - (from.y + to.y) / 2 };
  return `M${round(from.x)} ${round(from.y)}Q${round(by.x)} ${round(by.y)} ${round(to.x)} ${round(to.y)}`;
}

/** Where on the map a point is, roughly. @param {Point} at */
function cell({ x, y }) {
  return `${Math.round(x / 40)},${Math.round(y / 40)}`;
}

/** The straightest part of a river that is long enough for its name and free, in reading direction. @param {Point[]} line @param {(at: Point) => boolean} free @param {number} long */
function stretch(line, free, long) {
  /** @type {{part: Point[], bent: number} | null} */
  let best = null;
  for (let from = 0; from < line.length; from++) {
    let far = 0;
    let to = from;
    while (to + 1 < line.length && far < long && free(line[to])) far += distance(line[to], line[++to]);
    if (far < long) continue;
    const bent = far - distance(line[from], line[to]) + Math.abs(line[from].y - line[to].y) * 0.05;
    if (!best || bent < best.bent) best = { part: line.slice(from, to + 1), bent };
  }
  const part = best?.part ?? null;
  return part && part[0].x > part[part.length - 1].x ? part.reverse() : part;
}

/** @param {Point} at @param {string} from @param {string} to the two ends of the line */
export function cartouche(at, from, to) {
  return svg(
    "g",
    { class: "cartouche", transform: `translate(${at.x} ${at.y})` },
    svg("text", { class: "cartouche-name" }, "The Last Spike"),
    svg("path", { class: "cartouche-rule", d: "M-92 9H-12M12 9H92M-5 9L0 4 5 9 0 14z" }),
    svg("text", { class: "cartouche-line", y: 27 }, say("{one}–{other}, {year}", { one: from, other: to, year: 1869 })),
  );
}

/** @param {Point} at */
export function compassRose({ x, y }) {
  const star = (/** @type {number} */ long, /** @type {number} */ turn) => [0, 90, 180, 270].map((angle) => svg("g", { transform: `rotate(${angle + turn})` }, svg("path", { class: "rose-light", d: `M0 ${-long}L${-long * 0.17} ${-long * 0.17}L0 0z` }), svg("path", { class: "rose-dark", d: `M0 ${-long}L${long * 0.17} ${-long * 0.17}L0 0z` })));
  return svg("g", { class: "rose", transform: `translate(${x} ${y})` }, svg("circle", { class: "rose-ring", r: 21 }), svg("circle", { class: "rose-ring thin", r: 18.5 }), star(17, 45), star(29, 0), svg("path", { class: "rose-dark", d: "M-4-32V-41L4-32V-41", fill: "none" }));
}

/** The frame of the sheet, with degrees along its edges. */
export class Frame {
  constructor() {
    this.element = svg("g", { class: "frame" });
    this.key = "";
  }

  /** Around a whole map of that size. @param {{width: number, height: number}} box in pixels @param {number} scale pixels for a unit */
  fit({ width, height }, scale) {
    const key = [width, height, scale].join();
    if (key === this.key || !width) return;
    this.key = key;
    const small = Math.min(width, height) < 330;
    const [left, top, right, bottom] = [(WIDTH - width / scale) / 2, (HEIGHT - height / scale) / 2, (WIDTH + width / scale) / 2, (HEIGHT + height / scale) / 2];
    const px = (/** @type {number} */ value) => round(value / scale);
    const rect = (/** @type {number} */ inset, /** @type {number} */ line) => svg("rect", { class: "frame-line", x: left + px(inset), y: top + px(inset), width: right - left - 2 * px(inset), height: bottom - top - 2 * px(inset), "stroke-width": px(line) });
    const edge = (/** @type {number[]} */ [x, y, ex, ey]) => {
      const many = 2 * Math.round(Math.hypot(ex - x, ey - y) / px(52)) + 1;
      const d = `M${round(x)} ${round(y)}L${round(ex)} ${round(ey)}`;
      return [svg("path", { class: "frame-light", d, "stroke-width": px(4) }), svg("path", { class: "frame-degrees", d, pathLength: many, "stroke-width": px(4) })];
    };
    const at = px(7);
    const edges = small ? [] : [[left + at, top + at, right - at, top + at], [right - at, top + at, right - at, bottom - at], [right - at, bottom - at, left + at, bottom - at], [left + at, bottom - at, left + at, top + at]];
    this.element.replaceChildren(...edges.flatMap(edge), ...(small ? [rect(4.5, 0.8)] : [rect(4.5, 1), rect(9.5, 1)]));
  }
}
