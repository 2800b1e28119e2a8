// Composing a turn: lay a tile, sell if you must, buy a card or none, end the turn.
// The server previews each step; nothing is played before the turn is ended.

import { levelName } from "../../game/levels.js";
import { forgetErrors } from "../../lib/ui/announce.js";
import { button, el, fill } from "../../lib/ui/dom.js";
import { count, listed, money, say, sentences } from "../../lib/words.js";
import { summaryLines } from "../side/log.js";
import { hintCard } from "./hint-card.js";
import { forgetDraft, keepDraft, keptDraft } from "./kept-draft.js";
import { buying, selling } from "./land-choices.js";
import { paid } from "./payouts.js";
import { SHOWN, spoken } from "./spoken.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../lib/connection.js").Connection} Connection */

export class Composer {
  /**
   * @param {Model} model
   * @param {Connection} connection
   * @param {{draftChanged: () => void, told: (text: string) => void, failed: (error: Error) => void,
   *   acting: () => void, behind: () => boolean, sinceLast: () => import("../../game/model.js").Turn[], since: () => void, land: () => void, home: () => void, meanwhile: () => HTMLElement | null, turn: () => number | null, teller: () => import("../../game/teller.js").Teller}} page
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
    this.turn = 0;
    /** Whether the turn could be composed when this was drawn last. */
    this.could = false;
    this.element = el("section", { class: "composer", "aria-label": say("Your turn") });
    /** The hint on a wide screen, beside the log; the style sheet shows one of the two. */
    this.beside = el("div", { class: "hint-beside" });
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
    if (number !== this.turn || this.model.canPlay !== this.could) {
      this.turn = number;
      this.could = this.model.canPlay;
      this.moves = [];
      this.ahead = null;
      this.hint = null;
      this.busy = false;
      this.resume();
    }
    this.update();
  }

  /** After a reload, the turn as far as it was composed. */
  resume() {
    if (!this.model.canPlay) return;
    const moves = keptDraft(this.model.id, this.turn);
    if (moves.length) void this.compose(moves);
  }

  /** Take these moves as the turn so far. @param {string[]} moves @param {boolean} [quiet] for who tells of it */
  async compose(moves, quiet = false) {
    if (!this.model.canPlay || this.busy) return;
    const turn = this.turn;
    if (moves.length) this.page.acting();
    if (!this.follows(moves)) this.hint = null;
    this.refused = null;
    if (!moves.length) {
      this.moves = [];
      this.ahead = null;
      forgetDraft();
      this.page.draftChanged();
      if (!quiet) this.page.told(this.spoken());
      return;
    }
    try {
      const ahead = await this.connection.ask({ type: "preview", moves });
      if (turn !== this.turn) return;
      if (moves.some((move) => move.startsWith("+"))) await this.addOffers(ahead, moves);
      forgetErrors();
      this.moves = moves;
      this.ahead = ahead;
      keepDraft(this.model.id, turn, moves);
      if (!quiet) this.page.told(this.spoken());
    } catch (error) {
      this.refused = /** @type {Error} */ (error);
      this.page.failed(this.refused);
    }
    this.page.draftChanged();
  }

  /** With a purchase chosen, the others stay on offer: those of the turn without it. @param {any} ahead @param {string[]} moves */
  async addOffers(ahead, moves) {
    const { before, offers } = this.ahead ?? {};
    if (offers) Object.assign(ahead, { before, offers });
    else {
      const without = this.ahead?.legal.includes(moves.at(-1)) ? this.ahead : await this.connection.ask({ type: "preview", moves: moves.slice(0, -1) }, false);
      Object.assign(ahead, { before: without.table, offers: without.legal });
    }
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

  back(quiet = false) {
    return this.compose(this.moves.slice(0, -1), quiet);
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

  /** @param {boolean} [quiet] for who tells of it */
  async askHint(quiet = false) {
    try {
      const { turn, tile } = this;
      const kept = this.moves.filter((move) => !move.startsWith("+")); // other land can still be chosen
      const asked = kept.length === 1 ? [] : kept; // about the tile as well, while nothing is sold for it
      const hint = await this.ask(asked);
      const other = asked !== kept && hint.moves[0] !== tile ? await this.ask(kept) : null;
      if (turn === this.turn) this.hint = { ...hint, asked, other: other?.moves.length ? { tile, moves: other.moves } : null, folds: { open: false } };
      if (!quiet) this.page.told(sentences(this.hintTold()));
    } catch (error) {
      this.page.failed(/** @type {Error} */ (error));
    }
    this.page.draftChanged();
  }

  /** What the computer would do after these moves. @param {string[]} moves @returns {Promise<any>} */
  ask(moves) {
    return this.connection.ask({ type: "hint", moves }, false);
  }

  /** Whether these moves do what the hint advises. @param {string[]} moves */
  follows(moves) {
    if (!this.hint) return false;
    const advised = [...this.hint.asked, ...this.hint.moves];
    return moves.length > 0 && moves.every((move, n) => move === advised[n]);
  }

  /** The turn that the hint advises, but for ending it. @returns {string[]} */
  get advised() {
    return [...this.hint.asked, ...this.hint.moves].filter((move) => move !== "pass");
  }

  /** Whether it is composed already. */
  get followed() {
    return this.advised.join() === this.moves.join();
  }

  hintTold() {
    if (!this.hint.moves.length) return [say("There’s nothing left to decide this turn.")];
    const { level, moves, words, other } = this.hint;
    const told = (/** @type {string[]} */ each) => listed(each.map((move) => this.page.teller().move(move)));
    return [
      level === "tycoon" ? say("Tycoon, the strongest computer player, would {moves}.", { moves: told(moves) }) : say("{player}, the strongest computer player here, would {moves}.", { player: levelName(level), moves: told(moves) }),
      ...(other ? [say("With {tile}, it would {moves}.", { tile: other.tile, moves: told(other.moves) })] : []),
      ...words,
    ];
  }

  update() {
    fill(this.beside, this.hint && hintCard(this.hintTold(), this.hintWays(null)));
    const { model } = this;
    if (!model.view || !model.info) return;
    if (model.over) return fill(this.element);
    if (model.info.status === "closed") return fill(this.element, ...this.closed());
    if (!model.canPlay) return fill(this.element, ...this.waiting());
    const [plan, acts] = this.ahead ? [this.composed(), this.acts()] : this.choosing();
    fill(this.element, el("div", { class: "plan", tabindex: "0", "data-key": "plan" }, ...plan), el("div", { class: "acts" }, ...acts));
  }

  /** What the last choice does, in words. */
  spoken() {
    return spoken(this);
  }

  /** The game was ended by agreement. */
  closed() {
    return [el("p", { class: "now" }, say("This game ended without a result.")), el("div", { class: "acts" }, button(say("Home"), this.page.home, { class: "main", "data-key": "home" }))];
  }

  waiting() {
    const { model } = this;
    if (typeof model.view?.turn !== "number" || model.mySeat !== null) return []; // behind the curtain
    const turn = this.page.turn() ?? model.view.turn;
    const seat = model.info.seats[turn];
    const player = model.names[turn];
    const text = seat.level
      ? say("{player} is thinking…", { player })
      : say("{player}’s turn.", { player });
    return [el("p", { class: "now" }, text), this.page.meanwhile(), this.since(), this.sinceButton()];
  }

  choosing() {
    const plan = [
      el("div", { class: "plan-head" }, el("h2", { class: "now" }, say("Your turn: lay a tile")), this.tilesToLay()),
      this.hintBox(),
      this.since(),
    ];
    return [plan, [this.landButton(), this.sinceButton(), this.hintButton()]];
  }

  /** What can be laid, unless the map is behind it. */
  tilesToLay() {
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const double = (/** @type {string} */ tile) => figures.cost(view, tile).double;
    if (this.page.behind()) return el("p", { class: "why" }, el("b", {}, say("The map is still showing the others’ turns.")));
    if (!view.legal.length || !view.legal.every(double)) return el("p", { class: "why number" }, count("{n} of your tiles can be laid: choose it.", "{n} of your tiles can be laid: choose one.", view.legal.length));
    const hand = view.hands[/** @type {number} */ (this.model.looking)] ?? [];
    return el(
      "p",
      { class: "why" },
      hand.every(double) ? say("None of your tiles is next to track or a city, so you pay double.") : say("No tile you can afford is next to track or a city, so you pay double."),
    );
  }

  /** What the others did, so that nobody has to look for it. */
  since() {
    const turns = this.page.sinceLast();
    if (!turns.length) return null;
    const teller = this.page.teller();
    return el(
      "div",
      { class: "since-box", tabindex: "0", "data-key": "since-box" },
      el("h3", {}, say("Since your last turn")),
      el(
        "ul",
        { class: "since" },
        turns.slice(-6).map((turn) =>
          el("li", { class: `seat-${turn.seat}` }, summaryLines(teller, turn.seat, turn.events.filter(notPrivate))),
        ),
      ),
    );
  }

  /** What the turn will do, most important first: who is paid, then what else there is to choose. */
  composed() {
    const { ahead } = this;
    const events = ahead.events.filter((/** @type {any} */ event) => !SHOWN.has(event.event));
    const lost = events.some((/** @type {any} */ event) => event.event === "game_over" && !event.winners.includes(this.model.mySeat));
    const told = this.page.teller().tell(events);
    return [
      el("h2", { class: "now" }, this.title()),
      paid(this),
      told.length > 0 && el("ul", { class: lost ? "outcome lost" : "outcome" }, told.map((text) => el("li", {}, text))),
      this.hintBox(),
      ahead.table.phase === "raise" ? selling(this) : buying(this),
    ];
  }

  /** Cash after the turn, and the ways on and back, always in the same place. */
  acts() {
    const what = this.summary();
    return [
      this.ahead.table.phase !== "raise" && el("p", { class: "after" }, this.cashAfter()),
      this.hintButton(),
      button(say("Undo"), () => this.back(), { "data-key": "back" }),
      el(
        "button",
        {
          type: "button",
          class: "main end-turn",
          "data-key": "end-turn",
          "aria-description": what,
          disabled: !this.ready || this.busy,
          onclick: () => this.end(),
        },
        el("span", {}, say("End turn")),
        el("small", { "aria-hidden": "true" }, what),
      ),
    ];
  }

  cashAfter() {
    const me = /** @type {number} */ (this.model.mySeat);
    return say("Cash after this turn: {amount}", { amount: money(this.ahead.table.cash[me]) });
  }

  /** How much is missing to pay for the tile. */
  short() {
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const me = /** @type {number} */ (this.model.mySeat);
    const { cost } = figures.cost(view, /** @type {string} */ (this.tile));
    return say("You’re {amount} short: sell land to the bank.", { amount: money(cost - this.ahead.table.cash[me]) });
  }

  /** The turn in a few words. */
  summary() {
    const tile = /** @type {string} */ (this.tile);
    const cards = this.moves.filter((move) => move.startsWith("-")).map((move) => move.slice(1));
    const bought = this.moves.find((move) => move.startsWith("+"));
    const city = bought ? this.page.teller().city(bought.slice(1)) : "";
    if (cards.length) {
      const facts = { tile, cards: listed(cards), city };
      return bought ? say("Lay {tile}, sell {cards}, buy {city}", facts) : say("Lay {tile}, sell {cards}", facts);
    }
    return bought ? say("Lay {tile}, buy {city}", { tile, city }) : say("Lay {tile}", { tile });
  }

  title() {
    const figures = /** @type {import("../../game/figures.js").Figures} */ (this.model.figures);
    const view = /** @type {import("../../game/figures.js").View} */ (this.model.view);
    const tile = /** @type {string} */ (this.tile);
    const { cost, double } = figures.cost(view, tile);
    const facts = { tile, route: this.page.teller().route(tile[0]), cost: money(cost) };
    if (this.ahead?.events.some((/** @type {any} */ event) => event.event === "route_finished"))
      return double ? say("Lay {tile} at double cost ({cost}) and finish {route}", facts) : say("Lay {tile} for {cost} and finish {route}", facts);
    return double
      ? say("Lay {tile} on {route} at double cost: {cost}", facts)
      : say("Lay {tile} on {route} for {cost}", facts);
  }

  /** The table after tile and sales, before a purchase. */
  get before() {
    return this.ahead?.before ?? this.ahead?.table;
  }

  /** The moves that follow tile and sales, also when a purchase is chosen. @returns {string[]} */
  get offers() {
    return this.ahead?.offers ?? this.ahead?.legal ?? [];
  }

  /** Whether the hint shown advises this move. @param {string} move */
  advises(move) {
    return Boolean(this.hint?.moves.includes(move));
  }

  /** For small screens, which have no room for it otherwise. */
  sinceButton() {
    return this.model.sinceLast.length > 0 && button(say("Since your last turn"), this.page.since, { class: "quiet since-button", "data-key": "since" });
  }

  /** On small screens the list of land is further down. */
  landButton() {
    return button(say("Land"), this.page.land, { class: "quiet land-button", "data-key": "to-land" });
  }

  hintButton() {
    return this.model.info.settings.aids && !this.model.info.daily?.ranked
      ? button(say("Hint"), () => (this.hint ? this.dropHint() : void this.askHint()), { class: "quiet", "aria-expanded": String(Boolean(this.hint)), "data-key": "hint" })
      : null;
  }

  /** The hint above the choices, with its reasons folded where land is chosen. */
  hintBox() {
    return this.hint && hintCard(this.hintTold(), this.hintWays(this.ahead ? this.hint.folds : null));
  }

  /** @param {{open: boolean} | null} reasons */
  hintWays(reasons) {
    const follow = async () => {
      await this.compose(this.advised);
      const end = this.element.querySelector("[data-key=end-turn]");
      if (end instanceof HTMLElement) end.focus({ preventScroll: true });
    };
    return { follow: this.followed ? null : () => void follow(), close: () => this.dropHint(), reasons };
  }

  /** To the land that can be bought or sold, for who uses keys. */
  enterLand() {
    const first = this.element.querySelector(".choice[aria-pressed=true]") ?? this.element.querySelector("button.choice");
    if (first instanceof HTMLElement) first.focus();
  }

  dropHint() {
    this.hint = null;
    this.page.draftChanged();
    const ask = this.element.querySelector("[data-key=hint]");
    if (ask instanceof HTMLElement) ask.focus({ preventScroll: true });
  }
}

/** @param {any} event */
function notPrivate(event) {
  return event.event !== "tile_drawn";
}
