// What an edition plays like: the server lets computer players play it many times.

import { Figures } from "../game/figures.js";
import { waitForJob } from "../lib/jobs.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, money, number, percent, say, shortMoney, spoken } from "../lib/words.js";
import { intervalChart } from "./interval-chart.js";

/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {import("./interval-chart.js").Interval} Interval */

export class Study {
  /** @param {() => Edition | null} edition as it is now; null while it is wrong @param {string[]} players
   * @param {(error: unknown) => void} failed */
  constructor(edition, players, failed) {
    this.edition = edition;
    this.failed = failed;
    this.asked = 0;
    this.players = /** @type {HTMLSelectElement} */ (
      el("select", { id: "study-players" }, players.map((n) => el("option", { value: n, selected: n === "4" }, count("{n} player", "{n} players", Number(n)))))
    );
    this.found = el("div", { class: "study-found" });
    this.element = el(
      "section",
      { class: "card study", "aria-labelledby": "study" },
      el("h2", { id: "study" }, say("How does it play?")),
      el("p", { class: "why" }, say("The computer plays this edition 300 times and shows you the results.")),
      el(
        "div",
        { class: "acts" },
        el("label", { for: "study-players" }, say("Players")),
        this.players,
        button(say("Find out"), () => void this.ask().catch(failed), { "data-key": "study" }),
      ),
      this.found,
    );
  }

  close() {
    this.asked++;
  }

  async ask() {
    const edition = this.edition();
    if (!edition) {
      fill(this.found, el("p", { class: "problem" }, say("Fix the invalid figures first.")));
      return;
    }
    const asked = ++this.asked;
    const players = Number(this.players.value);
    const bar = /** @type {HTMLProgressElement} */ (el("progress", { max: 1, value: 0, "aria-label": say("Playing…") }));
    fill(this.found, el("p", { role: "status" }, say("Playing…")), bar);
    try {
      const study = await waitForJob("api/studies", { figures: edition, players }, bar, () => asked === this.asked);
      if (study) this.draw(edition, study);
    } catch (error) {
      if (asked === this.asked) fill(this.found);
      throw error;
    }
  }

  /** @param {Edition} edition @param {any} study */
  draw(edition, study) {
    const [found] = study.findings;
    const city = (/** @type {string} */ code) => new Figures(edition).cityName(code, spoken());
    const { length, ending } = found;
    const card = (/** @type {any} */ each) => ({
      label: each.rank ? say("{city} {number}, {price}", { city: city(each.city), number: each.rank + 1, price: shortMoney(each.price) }) : say("{city}, free", { city: city(each.city) }),
      value: each.returned,
    });
    fill(
      this.found,
      el(
        "p",
        { role: "status" },
        say("A game takes {mean} turns on average; the shortest took {shortest}, the longest {longest}. {share} of games ended with the last spike.", {
          mean: average(length.mean.mean),
          shortest: length.shortest,
          longest: length.longest,
          share: percent(ending.reasons["last spike"].mean),
        }),
      ),
      intervalChart(say("Turns per game"), [{ label: say("All players together"), value: length.mean }], { told: (value) => sure(average, value) }),
      intervalChart(
        say("Wins by turn order"),
        found.wins_in_order.map((/** @type {Interval} */ value, /** @type {number} */ n) => ({ label: say("Player {number}", { number: n + 1 }), value })),
        { told: (value) => sure(percent, value), mark: found.fair_share, legend: say("The vertical line marks a fair share. Player 1 goes first.") },
      ),
      intervalChart(
        say("What each city pays per game"),
        found.cities.map((/** @type {any} */ each) => ({ label: city(each.city), value: each.paid })),
        { told: (value) => sure(dollars, value) },
      ),
      el(
        "details",
        {},
        el("summary", {}, say("What each land card returns")),
        intervalChart(say("Profit per purchase"), found.cards.filter((/** @type {any} */ each) => each.returned).map(card), { told: (value) => sure(dollars, value) }),
      ),
      el("p", { class: "why" }, say("Each bar shows the 95% confidence interval of the mean. Computer players aren’t people: they may buy land that you wouldn’t.")),
    );
  }
}

/** A mean and how sure it is. @param {(value: number) => string} write @param {Interval} value */
function sure(write, { mean, low, high }) {
  const margin = Math.max((high ?? mean) - mean, mean - (low ?? mean));
  return say("{mean} ± {margin}", { mean: write(mean), margin: write(margin) });
}

/** @param {number} value */
const average = (value) => number(value, 1);

/** @param {number} value */
const dollars = (value) => money(Math.round(value / 100) * 100);
