// A line chart over the turns of a game, one line for each player.

import { SYMBOLS, seatSymbol } from "../game/players.js";
import { el, set, svg } from "../lib/ui/dom.js";
import { listed, say } from "../lib/words.js";

/** In a narrow place the drawing is smaller, so that its text keeps its size. */
const SIZES = { wide: [720, 260], middle: [520, 220], narrow: [340, 176] };
/** The scale of money ends at a multiple of this, so that its quarters are round. */
const ROUND = 20_000;
const EDGE = { left: 58, right: 13, top: 12, bottom: 26 };
/** How much room a symbol at the end of a line takes. */
const LETTERS = 13;
/** How far a key moves. @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

/**
 * @param {{title: string, names: string[], values: number[][], marks?: number[],
 *   told: (value: number) => string, most?: number, onTurn?: (turn: number) => void,
 *   onHover?: (turn: number | null) => void, size?: keyof typeof SIZES}} drawn
 *   `values` by turn and seat; `marks` are turns with a line of their own; with `onHover` it can be moved through by
 *   pointer, finger and keys, and `mark` shows where
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function lineChart({ title, names, values, marks = [], told, most, onTurn, onHover, size = usualSize() }) {
  const [WIDE, HIGH] = SIZES[size];
  const last = values.length - 1;
  const top = most ?? ROUND * Math.ceil(Math.max(...values.flat(), 1) / ROUND);
  const y = (/** @type {number} */ value) => HIGH - EDGE.bottom - (value / top) * (HIGH - EDGE.top - EDGE.bottom);
  const columns = apart(names.map((_, seat) => y(values[last][seat])));
  const right = EDGE.right + LETTERS * (1 + Math.max(...columns));
  const x = (/** @type {number} */ turn) => EDGE.left + (turn / Math.max(1, last)) * (WIDE - EDGE.left - right);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": title });
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(
      svg("path", { class: "chart-line", d: `M${EDGE.left} ${y(part * top)}H${WIDE - right}` }),
      svg("text", { class: "chart-scale", x: EDGE.left - 6, y: y(part * top) + 4, "text-anchor": "end" }, told(part * top)),
    );
  }
  for (const turn of marks) picture.append(svg("path", { class: "chart-mark", d: `M${x(turn)} ${EDGE.top}V${HIGH - EDGE.bottom}` }));
  for (let turn = 0; turn < values.length; turn += 10) {
    picture.append(svg("text", { class: "chart-scale", x: x(turn), y: HIGH - 8, "text-anchor": "middle" }, String(turn)));
  }
  const step = Math.max(4, Math.round(last / 5));
  names.forEach((_, seat) => {
    const points = values.map((at, turn) => `${x(turn).toFixed(1)} ${y(at[seat]).toFixed(1)}`);
    picture.append(
      svg("path", { class: `chart-course seat-${seat}`, d: `M${points.join("L")}` }),
      svg("text", { class: `chart-symbol seat-${seat}`, x: x(last) + 5 + LETTERS * columns[seat], y: y(values[last][seat]) + 5 }, SYMBOLS[seat]),
    );
    // Along the line as well, at turns of its own: colours alone tell nobody enough.
    for (let turn = 2 + Math.round((seat * step) / names.length); turn < last - 2; turn += step)
      picture.append(svg("text", { class: `chart-symbol along seat-${seat}`, x: x(turn), y: y(values[turn][seat]) + 4, "text-anchor": "middle" }, SYMBOLS[seat]));
  });
  const turnAt = (/** @type {MouseEvent} */ { clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    const at = ((clientX - left) / width) * WIDE;
    return Math.min(last, Math.max(0, Math.round(((at - EDGE.left) / (WIDE - EDGE.left - right)) * last)));
  };
  if (onTurn) picture.addEventListener("click", (event) => onTurn(turnAt(event)));
  const amounts = names.map(() => el("b", { class: "chart-value" }));
  const caption = el("figcaption", {}, el("b", {}, title), " ", names.map((name, seat) => el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), " ", el("bdi", {}, name), onHover && amounts[seat])));
  if (!onTurn || !onHover) return { element: el("figure", { class: "chart-box" }, caption, picture), mark: () => {} };

  const cursor = svg("path", { class: "chart-cursor" });
  picture.prepend(cursor);
  set(picture, { role: null, "aria-label": null, "aria-hidden": "true" });
  let now = last;
  const slider = el(
    "div",
    {
      class: "chart-slider",
      role: "slider",
      tabindex: "0",
      "aria-label": title,
      "aria-valuemin": 0,
      "aria-valuemax": last,
      "data-key": `chart-${title}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const by = KEYS[event.key];
        if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        onTurn(Math.min(last, Math.max(0, now + by)));
      },
      onpointermove: (/** @type {PointerEvent} */ event) => (event.pointerType === "mouse" ? onHover(turnAt(event)) : onTurn(turnAt(event))),
      onpointerleave: () => onHover(null),
    },
    picture,
  );
  const mark = (/** @type {number} */ turn) => {
    now = Math.min(last, turn);
    set(cursor, { d: `M${x(now)} ${EDGE.top}V${HIGH - EDGE.bottom}` });
    const at = names.map((_, seat) => told(values[now][seat]));
    at.forEach((text, seat) => (amounts[seat].textContent = text));
    const all = listed(names.map((name, seat) => say("{player}: {amount}", { player: name, amount: at[seat] })));
    set(slider, { "aria-valuenow": now, "aria-valuetext": say("Turn {number}: {what}", { number: now, what: all }) });
  };
  mark(last);
  return { element: el("figure", { class: "chart-box" }, caption, slider), mark };
}

/** @returns {keyof typeof SIZES} */
function usualSize() {
  return matchMedia("(max-width: 40em), (max-width: 56.25em) and (max-height: 31em)").matches ? "narrow" : "wide";
}

/** A column for the symbol at each of these heights, so that none lies on another and each stands at its own height.
 * @param {number[]} heights */
function apart(heights) {
  /** @type {number[]} */
  const columns = [];
  heights.forEach((height, n) => {
    const near = columns.filter((_, other) => Math.abs(heights[other] - height) < LETTERS);
    columns[n] = heights.findIndex((_, column) => !near.includes(column));
  });
  return columns;
}
