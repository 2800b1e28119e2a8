// One figure of an edition in a field: its value, its source and its problem.

import { Figures } from "../game/figures.js";
import { el, set } from "../lib/ui/dom.js";
import { count, money, say, sayAs, spoken } from "../lib/words.js";
import { Draft } from "./draft.js";

/** @typedef {import("./draft.js").Source} Source */
/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {{set: (path: string, value: unknown) => void, undo: (path: string) => void,
 *   look: (path: string) => void}} Owner what its owner does */

/** @type {Record<Source, string>} */
export const MARKS = { printed: "●", reconstructed: "~", yours: "✎" };
const TERRAINS = ["plain", "hills", "mountain", "bridge", "tunnel"];

export class FigureField {
  /** @param {Draft} draft @param {string} path @param {string} label what stands over it @param {Owner} owner */
  constructor(draft, path, label, owner) {
    this.draft = draft;
    this.path = path;
    this.owner = owner;
    this.choices = choices(draft.base, path);
    const id = `figure-${path.replaceAll(".", "-")}`;
    this.mark = el("span", { class: "mark-of-source" });
    this.input = /** @type {HTMLInputElement | HTMLSelectElement} */ (
      el(
        this.choices ? "select" : "input",
        {
          id,
          "aria-label": figureName(draft.base, path),
          "aria-describedby": `${id}-source`,
          ...(this.choices ? {} : { inputmode: "numeric", autocomplete: "off", maxlength: 20 }),
          onchange: () => owner.set(path, this.read()),
          onfocus: () => owner.look(path),
          onblur: () => this.update(),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Escape") return;
            this.input.value = String(new Draft(this.draft.base).value(path));
            owner.undo(path);
          },
        },
        this.choices?.map(([value, text]) => el("option", { value }, text)) ?? [],
      )
    );
    this.element = el(
      "span",
      { class: "figure" },
      label && el("span", { class: "figure-label", "aria-hidden": "true" }, label),
      this.input,
      el("span", { id: `${id}-source`, class: "source" }, this.mark),
    );
    this.problem = "";
    this.update();
  }

  update() {
    const value = this.draft.value(this.path);
    // Nobody's typing is taken away by an answer that comes late.
    if (document.activeElement !== this.input) this.input.value = String(value);
    const source = this.draft.source(this.path);
    this.element.dataset.source = source;
    this.mark.replaceChildren(el("span", { "aria-hidden": "true", title: sourceName(source) }, MARKS[source]), el("span", { class: "unseen" }, sourceName(source)));
  }

  /** @param {string} problem @param {string} shown the id of where it is told */
  refuse(problem, shown) {
    this.problem = problem;
    const source = `${this.input.id}-source`;
    set(this.input, { "aria-invalid": problem ? "true" : null, "aria-describedby": problem ? `${source} ${shown}` : source });
  }

  /** What was entered: a number where it is one, however it is written. */
  read() {
    const typed = this.input.value.normalize("NFKC").trim();
    if (this.choices) return typed;
    const digits = typed.replace(/[\s.,'’$]|ドル/g, "");
    return /^\d{1,15}$/.test(digits) && !/[.,]\d{1,2}$/.test(typed) ? Number(digits) : typed;
  }
}

/** @param {Source} source */
export function sourceName(source) {
  switch (source) {
    case "printed":
      return sayAs("figure", "printed");
    case "yours":
      return sayAs("figure", "yours");
    default:
      return sayAs("figure", "reconstructed");
  }
}

/** What can be chosen, where it is not a number. @param {Edition} edition @param {string} path */
function choices(edition, path) {
  if (path.includes(".terrain.")) return TERRAINS.map((kind) => [kind, terrainName(kind)]);
  if (/^(start|finish)$|\.ends\./.test(path)) {
    const figures = new Figures(edition);
    return edition.cities.map(({ code }) => [code, figures.cityName(code, spoken())]);
  }
  return null;
}

/** @param {string} kind */
export function terrainName(kind) {
  switch (kind) {
    case "hills":
      return say("hills");
    case "mountain":
      return say("mountain");
    case "bridge":
      return say("bridge");
    case "tunnel":
      return say("tunnel");
    default:
      return sayAs("terrain", "plains");
  }
}

/** What a figure is. @param {Edition} edition @param {string} path */
export function figureName(edition, path) {
  const [kind, which, what, place] = path.split(".");
  const players = () => count("{n} player", "{n} players", Number(which));
  switch (kind) {
    case "starting_cash":
      return say("Starting cash, {players}", { players: players() });
    case "set_aside":
      return say("Tiles set aside, {players}", { players: players() });
    case "last_spike_bonus":
      return say("Last-spike bonus");
    case "hand_size":
      return say("Hand size");
    case "start":
      return say("Start of the line");
    case "finish":
      return say("End of the line");
    case "cities": {
      const city = new Figures(edition).cityName(which, spoken());
      if (what === "land") return say("{city}, price of card {number}", { city, number: place });
      return count("{city}, payout for {n} card", "{city}, payout for {n} cards", Number(place), { city });
    }
    default:
      if (what === "costs") return say("{tile} cost", { tile: `${which}${place}` });
      if (what === "terrain") return say("{tile} terrain", { tile: `${which}${place}` });
      return place === "1" ? say("Route {letter}, first city", { letter: which }) : say("Route {letter}, second city", { letter: which });
  }
}

/** A value as people read it. @param {Edition} edition @param {string} path @param {unknown} value */
export function valueText(edition, path, value) {
  if (typeof value === "number") return /^(hand_size|set_aside)/.test(path) ? String(value) : money(value);
  if (path.includes(".terrain.")) return terrainName(String(value));
  const figures = new Figures(edition);
  return figures.cities.has(String(value)) ? figures.cityName(String(value), spoken()) : String(value);
}
