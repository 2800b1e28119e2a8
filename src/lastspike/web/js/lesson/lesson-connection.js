// A connection that answers as a table would, from the prepared game of a lesson.

import { Connection } from "../lib/connection.js";

/** @typedef {{seat: number, moves: string[], previews: any[], news: any}} LessonTurn */
/** @typedef {{welcome: any, turns: LessonTurn[]}} Lesson */

/** What the learner wanted is not what the lesson is about just now. */
export class NotNow extends Error {}

export class LessonConnection extends Connection {
  /** @param {import("../lib/connection.js").Listeners} listeners */
  constructor(listeners) {
    super(null, listeners);
    /** @type {LessonTurn[]} */
    this.turns = [];
    this.made = 0;
  }

  /** Begin after a number of turns; returns the welcome to the table at that point.
   * @param {Lesson} lesson @param {number} made */
  begin({ welcome, turns }, made) {
    this.turns = turns;
    this.made = made;
    const done = turns.slice(0, made).map((turn) => turn.news);
    return {
      ...welcome,
      steps: [...welcome.steps, ...done.flatMap((news) => news.steps)],
      view: done.at(-1)?.view ?? welcome.view,
    };
  }

  /** The turn that is to be made. @returns {LessonTurn | undefined} */
  get due() {
    return this.turns[this.made];
  }

  /** Make the turn that is due. */
  advance() {
    const { due } = this;
    if (!due) return;
    this.made += 1;
    this.listeners.onMessage(due.news);
  }

  /** @param {any} message @returns {Promise<any>} */
  async ask(message) {
    const { due } = this;
    const moves = message.moves ?? [];
    const along = due !== undefined && moves.every((/** @type {string} */ move, /** @type {number} */ n) => move === due.moves[n]);
    if (!along) throw new NotNow();
    switch (message.type) {
      case "preview":
        return due.previews[moves.length - 1];
      case "hint":
        return { moves: due.moves.slice(moves.length), words: [] };
      case "turn":
        if (moves.length < due.moves.length) throw new NotNow();
        this.advance();
        return {};
      default:
        throw new NotNow();
    }
  }
}
