// A table: the waiting room before the game, then map, hand, players and what is told of it.

import { announce } from "../lib/ui/announce.js";
import { get, post, version } from "../lib/api.js";
import { show } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { Figures } from "../game/figures.js";
import { listen } from "../lib/ui/keys.js";
import { Line } from "../lib/connection.js";
import { Model } from "../game/model.js";
import { Chat } from "./side/chat.js";
import { Composer } from "./turn/composer.js";
import { Curtain } from "./turn/curtain.js";
import { Finale } from "./final-scores.js";
import { Hand } from "./turn/hand.js";
import { Land } from "./side/land.js";
import { Log } from "./side/log.js";
import { LookBack } from "./replay/past-hands.js";
import { Map1869 } from "../map/map.js";
import { openMenu } from "./menu.js";
import { News } from "./notifications.js";
import { Players } from "./side/player-list.js";
import { Replay } from "./replay/replay.js";
import { celebrate } from "../map/last-spike.js";
import { Tabs } from "../lib/ui/tabs.js";
import { TextBoard } from "./side/text-board.js";
import { tableAfter } from "../game/past-table.js";
import { settings } from "../lib/settings.js";
import { part } from "../game/shuffle.js";
import { Teller } from "../game/teller.js";
import { count, say, spoken } from "../lib/words.js";
import { Room, askName, failed } from "./waiting-room.js";

export class TableScreen {
  /**
   * @param {string} id
   * @param {{go: (path: string) => void, begin: boolean, record?: any, told?: any,
   *   line?: (listeners: import("../lib/connection.js").Listeners) => Line}} page `told` is a finished game
   *   that needs no line to the server, `record` its record; `line` makes another line than that
   */
  constructor(id, page) {
    this.page = page;
    this.model = new Model(id);
    this.element = el("div", { class: "table-screen" }, el("p", { class: "loading" }, say("Opening the table …")));
    this.begun = !page.begin;
    this.revealed = 0;
    /** The table as it is shown: as it is, or as it was. @type {import("../game/figures.js").View | null} */
    this.then = null;
    /** The record of a game that is over, with all that was hidden in it. @type {any} */
    this.record = page.record ?? null;
    this.chosen = "";
    /** @type {import("../lib/connection.js").Listeners} */
    const listeners = {
      onMessage: (message) => void this.take(message),
      onState: (state) => this.lineChanged(state),
      have: () => this.model.number,
      language: spoken,
    };
    this.line = page.line ? page.line(listeners) : new Line(page.told ? null : id, listeners);
    /** @type {ReturnType<TableScreen["build"]> | null} */
    this.parts = null;
    this.room = new Room(this.model, this.line);
    this.news = new News(this.model, {
      teller: () => this.teller(),
      spike: (tile, text) => this.parts && celebrate(this.parts.map, tile, text),
      unread: () => this.parts?.tabs.markUnread("chat") ?? false,
    });
    this.ticker = window.setInterval(() => this.parts?.players.tick(this.model), 500);
    this.deaf = listen(() => this.shortcuts());
    if (page.told) {
      this.model.line = "open";
      void this.take(page.told);
    }
  }

  close() {
    window.clearInterval(this.ticker);
    this.parts?.replay.stop();
    this.line.close();
    this.deaf();
    this.news.close();
  }

  teller() {
    return new Teller(/** @type {Figures} */ (this.model.figures), this.model.names);
  }

  /** @param {any} message */
  async take(message) {
    const fresh = this.model.take(message);
    if ("table" in message) await this.readFigures();
    if (message.type === "welcome") await this.welcomed(message);
    this.answerShuffle();
    if (!this.model.figures) return;
    if (fresh.some((step) => step.happenings.some((/** @type {any} */ each) => each.kind === "person_forgotten"))) this.drawNamesAnew();
    this.show();
    if (message.type === "news") this.news.tell(fresh);
  }

