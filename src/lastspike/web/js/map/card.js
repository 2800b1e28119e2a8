// The card of a city, a route, a player or the last spike: who owns what, what is missing, and who would be paid how much.

import { NEAR } from "../game/figures.js";
import { seatSymbol } from "../game/players.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { el } from "../lib/ui/dom.js";
import { count, money, say, sayAs, shortMoney } from "../lib/words.js";

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {import("../game/figures.js").View} View */
/** @typedef {import("../game/teller.js").Teller} Teller */

/** When cards have their style. */
export const styled = () => loadStylesheet("map-card.css");

/** As things will be after the turn that is being planned, if there is one.
 * @param {import("./pointing.js").Thing} thing @param {Figures} figures @param {View} view @param {import("./map.js").Answers} answers
 * @param {import("./map.js").Shown["after"]} after */
export function cardOf({ kind, id }, figures, view, answers, after) {
  const facts = { figures, view: after ? { ...view, ...after } : view, teller: answers.teller(), aids: answers.aids(), paid: answers.paid ?? (() => []), canBuy: answers.canBuy?.() ?? null };
  const card = kind === "city" ? cityCard(id, facts) : kind === "route" ? routeCard(id, facts) : kind === "spike" ? spikeCard(facts) : playerCard(Number(id), facts);
  return after ? { ...card, body: [el("p", { class: "notes" }, say("After the turn you’re planning:")), ...card.body] } : card;
}

/** @typedef {{seat: number, city: string, amount: number}} Share */
/** @typedef {{figures: Figures, view: View, teller: Teller, aids: boolean, paid: (letter: string) => Share[], canBuy: boolean | null}} Facts */

/** @param {string} text @param {string} [more] */
function heading(text, more) {
  return el("h2", {}, el("bdi", {}, text), " ", more && el("span", { class: "city-code" }, more));
}

/** @param {Teller} teller @param {number} seat @param {string} text */
function share(teller, seat, text) {
  return el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), el("span", { class: "unseen" }, teller.name(seat)), el("span", {}, text));
}

/** @param {string} letter @param {Facts} facts */
function routeCard(letter, { figures, view, teller, aids, paid }) {
  const missing = figures.missing(view, letter);
  const title = heading(teller.route(letter), letter);
  if (!missing.length) {
    const made = paid(letter);
    return { title, body: [el("p", {}, sayAs("route", "finished")), made.length > 0 && el("h3", {}, say("It paid")), made.length > 0 && shares(made, teller)] };
  }
  const next = figures.shares(view, letter);
  return {
    title,
    body: [
      el("h3", {}, count("{n} tile missing", "{n} tiles missing", missing.length)),
      el("p", { class: "facts" }, missing.map((tile) => el("span", { class: "bit" }, el("b", {}, tile), ` ${money(figures.space(tile).cost)}`))),
      aids && el("h3", {}, say("If finished now")),
      aids &&
        (next.length ? shares(next, teller) : el("p", {}, say("Nobody is paid."))),
      drives(figures, view, letter) && el("p", { class: "notes" }, spikeTold(figures, teller)),
    ],
  };
}

/** Who is paid how much, and for which city. @param {Share[]} all @param {Teller} teller */
function shares(all, teller) {
  const seats = [...new Set(all.map(({ seat }) => seat))].sort((one, other) => one - other);
  return el(
    "ul",
    { class: "paid" },
    seats.map((seat) => {
      const own = all.filter((each) => each.seat === seat);
      return el(
        "li",
        { class: `seat-${seat}` },
        seatSymbol(seat),
        el("bdi", {}, teller.name(seat)),
        el("b", {}, say("+{amount}", { amount: money(own.reduce((sum, { amount }) => sum + amount, 0)) })),
        el("span", { class: "parts" }, own.flatMap(({ city, amount }) => [" ", el("span", { class: "bit" }, `${teller.city(city)} ${shortMoney(amount)}`)])),
      );
    }),
  );
}

/** Whether the last spike is near, and this route on its way. @param {Figures} figures @param {View} view @param {string} letter */
function drives(figures, view, letter) {
  return figures.toLastSpike(view) <= NEAR && figures.lastSpikeSpaces(view).some((tile) => tile[0] === letter);
}

