// The log: every turn in a line or two, with a button that shows the board after it.

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
    /** Whether the newest line stays in view: until somebody scrolls away from it. */
    this.follows = true;
    let high = 0;
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      if (clientHeight && clientHeight === high) this.follows = scrollHeight - scrollTop - clientHeight < 60;
    });
    // Behind another tab it has no height to scroll; when it comes to the front it gets one. A panel that becomes
    // lower takes the newest line out of view, which nobody has scrolled away from.
    new ResizeObserver(() => {
      high = this.element.clientHeight;
      this.follow();
    }).observe(this.element);
    /** Whom the log calls "you". @type {number | null} */
    this.own = null;
  }

  /** @param {Model} model @param {Teller} teller @param {number} turns how many are shown
   * @param {boolean} [all] from the beginning, as after a change of names */
  update(model, teller, turns, all = false) {
    if (all || teller.own !== this.own) this.shown = -1;
    this.own = teller.own;
    const count = turns + (model.dealt.length ? 1 : 0);
    if (count === this.shown) return;
    const { element } = this;
    if (this.shown < 0) {
      fill(element, model.dealt.length > 0 && el("article", { class: "entry" }, summaryLines(teller, null, model.dealt)));
      this.shown = model.dealt.length ? 1 : 0;
    }
    const done = this.shown - (model.dealt.length ? 1 : 0);
    model.turns.slice(done, turns).forEach((turn, n) => {
      const look = button(String(turn.turn), () => this.listeners.onTurn(done + n + 1), {
        class: "entry-turn",
        "aria-label": say("Turn {number}", { number: turn.turn }),
        title: say("Show the board after this turn"),
        "data-key": `turn-${turn.turn}`,
      });
      element.append(el("article", { class: `entry turn-entry seat-${turn.seat}` }, el("h2", {}, look), summaryLines(teller, turn.seat, turn.events)));
    });
    this.shown = count;
    this.follow();
  }

  /** Show the newest line, unless somebody reads earlier ones. */
  follow() {
    if (this.follows) this.element.scrollTop = this.element.scrollHeight;
  }

  /** Mark the turn that the board shows, null for none. @param {number | null} turns @param {boolean} dealt */
  mark(turns, dealt) {
    const entries = [...this.element.children];
    const at = turns === null ? -1 : turns - 1 + (dealt ? 1 : 0);
    entries.forEach((entry, n) => entry.classList.toggle("shown", n === at));
    const entry = entries[at];
    if (at < 0 && this.marked >= 0) {
      this.marked = at;
      this.follows = true; // back to now
      this.follow();
    }
    if (at === this.marked || !(entry instanceof HTMLElement)) return;
    this.marked = at;
    this.element.scrollTop = entry.offsetTop - this.element.clientHeight / 3; // the page stays put
  }
}

/** What happened in a turn, at a glance; what the viewer was paid is bold.
 * @param {Teller} teller @param {number | null} seat null: the deal @param {any[]} events */
export function summaryLines(teller, seat, events) {
  const { done, more } = teller.summary(events);
  return el(
    "div",
    { class: "summary" },
    seat !== null && el("p", {}, seatSymbol(seat), el("bdi", { class: "player-name" }, teller.name(seat)), pieces(done)),
    more.map((line) => el("p", {}, pieces(line))),
  );
}

/** The style sheet puts a dot between them; the spaces are for who copies the text.
 * @param {import("../../game/teller.js").Piece[]} parts */
function pieces(parts) {
  return parts.flatMap(({ text, own }) => [" ", el(own ? "strong" : "span", { class: "piece" }, text)]);
}
