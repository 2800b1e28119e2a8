// The bans that hold: of people, and of addresses.

import { showError } from "../game/errors.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { askAction, endsField, reasonField } from "./action-dialog.js";
import { asOperator, look } from "./operator.js";
import { factTable, personButton, timeOf } from "./parts.js";

export class Bans {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.element = el("div", { class: "operator-part" });
  }

  async load() {
    const { bans } = await look("bans");
    fill(
      this.element,
      factTable(
        say("Bans"),
        [say("Person or address"), say("Until"), say("Reason"), ""],
        bans.map((/** @type {any} */ each) => [
          each.network ?? personButton(each.person, each.name, this.ways),
          timeOf(each.ends),
          el("bdi", {}, each.reason),
          button(say("End now"), () => asOperator("DELETE", `bans/${each.id}`).then(this.ways.reload, showError), { "data-key": `end-${each.id}` }),
        ]),
        say("There are no bans."),
      ),
      el("p", { class: "why" }, say("To ban a person, find them under “People”.")),
      el("div", { class: "acts" }, button(say("Ban an address…"), () => this.ban(), { "data-key": "ban-address" })),
    );
  }

  ban() {
    askAction({
      title: say("Ban an address"),
      about: say("Everybody at this address is shut out: at a school or a club, that is everybody there."),
      act: say("Ban"),
      fields: [{ name: "network", label: say("Address or network, such as 203.0.113.0/24"), most: 60 }, reasonField(say("Reason (they will see it)")), endsField(24)],
      path: "bans",
      done: this.ways.reload,
    });
  }
}
