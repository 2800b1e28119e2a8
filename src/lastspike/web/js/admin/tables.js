// Tables as the operator sees them: who sits there and what they write, but no game.

import { levelName } from "../game/levels.js";
import { SYMBOLS } from "../game/players.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { choice } from "../lib/ui/choice.js";
import { say, sayAs } from "../lib/words.js";
import { askAction, reasonField } from "./action-dialog.js";
import { look } from "./operator.js";
import { chatLines, factTable, personButton, statusOf, tableList, timeOf } from "./parts.js";

const REMOVED = "…";

export class Tables {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.status = "";
    /** The one that is shown alone. */
    this.id = "";
    this.element = el("div", { class: "operator-part" });
  }

  load() {
    return this.id ? this.one(this.id) : this.all();
  }

  /** @param {number | null} before of tables changed earlier than this */
  async all(before = null) {
    const found = await look("tables", { status: this.status, before });
    const values = [["", say("All")], ...["waiting", "playing", "over", "closed"].map((each) => [each, statusOf(each)])];
    const onchange = (/** @type {string} */ value) => {
      this.status = value;
      this.ways.reload();
    };
    fill(
      this.element,
      choice({ id: "operator-status", title: say("Status"), value: this.status, values, key: "status", onchange }).row,
      tableList(found.tables, this.ways),
      found.before && el("div", { class: "acts" }, button(say("Show earlier ones"), () => void this.all(found.before), { "data-key": "earlier" })),
    );
  }

  /** @param {string} id */
  async one(id) {
    const found = await look(`tables/${id}`);
    const { ways } = this;
    const over = found.status === "over" || found.status === "closed";
    fill(
      this.element,
      button(say("All tables"), () => this.back(), { class: "quiet", "data-key": "back" }),
      el("h2", {}, say("Table {id}", { id: id.slice(0, 6) })),
      el("p", { class: "notes" }, el("span", { class: "fact" }, statusOf(found.status)), el("span", { class: "fact" }, say("created {time}", { time: timeOf(found.created) })), el("span", { class: "fact" }, el("code", {}, id))),
      factTable(
        say("People"),
        [say("Seat"), say("Person"), say("Connected from")],
        found.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => [
          SYMBOLS[number],
          seat.person ? personButton(seat.person, seat.name, ways) : seat.name ?? (seat.level ? levelName(seat.level) : "–"),
          addressesOf(found.connections.filter((/** @type {any} */ each) => seat.person && each.person === seat.person)),
        ]),
        "",
      ),
      el("h3", {}, say("Chat")),
      chatLines(found.chat, ways, { act: (line) => removeButton(id, line, ways) }),
      el(
        "div",
        { class: "acts" },
        !over && button(say("Close the table…"), () => this.close(id), { "data-key": "close-table" }),
        button(say("Delete the table…"), () => this.delete(id), { class: "danger", "data-key": "delete-table" }),
      ),
    );
  }

  back() {
    this.id = "";
    this.ways.reload();
  }

  /** @param {string} id */
  close(id) {
    askAction({
      title: say("Close the table?"),
      about: say("A game in progress ends without a result. Everybody at the table sees that you closed it."),
      act: say("Close the table"),
      fields: [reasonField()],
      path: `tables/${id}/close`,
      done: this.ways.reload,
    });
  }

  /** @param {string} id */
  delete(id) {
    askAction({
      title: say("Delete the table?"),
      about: say("The game, its chat and its reviews are gone for everybody. You can’t undo this."),
      act: say("Delete forever"),
      fields: [reasonField()],
      path: `tables/${id}/delete`,
      done: () => this.back(),
    });
  }
}

/** @param {any[]} connections */
function addressesOf(connections) {
  return [...new Set(connections.map(({ address }) => address))].join(" ") || "–";
}

/** @param {string} table @param {import("./operator.js").Line} line @param {import("./parts.js").Ways} ways */
export function removeButton(table, line, ways) {
  if (line.text === REMOVED) return false;
  const remove = () =>
    askAction({
      title: say("Remove this message?"),
      about: line.text,
      act: sayAs("a message", "Remove"),
      fields: [reasonField()],
      path: `tables/${table}/redact`,
      more: { step: line.step },
      done: ways.reload,
    });
  return button(say("Remove…"), remove, { "data-key": `remove-${line.step}` });
}
