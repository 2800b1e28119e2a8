// The Daily Deal on the home screen.

import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { dayOf, say } from "../lib/words.js";
import { knownToday, playDay, readToday } from "./play.js";
import { scoreTold, streakTold } from "./scores.js";

/** The day here is that of UTC, as on the server. */
const dayHere = () => new Date().toISOString().slice(0, 10);

export class HomeCard {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("section", { class: "card daily-card", "aria-labelledby": "daily-title" });
    this.draw(knownToday());
    void this.load();
  }

  async load() {
    const today = await readToday().catch(() => null);
    if (today) this.draw(today);
  }

  /** @param {import("./play.js").Today | null} today null: not known yet; nothing moves when it is */
  draw(today) {
    const { page } = this;
    const mine = today?.mine ?? null;
    const act = mine?.status === "playing" ? say("Continue today’s deal") : mine ? say("See your result") : say("Play today’s deal");
    const facts = [mine?.status === "scored" && say("Your score: {score}", { score: scoreTold(mine) }), Boolean(today?.streak) && streakTold(today?.streak ?? 0)].filter(Boolean);
    fill(
      this.element,
      el(
        "div",
        {},
        el("h2", { id: "daily-title" }, say("Daily Deal"), " ", el("small", {}, dayOf(today?.day ?? dayHere()))),
        el("p", {}, say("Everybody plays the same deal, alone against three computers. See how well you played, whatever you were dealt.")),
        el("p", { class: "notes facts-of-day" }, facts.map((fact) => el("span", { class: "fact" }, fact))),
      ),
      el(
        "div",
        { class: "acts" },
        button(act, () => (mine ? page.go(`table/${mine.table}`) : void playDay(page, today?.day ?? dayHere())), { "data-key": "daily", class: "main" }),
        pageLink("daily", page.go, { "data-key": "daily-more" }, say("Calendar and leaderboards")),
      ),
    );
  }
}
