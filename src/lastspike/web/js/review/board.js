// The board of a review at any turn of the game: moved by the charts beside it, by its slider and by arrow keys.

import { tableAfter } from "../game/past-table.js";
import { seatSymbol } from "../game/players.js";
import { button, el, fill, set } from "../lib/ui/dom.js";
import { say, sentence, sentences } from "../lib/words.js";
import { BoardMap } from "../map/map.js";

/** @typedef {import("../game/model.js").Model} Model */
/** @typedef {import("../game/teller.js").Teller} Teller */

export class ReviewBoard {
  /**
   * @param {Model} model of the whole game @param {Teller} teller
   * @param {{moved: (turn: number) => void, hands: (turn: number) => void}} page `moved`: the board shows another turn;
   *   `hands`: show that turn at the table, with all hands
   */
  constructor(model, teller, page) {
    this.model = model;
    this.teller = teller;
    this.page = page;
    /** The turn that was chosen; 0 is the deal. */
    this.at = model.turns.length;
    /** The turn under the pointer. @type {number | null} */
    this.under = null;
    const figures = /** @type {import("../game/figures.js").Figures} */ (model.figures);
    this.map = new BoardMap(figures, { onTile: () => {}, onCity: () => {} }, { teller: () => teller, aids: () => true, floor: () => innerHeight });
    this.slider = /** @type {HTMLInputElement} */ (
      el("input", { type: "range", min: 0, max: model.turns.length, "aria-label": say("Turn"), oninput: () => this.to(Number(this.slider.value)) })
    );
    this.title = el("h2", {});
    this.told = el("p", { class: "board-told" });
    this.element = el(
      "section",
      { class: "card review-board", "aria-label": say("Map") },
      el("div", { class: "board-map" }, this.map.element),
      el(
        "div",
        { class: "board-ways" },
        button("◀", () => this.step(-1), { "aria-label": say("Previous turn"), "data-key": "previous" }),
        this.slider,
        button("▶", () => this.step(1), { "aria-label": say("Next turn"), "data-key": "next" }),
      ),
      el("div", { class: "board-head" }, this.title, button(say("See all hands"), () => page.hands(this.at), { class: "quiet", "data-key": "hands" })),
      this.told,
    );
  }

  /** Choose a turn. @param {number} turn */
  to(turn) {
    this.at = Math.min(this.model.turns.length, Math.max(0, turn));
    this.under = null;
    this.update();
  }

  /** @param {number} by */
  step(by) {
    this.to(this.at + by);
  }

  /** Show the turn under the pointer, as long as it is there. @param {number | null} turn */
  hover(turn) {
    if (turn === this.under) return;
    this.under = turn;
    this.update();
  }

  update() {
    const { model, teller } = this;
    const shown = this.under ?? this.at;
    const turns = model.turns.slice(0, shown);
    const then = tableAfter(/** @type {any} */ (model.figures), /** @type {any} */ (model.view), model.dealt, turns);
    const spike = turns.flatMap(({ events }) => events).find((event) => event.event === "last_spike")?.tile;
    this.map.update(then, { hand: [], legal: new Set(), ghost: null, last: turns.at(-1)?.moves[0] ?? null, spike, codes: true });
    const turn = turns.at(-1);
    const title = shown ? say("Turn {number}", { number: shown }) : say("The deal");
    const told = turn ? sentences(teller.brief(turn.events)) : "";
    this.title.textContent = title;
    fill(this.told, turn && seatSymbol(turn.seat), " ", told);
    this.told.className = `board-told seat-${turn?.seat ?? "none"}`;
    this.slider.value = String(shown);
    set(this.slider, { "aria-valuetext": sentences([sentence(title), told]) });
    this.page.moved(shown);
  }
}
