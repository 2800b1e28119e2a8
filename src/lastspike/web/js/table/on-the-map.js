// What the map shows of the table: the hand, legal tiles, what is new, and the turn being composed.

import { salePrice } from "../game/figures.js";

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {import("../game/figures.js").View} View */
/** @typedef {import("../game/model.js").Model} Model */

/** @param {Model} model @param {import("./parts.js").Parts} parts @param {View} board as it is, or was
 * @param {import("./motion/playout.js").Playout} playout */
export function shownOnMap(model, parts, board, playout) {
  const view = /** @type {View} */ (model.view);
  const { shown } = parts.replay;
  const hand = model.looking === null ? [] : (view.hands[model.looking] ?? []);
  const legal = model.canPlay ? view.legal : [];
  const turns = model.turns.slice(0, shown ?? playout.played);
  const since = shown === null && model.playing ? playout.sinceLast : [];
  const fresh = since.length < model.info.seats.length ? since : [];
  return {
    hand: shown === null ? hand : parts.pastHands.handOf(board),
    legal: new Set(shown === null ? legal : []),
    ghost: parts.composer.tile,
    last: turns.at(-1)?.moves[0] ?? null,
    fresh: new Set(fresh.map(({ moves }) => moves[0])),
    freshLand: new Set(fresh.flatMap(({ events }) => events.filter(({ event }) => event === "grant_taken" || event === "land_bought").map(({ city, rank }) => `${city}${rank ?? 0}`))),
    now: view,
    codes: shown !== null || model.over,
    spike: turns.flatMap(({ events }) => events).find((event) => event.event === "last_spike")?.tile,
    ...(shown === null && model.canPlay ? drafted(model, parts.composer) : {}),
  };
}

/** What can be bought or sold on the map, and what the turn being composed does there.
 * @param {Model} model @param {import("./turn/composer.js").Composer} composer */
function drafted(model, composer) {
  const { ahead, legal, moves, offers, before } = composer;
  const bought = moves.find((move) => move.startsWith("+"))?.slice(1) ?? null;
  const figures = /** @type {Figures} */ (model.figures);
  const cards = (/** @type {string} */ sign, from = legal) => from.filter((move) => move.startsWith(sign)).map((move) => move.slice(1));
  /** @type {Map<string, {seat: number, amount: number}[]>} */
  const paid = new Map();
  for (const { event, seat, city, amount } of ahead?.events ?? []) {
    if (event === "payout") paid.set(city, [...(paid.get(city) ?? []), { seat, amount }]);
  }
  return {
    offers: new Map(cards("+", bought ? offers : legal).map((code) => [code, figures.onSale(bought ? before : ahead.table, code)?.price ?? 0])),
    sales: new Map(cards("-").sort().map((card) => [card.slice(0, -1), salePrice(figures.city(card.slice(0, -1)).land[Number(card.slice(-1))])])),
    after: ahead?.table ?? null,
    bought,
    seat: model.mySeat,
    paid,
  };
}
