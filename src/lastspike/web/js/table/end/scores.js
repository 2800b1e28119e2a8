// The table of the final scores, with where everybody's money came from and went.

import { seatSymbol } from "../../game/players.js";
import { el, tableHead } from "../../lib/ui/dom.js";
import { sideScroller } from "../../lib/ui/side-scroll.js";
import { listed, money, say, sayAs, shortMoney } from "../../lib/words.js";
import { accountsOf } from "../../review/accounts.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/figures.js").Figures} Figures */
/** @typedef {import("../../game/teller.js").Teller} Teller */

/** The cash of each player at the beginning. @param {Model} model */
export function startOf(model) {
  return /** @type {Figures} */ (model.figures).edition.starting_cash[model.names.length];
}

/** Why one of several with equal cash is before the others (E2). @param {Model} model @param {Teller} teller @param {any} over */
export function tie(model, teller, over) {
  const { names, view } = model;
  const first = over.ranks.indexOf(1);
  const equal = names.map((_, seat) => seat).filter((seat) => over.cash[seat] === over.cash[first] && !view?.bankrupt.includes(seat));
  if (!view || equal.length < 2) return null;
  const figures = /** @type {Figures} */ (model.figures);
  const land = listed(equal.map((seat) => teller.share(seat, money(figures.landPrice(view, seat)))));
  return el(
    "p",
    {},
    equal.some((seat) => seat === teller.own)
      ? say("You’re tied on cash, so the price of land decides: {land}.", { land })
      : say("They’re tied on cash, so the price of their land decides: {land}.", { land }),
  );
}

/** @param {Model} model @param {Teller} teller @param {any} over */
export function scores(model, teller, over) {
  const begin = startOf(model);
  const rows = accountsOf(model.events, model.names.length, begin)
    .map((account, seat) => ({ ...account, name: teller.name(seat), seat, cash: over.cash[seat], rank: over.ranks[seat] }))
    .sort((one, other) => one.rank - other.rank);
  return sideScroller(
    say("Final scores"),
    "scores",
    el(
      "table",
      {},
      el("caption", { class: "unseen" }, say("Final scores")),
      tableHead([say("Rank"), say("Player"), sayAs("amount", "Start"), say("Payouts"), say("Bonus"), sayAs("amount", "Track"), sayAs("amount", "Land"), say("Cash")]),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            { class: `seat-${row.seat}${row.rank === 1 ? " winner" : ""}` },
            el("td", {}, String(row.rank)),
            el("th", { scope: "row" }, seatSymbol(row.seat), " ", el("bdi", {}, row.name)),
            amount(begin, "start"),
            amount(row.payouts),
            amount(row.bonus),
            amount(row.track),
            amount(row.land),
            amount(row.cash, "total"),
          ),
        ),
      ),
    ),
  );
}

/** A cell with an amount, shorter where there is little room. @param {number} dollars @param {string} [kind] */
function amount(dollars, kind) {
  return el("td", { class: kind ?? null }, el("span", { class: "wide" }, money(dollars)), el("span", { class: "narrow", "aria-label": money(dollars), role: "img" }, shortMoney(dollars)));
}
