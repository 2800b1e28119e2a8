// The land that can be bought or sold in the turn that is composed, city by city.

import { salePrice } from "../../game/figures.js";
import { el } from "../../lib/ui/dom.js";
import { count, money, say, shortMoney } from "../../lib/words.js";

/** @typedef {import("./composer.js").Composer} Composer */

/** What can be sold to the bank to pay for the tile. @param {Composer} composer */
export function selling(composer) {
  const figures = /** @type {import("../../game/figures.js").Figures} */ (composer.model.figures);
  return el(
    "div",
    { class: "deal" },
    el("p", { class: "missing" }, composer.short()),
    choices(
      say("Sell land to the bank"),
      composer.ahead.legal.map((/** @type {string} */ move) => {
        const [code, rank] = [move.slice(1, -1), Number(move.slice(-1))];
        const amount = salePrice(figures.city(code).land[rank]);
        return choice(composer, move, say("Sell {card}", { card: move.slice(1) }), { short: composer.page.teller().city(code), told: "" }, amount);
      }),
      "sales",
    ),
  );
}

/** Every city in its place: a button where land can be bought now, else the reason why not. @param {Composer} composer */
export function buying(composer) {
  const figures = /** @type {import("../../game/figures.js").Figures} */ (composer.model.figures);
  const bought = composer.moves.find((move) => move.startsWith("+"));
  const { offers } = composer;
  if (composer.ahead.table.phase === "over") return null;
  if (!offers.some((/** @type {string} */ move) => move.startsWith("+")))
    return el("p", { class: "why" }, whyNone(composer));
  return el(
    "div",
    { class: "deal" },
    el("p", { class: "why" }, (bought && gain(composer, bought.slice(1)).told) || invitation(composer)),
    choices(
      say("Buy one land card, or end your turn:"),
      figures.edition.cities.map(({ code }) => {
        const move = `+${code}`;
        const name = composer.page.teller().city(code);
        return offers.includes(move)
          ? choice(composer, move, name, gain(composer, code), figures.onSale(composer.before, code)?.price ?? 0, bought === move)
          : el("span", { class: "choice off" }, el("span", { class: "choice-title" }, name), el("span", { class: "choice-note" }, whyNot(composer, code)));
      }),
    ),
  );
}

/** Why no land can be bought in any city (B2). @param {Composer} composer */
export function whyNone(composer) {
  return composer.ahead.events.some((/** @type {any} */ event) => event.event === "grant_taken") ? say("You got free land, so you can’t buy this turn.") : say("You can’t buy land this turn.");
}

/** What can be chosen; until the player has bought land, what the figures on it mean, by the first of them. @param {Composer} composer */
function invitation(composer) {
  const { events, mySeat } = composer.model;
  const knows = events.some(({ event, seat }) => event === "land_bought" && seat === mySeat);
  const first = !knows && composer.offers
    .filter((/** @type {string} */ move) => move.startsWith("+"))
    .map((/** @type {string} */ move) => gain(composer, move.slice(1)))
    .find(({ n }) => n);
  return [
    el("span", { class: "invitation" }, say("Buy one land card, or end your turn:")),
    first && " ",
    first && el("span", {}, count("“{figures}” means that the card adds {amount} to {n} payout that may still come.", "“{figures}” means that the card adds {amount} to each of {n} payouts that may still come.", first.n, { figures: first.short, amount: first.amount })),
  ];
}

/** What one more card of a city brings for each of the `n` routes that will still pay: in short, and in a sentence. @param {Composer} composer @param {string} code */
function gain(composer, code) {
  const figures = /** @type {import("../../game/figures.js").Figures} */ (composer.model.figures);
  const me = /** @type {number} */ (composer.model.mySeat);
  const { payouts } = figures.city(code);
  const mine = figures.holders(composer.before, code).get(me) ?? 0;
  const n = figures.routesOf(code).filter(({ letter }) => figures.missing(composer.before, letter).length).length;
  const more = payouts[mine] - (mine ? payouts[mine - 1] : 0);
  const amount = money(more);
  if (!n) return { n, amount, short: say("+{amount}", { amount: shortMoney(0) }), told: say("No more payouts can come.") };
  return {
    n,
    amount,
    short: say("+{amount} × {n}", { amount: shortMoney(more), n }).replaceAll(" ", "\u00a0"),
    told: count("Adds {amount} to {n} payout that may still come.", "Adds {amount} to each of {n} payouts that may still come.", n, { amount }),
  };
}

/** Why no land of a city can be bought now (B1). @param {Composer} composer @param {string} code */
function whyNot(composer, code) {
  const figures = /** @type {import("../../game/figures.js").Figures} */ (composer.model.figures);
  const sale = figures.onSale(composer.before, code);
  if (sale) return say("{price}: too expensive", { price: shortMoney(sale.price) });
  return composer.before.land[code][0] === null ? say("free land not taken") : say("sold out");
}

/**
 * A city to buy land in, or a card to sell. Who hears it is told the amount in full.
 * @param {Composer} composer @param {string} move @param {string} title @param {{short: string, told: string}} note @param {number} amount
 * @param {boolean} [chosen]
 */
function choice(composer, move, title, note, amount, chosen = false) {
  const buys = move.startsWith("+");
  return el(
    "button",
    {
      type: "button",
      class: `choice${composer.advises(move) ? " advised" : ""}`,
      "data-key": `move-${move}`,
      "aria-pressed": buys ? String(chosen) : null,
      "aria-label": buys ? say("{city}: buy land for {amount}", { city: title, amount: money(amount) }) : null,
      title: note.told || null,
      onclick: () => composer.add(move),
    },
    el("span", { class: "choice-title" }, title),
    el("span", { class: "choice-price" }, buys ? shortMoney(amount) : say("+{amount}", { amount: shortMoney(amount) })),
    el("span", { class: "choice-note" }, note.short),
  );
}

/** @param {string} title @param {HTMLElement[]} cards @param {string} [kind] */
function choices(title, cards, kind = "") {
  return el("div", { class: `choices ${kind}`, role: "group", "aria-label": title }, cards);
}
