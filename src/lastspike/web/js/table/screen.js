// The screen of a table: the waiting room before the game, then map, hand, players, log and chat.

import { showError } from "../game/errors.js";
import { Figures, salePrice } from "../game/figures.js";
import { Model } from "../game/model.js";
import { tableAfter } from "../game/past-table.js";
import { contribution, sayReady } from "../game/shuffle.js";
import { Teller } from "../game/teller.js";
import { get, post, version } from "../lib/api.js";
import { Connection } from "../lib/connection.js";
import { settings } from "../lib/settings.js";
import { announce } from "../lib/ui/announce.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { listen } from "../lib/ui/keys.js";
import { Tabs } from "../lib/ui/tabs.js";
import { count, say, spoken } from "../lib/words.js";
import { BoardMap } from "../map/map.js";
import { flyPayouts } from "./money-flight.js";
import { Notifications } from "./notifications.js";
import { PastHands } from "./replay/past-hands.js";
import { Replay } from "./replay/replay.js";
import { Chat } from "./side/chat.js";
import { Land } from "./side/land.js";
import { Log, summaryLines } from "./side/log.js";
import { PlayerList } from "./side/player-list.js";
import { TextBoard } from "./side/text-board.js";
import { Composer } from "./turn/composer.js";
import { Curtain } from "./turn/curtain.js";
import { Hand } from "./turn/hand.js";
import { EVERYTHING, redraw, WAITING_ROOM_SHOWS } from "./redraw.js";

