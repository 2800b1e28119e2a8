// The screen that explains the game in a minute.

import { STANDARD } from "../game/editions.js";
import { Figures } from "../game/figures.js";
import { get } from "../lib/api.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, money, say, spoken } from "../lib/words.js";
import { cashList } from "./illustrations.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "room learn" });
    void this.draw();
  }

  async draw() {
    const edition = await get(`api/editions/${STANDARD}`);
    const figures = new Figures(edition);
    const city = (/** @type {string} */ code) => figures.cityName(code, spoken());
    fill(
      this.element,
      el("h1", {}, say("How to play")),
      el(
        "section",
        { class: "card" },
        el("p", { class: "lead" }, say("Together you build one railway from {start} to {finish}. Land in the cities along it pays. When the line is complete, the player with the most cash wins.", { start: city(edition.start), finish: city(edition.finish) })),
        el(
          "ol",
          { class: "steps" },
          step(say("Lay a tile."), say("Each track tile belongs on one space of the map and shows its cost. If a tile you can afford is next to a city or track, you must lay one of those. Elsewhere a tile costs double.")),
          step(say("Collect."), say("Lay the first tile next to a city and you get its free land grant. When all four spaces of a route have track, it pays everybody with land in either of its two cities.")),
          step(say("Buy one land card, or none."), say("Only in a city whose free land is gone, and not in a turn that brought you free land. The more cards you hold in a city, the more each of its routes pays you.")),
          step(say("Draw a tile."), say("Then it’s the next player’s turn.")),
        ),
      ),
      el(
        "section",
        { class: "card" },
        el("h2", {}, say("Good to know")),
        el(
          "ul",
          {},
          el("li", {}, say("Short of cash? Sell land to the bank for half its price, but not free land or land in a city whose routes are all finished.")),
          el("li", {}, say("If you still can’t afford a tile, you’re bankrupt and out.")),
          el("li", {}, say("The tile that joins the two ends of the line is the last spike. It earns you {bonus} and ends the game. The most cash wins; land only breaks ties.", { bonus: money(edition.last_spike_bonus) })),
          el("li", {}, count("Everybody holds {n} tile.", "Everybody holds {n} tiles.", edition.hand_size)),
          el("li", {}, say("Starting cash by number of players:"), cashList(edition)),
        ),
      ),
      el("div", { class: "acts" }, button(say("Play now"), () => this.page.go("?play"), { class: "main", "data-key": "play" }), button(say("Learn by playing"), () => this.page.go("lesson"), { "data-key": "lesson" }), button(say("Full rules"), () => this.page.go("rules"), { "data-key": "rules" }), button(say("Editions"), () => this.page.go("edition"), { class: "quiet", "data-key": "editions" }), button(say("Home"), () => this.page.go(""), { "data-key": "home" })),
    );
  }
}

/** A step of a turn. @param {string} title @param {string} text */
function step(title, text) {
  return el("li", {}, el("b", {}, title), el("p", {}, text));
}
