// The calendar of the Daily Deal: the days that can be played, my scores, and what to do with a day.

import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { dayOf, money, number, say, sayAs } from "../lib/words.js";
import { playDay } from "./play.js";
import { scoreTold } from "./scores.js";

/** @typedef {import("./scores.js").Try} Try */
/** @typedef {{tries: Try[], days: string[], streak: number, best_streak: number}} Calendar */

const DAYS = 7;

export class CalendarCard {
  /** @param {{go: (path: string) => void}} page @param {Calendar} calendar */
  constructor(page, calendar) {
    this.page = page;
    this.calendar = calendar;
    this.chosen = calendar.days[0];
    this.element = el("section", { class: "card" });
    this.draw();
  }

  draw() {
    const { calendar } = this;
    const days = [...calendar.days].reverse();
    const first = (new Date(days[0]).getUTCDay() + 6) % DAYS; // weeks begin on Monday
    fill(
      this.element,
      el("h2", {}, say("Your calendar")),
      el("p", { class: "notes" }, el("span", { class: "fact" }, say("Streak: {n}", { n: number(calendar.streak) })), el("span", { class: "fact" }, say("Best streak: {n}", { n: number(calendar.best_streak) }))),
      el("ol", { class: "calendar" }, days.map((day, n) => el("li", { class: n ? "" : `weekday-${first + 1}` }, this.cell(day)))),
      el("div", { class: "day", "aria-live": "polite" }, this.detail(this.chosen)),
    );
  }

  /** @param {string} day @returns {Try | undefined} the ranked try, or else the latest */
  best(day) {
    const tries = this.calendar.tries.filter((each) => each.day === day);
    return tries.find((each) => each.ranked) ?? tries[0];
  }

  /** @param {string} day */
  cell(day) {
    const mine = this.best(day);
    const told = mine ? (mine.status === "scored" ? scoreTold({ ...mine, margin: null }) : "…") : "";
    const choose = () => {
      this.chosen = day;
      this.draw();
    };
    const made = button("", choose, { class: `quiet${mine?.ranked ? " ranked" : ""}`, "aria-pressed": String(day === this.chosen), "aria-label": told ? say("{day}: {score}", { day: dayOf(day), score: told }) : dayOf(day), "data-key": `day-${day}` });
    fill(made, el("span", { class: "number" }, String(Number(day.slice(8)))), el("span", { class: "score" }, told));
    return made;
  }

  /** @param {string} day */
  detail(day) {
    const { page, calendar } = this;
    const today = day === calendar.days[0];
    const tries = calendar.tries.filter((each) => each.day === day);
    return [
      el("h3", {}, dayOf(day)),
      tries.length > 0 &&
        el(
          "ul",
          { class: "tries" },
          tries.map((each) =>
            el(
              "li",
              {},
              el("span", { class: "fact" }, each.ranked ? say("ranked") : say("not ranked")),
              el("span", { class: "fact" }, { playing: say("still playing"), scoring: say("being scored"), scored: scoreTold(each) }[each.status]),
              each.rank !== null && el("span", { class: "fact" }, say("finished #{rank} with {cash}", { rank: number(each.rank), cash: money(each.cash ?? 0) })),
              each.gave_up && el("span", { class: "fact" }, say("finished by a computer")),
              pageLink(`table/${each.table}`, page.go, { "data-key": `try-${each.table}` }, each.status === "playing" ? sayAs("a game", "Continue") : say("See the game")),
            ),
          ),
        ),
      !today && el("div", { class: "acts" }, button(say("Play this deal (not ranked)"), () => void playDay(page, day), { "data-key": "play-day" }), button(say("Check this deal"), () => page.go(`daily/${day}`), { class: "quiet", "data-key": "proof" })),
    ];
  }
}