/** How long a game may take to begin by itself before the waiting room is shown. */
const BEGIN_MS = 4000;

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
    /** Whether the game is about to begin by itself: then nobody needs the waiting room. */
    this.beginning = page.begin;
    this.begun = !page.begin;
    this.revealed = 0;
    /** What has changed since the screen was drawn. @type {Set<import("./redraw.js").Shown>} */
    this.changed = new Set();
    /** The table as the board shows it, now or at an earlier turn. @type {import("../game/figures.js").View | null} */
    this.then = null;
    /** Whether the board shows an earlier turn of a finished game, with its hands. */
    this.back = false;
    /** The record of a game that is over, with all that was hidden in it. @type {any} */
    this.record = page.record ?? null;
    this.chosen = "";
    /** @type {import("../lib/connection.js").Listeners} */
    const listeners = {
      onMessage: (message) => void this.receive(message),
      onState: (state) => this.connectionChanged(state),
      onLate: (late) => this.lateChanged(late),
      have: () => this.model.number,
      language: spoken,
    };
    this.connection = page.connect ? page.connect(listeners) : new Connection(page.told ? null : id, listeners);
    /** @type {ReturnType<TableScreen["build"]> | null} */
    this.parts = null;
    /** @type {import("./waiting-room.js").WaitingRoom | null} */
    this.waitingRoom = null;
    this.notifications = new Notifications(this.model, {
      teller: () => this.teller(),
      spike: (tile, text) => void import("../map/last-spike.js").then(({ celebrate }) => this.parts && celebrate(this.parts.map, tile, text)),
      paid: (events) => this.paid(events),
      unread: () => this.parts?.tabs.markUnread("chat") ?? false,
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
    void this.end?.then((end) => end.close());
    this.connection.close();
    this.stopListening();
    this.notifications.close();
  }

  teller() {
    return new Teller(/** @type {Figures} */ (this.model.figures), this.model.names, this.model.own);
  }

  /** @param {any} message */
  async receive(message) {
    const { steps, changed } = this.model.receive(message);
    for (const each of changed) this.changed.add(each);
    if (message.type === "welcome" || changed.has("info")) await this.readFigures();
    if (message.type === "welcome") await this.welcomed(message);
    this.answerShuffle();
    if (!this.model.figures) return;
    this.show();
    if (message.type === "news") this.notifications.tell(steps);
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
      if (!this.waits || !model.you.seats.length) return this.stay();
      window.setTimeout(() => this.stay(), BEGIN_MS);
      if (!(await sayReady(model, this.connection))) this.stay();
    }
  }

  /** The game doesn't begin by itself. */
  stay() {
    this.beginning = false;
    if (this.waits && this.model.figures) this.show();
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

  /** @param {"open" | "lost" | "gone"} state */
  connectionChanged(state) {
    this.model.connection = state;
    this.element.classList.toggle("lost", state === "lost");
    if (state === "gone") void import("../lib/ui/missing.js").then(({ missingTable }) => fill(this.element, missingTable(this.page.go)));
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
    banner.textContent = late ? say("Connection lost. What you did last is kept, and sent as soon as you’re connected again.") : say("Connection lost. Reconnecting…");
  }

  /** Redraw what has changed. */
  show() {
    const { model } = this;
    if (this.waits) {
      this.parts = null;
      if (!this.beginning || model.info.status === "closed") void this.showRoom();
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

  /** Whether there is no game to show. */
  get waits() {
    const { info, view } = this.model;
    return info.status === "waiting" || (info.status === "closed" && !view);
  }

  async showRoom() {
    const { WaitingRoom } = await import("./waiting-room.js");
    if (!this.waits) return; // the game has begun meanwhile
    this.waitingRoom ??= new WaitingRoom(this.model, this.connection);
    if (this.waitingRoom.element.parentNode !== this.element) {
      fill(this.element, this.waitingRoom.element);
      this.changed = new Set(EVERYTHING);
    }
    if (WAITING_ROOM_SHOWS.some((each) => this.changed.has(each))) this.waitingRoom.update();
    this.changed.clear();
  }

  build() {
    const { model, connection } = this;
    const figures = /** @type {Figures} */ (model.figures);
    const page = {
      go: this.page.go,
      draftChanged: () => this.redraw("draft"),
      pastChanged: () => this.redraw("past"),
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
      look: (/** @type {number} */ turns) => replay.to(turns),
      waysOn: () => this.waysOn(),
      playOn: (/** @type {number} */ seat, /** @type {number} */ turns) => void pastHands.playOn(seat, turns),
    };
    const composer = new Composer(model, connection, page);
    const hand = new Hand(page);
    const players = new PlayerList({ onPlayer: (seat) => map.showPlayer(seat) });
    const map = new BoardMap(
      figures,
      { onTile: page.onTile, onCity: (code) => this.chooseCity(code) },
      { teller: page.teller, aids: () => model.info.settings.aids },
    );
    const replay = new Replay(model, page);
    const pastHands = new PastHands(model, page);
    const log = new Log({ onTurn: (turns) => replay.to(turns) });
    const land = new Land();
    const chat = new Chat({ say: (text) => this.sayText(text) });
    const text = new TextBoard(model, composer, page.teller);
    const banner = el("p", { class: "line-banner", role: "status", hidden: true });
    const tabs = new Tabs(
      say("Game information"),
      [
        { key: "log", title: say("Log"), part: log.element },
        { key: "land", title: say("Land"), part: land.element },
        { key: "chat", title: say("Chat"), part: chat.element },
        { key: "text", title: say("Text"), part: text.element },
      ],
      (key) => this.openTab(key),
    );
    const status = el("p", { class: "table-status" });
    const curtain = new Curtain({ look: (seat) => connection.send({ type: "look", seat }) });
    const finale = el("section", { class: "finale", hidden: true, "aria-label": say("Final scores") });
    /** Loaded when the game is over. @type {Promise<import("./end/final-scores.js").FinalScores> | null} */
    this.end = null;
    this.loadEnd = () => (this.end ??= import("./end/final-scores.js").then(({ FinalScores }) => new FinalScores(finale, model, page)));
    const mapBox = el(
      "section",
      { class: "map-box", "aria-label": say("Map") },
      map.element,
      replay.element,
      status,
      el(
        "div",
        { class: "zoom" },
        button("i", () => void import("../map/legend.js").then(({ openLegend }) => openLegend(figures)), { class: "legend-button", "aria-label": say("Legend"), "data-key": "legend" }),
        button("+", () => map.zoom.by(1.4), { "aria-label": say("Zoom in"), "data-key": "nearer" }),
        button("−", () => map.zoom.by(1 / 1.4), { "aria-label": say("Zoom out"), "data-key": "farther" }),
        button("⤢", () => map.zoom.all(), { "aria-label": say("Show the whole map"), "data-key": "all" }),
        button("☰", () => void this.menu(), { "aria-label": say("Table menu"), "data-key": "menu" }),
      ),
    );
    const side = el("aside", { class: "side" }, players.element, tabs.elements);
    const tray = el("section", { class: "tray", "aria-label": say("Your hand and turn") }, curtain.element, hand.element, composer.element);
    const whole = el("div", { class: "table" }, el("h1", { class: "unseen" }, "The Last Spike"), banner, mapBox, tray, side, finale, pastHands.element);
    const parts = { whole, composer, hand, players, map, replay, pastHands, log, land, chat, text, tabs, banner, status, curtain, tray };
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
      { keys: hand.map((_, n) => n + 1).join(" ") || "1", told: () => say("Choose a tile from your hand"), act: (key) => void this.chooseTile(hand[Number(key) - 1]) },
      { keys: "ArrowLeft ArrowRight", told: () => say("Previous or next turn"), act: (key) => parts.replay.step(key === "ArrowLeft" ? -1 : 1) },
      { keys: "e", told: () => say("End turn"), act: () => void parts.composer.end() },
      { keys: "Backspace Escape", told: () => say("Undo"), act: () => (parts.replay.shown === null || model.over ? void parts.composer.back() : parts.replay.now()) },
      { keys: "h", told: () => say("Ask for a hint"), act: () => void (model.canPlay && parts.composer.askHint()) },
      ...(model.sinceLast.length ? [{ keys: "s", told: () => say("Since your last turn"), act: () => this.since() }] : []),
      { keys: "l", told: () => say("Log"), act: () => this.openTab("log", true) },
      { keys: "d", told: () => say("Land and routes"), act: () => this.openTab("land", true) },
      { keys: "c", told: () => say("Chat"), act: () => this.openTab("chat", true) },
      { keys: "t", told: () => say("Text board"), act: () => this.openTab("text", true) },
      { keys: "+", told: () => say("Zoom in"), act: () => parts.map.zoom.by(1.4) },
      { keys: "-", told: () => say("Zoom out"), act: () => parts.map.zoom.by(1 / 1.4) },
      { keys: "m", told: () => say("Table menu"), act: () => void this.menu() },
    ];
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
      map: () => this.drawMap(),
      players: () => parts.players.update(model, model.info.status === "closed" ? { ...this.board, turn: null } : this.board),
      clocks: () => parts.players.tick(model),
      log: () => {
        parts.log.update(model, this.teller(), changed.has("names"));
        parts.log.mark(parts.replay.shown, dealt);
      },
      land: () => parts.land.update(model, this.teller(), this.board),
      chat: () => parts.chat.update(model),
      curtain: () => void parts.tray.classList.toggle("closed", parts.curtain.update(model)),
      status: () => this.updateStatus(),
      turnAlert: () => this.notifications.update(),
      end: () => {
        if (changed.has("names")) void this.end?.then((end) => end.clear());
        if (model.over) this.finish();
      },
    });
  }

  /** The table as the board shows it. */
  get board() {
    return /** @type {import("../game/figures.js").View} */ (this.then ?? this.model.view);
  }

  /** Find out which table the board shows: as it is, or after an earlier turn. */
  updateBoard() {
    const { model, parts, record } = this;
    const view = /** @type {import("../game/figures.js").View} */ (model.view);
    const shown = parts?.replay.shown ?? null;
    const past = shown === null ? null : tableAfter(/** @type {Figures} */ (model.figures), view, model.dealt, model.turns.slice(0, shown), model.over ? record : null);
    this.then = past && parts ? parts.pastHands.seen(past) : view;
    this.back = model.over && past !== null && record !== null;
  }

  drawMap() {
    const { model, parts } = this;
    const { view } = model;
    if (!parts || !view) return;
    const { shown } = parts.replay;
    const { tile } = parts.composer;
    const hand = model.looking === null ? [] : (view.hands[model.looking] ?? []);
    const legal = model.canPlay ? view.legal : [];
    const turns = model.turns.slice(0, shown ?? model.turns.length);
    parts.map.update(this.board, {
      hand: shown === null ? hand : parts.pastHands.handOf(this.board),
      legal: new Set(shown === null ? legal : []),
      ghost: tile,
      last: turns.at(-1)?.moves[0] ?? null,
      fresh: new Set(shown === null && model.playing && model.sinceLast.length < model.info.seats.length ? model.sinceLast.map(({ moves }) => moves[0]) : []),
      spike: turns.flatMap(({ events }) => events).find((event) => event.event === "last_spike")?.tile,
      ...(shown === null && model.canPlay ? this.drafted() : {}),
    });
    parts.map.lookAt(tile);
  }

  /** What can be bought or sold on the map, and what the turn being composed does there. */
  drafted() {
    const { ahead, legal, moves, offers, before } = /** @type {NonNullable<typeof this.parts>} */ (this.parts).composer;
    const bought = moves.find((move) => move.startsWith("+"))?.slice(1) ?? null;
    const figures = /** @type {Figures} */ (this.model.figures);
    const cards = (/** @type {string} */ sign, from = legal) => from.filter((move) => move.startsWith(sign)).map((move) => move.slice(1));
    /** @type {Map<string, {seat: number, amount: number}[]>} */
    const paid = new Map();
    for (const { event, seat, city, amount } of ahead?.events ?? []) {
      if (event === "payout") paid.set(city, [...(paid.get(city) ?? []), { seat, amount }]);
    }
    return {
      offers: new Map(cards("+", bought ? offers : legal).map((code) => [code, figures.onSale(bought ? before : ahead.table, code)?.price ?? 0])),
      sales: new Map(cards("-").sort().map((card) => [card.slice(0, -1), salePrice(figures.city(card.slice(0, -1)).land[Number(card.slice(-1))])])),
      after: ahead?.table ?? null,
      bought,
      seat: this.model.mySeat,
      paid,
    };
  }

  /** Show whom a finished route pays. @param {any[]} events */
  paid(events) {
    if (!this.parts) return;
    for (const { event, route } of events) if (event === "route_finished") this.parts.map.light(route);
    flyPayouts(this.parts.whole, events);
  }

  updateStatus() {
    const { model, parts } = this;
    const view = /** @type {import("../game/figures.js").View} */ (model.view);
    const figures = /** @type {Figures} */ (model.figures);
    if (!parts) return;
    fill(
      parts.status,
      el(
        "span",
        { class: "fact" },
        model.over
          ? say("The game is over.")
          : count("{n} tile to the last spike", "{n} tiles to the last spike", figures.toLastSpike(view)),
      ),
      el("span", { class: "fact" }, count("{n} tile in the pool", "{n} tiles in the pool", view.pool)),
    );
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

  /** The game is over. */
  finish() {
    const { parts } = this;
    if (!parts) return;
    parts.tray.hidden = true;
    void this.loadRecord();
    this.lookBack();
    void this.loadEnd?.().then((end) => end.update(!this.back), showError);
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
