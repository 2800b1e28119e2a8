// A link to share, with a button that copies it.

import { say } from "../words.js";
import { note } from "./announce.js";
import { button, el } from "./dom.js";

/** @param {string} address @param {{title: string, key: string}} about what it is a link to */
export function linkToShare(address, { title, key }) {
  const field = /** @type {HTMLInputElement} */ (
    el("input", { class: "shared-link", readonly: true, value: address, "aria-label": title, "data-key": `${key}-link`, onfocus: () => field.select() })
  );
  return el("div", { class: "acts" }, field, button(say("Copy link"), () => void copyLink(address, field), { "data-key": `copy-${key}` }));
}

/** Browsers let a page copy only if it came by https or from this machine; elsewhere the old way is
 * tried, and if all fails the link is there to be copied by hand.
 * @param {string} address @param {HTMLInputElement} [field] where it stands */
export async function copyLink(address, field) {
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    if (!field) return note(address);
    field.focus();
    if (!document.execCommand("copy")) return;
  }
  note(say("Link copied."));
}

/** For a link that nobody else could open. */
export function onlyHere() {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return local && el("p", { class: "why" }, say("This link only works on this device. For other devices on your network, start the game with: {command}", { command: "lastspike play --lan" }));
}
