// From what is told of a finished game back to the game itself.

import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** @typedef {{go: (path: string) => void}} Page */

/** @param {string} table its id; none: the record that is open */
const addressOf = (table) => (table ? `table/${table}` : "record");

/** A title with the way back above it, for who came by a link or has seen enough.
 * @param {string} title @param {Page} page @param {string} table */
export function titleWithBack(title, page, table) {
  const address = addressOf(table);
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    page.go(address);
  };
  return el(
    "header",
    {},
    el("a", { class: "back", href: address, onclick: go, "data-key": "back" }, el("span", { "aria-hidden": "true" }, "←"), " ", say("To the game")),
    el("h1", {}, title),
  );
}

/** The ways on, below all that was told. @param {Page} page @param {string} table */
export function waysBack(page, table) {
  return el(
    "div",
    { class: "acts" },
    button(say("To the game"), () => page.go(addressOf(table)), { class: "main", "data-key": "game" }),
    button(say("Home"), () => page.go(""), { "data-key": "home" }),
  );
}
