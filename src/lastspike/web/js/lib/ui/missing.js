// What to show where an address leads nowhere, or a device no longer belongs to anybody.

import { say } from "../words.js";
import { button, el } from "./dom.js";

/** @typedef {(path: string) => void} Go */

/** @param {Go} go */
export function missingPage(go) {
  return missing(say("This page doesn’t exist"), say("Check the address for typos, or go back to the home page."), go);
}

/** @param {Go} go @param {boolean} [deleted] whether it was there a moment ago */
export function missingTable(go, deleted = false) {
  if (deleted) return missing(say("This table has been deleted"), say("The operator of this server has deleted it, with its game and its chat."), go);
  return missing(say("This table doesn’t exist"), say("The link may be incomplete, or the table may have been deleted. Ask whoever sent you the link to send it again."), go);
}

/** @param {Go} go */
export function loggedOut(go) {
  return missing(say("This device was logged out"), say("You logged it out from another device or another tab, or you deleted your data. To come back, create a personal link on one of your devices and open it here."), go);
}

/** @param {string} title @param {string} text @param {Go} go */
function missing(title, text, go) {
  return el(
    "div",
    { class: "room" },
    el("section", { class: "card" }, el("h1", {}, title), el("p", {}, text), el("div", { class: "acts" }, button(say("Home"), () => go(""), { class: "main", "data-key": "home" }))),
  );
}
