// People as the operator sees them: find, rename, ban, erase.

import { button, el, fill } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";
import { askAction, endsField, reasonField } from "./action-dialog.js";
import { look } from "./operator.js";
import { factTable, personButton, tableList, timeOf } from "./parts.js";

export class Persons {
  /** @param {import("./parts.js").Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.wanted = "";
    /** The one who is shown alone. */
    this.id = "";
    this.element = el("div", { class: "operator-part" });
  }

  load() {
    return this.id ? this.one(this.id) : this.all();
  }

  async all() {
    const { persons } = await look("persons", { name: this.wanted });
    const field = /** @type {HTMLInputElement} */ (el("input", { id: "operator-name", type: "search", value: this.wanted, "data-key": "wanted", autocomplete: "off" }));
    const search = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.wanted = field.value.trim();
      this.ways.reload();
    };
    fill(
      this.element,
      el("form", { class: "operator-search", role: "search", onsubmit: search }, el("label", { for: "operator-name" }, say("Name or id")), field, el("button", { type: "submit" }, say("Search"))),
      factTable(
        say("People"),
        [say("Name"), say("Tables"), say("Connections"), say("Since"), say("Banned until")],
        persons.map((/** @type {import("./operator.js").PersonKept} */ each) => [
          personButton(each.person, each.name, this.ways),
          String(each.tables),
          String(each.connections),
          timeOf(each.created),
          each.banned ? timeOf(each.banned) : "–",
        ]),
        say("Nobody found."),
      ),
    );
  }

  /** @param {string} id */
  async one(id) {
    const { about, tables, addresses } = await look(`persons/${id}`);
    const { ways } = this;
    fill(
      this.element,
      button(say("All people"), () => this.back(), { class: "quiet", "data-key": "back" }),
      el("h2", {}, el("bdi", {}, about.name)),
      el(
        "p",
        { class: "notes" },
        el("span", { class: "fact" }, say("since {time}", { time: timeOf(about.created) })),
        el("span", { class: "fact" }, count("{n} device", "{n} devices", about.devices)),
        about.banned && el("span", { class: "fact" }, say("banned until {time}", { time: timeOf(about.banned) })),
        addresses.length > 0 && el("span", { class: "fact" }, say("connected from {address}", { address: addresses.join(" ") })),
        el("span", { class: "fact" }, el("code", {}, id)),
      ),
      tableList(tables, ways),
      el(
        "div",
        { class: "acts" },
        button(say("Rename…"), () => this.rename(id, about.name), { "data-key": "rename" }),
        button(say("Ban…"), () => askBan(id, about.name, ways), { "data-key": "ban" }),
        button(say("Erase…"), () => this.erase(id, about.name), { class: "danger", "data-key": "erase" }),
      ),
    );
  }

  back() {
    this.id = "";
    this.ways.reload();
  }

  /** @param {string} id @param {string} name */
  rename(id, name) {
    askAction({
      title: say("Rename {name}", { name }),
      about: say("The old name disappears from all tables, for everybody."),
      act: say("Rename"),
      fields: [{ name: "name", label: say("New name"), most: 24 }, reasonField()],
      path: `persons/${id}/rename`,
      done: this.ways.reload,
    });
  }

  /** @param {string} id @param {string} name */
  erase(id, name) {
    askAction({
      title: say("Erase {name}?", { name }),
      about: say("Their name and messages disappear for everybody, and their devices are logged out. You can’t undo this."),
      act: say("Delete forever"),
      fields: [reasonField()],
      path: `persons/${id}/erase`,
      done: () => this.back(),
    });
  }
}

/** @param {string} person @param {string | null} name @param {import("./parts.js").Ways} ways */
export function askBan(person, name, ways) {
  askAction({
    title: say("Ban {name}", { name: name ?? person }),
    about: say("They are disconnected at once, and computers play for them. They see the reason, when the ban ends, and how to contact you."),
    act: say("Ban"),
    fields: [reasonField(say("Reason (they will see it)")), endsField(168)],
    path: "bans",
    more: { person },
    done: ways.reload,
  });
}
