// The screen of alerts: on this device, by e-mail, to webhooks; which ones and when; holidays.

import { errorText, showError } from "../game/errors.js";
import { get, post } from "../lib/api.js";
import { note } from "../lib/ui/announce.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { choicesCard } from "./choices.js";
import { holidaysCard } from "./holidays.js";
import { mailCard } from "./mail.js";
import { deviceCard } from "./push.js";
import { webhooksCard } from "./webhooks.js";

/** @typedef {{id: string, kind: "push" | "mail", address: string, confirmed: boolean, key: string}} Channel */
/** @typedef {{choices: any, channels: Channel[], holidays: {id: string, begins: number, ends: number}[], push_key: string, mail: boolean, holiday_days: number}} MyAlerts */

export class Screen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = el("div", { class: "room alerts-screen" }, el("p", { class: "loading" }, say("Loading your alerts…")));
    this.token = "";
    this.readToken();
    void this.draw();
    this.linked = () => this.readToken() && void this.draw();
    window.addEventListener("hashchange", this.linked);
  }

  close() {
    window.removeEventListener("hashchange", this.linked);
  }

  /** Take the token of a link in an e-mail out of the address; whether there was one. */
  readToken() {
    const token = /^#confirm=([\w.-]+)$/.exec(location.hash)?.[1];
    if (!token) return false;
    this.token = token;
    history.replaceState(null, "", location.pathname);
    return true;
  }

  /** Draw it again, after something has changed. */
  async draw() {
    const head = [el("h1", {}, say("Alerts")), this.token && this.confirmation()];
    try {
      const [alerts, { webhooks }] = await Promise.all([get("api/me/alerts"), get("api/webhooks")]);
      const again = () => this.draw();
      fill(
        this.element,
        ...head,
        await deviceCard(alerts, again),
        mailCard(alerts, again),
        choicesCard(alerts),
        holidaysCard(alerts, again),
        webhooksCard(webhooks, again),
        this.home(),
      );
    } catch (error) {
      const unknown = /** @type {any} */ (error).problem?.code !== "banned";
      fill(this.element, ...head, el("p", { class: "card" }, unknown ? say("Sit down at a table first. Then come back here to choose how you get alerts about your turns.") : errorText(/** @type {Error} */ (error))), this.home());
    }
  }

  /** A link in an e-mail was opened. Only the button confirms: programs open links too. */
  confirmation() {
    const confirm = async () => {
      await post("api/alerts/confirm", { token: this.token });
      this.token = "";
      note(say("Your e-mail address is confirmed."));
      await this.draw();
    };
    return el(
      "section",
      { class: "card" },
      el("h2", {}, say("Confirm your e-mail address")),
      el("p", {}, say("We’ll send alerts about your turns to this address.")),
      el("div", { class: "acts" }, button(say("Confirm"), () => confirm().catch(showError), { class: "main", "data-key": "confirm" })),
    );
  }

  home() {
    return el("div", { class: "acts" }, button(say("Home"), () => this.page.go(""), { class: "main", "data-key": "home" }));
  }
}
