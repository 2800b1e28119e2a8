// The controls that step or play through the turns of a game.

import { lessMotion } from "../../lib/settings.js";
import { button, el, set } from "../../lib/ui/dom.js";
import { say, sentence, sentences } from "../../lib/words.js";
import { stay } from "../motion/playout.js";

/** A replay is quicker than a game. */
const QUICKER = 0.6;
const LEAST_MS = 900;

/** @typedef {import("../../game/model.js").Model} Model */

export class Replay {
  /** @param {Model} model @param {{pastChanged: () => void, perform: (turn: import("../../game/model.js").Turn) => void,
   *   over: () => boolean, told: (text: string) => void, teller: () => import("../../game/teller.js").Teller}} page
   *   `perform`: show what happens in a turn; `over`: whether the end of the game is shown */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    /** How many turns the board shows; null: all that there are, as they come.
     * @type {number | null} */
    this.shown = null;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (
      el("input", { type: "range", min: 0, "aria-label": say("Turn"), oninput: () => this.to(Number(this.slider.value)) })
    );
    this.label = el("span", { class: "replay-turn" });
    this.playing = button("▶", () => this.toggle(), { "data-key": "play" });
    this.element = el(
      "div",
      { class: "replay", role: "group", "aria-label": say("Replay"), hidden: true },
      button("❘◀", () => this.to(0), { "aria-label": say("Back to the start"), "data-key": "start" }),
      button("◀", () => this.step(-1), { "aria-label": say("Previous turn"), "data-key": "previous" }),
      this.playing,
      button("▶❘", () => this.step(1), { "aria-label": say("Next turn"), "data-key": "next" }),
      el("button", { type: "button", class: "next-payout", title: say("Next payout"), "aria-label": say("Next payout"), "data-key": "payout", onclick: () => this.nextPayout() }, el("span", { "aria-hidden": "true" }, "$"), el("span", {}, say("Next payout"))),
      this.slider,
      this.label,
      (this.present = button(say("Now"), () => this.now(), { class: "main", "data-key": "now" })),
    );
  }

  get all() {
    return this.model.turns.length;
  }

  /** @param {number} turns */
  to(turns) {
    const entered = this.shown === null && !this.model.over;
    this.stop();
    this.look(turns);
    this.page.told(sentences([sentence(this.title()), ...this.happened(), ...(entered ? [say("Press Esc to return to the present.")] : [])]));
  }

  /** Beyond the newest turn of a running game lies the present. @param {number} by */
  step(by) {
    const turns = (this.shown ?? this.all) + by;
    if (turns <= this.all || this.model.over) this.to(turns);
    else if (this.shown !== null) this.now();
  }

  /** What is looked at. */
  title() {
    const shown = this.shown ?? this.all;
    return shown ? say("Turn {number}", { number: shown }) : say("The deal");
  }

  /** What happened in the turn that is looked at. */
  happened() {
    const turn = this.model.turns[(this.shown ?? this.all) - 1];
    return turn ? this.page.teller().brief(turn.events) : [];
  }

  /** On to the turn that finishes another route; from the last one to the first. */
  nextPayout() {
    const paid = (/** @type {any} */ turn) => turn.events.some((/** @type {any} */ event) => event.event === "route_finished");
    const from = this.shown === null || this.shown === this.all ? 0 : this.shown;
    const next = this.model.turns.findIndex((turn, at) => at >= from && paid(turn));
    this.to(next < 0 ? this.all : next + 1);
  }

  now() {
    this.stop();
    if (this.shown !== null && !this.model.over) this.page.told(say("You’re looking at the table as it is now."));
    this.shown = null;
    this.page.pastChanged();
  }

  toggle() {
    if (this.timer) {
      this.stop();
      this.update();
      return;
    }
    if (this.shown === null || this.shown === this.all) this.look(0);
    this.play(LEAST_MS);
    this.update();
  }

  /** Show the next turn after a while, and so on. @param {number} ms */
  play(ms) {
    this.timer = window.setTimeout(() => {
      if (this.shown === null || this.shown >= this.all) this.stop();
      else {
        this.look(this.shown + 1);
        const turns = this.model.turns.slice(0, this.shown);
        this.page.perform(turns[turns.length - 1]);
        this.play(this.lasts(turns));
      }
      this.update();
    }, ms);
  }

  /** @param {import("../../game/model.js").Turn[]} turns */
  lasts(turns) {
    return lessMotion() ? LEAST_MS : Math.max(LEAST_MS, QUICKER * stay(/** @type {import("../../game/figures.js").Figures} */ (this.model.figures), turns));
  }

  /** From the beginning on. */
  again() {
    this.stop();
    this.shown = null;
    this.toggle();
  }

  stop() {
    window.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** @param {number} turns */
  look(turns) {
    this.shown = Math.min(this.all, Math.max(0, turns));
    this.page.pastChanged();
  }

  update() {
    const { model } = this;
    const shown = this.shown ?? this.all;
    this.element.hidden = !model.view || (this.shown === null && !this.page.over());
    set(this.slider, { max: this.all });
    this.slider.value = String(shown);
    const told = this.title();
    set(this.slider, { "aria-valuetext": told });
    if (this.label.textContent !== told) this.label.textContent = told;
    const play = this.timer ? "❚❚" : "▶";
    if (this.playing.textContent !== play) this.playing.textContent = play;
    const act = this.timer ? say("Pause") : say("Play the replay");
    set(this.playing, { "aria-label": act, title: act });
    this.present.hidden = model.over && this.shown === null;
    const present = model.over ? say("Show the scores") : say("Now");
    if (this.present.textContent !== present) this.present.textContent = present;
  }
}
