// A chart of means with their intervals, and the same in words.

import { el, svg } from "../lib/ui/dom.js";

const [WIDTH, HIGH] = [200, 16];

/** @typedef {{mean: number, low: number | null, high: number | null}} Interval */
/** @typedef {{label: string, value: Interval}} Range */

/**
 * @param {string} title @param {Range[]} rows
 * @param {{told: (value: Interval) => string, mark?: number, legend?: string}} how in words; a line stands at `mark`
 */
export function intervalChart(title, rows, { told, mark, legend }) {
  const ends = rows.flatMap(({ value }) => [value.mean, value.low ?? value.mean, value.high ?? value.mean]);
  const least = Math.min(0, mark ?? 0, ...ends);
  const most = Math.max(mark ?? 0, ...ends) || 1;
  const at = (/** @type {number} */ value) => 4 + ((value - least) / (most - least)) * (WIDTH - 8);
  return el(
    "section",
    { class: "ranges" },
    el("h3", {}, title),
    el(
      "ul",
      {},
      rows.map(({ label, value }) =>
        el("li", {}, el("span", { class: "range-label" }, label), picture(value, at, mark ?? (least < 0 ? 0 : undefined)), el("span", { class: "range-told" }, told(value))),
      ),
    ),
    legend && el("p", { class: "why" }, legend),
  );
}

/** @param {Interval} value @param {(value: number) => number} at @param {number | undefined} mark */
function picture(value, at, mark) {
  const middle = HIGH / 2;
  const [low, high] = [value.low ?? value.mean, value.high ?? value.mean].map(at);
  return svg(
    "svg",
    { class: "range", viewBox: `0 0 ${WIDTH} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "range-ground", x1: 0, x2: WIDTH, y1: middle, y2: middle }),
    mark !== undefined && svg("line", { class: "range-mark", x1: at(mark), x2: at(mark), y1: 0, y2: HIGH }),
    svg("rect", { class: "range-interval", x: low, y: middle - 3, width: Math.max(1, high - low), height: 6 }),
    svg("line", { class: "range-mean", x1: at(value.mean), x2: at(value.mean), y1: 2, y2: HIGH - 2 }),
  );
}
