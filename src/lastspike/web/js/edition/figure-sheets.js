// All figures of an edition in fields, grouped by set-up, city and route.

import { Figures, SPACES } from "../game/figures.js";
import { button, el } from "../lib/ui/dom.js";
import { say, sayAs, spoken } from "../lib/words.js";
import { figureName, FigureField } from "./figure-field.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./figure-field.js").Owner & {confirm: (paths: string[]) => void}} Owner */
/** @typedef {{figures: FigureField[], element: HTMLElement}} Row */
/** @typedef {{figures: FigureField[], problems: HTMLElement, same: HTMLElement}} Group */

export class FigureSheets {
  /** @param {Draft} draft @param {Owner} owner */
  constructor(draft, owner) {
    this.draft = draft;
    this.owner = owner;
    this.names = new Figures(draft.base);
    /** @type {Map<string, FigureField>} */
    this.figures = new Map();
    /** @type {Group[]} */
    this.groups = [];
    const { cities, routes } = draft.base;
    this.element = el(
      "div",
      { class: "sheets" },
      el("section", { class: "card", "aria-labelledby": "setting-up" }, el("h2", { id: "setting-up" }, say("Setup")), this.settingUp()),
      el("section", { class: "card", "aria-labelledby": "all-cities" }, el("h2", { id: "all-cities" }, say("Cities")), el("div", { class: "sheet-grid" }, cities.map((city) => this.city(city)))),
      el("section", { class: "card", "aria-labelledby": "all-routes" }, el("h2", { id: "all-routes" }, say("Routes")), el("div", { class: "sheet-grid" }, routes.map((route) => this.route(route)))),
    );
    this.update();
  }

  settingUp() {
    const players = Object.keys(this.draft.base.starting_cash);
    return this.sheet("", [
      this.row(say("Ends of the line"), ["start", "finish"].map((path) => this.figure(path, "")), "ends"),
      this.row(say("Starting cash, by number of players"), players.map((n) => this.figure(`starting_cash.${n}`, n))),
      this.row(say("Tiles set aside, by number of players"), players.map((n) => this.figure(`set_aside.${n}`, n))),
      this.row("", ["last_spike_bonus", "hand_size"].map((path) => this.figure(path, path === "hand_size" ? say("Hand size") : say("Last-spike bonus"))), "two"),
    ]);
  }

  /** @param {import("../game/figures.js").City} city */
  city({ code, land, payouts }) {
    const name = this.names.cityName(code, spoken());
    return this.sheet(name, [
      this.row(say("Land prices"), [
        el("span", { class: "figure free" }, el("span", { class: "figure-label" }, "1"), el("span", { class: "given" }, sayAs("land card", "free"))),
        ...land.slice(1).map((_, n) => this.figure(`cities.${code}.land.${n + 2}`, String(n + 2))),
      ]),
      this.row(say("Payout per finished route, by cards held"), payouts.map((_, n) => this.figure(`cities.${code}.payouts.${n + 1}`, String(n + 1)))),
    ]);
  }

  /** @param {import("../game/figures.js").Route} route */
  route({ letter }) {
    return this.sheet(say("Route {letter}", { letter }), [
      this.row("", [1, 2].map((n) => this.figure(`routes.${letter}.ends.${n}`, "")), "ends"),
      this.row(say("Cost and terrain of each space"), SPACES.map((n) => this.figure(`routes.${letter}.costs.${n}`, `${letter}${n}`)), "spaces"),
      this.row("", SPACES.map((n) => this.figure(`routes.${letter}.terrain.${n}`, "")), "spaces"),
    ]);
  }

  /** Figures that belong together, with what is wrong with them. @param {string} title @param {Row[]} rows */
  sheet(title, rows) {
    const figures = rows.flatMap((row) => row.figures);
    const id = `problems-${this.groups.length}`;
    const problems = el("div", { class: "problems", id });
    const same = button(say("Matches my copy"), () => this.owner.confirm(figures.map(({ path }) => path)), {
      class: "quiet same",
      "aria-label": title ? say("Matches my copy: {title}", { title }) : null,
      "data-key": `same-${id}`,
    });
    this.groups.push({ figures, problems, same });
    return el(title ? "fieldset" : "div", { class: "sheet" }, title && el("legend", {}, title), rows.map((row) => row.element), problems, same);
  }

  /** @param {string} title @param {(FigureField | HTMLElement)[]} parts @param {string} [kind] @returns {Row} */
  row(title, parts, kind = "") {
    const element = el(
      "div",
      { class: `figure-row ${kind}` },
      title && el("p", { class: "row-title" }, title),
      el("div", { class: `row-figures of-${parts.length}` }, parts.map((part) => (part instanceof FigureField ? part.element : part))),
    );
    return { figures: /** @type {FigureField[]} */ (parts.filter((part) => part instanceof FigureField)), element };
  }

  /** @param {string} path @param {string} label */
  figure(path, label) {
    const made = new FigureField(this.draft, path, label, this.owner);
    this.figures.set(path, made);
    return made;
  }

  /** @param {{path: string, message: string}[]} [problems] what is wrong now */
  update(problems = []) {
    for (const { figures, problems: shown, same } of this.groups) {
      const lines = figures.map((figure) => {
        figure.update();
        const wrong = problems.find(({ path }) => path === figure.path)?.message ?? "";
        figure.refuse(wrong, shown.id);
        return wrong && el("p", { class: "problem" }, say("{figure}: {problem}", { figure: figureName(this.draft.base, figure.path), problem: wrong }));
      });
      shown.replaceChildren(...lines.filter((line) => line !== ""));
      const focused = document.activeElement === same;
      same.hidden = !figures.some(({ path }) => this.draft.source(path) === "reconstructed");
      if (focused && same.hidden) figures[0].input.focus({ preventScroll: true });
    }
  }
}
