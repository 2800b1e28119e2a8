// The figures of a review as words: points, moves, and the chart of money.

import { count, listed, shortMoney } from "../lib/words.js";

/** Hundredths of the chance to win. @param {number} share */
export function points(share) {
  const n = Math.round(Math.abs(share) * 100);
  return share < -0.005 ? count("−{n} point", "−{n} points", n) : count("{n} point", "{n} points", n);
}

/** Whole thousands, for the scale of a chart. @param {number} amount */
export function thousands(amount) {
  return shortMoney(Math.round(amount / 1000) * 1000);
}

/** @param {import("../game/teller.js").Teller} teller @param {string[]} moves */
export function movesTold(teller, moves) {
  return listed(moves.map((move) => teller.move(move)));
}
