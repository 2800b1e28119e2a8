// The screen of a review: the board beside the charts, deciding turns, luck and play, land.

import { errorText, showError } from "../game/errors.js";
import { Figures } from "../game/figures.js";
import { Model } from "../game/model.js";
import { namesInRecord, seatSymbol } from "../game/players.js";
import { openedRecord } from "../game/record.js";
import { Teller } from "../game/teller.js";
import { get, post, site } from "../lib/api.js";
import { waitForJob } from "../lib/jobs.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { button, el, fill, tableHead } from "../lib/ui/dom.js";
import { listen } from "../lib/ui/keys.js";
import { sideScroller } from "../lib/ui/side-scroll.js";
import { decimal, money, percent, say, sayAs, spoken } from "../lib/words.js";
import { cashByTurn } from "./accounts.js";
import { titleWithBack, waysBack } from "./back-link.js";
import { ReviewBoard } from "./board.js";
import { movesTold, points, thousands } from "./figures.js";
import { lineChart } from "./line-chart.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} table its id; none: the record that is open */
  constructor(page, table) {
    this.page = page;
    this.table = table;
    this.closed = false;
    this.bar = /** @type {HTMLProgressElement} */ (el("progress", { max: 1, value: 0, "aria-label": say("Review progress") }));
    this.waiting = el("section", { class: "card" }, el("p", {}, site.server ? say("The computer plays the game out from each turn, hundreds of times. This takes about a minute, but only the first time; you can leave and come back.") : say("The computer plays the game out from each turn, dozens of times. This takes about a minute, but only the first time. It pauses while you’re elsewhere.")), this.bar);
    /** What can be read of the game: at first the cash, which needs no computing. */
    this.parts = el("div", { class: "review-parts" });
    this.body = el("div", { class: "review-body" }, this.parts);
    fill(this.parts, this.waiting);
    /** @type {ReviewBoard | null} */
    this.board = null;
    /** The charts that the board moves with. @type {ReturnType<typeof lineChart>[]} */
    this.charts = [];
    this.element = el("div", { class: "room review" }, this.title(), this.body);
    this.stopListening = listen(() => this.shortcuts());
    this.load().catch((error) => {
      showError(error);
      fill(this.element, this.title(), el("p", {}, errorText(error)), waysBack(page, table));
    });
  }

  close() {
    this.closed = true;
    this.stopListening();
  }

  /** Anywhere but in a table that scrolls sideways. */
  shortcuts() {
    if (!this.board || document.activeElement?.closest("[data-scroller]")) return [];
    return [{ keys: "ArrowLeft ArrowRight", told: () => say("Previous or next turn"), act: (/** @type {string} */ key) => this.board?.step(key === "ArrowLeft" ? -1 : 1) }];
  }

  title() {
    return titleWithBack(say("Game review"), this.page, this.table);
  }

  async load() {
    const opened = this.table ? null : openedRecord();
    const record = this.table ? await get(`api/tables/${this.table}/record`) : opened?.record;
    if (!record) throw new Error(say("No game record is open in this tab. Open one first."));
    const figures = new Figures(record.figures ?? (await get(`api/editions/${record.edition}`)));
    const names = namesInRecord(record);
    this.teller = new Teller(figures, names, await this.own());
    this.names = names.map((_, seat) => /** @type {Teller} */ (this.teller).name(seat));
    const model = new Model("");
    model.figures = figures;
    const [told] = await Promise.all([opened?.told ?? post("api/records", record), loadStylesheet("review.css")]);
    model.receive(told);
    this.board = new ReviewBoard(model, this.teller, { moved: (turn) => this.mark(turn), hands: (turn) => this.hands(turn) });
    const cash = cashByTurn(model.dealt, model.turns, names.length, figures.edition.starting_cash[names.length]);
    fill(this.body, this.board.element, this.parts);
    fill(this.parts, el("section", { class: "card" }, this.cashChart(cash)), this.waiting);
    this.board.update();
    const [path, body] = this.table ? [`api/tables/${this.table}/review`] : ["api/records/review", { record }];
    const review = await waitForJob(path, body, this.bar, () => !this.closed);
    if (review) this.draw(review);
  }

  /** The seat of the viewer; null for who only watched, and where several people shared a device. @returns {Promise<number | null>} */
  async own() {
    if (!this.table) return null;
    const { games } = await get("api/me/history");
    const mine = games.find((/** @type {any} */ game) => game.table === this.table)?.mine ?? [];
    return mine.length === 1 ? mine[0] : null;
  }

  /** A chart that moves the board. @param {Omit<Parameters<typeof lineChart>[0], "names" | "onTurn" | "onHover">} drawn */
  chart(drawn) {
    const beside = matchMedia("(min-width: 56.3em)").matches;
    const chart = lineChart({ ...(beside ? { size: "middle" } : {}), ...drawn, names: /** @type {string[]} */ (this.names), onTurn: (turn) => this.look(turn), onHover: (turn) => this.board?.hover(turn) });
    this.charts.push(chart);
    return chart.element;
  }

  /** @param {number[][]} values */
  cashChart(values) {
    return this.chart({ title: say("Cash"), values, told: thousands });
  }

  /** The board shows another turn: so do the charts. @param {number} turn */
  mark(turn) {
    for (const chart of this.charts) chart.mark(turn);
  }

  /** @param {any} review */
  draw(review) {
    const wins = review.chances.map((/** @type {any} */ at) => at.chances);
    const deciding = review.deciding.map((/** @type {any} */ each) => each.turn);
    const { standings } = review.facts;
    this.charts = [];
    fill(
      this.parts,
      el(
        "section",
        { class: "card" },
        this.cashChart(standings.map((/** @type {any} */ at) => at.cash)),
        this.chart({ title: say("Cash plus price of land"), values: standings.map((/** @type {any} */ at) => at.wealth), told: thousands }),
      ),
      el("section", { class: "card" }, this.chart({ title: say("Chance to win"), values: wins, marks: deciding, told: percent, most: 1 }), el("p", { class: "notes" }, say("Worked out after the game, with all hands known.")), this.decided(review)),
      el("section", { class: "card" }, el("h2", {}, say("Mistakes")), site.server ? null : el("p", { class: "why" }, say("Without a server, Speculator judges the turns. It tries fewer possible deals, so only large mistakes are certain enough to be shown.")), this.losses(review)),
      el("section", { class: "card" }, this.everyTurn(review)),
      el("section", { class: "card" }, el("h2", {}, say("Luck and play")), this.luck(review)),
      el("section", { class: "card" }, el("h2", {}, say("Payouts")), this.payouts(review)),
      el("section", { class: "card" }, el("h2", {}, say("What land cost and earned")), this.land(review)),
      waysBack(this.page, this.table),
    );
    this.board?.update();
  }

  /** @param {any} review */
  decided(review) {
    return el(
      "div",
      {},
      el("h2", {}, say("Turning points")),
      el("p", { class: "why" }, say("A point is one percentage point of the chance to win.")),
      el(
        "ol",
        { class: "turns" },
        review.deciding.map((/** @type {any} */ each) => {
          const turn = review.turns[each.turn - 1];
          const most = each.change.indexOf(Math.max(...each.change));
          return el(
            "li",
            { class: `seat-${each.seat}` },
            this.turnButton(each.turn, each.seat),
            el("p", {}, say("Played: {moves}.", { moves: movesTold(/** @type {Teller} */ (this.teller), turn.moves) })),
            el("p", {}, this.gained(most, points(each.change[most]))),
            el("p", { class: "notes" }, each.by_play > each.by_luck ? say("Due more to the moves than to the tile drawn.") : say("Due more to the tile drawn than to the moves.")),
          );
        }),
      ),
    );
  }

  /** @param {any} review */
  losses(review) {
    const turns = review.turns.filter((/** @type {any} */ turn) => turn.judgement.loss).sort((/** @type {any} */ one, /** @type {any} */ other) => other.judgement.loss.mean - one.judgement.loss.mean);
    if (!turns.length) return el("p", {}, say("None: no turn clearly lost two points or more."));
    const own = (/** @type {any} */ turn) => Number(turn.seat === this.teller?.own);
    turns.sort((/** @type {any} */ one, /** @type {any} */ other) => own(other) - own(one)); // one's own first
    return el(
      "ol",
      { class: "turns" },
      turns.map((/** @type {any} */ turn) => {
        const { loss, other } = turn.judgement;
        return el(
          "li",
          { class: `seat-${turn.seat}` },
          this.turnButton(turn.number, turn.seat),
          el("p", {}, say("Played: {moves}.", { moves: movesTold(/** @type {Teller} */ (this.teller), turn.moves) })),
          el("p", {}, this.better(turn.seat, movesTold(/** @type {Teller} */ (this.teller), other))),
          el("p", {}, el("b", {}, say("Worth {points} more (± {error}).", { points: points(loss.mean), error: points(2 * loss.error) }))),
          turn.judgement.hinted && site.server && el("p", { class: "notes" }, say("The hint recommended the turn that was played, but it tried fewer possible deals than this review.")),
          el("ul", {}, this.reasons(turn).map((text) => el("li", {}, text))),
        );
      }),
    );
  }

  /** Why the other turn was better: to the viewer, or about the player whose turn it was. A review that was made
   * before they were told apart has none for others. @param {any} turn @returns {string[]} */
  reasons(turn) {
    const words = turn.seat === this.teller?.own ? turn.words : turn.about;
    return words?.[spoken()] ?? words?.en ?? [];
  }

  /** @param {number} seat @param {string} points */
  gained(seat, points) {
    return seat === this.teller?.own ? say("You gained {points}.", { points }) : say("{player} gained {points}.", { player: this.name(seat), points });
  }

  /** @param {number} seat @param {string} moves */
  better(seat, moves) {
    return seat === this.teller?.own
      ? say("Better, given what you knew: {moves}.", { moves })
      : say("Better, given what {player} knew: {moves}.", { player: this.name(seat), moves });
  }

  /** What the computer would have done, by what the player knew. @param {any} review */
  everyTurn(review) {
    return el(
      "details",
      {},
      el("summary", {}, say("Every turn, and what the computer would have done")),
      table(
        say("Every turn, and what the computer would have done"),
        [say("Turn"), say("Player"), sayAs("moves", "Played"), say("Computer"), say("Loss")],
        review.turns.map((/** @type {any} */ turn) => {
          const { forced, computer, loss } = turn.judgement;
          return [
            String(turn.number),
            this.player(turn.seat),
            turn.moves.join(" "),
            forced ? say("no choice") : computer.join(" ") === turn.moves.join(" ") ? say("the same") : computer.join(" "),
            loss ? say("{mean} ± {margin}", { mean: points(loss.mean), margin: decimal(Math.round(200 * loss.error)) }) : "–",
          ];
        }),
        site.server
          ? say("The computer’s turn is the hint it would have given then. A loss is how much more often the better turn wins than the one played. Losses under two points aren’t shown.")
          : say("The computer’s turn is what Speculator chose. It tried fewer possible deals than for a hint. A loss is how much more often the better turn wins than the one played."),
      ),
    );
  }

  /** @param {any} review */
  luck(review) {
    const columns = [
      [say("Fair share"), (/** @type {any} */ each) => each.fair],
      [say("The deal"), (/** @type {any} */ each) => each.deal.mean],
      [say("Tiles drawn"), (/** @type {any} */ each) => each.draws.mean],
      [say("Own play"), (/** @type {any} */ each) => each.own_play.mean],
      [say("Others’ play"), (/** @type {any} */ each) => each.others_play.mean],
      [say("Result"), (/** @type {any} */ each) => each.result],
    ];
    return table(
      say("Luck and play"),
      [say("Player"), ...columns.map(([title]) => /** @type {string} */ (title))],
      review.luck.map((/** @type {any} */ each, /** @type {number} */ seat) => [
        this.player(seat),
        ...columns.map(([, of], n) => {
          const value = /** @type {(each: any) => number} */ (of)(each);
          return el("span", { class: value < -0.005 ? "minus" : "" }, n === 0 || n === columns.length - 1 ? percent(value) : decimal(Math.round(100 * value)));
        }),
      ]),
      say("In percentage points of the chance to win; the columns add up to the result. Playing like the Surveyor scores 0."),
    );
  }

  /** @param {any} review */
  payouts(review) {
    const names = /** @type {string[]} */ (this.names);
    /** @type {(thing: "route" | "city", name: (code: string) => string) => HTMLElement} */
    const by = (thing, name) => {
      /** @type {Map<string, number[]>} */
      const sums = new Map();
      for (const paid of review.facts.payouts) {
        const row = sums.get(paid[thing]) ?? names.map(() => 0);
        row[paid.seat] += paid.amount;
        sums.set(paid[thing], row);
      }
      return table(
        thing === "route" ? say("By route") : say("By city"),
        [thing === "route" ? say("Route") : say("City"), ...names],
        [...sums].map(([code, row]) => [name(code), ...row.map((amount) => (amount ? money(amount) : "–"))]),
      );
    };
    const teller = /** @type {Teller} */ (this.teller);
    return el("div", {}, by("city", (code) => teller.city(code)), by("route", (letter) => teller.route(letter)));
  }

  /** @param {any} review */
  land(review) {
    return table(
      say("What land cost and earned"),
      [say("Card"), say("Player"), say("Turn"), say("Cost"), say("Earned"), say("Gain")],
      review.facts.holdings.map((/** @type {any} */ card) => {
        const gain = card.earned + card.fetched - card.cost;
        return [card.card, this.player(card.seat), String(card.since), card.cost ? money(card.cost) : say("free land"), money(card.earned + card.fetched), el("span", { class: gain < 0 ? "minus" : "" }, money(gain))];
      }),
      say("A card earns what it adds to each payout, counting cards in the order they were acquired. What it was sold for counts too."),
    );
  }

  /** @param {number} seat */
  name(seat) {
    return /** @type {string[]} */ (this.names)[seat];
  }

  /** @param {number} seat */
  player(seat) {
    return el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), el("bdi", {}, this.name(seat)));
  }

  /** @param {number} turn @param {number} seat */
  turnButton(turn, seat) {
    const own = seat === this.teller?.own;
    const title = own ? say("Turn {number}, you", { number: turn }) : say("Turn {number}, {player}", { number: turn, player: this.name(seat) });
    const look = () => {
      this.look(turn);
      this.board?.element.scrollIntoView({ block: "nearest" }); // on a phone it is not beside the list
    };
    return button(title, look, { class: "entry-turn", title: say("Show the board after this turn"), "data-key": `turn-${turn}` });
  }

  /** Show the board after a turn. @param {number} turn */
  look(turn) {
    this.board?.to(turn);
  }

  /** That turn at the table, where all hands lie open. @param {number} turn */
  hands(turn) {
    this.page.go(`${this.table ? `table/${this.table}` : "record"}#turn=${turn}`);
  }
}

/** With a text that says how to read it, it stands alone under a heading that says the same as its caption.
 * @param {string} caption @param {string[]} titles @param {(Node | string)[][]} rows @param {string} [reading] */
function table(caption, titles, rows, reading) {
  return el(
    "div",
    {},
    reading && el("p", { class: "why" }, reading),
    sideScroller(
      caption,
      "wide-table",
      el(
        "table",
        {},
        el("caption", { class: reading ? "unseen" : null }, caption),
        tableHead(titles),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, n) => el(n ? "td" : "th", n ? {} : { scope: "row" }, cell))))),
      ),
    ),
  );
}
