// The curtain between two players at one device, which hides the hands.

import { button, el, fill } from "../../lib/ui/dom.js";
import { say } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */

export class Curtain {
  /** @param {{look: (seat: number) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "curtain", hidden: true });
  }

  /** Whether it is closed. @param {Model} model */
  update(model) {
    const seat = model.mySeat;
    const closed = model.you.seats.length > 1 && seat !== null && model.looking !== seat;
    this.element.hidden = !closed;
    if (!closed) return false;
    const player = model.names[seat];
    fill(
      this.element,
      el("p", {}, say("Pass the device to {player}.", { player })),
      button(say("I’m {player}: show my hand", { player }), () => this.page.look(seat), { class: "main", "data-key": "look" }),
    );
    return true;
  }
}
