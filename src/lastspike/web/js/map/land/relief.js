// The land: paper, tints, mountains, hills and grass, where the terrain of an edition's spaces calls for them.

import { svg } from "../../lib/ui/dom.js";
import { BEYOND, HEIGHT, WIDTH } from "../layout.js";
import { coursesOf, distance, drawRivers, drawSea, round, smooth } from "./water.js";

/** @typedef {import("../layout.js").Space} Space */
/** @typedef {import("../layout.js").Point} Point */

/** How far the paper goes on, in widths and heights: a low, wide place shows a lot of it. */
const FAR = 3;
/** How each terrain tints the land around it. @type {Record<string, string>} */
const TINTS = { plain: "prairie", bridge: "prairie", hills: "upland", mountain: "highland", tunnel: "highland" };
const STEP = 21;

/** @param {Space[]} spaces @param {Point[]} cities @param {[Point, Point][]} routes from city to city
 * @param {{number: number, shore: Point | null, clear: Point[]}} how `number` of the map on its page; `shore`: the city by the sea;
 *   `clear`: where something is written */
export function relief(spaces, cities, routes, { number, shore, clear }) {
  const random = generator(spaces.length * 7919 + 17);
  const paper = { x: -WIDTH * FAR, y: -HEIGHT * FAR, width: WIDTH * (1 + 2 * FAR), height: HEIGHT * (1 + 2 * FAR) };
  const tint = (/** @type {string} */ name) => `tint-${name}-${number}`;
  const names = [...new Set(Object.values(TINTS))];
  const tints = svg("g", { class: "tints" });
  for (const { terrain, at } of spaces) tints.append(svg("circle", { cx: round(at.x), cy: round(at.y), r: terrain === "plain" ? 170 : 115, fill: `url(#${tint(TINTS[terrain] ?? "prairie")})` }));
  const courses = coursesOf(spaces, routes, random);
  const wet = courses.map(({ points }) => smooth(points)).flatMap((line) => line.filter((_, n) => n % 2 === 0));
  const things = [
    { points: spaces.map(({ at }) => at), far: 22 },
    { points: cities, far: 50 },
    { points: wet, far: 13 },
    { points: clear, far: 16 },
  ];
  const taken = (/** @type {Point} */ at, size = 0) => things.some(({ points, far }) => points.some((point) => distance(point, { x: at.x, y: at.y - 6 }) < far + size));
  return {
    courses,
    land: svg(
      "g",
      { class: "relief" },
      svg(
        "defs",
        {},
        svg("linearGradient", { id: tint("west-east"), gradientUnits: "userSpaceOnUse", x1: 0, x2: WIDTH }, westToEast(spaces)),
        names.map((name) => svg("radialGradient", { id: tint(name), class: name }, svg("stop", { class: "tint" }), svg("stop", { class: "tint far", offset: 1 }))),
      ),
      svg("rect", { class: "paper", ...paper }),
      svg("rect", { class: "tints", ...paper, fill: `url(#${tint("west-east")})` }),
      tints,
      shore && drawSea(shore, random),
      drawRivers(courses),
      heights(spaces, taken, shore ? shore.x - 30 : -Infinity, random),
    ),
  };
}

/** Mountains and hills where it is steep, grass where it is not: from north to south, so that what is nearer stands before what is farther.
 * @param {Space[]} spaces @param {(at: Point, size?: number) => boolean} taken @param {number} west where the land ends @param {() => number} random */
function heights(spaces, taken, west, random) {
  const [left, top, wide, high] = [-BEYOND.x, -BEYOND.y, WIDTH + 2 * BEYOND.x, HEIGHT + 2 * BEYOND.y];
  const steeps = spaces.filter(({ terrain }) => ["mountain", "tunnel", "hills"].includes(terrain)).map(({ at, terrain }) => ({ ...at, high: terrain === "hills" ? 0.5 : 1 }));
  const plains = spaces.filter(({ terrain }) => terrain === "plain" || terrain === "bridge").map(({ at }) => at);
  const rows = [];
  const sketch = { grass: "" };
  for (let row = 0; row * STEP * 0.72 < high; row++) {
    const lines = { solid: "", dark: "", edge: "", hatch: "" };
    for (let column = 0; column * STEP < wide; column++) {
      const at = { x: left + column * STEP + (row % 2) * (STEP / 2) + (random() - 0.5) * 11, y: top + row * STEP * 0.72 + (random() - 0.5) * 7 };
      const [lot, form] = [random(), [random(), random(), random(), random()]];
      if (at.x < west + Math.max(0, at.y - HEIGHT / 2) * 0.4) continue;
      const steep = Math.max(0, ...steeps.map((peak) => peak.high * Math.exp(-(((peak.x - at.x) ** 2 + (peak.y - at.y) ** 2) / 6800))));
      if (lot < steep * 1.5 - 0.2 && !taken(at, 2)) {
        if (steep > 0.42) mountain(lines, at, 8 + steep * 11 * (0.7 + form[0] * 0.5), form);
        else hill(lines, at, 7 + form[0] * 4);
      } else if (steep < 0.16 && lot > 0.86 && !taken(at) && plains.some((plain) => distance(plain, at) < 150)) sketch.grass += tuft(at, form);
    }
    if (lines.solid) rows.push(lines);
  }
  return svg(
    "g",
    { class: "heights" },
    svg("path", { class: "grass", d: sketch.grass }),
    rows.flatMap(({ solid, dark, edge, hatch }) => [svg("path", { class: "peak", d: solid }), svg("path", { class: "shade", d: dark }), svg("path", { class: "hatch", d: hatch }), svg("path", { class: "ridge", d: edge })]),
  );
}

