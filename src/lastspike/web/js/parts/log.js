// The log: what happened, turn by turn, in words.

import { el, fill } from "../dom.js";
import { SYMBOLS } from "../people.js";
import { say } from "../words.js";

/** @typedef {import("../model.js").Model} Model */
/** @typedef {import("../teller.js").Teller} Teller */

export class Log {
  constructor() {
    this.element = el("div", { class: "log", tabindex: "0", role: "log", "aria-live": "off", "aria-label": say("Log") });
    this.shown = -1;
  }

  /** @param {Model} model @param {Teller} teller @param {boolean} [anew] */
  update(model, teller, anew = false) {
    if (anew) this.shown = -1;
    const count = model.turns.length + (model.dealt.length ? 1 : 0);
    if (count === this.shown) return;
    const { element } = this;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 60;
    if (this.shown < 0) {
      fill(element, model.dealt.length > 0 && this.entry(null, "", teller.tell(model.dealt)));
      this.shown = model.dealt.length ? 1 : 0;
    }
    const done = this.shown - (model.dealt.length ? 1 : 0);
    for (const turn of model.turns.slice(Math.max(0, done))) {
      element.append(
        this.entry(turn.seat, say("Turn {number}", { number: turn.turn }), teller.tell(turn.events)),
      );
    }
    this.shown = count;
    if (atEnd) element.scrollTop = element.scrollHeight;
  }

  /** @param {number | null} seat @param {string} title @param {string[]} sentences */
  entry(seat, title, sentences) {
    return el(
      "article",
      { class: `entry${seat === null ? "" : ` seat-${seat}`}` },
      seat !== null && el("span", { class: "symbol", "aria-hidden": "true" }, SYMBOLS[seat]),
      el("div", {}, title && el("h3", {}, title), sentences.map((text) => el("p", {}, text))),
    );
  }
}
