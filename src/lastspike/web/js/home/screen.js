// The home screen: the ways into a game, and the person's tables.

import { showError } from "../game/errors.js";
import { levelEase, levelName, LEVELS } from "../game/levels.js";
import { makeTable } from "../game/new-table.js";
import { progress } from "../lesson/progress.js";
import { base, get } from "../lib/api.js";
import { change, settings } from "../lib/settings.js";
import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { dateOf, listed, say, sayAs } from "../lib/words.js";

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
        LEVELS.map((name) => el("option", { value: name, selected: settings.level === name }, say("{level} – {difficulty}", { level: levelName(name), difficulty: levelEase(name) }))),
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
          el("p", { class: "lead" }, say("Build the railway from St. Louis to Sacramento together, and finish with the most cash when the last spike is driven.")),
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
        this.way("friends", say("Play with friends"), say("Create a table and send them the link. Nobody needs an account."), say("Create a table"), () => this.friends()),
        this.way("device", say("Pass and play"), say("Pass the device from player to player. A curtain hides the hands in between."), say("Choose players"), () => this.device()),
        this.way("learn", say("Learn"), say("Play a short game with a coach. It takes about five minutes."), progress().made ? say("Continue the lesson") : say("Learn by playing"), () => this.page.go("lesson"), button(say("How to play"), () => this.page.go("learn"), { class: "quiet", "data-key": "rules" })),
        this.way("record", say("Open a record"), say("Watch a finished game from a file."), say("Choose a file"), () => this.page.openRecord()),
      ),
      this.games,
    );
  }

  /** @param {string} key @param {string} title @param {string} text @param {string} act @param {() => void} go
   * @param {HTMLElement[]} more */
  way(key, title, text, act, go, ...more) {
    return el("section", { class: "card way" }, el("h2", {}, title), el("p", {}, text), el("div", { class: "acts" }, button(act, go, { "data-key": key }), more));
  }

  async playNow() {
    const { level } = settings;
    await this.make(["me", level, level, level], settings.name || say("Newcomer"));
  }

  async friends() {
    const players = await (await dialogs()).askPlayers();
    if (!players) return;
    const name = settings.name || (await (await import("../lib/ui/ask-name.js")).askName());
    if (name) await this.make(["me", null, ...Array.from({ length: players - 2 }, () => settings.level)], name);
  }

  async device() {
    const people = await (await dialogs()).askNames();
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
      showError(error);
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
        el("h2", {}, say("Your games")),
        pageLink("history", this.page.go, {}, say("History and statistics")),
      ),
      el(
        "ul",
        {},
        tables.map((/** @type {any} */ table) =>
          el(
            "li",
            { class: table.my_turn ? "my-turn" : "" },
            pageLink(
              `table/${table.table}`,
              this.page.go,
              {},
              listed(table.players.map((/** @type {string | null} */ name) => (name ? (LEVELS.includes(name) ? levelName(name) : name) : say("open seat")))),
            ),
            el("span", { class: "notes" }, el("span", { class: "fact" }, status(table)), el("span", { class: "fact" }, dateOf(table.created))),
          ),
        ),
      ),
    );
  }
}

/** Most people play without them, so they are loaded when asked for. */
const dialogs = () => import("./ask-players.js");

/** @param {any} table */
function status(table) {
  if (table.my_turn) return say("your turn");
  switch (table.status) {
    case "waiting":
      return say("waiting for players");
    case "playing":
      return say("turn {number}", { number: table.turn });
    case "over":
      return sayAs("game", "over");
    default:
      return sayAs("game", "closed");
  }
}
