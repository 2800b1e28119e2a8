// The hand: a button for each tile, with its route, terrain and cost.

import { SPACES } from "../../game/figures.js";
import { el, fill } from "../../lib/ui/dom.js";
import { money, say } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */

/** The kind of data that a dragged tile carries. */
export const DRAGGED = "text/x-last-spike-tile";

export class Hand {
  /** @param {{onTile: (tile: string) => void, teller: () => import("../../game/teller.js").Teller}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "hand", role: "group", "aria-label": say("Your hand") });
  }

  /** @param {Model} model @param {string | null} chosen @param {string[]} legal @param {string[]} advised by a hint */
  update(model, chosen, legal, advised) {
    const view = model.view;
    const figures = model.figures;
    if (!view || !figures) return;
    const seat = model.looking;
    const hand = seat === null ? [] : (view.hands[seat] ?? []);
    fill(
      this.element,
      hand.map((tile) => {
        const { cost, double } = figures.cost(view, tile);
        const route = this.page.teller().route(tile[0]);
        const can = legal.includes(tile) || chosen === tile;
        return el(
          "button",
          {
            type: "button",
            class: `tile ${figures.space(tile).terrain}${chosen === tile ? " chosen" : ""}${advised.includes(tile) ? " advised" : ""}`,
            "data-key": `tile-${tile}`,
            "data-tile": tile,
            "aria-pressed": String(chosen === tile),
            "aria-disabled": can ? null : "true",
            draggable: "true",
            ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData(DRAGGED, tile),
            onclick: () => this.page.onTile(tile),
          },
          el("span", { class: "tile-code" }, tile),
          el("span", { class: "tile-route" }, route),
          el(
            "span",
            { class: "tile-spaces", "aria-hidden": "true" },
            SPACES.map((n) => {
              const space = `${tile[0]}${n}`;
              return el("i", { class: space === tile ? "this" : view.track.includes(space) ? "laid" : "" });
            }),
          ),
          el(
            "span",
            { class: double ? "tile-cost double" : "tile-cost" },
            double ? say("{cost} (double)", { cost: money(cost) }) : money(cost),
          ),
        );
      }),
      seat !== null && hand.length === 0 && el("p", { class: "empty" }, say("No tiles left.")),
    );
  }
}
