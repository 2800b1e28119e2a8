// While another plays in a game of days: the next game that waits for me, a nudge, and alerts on this device.

import { errorText, showError } from "../../game/errors.js";
import { levelName, LEVELS } from "../../game/levels.js";
import { get, post } from "../../lib/api.js";
import { load, save } from "../../lib/storage.js";
import { note } from "../../lib/ui/announce.js";
import { button, el, fill, pageLink } from "../../lib/ui/dom.js";
import { listed, say } from "../../lib/words.js";
import { isSlow } from "../clocks.js";

/** @typedef {import("../../game/model.js").Model} Model */

/** That the person has answered whether alerts should come to this device. */
const ASKED = "lastspike.asked-for-alerts";

/** Who else plays there. @param {{players: (string | null)[], mine: number[]}} table */
const opponents = ({ players, mine }) => players.filter((name, seat) => name && !mine.includes(seat)).map((name) => (LEVELS.includes(String(name)) ? levelName(String(name)) : String(name)));

export class Meanwhile {
  /** @param {Model} model @param {(path: string) => void} go */
  constructor(model, go) {
    this.model = model;
    this.go = go;
    this.element = el("div", { class: "meanwhile" });
    /** How many turns the person had made when the server was asked last. */
    this.made = -1;
    /** @type {{table: string, players: (string | null)[], mine: number[]} | null} */
    this.next = null;
    /** The server's key for push, where alerts could be turned on. */
    this.pushKey = "";
  }

  /** The part, brought up to date; null where nobody waits for long. */
  shown() {
    const { model } = this;
    const { kind } = model.info.settings.clock;
    const people = new Set(model.info.seats.map((/** @type {any} */ seat) => seat.person).filter(Boolean));
    if (!model.you.seats.length || people.size < 2 || kind === "live") return null;
    const made = model.turns.filter(({ seat }) => model.you.seats.includes(seat)).length;
    if (this.made !== made) {
      this.made = made;
      void this.look();
    }
    this.update();
    return this.element;
  }

  /** Ask what else there is to do. */
  async look() {
    const ask = this.made > 0 && isSlow(this.model.info.settings.clock) && !load(ASKED);
    const [{ tables }, alerts] = await Promise.all([get("api/me/tables"), ask ? get("api/me/alerts") : null]).catch(() => [{ tables: [] }, null]);
    const waiting = tables.filter((/** @type {any} */ table) => table.my_turn && table.table !== this.model.id);
    [this.next = null] = waiting.sort((/** @type {any} */ one, /** @type {any} */ other) => (one.left ?? Infinity) - (other.left ?? Infinity));
    this.pushKey = "";
    if (alerts) {
      const { pushState } = await import("../../alerts/push.js");
      if ((await pushState(alerts)) === "off") this.pushKey = alerts.push_key;
    }
    this.update();
  }

  /** Something has changed that only this part shows, such as who is here. */
  again() {
    if (this.element.isConnected) this.update();
  }

  update() {
    const { model, next } = this;
    const turn = model.view?.turn;
    const late = typeof turn === "number" && model.clock?.nudge && model.now() >= model.clock.nudge && model.presence && !model.presence.here[turn];
    fill(
      this.element,
      next && pageLink(`table/${next.table}`, this.go, { class: "button main", "data-key": "next-game" }, say("Next game waiting for you: {players}", { players: listed(opponents(next)) })),
      late && button(say("Remind {player}", { player: model.names[turn] }), () => void this.nudge(), { "data-key": "nudge" }),
      this.pushKey &&
        el(
          "div",
          { class: "acts" },
          el("span", {}, say("Want to know when it’s your turn again?")),
          button(say("Alert me on this device"), () => void this.turnOn(), { "data-key": "alerts-on" }),
          button(say("No, thanks"), () => this.answered(), { class: "quiet", "data-key": "alerts-no" }),
        ),
    );
  }

  async nudge() {
    try {
      await post(`api/tables/${this.model.id}/nudge`);
    } catch (error) {
      showError(error);
    }
  }

  async turnOn() {
    const { turnOn } = await import("../../alerts/push.js");
    try {
      if (await turnOn(this.pushKey)) note(say("You get alerts on this device, even while the page is closed."));
    } catch (error) {
      note(errorText(/** @type {Error} */ (error)), "error");
    }
    this.answered();
  }

  /** Nobody is asked twice. */
  answered() {
    save(ASKED, true);
    this.pushKey = "";
    this.update();
  }
}
