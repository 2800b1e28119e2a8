// The operator's overview: is the server well, how busy is it, and what everybody is told.

import { showError } from "../game/errors.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, decimal, say } from "../lib/words.js";
import { askAction, endsField } from "./action-dialog.js";
import { asOperator, look } from "./operator.js";
import { statusOf, timeOf } from "./parts.js";

export class Overview {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.element = el("div", { class: "operator-part" });
  }

  async load() {
    const found = await look("");
    const { load } = found;
    /** @type {[string, string][]} */
    const figures = [
      [say("Version"), found.version],
      [say("Connections"), decimal(found.connections)],
      [say("Players known"), decimal(found.persons)],
      ...Object.entries(found.tables).map(([status, many]) => /** @type {[string, string]} */ ([say("Tables ({status})", { status: statusOf(status) }), decimal(Number(many))])),
      [say("Workers"), decimal(found.workers)],
      [say("Turns since startup"), decimal(load.turns)],
      [say("Time to store a turn"), load.commit_ms === null ? "–" : say("{ms} ms", { ms: decimal(load.commit_ms) })],
      [say("Load of the machine"), load.load === null ? "–" : count("{load} of {n} core", "{load} of {n} cores", load.cores, { load: decimal(load.load) })],
      [say("Bans"), decimal(found.bans)],
    ];
    fill(
      this.element,
      el("dl", { class: "figures" }, figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("strong", {}, value))))),
      el("h2", {}, say("Announcements")),
      found.announcements.length
        ? el("ul", { class: "operator-chat" }, found.announcements.map((/** @type {any} */ each) => this.announcement(each)))
        : el("p", { class: "empty" }, say("There are no announcements.")),
      el("div", { class: "acts" }, button(say("Make an announcement"), () => this.announce(), { class: "main", "data-key": "announce" })),
    );
    return found;
  }

  /** @param {{id: string, text: string, ends: number}} each */
  announcement({ id, text, ends }) {
    const end = () => asOperator("DELETE", `announcements/${id}`).then(this.ways.reload, showError);
    return el(
      "li",
      {},
      el("span", { class: "said" }, el("bdi", {}, text), " ", el("span", { class: "notes" }, say("until {time}", { time: timeOf(ends) }))),
      button(say("End now"), end, { "data-key": `end-${id}` }),
    );
  }

  announce() {
    askAction({
      title: say("Make an announcement"),
      about: say("Everybody sees it immediately, at the top of the page."),
      act: say("Announce"),
      fields: [{ name: "text", label: say("Message"), most: 500 }, endsField(24)],
      path: "announcements",
      done: this.ways.reload,
    });
  }
}
