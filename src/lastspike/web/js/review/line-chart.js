// A line chart over the turns of a game, one line for each player.

import { SYMBOLS, seatSymbol } from "../game/players.js";
import { el, svg } from "../lib/ui/dom.js";

/** In a narrow place the drawing is smaller, so that its text keeps its size. */
const SIZES = { wide: [720, 260], narrow: [340, 176] };
/** The scale of money ends at a multiple of this, so that its quarters are round. */
const ROUND = 20_000;
const EDGE = { left: 58, right: 26, top: 12, bottom: 26 };

/**
 * @param {{title: string, names: string[], values: number[][], marks?: number[],
 *   told: (value: number) => string, most?: number, onTurn?: (turn: number) => void, size?: "wide" | "narrow"}} drawn
 *   `values` by turn and seat; `marks` are turns with a line of their own
 */
export function lineChart({ title, names, values, marks = [], told, most, onTurn, size = usualSize() }) {
  const [WIDE, HIGH] = SIZES[size];
  const top = most ?? ROUND * Math.ceil(Math.max(...values.flat(), 1) / ROUND);
  const x = (/** @type {number} */ turn) => EDGE.left + (turn / Math.max(1, values.length - 1)) * (WIDE - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ value) => HIGH - EDGE.bottom - (value / top) * (HIGH - EDGE.top - EDGE.bottom);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": title });
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(
      svg("path", { class: "chart-line", d: `M${EDGE.left} ${y(part * top)}H${WIDE - EDGE.right}` }),
      svg("text", { class: "chart-scale", x: EDGE.left - 6, y: y(part * top) + 4, "text-anchor": "end" }, told(part * top)),
    );
  }
  for (const turn of marks) picture.append(svg("path", { class: "chart-mark", d: `M${x(turn)} ${EDGE.top}V${HIGH - EDGE.bottom}` }));
  for (let turn = 0; turn < values.length; turn += 10) {
    picture.append(svg("text", { class: "chart-scale", x: x(turn), y: HIGH - 8, "text-anchor": "middle" }, String(turn)));
  }
  names.forEach((_, seat) => {
    const points = values.map((at, turn) => `${x(turn).toFixed(1)} ${y(at[seat]).toFixed(1)}`);
    const last = values.length - 1;
    picture.append(
      svg("path", { class: `chart-course seat-${seat}`, d: `M${points.join("L")}` }),
      svg("text", { class: `chart-symbol seat-${seat}`, x: x(last) + 5, y: y(values[last][seat]) + 5 }, SYMBOLS[seat]),
    );
  });
  if (onTurn) {
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const at = ((/** @type {MouseEvent} */ (event).clientX - left) / width) * WIDE;
      const turn = Math.round(((at - EDGE.left) / (WIDE - EDGE.left - EDGE.right)) * (values.length - 1));
      onTurn(Math.min(values.length - 1, Math.max(0, turn)));
    });
  }
  return el(
    "figure",
    { class: "chart-box" },
    el("figcaption", {}, el("b", {}, title), " ", names.map((name, seat) => el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), " ", el("bdi", {}, name)))),
    picture,
  );
}

/** @returns {"wide" | "narrow"} */
function usualSize() {
  return matchMedia("(max-width: 40em)").matches ? "narrow" : "wide";
}
