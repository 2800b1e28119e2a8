// The screen that a link in every e-mail leads to: one button ends the e-mails.

import { errorText } from "../game/errors.js";
import { post } from "../lib/api.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} token */
  constructor(page, token) {
    this.page = page;
    const text = el("p", { role: "status" }, say("If you stop them, this address will no longer get e-mail alerts about your turns."));
    const acts = el("div", { class: "acts" });
    const home = button(say("Home"), () => page.go(""), { "data-key": "home" });
    const stop = async () => {
      try {
        await post(`unsubscribe/${token}`);
        text.textContent = say("Done. This address will no longer get e-mail from us.");
        fill(acts, home);
      } catch (error) {
        text.textContent = errorText(/** @type {Error} */ (error));
      }
    };
    fill(acts, button(say("Stop these e-mails"), () => void stop(), { class: "main", "data-key": "unsubscribe" }), home);
    this.element = el("div", { class: "room" }, el("section", { class: "card" }, el("h1", {}, say("Stop these e-mails?")), text, acts));
  }
}
