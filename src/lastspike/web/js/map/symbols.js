// The symbols of the seats as shapes, the same in every font; about ten units across.

import { svg } from "../lib/ui/dom.js";

const SHAPES = [
  "M0-5.2L1.4-1.7 5.1-1.5 2.2.9 3.2 4.5 0 2.4-3.2 4.5-2.2.9-5.1-1.5-1.4-1.7z",
  "M0-5L4.4 0 0 5-4.4 0z",
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M0-4.8L4.8 3.8H-4.8z",
  "M-3.8-3.8h7.6v7.6h-7.6z",
  "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
];

/** @param {number} seat @param {number} x @param {number} y @param {number} [size] */
export function symbolShape(seat, x, y, size = 1) {
  return svg("path", { class: "sign", d: SHAPES[seat], transform: `translate(${x} ${y}) scale(${size})` });
}
