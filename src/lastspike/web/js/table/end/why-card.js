// The card at the end: why I won or lost, at once from the events, then luck and play from the server.

import { errorText } from "../../game/errors.js";
import { seatSymbol } from "../../game/players.js";
import { site } from "../../lib/api.js";
import { waitForJob } from "../../lib/jobs.js";
import { announce } from "../../lib/ui/announce.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { percent, say } from "../../lib/words.js";
import { cashByTurn } from "../../review/accounts.js";
import { thousands } from "../../review/figures.js";
import { lineChart } from "../../review/line-chart.js";
import { luckAndPlay, turningPoint } from "./luck.js";
import { startOf } from "./scores.js";
import { differences, differenceTold, rivalOf, subjectOf, title, verdict } from "./why.js";

/** @typedef {import("../../game/model.js").Model} Model */

export class WhyCard {
  /** @param {Model} model @param {import("./final-scores.js").EndPage} page @param {any} over the event that ended the game */
  constructor(model, page, over) {
    this.model = model;
    this.page = page;
    const teller = page.teller();
    const subject = subjectOf(model, over);
    this.subject = subject;
    this.closed = false;
    this.asked = false;
    this.verdict = verdict(model, teller, over, subject);
    this.charts = el("div", { class: "why-charts" }, this.cashChart());
    this.luck = el("div", { class: "why-luck", tabindex: "-1" });
    const rival = rivalOf(over, subject);
    this.element = el(
      "section",
      { class: "why-card", "aria-labelledby": "why" },
      el(
        "div",
        { class: "why-words" },
        el("h3", { id: "why" }, title(teller, over, subject)),
        el("p", { class: "margin" }, this.verdict),
        rival !== null &&
          el(
            "ul",
            { class: "reasons" },
            differences(model, subject, rival).map((each) =>
              el("li", { class: `seat-${each.seat}${each.against ? " contrary" : ""}` }, seatSymbol(each.seat), " ", el("span", {}, differenceTold(teller, each, each.seat === subject ? rival : subject))),
            ),
          ),
      ),
      this.luck,
      this.charts,
    );
    this.update();
  }

  close() {
    this.closed = true;
  }

  /** Ask for the quick figures as soon as the game is known as a whole. Without a server there are none: a review takes
   * all that the device has for a minute, so it waits to be asked for. */
  update() {
    if (this.asked || !this.page.record()) return;
    this.asked = true;
    if (site.server) void this.review(true);
    else fill(this.luck, el("div", { class: "why-more" }, button(say("Separate luck from play"), () => void this.review(false), { class: "quiet", "data-key": "refine" })));
  }

  /** @param {boolean} quick */
  async review(quick) {
    const { model } = this;
    const bar = /** @type {HTMLProgressElement} */ (el("progress", { max: 1, value: 0, "aria-label": say("Review progress") }));
    const told = quick ? say("Working out what was luck and what was play…") : !site.server ? say("Working out what was luck and what was play. This takes about a minute…") : say("Working it out more precisely. This takes about a minute…");
    const asked = this.luck.contains(document.activeElement); // the button goes away
    fill(this.luck, el("p", {}, told), bar);
    if (asked) {
      this.luck.focus({ preventScroll: true });
      announce(told, "answer");
    }
    try {
      const [path, body] = model.id ? [`api/tables/${model.id}/review${quick ? "?quick=true" : ""}`] : ["api/records/review", { record: this.page.record(), quick }];
      const review = await waitForJob(path, body, bar, () => !this.closed);
      if (review) this.show(review);
      if (review && asked) announce(this.luck.querySelector("p")?.textContent ?? "", "answer");
    } catch (error) {
      fill(this.luck, el("p", {}, errorText(error)), button(say("Try again"), () => void this.review(quick), { "data-key": "why-again" }));
    }
  }

  /** @param {any} review */
  show(review) {
    const { model, page } = this;
    const teller = page.teller();
    const refine = () => void this.review(false);
    fill(this.luck, ...luckAndPlay(review, model, teller, this.subject, { look: page.look, playOn: page.playOn, refine }));
    if (!review.chances.length) return;
    const wins = review.chances.map((/** @type {any} */ at) => at.chances);
    const turning = turningPoint(review, model, this.subject);
    const told = { title: say("Chance to win"), names: model.names, values: wins, marks: turning ? [turning.turn] : [], told: percent, most: 1, onTurn: page.look, size: /** @type {const} */ ("narrow") };
    fill(this.charts, this.cashChart(), lineChart(told).element, el("p", { class: "notes" }, say("Worked out after the game, with all hands known.")));
  }

  cashChart() {
    const { model, page } = this;
    const values = cashByTurn(model.dealt, model.turns, model.names.length, startOf(model));
    return lineChart({ title: say("Cash"), names: model.names, values, told: thousands, onTurn: page.look, size: "narrow" }).element;
  }
}
