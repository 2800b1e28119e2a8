// The text board: answers typed questions about the table, and takes typed moves.

import { errorText, ruleLink, ruleOf } from "../../game/errors.js";
import { announce } from "../../lib/ui/announce.js";
import { el } from "../../lib/ui/dom.js";
import { count, say, sentence, sentences } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../turn/composer.js").Composer} Composer */

/** Most people never ask, so the answers are loaded when somebody is about to. */
const answers = () => import("../../game/questions.js");

export class TextBoard {
  /** @param {Model} model @param {Composer} composer @param {() => import("../../game/teller.js").Teller} teller */
  constructor(model, composer, teller) {
    this.model = model;
    this.composer = composer;
    this.teller = teller;
    this.lines = el("div", { class: "text-lines", tabindex: "0", role: "log", "aria-live": "off", "aria-label": say("Answers") });
    this.input = /** @type {HTMLInputElement} */ (
      el("input", { id: "typed", maxlength: 60, autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "help · hand · V3 · +DEN" })
    );
    this.element = el(
      "div",
      { class: "textboard" },
      this.lines,
      el(
        "form",
        { class: "chat-form", onsubmit: (/** @type {Event} */ event) => this.send(event) },
        el("label", { for: "typed", class: "unseen" }, say("Type a move or a question")),
        this.input,
        el("button", { type: "submit" }, say("Go")),
      ),
    );
    this.input.addEventListener("focus", () => void answers(), { once: true });
    // Enter that ends the composing of an input method sends nothing.
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
    });
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    const typed = this.input.value.normalize("NFKC").trim();
    this.input.value = "";
    if (!typed) return;
    this.write(`> ${typed}`, "asked");
    for (const line of await this.answer(typed)) this.write(line);
  }

  /** @param {string} text @param {string} [kind] */
  write(text, kind = "") {
    this.lines.append(el("p", { class: kind }, text));
    while (this.lines.childElementCount > 200) this.lines.firstElementChild?.remove();
    this.lines.scrollTop = this.lines.scrollHeight;
    if (!kind) announce(text, "answer");
  }

  /** Why a move can't be made, with the way to its rule; a note tells it aloud. @param {Error} error */
  refuse(error) {
    const rule = ruleOf(error);
    if (error.message === "lost") return;
    this.write(errorText(error), "refused");
    if (rule) this.lines.lastElementChild?.append(" ", ruleLink(rule));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {string} typed @returns {Promise<string[]>} */
  async answer(typed) {
    const { model } = this;
    const view = model.view;
    const figures = model.figures;
    if (!view || !figures) return [say("The game hasn’t started yet.")];
    const { inEnglish } = await import("../../game/questions.js");
    const [word, ...rest] = inEnglish(typed).toLowerCase().split(/\s+/);
    const what = rest.join(" ").toUpperCase();
    switch (word) {
      case "help":
        return this.help();
      case "hand":
        return (await this.questions()).hand();
      case "board": {
        const questions = await this.questions();
        return [...questions.routes(), ...questions.cities(), ...questions.players(), ...this.left()];
      }
      case "route":
        return (await this.questions()).route(what);
      case "routes":
        return (await this.questions()).routes();
      case "city":
        return (await this.questions()).city(what);
      case "cities":
        return (await this.questions()).cities();
      case "player":
        return (await this.questions()).player(what);
      case "players":
        return (await this.questions()).players();
      case "since":
        return this.since();
      case "turn":
        return [this.turn()];
      case "hint":
        await this.composer.askHint(true);
        return this.composer.hint ? this.composer.hintTold() : [];
      case "back":
        await this.composer.back(true);
        return [this.composed()];
      case "end":
      case "pass":
        if (!this.composer.ready) return [say("Your turn isn’t complete yet.")];
        await this.composer.end();
        return [];
      default: {
        const buys = /^(?:buy\s+|\+\s*)(.+)$/i.exec(typed);
        const code = this.cityNamed(buys ? buys[1] : typed);
        if (code) return buys ? this.move(`+${code}`) : (await this.questions()).city(code);
        return this.move(typed.toUpperCase());
      }
    }
  }

  /** @param {string} move */
  async move(move) {
    if (!this.model.canPlay) return [this.turn()];
    const tile = /^[A-Z]\d$/.test(move);
    if (!tile && !/^[+-][A-Z]{2,4}\d?$/.test(move)) return [say("That’s neither a move nor a question. Type “help” for a list.")];
    await this.composer.compose(tile ? [move] : [...this.composer.moves.filter((m) => !(move[0] === "+" && m[0] === "+")), move], true);
    if (this.composer.refused) this.refuse(this.composer.refused);
    return this.composer.moves.includes(move) && !this.composer.refused ? [this.composed()] : [];
  }

  composed() {
    const { composer } = this;
    if (!composer.ahead) return this.turn();
    const told = [sentence(composer.title()), say("If you end your turn now:"), ...this.teller().tell(composer.ahead.events.slice(1))];
    if (told.length === 2) told.pop();
    if (composer.ahead.table.phase === "raise") {
      told.push(say("You need more cash. You can sell: {cards}", { cards: composer.ahead.legal.join(" ") }));
    } else if (composer.ahead.legal.length) {
      const offers = composer.ahead.legal.filter((/** @type {string} */ move) => move !== "pass");
      told.push(say("You can buy: {cards}. Type “end” to end your turn.", { cards: offers.join(" ") }));
    } else {
      told.push(say("Type “end” to end your turn, or “back” to undo."));
    }
    return sentences(told);
  }

  help() {
    return [
      say("Moves: V3 lays tile V3, +DEN buys land in Denver, -DEN2 sells a card, “end” ends your turn, “back” undoes the last step, “hint” asks for advice."),
      say("Questions: hand, board, route V, city DEN, player 2, players, since, turn."),
      say("Press Esc to leave this box, then ? for all keyboard shortcuts."),
    ];
  }

  turn() {
    const { model } = this;
    if (model.over) return say("The game is over.");
    const turn = model.view?.turn ?? 0;
    const whose = model.canPlay ? say("It’s your turn. You can lay: {tiles}", { tiles: model.view?.legal.join(" ") ?? "" }) : say("{player}’s turn.", { player: model.names[turn] });
    return sentences([sentence(whose), ...this.left()]);
  }

  /** How near the end is. */
  left() {
    const { view, figures } = this.model;
    if (!view || !figures) return [];
    const left = figures.toLastSpike(view);
    return [sentence(count("{n} tile to the last spike", "{n} tiles to the last spike", left)), sentence(count("{n} tile in the pool", "{n} tiles in the pool", view.pool))];
  }

  /** A city by its code or its name, in this language or in English; null for none. @param {string} named */
  cityNamed(named) {
    const { figures } = this.model;
    const plain = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[\s.-]/g, "").toLowerCase();
    return figures?.edition.cities.find(({ code, name }) => [code, name, this.teller().city(code)].some((each) => plain(each) === plain(named)))?.code ?? null;
  }

  async questions() {
    const { Questions } = await answers();
    const { model } = this;
    const view = /** @type {import("../../game/figures.js").View} */ (model.view);
    return new Questions(view, /** @type {import("../../game/figures.js").Figures} */ (model.figures), this.teller(), {
      hand: model.looking === null ? [] : (view.hands[model.looking] ?? []),
      levels: model.info.seats.map((/** @type {any} */ seat) => seat.level),
      payouts: model.info.settings.aids,
      paid: (letter) => model.events.filter(({ event, route }) => event === "payout" && route === letter),
    });
  }

  since() {
    const turns = this.model.turns.slice(this.model.lastOwn + 1);
    if (!turns.length) return [say("Nothing has happened since your last turn.")];
    return turns.flatMap((turn) => this.teller().tell(turn.events));
  }
}

