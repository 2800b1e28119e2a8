// Announcements for screen readers, and short notes for everybody.

import { settings } from "../settings.js";
import { el } from "./dom.js";

/** @param {string} text @param {"short" | "full"} [length] the least length that wants to hear it */
export function announce(text, length = "short") {
  if (!text || settings.announce === "off") return;
  if (length === "full" && settings.announce === "short") return;
  const region = document.getElementById("announce");
  if (!region) return;
  region.append(el("p", {}, text));
  while (region.childElementCount > 6) region.firstElementChild?.remove();
}

/** A note that goes away by itself, but not while somebody is at the link in it.
 * @param {string} text @param {"note" | "error"} [kind] @param {HTMLElement | null} [link] */
export function note(text, kind = "note", link = null) {
  const region = document.getElementById("alerts");
  if (!region) return;
  const shown = el("p", { class: `alert ${kind}` }, text, link && " ", link);
  region.append(shown);
  while (region.childElementCount > 3) region.firstElementChild?.remove();
  const lasts = link ? 10000 : kind === "error" ? 8000 : 4500;
  const leave = () => (shown.matches(":hover, :focus-within") ? window.setTimeout(leave, 2000) : shown.remove());
  window.setTimeout(leave, lasts);
}
