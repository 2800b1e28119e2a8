// The home screen: the ways into a game, and the person's tables.

import { showError } from "../game/errors.js";
import { HomeCard } from "../daily/home-card.js";
import { levelName, LEVELS } from "../game/levels.js";
import { makeTable } from "../game/new-table.js";
import { progress } from "../lesson/progress.js";
import { base, get, site } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { load, save } from "../lib/storage.js";
import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { clockTime, dateOf, longTime, listed, say, sayAs } from "../lib/words.js";
import { opponentChoices, opponentLevels } from "./opponents.js";

/** Games that went on when this browser last asked. */
const KEY = "lastspike.running";
const FINISHED = 5;

/** A table in my list; `until` is when the time of whose turn it is runs out, 0 without a clock.
 * @typedef {{table: string, status: string, players: (string | null)[], created: number, turn: number, my_turn: boolean,
 *   to_move: number | null, left: number | null, until: number, mine: number[], rank: number | null, settings: any}} Listed */

export class Home {
  /** @param {{go: (path: string) => void, openRecord: () => void}} page */
  constructor(page) {
    this.page = page;
    this.waiting = el("section", { class: "card games", hidden: true });
    this.running = el("section", { class: "card games", hidden: true });
    this.finished = el("section", { class: "card games", hidden: true });
    this.daily = site.daily ? new HomeCard(page).element : null;
    this.element = el("div", { class: "home" });
    /** Where the time left is told, and until when it lasts. @type {Map<HTMLElement, {until: number, slow: boolean}>} */
    this.clocks = new Map();
    this.draw();
    // From the last visit, so that what comes below does not move when the answer is there.
    this.drawGames(load(KEY) ?? []);
    void this.load();
    this.look = () => void (document.visibilityState === "visible" && this.load());
    document.addEventListener("visibilitychange", this.look);
    this.ticker = window.setInterval(() => this.tick(), 1000);
    if (location.search === "?play") {
      history.replaceState(null, "", base); // coming back is not playing again
      void this.playNow();
    }
  }

  close() {
    document.removeEventListener("visibilitychange", this.look);
    window.clearInterval(this.ticker);
  }

  draw() {
    // Who has never played here is first told what the game is.
    const newcomer = !settings.name && !(load(KEY) ?? []).length && !progress().made;
    const hero = el(
      "section",
      { class: "hero" },
      el("div", { class: "hero-map", "aria-hidden": "true" }),
      el(
        "div",
        { class: "hero-text" },
        el("h1", {}, "The Last Spike"),
        el("p", { class: "lead" }, say("Build the railway from St. Louis to Sacramento together, and finish with the most cash when the last spike is driven.")),
        button(say("Play now"), () => this.playNow(), { class: "main", "data-key": "play" }),
        opponentChoices(),
      ),
    );
    const learn = this.way("learn", say("Learn"), say("Play a short game with a coach. It takes about five minutes."), progress().made ? say("Continue the lesson") : say("Learn by playing"), () => this.page.go("lesson"), button(say("How to play"), () => this.page.go("learn"), { class: "quiet", "data-key": "rules" }));
    const ways = el(
      "div",
      { class: "ways" },
      newcomer && learn,
      site.server && this.way("friends", say("Play with friends"), say("Create a table and send them the link. Nobody needs an account."), say("Create a table"), () => this.friends()),
      this.way("device", say("Pass and play"), say("Pass the device from player to player. A curtain hides the hands in between."), say("Choose players"), () => this.device()),
      !newcomer && learn,
      this.way("record", say("Open a record"), say("Watch a finished game from a file."), say("Choose a file"), () => this.page.openRecord()),
    );
    fill(
      this.element,
      this.waiting,
      ...(newcomer ? [hero, ways, this.daily, this.running] : [this.daily, this.running, hero, ways]),
      this.finished,
      !site.server && el("footer", { class: "site notes" }, el("p", {}, say("You’re playing without a server. Your games are stored in this browser only. Tycoon needs a server, so Speculator gives the hints and reviews your games."))),
      (site.name || site.about) && el("footer", { class: "site notes" }, site.name && el("bdi", {}, site.name), site.about && pageLink("about", this.page.go, {}, say("About this server"))),
    );
  }

  /** @param {string} key @param {string} title @param {string} text @param {string} act @param {() => void} go
   * @param {HTMLElement[]} more */
  way(key, title, text, act, go, ...more) {
    return el("section", { class: "card way" }, el("h2", {}, title), el("p", {}, text), el("div", { class: "acts" }, button(act, go, { "data-key": key }), more));
  }

  async playNow() {
    await this.make(["me", ...opponentLevels()], settings.name || say("Newcomer"));
  }

