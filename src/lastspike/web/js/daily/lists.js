// The lists of today and of this week, with the choice to be in them.

import { showError } from "../game/errors.js";
import { ask, get } from "../lib/api.js";
import { el, fill } from "../lib/ui/dom.js";
import { count, number, say } from "../lib/words.js";
import { scoreTold } from "./scores.js";

/** @typedef {{name: string, points: number, margin: number | null, days: number, me: boolean}} Listed
 * @typedef {{today: Listed[], week: Listed[], least_days: number, listed: boolean}} Lists */

export class ListsCard {
  /** @param {boolean} known whether the server knows this person, so that they can be listed */
  constructor(known) {
    this.known = known;
    this.element = el("section", { class: "card" });
    void this.load();
  }

  async load() {
    try {
      this.draw(await get("api/daily/lists"));
    } catch (error) {
      showError(error);
    }
  }

  /** @param {Lists} lists */
  draw(lists) {
    const box = /** @type {HTMLInputElement} */ (
      el("input", {
        type: "checkbox",
        id: "listed",
        "data-key": "listed",
        checked: lists.listed,
        onchange: async () => {
          await ask("PUT", "api/daily/listing", { listed: box.checked }).catch(showError);
          await this.load();
        },
      })
    );
    fill(
      this.element,
      el("h2", {}, say("Leaderboards")),
      el("p", { class: "why" }, say("Ranked by score, so luck doesn’t count. Only people who choose to be listed are shown, under the name they use here.")),
      this.known && el("p", { class: "row" }, box, el("label", { for: "listed" }, say("Show me on the leaderboards"))),
      this.list(say("Today"), lists.today, say("Nobody is listed yet today.")),
      this.list(say("This week"), lists.week, count("Nobody is listed yet this week. To be listed, you need ranked games on {n} day.", "Nobody is listed yet this week. To be listed, you need ranked games on {n} different days.", lists.least_days)),
    );
  }

  /** @param {string} title @param {Listed[]} lines @param {string} none */
  list(title, lines, none) {
    return [
      el("h3", {}, title),
      lines.length
        ? el(
            "ol",
            { class: "list" },
            lines.map((line, n) =>
              el("li", { class: line.me ? "me" : "" }, el("span", { class: "place" }, number(n + 1)), el("bdi", {}, line.name), line.me && el("span", { class: "notes" }, say("(you)")), el("span", { class: "score" }, scoreTold(line)), el("span", { class: "notes" }, count("{n} day", "{n} days", line.days))),
            ),
          )
        : el("p", { class: "notes" }, none),
    ];
  }
}
