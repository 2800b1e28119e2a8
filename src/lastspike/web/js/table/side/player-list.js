// The list of players: name, cash, land, tiles, clock, and whose turn it is.

import { levelName } from "../../game/levels.js";
import { seatSymbol } from "../../game/players.js";
import { el, fill } from "../../lib/ui/dom.js";
import { countTo } from "../motion/money-flight.js";
import { clockTime, count, lastDayOf, longTime, money, say, sayAs, spoken } from "../../lib/words.js";
import { deadlineText, isSlow } from "../clocks.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/figures.js").Figures} Figures */
/** @typedef {import("../../game/figures.js").View} View */

/** How many cards of a city: its code, and a bar for each card. @param {Model} model @param {string} code @param {number} cards */
function holding(model, code, cards) {
  const city = /** @type {Figures} */ (model.figures).cityName(code, spoken());
  const told = count("{city}: {n} card", "{city}: {n} cards", cards, { city });
  return el(
    "span",
    { class: "holding", role: "img", "aria-label": told, title: told },
    el("span", {}, code),
    el("span", { class: "bars" }, Array.from({ length: cards }, () => el("i"))),
  );
}

/** How many tiles somebody holds, on a tile. @param {number} tiles */
function tilesLeft(tiles) {
  const text = count("{n} tile", "{n} tiles", tiles);
  return el("span", { class: "tiles-left", role: "img", "aria-label": text, title: text }, String(tiles));
}

/** @param {string} text */
function turnMark(text) {
  return el("span", { class: "turn-mark", title: text }, el("span", { "aria-hidden": "true" }, "▶"), el("span", { class: "unseen" }, text));
}

/** A hand that lies open. @param {string[]} tiles @param {string} player */
function openHand(tiles, player) {
  return el(
    "span",
    { class: "open-hand", role: "img", "aria-label": say("{player} holds {tiles}", { player, tiles: tiles.join(" ") }) },
    tiles.map((tile) => el("i", {}, tile)),
  );
}

/** What is said of a person who is on vacation now. @param {number[][]} holidays @param {number} now */
function vacationText(holidays, now) {
  const holiday = holidays.find(([begins, ends]) => begins <= now && now < ends);
  return holiday ? say("on vacation through {date}", { date: lastDayOf(holiday[0], holiday[1]) }) : "";
}

export class PlayerList {
  /** @param {{onPlayer: (seat: number) => void}} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    this.element = el("ol", { class: "players", "aria-label": say("Players") });
    /** @type {Map<number, HTMLElement>} */
    this.clocks = new Map();
    /** Where it says that somebody is on vacation. @type {Map<number, HTMLElement>} */
    this.vacations = new Map();
    /** What each had when the list was drawn last. @type {Map<number, number>} */
    this.had = new Map();
  }

  /** @param {Model} model @param {View} view as it is, or was @param {boolean} live whether it is not an earlier turn: cash counts up */
  update(model, view, live) {
    const { info } = model;
    this.clocks.clear();
    this.vacations.clear();
    fill(
      this.element,
      info.seats.map((/** @type {any} */ seat, /** @type {number} */ number) =>
        this.player(model, view, seat, number, live),
      ),
    );
    this.tick(model);
  }

  /** @param {Model} model @param {View} view @param {any} seat @param {number} number @param {boolean} live */
  player(model, view, seat, number, live) {
    const out = view.bankrupt.includes(number);
    const turn = view.turn === number;
    const own = turn && model.own === number && model.mySeat === number;
    const mine = model.you.seats.includes(number);
    const cash = view.cash[number];
    const cashPart = el("span", { class: "cash" }, cash === null ? sayAs("cash", "Hidden") : money(cash));
    if (cash !== null) {
      if (live) countTo(cashPart, this.had.get(number) ?? cash, cash);
      this.had.set(number, cash);
    }
    const clock = el("span", { class: "clock", title: deadlineText(model.info.settings.clock) });
    this.clocks.set(number, clock);
    const open = model.over || model.looking === number ? null : view.hands[number]; // at a teaching table
    const notes = [];
    if (seat.level) notes.push(seat.stands_in ? say("{level} standing in", { level: levelName(seat.level) }) : levelName(seat.level));
    else if (model.presence && !model.presence.here[number] && !mine) notes.push(say("away"));
    if (out) notes.push(say("bankrupt"));
    const vacation = el("p", { class: "notes vacation", hidden: true });
    if (seat.holidays.length) this.vacations.set(number, vacation);
    const cards = /** @type {Figures} */ (model.figures).holdings(view, number);
    return el(
      "li",
      { class: `player seat-${number}${turn ? " turn" : ""}${out ? " out" : ""}`, "aria-current": turn ? "true" : null },
      el(
        "button",
        {
          type: "button",
          class: "player-button",
          "data-key": `player-${number}`,
          onclick: () => this.listeners.onPlayer(number),
        },
        seatSymbol(number),
        el(
          "span",
          { class: "who" },
          el("bdi", { class: "player-name" }, model.names[number]),
          model.eyes === number && el("span", { class: "tag you" }, say("you")),
          notes.map((text) => el("span", { class: "notes fact" }, text)),
          turn && turnMark(own ? say("your turn") : say("now playing")),
        ),
        cashPart,
        el("span", { class: "holdings" }, tilesLeft(view.tiles[number]), cards.map(({ code, cards }) => holding(model, code, cards)), clock),
        open && open.length > 0 && openHand(open, model.names[number]),
      ),
      vacation,
    );
  }

  /** Bring up to date what changes with time: the clocks, and who is on vacation. @param {Model} model */
  tick(model) {
    const { clock, view } = model;
    for (const [seat, part] of this.vacations) {
      const text = vacationText(model.info.seats[seat].holidays, model.now());
      if (part.textContent !== text) part.textContent = text;
      part.hidden = !text;
    }
    for (const [seat, part] of this.clocks) {
      let text = "";
      const time = isSlow(model.info.settings.clock) ? longTime : clockTime;
      if (clock && view) {
        if (view.turn === seat && clock.deadline) text = time(clock.deadline - model.now());
        else if (clock.banks) text = time(clock.banks[seat]);
      }
      if (part.textContent !== text) part.textContent = text;
      part.classList.toggle("short", Boolean(view?.turn === seat && clock?.deadline && clock.deadline - model.now() < 30000));
    }
  }
}

