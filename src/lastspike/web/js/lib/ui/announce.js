// Announcements for screen readers, and short notes for everybody.

import { settings } from "../settings.js";
import { say } from "../words.js";
import { button, el } from "./dom.js";

/** How many announcements stay on the page, and how long each stays at least: screen readers read them one by one. */
const STAY = 6;
const STAY_MS = 10000;

/** Everything that is said goes through here, so that it is read once and in order.
 * @param {string} text @param {"short" | "full" | "answer"} [length] the least length that wants to hear it; an answer
 *   is for who asked */
export function announce(text, length = "short") {
  if (!text || (settings.announce === "off" && length !== "answer")) return;
  if (length === "full" && settings.announce === "short") return;
  const region = document.getElementById("announce");
  if (!region) return;
  const line = el("p", {}, text);
  region.append(line);
  window.setTimeout(() => region.childElementCount > STAY && line.remove(), STAY_MS);
}

/** What was refused is over: something else was done. */
export function forgetErrors() {
  for (const shown of document.querySelectorAll("#alerts .error")) shown.remove();
}

/** A note that goes away by itself, or with a tap. Somebody who is at the link in it gets more time.
 * @param {string} text @param {"note" | "error"} [kind] @param {HTMLElement | null} [link] */
export function note(text, kind = "note", link = null) {
  const region = document.getElementById("alerts");
  if (!region) return;
  const before = document.activeElement;
  const leave = () => {
    if (shown.contains(document.activeElement) && before instanceof HTMLElement) before.focus({ preventScroll: true });
    shown.remove();
  };
  const shown = el(
    "div",
    { class: `alert ${kind}`, onclick: leave },
    el("p", {}, text, link && " ", link),
    button("✕", leave, { class: "icon", "aria-label": say("Close"), "data-key": "close-note" }),
  );
  region.append(shown);
  while (region.childElementCount > 2) region.firstElementChild?.remove();
  const lasts = link ? 10000 : kind === "error" ? 8000 : 4500;
  const tire = (/** @type {number} */ again) => (again && shown.matches(":hover, :focus-within") ? void window.setTimeout(tire, lasts, again - 1) : leave());
  window.setTimeout(tire, lasts, 2);
}
