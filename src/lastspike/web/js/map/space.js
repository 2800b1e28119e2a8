// One space of a route: its bed with bridge or tunnel, its rails, the chip with code and cost, the golden spike.

import { set, svg } from "../lib/ui/dom.js";
import { say, shortMoney } from "../lib/words.js";
import { chipBox, LEAST, widthOf } from "./room.js";

/** @typedef {import("./layout.js").Space} Space */

/** What looks out from behind a chip, above it or below. @type {Record<string, string[]>} */
const ORNAMENTS = {
  hills: ["M-12-11q5.5-8 11 0q5-7 12 0z"],
  mountain: ["M-12-11l7-9 4.500 5 4-7.500 8.500 11.500z", "M-5-20l1.500 4 3 1zM3.500-22.500l1 5 3.500 2z"],
  tunnel: ["M-9-11v-2a9 7.500 0 0 1 18 0v2z", "M-5-11v-1.500a5 4.800 0 0 1 10 0v1.500z"],
  bridge: ["M-13 11h26v3.500h-1.500a4.200 4.200 0 0 0-8.400 0h-2.800a4.200 4.200 0 0 0-8.400 0h-2.800z", "M-12 19q3-2.500 6 0t6 0 6 0 6 0"],
};

/** The mountain over a tunnel: its body, its eastern side, its lines. */
const TUNNEL = [
  "M-16 8.500L-10-2.500-7.500-1.500 0-15 4-8 6-9.500 16 8.500Q0 12.500-16 8.500z",
  "M0-15L4-8 6-9.500 16 8.500Q10 10.500 4 10.500L0 1 1.500-6z",
  "M0-15L1.500-6 0 1 3 7M4-8l-1 6M7.500-6.500l-1.500 6.500M10-2l-1 5.500M12.500 2.500l-.5 4M-7.500-1.500l-1.500 5M-4.500-4l-2 6",
];

/** @param {string} terrain */
export function ornament(terrain) {
  return (ORNAMENTS[terrain] ?? []).map((d, n) => svg("path", { class: `ornament ${n ? "deep" : ""}`, d }));
}

/** How wide the chip of a space has to be, with its code and without. @param {Space} space @returns {[number, number]} */
export function chipWidths({ tile, cost }) {
  const brief = Math.ceil(widthOf(shortMoney(cost), LEAST)) + 4;
  return [Math.max(Math.ceil(widthOf(tile, 12, 700)) + 6, brief + 2), brief];
}

/** @param {Space} space */
export function drawSpace({ tile, at, angle, length, terrain, cost }) {
  const [x, y] = [-length / 2, -9];
  const rails = svg("g", { class: "rails" });
  const sleepers = Math.max(3, Math.round(length / 6));
  for (let n = 0; n < sleepers; n++) {
    rails.append(svg("rect", { class: "sleeper", x: x - 1.4 + ((n + 0.5) * length) / sleepers, y: -8, width: 2.8, height: 16, rx: 0.6 }));
  }
  for (const side of [-4, 4]) {
    rails.append(svg("path", { class: "rail-shade", d: `M${x - 1} ${side + 0.8}h${length + 2}` }), svg("path", { class: "rail", d: `M${x - 1} ${side}h${length + 2}` }));
  }
  const half = length / 2 - 3;
  const works = {
    bridge: `M${-half - 3}-10.500H${half + 3}M${-half - 3} 10.500H${half + 3}M${-half}-10.500v-3.500m${half} 3.500v-3.500m${half} 3.500v-3.500M${-half} 10.500v3.500m${half}-3.500v3.500m${half}-3.500v3.500`,
  }[terrain];
  return svg(
    "g",
    { class: `space ${terrain}`, transform: `translate(${at.x} ${at.y})`, "data-tile": tile },
    svg("circle", { class: "hit" }),
    svg(
      "g",
      { class: "bed", transform: `rotate(${angle})` },
      svg("rect", { class: "mark", x: x - 1, y: y - 3, width: length + 2, height: 24, rx: 5 }),
      svg("rect", { class: "plot", x, y, width: length, height: 18, rx: 3 }),
      rails,
      works && svg("path", { class: "works", d: works }),
      terrain === "tunnel" && svg("path", { class: "portals", d: `M${-half}-7.500q-2.500 7.500 0 15M${half}-7.500q2.500 7.500 0 15` }),
    ),
    terrain === "tunnel" && svg("g", { class: "above" }, TUNNEL.map((d) => svg("path", { d }))),
    svg(
      "g",
      { class: "chip" },
      svg("g", { class: "ornaments" }, ornament(terrain)),
      svg("rect", { class: "chip-back", rx: 4 }),
      svg("text", { class: "code", y: -1.5 }, tile),
      svg("text", { class: "cost" }, shortMoney(cost)),
    ),
  );
}

