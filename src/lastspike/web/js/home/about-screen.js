// The screen about this server: who runs it, in their own words.

import { showError } from "../game/errors.js";
import { get } from "../lib/api.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "room" });
    this.draw().catch(showError);
  }

  async draw() {
    const { name, privacy, imprint, contact } = await get("api/about");
    fill(
      this.element,
      el("h1", {}, name ?? say("About this server")),
      el("section", { class: "card" }, el("p", {}, say("This server runs The Last Spike, a program that anybody can run. Whoever runs this server is responsible for it.")), contact && el("p", {}, say("Contact"), ": ", linkTo(contact))),
      text(say("Privacy"), privacy),
      text(say("Legal notice"), imprint),
      el("div", { class: "acts" }, button(say("Home"), () => this.page.go(""), { class: "main", "data-key": "home" })),
    );
  }
}

/** A part in the operator's words: paragraphs, or where to read them. @param {string} title @param {string | null} words */
function text(title, words) {
  if (!words) return null;
  const paragraphs = isAddress(words) ? [el("p", {}, linkTo(words))] : words.split(/\n\s*\n/).map((each) => el("p", {}, el("bdi", {}, each.trim())));
  return el("section", { class: "card" }, el("h2", {}, title), paragraphs);
}

/** @param {string} place an e-mail address or a URL */
function linkTo(place) {
  return el("a", { href: isAddress(place) ? place : `mailto:${place}`, rel: "noreferrer" }, place);
}

/** @param {string} text */
const isAddress = (text) => /^https:\/\/\S+$/.test(text);
