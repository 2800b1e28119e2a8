// Personal links: one device makes a link, another opens it to play as the same person.

import { showError } from "../game/errors.js";
import { base, get, post } from "../lib/api.js";
import { change } from "../lib/settings.js";
import { note } from "../lib/ui/announce.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { linkToShare, onlyHere } from "../lib/ui/share-link.js";
import { say, timeOfDay } from "../lib/words.js";

/** Ask whether this device is to be the person's of this link. @param {string} token
 * @param {{go: (path: string) => void}} page */
export function offerLink(token, page) {
  const close = openDialog(say("Is this device yours?"), [
    el("p", {}, say("This link brings your name and your games to this device.")),
    el("p", { class: "why" }, say("If somebody else sent it to you, close this: you would play under their name. What was played on this device before stays at its tables, but this device leads there no more.")),
    el(
      "div",
      { class: "acts" },
      button(say("Yes, bring my games here"), () => use().catch(showError).finally(() => close()), { class: "main", "data-key": "use-link" }),
    ),
  ]);

  async function use() {
    await post("api/me/use-link", { token });
    const { name } = await get("api/me");
    change({ name });
    note(say("Welcome, {name}: this device is yours now.", { name }));
    page.go("history");
  }
}

/** The section that makes such a link. */
export function anotherDevice() {
  const made = el("div", { class: "linked", role: "status" });
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Use on another device")),
    el("p", {}, say("Your games belong to this browser. A personal link makes another device yours as well. It works once, within ten minutes.")),
    el("div", { class: "acts" }, button(say("Make a personal link"), () => make(made).catch(showError), { "data-key": "make-link" })),
    made,
  );
}

/** @param {HTMLElement} place */
async function make(place) {
  const { token, expires, qr } = await post("api/me/link");
  const address = `${location.origin}${base}history#link=${token}`;
  fill(
    place,
    linkToShare(address, { title: say("Your personal link"), key: "personal" }),
    el("img", { class: "qr", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr)}`, alt: say("QR code with your personal link"), width: 220, height: 220 }),
    el("p", { class: "why" }, say("Valid until {time}. Show it to nobody else: whoever opens it first plays under your name.", { time: timeOfDay(expires) })),
    onlyHere(),
  );
}
