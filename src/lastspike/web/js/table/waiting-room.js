// The waiting room: seats, invitation, options, and the shuffle's commitment.

import { markUsed, ownEdition, ownEditions } from "../game/editions.js";
import { showError } from "../game/errors.js";
import { LEVELS, levelName, levelStyle } from "../game/levels.js";
import { seatSymbol } from "../game/players.js";
import { sayReady, stoppedRounds } from "../game/shuffle.js";
import { ask, base, get, post, site } from "../lib/api.js";
import { same } from "../lib/same.js";
import { settings } from "../lib/settings.js";
import { clockText, CLOCKS, deadlineText } from "./clocks.js";
import { choice } from "../lib/ui/choice.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { linkToShare, onlyHere } from "../lib/ui/share-link.js";
import { say, sayAs } from "../lib/words.js";

/** @typedef {import("../game/model.js").Model} Model */
/** @typedef {import("../lib/connection.js").Connection} Connection */

export class WaitingRoom {
  /** @param {Model} model @param {Connection} connection */
  constructor(model, connection) {
    this.model = model;
    this.connection = connection;
    this.element = el("div", { class: "room" });
    /** @type {Set<string>} */
    this.unfolded = new Set();
    /** The editions that come with the game, once the host needs to know. @type {{id: string, name: string}[] | null} */
    this.shipped = null;
    /** The host's changes on their way, one after the other: two at once might come in another order. @type {Promise<unknown>} */
    this.changed = Promise.resolve();
  }

  update() {
    const { model } = this;
    const { info } = model;
    if (model.you.host && !this.shipped) void this.listEditions();
    fill(
      this.element,
      el("h1", {}, say("Waiting room")),
      this.welcome(),
      el(
        "section",
        { class: "card" },
        el("h2", {}, say("Who’s playing")),
        el("ol", { class: "seats" }, info.seats.map((/** @type {any} */ seat, /** @type {number} */ n) => this.seat(seat, n))),
        this.acts(),
        model.you.host && info.removed.map((/** @type {string} */ person) => this.removed(person)),
      ),
      site.server && this.invitation(),
      this.options(),
      this.fairness(),
    );
  }

  /** Who invites, and a lesson for newcomers, for those who followed a link. */
  welcome() {
    const { info, you } = this.model;
    const host = info.seats.findIndex((/** @type {any} */ seat) => seat.person === info.host);
    if (you.seats.length || host < 0) return null;
    return el(
      "section",
      { class: "card" },
      el("p", {}, el("strong", {}, say("{player} invites you to a game.", { player: this.model.names[host] }))),
      el("p", {}, say("New to The Last Spike?"), " ", el("a", { href: "lesson", "data-key": "lesson" }, say("Learn by playing, in five minutes"))),
    );
  }

  /** What somebody opened stays open when news redraw the room. @param {string} part @param {Event} event */
  unfold(part, event) {
    if (/** @type {HTMLDetailsElement} */ (event.target).open) this.unfolded.add(part);
    else this.unfolded.delete(part);
  }

  /** @param {any} seat @param {number} number */
  seat(seat, number) {
    const { model } = this;
    const mine = model.you.seats.includes(number);
    const free = !seat.person && !seat.level;
    const parts = [
      seatSymbol(number, `seat-${number}`),
      el(
        "span",
        { class: "who" },
        free ? el("i", {}, say("open seat")) : el("bdi", {}, model.names[number]),
        mine && el("span", { class: "tag you" }, say("you")),
        seat.person === model.info.host && el("span", { class: "tag" }, say("host")),
        seat.level && el("span", { class: "notes" }, say("{level}: {told}", { level: levelName(seat.level), told: levelStyle(seat.level) })),
      ),
      seat.person && el("span", { class: seat.ready ? "tag ready" : "tag" }, seat.ready ? say("ready") : say("not ready yet")),
    ];
    if (free && !model.you.seats.length) parts.push(button(say("Sit here"), () => this.sit(number), { "data-key": `sit-${number}` }));
    if (model.you.host && !seat.person) parts.push(this.chooseLevel(seat, number));
    if (model.you.host && seat.person && !mine)
      parts.push(button(say("Remove"), () => this.act("remove", { person: seat.person }), { class: "quiet", "data-key": `remove-${number}` }));
    return el("li", { class: `seat seat-${number}` }, parts);
  }