/** Show as much of a chip as has room. @param {SVGElement} part @param {Space} space @param {import("./room.js").Level} level */
export function fitChip(part, space, level) {
  if (part.dataset.level === level) return;
  part.dataset.level = level;
  const { wide, high } = chipBox(level, chipWidths(space));
  set(/** @type {Element} */ (part.querySelector(".chip-back")), { x: -wide / 2, y: -high / 2, width: wide, height: high });
  set(/** @type {Element} */ (part.querySelector(".cost")), { y: level === "full" ? 10.5 : 3.8 });
  set(/** @type {Element} */ (part.querySelector(".ornaments")), { transform: level === "full" ? null : "scale(.8 .58)" });
}

/** How far the tag of the bonus stands from the middle of its space: over the track beside it. */
const ASIDE = 46;
const SPIKE = "M-3-6h6v2.500l-1.500 1-.5 7-1 2.500-1-2.500-.5-7-1.500-1z";

/** By a space that brings the last spike nearer: a small spike at the corner of its chip. @param {Space} space @param {number} grow @param {boolean} bare whether it shows no chip
 * @param {boolean} own whether the viewer has its tile */
export function spikeBadge(space, grow, bare, own) {
  const [wide, high] = bare ? [0, 0] : [chipWidths(space)[0], 27];
  const at = `translate(${space.at.x} ${space.at.y}) scale(${grow}) translate(${wide / 2} ${-high / 2})`;
  return svg("g", { class: own ? "bonus own" : "bonus", transform: at }, svg("circle", { r: 8 }), svg("path", { d: SPIKE }));
}

/** What the last spike brings, by a space that would be it: over the laid track beside its chip, away from the city.
 * @param {Space} space @param {number} bonus @param {import("./layout.js").Point[]} cities @param {number} grow */
export function bonusTag({ at, angle }, bonus, cities, grow) {
  const text = say("+{amount}", { amount: shortMoney(bonus) });
  const wide = Math.ceil(widthOf(text, 12, 700)) + 24;
  const [x, y] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const room = (/** @type {number} */ way) => Math.min(...cities.map((city) => Math.hypot(at.x + way * x * ASIDE - city.x, at.y + way * y * ASIDE - city.y)));
  const aside = ASIDE * (room(1) > room(-1) ? 1 : -1);
  return svg(
    "g",
    { class: "bonus", transform: `translate(${at.x + x * aside} ${at.y + y * aside}) scale(${grow})` },
    svg("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 }),
    svg("path", { d: SPIKE, transform: `translate(${11 - wide / 2} 0)` }),
    svg("text", { x: 6, y: 4.2 }, text),
  );
}

/** Driven where its point is at the origin. */
export function goldenSpike() {
  return svg(
    "g",
    { class: "golden", "aria-hidden": "true" },
    svg("circle", { class: "glow", r: 40 }),
    svg("path", {
      class: "spike",
      d: "M-8-44c0-4 4-6 8-6s8 2 8 6c0 3-2 4-4 5l1 30-5 13-5-13 1-30c-2-1-4-2-4-5z",
    }),
    svg("path", { class: "spike-light", d: "M-1.500-37l-.5 28" }),
  );
}
