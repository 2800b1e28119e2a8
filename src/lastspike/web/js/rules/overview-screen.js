// The screen that explains the game in a minute.

import { STANDARD } from "../game/editions.js";
import { Figures } from "../game/figures.js";
import { get } from "../lib/api.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, money, say, spoken } from "../lib/words.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "room learn" });
    void this.draw();
  }

  async draw() {
    const edition = await get(`api/editions/${STANDARD}`);
    const cash = Object.entries(edition.starting_cash);
    const figures = new Figures(edition);
    const city = (/** @type {string} */ code) => figures.cityName(code, spoken());
    fill(
      this.element,
      el("h1", {}, say("How it is played")),
      el(
        "section",
        { class: "card" },
        el("p", { class: "lead" }, say("Everybody builds one railway from {start} to {finish}. Land in the cities along it pays. When the line is whole, the richest wins.", { start: city(edition.start), finish: city(edition.finish) })),
        el(
          "ol",
          { class: "steps" },
          el("li", {}, el("b", {}, say("Lay a tile.")), " ", say("Each of your tiles belongs to one space of the map and says what it costs. Next to a city or to track it costs that, elsewhere double.")),
          el("li", {}, el("b", {}, say("Collect.")), " ", say("The first tile next to a city gives you its free land card. When all four spaces of a route have track, it pays everybody who has land in either of its two cities.")),
          el("li", {}, el("b", {}, say("Buy one land card, or none.")), " ", say("The more cards of a city you have, the more each of its routes pays you.")),
          el("li", {}, el("b", {}, say("Draw a tile.")), " ", say("Then it is the next player's turn.")),
        ),
      ),
      el(
        "section",
        { class: "card" },
        el("h2", {}, say("Good to know")),
        el(
          "ul",
          {},
          el("li", {}, say("Who is short of money sells land to the bank for half its price, but no free card and none of a city whose routes are all finished.")),
          el("li", {}, say("Who can't pay for any tile even so is bankrupt and out.")),
          el("li", {}, say("The tile that joins both ends of the line is the last spike: it earns {bonus}, and the game is over. Most cash wins; land counts only in a tie.", { bonus: money(edition.last_spike_bonus) })),
          el("li", {}, count("Everybody holds {n} tile.", "Everybody holds {n} tiles.", edition.hand_size), " ", say("You begin with {cash}.", { cash: cash.map(([players, amount]) => say("{who}: {amount}", { who: count("{n} player", "{n} players", Number(players)), amount: money(/** @type {number} */ (amount)) })).join(" · ") })),
        ),
      ),
      el("div", { class: "acts" }, button(say("Play now"), () => this.page.go("?play"), { class: "main", "data-key": "play" }), button(say("Learn by playing"), () => this.page.go("lesson"), { "data-key": "lesson" }), button(say("All the rules"), () => this.page.go("rules"), { "data-key": "rules" }), button(say("Editions"), () => this.page.go("edition"), { class: "quiet", "data-key": "editions" }), button(say("Home"), () => this.page.go(""), { "data-key": "home" })),
    );
  }
}