  /** Somebody whom the host has removed, under the name they had here last. @param {string} person */
  removed(person) {
    const taken = this.model.steps.flatMap((step) => step.happenings).findLast((each) => each.kind === "seat_taken" && each.person === person);
    return el(
      "p",
      { class: "acts" },
      el("span", { class: "why" }, say("{name} has been removed and can only watch.", { name: taken?.name ?? "…" })),
      button(say("Let them back in"), () => this.act("remove", { person, undo: true }), { class: "quiet", "data-key": `let-back-${person}` }),
    );
  }

  /** @param {any} seat @param {number} number */
  chooseLevel(seat, number) {
    const select = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        {
          "aria-label": say("Seat {number}", { number: number + 1 }),
          "data-key": `level-${number}`,
          onchange: () => {
            const level = select.value || null;
            this.changed = this.changed.then(() => ask("PUT", `api/tables/${this.model.id}/seats/${number}`, { level })).catch(showError);
          },
        },
        el("option", { value: "", selected: !seat.level }, say("A person")),
        LEVELS.map((level) => el("option", { value: level, selected: seat.level === level }, levelName(level))),
      )
    );
    return select;
  }

  acts() {
    const { model } = this;
    const { info, you } = model;
    if (!you.seats.length) {
      const free = info.seats.some((/** @type {any} */ seat) => !seat.person && !seat.level);
      return el(
        "p",
        { class: "why" },
        free ? say("Take a seat to play, or stay and watch.") : say("Every seat is taken. You can stay and watch."),
      );
    }
    const ready = info.seats[you.seats[0]].ready;
    const open = info.seats.some((/** @type {any} */ seat) => !seat.person && !seat.level);
    return el(
      "div",
      { class: "acts" },
      ready
        ? button(say("Not ready after all"), () => this.connection.ask({ type: "not_ready" }).catch(showError), { "data-key": "ready" })
        : button(say("Ready"), () => this.ready(), { class: "main", "data-key": "ready" }),
      button(say("Leave the table"), () => this.leave(), { class: "quiet", "data-key": "leave" }),
      el(
        "p",
        { class: "why" },
        open
          ? say("The game starts when every seat is taken and everybody is ready.")
          : ready
            ? say("Waiting for the others.")
            : say("The game starts when everybody is ready."),
      ),
    );
  }

  /** @param {number} seat */
  async sit(seat) {
    try {
      const name = settings.name || (await (await import("../lib/ui/ask-name.js")).askName());
      if (!name) return;
      await post(`api/tables/${this.model.id}/seats`, { name, seat });
      if (!this.model.you.person) this.connection.reconnect();
    } catch (error) {
      showError(error);
    }
  }

  async ready() {
    await this.changed; // a change that arrives later would end the readiness
    await sayReady(this.model, this.connection);
  }

  async leave() {
    await this.act("leave", {});
  }

  /** @param {string} what @param {unknown} body */
  act(what, body) {
    return post(`api/tables/${this.model.id}/${what}`, body).catch(showError);
  }

  invitation() {
    const address = `${location.origin}${base}table/${this.model.id}`;
    return el(
      "section",
      { class: "card" },
      el("h2", {}, say("Invite friends")),
      linkToShare(address, { title: say("Link to this table"), key: "table" }),
      this.shareButton(address),
      el(
        "details",
        { open: this.unfolded.has("qr"), ontoggle: (/** @type {Event} */ event) => this.unfold("qr", event) },
        el("summary", { "data-key": "qr" }, say("QR code")),
        el("img", { class: "qr", src: `api/tables/${this.model.id}/qr`, alt: say("QR code with the link to this table"), width: 200, height: 200, loading: "lazy" }),
      ),
      onlyHere(),
    );
  }

  /** For browsers that can hand a link to other apps. @param {string} address */
  shareButton(address) {
    if (!navigator.share) return null;
    const [seat] = this.model.you.seats;
    const player = seat === undefined ? null : this.model.names[seat];
    const text = player ? say("{player} invites you to a game of The Last Spike. New to it? There is a short lesson.", { player }) : say("You’re invited to a game of The Last Spike. New to it? There is a short lesson.");
    const share = () => navigator.share({ title: "The Last Spike", text, url: address }).catch(() => {}); // closed without sharing
    return el("div", { class: "acts" }, button(say("Share…"), () => void share(), { "data-key": "share" }));
  }

  options() {
    const { info, you } = this.model;
    const { options, clock, aids } = info.settings;
    const rows = [
      this.edition(),
      option(say("Double cost"), "double_cost", options.double_cost, [["forced", say("Only when nothing else can be laid")], ["open", say("Whenever you like")]]),
      option(say("Cash"), "cash", options.cash, [["open", say("Visible to everybody")], ["hidden", sayAs("cash", "Hidden")]]),
      option(say("Hands"), "hands", options.hands, [["hidden", sayAs("hands", "Hidden")], ["open", say("Open, for teaching")]]),
      option(say("Player aids"), "aids", String(aids), [["true", say("On")], ["false", say("Off")]]),
      option(say("Clock"), "clock", clockKey(clock), [...(clockKey(clock) === "own" ? [["own", clockText(clock)]] : []), ...Object.entries(CLOCKS).map(([key, each]) => [key, clockText(each)])]),
    ];
    if (deadlineText(clock)) rows[5].row.append(el("span", { class: "why about" }, deadlineText(clock)));
    if (options.hands === "open")
      rows[3].row.append(el("span", { class: "why about" }, say("Teaching table: everybody sees all hands and can discuss what to lay. Nobody sees the pool.")));
    for (const { select } of rows) {
      select.disabled = !you.host;
      select.addEventListener("change", () => this.change(rows));
    }
    return el(
      "section",
      { class: "card" },
      el("h2", {}, say("Options")),
      el("div", { class: "options" }, rows.map(({ row }) => row)),
    );
  }

  async listEditions() {
    this.shipped = [];
    this.shipped = (await get("api/editions").catch(() => ({ editions: [] }))).editions;
    if (!this.element.isConnected) return; // the game has begun
    this.update();
  }

  /** Which figures are played with: those that come with the game, or the host's own. */
  edition() {
    const { model } = this;
    const { edition, figures } = model.info.settings;
    const id = figures?.id ?? edition;
    const own = model.you.host ? ownEditions().map((each) => [each.figures.id, each.figures.name]) : [];
    const values = [...(this.shipped ?? []).map((each) => [each.id, each.name]), ...own];
    if (!values.some(([known]) => known === id)) values.unshift([id, figures?.name ?? model.figures?.edition.name ?? id]);
    // On a phone there is room for what tells editions apart, and not for what they share.
    const short = values.map(([known, name]) => [known, name.replace(/^The Last Spike \((.+)\)$/, "$1")]);
    const made = option(say("Edition"), "edition", id, short);
    const address = figures && !ownEdition(id) ? `edition?table=${model.id}` : `edition/${id}`;
    made.row.append(el("a", { class: "about rule-link", href: address, target: "_blank", "data-key": "figures" }, say("See all figures")));
    return made;
  }

  /** @param {{name: string, select: HTMLSelectElement}[]} rows */
  change(rows) {
    const value = Object.fromEntries(rows.map(({ name, select }) => [name, select.value]));
    const now = this.model.info.settings;
    const own = ownEdition(value.edition);
    const same = value.edition === (now.figures?.id ?? now.edition);
    if (own && !same) markUsed(own.figures.id);
    const changed = {
      ...now,
      ...(same ? {} : own ? { figures: own.figures } : { edition: value.edition, figures: null }),
      options: { double_cost: value.double_cost, cash: value.cash, hands: value.hands },
      aids: value.aids === "true",
      clock: CLOCKS[value.clock] ?? now.clock,
    };
    const send = () => ask("PATCH", `api/tables/${this.model.id}/settings`, { settings: changed });
    this.changed = this.changed.then(send).catch((error) => {
      showError(error);
      this.update(); // as it is, not as it was wished
    });
  }

  fairness() {
    const { shuffle } = this.model.info;
    return el(
      "details",
      { class: "card fairness", open: this.unfolded.has("fairness"), ontoggle: (/** @type {Event} */ event) => this.unfold("fairness", event) },
      el("summary", { "data-key": "fairness" }, say("A shuffle you can check")),
      el(
        "p",
        {},
        say("The server has chosen a secret and shows its fingerprint. Your browser adds its own secret. Together they shuffle the tiles, so nobody can choose the deal, and after the game anybody can check it."),
      ),
      el("dl", { class: "facts" }, el("dt", {}, say("Fingerprint of round {round}", { round: shuffle.round })), el("dd", {}, el("code", {}, shuffle.commitment))),
      stoppedRounds(shuffle.stopped, this.model.names).map((told) => el("p", { class: "why" }, told)),
    );
  }
}

/** The short name of a clock on offer, or that it is another. @param {any} clock */
function clockKey(clock) {
  return Object.keys(CLOCKS).find((key) => same(CLOCKS[key], clock)) ?? "own";
}

/** @param {string} title @param {string} name @param {string} value @param {string[][]} values */
function option(title, name, value, values) {
  const id = `option-${name}`;
  return { name, ...choice({ id, title, value, values, key: id }) };
}
