// The screen of a table: the waiting room before the game, then map, hand, players, log and chat.

import { showError } from "../game/errors.js";
import { Model } from "../game/model.js";
import { tableAfter } from "../game/past-table.js";
import { Teller } from "../game/teller.js";
import { get } from "../lib/api.js";
import { Connection, LOGGED_OUT } from "../lib/connection.js";
import { openDialog } from "../lib/ui/dialog.js";
import { el, fill } from "../lib/ui/dom.js";
import { listen } from "../lib/ui/keys.js";
import { showNotices } from "../lib/ui/notices.js";
import { say, spoken } from "../lib/words.js";
import { playSound } from "../lib/ui/sounds.js";
import { flyPayouts } from "./motion/money-flight.js";
import { Playout } from "./motion/playout.js";
import { Notifications } from "./notifications.js";
import { shownOnMap } from "./on-the-map.js";
import { buildParts } from "./parts.js";
import { EVERYTHING, redraw, WAITING_ROOM_SHOWS } from "./redraw.js";
import { Session } from "./session.js";
import { tableShortcuts } from "./shortcuts.js";
import { summaryLines } from "./side/log.js";

/** @typedef {import("../game/figures.js").Figures} Figures */

/** Why a connection was closed for good. */
const DELETED = 4007;
const BANNED = 4009;

export class TableScreen {
  /**
   * @param {string} id
   * @param {{go: (path: string) => void, begin: boolean, record?: any, told?: any,
   *   connect?: (listeners: import("../lib/connection.js").Listeners) => Connection}} page `told` is the welcome
   *   to a finished game that needs no connection, `record` its record; `connect` makes another connection
   */
  constructor(id, page) {
    this.page = page;
    this.model = new Model(id);
    this.element = el("div", { class: "table-screen" }, el("p", { class: "loading" }, say("Loading the table…")));
    /** What has changed since the screen was drawn. @type {Set<import("./redraw.js").Shown>} */
    this.changed = new Set();
    /** The table as the board shows it, now or at an earlier turn. @type {import("../game/figures.js").View | null} */
    this.then = null;
    /** Whether the board shows an earlier turn of a finished game, with its hands. */
    this.back = false;
    /** The record of a game that is over, with all that was hidden in it. @type {any} */
    this.record = page.record ?? null;
    /** @type {import("../lib/connection.js").Listeners} */
    const listeners = {
      onMessage: (message) => void this.receive(message),
      onState: (state, code) => this.connectionChanged(state, code),
      onLate: (late) => this.lateChanged(late),
      have: () => this.model.number,
      language: spoken,
    };
    this.connection = page.connect ? page.connect(listeners) : new Connection(page.told ? null : id, listeners);
    this.session = new Session(this.model, this.connection, { begin: page.begin, stays: () => this.stays() });
    /** @type {import("./parts.js").Parts | null} */
    this.parts = null;
    /** @type {import("./waiting-room.js").WaitingRoom | null} */
    this.waitingRoom = null;
    this.notifications = new Notifications(this.model, {
      teller: () => this.teller(),
      unread: () => this.parts?.tabs.markUnread("chat") ?? false,
    });
    this.playout = new Playout(this.model, {
      advanced: () => this.redraw("played"),
      perform: (turn) => this.perform(turn),
      settled: () => this.model.over && this.redraw("played"),
      paced: () => this.paced,
    });
    this.ticker = window.setInterval(() => this.parts?.players.tick(this.model), 500);
    this.stopListening = listen(() => this.shortcuts());
    if (page.told) {
      this.model.connection = "open";
      void this.receive(page.told);
    }
  }

  close() {
    window.clearInterval(this.ticker);
    this.parts?.replay.stop();
    void this.parts?.end()?.then((end) => end.close());
    this.connection.close();
    this.stopListening();
    this.notifications.close();
    this.playout.close();
  }

  /** Whether the others' turns wait for one another. */
  get paced() {
    return true;
  }

  /** Whether the end of the game is shown: after what happened last. */
  get over() {
    return this.model.over && !this.playout.busy;
  }

  teller() {
    return new Teller(/** @type {Figures} */ (this.model.figures), this.model.names, this.model.own);
  }

  /** @param {any} message */
  async receive(message) {
    if (message.type === "announced") return showNotices(message.announcements);
    const before = this.model.turns.length;
    const { steps, changed } = this.model.receive(message);
    this.playout.arrived(before, message.type === "news");
    for (const each of changed) this.changed.add(each);
    if (message.type === "welcome" || changed.has("info")) await this.session.readFigures();
    if (message.type === "welcome") await this.session.welcomed(message);
    this.session.answerShuffle();
    if (!this.model.figures) return;
    this.show();
    this.notifications.receive(message.type === "news" ? steps : []);
    this.playout.begin();
  }

  /** The game doesn't begin by itself. */
  stays() {
    if (this.model.waits && this.model.figures) this.show();
  }

