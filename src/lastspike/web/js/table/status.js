// The line below the map: how far it is to the last spike, what that brings, and the tiles in the pool.

import { NEAR } from "../game/figures.js";
import { lessMotion } from "../lib/settings.js";
import { el, fill } from "../lib/ui/dom.js";
import { count, money, say, shortMoney, spoken } from "../lib/words.js";

/** @typedef {import("../game/figures.js").Figures} Figures */

export class Status {
  constructor() {
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
      el(
        "span",
        { class: "fact to-spike", title: over ? null : say("Whoever lays the tile that joins {one} to {other} gets {bonus}.", { ...ends(figures), bonus: money(bonus) }) },
        over ? say("The game is over.") : left ? count("{n} tile to the last spike (+{bonus})", "{n} tiles to the last spike (+{bonus})", left, { bonus: shortMoney(bonus) }) : say("The last spike has been driven."),
      ),
      el("span", { class: "fact" }, count("{n} tile in the pool", "{n} tiles in the pool", board.pool)),
    );
    if (near && left < this.left && !lessMotion()) this.element.animate([{ transform: "none" }, { transform: "scale(1.12)" }, { transform: "none" }], { duration: 700, easing: "ease-out" });
    this.left = left;
  }
}

/** @param {Figures} figures */
function ends(figures) {
  const { start, finish } = figures.edition;
  return { one: figures.cityName(start, spoken()), other: figures.cityName(finish, spoken()) };
}
