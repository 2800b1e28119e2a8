// A table: the waiting room before the game, then map, hand, players and what is told of it.

import { announce, note } from "../announce.js";
import { get, post, version } from "../api.js";
import { show } from "../dialog.js";
import { button, el, fill } from "../dom.js";
import { Figures } from "../figures.js";
import { listen } from "../keys.js";
import { Line } from "../line.js";
import { Model } from "../model.js";
import { Chat } from "../parts/chat.js";
import { Composer } from "../parts/composer.js";
import { Hand } from "../parts/hand.js";
import { Land } from "../parts/land.js";
import { Log } from "../parts/log.js";
import { LookBack } from "../parts/lookback.js";
import { Map1869 } from "../parts/map.js";
import { openMenu } from "../parts/menu.js";
import { SYMBOLS } from "../people.js";
import { Players } from "../parts/players.js";
import { Replay } from "../parts/replay.js";
import { celebrate } from "../parts/spike.js";
import { TextBoard } from "../parts/textboard.js";
import { tableAfter } from "../past.js";
import { settings } from "../settings.js";
import { part } from "../shuffle.js";
import { play } from "../sounds.js";
import { Teller } from "../teller.js";
import { count, listed, money, say, shortMoney, spoken } from "../words.js";
import { makeTable } from "../making.js";
import { Room, askName, failed } from "./room.js";

export class TableScreen {
  /**
   * @param {string} id
   * @param {{go: (path: string) => void, begin: boolean, record?: any, told?: any,
   *   line?: (listeners: import("../line.js").Listeners) => Line}} page `told` is a finished game
   *   that needs no line to the server, `record` its record; `line` makes another line than that
   */
  constructor(id, page) {
    this.page = page;
    this.model = new Model(id);
    this.element = el("div", { class: "table-screen" }, el("p", { class: "loading" }, say("Opening the table …")));
    this.begun = !page.begin;
    this.wasMyTurn = false;
    this.revealed = 0;
    /** The table as it is shown: as it is, or as it was. @type {import("../figures.js").View | null} */
    this.then = null;
    /** The record of a game that is over, with all that was hidden in it. @type {any} */
    this.record = page.record ?? null;
    this.chosen = "";
    /** @type {import("../line.js").Listeners} */
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
    mark(false);
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
    if (message.type === "news") this.tell(fresh);
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
    fill(this.parts.finale);
  }

