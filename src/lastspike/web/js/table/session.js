// What a table needs from the server besides news: its figures, the beginning, the shuffle, the record.

import { showError } from "../game/errors.js";
import { Figures } from "../game/figures.js";
import { contribution, sayReady } from "../game/shuffle.js";
import { get, post, version } from "../lib/api.js";
import { settings } from "../lib/settings.js";

/** How long a game may take to begin by itself before the waiting room is shown. */
const BEGIN_MS = 4000;

export class Session {
  /**
   * @param {import("../game/model.js").Model} model
   * @param {import("../lib/connection.js").Connection} connection
   * @param {{begin: boolean, stays: () => void}} page `begin`: whether the game begins by itself; `stays`: it doesn't
   */
  constructor(model, connection, page) {
    this.model = model;
    this.connection = connection;
    this.page = page;
    /** Whether the game is about to begin by itself: then nobody needs the waiting room. */
    this.beginning = page.begin;
    this.begun = !page.begin;
    this.revealed = 0;
    this.chosen = "";
  }

  /** The figures that are played with; in the waiting room the host may choose others. */
  async readFigures() {
    const { edition, figures } = this.model.info.settings;
    const chosen = figures ? JSON.stringify(figures) : edition;
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    this.model.figures = null;
    const notRead = (/** @type {unknown} */ error) => {
      this.chosen = ""; // the next welcome tries again
      throw error;
    };
    const read = figures ?? (await get(`api/editions/${edition}`).catch(notRead));
    if (chosen === this.chosen) this.model.figures = new Figures(read);
  }

  /** @param {any} message */
  async welcomed(message) {
    const { model } = this;
    if (message.version !== version && sessionStorage.getItem("lastspike.renewed") !== message.version) {
      sessionStorage.setItem("lastspike.renewed", message.version);
      location.reload(); // the server has a newer page
      return;
    }
    if (!this.begun) {
      this.begun = true;
      if (!model.waits || !model.you.seats.length) return this.stay();
      window.setTimeout(() => this.stay(), BEGIN_MS);
      if (!(await sayReady(model, this.connection))) this.stay();
    }
  }

  /** The game doesn't begin by itself. */
  stay() {
    this.beginning = false;
    this.page.stays();
  }

  /** Reveal this browser's secret when everybody is ready. */
  answerShuffle() {
    const { model } = this;
    if (!model.info || model.info.status !== "waiting" || model.info.shuffle.reveal_by === null) return;
    const mine = contribution(model.id);
    const round = model.info.shuffle.round;
    if (this.revealed !== round && model.you.seats.length && mine && mine.round === round) {
      this.revealed = round;
      this.connection.ask({ type: "reveal", round, secret: mine.secret }).catch(showError);
    }
  }

  /** Say something; who only watches has to give a name first. Whether it was said. @param {string} text */
  async sayText(text) {
    try {
      if (!this.model.you.person) {
        const name = settings.name || (await (await import("../lib/ui/ask-name.js")).askName());
        if (!name) return false;
        await post("api/me", { name });
        this.connection.reconnect();
      }
      await this.connection.ask({ type: "say", text });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }
}
