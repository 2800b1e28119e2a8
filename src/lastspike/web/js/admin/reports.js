// Reports by players, with the messages around them and what the operator can do.

import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { askAction } from "./action-dialog.js";
import { look } from "./operator.js";
import { chatLines, personButton, tableButton, timeOf } from "./parts.js";
import { askBan } from "./persons.js";
import { removeButton } from "./tables.js";

export class Reports {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.settled = false;
    this.element = el("div", { class: "operator-part" });
  }

  async load() {
    const { reports } = await look("reports", { settled: String(this.settled) });
    fill(
      this.element,
      el(
        "div",
        { class: "acts" },
        [false, true].map((settled) =>
          button(settled ? say("Settled") : say("Open"), () => this.choose(settled), { "aria-pressed": settled === this.settled, "data-key": `reports-${settled}` }),
        ),
      ),
      reports.length ? reports.map((/** @type {any} */ each) => this.report(each)) : el("p", { class: "empty" }, say("There are no reports.")),
    );
  }

  /** @param {boolean} settled */
  choose(settled) {
    this.settled = settled;
    this.ways.reload();
  }

  /** @param {any} report */
  report({ id, at, table, by, about, step, reason, context, gone, settled, note }) {
    const { ways } = this;
    return el(
      "article",
      { class: "card report" },
      el("p", { class: "report-reason" }, el("bdi", {}, reason)),
      el(
        "dl",
        { class: "facts" },
        fact(say("Reported by"), personButton(by.person, by.name, ways), " ", el("span", { class: "notes" }, timeOf(at))),
        about && fact(say("About"), personButton(about.person, about.name, ways)),
        fact(say("Table"), gone ? say("deleted") : tableButton(table, ways)),
      ),
      !gone && chatLines(context, ways, { marked: step, act: (line) => line.step === step && removeButton(table, line, ways) }),
      note && el("p", {}, el("bdi", {}, note)),
      !settled &&
        el(
          "div",
          { class: "acts" },
          about && button(say("Ban…"), () => askBan(about.person, about.name, ways), { "data-key": `ban-${id}` }),
          button(say("Settle…"), () => this.settle(id), { class: "main", "data-key": `settle-${id}` }),
        ),
    );
  }

  /** @param {string} id */
  settle(id) {
    askAction({
      title: say("Settle the report"),
      act: say("Settle"),
      fields: [{ name: "note", label: say("Outcome"), optional: true }],
      path: `reports/${id}/settle`,
      done: this.ways.reload,
    });
  }
}

/** @param {string} name @param {...(Node | string)} value */
function fact(name, ...value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}
