// The line below the map: how far it is to the last spike, what that brings, and the tiles in the pool.

import { NEAR } from "../game/figures.js";
import { lessMotion } from "../lib/settings.js";
import { el, fill } from "../lib/ui/dom.js";
import { count, say, shortMoney } from "../lib/words.js";

/** @typedef {import("../game/figures.js").Figures} Figures */

export class Status {
  /** @param {{onSpike: () => void}} listeners */
  constructor({ onSpike }) {
    this.onSpike = onSpike;
    this.element = el("p", { class: "table-status" });
    this.left = Infinity;
  }

  /** @param {import("../game/figures.js").View} board as it is shown @param {Figures} figures @param {boolean} over */
  update(board, figures, over) {
    const left = figures.toLastSpike(board);
    const bonus = figures.edition.last_spike_bonus;
    const near = !over && left > 0 && left <= NEAR;
    this.element.classList.toggle("near", near);
    fill(
      this.element,
      over || !left
        ? el("span", { class: "fact" }, over ? say("The game is over.") : say("The last spike has been driven."))
        : el(
            "button",
            { type: "button", class: "fact to-spike", "data-key": "to-spike", title: say("What the last spike is, and where"), onclick: this.onSpike },
            count("{n} tile to the last spike (+{bonus})", "{n} tiles to the last spike (+{bonus})", left, { bonus: shortMoney(bonus) }),
          ),
      el("span", { class: "fact" }, count("{n} tile in the pool", "{n} tiles in the pool", board.pool)),
    );
    if (near && left < this.left && !lessMotion()) this.element.animate([{ transform: "none" }, { transform: "scale(1.12)" }, { transform: "none" }], { duration: 700, easing: "ease-out" });
    this.left = left;
  }
}
