// The screen of the Daily Deal: today, the calendar and the lists; or the proof of a past day.

import { errorText, showError } from "../game/errors.js";
import { get } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { clockTime, count, dayOf, say } from "../lib/words.js";
import { CalendarCard } from "./calendar.js";
import { ListsCard } from "./lists.js";
import { playDay, readToday } from "./play.js";
import { showProof } from "./proof.js";
import { scoreTold, sharedTold } from "./scores.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} day a past day to prove; none: the overview */
  constructor(page, day) {
    this.page = page;
    this.element = el("div", { class: "room daily" }, el("p", { class: "loading" }, say("Loading…")));
    /** @type {HTMLElement | null} */
    this.left = null;
    this.ends = 0;
    this.draw(day).catch((error) => {
      showError(error);
      fill(this.element, el("h1", {}, say("Daily Deal")), el("p", {}, errorText(error)), el("div", { class: "acts" }, button(say("Home"), () => page.go(""), { "data-key": "home" })));
    });
    this.ticker = window.setInterval(() => this.tick(), 1000);
  }

  close() {
    window.clearInterval(this.ticker);
  }

  /** @param {string} day */
  async draw(day) {
    await loadStylesheet("daily.css");
    if (day) return showProof(this.element, this.page, day);
    const [today, calendar] = await Promise.all([readToday(), get("api/daily/calendar")]);
    fill(this.element, el("h1", {}, say("Daily Deal")), this.today(today), new CalendarCard(this.page, calendar).element, today.chain.public ? null : new ListsCard(calendar.tries.length > 0).element, this.about(today));
    this.tick();
  }

  /** @param {import("./play.js").Today} today */
  today(today) {
    const { page } = this;
    const { mine } = today;
    this.ends = today.ends;
    this.left = el("span", { class: "fact" });
    return el(
      "section",
      { class: "card" },
      el("h2", {}, dayOf(today.day)),
      el("p", { class: "notes" }, this.left, el("span", { class: "fact" }, count("{n} person has finished", "{n} people have finished", today.finished)), mine?.status === "scored" && el("span", { class: "fact" }, say("Your score: {score}", { score: scoreTold(mine) }))),
      el("p", {}, say("You have one try, without hints. If you give up or the day ends first, the computer player Surveyor finishes the game for you.")),
      el(
        "div",
        { class: "acts" },
        mine
          ? pageLink(`table/${mine.table}`, page.go, { class: "button main", "data-key": "today" }, mine.status === "playing" ? say("Continue today’s deal") : say("See your result"))
          : button(say("Play today’s deal"), () => void playDay(page, today.day), { class: "main", "data-key": "today" }),
      ),
    );
  }

  /** @param {import("./play.js").Today} today */
  about(today) {
    return el(
      "section",
      { class: "card" },
      el("h2", {}, say("How it works")),
      el("p", {}, say("Your score adds up how much your turns raised or lowered your chance to win, in percentage points, compared with the turns the computer player Surveyor would have made. Each turn is judged by what you could know at the time, so lucky or unlucky tiles don’t count. Playing like Surveyor scores 0.")),
      el("p", {}, today.chain.followed ? sharedTold(today.chain.followed) : today.chain.public ? say("This is the public chain that ships with the game. Anybody can compute its deals in advance, so it has no leaderboards.") : say("Each deal is set long before its day, by a chain of fingerprints. When the day is over, anybody can check that.")),
      el("p", {}, say("Nothing stops people from asking a friend who has already played, or from playing again under another name. Think of the leaderboards as a game among friends.")),
      el("details", {}, el("summary", {}, say("The chain")), el("dl", { class: "facts" }, [[say("Anchor"), today.chain.anchor], [say("Fingerprint of today’s link"), today.commitment]].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, value)))))),
    );
  }

  tick() {
    if (this.left) this.left.textContent = say("{time} left", { time: clockTime(this.ends - Date.now()) });
  }
}
