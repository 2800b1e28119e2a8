// Home: what this is, and the ways into a game.

import { base, get } from "../lib/api.js";
import { show } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { progress } from "../lesson/progress.js";
import { makeTable } from "../game/new-table.js";
import { levelEase, levelName } from "../game/players.js";
import { change, settings } from "../lib/settings.js";
import { count, dateOf, listed, say } from "../lib/words.js";
import { LEVELS, askName, failed } from "../table/waiting-room.js";

export class Home {
  /** @param {{go: (path: string) => void, openRecord: () => void}} page */
  constructor(page) {
    this.page = page;
    this.games = el("section", { class: "card games", hidden: true });
    this.element = el("div", { class: "home" });
    this.draw();
    void this.load();
    if (location.search === "?play") {
      history.replaceState(null, "", base); // coming back is not playing again
      void this.playNow();
    }
  }

  draw() {
    const level = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { id: "level", onchange: () => change({ level: level.value }) },
        LEVELS.map((name) => el("option", { value: name, selected: settings.level === name }, `${levelName(name)} – ${levelEase(name)}`)),
      )
    );
    fill(
      this.element,
      el(
        "section",
        { class: "hero" },
        el("div", { class: "hero-map", "aria-hidden": "true" }),
        el(
          "div",
          { class: "hero-text" },
          el("h1", {}, "The Last Spike"),
          el("p", { class: "lead" }, say("Build the railway from St. Louis to Sacramento together, and be the richest when the last spike is driven.")),
          el(
            "div",
            { class: "acts big" },
            button(say("Play now"), () => this.playNow(), { class: "main", "data-key": "play" }),
            el("span", { class: "against" }, el("label", { for: "level" }, say("against three computers:")), level),
          ),
        ),
      ),
      el(
        "div",
        { class: "ways" },
        this.way(say("Play with friends"), say("Make a table and send them a link. Nobody needs an account."), say("Make a table"), () => this.friends()),
        this.way(say("Round one device"), say("Everybody takes the device in turn; a curtain hides the hands."), say("Choose the players"), () => this.device()),
        this.way(say("Learn"), say("Play a short game with a coach at your side, in about five minutes."), progress().made ? say("Go on learning") : say("Learn by playing"), () => this.page.go("lesson"), button(say("How it is played"), () => this.page.go("learn"), { class: "quiet", "data-key": "rules" })),
        this.way(say("Open a record"), say("Look at a finished game that you have as a file."), say("Choose a file"), () => this.page.openRecord()),
      ),
      this.games,
    );
  }

  /** @param {string} title @param {string} text @param {string} act @param {() => void} go
   * @param {HTMLElement[]} more */
  way(title, text, act, go, ...more) {
    return el("section", { class: "card way" }, el("h2", {}, title), el("p", {}, text), el("div", { class: "acts" }, button(act, go, { "data-key": title }), more));
  }

  async playNow() {
    const { level } = settings;
    await this.make(["me", level, level, level], settings.name || say("Newcomer"));
  }

  async friends() {
    const players = await askPlayers();
    if (!players) return;
    const name = settings.name || (await askName());
    if (name) await this.make(["me", null, ...Array.from({ length: players - 2 }, () => settings.level)], name);
  }

  async device() {
    const people = await askNames();
    if (!people.length) return;
    const names = Object.fromEntries(people.map((name, seat) => [String(seat), name]));
    await this.make(people.map(() => "me"), people[0], names);
  }

  /** @param {(string | null)[]} seats @param {string} name @param {Record<string, string>} [names] */
  async make(seats, name, names = {}) {
    try {
      const made = await makeTable("api/tables/", { name, seats, names, settings: {} });
      if (made) this.page.go(`table/${made.table}${seats.includes(null) ? "" : "?begin"}`);
    } catch (error) {
      failed(error);
    }
  }

  async load() {
    let tables = [];
    try {
      tables = (await get("api/me/tables")).tables;
    } catch {
      return; // nobody yet
    }
    if (!tables.length) return;
    this.games.hidden = false;
    fill(
      this.games,
      el(
        "div",
        { class: "title" },
        el("h2", {}, say("My games")),
        el("a", { href: "history", onclick: (/** @type {Event} */ event) => { event.preventDefault(); this.page.go("history"); } }, say("History and statistics")),
      ),
      el(
        "ul",
        {},
        tables.map((/** @type {any} */ table) =>
          el(
            "li",
            { class: table.my_turn ? "my-turn" : "" },
            el(
              "a",
              { href: `table/${table.table}`, onclick: (/** @type {Event} */ event) => { event.preventDefault(); this.page.go(`table/${table.table}`); } },
              listed(table.players.map((/** @type {string | null} */ name) => (name ? (LEVELS.includes(name) ? levelName(name) : name) : say("free")))),
            ),
            el("span", { class: "notes" }, `${status(table)} · ${dateOf(table.created)}`),
          ),
        ),
      ),
    );
  }
}

/** @param {any} table */
function status(table) {
  if (table.my_turn) return say("your turn");
  switch (table.status) {
    case "waiting":
      return say("waiting for players");
    case "playing":
      return say("turn {number}", { number: table.turn });
    case "over":
      return say("over");
    default:
      return say("closed");
  }
}

/** For how many a table is to be; 0 if the person thought better of it. @returns {Promise<number>} */
function askPlayers() {
  return new Promise((resolve) => {
    let players = 0;
    const close = show(
      say("How many play?"),
      [
        el("p", { class: "why" }, say("At the table every seat can be for a friend or for a computer.")),
        el(
          "div",
          { class: "acts" },
          [2, 3, 4, 5, 6].map((n) =>
            button(String(n), () => {
              players = n;
              close();
            }, { class: n === 4 ? "main" : "", "aria-label": count("{n} player", "{n} players", n) }),
          ),
        ),
      ],
      { onClose: () => resolve(players) },
    );
  });
}

/** The names of the people round one device. @returns {Promise<string[]>} */
function askNames() {
  return new Promise((resolve) => {
    const inputs = Array.from({ length: 6 }, (_, n) =>
      /** @type {HTMLInputElement} */ (
        el("input", { id: `name-${n}`, maxlength: 24, autocomplete: "off", value: n === 0 ? settings.name : "", placeholder: say("Player {number}", { number: n + 1 }) })
      ),
    );
    const dialog = /** @type {HTMLDialogElement} */ (
      el(
        "dialog",
        { class: "card", "aria-labelledby": "names-title", onclose: () => done([]) },
        el(
          "form",
          {
            method: "dialog",
            onsubmit: (/** @type {Event} */ event) => {
              event.preventDefault();
              const names = inputs.map((input, n) => input.value.normalize("NFKC").trim() || (n < 2 ? say("Player {number}", { number: n + 1 }) : "")).filter(Boolean);
              done(names);
            },
          },
          el("h2", { id: "names-title" }, say("Who plays?")),
          el("p", { class: "why" }, count("Up to {n} person; leave the rest empty.", "Up to {n} people; leave the rest empty.", 6)),
          inputs.map((input, n) => el("p", { class: "option" }, el("label", { for: `name-${n}` }, say("Player {number}", { number: n + 1 })), input)),
          el("div", { class: "acts" }, el("button", { class: "main", type: "submit" }, say("Begin")), button(say("Cancel"), () => done([]))),
        ),
      )
    );
    let settled = false;
    /** @param {string[]} names */
    function done(names) {
      if (settled) return;
      settled = true;
      dialog.remove();
      resolve(names);
    }
    document.body.append(dialog);
    dialog.showModal();
  });
}
