// The audit log: what the operator did, and what happened to people’s devices.

import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { look } from "./operator.js";
import { factTable, personButton, tableButton, timeOf } from "./parts.js";

const PAGE = 100;

export class Audit {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.element = el("div", { class: "operator-part" });
  }

  /** @param {string | null} before the id of the event after those to show */
  async load(before = null) {
    const { events } = await look("audit", { before });
    const { ways } = this;
    fill(
      this.element,
      factTable(
        say("Audit log"),
        [say("Time"), say("Who"), say("Event"), say("Table"), say("Person"), say("Details")],
        events.map((/** @type {any} */ each) => [
          timeOf(each.at),
          whoOf(each.who),
          eventOf(each.what),
          each.table ? tableButton(each.table, ways) : "–",
          each.person && each.person !== "erased" ? personButton(each.person, each.person, ways) : "–",
          el("span", { class: "details" }, detailsOf(each.detail)),
        ]),
        say("There are no events."),
      ),
      events.length === PAGE && el("div", { class: "acts" }, button(say("Show earlier ones"), () => void this.load(events[PAGE - 1].id), { "data-key": "earlier" })),
    );
  }
}

/** @param {Record<string, unknown>} detail */
function detailsOf(detail) {
  /** @type {Record<string, string>} */
  const known = {
    address: say("Address"),
    name: say("New name"),
    network: say("Address"),
    note: say("Outcome"),
    reason: say("Reason"),
    step: say("Step"),
    text: say("Message"),
    until: say("Until"),
  };
  const told = Object.entries(detail).map(([name, value]) => say("{name}: {text}", { name: known[name] ?? name, text: name === "until" ? timeOf(Number(value)) : value }));
  return told.join(" · ") || "–";
}

/** @param {string} who */
function whoOf(who) {
  switch (who) {
    case "operator":
      return say("operator");
    case "system":
      return say("server");
    case "anybody":
      return say("unknown");
    case "erased":
      return say("erased");
    default:
      return who;
  }
}

/** @param {string} what */
function eventOf(what) {
  /** @type {Record<string, string>} */
  const known = {
    operator_key_wrong: say("wrong operator’s key"),
    table_closed: say("table closed"),
    table_deleted: say("table deleted"),
    person_renamed: say("person renamed"),
    person_erased: say("person erased"),
    chat_redacted: say("message removed"),
    banned: say("ban"),
    ban_ended: say("ban ended"),
    announced: say("announcement"),
    announcement_ended: say("announcement ended"),
    report_settled: say("report settled"),
    link_made: say("personal link created"),
    link_failed: say("personal link refused"),
    device_added: say("device added"),
    device_ended: say("device logged out"),
    other_devices_ended: say("other devices logged out"),
    logged_out: say("logged out"),
  };
  return known[what] ?? what;
}
