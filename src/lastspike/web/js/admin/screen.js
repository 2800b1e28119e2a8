// The operator's screen: asks for the key, then shows the server in tabs.

import { errorText, showError } from "../game/errors.js";
import { Refused } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { Tabs } from "../lib/ui/tabs.js";
import { say } from "../lib/words.js";
import { Audit } from "./audit.js";
import { Bans } from "./bans.js";
import { keepKey, look, operatorKey } from "./operator.js";
import { Overview } from "./overview.js";
import { Persons } from "./persons.js";
import { Reports } from "./reports.js";
import { Tables } from "./tables.js";

export class Screen {
  constructor() {
    this.element = el("div", { class: "room operator" });
    /** @type {string} */
    this.open = "overview";
    void loadStylesheet("admin.css").then(() => this.begin());
  }

  begin() {
    if (operatorKey()) void this.enter();
    else this.askKey();
  }

  /** @param {string} [wrong] why the last one was refused */
  askKey(wrong = "") {
    const field = /** @type {HTMLInputElement} */ (el("input", { id: "operator-key", type: "password", required: true, autocomplete: "off", maxlength: 200 }));
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      keepKey(field.value.trim());
      void this.enter();
    };
    fill(
      this.element,
      el("h1", {}, say("Operator")),
      el(
        "form",
        { class: "card operator-key", onsubmit: submit },
        el("label", { for: "operator-key" }, say("The operator’s key")),
        field,
        wrong && el("p", { class: "minus", role: "alert" }, wrong),
        el("p", { class: "why" }, say("Only whoever runs this server has it. It stays in this tab until you close it.")),
        el("div", { class: "acts" }, el("button", { class: "main", type: "submit" }, say("Continue"))),
      ),
    );
    field.focus();
  }

  async enter() {
    try {
      await look("");
    } catch (error) {
      keepKey("");
      this.askKey(errorText(error));
      return;
    }
    const ways = {
      table: (/** @type {string} */ id) => void this.show("tables", id),
      person: (/** @type {string} */ id) => void this.show("persons", id),
      reload: () => void this.show(this.open),
    };
    this.parts = {
      overview: new Overview(ways),
      reports: new Reports(ways),
      tables: new Tables(ways),
      persons: new Persons(ways),
      bans: new Bans(ways),
      audit: new Audit(ways),
    };
    const { overview, reports, tables, persons, bans, audit } = this.parts;
    this.tabs = new Tabs(
      say("Operator"),
      [
        { key: "overview", title: say("Overview"), part: overview.element },
        { key: "reports", title: say("Reports"), part: reports.element },
        { key: "tables", title: say("Tables"), part: tables.element },
        { key: "persons", title: say("People"), part: persons.element },
        { key: "bans", title: say("Bans"), part: bans.element },
        { key: "audit", title: say("Audit log"), part: audit.element },
      ],
      (key) => void this.show(key, ""),
    );
    fill(
      this.element,
      el("div", { class: "title" }, el("h1", {}, say("Operator")), button(say("Lock"), () => this.lock(), { class: "quiet", "data-key": "lock" })),
      el("div", { class: "operator-tabs" }, this.tabs.elements),
    );
    await this.show(this.open);
  }

  /** Open a tab and read it again. @param {string} key @param {string} [id] one table or person in it, "" for all */
  async show(key, id) {
    if (!this.parts || !this.tabs) return;
    this.open = key;
    this.tabs.open(key);
    const part = /** @type {any} */ (this.parts)[key];
    if (id !== undefined && "id" in part) part.id = id;
    try {
      const found = await part.load();
      if (key === "overview" && found.open_reports) this.tabs.markUnread("reports");
    } catch (error) {
      if (error instanceof Refused && error.problem.code === "needs_key") this.lock();
      showError(error);
    }
  }

  lock() {
    keepKey("");
    this.askKey();
  }
}
