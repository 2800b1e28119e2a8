// Plays out the others' turns one after the other, at a pace one can follow.
// The board shows the table after those that have been played out; whoever acts sees all of them at once.

import { NEAR } from "../../game/figures.js";
import { lessMotion, settings } from "../../lib/settings.js";
import { landAll } from "./money-flight.js";

/** @typedef {import("../../game/model.js").Turn} Turn */
/** @typedef {import("../../game/figures.js").Figures} Figures */

/** How long a turn is shown, by pace. @type {Record<string, number>} */
const TURN_MS = { slow: 3600, normal: 1800, fast: 800, off: 0 };
/** The last tiles before the spike take their time. */
const SLOWER = 2;
const SPIKE_MS = 3200;
/** The most rounds that wait to be shown. */
const MOST = 2;

/** How long the last of these turns stays on the board before the next one is shown.
 * @param {Figures} figures @param {Turn[]} turns */
export function stay(figures, turns) {
  const { events } = turns[turns.length - 1];
  const has = (/** @type {string} */ kind) => events.some(({ event }) => event === kind);
  const pause = TURN_MS[settings.pace] * (approaches(figures, turns) ? SLOWER : 1);
  return Math.max(pause, has("last_spike") ? SPIKE_MS : 0);
}

/** Whether the last of these turns came nearer to the last spike, and it is near. @param {Figures} figures @param {Turn[]} turns */
export function approaches(figures, turns) {
  const left = (/** @type {Turn[]} */ made) => figures.toLastSpike({ track: made.flatMap(({ events }) => events.filter(({ event }) => event === "track_laid").map(({ tile }) => tile)) });
  const now = left(turns);
  return now <= NEAR && now < left(turns.slice(0, -1));
}

export class Playout {
  /**
   * @param {import("../../game/model.js").Model} model
   * @param {{advanced: () => void, perform: (turn: Turn) => Promise<unknown>, settled: () => void, paced: () => boolean}} page
   *   `advanced`: the board shows more turns; `perform`: show what happens in one, until all has landed; `settled`:
   *   all of them have been shown; `paced`: whether turns wait for one another
   */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    /** How many turns the board shows. */
    this.played = 0;
    /** Turns that the board shows already, and whose events are to be performed. @type {Turn[]} */
    this.due = [];
    this.timer = 0;
    /** The turn that is being shown. @type {object | null} */
    this.beat = null;
    document.addEventListener("visibilitychange", this.hide);
  }

  /** Whether the board is behind the table. */
  get behind() {
    return this.played < this.model.turns.length;
  }

  /** The turns since the viewer's own last one, as far as the board shows them. */
  get sinceLast() {
    const { model, played } = this;
    return model.sinceLast.slice(0, Math.max(0, played - model.lastOwn - 1));
  }

  /** Whether a turn is being shown or waits to be. */
  get busy() {
    return this.beat !== null || this.due.length > 0 || this.behind;
  }

  /** Turns may have come: decide which ones the board shows now. Afterwards it is drawn, and then `begin` is called.
   * @param {number} before how many there were @param {boolean} live whether they were made just now */
  arrived(before, live) {
    const { turns, you, info } = this.model;
    if (turns.length === before) return;
    const own = turns.findLastIndex(({ seat }, at) => at >= before && you.seats.includes(seat));
    if (!live || document.hidden || lessMotion() || settings.pace === "off" || !this.page.paced()) {
      this.stop();
      this.played = turns.length;
      this.due = live ? turns.slice(before) : [];
      return;
    }
    // Whoever acts sees their own turn at once, and whoever watches computers is never far behind.
    const next = Math.max(own, turns.length - MOST * info.seats.length);
    if (own >= 0 || next > this.played) {
      this.stop();
      this.played = Math.max(this.played, next);
    }
    if (!this.beat && !this.due.length) this.take();
  }

  /** Show one more turn. */
  take() {
    this.due.push(this.model.turns[this.played]);
    this.played += 1;
  }

  /** The board is drawn: perform what happened in the turns that it shows now. */
  begin() {
    const { figures, turns } = this.model;
    const due = this.due.splice(0);
    if (!due.length || !figures) return;
    const performed = due.map((turn) => this.page.perform(turn));
    if (document.hidden || lessMotion()) return this.page.settled();
    window.clearTimeout(this.timer);
    const pause = new Promise((done) => (this.timer = window.setTimeout(done, stay(figures, turns.slice(0, this.played)))));
    const beat = (this.beat = {});
    void Promise.all([pause, ...performed]).then(() => beat === this.beat && this.next());
  }

  next() {
    this.beat = null;
    if (!this.behind) return this.page.settled();
    this.take();
    this.page.advanced();
    this.begin();
  }

  /** Show the table as it is, at once. */
  finish() {
    if (!this.busy) return;
    this.stop();
    landAll();
    const { behind } = this;
    this.played = this.model.turns.length;
    if (behind) this.page.advanced();
    this.page.settled();
  }

  /** Nobody sees it, and nothing is to pile up. */
  hide = () => {
    if (document.hidden) this.finish();
  };

  stop() {
    window.clearTimeout(this.timer);
    this.beat = null;
    this.due = [];
  }

  close() {
    this.stop();
    document.removeEventListener("visibilitychange", this.hide);
  }
}