  async friends() {
    const players = await (await dialogs()).askPlayers();
    if (!players) return;
    const name = settings.name || (await (await import("../lib/ui/ask-name.js")).askName());
    if (name) await this.make(["me", null, ...Array.from({ length: players - 2 }, () => settings.level)], name);
  }

  async device() {
    const asked = await (await dialogs()).askNames();
    if (!asked) return;
    const { people, computers } = asked;
    const names = Object.fromEntries(people.map((name, seat) => [String(seat), name]));
    await this.make([...people.map(() => "me"), ...computers], people[0], names);
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
    /** @type {Listed[]} */
    let tables = [];
    try {
      tables = (await get("api/me/tables")).tables;
    } catch {
      return; // nobody yet
    }
    for (const table of tables) table.until = table.left === null ? 0 : Date.now() + table.left;
    save(KEY, tables.filter(goesOn));
    const turns = tables.filter((table) => table.my_turn).length;
    const installed = window.matchMedia("(display-mode: standalone)").matches;
    if (installed) void (turns ? navigator.setAppBadge?.(turns) : navigator.clearAppBadge?.())?.catch(() => {});
    this.drawGames(tables);
  }

  /** Games that go on come first, and of them those that wait for me; the latest finished ones come last.
   * @param {Listed[]} tables */
  drawGames(tables) {
    const link = () => pageLink("history", this.page.go, {}, say("History and statistics"));
    const waiting = tables.filter((table) => table.my_turn).sort((one, other) => (one.until || Infinity) - (other.until || Infinity));
    const running = tables.filter((table) => goesOn(table) && !table.my_turn);
    const finished = tables.filter((table) => !goesOn(table)).slice(0, FINISHED);
    this.clocks.clear();
    this.list(this.waiting, say("Your turn"), waiting, finished.length || running.length ? null : link());
    this.list(this.running, waiting.length ? say("Your other games") : say("Your games"), running, finished.length ? null : link());
    this.list(this.finished, say("Finished games"), finished, link());
    this.tick();
  }

  /** @param {HTMLElement} section @param {string} title @param {Listed[]} tables @param {HTMLElement | null} link */
  list(section, title, tables, link) {
    section.hidden = !tables.length;
    fill(section, el("div", { class: "title" }, el("h2", {}, title), link), el("ul", {}, tables.map((table) => this.line(table))));
  }

  /** @param {Listed} table */
  line(table) {
    const left = el("span", { class: "fact", hidden: !table.until });
    if (table.until) this.clocks.set(left, { until: table.until, slow: table.settings?.clock.kind !== "live" });
    return el(
      "li",
      { class: table.my_turn ? "my-turn" : "" },
      pageLink(`table/${table.table}`, this.page.go, { "data-key": table.table }, listed(playersOf(table))),
      el("span", { class: "notes" }, el("span", { class: "fact" }, status(table)), left, goesOn(table) && table.status === "playing" && el("span", { class: "fact" }, say("turn {number}", { number: table.turn })), el("span", { class: "fact" }, dateOf(table.created))),
    );
  }

  /** Bring the time left up to date. */
  tick() {
    for (const [part, { until, slow }] of this.clocks) {
      const text = say("{time} left", { time: (slow ? longTime : clockTime)(until - Date.now()) });
      if (part.textContent !== text) part.textContent = text;
    }
  }
}

/** Most people play without them, so they are loaded when asked for. */
const dialogs = () => import("./ask-players.js");

/** @param {Listed} table */
const goesOn = (table) => table.status === "waiting" || table.status === "playing";

/** A person's name, or a computer's in this language. @param {string | null} name */
const playerName = (name) => (name && LEVELS.includes(name) ? levelName(name) : name);

/** The other players, several of a kind as one. @param {Listed} table */
function playersOf({ players, mine }) {
  const others = players.filter((_, seat) => !mine?.includes(seat));
  const names = (others.length ? others : players).map((name) => playerName(name) || say("open seat"));
  return [...new Set(names)].map((name) => {
    const n = names.filter((other) => other === name).length;
    return n > 1 ? say("{n} × {name}", { n, name }) : name;
  });
}

/** @param {Listed} table */
function status(table) {
  if (table.my_turn) return say("your turn");
  switch (table.status) {
    case "waiting":
      return say("waiting for players");
    case "playing":
      return say("{player}’s turn", { player: playerName(table.players[table.to_move ?? 0]) });
    case "over":
      if (table.rank) return table.rank === 1 ? sayAs("game", "won") : say("rank {rank} of {players}", { rank: table.rank, players: table.players.length });
      return sayAs("game", "over");
    default:
      return sayAs("game", "closed");
  }
}