  build() {
    const { model, line } = this;
    const figures = /** @type {Figures} */ (model.figures);
    const page = {
      changed: () => this.update(),
      told: (/** @type {string} */ text) => announce(text),
      failed: (/** @type {Error} */ error) => this.failed(error),
      since: () => this.since(),
      home: () => this.page.go(""),
      teller: () => this.teller(),
      onTile: (/** @type {string} */ tile) => void this.chooseTile(tile),
    };
    const composer = new Composer(model, line, page);
    const hand = new Hand(page);
    const players = new Players({ onPlayer: () => this.openTab("land") });
    const map = new Map1869(figures, { onTile: page.onTile, onCity: (code) => this.openCity(code) });
    map.again = () => this.update();
    const replay = new Replay(model, page);
    const lookback = new LookBack(model, {
      ...page,
      playOn: (seat) => void this.playOn(seat),
      picture: () => void this.picture(),
      scores: () => replay.now(),
    });
    const log = new Log({ onTurn: (turns) => replay.to(turns) });
    const land = new Land();
    const chat = new Chat({
      say: async (text) => {
        return this.sayText(text);
      },
    });
    const text = new TextBoard(model, composer, page.teller);
    const banner = el("p", { class: "line-banner", role: "status", hidden: true }, say("The connection is lost; trying again …"));
    const tabs = [
      { key: "log", title: say("Log"), part: log.element },
      { key: "land", title: say("Land"), part: land.element },
      { key: "chat", title: say("Chat"), part: chat.element },
      { key: "text", title: say("Text"), part: text.element },
    ];
    const status = el("p", { class: "table-status" });
    const curtain = el("div", { class: "curtain", hidden: true });
    const finale = el("section", { class: "finale", hidden: true, "aria-label": say("Final scores") });
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
    const side = el(
      "aside",
      { class: "side" },
      players.element,
      el(
        "div",
        { class: "tabs", role: "tablist", "aria-label": say("About the game") },
        tabs.map(({ key, title }) =>
          el(
            "button",
            { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, onclick: () => this.openTab(key), onkeydown: (/** @type {KeyboardEvent} */ event) => this.tabKey(event) },
            title,
          ),
        ),
      ),
      tabs.map(({ key, part: content }) =>
        el("div", { class: "panel", role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}` }, content),
      ),
    );
    const tray = el("section", { class: "tray", "aria-label": say("Your hand and turn") }, curtain, hand.element, composer.element);
    const whole = el("div", { class: "table" }, el("h1", { class: "unseen" }, "The Last Spike"), banner, mapBox, side, tray, finale, lookback.element);
    const parts = { whole, composer, hand, players, map, replay, lookback, log, land, chat, text, banner, side, status, curtain, finale, tray };
    this.parts = parts;
    this.openTab(settings.text === "on" ? "text" : "log");
    return parts;
  }

  /** @returns {import("../keys.js").Shortcut[]} */
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
    const { side, land } = this.parts;
    for (const tab of side.querySelectorAll("[role=tab]")) {
      const chosen = tab.id === `tab-${key}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.setAttribute("tabindex", chosen ? "0" : "-1");
    }
    for (const panel of side.querySelectorAll("[role=tabpanel]")) {
      const chosen = panel.id === `panel-${key}`;
      /** @type {HTMLElement} */ (panel).hidden = !chosen;
      const first = panel.querySelector("input") ?? panel.querySelector("[tabindex='0']");
      if (chosen && enter && first instanceof HTMLElement) first.focus();
    }
    if (key === "chat") side.querySelector("#tab-chat")?.classList.remove("unread");
    land.update(this.model, this.teller(), this.then);
  }

  /** @param {KeyboardEvent} event */
  tabKey(event) {
    const tabs = [...(this.parts?.side.querySelectorAll("[role=tab]") ?? [])];
    const at = tabs.indexOf(/** @type {Element} */ (event.target));
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = /** @type {HTMLElement} */ (tabs[(at + step + tabs.length) % tabs.length]);
    next.focus();
    next.click();
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
    parts.finale.classList.toggle("away", back);
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
    this.updateCurtain();
    this.updateStatus();
    this.updateTitle();
    if (model.over) this.finish();
  }

  updateStatus() {
    const { model, parts } = this;
    const view = /** @type {import("../figures.js").View} */ (model.view);
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

  updateTitle() {
    const mine = this.model.mySeat !== null;
    mark(mine);
    if (mine && !this.wasMyTurn) {
      play("turn");
      announce(say("It is your turn."));
      if (settings.alert === "on" && document.hidden && Notification.permission === "granted") {
        new Notification("The Last Spike", { body: say("It is your turn.") });
      }
    }
    this.wasMyTurn = mine;
  }

  /** Round one device: nothing of a hand is shown until the right person says so. */
  updateCurtain() {
    const { model, parts } = this;
    if (!parts) return;
    const seat = model.mySeat;
    const closed = model.you.seats.length > 1 && seat !== null && model.looking !== seat;
    parts.curtain.hidden = !closed;
    parts.tray.classList.toggle("closed", closed);
    if (!closed) return;
    const player = model.names[seat];
    fill(
      parts.curtain,
      el("p", {}, say("Hand the device to {player}.", { player })),
      button(say("I am {player}: show my hand", { player }), () => this.line.send({ type: "look", seat }), { class: "main", "data-key": "look" }),
    );
  }

  /** Tell of what others did. @param {any[]} fresh */
  tell(fresh) {
    const { model } = this;
    const teller = this.teller();
    for (const step of fresh) {
      for (const happening of step.happenings) {
        if (happening.kind === "turn_made") {
          const events = happening.events;
          const has = (/** @type {string} */ kind) => events.some((/** @type {any} */ event) => event.event === kind);
          const driven = events.find((/** @type {any} */ event) => event.event === "last_spike");
          if (driven && this.parts) celebrate(this.parts.map, driven.tile, teller.sentence(driven)[0]);
          play(has("last_spike") ? "spike" : has("payout") ? "pay" : "lay");
          const mine = model.you.seats.includes(happening.seat);
          if (settings.announce !== "short") announce(teller.tell(events).join(" "));
          else if (!mine) announce(teller.brief(events).join(" "));
        } else if (happening.kind === "said") {
          if (happening.person !== model.you.person) this.heard(happening);
          announce(say("{name}: {text}", { name: happening.name, text: happening.text }), "full");
        } else if (happening.kind === "seat_handed_over") {
          note(say("A computer player goes on for {player}.", { player: model.names[happening.seat] }));
        } else if (happening.kind === "seat_returned") {
          note(say("{player} is back.", { player: model.names[happening.seat] }));
        }
      }
    }
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

  /** Somebody wrote something: who does not see the chat is told. @param {any} said */
  heard(said) {
    play("chat");
    const panel = this.parts?.side.querySelector("#panel-chat");
    if (!(panel instanceof HTMLElement) || !panel.hidden) return;
    this.parts?.side.querySelector("#tab-chat")?.classList.add("unread");
    note(say("{name}: {text}", { name: said.name, text: said.text }));
  }

  /** The end: scores, and where each dollar came from. */
  finish() {
    const { model, parts } = this;
    if (!parts) return;
    parts.tray.hidden = true;
    parts.finale.hidden = parts.finale.classList.contains("away");
    void this.loadRecord();
    this.lookBack();
    const teller = this.teller();
    const events = [...model.dealt, ...model.turns.flatMap((turn) => turn.events)];
    const over = events.find((event) => event.event === "game_over");
    if (!over || parts.finale.childElementCount) return;
    const rows = model.names
      .map((/** @type {string} */ name, /** @type {number} */ seat) => ({ name, seat, ...earned(events, seat), cash: over.cash[seat], rank: over.ranks[seat] }))
      .sort((/** @type {any} */ one, /** @type {any} */ other) => one.rank - other.rank);
    const begin = /** @type {Figures} */ (model.figures).edition.starting_cash[model.names.length];
    const winners = over.winners.map((/** @type {number} */ seat) => model.names[seat]);
    fill(
      parts.finale,
      el("h2", {}, winners.length > 1 ? say("{players} share the win.", { players: listed(winners) }) : say("{player} wins!", { player: winners[0] })),
      this.tie(over),
      el("div", { class: "scores", tabindex: "0", role: "group", "aria-label": say("Final scores") }, el(
        "table",
        {},
        el("caption", { class: "unseen" }, say("Final scores")),
        el("thead", {}, el("tr", {}, [say("Rank"), say("Player"), say("Start"), say("Payouts"), say("Bonus"), say("Track"), say("Land"), say("Cash")].map((title) => el("th", { scope: "col" }, title)))),
        el(
          "tbody",
          {},
          rows.map((/** @type {any} */ row) =>
            el(
              "tr",
              { class: `seat-${row.seat}${row.rank === 1 ? " winner" : ""}` },
              el("td", {}, String(row.rank)),
              el("th", { scope: "row" }, el("span", { class: "symbol", "aria-hidden": "true" }, SYMBOLS[row.seat]), " ", el("bdi", {}, row.name)),
              amount(begin),
              amount(row.payouts),
              amount(row.bonus),
              amount(row.track),
              amount(row.land),
              amount(row.cash, "total"),
            ),
          ),
        ),
      )),
      this.waysOn(),
    );
    parts.finale.scrollIntoView({ block: "nearest" });
    announce(teller.gameOver(over).join(" "));
  }

  /** What can be done when the game is over. */
  waysOn() {
    const { model, parts } = this;
    return el(
      "div",
      { class: "acts" },
      model.you.seats.length > 0 && button(say("Play again"), () => this.rematch(), { class: "main", "data-key": "again" }),
      button(say("Watch it again"), () => parts?.replay.again(), { "data-key": "replay" }),
      button(say("Home"), () => this.page.go(""), { "data-key": "home" }),
      button(say("Picture of the board"), () => void this.picture(), { class: "quiet", "data-key": "picture" }),
      button(say("Review"), () => this.page.go(model.id ? `review/${model.id}` : "review"), { "data-key": "review" }),
      this.record?.shuffle !== null && button(say("Check the shuffle"), () => this.page.go(model.id ? `verify/${model.id}` : "verify"), { class: "quiet", "data-key": "verify" }),
      model.id && el("a", { class: "button quiet", href: `api/tables/${model.id}/record`, download: "last-spike.json" }, say("Download the record")),
    );
  }

  /** Why one of several with equal cash is before the others (E2). @param {any} over */
  tie(over) {
    const { names, view } = this.model;
    const figures = /** @type {Figures} */ (this.model.figures);
    const first = over.ranks.indexOf(1);
    const equal = names.map((_, seat) => seat).filter((seat) => over.cash[seat] === over.cash[first] && !view?.bankrupt.includes(seat));
    if (!view || equal.length < 2) return null;
    const land = equal.map((seat) => `${names[seat]} ${money(figures.landPrice(view, seat))}`);
    return el("p", {}, say("Their cash is equal, so the price of the land they hold decides: {land}.", { land: listed(land) }));
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

  /** @param {number} seat */
  async playOn(seat) {
    const turns = this.parts?.replay.shown ?? 0;
    const name = settings.name || say("Newcomer");
    try {
      const made = await makeTable("api/records/play-on", { name, record: this.record, turns, seat, level: settings.level });
      if (made) this.page.go(`table/${made.table}`);
    } catch (error) {
      failed(error);
    }
  }

  async picture() {
    if (!this.parts) return;
    const { takePicture } = await import("../parts/picture.js");
    const turns = this.parts.replay.shown ?? this.model.turns.length;
    await takePicture(this.parts.map.element, `last-spike-${turns}`).catch(failed);
  }

  async rematch() {
    try {
      const { table } = await post(`api/tables/${this.model.id}/rematch`);
      this.page.go(`table/${table}?begin`);
    } catch (error) {
      failed(error);
    }
  }
}

/** A cell with an amount, shorter where there is little room. @param {number} dollars @param {string} [kind] */
function amount(dollars, kind) {
  return el("td", { class: kind ?? null }, el("span", { class: "wide" }, money(dollars)), el("span", { class: "narrow", "aria-label": money(dollars), role: "img" }, shortMoney(dollars)));
}

/** Say in the browser's tab whether it is the viewer's turn. @param {boolean} mine */
function mark(mine) {
  document.title = mine ? `● ${say("Your turn")} – The Last Spike` : "The Last Spike";
  const icon = `web/${version}/icons/${mine ? "turn" : "spike"}.svg`;
  const link = document.querySelector("link[rel=icon]");
  if (link && link.getAttribute("href") !== icon) link.setAttribute("href", icon);
}

/** Where a seat's money came from and went. @param {any[]} events @param {number} seat */
function earned(events, seat) {
  const sums = { payouts: 0, bonus: 0, track: 0, land: 0 };
  for (const event of events) {
    if (event.seat !== seat) continue;
    if (event.event === "payout") sums.payouts += event.amount;
    else if (event.event === "last_spike") sums.bonus += event.bonus;
    else if (event.event === "track_laid") sums.track -= event.cost;
    else if (event.event === "land_bought") sums.land -= event.price;
    else if (event.event === "land_sold") sums.land += event.amount;
  }
  return sums;
}

