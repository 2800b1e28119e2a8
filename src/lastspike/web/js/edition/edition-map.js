// The map of an edition, with every figure and a mark of its source.

import { Figures } from "../game/figures.js";
import { set, svg } from "../lib/ui/dom.js";
import { say, spoken } from "../lib/words.js";
import { BoardMap } from "../map/map.js";
import { figureAt } from "./draft.js";
import { figureName, sourceName, valueText, MARKS } from "./figure-field.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../game/figures.js").Edition} Edition */

export class EditionMap {
  /** @param {Draft} draft @param {string} name @param {(path: string) => void} open a figure that was pressed */
  constructor(draft, name, open) {
    this.draft = draft;
    this.name = name;
    this.edition = draft.base;
    /** @type {string} */
    this.path = "";
    this.map = new BoardMap(new Figures(this.edition), {
      onTile: (tile) => open(`routes.${tile[0]}.costs.${tile[1]}`),
      onCity: (code) => open(`cities.${code}.land.2`),
    });
    this.draw();
    this.element = this.map.element;
  }

  /** @param {Edition} edition as it is now */
  update(edition) {
    this.edition = edition;
    this.map.redraw(new Figures(edition));
    this.draw();
  }

  /** Show where on the map a figure is. @param {string} path */
  look(path) {
    this.path = path;
    this.draw();
  }

  draw() {
    const { map, edition } = this;
    const [kind, which, what, place] = this.path.split(".");
    const tile = kind === "routes" && what !== "ends" ? `${which}${place}` : null;
    /** @type {any} */
    const view = { track: [], land: Object.fromEntries(edition.cities.map(({ code }) => [code, []])) };
    map.update(view, { hand: [], legal: new Set(), ghost: null, last: tile });
    for (const space of map.spaces) this.drawSpace(space.tile);
    for (const { code } of edition.cities) this.drawCity(code, kind === "cities" && which === code);
    set(map.element, { "aria-label": say("Map of {edition}", { edition: this.name }) });
  }

  /** @param {string} tile */
  drawSpace(tile) {
    const part = /** @type {SVGElement} */ (this.map.spaceParts.get(tile));
    part.querySelector(".map-source")?.remove();
    part.querySelector("title")?.remove();
    const paths = ["costs", "terrain"].map((what) => `routes.${tile[0]}.${what}.${tile[1]}`);
    const source = this.draft.source(paths[0]);
    part.dataset.source = source;
    part.querySelector(".cost")?.after(svg("text", { class: "map-source", x: 14, y: -11 }, MARKS[source]));
    part.append(svg("title", {}, this.tell(paths)));
  }

  /** @param {string} code @param {boolean} looked */
  drawCity(code, looked) {
    const part = /** @type {import("../map/city.js").CityPart} */ (this.map.cityParts.get(code));
    const city = this.map.figures.city(code);
    const paths = (/** @type {"land" | "payouts"} */ what) => city[what].map((_, n) => `cities.${code}.${what}.${n + 1}`).slice(what === "land" ? 1 : 0);
    const mark = (/** @type {string} */ path) => MARKS[this.draft.source(path)];
    part.element.classList.toggle("looked", looked);
    part.element.querySelector("title")?.remove();
    part.element.append(svg("title", {}, `${this.map.figures.cityName(code, spoken())}\n${this.tell([...paths("land"), ...paths("payouts")])}`));
    part.labels = {
      cards: ["", ...paths("land").map((path, n) => `${city.land[n + 1] / 1000}${mark(path)}`)],
      pays: `${city.payouts[0] / 1000}${mark(paths("payouts")[0])}`,
    };
    part.drawCards(city.land.map(() => ({ holder: null })));
  }

  /** One line for each figure: what it is, its value and where it comes from. @param {string[]} paths */
  tell(paths) {
    const line = (/** @type {string} */ path) =>
      say("{figure}: {value} ({source})", {
        figure: figureName(this.edition, path),
        value: valueText(this.edition, path, figureAt(this.edition, path)),
        source: sourceName(this.draft.source(path)),
      });
    return paths.map(line).join("\n");
  }
}
