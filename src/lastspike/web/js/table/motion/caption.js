// One line by the map: what happened in the turn that the board shows last, and a way to skip those that follow.

import { button, el, fill } from "../../lib/ui/dom.js";
import { say } from "../../lib/words.js";
import { summaryLines } from "../side/log.js";

/** @typedef {import("../../game/model.js").Turn} Turn */

export class Caption {
  /** @param {{skip: () => void}} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    // What happens is announced anyway, and not only when it is shown.
    this.text = el("div", { class: "caption-text", "aria-hidden": "true" });
    this.skip = button(say("Skip"), () => this.listeners.skip(), { class: "quiet", title: say("Show the table as it is now"), "data-key": "skip" });
    this.element = el("div", { class: "caption", hidden: true }, this.text, this.skip);
    /** @type {Turn | null} */
    this.shown = null;
  }

  /** @param {Turn | null} turn @param {import("../../game/teller.js").Teller} teller @param {boolean} behind whether others wait to be shown
   * @param {boolean} again whether names have changed */
  update(turn, teller, behind, again) {
    this.element.hidden = !turn;
    this.skip.hidden = !behind;
    if (!turn || (turn === this.shown && !again)) return;
    this.shown = turn;
    const { seat, events } = turn;
    this.element.className = `caption seat-${seat}`;
    fill(this.text, summaryLines(teller, seat, events.filter(({ event }) => event !== "tile_drawn")));
  }
}
