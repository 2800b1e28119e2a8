// A bar chart, with its figures in words beside the bars.

import { el, svg } from "../lib/ui/dom.js";

const HIGH = 12;

/**
 * @typedef {{label: string, told: string, part: number, mark?: number}} Bar `part` of the whole
 *   width is filled, and at `mark` of it stands a line
 */

/** @param {string} title @param {Bar[]} rows @param {string} [legend] */
export function barChart(title, rows, legend) {
  return el(
    "div",
    { class: "bars" },
    el("h3", {}, title),
    el(
      "ul",
      {},
      rows.map(({ label, told, part, mark }) =>
        el(
          "li",
          {},
          el("span", { class: "bar-label" }, label),
          /** @type {any} */ (
            svg(
              "svg",
              { class: "bar", viewBox: `0 0 100 ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
              svg("rect", { class: "bar-whole", width: 100, height: HIGH }),
              svg("rect", { class: "bar-part", width: 100 * part, height: HIGH }),
              mark !== undefined && ["bar-gap", "bar-mark"].map((name) => svg("line", { class: name, x1: 100 * mark, x2: 100 * mark, y1: 0, y2: HIGH })),
            )
          ),
          el("span", { class: "bar-told" }, told),
        ),
      ),
    ),
    legend && el("p", { class: "why" }, legend),
  );
}
