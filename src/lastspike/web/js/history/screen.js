// The screen of the history: finished games, statistics, other devices, personal data.

import { errorText, showError } from "../game/errors.js";
import { levelName, LEVELS } from "../game/levels.js";
import { get, site } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { count, dateOf, decimal, listed, money, percent, say, sayAs, spoken } from "../lib/words.js";
import { barChart } from "./bar-chart.js";
import { Devices } from "./devices.js";
import { myData } from "./personal-data.js";
import { anotherDevice } from "./personal-link.js";
import { publishing } from "./publishing.js";
import { counts, statisticsOf, won } from "./statistics.js";

/** @typedef {import("./statistics.js").PastGame} PastGame */
/** @typedef {import("./statistics.js").Tally} Tally */

const FIRST = 20;
const MOST = 200;
const MOST_CITIES = 6;

export class Screen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.shown = FIRST;
    this.element = el("div", { class: "room history" }, el("p", { class: "loading" }, say("Loading your games…")));
    this.draw().catch((error) => {
      showError(error);
      fill(this.element, el("h1", {}, say("History and statistics")), el("p", {}, errorText(error)), this.home());
    });
  }

  async draw() {
    const [{ me, games, cities, publishes_since }] = await Promise.all([get("api/me/history"), loadStylesheet("history.css")]);
    const devices = me && site.server && new Devices(me.name, () => this.loggedOut());
    await devices?.load();
    const list = el("section", { class: "card games" });
    this.list(list, games);
    fill(
      this.element,
      el("h1", {}, say("History and statistics")),
      games.length ? [statistics(games, cities), list] : this.newcomer(),
      devices && [devices.element, anotherDevice(), publishing(publishes_since)],
      me && myData(me.name, () => this.deleted()),
      this.home(),
    );
  }

  newcomer() {
    return el(
      "section",
      { class: "card" },
      el("h2", {}, say("No finished games yet")),
      el("p", {}, say("Games you finish appear here: who won, who you played against, and what your cities paid.")),
      site.server && el("p", { class: "why" }, say("Played on another device? Open this screen there, create a personal link, and open the link here.")),
    );
  }

  /** @param {HTMLElement} place @param {PastGame[]} games */
  list(place, games) {
    const more = games.length - this.shown;
    fill(
      place,
      el("h2", {}, say("Your games")),
      el("ol", {}, games.slice(0, this.shown).map((game) => this.game(game))),
      more > 0 &&
        button(count("Show {n} more game", "Show {n} more games", more), () => {
          const next = this.shown;
          this.shown = games.length;
          this.list(place, games);
          /** @type {HTMLElement | undefined} */ (place.querySelectorAll("li a")[next])?.focus();
        }, { "data-key": "more" }),
    );
  }

  /** @param {PastGame} game */
  game(game) {
    const mine = game.mine.map((seat) => game.seats[seat]);
    const best = Math.min(...mine.map((seat) => seat.rank));
    const cash = Math.max(...mine.map((seat) => seat.cash));
    const drove = game.last_spike !== null && game.mine.includes(game.last_spike);
    const tags = [
      game.teaching && say("open hands"),
      game.played_on && say("continued from a record"),
      game.mine.length > 1 && say("pass and play"),
      game.left && say("left for good"),
    ].filter(Boolean);
    const address = `table/${game.table}`;
    return el(
      "li",
      { class: counts(game) ? "" : "not-counted" },
      el(
        "span",
        { class: "result" },
        el("strong", { class: won(game) ? "won" : "" }, won(game) ? sayAs("game", "won") : say("rank {rank} of {players}", { rank: best, players: game.seats.length })),
        el("span", {}, money(cash)),
        drove && el("span", { class: "tag" }, say("last spike")),
        tags.map((tag) => el("span", { class: "tag" }, String(tag))),
      ),
      el("span", { class: "against-whom" }, el("bdi", {}, opponents(game))),
      el("span", { class: "notes" }, dateOf(game.ended)),
      pageLink(
        address,
        this.page.go,
        {
          "aria-label": say("Watch again: {players}, {date}", { players: opponents(game), date: dateOf(game.ended) }),
        },
        say("Watch again"),
      ),
    );
  }

  deleted() {
    this.farewell(say("Your data has been deleted"), site.server ? say("This server and this browser have forgotten you. Thank you for playing.") : say("This browser has forgotten you. Thank you for playing."));
  }

  loggedOut() {
    this.farewell(say("You are logged out"), say("This browser no longer knows your name or your games. To come back, create a personal link on another of your devices and open it here."));
  }

  /** @param {string} title @param {string} text */
  farewell(title, text) {
    fill(this.element, el("h1", { tabindex: "-1" }, title), el("p", { class: "card", role: "status" }, text), this.home());
    window.scrollTo(0, 0);
  }

  home() {
    return el("div", { class: "acts" }, button(say("Home"), () => this.page.go(""), { class: "main", "data-key": "home" }));
  }
}

