// The end of the game: who wins, and what to do next.

import { post, site } from "../../lib/api.js";
import { saveFile } from "../../lib/files.js";
import { loadStylesheet } from "../../lib/stylesheet.js";
import { announce } from "../../lib/ui/announce.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { say, sentences } from "../../lib/words.js";
import { DailyCard } from "./daily-card.js";
import { scores, tie } from "./scores.js";
import { WhyCard } from "./why-card.js";

const RECORD = "last-spike.json";

/** @typedef {import("../../game/model.js").Model} Model */
/** What the end needs of the table: `look` shows the board after a turn, `playOn` makes a table that goes on after it.
 * @typedef {{go: (path: string) => void, teller: () => import("../../game/teller.js").Teller, record: () => any,
 *   replay: () => void, look: (turns: number) => void, playOn: (seat: number, turns: number) => void,
 *   picture: () => void, failed: (error: any) => void, waysOn: () => HTMLElement | null}} EndPage `waysOn`: other ways
 *   on than those of every game */

export class FinalScores {
  /** @param {HTMLElement} element @param {Model} model @param {EndPage} page */
  constructor(element, model, page) {
    this.element = element;
    this.model = model;
    this.page = page;
    /** @type {WhyCard | null} */
    this.card = null;
    /** @type {DailyCard | null} */
    this.daily = null;
    this.begun = false;
    this.visible = false;
  }

  /** A name has changed: the next `update` draws the scores again. */
  clear() {
    this.begun = false;
  }

  close() {
    this.card?.close();
    this.daily?.close();
  }

  /** Drawn once, but for what waits for the record: after the game nothing of it changes.
   * @param {boolean} visible whether the board is shown as it is at the end */
  update(visible) {
    const back = visible && !this.visible && this.begun;
    this.visible = visible;
    this.element.hidden = !visible || !this.card;
    if (back && !document.activeElement?.closest("input:not([type=range]), textarea")) this.element.focus({ preventScroll: true }); // what led back is gone
    this.card?.update();
    const over = this.model.events.find((event) => event.event === "game_over");
    if (!over || this.begun) return;
    this.begun = true;
    this.draw(over).catch(this.page.failed);
  }

  /** @param {any} over */
  async draw(over) {
    const { model, page } = this;
    await loadStylesheet("end.css");
    const told = page.teller().sentences(over);
    this.close();
    this.card = new WhyCard(model, page, over);
    this.daily = model.info.daily && model.you.seats.length > 0 ? new DailyCard(model, page) : null;
    fill(this.element, el("h2", {}, told.at(-1)), tie(model, page.teller(), over), this.daily?.element ?? null, scores(model, page.teller(), over), this.card.element, ...this.waysOn());
    this.element.hidden = !this.visible;
    this.element.querySelector("h2")?.scrollIntoView({ block: "nearest" }); // the whole may be higher than the screen
    if (document.activeElement === document.body) this.element.focus({ preventScroll: true }); // the hand is gone
    announce(sentences([...told, this.card.verdict]));
  }

  /** What can be done when the game is over: first what it leaves behind, last what most people do next. */
  waysOn() {
    const { model, page } = this;
    const others = page.waysOn();
    if (others) return [others];
    return [
      el(
        "div",
        { class: "acts" },
        page.record()?.shuffle !== null && button(say("Check the shuffle"), () => page.go(model.id ? `verify/${model.id}` : "verify"), { class: "quiet", "data-key": "verify" }),
        model.id && !site.server && button(say("Download the record"), () => saveFile(new Blob([JSON.stringify(page.record())], { type: "application/json" }), RECORD), { class: "quiet", "data-key": "download" }),
        model.id && site.server && el("a", { class: "button quiet", href: `api/tables/${model.id}/record`, download: RECORD }, say("Download the record")),
      ),
      el(
        "div",
        { class: "acts" },
        model.you.seats.length > 0 && !model.info.daily && button(say("Play again"), () => this.rematch(), { class: "main", "data-key": "again" }),
        button(say("Watch again"), page.replay, { "data-key": "replay" }),
        button(say("Save a picture"), page.picture, { "data-key": "picture" }),
        button(say("Review the game"), () => page.go(model.id ? `review/${model.id}` : "review"), { "data-key": "review" }),
        button(say("Home"), () => page.go(""), { "data-key": "home" }),
      ),
    ];
  }

  async rematch() {
    try {
      const { table } = await post(`api/tables/${this.model.id}/rematch`);
      this.page.go(`table/${table}?begin`);
    } catch (error) {
      this.page.failed(error);
    }
  }
}