/** A peak lit from the west: its eastern side lies in the shade, and is hatched down the slope.
 * @param {{solid: string, dark: string, edge: string, hatch: string}} lines @param {Point} at @param {number} size @param {number[]} form */
function mountain(lines, { x, y }, size, [, lean, west, east]) {
  const p = (/** @type {number} */ across, /** @type {number} */ up) => `${round(x + across * size)} ${round(y - up * size)}`;
  const top = (lean - 0.5) * 0.3;
  const [one, other] = [0.5 + west * 0.14, 0.46 + east * 0.16];
  const left = `${p(-1.02, 0)}L${p(-0.5 - west * 0.1, one)}L${p(-0.3, one + 0.08)}L${p(top, 1.18)}`;
  const right = `L${p(0.26 + east * 0.08, other + 0.16)}L${p(0.5 + east * 0.1, other)}L${p(1, 0)}`;
  const spine = `L${p(0.16, 0)}L${p(-0.06, 0.3)}L${p(top + 0.12, 0.66)}z`;
  lines.solid += `M${left}${right}z`;
  lines.dark += `M${p(top, 1.18)}${right}${spine}`;
  lines.edge += `M${left}${right}M${p(top, 1.18)}L${p(top + 0.12, 0.66)}L${p(-0.06, 0.3)}L${p(0.05, 0.12)}`;
  const many = size > 14 ? 6 : 4;
  for (let n = 1; n <= many; n++) {
    const part = n / (many + 1);
    const [across, up] = [top + (0.98 - top) * part, 1.1 * (1 - part) - 0.06];
    lines.hatch += `M${p(across, up)}L${p(across - 0.13, Math.max(0.02, up - 0.46 + part * 0.2))}`;
  }
  lines.hatch += `M${p(-0.62, 0.2)}l${round(-size * 0.1)} ${round(size * 0.16)}M${p(-0.42, 0.3)}l${round(-size * 0.12)} ${round(size * 0.22)}`;
}

/** @param {{solid: string, edge: string, hatch: string}} lines @param {Point} at @param {number} size */
function hill(lines, { x, y }, size) {
  const d = `M${round(x - size)} ${round(y)}Q${round(x - size * 0.35)} ${round(y - size * 1.05)} ${round(x + size * 0.1)} ${round(y - size * 0.5)}T${round(x + size)} ${round(y)}`;
  lines.solid += `${d}z`;
  lines.edge += d;
  for (const part of [0.25, 0.5, 0.75]) lines.hatch += `M${round(x + size * part)} ${round(y - size * 0.52 * (1 - part))}l${round(-size * 0.1)} ${round(size * 0.3 * (1.1 - part))}`;
}

/** @param {Point} at @param {number[]} form */
function tuft({ x, y }, [one, other]) {
  return `M${round(x)} ${round(y)}l-1.800-${round(2.6 + one)}M${round(x + 1.6)} ${round(y)}v-${round(3.6 + other)}M${round(x + 3.2)} ${round(y)}l1.800-${round(2.6 + other)}`;
}

/** What most of the land is like, from the western edge to the eastern. @param {Space[]} spaces */
function westToEast(spaces) {
  const strips = 7;
  return Array.from({ length: strips }, (_, strip) => {
    const middle = ((strip + 0.5) / strips) * WIDTH;
    /** @type {Map<string, number>} */
    const much = new Map();
    for (const { at, terrain } of spaces) {
      const name = TINTS[terrain] ?? "prairie";
      much.set(name, (much.get(name) ?? 0) + Math.exp(-(((at.x - middle) / 90) ** 2)));
    }
    const [[name]] = [...much].sort(([, one], [, other]) => other - one);
    return svg("stop", { class: `tint ${name}`, offset: (strip + 0.5) / strips });
  });
}

/** The same numbers for the same edition, so that the map never changes. @param {number} seed */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
