// Composing a turn: lay a tile, sell if you must, buy a card or none, end the turn.
// The server previews each step; nothing is played before the turn is ended.

import { salePrice } from "../../game/figures.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { markEdges } from "../../lib/ui/side-scroll.js";
import { count, listed, money, say, sentences } from "../../lib/words.js";
import { summaryLines } from "../side/log.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../lib/connection.js").Connection} Connection */

export class Composer {
  /**
   * @param {Model} model
   * @param {Connection} connection
   * @param {{draftChanged: () => void, told: (text: string) => void, failed: (error: Error) => void,
   *   since: () => void, home: () => void, teller: () => import("../../game/teller.js").Teller}} page
   */
  constructor(model, connection, page) {
    this.model = model;
    this.connection = connection;
    this.page = page;
    /** @type {string[]} */
    this.moves = [];
    /** @type {any} */
    this.ahead = null;
    /** @type {any} */
    this.hint = null;
    /** Why the last choice was refused. @type {Error | null} */
    this.refused = null;
    this.busy = false;
    /** @type {string[]} */
    this.offers = [];
    /** @type {any} */
    this.before = null;
    this.turn = 0;
    this.element = el("section", { class: "composer", "aria-label": say("Your turn") });
  }

  get tile() {
    return this.moves[0] ?? null;
  }

  /** The moves that may follow now. @returns {string[]} */
  get legal() {
    if (!this.model.canPlay) return [];
    return this.ahead ? this.ahead.legal : (this.model.view?.legal ?? []);
  }

  /** Draw it; when another turn has come, the draft of the last one is dropped. */
  refresh() {
    const number = this.model.view?.number ?? 0;
    if (number !== this.turn || !this.model.canPlay) {
      this.turn = number;
      this.moves = [];
      this.ahead = null;
      this.hint = null;
      this.busy = false;
    }
    this.update();
  }

  /** Take these moves as the turn so far. @param {string[]} moves */
  async compose(moves) {
    if (!this.model.canPlay || this.busy) return;
    const turn = this.turn;
    if (!this.follows(moves)) this.hint = null;
    this.refused = null;
    if (!moves.length) {
      this.moves = [];
      this.ahead = null;
      this.page.draftChanged();
      return;
    }
    try {
      const ahead = await this.connection.ask({ type: "preview", moves });
      if (turn !== this.turn) return;
      this.moves = moves;
      this.ahead = ahead;
    } catch (error) {
      this.refused = /** @type {Error} */ (error);
      this.page.failed(this.refused);
    }
    this.page.draftChanged();
  }

  /** @param {string} tile */
  choose(tile) {
    return this.compose(this.tile === tile ? [] : [tile]);
  }

  /** Add a sale, or choose a purchase in place of another. @param {string} move */
  add(move) {
    const kept = this.moves.filter((other) => !other.startsWith("+"));
    return this.compose(this.moves.includes(move) ? kept : [...kept, move]);
  }

  back() {
    return this.compose(this.moves.slice(0, -1));
  }

  get ready() {
    return Boolean(this.ahead) && (this.ahead.turn_over || this.ahead.table.phase === "buy");
  }

  async end() {
    if (!this.ready || this.busy) return;
    this.busy = true;
    this.update();
    try {
      await this.connection.ask({ type: "turn", turn: this.turn, moves: this.moves });
    } catch (error) {
      this.page.failed(/** @type {Error} */ (error));
      this.busy = false;
      this.page.draftChanged();
    }
    // A turn that is accepted comes as news, which `refresh` ends this one with.
  }

  async askHint() {
    try {
      const turn = this.turn;
      const hint = await this.connection.ask({ type: "hint", moves: this.moves }, false);
      if (turn === this.turn) this.hint = { ...hint, asked: this.moves };
      this.page.told(sentences(this.hintTold()));
    } catch (error) {
      this.page.failed(/** @type {Error} */ (error));
    }
    this.update();
  }

  /** Whether these moves do what the hint advises. @param {string[]} moves */
  follows(moves) {
    if (!this.hint) return false;
    const advised = [...this.hint.asked, ...this.hint.moves];
    return moves.length > 0 && moves.every((move, n) => move === advised[n]);
  }

