// A step of the turn that is composed, in words: for who doesn't see the panel.

import { count, say, sentence, sentences } from "../../lib/words.js";
import { whyNone } from "./land-choices.js";

/** @typedef {import("./composer.js").Composer} Composer */

/** Events that title, payouts and choices show already. */
export const SHOWN = new Set(["track_laid", "tile_chosen", "nothing_bought", "land_bought", "land_sold", "route_finished", "payout"]);

/** The last choice, what it pays, what can be bought, and what ending the turn does. @param {Composer} composer */
export function spoken(composer) {
  const { ahead, moves } = composer;
  if (!ahead) return sentence(say("Your turn: lay a tile"));
  const teller = composer.page.teller();
  const traded = moves.length > 1;
  const bought = moves.at(-1)?.startsWith("+");
  const of = (/** @type {string} */ kind) => ahead.events.filter((/** @type {any} */ { event }) => event === kind);
  // A sale may be what the tile, and so a route, waited for.
  const told = traded
    ? [say("If you end your turn now:"), ...teller.tell(of(bought ? "land_bought" : "land_sold").slice(-1)), ...(bought ? [] : teller.tell(of("payout")))]
    : [sentence(composer.title()), ...ifEnded(teller.tell(ahead.events.filter((/** @type {any} */ { event }) => event === "payout" || !SHOWN.has(event))))];
  if (ahead.table.phase === "raise") return sentences([...told, composer.short()]);
  return sentences([...told, ...forSale(composer), sentence(composer.cashAfter()), say("End turn: {what}.", { what: composer.summary() })]);
}

/** What has not happened yet is not told as if it had. @param {string[]} told */
function ifEnded(told) {
  return told.length ? [say("If you end your turn now:"), ...told] : told;
}

/** In how many cities land can be bought, or why in none. @param {Composer} composer */
function forSale(composer) {
  const { ahead, moves, offers } = composer;
  if (ahead.table.phase === "over" || moves.some((move) => move.startsWith("+"))) return [];
  const cities = offers.filter((move) => move.startsWith("+")).length;
  return [cities ? count("Land is for sale in {n} city.", "Land is for sale in {n} cities.", cities) : whyNone(composer)];
}