  /** @param {"open" | "lost" | "gone"} state @param {number} [code] why the connection is gone */
  connectionChanged(state, code) {
    this.model.connection = state;
    this.element.classList.toggle("lost", state === "lost");
    if (state === "gone" && code === BANNED) void get("api/me/tables").catch(() => {}); // which says why
    else if (state === "gone") void import("../lib/ui/missing.js").then(({ loggedOut, missingTable }) => fill(this.element, code === LOGGED_OUT ? loggedOut(this.page.go) : missingTable(this.page.go, code === DELETED)));
    else this.updateBanner();
  }

  /** What was asked last is still on its way. @param {boolean} late */
  lateChanged(late) {
    this.element.classList.toggle("late", late);
    this.updateBanner();
  }

  updateBanner() {
    const banner = this.parts?.banner;
    if (!banner) return;
    banner.hidden = this.model.connection === "open";
    const late = this.element.classList.contains("late");
    banner.textContent = late ? say("Connection lost. Your last action is saved and will be sent when you reconnect.") : say("Connection lost. Reconnecting…");
  }

  /** Redraw what has changed. */
  show() {
    const { model } = this;
    if (model.waits) {
      this.parts = null;
      if (!this.session.beginning || model.info.status === "closed") void this.showRoom();
      return;
    }
    if (!this.parts) {
      this.parts = this.build();
      fill(this.element, this.parts.whole);
      window.scrollTo(0, 0); // the waiting room may have been scrolled
      this.updateBanner();
      this.changed = new Set(EVERYTHING);
    }
    this.update();
  }

  async showRoom() {
    const { WaitingRoom } = await import("./waiting-room.js");
    if (!this.model.waits) return; // the game has begun meanwhile
    this.waitingRoom ??= new WaitingRoom(this.model, this.connection);
    if (this.waitingRoom.element.parentNode !== this.element) {
      fill(this.element, this.waitingRoom.element);
      this.changed = new Set(EVERYTHING);
    }
    if (WAITING_ROOM_SHOWS.some((each) => this.changed.has(each))) this.waitingRoom.update();
    this.changed.clear();
  }

  build() {
    const parts = buildParts(this);
    this.parts = parts;
    this.openTab(parts.firstTab);
    return parts;
  }

  shortcuts() {
    return tableShortcuts(this);
  }

  async menu() {
    const { openMenu } = await import("./menu.js");
    openMenu(this.model, { go: this.page.go, failed: showError });
  }

  /** Why a turn can't be composed or ended so. @param {Error} error */
  failed(error) {
    showError(error);
  }

  since() {
    this.playout.finish();
    const turns = this.model.sinceLast;
    const teller = this.teller();
    openDialog(say("Since your last turn"), [
      turns.length
        ? el("ul", { class: "since" }, turns.map((turn) => el("li", { class: `seat-${turn.seat}` }, summaryLines(teller, turn.seat, turn.events))))
        : el("p", {}, say("Nothing has happened since your last turn.")),
    ]);
  }

  /** @param {string} key @param {boolean} [enter] */
  openTab(key, enter = false) {
    if (!this.parts) return;
    const { tabs, land } = this.parts;
    tabs.open(key, enter);
    land.update(this.model, this.teller(), this.then ?? this.model.view);
  }

  /** @param {string} tile */
  async chooseTile(tile) {
    const composer = this.parts?.composer;
    if (!composer || !this.model.canPlay) return;
    const mine = this.model.view?.hands[/** @type {number} */ (this.model.looking)] ?? [];
    if (!mine.includes(tile)) return;
    if (this.parts && this.parts.replay.shown !== null) this.parts.replay.now(); // whoever plays looks at the board as it is
    await composer.choose(tile);
  }

  /** Buy land where the map offers it, or sell the dearest card there. @param {string} code */
  chooseCity(code) {
    const { composer } = this.parts ?? {};
    const [sale] = composer?.legal.filter((move) => move.slice(0, -1) === `-${code}`).sort().reverse() ?? [];
    void composer?.add(sale ?? `+${code}`);
  }

  /** @param {import("./redraw.js").Shown} changed */
  redraw(changed) {
    this.changed.add(changed);
    this.update();
  }