  /** The figures that are played with; in the waiting room the host may choose others. */
  async readFigures() {
    const { edition, figures } = this.model.info.settings;
    const chosen = figures ? JSON.stringify(figures) : edition;
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    this.model.figures = null;
    const failed = (/** @type {unknown} */ error) => {
      this.chosen = ""; // the next welcome tries again
      throw error;
    };
    const read = figures ?? (await get(`api/editions/${edition}`).catch(failed));
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
    if (!this.begun && model.info.status === "waiting" && model.you.seats.length) {
      this.begun = true;
      await this.room.ready();
    }
  }

  /** Reveal this browser's secret when everybody is ready. */
  answerShuffle() {
    const { model } = this;
    if (!model.info || model.info.status !== "waiting" || model.info.shuffle.reveal_by === null) return;
    const mine = part(model.id);
    const round = model.info.shuffle.round;
    if (this.revealed !== round && model.you.seats.length && mine && mine.round === round) {
      this.revealed = round;
      this.line.ask({ type: "reveal", round, secret: mine.secret }).catch(failed);
    }
  }

  /** @param {"open" | "lost" | "gone"} state */
  lineChanged(state) {
    this.model.line = state;
    this.element.classList.toggle("lost", state === "lost");
    if (state === "gone") fill(this.element, el("p", { class: "loading" }, say("There is no such table.")), button(say("Home"), () => this.page.go("")));
    else this.updateLine();
  }

  updateLine() {
    const banner = this.parts?.banner;
    if (banner) banner.hidden = this.model.line === "open";
  }

  show() {
    const { model } = this;
    if (model.info.status === "waiting" || (model.info.status === "closed" && !model.view)) {
      this.parts = null;
      if (this.room.element.parentNode !== this.element) fill(this.element, this.room.element);
      this.room.update();
      return;
    }
    if (!this.parts) {
      this.parts = this.build();
      fill(this.element, this.parts.whole);
      this.updateLine();
    }
    this.update();
  }

  /** Somebody has no name any more. */
  drawNamesAnew() {
    if (!this.parts) return;
    this.parts.log.shown = -1;
    this.parts.chat.shown = -1;
    this.parts.finale.drawAnew();
  }

  build() {
    const { model, line } = this;
    const figures = /** @type {Figures} */ (model.figures);
    const page = {
      go: this.page.go,
      changed: () => this.update(),
      told: (/** @type {string} */ text) => announce(text),
      failed: (/** @type {Error} */ error) => this.failed(error),
      since: () => this.since(),
      home: () => this.page.go(""),
      teller: () => this.teller(),
      onTile: (/** @type {string} */ tile) => void this.chooseTile(tile),
      record: () => this.record,
      replay: () => replay.again(),
      picture: () => void this.picture(),
      scores: () => replay.now(),
    };
    const composer = new Composer(model, line, page);
    const hand = new Hand(page);
    const players = new Players({ onPlayer: () => this.openTab("land") });
    const map = new Map1869(figures, { onTile: page.onTile, onCity: (code) => this.openCity(code) });
    map.again = () => this.update();
    const replay = new Replay(model, page);
    const lookback = new LookBack(model, page);
    const log = new Log({ onTurn: (turns) => replay.to(turns) });
    const land = new Land();
    const chat = new Chat({ say: (text) => this.sayText(text) });
    const text = new TextBoard(model, composer, page.teller);
    const banner = el("p", { class: "line-banner", role: "status", hidden: true }, say("The connection is lost; trying again …"));
    const tabs = new Tabs(
      say("About the game"),
      [
        { key: "log", title: say("Log"), part: log.element },
        { key: "land", title: say("Land"), part: land.element },
        { key: "chat", title: say("Chat"), part: chat.element },
        { key: "text", title: say("Text"), part: text.element },
      ],
      (key) => this.openTab(key),
    );
    const status = el("p", { class: "table-status" });
    const curtain = new Curtain({ look: (seat) => line.send({ type: "look", seat }) });
    const finale = new Finale(model, page);
    const mapBox = el(
      "section",
      { class: "map-box", "aria-label": say("Map") },
      map.element,
      replay.element,
      status,
      el(
        "div",
        { class: "zoom" },
        button("+", () => map.zoom.by(1.4), { "aria-label": say("Nearer"), "data-key": "nearer" }),
        button("−", () => map.zoom.by(1 / 1.4), { "aria-label": say("Farther"), "data-key": "farther" }),
        button("⤢", () => map.zoom.all(), { "aria-label": say("Whole map"), "data-key": "all" }),
        button("☰", () => this.menu(), { "aria-label": say("This table"), "data-key": "menu" }),
      ),
    );
    const side = el("aside", { class: "side" }, players.element, tabs.elements);
    const tray = el("section", { class: "tray", "aria-label": say("Your hand and turn") }, curtain.element, hand.element, composer.element);
    const whole = el("div", { class: "table" }, el("h1", { class: "unseen" }, "The Last Spike"), banner, mapBox, side, tray, finale.element, lookback.element);
    const parts = { whole, composer, hand, players, map, replay, lookback, log, land, chat, text, tabs, banner, status, curtain, finale, tray };
    this.parts = parts;
    this.openTab(settings.text === "on" ? "text" : "log");
    return parts;
  }

