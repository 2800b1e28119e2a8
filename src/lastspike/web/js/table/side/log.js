// The log: every turn in sentences, with a button that shows the board after it.

import { seatSymbol } from "../../game/players.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { say } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/teller.js").Teller} Teller */

export class Log {
  /** @param {{onTurn: (turns: number) => void}} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    this.element = el("div", { class: "log", tabindex: "0", role: "log", "aria-live": "off", "aria-label": say("Log") });
    this.shown = -1;
    this.marked = -1;
  }

  /** @param {Model} model @param {Teller} teller @param {boolean} [all] from the beginning, as after a change of names */
  update(model, teller, all = false) {
    if (all) this.shown = -1;
    const count = model.turns.length + (model.dealt.length ? 1 : 0);
    if (count === this.shown) return;
    const { element } = this;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 60;
    if (this.shown < 0) {
      fill(element, model.dealt.length > 0 && this.entry(null, null, teller.tell(model.dealt)));
      this.shown = model.dealt.length ? 1 : 0;
    }
    const done = this.shown - (model.dealt.length ? 1 : 0);
    model.turns.slice(done).forEach((turn, n) => {
      const look = button(say("Turn {number}", { number: turn.turn }), () => this.listeners.onTurn(done + n + 1), {
        class: "entry-turn",
        title: say("Show the board after this turn"),
        "data-key": `turn-${turn.turn}`,
      });
      element.append(this.entry(turn.seat, look, teller.tell(turn.events)));
    });
    this.shown = count;
    if (atEnd) element.scrollTop = element.scrollHeight;
  }

  /** Mark the turn that the board shows, null for none. @param {number | null} turns @param {boolean} dealt */
  mark(turns, dealt) {
    const entries = [...this.element.children];
    const at = turns === null ? -1 : turns - 1 + (dealt ? 1 : 0);
    entries.forEach((entry, n) => entry.classList.toggle("shown", n === at));
    const entry = entries[at];
    if (at === this.marked || !(entry instanceof HTMLElement)) return;
    this.marked = at;
    this.element.scrollTop = entry.offsetTop - this.element.clientHeight / 3; // the page stays put
  }

  /** @param {number | null} seat @param {Node | null} title @param {string[]} sentences */
  entry(seat, title, sentences) {
    return el(
      "article",
      { class: `entry${seat === null ? "" : ` seat-${seat}`}` },
      seat !== null && seatSymbol(seat),
      el("div", {}, title && el("h2", {}, title), sentences.map((text) => el("p", {}, text))),
    );
  }
}
