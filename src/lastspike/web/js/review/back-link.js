// Links from the review or the proof of a game back to the game.

import { button, el, pageLink } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** @typedef {{go: (path: string) => void}} Page */

/** @param {string} table its id; none: the record that is open */
const addressOf = (table) => (table ? `table/${table}` : "record");

/** A title with the way back above it, for who came by a link or has seen enough.
 * @param {string} title @param {Page} page @param {string} table */
export function titleWithBack(title, page, table) {
  return el(
    "header",
    {},
    pageLink(addressOf(table), page.go, { class: "back", "data-key": "back" }, el("span", { "aria-hidden": "true" }, "←"), " ", say("Back to the game")),
    el("h1", {}, title),
  );
}

/** The ways on, below all that was told. @param {Page} page @param {string} table */
export function waysBack(page, table) {
  return el(
    "div",
    { class: "acts" },
    button(say("Back to the game"), () => page.go(addressOf(table)), { class: "main", "data-key": "game" }),
    button(say("Home"), () => page.go(""), { "data-key": "home" }),
  );
}