  /** @returns {import("../lib/ui/keys.js").Shortcut[]} */
  shortcuts() {
    const { parts, model } = this;
    if (!parts) return [];
    const hand = model.looking === null ? [] : (model.view?.hands[model.looking] ?? []);
    return [
      { keys: hand.map((_, n) => n + 1).join(" ") || "1", told: () => say("choose a tile of the hand"), act: (key) => void this.chooseTile(hand[Number(key) - 1]) },
      { keys: "ArrowLeft ArrowRight", told: () => say("look back a turn, and on"), act: (key) => parts.replay.step(key === "ArrowLeft" ? -1 : 1) },
      { keys: "e", told: () => say("end the turn"), act: () => void parts.composer.end() },
      { keys: "Backspace Escape", told: () => say("take back"), act: () => (parts.replay.shown === null || model.over ? void parts.composer.back() : parts.replay.now()) },
      { keys: "h", told: () => say("ask for a hint"), act: () => void (model.canPlay && parts.composer.askHint()) },
      { keys: "s", told: () => say("what happened since my last turn"), act: () => this.since() },
      { keys: "l", told: () => say("the log"), act: () => this.openTab("log", true) },
      { keys: "d", told: () => say("land and routes"), act: () => this.openTab("land", true) },
      { keys: "c", told: () => say("chat"), act: () => this.openTab("chat", true) },
      { keys: "t", told: () => say("the text board"), act: () => this.openTab("text", true) },
      { keys: "+", told: () => say("nearer"), act: () => parts.map.zoom.by(1.4) },
      { keys: "-", told: () => say("farther"), act: () => parts.map.zoom.by(1 / 1.4) },
      { keys: "m", told: () => say("the table's menu"), act: () => this.menu() },
    ];
  }

  menu() {
    openMenu(this.model, { go: this.page.go, failed });
  }

  /** Why a turn can't be composed or ended so. @param {Error} error */
  failed(error) {
    failed(error);
  }

  since() {
    const turns = this.model.sinceLast;
    const teller = this.teller();
    show(say("Since your last turn"), [
      turns.length
        ? el("ul", { class: "since" }, turns.map((turn) => el("li", {}, teller.tell(turn.events).join(" "))))
        : el("p", {}, say("Nothing has happened since your last turn.")),
    ]);
  }

  /** @param {string} key @param {boolean} [enter] */
  openTab(key, enter = false) {
    if (!this.parts) return;
    const { tabs, land } = this.parts;
    tabs.open(key, enter);
    land.update(this.model, this.teller(), this.then);
  }

