// What a picture of a finished game shows beside the map: who won, the result, and the chart of cash.

import { SYMBOLS } from "../../game/players.js";
import { Teller } from "../../game/teller.js";
import { money, say } from "../../lib/words.js";
import { cashByTurn } from "../../review/accounts.js";
import { thousands } from "../../review/figures.js";
import { lineChart } from "../../review/line-chart.js";
import { startOf } from "./scores.js";

/** @typedef {{title: string, rows: {rank: number, seat: number, symbol: string, name: string, cash: string}[], caption: string, chart: SVGSVGElement}} Result */

/** Whoever sees it is told names: "you" is somebody else for them. @param {import("../../game/model.js").Model} model @returns {Result | null} */
export function resultOf(model) {
  const { names, figures } = model;
  const over = model.events.find((event) => event.event === "game_over");
  if (!over || !figures) return null;
  const rows = names.map((name, seat) => ({ rank: over.ranks[seat], seat, symbol: SYMBOLS[seat], name, cash: money(over.cash[seat]) }));
  const values = cashByTurn(model.dealt, model.turns, names.length, startOf(model));
  const chart = lineChart({ title: say("Cash"), names, values, told: thousands, size: "narrow" });
  return {
    title: new Teller(figures, names).sentences(over).at(-1) ?? "",
    rows: rows.sort((one, other) => one.rank - other.rank),
    caption: say("Cash, turn by turn"),
    chart: /** @type {SVGSVGElement} */ (chart.element.querySelector("svg")),
  };
}
