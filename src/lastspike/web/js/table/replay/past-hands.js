// The hands at an earlier turn of a finished game, and how to play on from there.

import { makeTable } from "../../game/new-table.js";
import { seatSymbol } from "../../game/players.js";
import { settings } from "../../lib/settings.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { money, say, sayAs } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/figures.js").View} View */

export class PastHands {
  /**
   * @param {Model} model
   * @param {{go: (path: string) => void, pastChanged: () => void, record: () => any, picture: () => void,
   *   failed: (error: any) => void}} page
   */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    /** The seat whose eyes are used; null: all hands lie open. @type {number | null} */
    this.eyes = null;
    this.element = el("section", { class: "lookback", hidden: true, "aria-label": say("Hands at this point") });
  }

  /** The hand that lies before those eyes. @param {View} then */
  handOf(then) {
    return this.eyes === null ? [] : (then.hands[this.eyes] ?? []);
  }

  /** What the chosen eyes saw of the table then. @param {View} then @returns {View} */
  seen(then) {
    const { eyes } = this;
    if (eyes === null) return then;
    const hidden = this.model.info.settings.options.cash === "hidden";
    return {
      ...then,
      hands: then.hands.map((hand, seat) => (seat === eyes ? hand : null)),
      cash: then.cash.map((cash, seat) => (hidden && seat !== eyes ? null : cash)),
    };
  }

  /** @param {View} then @param {number} shown @param {boolean} visible */
  update(then, shown, visible) {
    this.element.hidden = !visible;
    if (!visible) return;
    const { model } = this;
    const next = model.turns[shown];
    const players = model.names.map((name, seat) => ({ name, seat }));
    const eyes = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        {
          id: "eyes",
          "data-key": "eyes",
          onchange: () => {
            this.eyes = eyes.value === "" ? null : Number(eyes.value);
            this.page.pastChanged();
          },
        },
        el("option", { value: "", selected: this.eyes === null }, say("All hands open")),
        players.map(({ name, seat }) => el("option", { value: seat, selected: this.eyes === seat }, seat === model.own ? say("As you saw it") : say("As {player} saw it", { player: name }))),
      )
    );
    fill(
      this.element,
      el(
        "div",
        { class: "head" },
        el("h2", { class: "now" }, shown ? say("After turn {number}", { number: shown }) : say("After the deal")),
        el("span", { class: "eyes" }, el("label", { for: "eyes" }, say("View")), eyes),
      ),
      el(
        "ul",
        { class: "hands-then" },
        players.map(({ name, seat }) => {
          const hand = then.hands[seat];
          const laid = next?.seat === seat ? next.moves[0] : null;
          return el(
            "li",
            { class: `seat-${seat}${next?.seat === seat ? " turn" : ""}` },
            seatSymbol(seat),
            el("bdi", { class: "player-name" }, name),
            el(
              "span",
              { class: "tiles-then" },
              hand
                ? hand.map((tile) => el("span", { class: `small-tile${tile === laid ? " laid" : ""}`, title: tile === laid ? say("laid next") : null }, tile))
                : el("span", { class: "notes" }, sayAs("hands", "Hidden")),
            ),
            el("span", { class: "cash" }, then.cash[seat] === null ? sayAs("cash", "Hidden") : money(/** @type {number} */ (then.cash[seat]))),
          );
        }),
      ),
      el(
        "div",
        { class: "acts" },
        next && this.playOnButton(next.seat, shown),
        button(say("Save a picture"), this.page.picture, { "data-key": "picture" }),
      ),
    );
  }

  /** @param {number} next who is to move @param {number} turns that have been made */
  playOnButton(next, turns) {
    const seat = this.eyes ?? next;
    return button(say("Play on from here as {player}", { player: this.model.names[seat] }), () => void this.playOn(seat, turns), { class: "main", "data-key": "play-on" });
  }

  /** @param {number} seat @param {number} turns */
  async playOn(seat, turns) {
    const name = settings.name || say("Newcomer");
    try {
      const made = await makeTable("api/records/play-on", { name, record: this.page.record(), turns, seat, level: settings.level });
      if (made) this.page.go(`table/${made.table}`);
    } catch (error) {
      this.page.failed(error);
    }
  }
}