  /** @param {string} tile */
  async chooseTile(tile) {
    const composer = this.parts?.composer;
    if (!composer || !this.model.canPlay) return;
    if (this.parts) this.parts.replay.shown = null; // whoever plays looks at the board as it is
    const mine = this.model.view?.hands[/** @type {number} */ (this.model.looking)] ?? [];
    if (mine.includes(tile)) await composer.choose(tile);
  }

  /** @param {string} code */
  openCity(code) {
    const { parts, model } = this;
    const view = model.view;
    const figures = model.figures;
    if (!parts || !view || !figures) return;
    if (parts.composer.legal.includes(`+${code}`) || parts.composer.moves.includes(`+${code}`)) {
      void parts.composer.add(`+${code}`);
      return;
    }
    this.openTab("land");
  }

  update() {
    const { model, parts } = this;
    const { view } = model;
    if (!parts || !view) return;
    const { composer } = parts;
    composer.refresh();
    const seat = model.looking;
    const hand = seat === null ? [] : (view.hands[seat] ?? []);
    const legal = model.canPlay ? view.legal : [];
    parts.hand.update(model, composer.tile, legal);
    const { shown } = parts.replay;
    const past = shown === null ? null : tableAfter(/** @type {Figures} */ (model.figures), view, model.dealt, model.turns.slice(0, shown), model.over ? this.record : null);
    const then = past ? parts.lookback.seen(past) : view;
    const back = model.over && past !== null && this.record !== null;
    this.then = then;
    parts.lookback.update(then, shown ?? 0, back);
    const last = model.turns[(shown ?? model.turns.length) - 1];
    parts.replay.update();
    parts.whole.classList.toggle("past", shown !== null && shown < model.turns.length);
    parts.map.update(then, {
      hand: shown === null ? hand : parts.lookback.handOf(then),
      legal: new Set(shown === null ? legal : []),
      ghost: composer.tile,
      last: last?.moves[0] ?? null,
      names: model.names,
    });
    parts.map.lookAt(composer.tile);
    parts.players.update(model, model.info.status === "closed" ? { ...then, turn: null } : then);
    parts.log.update(model, this.teller());
    parts.log.mark(shown, model.dealt.length > 0);
    parts.land.update(model, this.teller(), then);
    parts.chat.update(model);
    parts.tray.classList.toggle("closed", parts.curtain.update(model));
    this.updateStatus();
    this.news.update();
    if (model.over) this.finish(back);
  }

  updateStatus() {
    const { model, parts } = this;
    const view = /** @type {import("../game/figures.js").View} */ (model.view);
    const figures = /** @type {Figures} */ (model.figures);
    if (!parts) return;
    fill(
      parts.status,
      model.over
        ? say("The game is over.")
        : count("{n} tile to the last spike", "{n} tiles to the last spike", figures.toLastSpike(view)),
      " · ",
      count("{n} tile in the pool", "{n} tiles in the pool", view.pool),
    );
  }

  /** Say something; who only watches has to give a name first. Whether it was said. @param {string} text */
  async sayText(text) {
    try {
      if (!this.model.you.person) {
        const name = settings.name || (await askName());
        if (!name) return false;
        await post("api/me", { name });
        this.line.renew();
      }
      await this.line.ask({ type: "say", text });
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  }

  /** The game is over. @param {boolean} back whether the table is shown as it was at some moment of it */
  finish(back) {
    const { parts } = this;
    if (!parts) return;
    parts.tray.hidden = true;
    parts.finale.element.hidden = back;
    void this.loadRecord();
    this.lookBack();
    parts.finale.update();
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
    if (this.record) this.update();
  }

  async picture() {
    if (!this.parts) return;
    const { takePicture } = await import("./replay/picture.js");
    const turns = this.parts.replay.shown ?? this.model.turns.length;
    await takePicture(this.parts.map.element, `last-spike-${turns}`).catch(failed);
  }
}
