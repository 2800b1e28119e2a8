// Mountains, hills and rivers, drawn where the terrain of an edition's spaces calls for them.

import { svg } from "../lib/ui/dom.js";

/** @typedef {import("./layout.js").Space} Space */
/** @typedef {import("./layout.js").Point} Point */

/**
 * @param {Space[]} spaces @param {Point[]} cities @param {number} width @param {number} height
 */
export function relief(spaces, cities, width, height) {
  const random = generator(spaces.length * 7919 + 17);
  const heights = spaces
    .filter((space) => ["mountain", "tunnel", "hills"].includes(space.terrain))
    .map((space) => ({ ...space.at, high: space.terrain === "hills" ? 0.45 : 1 }));
  const peaks = svg("path", { class: "peak" });
  const shades = svg("path", { class: "shade" });
  const ridges = svg("path", { class: "ridge" });
  const hatches = svg("path", { class: "hatch" });
  let [solid, dark, lines, strokes] = ["", "", "", ""];
  const step = 31;
  for (let row = 0; row * step < height - 70; row++) {
    for (let column = 0; column * step < width - 60; column++) {
      const x = 34 + column * step + (row % 2) * (step / 2) + (random() - 0.5) * 20;
      const y = 56 + row * step + (random() - 0.5) * 16;
      const high = Math.max(
        0,
        ...heights.map((peak) => peak.high * Math.exp(-(((peak.x - x) ** 2 + (peak.y - y) ** 2) / 16000))),
      );
      if (random() > high * 1.3 - 0.12) continue;
      if (tooNear(x, y, spaces, 33) || tooNear(x, y, cities.map((at) => ({ at })), 66)) continue;
      const size = 10 + high * 19 * (0.65 + random() * 0.55);
      const lean = (random() - 0.5) * size * 0.3;
      const top = { x: x + lean, y: y - size };
      solid += `M${n(x - size)} ${n(y)}L${n(top.x)} ${n(top.y)}L${n(x + size * 0.95)} ${n(y)}z`;
      dark += `M${n(top.x)} ${n(top.y)}L${n(x + size * 0.95)} ${n(y)}L${n(x + size * 0.1)} ${n(y)}L${n(x + size * 0.22)} ${n(y - size * 0.45)}z`;
      lines += `M${n(x - size)} ${n(y)}L${n(top.x)} ${n(top.y)}L${n(x + size * 0.95)} ${n(y)}`;
      for (let stroke = 1; stroke < 5; stroke++) {
        const part = stroke / 5;
        const from = { x: top.x + (x + size * 0.95 - top.x) * part, y: top.y + size * part };
        strokes += `M${n(from.x)} ${n(from.y)}l${n(-size * 0.18)} ${n(size * 0.34 * (1 - part * 0.5))}`;
      }
    }
  }
  peaks.setAttribute("d", solid);
  shades.setAttribute("d", dark);
  ridges.setAttribute("d", lines);
  hatches.setAttribute("d", strokes);
  const rivers = svg("g", { class: "rivers" });
  for (const d of riversOf(spaces, width, height, random)) {
    rivers.append(svg("path", { class: "river-bank", d }), svg("path", { class: "river", d }));
  }
  return svg("g", { class: "relief" }, rivers, peaks, shades, ridges, hatches);
}

/** @param {number} x @param {number} y @param {{at: Point}[]} things @param {number} far */
function tooNear(x, y, things, far) {
  return things.some(({ at }) => Math.hypot(at.x - x, at.y - y + 8) < far);
}

/**
 * Rivers run through the bridges, from the north edge to the south; bridges near each other lie
 * on one river.
 * @param {Space[]} spaces @param {number} width @param {number} height @param {() => number} random
 */
function riversOf(spaces, width, height, random) {
  const bridges = spaces
    .filter((space) => space.terrain === "bridge")
    .map((space) => space.at)
    .sort((one, other) => one.y - other.y);
  /** @type {Point[][]} */
  const rivers = [];
  for (const bridge of bridges) {
    const near = rivers.find((river) => {
      const end = river[river.length - 1];
      return Math.abs(end.x - bridge.x) < 170 && bridge.y - end.y > 40;
    });
    if (near) near.push(bridge);
    else rivers.push([bridge]);
  }
  return rivers.map((river) => {
    const [first, last] = [river[0], river[river.length - 1]];
    const drift = () => (random() - 0.5) * 150;
    const above = first.y > height * 0.4 ? first.y - 190 : -20;
    const below = last.y < height * 0.6 ? last.y + 190 : height + 20;
    const points = [
      { x: clamp(first.x + drift(), width), y: above },
      ...meander(first, above, -1, random),
      ...river,
      ...meander(last, below, 1, random),
      { x: clamp(last.x + drift(), width), y: below },
    ];
    return curve(points);
  });
}

/** @param {Point} from @param {number} to @param {number} way @param {() => number} random */
function meander(from, to, way, random) {
  const half = { x: from.x + (random() - 0.5) * 70, y: (from.y + to) / 2 };
  return Math.abs(to - from.y) > 120 ? [half].slice(0, way ? 1 : 0) : [];
}

/** @param {number} x @param {number} width */
function clamp(x, width) {
  return Math.min(width - 30, Math.max(30, x));
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