  /** Redraw the parts of the table that show something changed. */
  update() {
    const { model, parts, changed } = this;
    const { view } = model;
    if (!parts || !view) return;
    this.changed = new Set();
    const dealt = model.dealt.length > 0;
    redraw(changed, {
      board: () => this.updateBoard(),
      composer: () => parts.composer.refresh(),
      hand: () => parts.hand.update(model, parts.composer.tile, model.canPlay ? view.legal : [], parts.composer.hint?.moves ?? []),
      pastHands: () => parts.pastHands.update(this.board, parts.replay.shown ?? 0, this.back),
      replay: () => {
        parts.replay.update();
        parts.whole.classList.toggle("past", parts.replay.shown !== null && parts.replay.shown < model.turns.length);
      },
      map: () => {
        parts.map.update(this.board, shownOnMap(model, parts, this.board, this.playout));
        parts.map.lookAt(parts.composer.tile);
      },
      players: () => parts.players.update(model, model.info.status === "closed" ? { ...this.board, turn: null } : this.board, parts.replay.shown === null),
      clocks: () => parts.players.tick(model),
      meanwhile: () => parts.meanwhile.again(),
      log: () => {
        parts.log.update(model, this.teller(), this.playout.played, changed.has("names"));
        parts.log.mark(parts.replay.shown, dealt);
      },
      land: () => parts.land.update(model, this.teller(), this.board),
      chat: () => parts.chat.update(model),
      curtain: () => void parts.tray.classList.toggle("closed", parts.curtain.update(model)),
      status: () => parts.status.update(this.board, /** @type {Figures} */ (model.figures), model.over && this.board === view),
      caption: () => parts.caption.update(this.captioned, this.teller(), this.playout.behind, changed.has("names")),
      end: () => {
        if (changed.has("names")) void parts.end()?.then((end) => end.clear());
        if (this.over) this.finish();
      },
    });
  }

  /** The table as the board shows it. */
  get board() {
    return /** @type {import("../game/figures.js").View} */ (this.then ?? this.model.view);
  }

  /** Find out which table the board shows: as it is, after the turns played out so far, or after an earlier one. */
  updateBoard() {
    const { model, parts, record, playout } = this;
    const view = /** @type {import("../game/figures.js").View} */ (model.view);
    const shown = parts?.replay.shown ?? null;
    const after = (/** @type {number} */ turns, /** @type {any} */ known) => tableAfter(/** @type {Figures} */ (model.figures), view, model.dealt, model.turns.slice(0, turns), known);
    this.back = model.over && shown !== null && record !== null;
    if (shown !== null && parts) this.then = parts.pastHands.seen(after(shown, model.over ? record : null));
    else this.then = playout.behind ? { ...after(playout.played, null), seat: view.seat, hands: view.hands, turn: model.turns[playout.played].seat } : view;
  }

  /** The turn that the board shows last, while nothing is being composed. */
  get captioned() {
    const { model, parts, playout } = this;
    const shown = parts?.replay.shown ?? null;
    if (parts?.composer.moves.length || (shown === null && this.over)) return null;
    return model.turns[(shown ?? playout.played) - 1] ?? null;
  }

  /** The turns since the viewer's own last one, as far as the board shows them. */
  get sinceLast() {
    return this.playout.sinceLast;
  }

  /** The board shows an earlier turn, or the table as it is. */
  pastChanged() {
    this.playout.finish();
    this.redraw("past");
    if (this.parts && this.parts.replay.shown !== null) this.parts.map.element.parentElement?.scrollIntoView({ block: "nearest" }); // a phone may have been scrolled to the log
  }

  /** Show what happens in a turn: the last spike, finished routes, payouts; with its sound. @param {import("../game/model.js").Turn} turn */
  perform({ events }) {
    const { parts } = this;
    if (!parts) return Promise.resolve();
    const has = (/** @type {string} */ kind) => events.some(({ event }) => event === kind);
    const driven = events.find(({ event }) => event === "last_spike");
    if (driven) void import("../map/last-spike.js").then(({ celebrate }) => celebrate(parts.map, driven.tile, this.teller().sentences(driven)[0]));
    for (const { event, route } of events) if (event === "route_finished") parts.map.light(route);
    playSound(driven ? "spike" : has("payout") ? "pay" : "lay");
    return flyPayouts(parts.whole, events);
  }

  /** The game is over. */
  finish() {
    const { parts } = this;
    if (!parts) return;
    parts.tray.hidden = true;
    void this.loadRecord();
    this.lookBack();
    void parts.loadEnd().then((end) => end.update(!this.back), showError);
  }

  /** Other ways on at the end than those of every game: a lesson has some. @returns {HTMLElement | null} */
  waysOn() {
    return null;
  }

  /** A link may lead to the board after one of the turns: `#turn=12`. */
  lookBack() {
    const turn = /^#turn=(\d+)$/.exec(location.hash);
    if (!turn || !this.parts) return;
    history.replaceState(history.state, "", location.pathname);
    this.parts.replay.to(Number(turn[1]));
  }

  /** Everything that was hidden may be seen once the game is over. */
  async loadRecord() {
    if (this.record || !this.model.id) return;
    this.record = await get(`api/tables/${this.model.id}/record`).catch(() => null);
    if (this.record) this.redraw("record");
  }

  async picture() {
    const { model, parts } = this;
    if (!parts) return;
    const [{ takePicture }, { resultOf }] = await Promise.all([import("./replay/picture.js"), import("./end/result.js")]);
    const turns = parts.replay.shown ?? model.turns.length;
    const result = turns === model.turns.length ? resultOf(model) : null;
    await takePicture(parts.map, `last-spike-${turns}`, result).catch(showError);
  }
}