  hintTold() {
    if (!this.hint.moves.length)
      return [this.offers.length > 1 && this.moves.some((move) => move.startsWith("+")) ? say("You’ve chosen what to buy. End your turn, or choose other land.") : say("There’s nothing left to decide this turn.")];
    return [
      say("Tycoon would {moves}.", { moves: listed(this.hint.moves.map((/** @type {string} */ move) => this.page.teller().move(move))) }),
      ...this.hint.words,
    ];
  }

  update() {
    const { model } = this;
    if (!model.view || !model.info) return;
    if (model.over) return fill(this.element);
    if (model.info.status === "closed") return fill(this.element, ...this.closed());
    if (!model.canPlay) return fill(this.element, ...this.waiting());
    const [head, ...body] = this.ahead ? this.composed() : this.choosing();
    fill(this.element, head, el("div", { class: "body", tabindex: "0" }, this.hintBox(), ...body));
  }

  /** The host has ended the game for everybody. */
  closed() {
    return [el("p", { class: "now" }, say("The host ended this game for everybody, without a result.")), el("div", { class: "acts" }, button(say("Home"), this.page.home, { class: "main", "data-key": "home" }))];
  }

  waiting() {
    const { model } = this;
    const turn = model.view?.turn;
    if (turn === null || turn === undefined || model.mySeat !== null) return []; // behind the curtain
    const seat = model.info.seats[turn];
    const player = model.names[turn];
    const text = seat.level
      ? say("{player} is thinking…", { player })
      : say("{player}’s turn.", { player });
    return [el("p", { class: "now" }, text), this.since(), this.sinceButton()];
  }

  choosing() {
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const forced = view.legal.length > 0 && view.legal.every((tile) => figures.cost(view, tile).double);
    return [
      el("div", { class: "head" }, el("h2", { class: "now" }, say("Your turn: lay a tile")), el("div", { class: "acts" }, this.sinceButton(), this.hintButton())),
      el(
        "p",
        { class: forced ? "why" : "why number" },
        forced
          ? say("No tile you can afford is next to track or a city, so you pay double.")
          : count("You can lay {n} tile.", "You can lay {n} tiles.", view.legal.length),
      ),
      this.since(),
    ];
  }

  /** What the others did, so that nobody has to look for it. */
  since() {
    const turns = this.model.sinceLast;
    if (!turns.length) return null;
    const teller = this.page.teller();
    return el(
      "div",
      { class: "since-box", tabindex: "0" },
      el("h3", {}, this.model.eyes === null ? say("Just now") : say("Since your last turn")),
      el(
        "ul",
        { class: "since" },
        turns.slice(-6).map((turn) =>
          el("li", { class: `seat-${turn.seat}` }, summaryLines(teller, turn.seat, turn.events.filter(notPrivate))),
        ),
      ),
    );
  }

  composed() {
    const { ahead, page } = this;
    const teller = page.teller();
    const raise = ahead.table.phase === "raise";
    const parts = [this.head()];
    if (raise) parts.push(...this.selling());
    else if (ahead.legal.length || this.moves.some((move) => move.startsWith("+"))) parts.push(...this.buying());
    parts.push(el("ul", { class: "outcome" }, teller.tell(ahead.events.filter(notPlain)).map((text) => el("li", {}, text))));
    return parts;
  }

  /** What is being done, and the ways on and back. */
  head() {
    const me = /** @type {number} */ (this.model.mySeat);
    const cash = this.ahead.table.cash[me];
    return el(
      "div",
      { class: "head" },
      el("h2", { class: "now" }, el("span", {}, this.title()), this.ahead.table.phase !== "raise" && el("span", { class: "left" }, say("({amount} left)", { amount: money(cash) }))),
      el(
        "div",
        { class: "acts" },
        el(
          "button",
          {
            type: "button",
            class: "main",
            "data-key": "end-turn",
            disabled: !this.ready || this.busy,
            onclick: () => this.end(),
          },
          say("End turn"),
        ),
        button(say("Undo"), () => this.back(), { "data-key": "back" }),
        this.hintButton(),
      ),
    );
  }

