// A table as this browser knows it: what the server has told, in order, and what follows from it.

import { namesOf, SYMBOLS } from "./players.js";

/** @typedef {import("./figures.js").View} View */
/** @typedef {import("./figures.js").Figures} Figures */
/** @typedef {{number: number, turn: number, seat: number, moves: string[], level: string | null,
 *   events: any[], at: number}} Turn */

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
    this.line = "lost";
  }

  /** Take a message; returns the steps that are new. @param {any} message @returns {any[]} */
  take(message) {
    switch (message.type) {
      case "welcome":
        this.ahead = message.now - Date.now();
        this.you = message.you;
        this.info = message.table;
        this.view = message.view;
        this.clock = message.clock;
        this.looking = message.looking;
        return this.add(message.steps);
      case "news":
        if ("table" in message) this.info = message.table;
        if ("you" in message) this.you = message.you;
        if ("view" in message) this.view = message.view;
        if ("looking" in message) this.looking = message.looking;
        if ("clock" in message) this.clock = message.clock;
        return this.add(message.steps);
      case "view":
        this.view = message.view;
        this.looking = message.looking;
        return [];
      case "presence":
        this.presence = message;
        return [];
      case "refused":
        if (message.view) this.view = message.view;
        return [];
      default:
        return [];
    }
  }

  /** @param {any[]} steps */
  add(steps) {
    const fresh = steps.filter((step) => this.number === null || step.number > this.number);
    for (const step of fresh) {
      this.steps.push(step);
      this.number = step.number;
      for (const happening of step.happenings) {
        const at = step.at;
        if (happening.kind === "turn_made") this.turns.push({ ...happening, number: step.number, at });
        else if (happening.kind === "said") this.chat.push({ ...happening, at });
        else if (happening.kind === "game_started") this.dealt = happening.events;
        else if (happening.kind === "person_forgotten") this.forget(happening.person);
      }
    }
    return fresh;
  }

  /** Somebody has deleted their data: what they said is gone here too. @param {string} person */
  forget(person) {
    this.chat = this.chat.map((line) => (line.person === person ? { ...line, name: SYMBOLS[line.seat] ?? "…", text: "…" } : line));
  }

  get names() {
    return namesOf(this.info.seats);
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

  /** The turns since the viewer's own last one. */
  get sinceLast() {
    const seat = this.eyes;
    const last = this.turns.findLastIndex((turn) => turn.seat === seat);
    return this.turns.slice(last + 1);
  }

  /** The time as the server has it. */
  now() {
    return Date.now() + this.ahead;
  }
}
