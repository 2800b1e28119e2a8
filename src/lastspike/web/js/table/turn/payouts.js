// Who is paid how much by the turn that is composed.

import { seatSymbol } from "../../game/players.js";
import { el } from "../../lib/ui/dom.js";
import { say, shortMoney } from "../../lib/words.js";

/** @typedef {import("./composer.js").Composer} Composer */

/** Who is paid how much, in one line. @param {Composer} composer */
export function paid(composer) {
  const { ahead, model, page } = composer;
  const teller = page.teller();
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { event, seat, amount } of ahead.events) {
    if (event === "payout") sums.set(seat, (sums.get(seat) ?? 0) + amount);
  }
  const spike = ahead.events.find((/** @type {any} */ event) => event.event === "last_spike");
  if (!sums.size && !spike) return null;
  const first = (/** @type {number} */ seat) => Number(seat !== model.mySeat);
  const all = [...sums].sort(([one], [other]) => first(one) - first(other) || one - other);
  return el(
    "ul",
    { class: "paid", "aria-label": say("Payouts") },
    spike && el("li", { class: "own bonus" }, el("span", {}, say("Last-spike bonus")), el("strong", {}, say("+{amount}", { amount: shortMoney(spike.bonus) }))),
    all.map(([seat, amount]) =>
      el(
        "li",
        { class: `seat-${seat}${seat === model.mySeat ? " own" : ""}` },
        seatSymbol(seat),
        el("bdi", {}, teller.name(seat)),
        el("strong", {}, say("+{amount}", { amount: shortMoney(amount) })),
      ),
    ),
  );
}
