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
    el("p", { class: "why" }, say("If somebody else sent you this link, close this dialog: you would be playing under their name. Games already played on this device stay at their tables, but you can no longer open them from here.")),
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
    note(say("Welcome, {name}! Your games are now on this device.", { name }));
    page.go("history");
  }
}

/** The section that makes such a link. */
export function anotherDevice() {
  const made = el("div", { class: "linked", role: "status" });
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Play on another device")),
    el("p", {}, say("Your games are tied to this browser. A personal link lets you play them on another device too. It works once, within ten minutes.")),
    el("div", { class: "acts" }, button(say("Create a personal link"), () => make(made).catch(showError), { "data-key": "make-link" })),
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
    el("p", { class: "why" }, say("Valid until {time}. Don’t show it to anybody else: whoever opens it first plays under your name.", { time: timeOfDay(expires) })),
    onlyHere(),
  );
}
