// The chat, for players and for those who watch.

import { SYMBOLS } from "../../game/players.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { say, timeOfDay } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */

export class Chat {
  /** @param {{say: (text: string) => Promise<boolean>, report: () => void}} page */
  constructor(page) {
    this.page = page;
    this.lines = el("div", { class: "chat-lines", tabindex: "0", role: "log", "aria-live": "off", "aria-label": say("Chat") });
    this.input = /** @type {HTMLInputElement} */ (
      el("input", {
        id: "chat-text",
        maxlength: 300,
        autocomplete: "off",
        "aria-label": say("Write a message"),
        placeholder: say("Write a message"),
      })
    );
    this.form = el(
      "form",
      { class: "chat-form", onsubmit: (/** @type {Event} */ event) => this.send(event) },
      this.input,
      el("button", { type: "submit" }, say("Send")),
      button("⚑", () => page.report(), { class: "icon quiet", "aria-label": say("Report to the operator…"), "data-key": "report" }),
    );
    this.element = el("div", { class: "chat" }, this.lines, this.form);
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    if (!(await this.page.say(text))) this.input.value ||= text; // nothing that was typed is lost
  }

  /** @param {Model} model */
  update(model) {
    fill(
      this.lines,
      model.chat.length === 0 && el("p", { class: "empty" }, say("No messages yet.")),
      model.chat.map((line) =>
        el(
          "p",
          { class: line.seat === null || line.seat === undefined ? "line watcher" : `line seat-${line.seat}` },
          el("time", {}, timeOfDay(line.at)),
          " ",
          el("b", {}, line.seat === null || line.seat === undefined ? "" : `${SYMBOLS[line.seat]} `, el("bdi", {}, line.name)),
          " ",
          el("bdi", {}, line.text),
        ),
      ),
    );
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