/** Who else played: people by name, computers by level. @param {PastGame} game */
function opponents(game) {
  const others = game.seats.filter((_, seat) => !game.mine.includes(seat));
  const people = others.filter((seat) => !seat.level).map((seat) => seat.name ?? "");
  /** @type {Map<string, number>} */
  const computers = new Map();
  for (const { level } of others) if (level) computers.set(level, (computers.get(level) ?? 0) + 1);
  const levels = [...computers].map(([level, many]) => (many > 1 ? say("{n} × {level}", { n: many, level: levelName(level) }) : levelName(level)));
  return others.length ? listed([...people, ...levels]) : listed(game.seats.map((seat) => seat.name ?? ""));
}

/** @param {PastGame[]} games @param {Record<string, Record<string, string>>} cities */
function statistics(games, cities) {
  const found = statisticsOf(games);
  const cityName = (/** @type {string} */ code) => cities[code]?.[spoken()] ?? cities[code]?.en ?? code;
  const [best] = found.cities;
  const left = el("p", { class: "why" }, say("Games with open hands, games continued from a record and pass-and-play games are listed below but don’t count here."));
  if (!found.games) return el("section", { class: "card" }, el("h2", {}, say("Statistics")), left);
  return el(
    "section",
    { class: "card statistics" },
    el("h2", {}, say("Statistics")),
    el(
      "dl",
      { class: "figures" },
      figure(say("Games"), decimal(found.games)),
      figure(say("Wins"), decimal(found.wins), say("fair share: {fair}", { fair: percent(found.fair / found.games) })),
      figure(say("Last spikes driven"), decimal(found.spikes)),
      best && figure(say("Best city"), cityName(best[0]), money(best[1])),
    ),
    barChart(
      say("Wins by number of players"),
      found.byPlayers.map(([players, tally]) => wonBar(count("{n} player", "{n} players", players), tally)),
      say("The line marks a fair share: what you would win if everybody played equally well."),
    ),
    barChart(
      say("Wins by type of opponent"),
      found.byLevel.sort(([one], [other]) => LEVELS.indexOf(one) - LEVELS.indexOf(other)).map(([level, tally]) => wonBar(level ? levelName(level) : say("people only"), tally)),
      found.byLevel.length > 1 ? say("A game against several types counts once for each.") : undefined,
    ),
    best &&
      barChart(
        say("Your payouts by city"),
        found.cities.slice(0, MOST_CITIES).map(([code, dollars]) => ({ label: cityName(code), told: money(dollars), part: dollars / best[1] })),
      ),
    left,
    games.length >= MOST && el("p", { class: "why" }, count("Only your latest {n} game is included.", "Only your latest {n} games are included.", MOST)),
  );
}

/** @param {string} name @param {string} value @param {string} [more] */
function figure(name, value, more) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, el("strong", {}, value), more && el("span", { class: "notes" }, more)));
}

/** @param {string} label @param {Tally} tally */
function wonBar(label, { games, wins, fair }) {
  const told = count("{wins} of {n} game (fair share: {fair})", "{wins} of {n} games (fair share: {fair})", games, { wins, fair: percent(fair / games) });
  return { label, told, part: wins / games, mark: fair / games };
}