  title() {
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const tile = /** @type {string} */ (this.tile);
    const { cost, double } = figures.cost(view, tile);
    const facts = { tile, route: this.page.teller().route(tile[0]), cost: money(cost) };
    return double
      ? say("Lay {tile} on {route} at double cost: {cost}", facts)
      : say("Lay {tile} on {route} for {cost}", facts);
  }

  selling() {
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const me = /** @type {number} */ (this.model.mySeat);
    const { cost } = figures.cost(view, /** @type {string} */ (this.tile));
    const missing = cost - this.ahead.table.cash[me];
    return [
      el("p", { class: "missing" }, say("You’re {amount} short: sell land to the bank.", { amount: money(missing) })),
      choices(
        this.ahead.legal.map((/** @type {string} */ move) => {
          const [code, rank] = [move.slice(1, -1), Number(move.slice(-1))];
          const price = figures.city(code).land[rank];
          return this.choice(move, say("Sell {card}", { card: move.slice(1) }), this.page.teller().city(code), say("+{amount}", { amount: money(salePrice(price)) }));
        }),
      ),
    ];
  }

  buying() {
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const bought = this.moves.find((move) => move.startsWith("+"));
    const offers = bought ? this.offers : this.ahead.legal.filter((/** @type {string} */ m) => m.startsWith("+"));
    if (!bought) this.offers = offers;
    const table = bought ? this.before : this.ahead.table;
    if (!bought) this.before = this.ahead.table;
    const me = /** @type {number} */ (this.model.mySeat);
    return [
      el("p", { class: "why" }, say("Buy one land card, or end your turn:")),
      choices(
        offers.map((/** @type {string} */ move) => {
          const code = move.slice(1);
          const city = figures.city(code);
          const mine = figures.holders(table, code).get(me) ?? 0;
          const more = city.payouts[mine] - (mine ? city.payouts[mine - 1] : 0);
          const left = figures.routesOf(code).filter(({ letter }) => figures.missing(table, letter).length).length;
          const routes = count("{n} route", "{n} routes", left);
          return this.choice(
            move,
            this.page.teller().city(code),
            left ? say("+{amount} × {routes}", { amount: money(more), routes }) : say("no more payouts"),
            money(figures.onSale(table, code)?.price ?? 0),
            bought === move,
          );
        }),
      ),
    ];
  }

  /**
   * @param {string} move @param {string} title @param {string} note @param {string} price
   * @param {boolean} [chosen]
   */
  choice(move, title, note, price, chosen = false) {
    return el(
      "button",
      {
        type: "button",
        class: "choice deed-card",
        "data-key": `move-${move}`,
        "aria-pressed": move.startsWith("+") ? String(chosen) : null,
        onclick: () => this.add(move),
      },
      el("span", { class: "choice-title" }, title),
      el("span", { class: "choice-note" }, note),
      el("span", { class: "choice-price" }, price),
    );
  }

  /** For small screens, which have no room for it otherwise. */
  sinceButton() {
    return this.model.sinceLast.length > 0 && button(say("Since your last turn"), this.page.since, { class: "quiet since-button", "data-key": "since" });
  }

  hintButton() {
    return this.model.info.settings.aids
      ? button(say("Hint"), () => this.askHint(), { class: "quiet", "data-key": "hint" })
      : null;
  }

  hintBox() {
    if (!this.hint) return null;
    const [first, ...rest] = this.hintTold();
    return el(
      "div",
      { class: "hint", role: "note", tabindex: "0" },
      el("p", {}, first),
      el("ul", {}, rest.map((text) => el("li", {}, text))),
    );
  }
}

/** @param {any} event */
function notPrivate(event) {
  return event.event !== "tile_drawn";
}

/** What the title has said already. @param {any} event */
function notPlain(event) {
  return !["track_laid", "tile_chosen", "nothing_bought"].includes(event.event);
}

/** Land to choose from, in a row that scrolls where there is little room. @param {HTMLElement[]} cards */
function choices(cards) {
  return markEdges(el("div", { class: "choices", role: "group" }, cards));
}
