// Mountains, hills and rivers, drawn where the terrain of an edition's spaces calls for them.

import { svg } from "../lib/ui/dom.js";
import { HEIGHT, WIDTH } from "./layout.js";

/** @typedef {import("./layout.js").Space} Space */
/** @typedef {import("./layout.js").Point} Point */

/** How far the land goes on around the drawing, which shows where its place has another shape. */
const BEYOND = { x: 320, y: 300 };
/** How far its paper does, in widths and heights: a low, wide place shows a lot of it. */
const FAR = 3;
/** How each terrain tints the land around it. @type {Record<string, string>} */
const TINTS = { plain: "prairie", bridge: "prairie", hills: "upland", mountain: "highland", tunnel: "highland" };

/** @param {Space[]} spaces @param {Point[]} cities @param {number} number of the map on its page */
export function relief(spaces, cities, number) {
  const random = generator(spaces.length * 7919 + 17);
  const [left, top, wide, high] = [-BEYOND.x, -BEYOND.y, WIDTH + 2 * BEYOND.x, HEIGHT + 2 * BEYOND.y];
  const paper = { x: -WIDTH * FAR, y: -HEIGHT * FAR, width: WIDTH * (1 + 2 * FAR), height: HEIGHT * (1 + 2 * FAR) };
  const tint = (/** @type {string} */ name) => `tint-${name}-${number}`;
  const names = [...new Set(Object.values(TINTS))];
  const tints = svg("g", { class: "tints" });
  for (const { terrain, at } of spaces) tints.append(svg("circle", { cx: n(at.x), cy: n(at.y), r: terrain === "plain" ? 150 : 105, fill: `url(#${tint(TINTS[terrain] ?? "prairie")})` }));
  const heights = spaces
    .filter((space) => ["mountain", "tunnel", "hills"].includes(space.terrain))
    .map((space) => ({ ...space.at, high: space.terrain === "hills" ? 0.4 : 1 }));
  const peaks = svg("path", { class: "peak" });
  const shades = svg("path", { class: "shade" });
  const ridges = svg("path", { class: "ridge" });
  const hatches = svg("path", { class: "hatch" });
  let [solid, dark, lines, strokes] = ["", "", "", ""];
  const step = 23;
  for (let row = 0; row * step < high; row++) {
    for (let column = 0; column * step < wide; column++) {
      const x = left + column * step + (row % 2) * (step / 2) + (random() - 0.5) * 15;
      const y = top + row * step + (random() - 0.5) * 12;
      const lot = random();
      const steep = Math.max(0, ...heights.map((peak) => peak.high * Math.exp(-(((peak.x - x) ** 2 + (peak.y - y) ** 2) / 8200))));
      if (lot > steep * 1.3 - 0.12) continue;
      if (tooNear(x, y, spaces, 24) || tooNear(x, y, cities.map((at) => ({ at })), 52)) continue;
      const size = 8 + steep * 14 * (0.65 + random() * 0.55);
      const lean = (random() - 0.5) * size * 0.3;
      const peak = { x: x + lean, y: y - size };
      solid += `M${n(x - size)} ${n(y)}L${n(peak.x)} ${n(peak.y)}L${n(x + size * 0.95)} ${n(y)}z`;
      dark += `M${n(peak.x)} ${n(peak.y)}L${n(x + size * 0.95)} ${n(y)}L${n(x + size * 0.1)} ${n(y)}L${n(x + size * 0.22)} ${n(y - size * 0.45)}z`;
      lines += `M${n(x - size)} ${n(y)}L${n(peak.x)} ${n(peak.y)}L${n(x + size * 0.95)} ${n(y)}`;
      for (let stroke = 1; stroke < 5; stroke++) {
        const part = stroke / 5;
        const from = { x: peak.x + (x + size * 0.95 - peak.x) * part, y: peak.y + size * part };
        strokes += `M${n(from.x)} ${n(from.y)}l${n(-size * 0.18)} ${n(size * 0.34 * (1 - part * 0.5))}`;
      }
    }
  }
  peaks.setAttribute("d", solid);
  shades.setAttribute("d", dark);
  ridges.setAttribute("d", lines);
  hatches.setAttribute("d", strokes);
  const rivers = svg("g", { class: "rivers" });
  for (const d of riversOf(spaces, random)) {
    rivers.append(svg("path", { class: "river-bank", d }), svg("path", { class: "river", d }));
  }
  return svg(
    "g",
    { class: "relief" },
    svg("defs", {}, svg("linearGradient", { id: tint("west-east"), gradientUnits: "userSpaceOnUse", x1: 0, x2: WIDTH }, westToEast(spaces)), names.map((name) => svg("radialGradient", { id: tint(name), class: name }, svg("stop", { class: "tint" }), svg("stop", { class: "tint far", offset: 1 })))),
    svg("rect", { class: "paper", ...paper }),
    svg("rect", { class: "tints", ...paper, fill: `url(#${tint("west-east")})` }),
    tints,
    rivers,
    peaks,
    shades,
    ridges,
    hatches,
  );
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

/** @param {number} x @param {number} y @param {{at: Point}[]} things @param {number} far */
function tooNear(x, y, things, far) {
  return things.some(({ at }) => Math.hypot(at.x - x, at.y - y + 8) < far);
}

/**
 * Rivers run through the bridges, from the north edge to the south; bridges near each other lie
 * on one river.
 * @param {Space[]} spaces @param {() => number} random
 */
function riversOf(spaces, random) {
  const bridges = spaces
    .filter((space) => space.terrain === "bridge")
    .map((space) => space.at)
    .sort((one, other) => one.y - other.y);
  /** @type {Point[][]} */
  const rivers = [];
  for (const bridge of bridges) {
    const near = rivers.find((river) => {
      const end = river[river.length - 1];
      return Math.abs(end.x - bridge.x) < 125 && bridge.y - end.y > 24;
    });
    if (near) near.push(bridge);
    else rivers.push([bridge]);
  }
  return rivers.map((river) => {
    const [first, last] = [river[0], river[river.length - 1]];
    const drift = () => (random() - 0.5) * 150;
    const [above, below] = [-BEYOND.y, HEIGHT + BEYOND.y];
    const points = [
      { x: first.x + drift(), y: above },
      ...meander(first, above, random),
      ...river,
      ...meander(last, below, random),
      { x: last.x + drift(), y: below },
    ];
    return curve(points);
  });
}

/** A bend on the way to an edge. @param {Point} from @param {number} to @param {() => number} random @returns {Point[]} */
function meander(from, to, random) {
  const bends = [0.15, 0.3, 0.55].map((part) => ({ x: from.x + (random() - 0.5) * 90, y: from.y + (to - from.y) * part }));
  return to < from.y ? bends.reverse() : bends;
}

/** A smooth line through points, by Catmull and Rom. @param {Point[]} points */
function curve(points) {
  let d = `M${n(points[0].x)} ${n(points[0].y)}`;
  for (let i = 0; i < points.length - 1; i++) {
    const [before, from, to, after] = [
      points[Math.max(0, i - 1)],
      points[i],
      points[i + 1],
      points[Math.min(points.length - 1, i + 2)],
    ];
    d += `C${n(from.x + (to.x - before.x) / 6)} ${n(from.y + (to.y - before.y) / 6)} ${n(to.x - (after.x - from.x) / 6)} ${n(to.y - (after.y - from.y) / 6)} ${n(to.x)} ${n(to.y)}`;
  }
  return d;
}

/** @param {number} value */
function n(value) {
  return Math.round(value * 10) / 10;
}

/** The same numbers for the same edition, so that the map never changes. @param {number} seed */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