/** What the last spike is and brings, and the tiles that lead to it. @param {Facts} facts */
function spikeCard({ figures, view, teller }) {
  const left = figures.toLastSpike(view);
  const near = figures.lastSpikeSpaces(view);
  const routes = [...new Set(near.map((tile) => tile[0]))];
  const mine = (view.seat === null || view.seat === undefined ? null : view.hands[view.seat]) ?? [];
  return {
    title: heading(say("The last spike")),
    body: [
      el("p", {}, spikeTold(figures, teller)),
      left > 0 && el("h3", {}, count("{n} tile missing on the shortest way", "{n} tiles missing on the shortest way", left)),
      near.length > left && el("p", { class: "notes" }, say("Several ways are equally short. They use these routes:")),
      left > 0 && left < Infinity && el("ul", { class: "routes" }, routes.map((letter) => el("li", {}, el("span", {}, teller.route(letter)), missingTiles(near.filter((tile) => tile[0] === letter), mine)))),
      near.some((tile) => mine.includes(tile)) && el("p", { class: "notes" }, say("The bold tiles are in your hand.")),
    ],
  };
}

/** @param {Figures} figures @param {Teller} teller */
function spikeTold(figures, teller) {
  const { start, finish, last_spike_bonus: bonus } = figures.edition;
  return say("Whoever lays the tile that joins {one} to {other} by finished routes gets {bonus}, and the game is over. The player with the most cash wins.", { one: teller.city(start), other: teller.city(finish), bonus: money(bonus) });
}

/** @param {string} code @param {Facts} facts */
function cityCard(code, { figures, view, teller, aids, canBuy }) {
  const { land, payouts } = figures.city(code);
  const held = [...figures.holders(view, code)];
  const open = figures.routesOf(code).filter(({ letter }) => figures.missing(view, letter).length);
  return {
    title: heading(teller.city(code), code),
    body: [
      el(
        "ul",
        { class: "cards", "aria-label": say("Land") },
        view.land[code].map((holder, rank) =>
          typeof holder === "number"
            ? el("li", { class: `owned seat-${holder}` }, share(teller, holder, rank ? "" : say("free land")))
            : el("li", { class: holder === "out" ? "out" : "" }, holder === "out" ? "–" : rank ? shortMoney(land[rank]) : say("free land")),
        ),
      ),
      canBuy === false && el("p", { class: "first" }, figures.onSale(view, code) ? say("Lay a tile first, then you can buy land here.") : view.land[code][0] === null ? say("Nobody can buy land here before the free land is taken.") : null),
      el("p", {}, say("1 land card pays {amount} for each route finished here.", { amount: money(payouts[0]) })),
      open.length === 0 && el("p", {}, say("no more payouts")),
      aids && open.length > 0 && held.length > 0 && el("h3", {}, say("Each open route pays")),
      aids && open.length > 0 && el("p", {}, held.length ? held.map(([seat, cards]) => share(teller, seat, shortMoney(payouts[cards - 1]))) : say("Nobody has land here yet.")),
      el("ul", { class: "routes" }, open.map(({ letter }) => el("li", {}, el("span", {}, teller.route(letter)), missingTiles(figures.missing(view, letter))))),
    ],
  };
}

/** @param {string[]} tiles @param {string[]} [mine] those in the viewer's hand */
function missingTiles(tiles, mine = []) {
  return el("span", { class: "missing-tiles" }, tiles.flatMap((tile) => [" ", mine.includes(tile) ? el("b", {}, tile) : tile]));
}

/** @param {number} seat @param {Facts} facts */
function playerCard(seat, { figures, view, teller, aids }) {
  const held = figures.holdings(view, seat);
  const open = figures.edition.routes
    .map(({ letter }) => ({ letter, missing: figures.missing(view, letter), amount: figures.payouts(view, letter).get(seat) ?? 0 }))
    .filter(({ missing, amount }) => missing.length && amount)
    .sort((one, other) => one.missing.length - other.missing.length || other.amount - one.amount);
  return {
    title: el("h2", { class: `seat-${seat}` }, seatSymbol(seat), " ", el("bdi", {}, teller.name(seat))),
    body: [
      el("p", { class: "facts" }, held.length ? held.map(({ code, cards }) => el("span", { class: "bit" }, `${teller.city(code)} `, el("b", {}, String(cards)))) : say("No land yet.")),
      aids && open.length > 0 && el("h3", {}, say("If finished now")),
      aids &&
        open.length > 0 &&
        el(
          "ul",
          { class: "routes" },
          open.map(({ letter, missing, amount }) =>
            el("li", {}, el("span", {}, teller.route(letter), missingTiles(missing)), el("b", {}, say("+{amount}", { amount: money(amount) }))),
          ),
        ),
    ],
  };
}
