// Scores of the Daily Deal as text: points with their interval, squares, and the line to share.

import { base } from "../lib/api.js";
import { count, dayOf, number, say, sentences } from "../lib/words.js";

/** @typedef {{table: string, day: string, number: number, ranked: boolean, status: "playing" | "scoring" | "scored",
 *   points: number | null, margin: number | null, rank: number | null, cash: number | null, gave_up: boolean}} Try
 * @typedef {{turn: number, points: number, margin: number}} TurnPoints
 * @typedef {{mine: Try, turns: TurnPoints[], costliest: number | null, streak: number,
 *   tycoon: {games: number, share: number, cash: number, points: number, margin: number} | null,
 *   everybody: {count: number, points: number, below: number} | null}} Result */

/** @param {number} points */
export function signed(points) {
  const rounded = Math.round(points);
  return `${rounded > 0 ? "+" : ""}${number(rounded === 0 ? 0 : rounded)}`;
}

/** @param {{points: number | null, margin: number | null}} score */
export function scoreTold({ points, margin }) {
  if (points === null) return "–";
  return margin === null ? signed(points) : say("{points} ± {margin}", { points: signed(points), margin: number(Math.ceil(margin)) });
}

/** Clearly better than Surveyor's turn: 1; clearly worse: -1; alike, or not clear: 0. @param {TurnPoints} turn */
export function verdictOf({ points, margin }) {
  return points > margin ? 1 : -points > margin ? -1 : 0;
}

const SQUARES = new Map([
  [1, "🟩"],
  [0, "⬜"],
  [-1, "🟥"],
]);

/** @param {TurnPoints[]} turns */
export function squares(turns) {
  return turns.map((turn) => SQUARES.get(verdictOf(turn))).join("");
}

/** What the squares show, for who doesn't see them. @param {TurnPoints[]} turns */
export function squaresTold(turns) {
  const n = (/** @type {number} */ verdict) => turns.filter((turn) => verdictOf(turn) === verdict).length;
  return say("Turns better than Surveyor’s: {better}; about the same: {alike}; worse: {worse}.", { better: n(1), alike: n(0), worse: n(-1) });
}

/** @param {number} n */
export const streakTold = (n) => count("{n} day in a row", "{n} days in a row", n);

/** Who can know the deals of a chain that two servers share. @param {string} server */
export const sharedTold = (server) => say("This server plays the same deals as {server}. Whoever runs one of them can know a deal early. Nobody else can, and nobody can change it.", { server });

/** One line to share, without spoilers. @param {Result} result */
export function lineToShare({ mine, turns, streak }) {
  const title = say("The Last Spike, Daily Deal for {day}: {score}", { day: dayOf(mine.day), score: scoreTold(mine) });
  return sentences([title, squares(turns), ...(mine.ranked && streak > 1 ? [streakTold(streak)] : []), `${location.origin}${base}daily`]);
}
