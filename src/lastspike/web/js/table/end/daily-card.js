// The end of a daily game: how well I played, beside Tycoon and everybody, and what to share.

import { showError } from "../../game/errors.js";
import { lineToShare, scoreTold, squaresTold, streakTold, verdictOf } from "../../daily/scores.js";
import { savePicture, shareLine } from "../../daily/share.js";
import { get } from "../../lib/api.js";
import { loadStylesheet } from "../../lib/stylesheet.js";
import { button, el, fill, pageLink } from "../../lib/ui/dom.js";
import { count, dayOf, money, number, percent, say } from "../../lib/words.js";

/** @typedef {import("../../daily/scores.js").Result} Result */

/** How a turn's square looks, and the mark in it: colour is never the only sign. */
const KINDS = new Map([
  [1, "better"],
  [0, "alike"],
  [-1, "worse"],
]);
const MARKS = new Map([
  [1, "+"],
  [-1, "−"],
]);
const ASK_MS = 1500;
/** Tycoon takes longer than the score; it is asked for less often. */
const ASK_LATER_MS = 10_000;

export class DailyCard {
  /** @param {import("../../game/model.js").Model} model @param {import("./final-scores.js").EndPage} page */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    this.timer = 0;
    this.closed = false;
    this.element = el("section", { class: "daily-result", "aria-labelledby": "daily-result" });
    this.show(null);
    void loadStylesheet("daily.css");
    void this.load();
  }

  close() {
    this.closed = true;
    window.clearTimeout(this.timer);
  }

  async load() {
    try {
      /** @type {Result} */
      const result = await get(`api/daily/results/${this.model.id}`);
      if (this.closed) return;
      this.show(result);
      if (!result.tycoon) this.timer = window.setTimeout(() => void this.load(), result.mine.status === "scored" ? ASK_LATER_MS : ASK_MS);
    } catch (error) {
      showError(error);
    }
  }

  /** @param {Result | null} result */
  show(result) {
    const title = el("h3", { id: "daily-result" }, say("Daily Deal for {day}", { day: dayOf(this.model.info.daily.day) }));
    if (result?.mine.status === "scored") return fill(this.element, title, ...this.told(result));
    fill(this.element, title, el("p", { role: "status" }, say("Working out how well you played. This takes a few seconds, or longer when many people finish at the same time.")));
  }

  /** @param {Result} result */
  told(result) {
    const { mine, turns, tycoon, everybody, streak } = result;
    const field = /** @type {HTMLInputElement} */ (el("input", { class: "shared-link", readonly: true, value: lineToShare(result), "aria-label": say("Line to share"), "data-key": "daily-line" }));
    return [
      el("p", { class: "score", role: "status" }, say("Your score: {score}", { score: scoreTold(mine) })),
      el("p", { class: "squares", role: "img", "aria-label": squaresTold(turns) }, turns.map((turn) => el("span", { class: `square ${KINDS.get(verdictOf(turn))}` }, MARKS.get(verdictOf(turn)) ?? ""))),
      el("p", {}, say("That’s how much your turns changed your chance to win, in percentage points, compared with Surveyor’s turns. Luck doesn’t count.")),
      mine.gave_up && el("p", {}, say("Surveyor finished the game for you; its turns count as 0.")),
      el(
        "ul",
        { class: "reasons" },
        el("li", {}, tycoon ? count("Tycoon, playing the same deal in your seat, averaged a score of {score} and {cash} in cash over {n} game ({wins} won).", "Tycoon, playing the same deal in your seat, averaged a score of {score} and {cash} in cash over {n} games ({wins} won).", tycoon.games, { score: scoreTold(tycoon), wins: percent(tycoon.share), cash: money(1000 * Math.round(tycoon.cash / 1000)) }) : say("Tycoon is still playing this deal…")),
        everybody && mine.ranked && el("li", {}, everybody.count > 1 ? say("Other players who scored lower: {below} of {others}. The average score is {mean}.", { below: number(everybody.below), others: number(everybody.count - 1), mean: scoreTold({ points: everybody.points, margin: null }) }) : say("Nobody else has finished this deal yet.")),
        mine.ranked && streak > 1 && el("li", {}, streakTold(streak)),
      ),
      result.costliest !== null && this.costliest(result, result.costliest),
      el("div", { class: "acts" }, field, button(say("Share result"), () => void shareLine(result, field), { class: "main", "data-key": "daily-share" }), button(say("Save a picture"), () => void savePicture(result).catch(showError), { "data-key": "daily-picture" }), pageLink("daily", this.page.go, { "data-key": "daily-more" }, say("Calendar and leaderboards"))),
    ];
  }

  /** @param {Result} result @param {number} turn */
  costliest(result, turn) {
    const points = result.turns.find((each) => each.turn === turn);
    return el(
      "p",
      { class: "row" },
      points && say("Turn {turn} cost you the most: {score}.", { turn: number(turn), score: scoreTold(points) }),
      " ",
      button(say("Show it"), () => this.page.look(turn - 1), { class: "quiet", "data-key": "daily-look" }),
      button(say("Play on from there"), () => this.page.playOn(this.model.you.seats[0], turn - 1), { "data-key": "daily-play-on" }),
    );
  }
}
