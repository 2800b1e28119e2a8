// The person's devices: what each is, when it was in use, and logging any of them out.

import { showError } from "../game/errors.js";
import { deleteContributions } from "../game/shuffle.js";
import { ask, get, post } from "../lib/api.js";
import { change } from "../lib/settings.js";
import { note } from "../lib/ui/announce.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { dateOf, say, timeOfDay } from "../lib/words.js";

/**
 * @typedef {object} Device
 * @property {string} id
 * @property {string} browser
 * @property {string} system
 * @property {number} first when it was first seen
 * @property {number} last when it was last seen, to ten minutes
 * @property {boolean} this
 */

const NOW_MS = 20 * 60_000;
const TODAY_MS = 20 * 3_600_000;

/** What the page shows of the person's devices. */
export class Devices {
  /** @param {string} name of the person @param {() => void} loggedOut what comes after this device is logged out */
  constructor(name, loggedOut) {
    this.name = name;
    this.loggedOut = loggedOut;
    /** @type {Device[]} */
    this.all = [];
    this.element = el("section", { class: "card devices" });
  }

  async load() {
    this.all = (await get("api/me/devices")).devices.sort((/** @type {Device} */ one, /** @type {Device} */ other) => Number(other.this) - Number(one.this));
    fill(
      this.element,
      el("h2", {}, say("Your devices")),
      el("p", {}, say("Anyone using one of these devices plays under your name. Log out any device that you don’t recognize or no longer use.")),
      el("ul", { "data-rest": true, tabindex: "-1" }, this.all.map((device) => this.line(device))),
      this.all.length > 1 && el("div", { class: "acts" }, button(say("Log out all other devices"), () => this.endOthers().catch(showError), { "data-key": "end-others" })),
    );
  }

  /** @param {Device} device */
  line(device) {
    const act = device.this ? () => this.askLogOut() : () => this.end(device).catch(showError);
    return el(
      "li",
      {},
      el("span", { class: "what" }, el("strong", {}, nameOf(device)), device.this && el("span", { class: "tag" }, say("this device"))),
      el("span", { class: "notes" }, el("span", { class: "fact" }, lastSeen(device.last)), el("span", { class: "fact" }, say("since {date}", { date: dateOf(device.first) }))),
      button(say("Log out"), act, { "aria-label": say("Log out {device}", { device: nameOf(device) }), "data-key": `end ${device.id}` }),
    );
  }

  /** @param {Device} device */
  async end(device) {
    await ask("DELETE", `api/me/devices/${device.id}`);
    await this.load();
    note(say("{device} has been logged out.", { device: nameOf(device) }));
  }

  async endOthers() {
    await ask("DELETE", "api/me/other-devices");
    await this.load();
    note(say("All other devices have been logged out."));
  }

  /** Who logs out of the only device can't come back: say so, and ask. */
  askLogOut() {
    const only = this.all.length === 1;
    const close = openDialog(say("Log out of this device?"), [
      only
        ? el("p", {}, el("strong", {}, say("This is your only device. Once you log out, you can never play as {name} again: your games can’t be opened from anywhere else.", { name: this.name })))
        : el("p", {}, say("Your games stay on your other devices. To come back here, create a personal link on one of them.")),
      only && el("p", {}, say("To keep your games, first create a personal link and open it on another device. To have everything deleted, delete your data instead.")),
      el("div", { class: "acts" }, button(say("Log out"), () => this.logOut().catch(showError).finally(() => close()), { class: only ? "danger" : "main", "data-key": "log-out" })),
    ]);
  }

  async logOut() {
    await post("api/me/log-out");
    change({ name: "" });
    deleteContributions();
    this.loggedOut();
  }
}

/** @param {Device} device */
function nameOf({ browser, system }) {
  if (browser && system) return say("{browser} on {system}", { browser, system });
  return browser || system || say("Unknown device");
}

/** @param {number} last */
function lastSeen(last) {
  const ago = Date.now() - last;
  if (ago < NOW_MS) return say("active now");
  return ago < TODAY_MS ? say("last seen at {time}", { time: timeOfDay(last) }) : say("last seen on {date}", { date: dateOf(last) });
}
