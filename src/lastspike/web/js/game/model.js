// The state of a table as this browser knows it, from the server's messages in order.

import { same } from "../lib/same.js";
import { namesOf, SYMBOLS } from "./players.js";

/** @typedef {import("./figures.js").View} View */
/** @typedef {import("./figures.js").Figures} Figures */
/** @typedef {{number: number, turn: number, seat: number, moves: string[], level: string | null,
 *   events: any[], at: number}} Turn */

/** What a message can change; the parts of the screen name what they show.
 * @typedef {"info" | "you" | "view" | "clock" | "presence" | "turns" | "chat" | "names"} Change */

/** The fields of a message that replace a field of the model, and what is changed then.
 * @type {[string, "info" | "you" | "view" | "looking" | "clock", Change][]} */
const FIELDS = [
  ["table", "info", "info"],
  ["you", "you", "you"],
  ["view", "view", "view"],
  ["looking", "looking", "view"],
  ["clock", "clock", "clock"],
];

export class Model {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Figures | null} */
    this.figures = null;
    /** @type {any} */
    this.info = null;
    /** @type {View | null} */
    this.view = null;
    /** @type {{person: string | null, seats: number[], host: boolean}} */
    this.you = { person: null, seats: [], host: false };
    /** @type {any} */
    this.clock = null;
    /** @type {any} */
    this.presence = null;
    /** @type {number | null} */
    this.looking = null;
    /** @type {number | null} */
    this.number = null;
    /** @type {any[]} */
    this.steps = [];
    /** @type {Turn[]} */
    this.turns = [];
    /** @type {any[]} */
    this.chat = [];
    /** @type {any[]} */
    this.dealt = [];
    this.ahead = 0;
    /** @type {"open" | "lost" | "gone"} */
    this.connection = "lost";
  }

  /** Receive a message; returns the steps that are new, and what is not as it was before.
   * @param {any} message @returns {{steps: any[], changed: Set<Change>}} */
  receive(message) {
    /** @type {Set<Change>} */
    const changed = new Set();
    switch (message.type) {
      case "welcome":
        this.ahead = message.now - Date.now();
        this.replace(message, changed);
        return { steps: this.add(message.steps, changed), changed };
      case "news":
        this.replace(message, changed);
        return { steps: this.add(message.steps, changed), changed };
      case "view":
        this.replace(message, changed);
        break;
      case "refused":
        if (message.view) this.replace({ view: message.view }, changed);
        break;
      case "presence":
        if (!same(this.presence, message)) changed.add("presence");
        this.presence = message;
        break;
    }
    return { steps: [], changed };
  }

  /** @param {any} message @param {Set<Change>} changed */
  replace(message, changed) {
    for (const [from, to, change] of FIELDS) {
      if (!(from in message)) continue;
      if (!same(this[to], message[from])) changed.add(change);
      this[to] = message[from];
    }
  }

  /** @param {any[]} steps @param {Set<Change>} changed */
  add(steps, changed) {
    const fresh = steps.filter((step) => this.number === null || step.number > this.number);
    for (const step of fresh) {
      this.steps.push(step);
      this.number = step.number;
      for (const happening of step.happenings) {
        const at = step.at;
        switch (happening.kind) {
          case "turn_made":
            this.turns.push({ ...happening, number: step.number, at });
            changed.add("turns");
            break;
          case "game_started":
            this.dealt = happening.events;
            changed.add("turns");
            break;
          case "said":
            this.chat.push({ ...happening, at, number: step.number });
            changed.add("chat");
            break;
          case "person_forgotten":
            this.forget(happening.person);
            changed.add("chat").add("names");
            break;
          case "person_renamed":
            this.rename(happening);
            changed.add("chat").add("names");
            break;
          case "chat_redacted":
            this.chat = this.chat.map((line) => (line.number === happening.step ? { ...line, text: "…" } : line));
            changed.add("chat");
            break;
        }
      }
    }
    return fresh;
  }

  /** Somebody has deleted their data: what they said is gone here too. @param {string} person */
  forget(person) {
    this.chat = this.chat.map((line) => (line.person === person ? { ...line, name: SYMBOLS[line.seat] ?? "…", text: "…" } : line));
  }

  /** The operator has given somebody another name. @param {{person: string, name: string, names?: Record<string, string>}} renamed */
  rename({ person, name, names = {} }) {
    this.chat = this.chat.map((line) => (line.person === person ? { ...line, name: names[line.seat] ?? name } : line));
  }

  /** Every event of the game so far. @returns {any[]} */
  get events() {
    return [...this.dealt, ...this.turns.flatMap((turn) => turn.events)];
  }

  get names() {
    return namesOf(this.info.seats);
  }

  /** Whether there is no game to show. */
  get waits() {
    const { info, view } = this;
    return info.status === "waiting" || (info.status === "closed" && !view);
  }

  get playing() {
    return this.info?.status === "playing";
  }

  get over() {
    return this.info?.status === "over";
  }

  /** The seat that this person may play now, if it is their turn. @returns {number | null} */
  get mySeat() {
    const seat = this.view?.turn ?? null;
    if (!this.playing || seat === null || !this.you.seats.includes(seat)) return null;
    return this.info.seats[seat].level === null ? seat : null;
  }

  /** Whether the hand to play is shown, so that a turn can be composed. */
  get canPlay() {
    return this.mySeat !== null && this.looking === this.mySeat;
  }

  /** The seat whose eyes the page uses: the one looked at, or the only own one. */
  get eyes() {
    return this.looking ?? (this.you.seats.length === 1 ? this.you.seats[0] : null);
  }

  /** The seat of the viewer, who is called "you"; null for who watches, and where several people share a device. */
  get own() {
    return this.you.seats.length === 1 ? this.you.seats[0] : null;
  }

  /** Which of the turns was the viewer's own last one; -1 if they have made none. */
  get lastOwn() {
    const seat = this.eyes;
    return this.turns.findLastIndex((turn) => turn.seat === seat);
  }

  /** The turns since the viewer's own last one; none before it, nor for who only watches. */
  get sinceLast() {
    return this.lastOwn < 0 ? [] : this.turns.slice(this.lastOwn + 1);
  }

  /** The time as the server has it. */
  now() {
    return Date.now() + this.ahead;
  }
}
