// The end of the game: who wins, the final scores, and what to do next.

import { seatSymbol } from "../game/players.js";
import { post } from "../lib/api.js";
import { announce } from "../lib/ui/announce.js";
import { button, el, fill, tableHead } from "../lib/ui/dom.js";
import { sideScroller } from "../lib/ui/side-scroll.js";
import { listed, money, say, sayAs, sentences, shortMoney } from "../lib/words.js";

/** @typedef {import("../game/model.js").Model} Model */
/** @typedef {import("../game/figures.js").Figures} Figures */

export class FinalScores {
  /**
   * @param {Model} model
   * @param {{go: (path: string) => void, teller: () => import("../game/teller.js").Teller, record: () => any,
   *   replay: () => void, picture: () => void, failed: (error: any) => void}} page
   */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    this.element = el("section", { class: "finale", hidden: true, "aria-label": say("Final scores") });
  }

  /** A name has changed: the next `update` draws the scores again. */
  clear() {
    fill(this.element);
  }

  /** Drawn once: after the game nothing of it changes. */
  update() {
    const { model } = this;
    const { events } = model;
    const over = events.find((event) => event.event === "game_over");
    if (!over || this.element.childElementCount) return;
    fill(
      this.element,
      el("h2", {}, this.page.teller().sentences(over).at(-1)),
      this.tie(over),
      this.scores(events, over),
      this.waysOn(),
    );
    this.element.scrollIntoView({ block: "nearest" });
    announce(sentences(this.page.teller().sentences(over)));
  }

  /** Why one of several with equal cash is before the others (E2). @param {any} over */
  tie(over) {
    const { names, view } = this.model;
    const figures = /** @type {Figures} */ (this.model.figures);
    const first = over.ranks.indexOf(1);
    const equal = names.map((_, seat) => seat).filter((seat) => over.cash[seat] === over.cash[first] && !view?.bankrupt.includes(seat));
    if (!view || equal.length < 2) return null;
    const teller = this.page.teller();
    const land = listed(equal.map((seat) => teller.share(seat, money(figures.landPrice(view, seat)))));
    return el(
      "p",
      {},
      equal.some((seat) => seat === teller.own)
        ? say("You’re tied on cash, so the price of land decides: {land}.", { land })
        : say("They’re tied on cash, so the price of their land decides: {land}.", { land }),
    );
  }

  /** @param {any[]} events @param {any} over */
  scores(events, over) {
    const { names, figures } = this.model;
    const begin = /** @type {Figures} */ (figures).edition.starting_cash[names.length];
    const teller = this.page.teller();
    const rows = names
      .map((_, seat) => ({ name: teller.name(seat), seat, ...earned(events, seat), cash: over.cash[seat], rank: over.ranks[seat] }))
      .sort((one, other) => one.rank - other.rank);
    return sideScroller(
      say("Final scores"),
      "scores",
      el(
        "table",
        {},
        el("caption", { class: "unseen" }, say("Final scores")),
        tableHead([say("Rank"), say("Player"), sayAs("amount", "Start"), say("Payouts"), say("Bonus"), sayAs("amount", "Track"), sayAs("amount", "Land"), say("Cash")]),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              { class: `seat-${row.seat}${row.rank === 1 ? " winner" : ""}` },
              el("td", {}, String(row.rank)),
              el("th", { scope: "row" }, seatSymbol(row.seat), " ", el("bdi", {}, row.name)),
              amount(begin),
              amount(row.payouts),
              amount(row.bonus),
              amount(row.track),
              amount(row.land),
              amount(row.cash, "total"),
            ),
          ),
        ),
      ),
    );
  }

  /** What can be done when the game is over. */
  waysOn() {
    const { model, page } = this;
    return el(
      "div",
      { class: "acts" },
      model.you.seats.length > 0 && button(say("Play again"), () => this.rematch(), { class: "main", "data-key": "again" }),
      button(say("Watch again"), page.replay, { "data-key": "replay" }),
      button(say("Home"), () => page.go(""), { "data-key": "home" }),
      button(say("Save a picture"), page.picture, { class: "quiet", "data-key": "picture" }),
      button(say("Review the game"), () => page.go(model.id ? `review/${model.id}` : "review"), { "data-key": "review" }),
      page.record()?.shuffle !== null && button(say("Check the shuffle"), () => page.go(model.id ? `verify/${model.id}` : "verify"), { class: "quiet", "data-key": "verify" }),
      model.id && el("a", { class: "button quiet", href: `api/tables/${model.id}/record`, download: "last-spike.json" }, say("Download the record")),
    );
  }

  async rematch() {
    try {
      const { table } = await post(`api/tables/${this.model.id}/rematch`);
      this.page.go(`table/${table}?begin`);
    } catch (error) {
      this.page.failed(error);
    }
  }
}

/** A cell with an amount, shorter where there is little room. @param {number} dollars @param {string} [kind] */
function amount(dollars, kind) {
  return el("td", { class: kind ?? null }, el("span", { class: "wide" }, money(dollars)), el("span", { class: "narrow", "aria-label": money(dollars), role: "img" }, shortMoney(dollars)));
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
