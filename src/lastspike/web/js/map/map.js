// The map of any edition: cities, routes and the track laid so far.

import { SYMBOLS } from "../game/players.js";
import { lessMotion } from "../lib/settings.js";
import { set, svg } from "../lib/ui/dom.js";
import { say, shortMoney, spoken } from "../lib/words.js";
import { goldenSpike } from "./last-spike.js";
import { freeCorner, HEIGHT, layOut, place, PLATE } from "./layout.js";
import { relief } from "./relief.js";
import { Zoom } from "./zoom.js";

/** The narrowest and the widest sheet that still reads well. */
const [NARROW, WIDE] = [1.25, 2.1];

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {import("../game/figures.js").View} View */
/** @typedef {import("./layout.js").Point} Point */
/** @typedef {import("./layout.js").Space} Space */

let drawn = 0;

export class BoardMap {
  /**
   * @param {Figures} figures
   * @param {{onTile: (tile: string) => void, onCity: (code: string) => void}} listeners
   */
  constructor(figures, listeners) {
    this.figures = figures;
    this.listeners = listeners;
    this.number = ++drawn; // a page can show several
    this.width = 0;
    /** @type {globalThis.Map<string, Point>} */
    this.places = new Map();
    /** @type {Space[]} */
    this.spaces = [];
    /** @type {(() => void) | null} */
    this.again = null;
    /** @type {string | null} */
    this.seen = null;
    /** @type {string | null} */
    this.spiked = null;
    /** @type {Map<string, SVGElement>} */
    this.spaceParts = new Map();
    /** @type {Map<string, {plate: SVGElement, deeds: SVGElement, pays: SVGElement}>} */
    this.cityParts = new Map();
    /** @type {Set<string>} */
    this.laid = new Set();
    this.fresh = true;
    this.element = /** @type {SVGSVGElement} */ (
      svg("svg", {
        class: "map",
        role: "img",
        preserveAspectRatio: "xMidYMid meet",
      })
    );
    this.zoom = new Zoom(this.element);
    this.fit(1200, 760);
    new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      if (width && height && this.fit(width, height)) this.again?.();
    }).observe(this.element);
  }

  /** Draw the sheet in the shape of its place; whether it had to be drawn again.
   * @param {number} width @param {number} height */
  fit(width, height) {
    const shape = Math.min(WIDE, Math.max(NARROW, width / height));
    const wide = Math.round((shape * HEIGHT) / 20) * 20;
    if (wide === this.width) return false;
    this.width = wide;
    this.places = new Map(
      this.figures.edition.cities.map((city) => [city.code, place(city.at, wide)]),
    );
    this.spaces = layOut(this.figures, this.places);
    this.spaceParts.clear();
    this.cityParts.clear();
    this.fresh = true;
    this.element.replaceChildren();
    this.draw();
    this.zoom.measure(wide, HEIGHT);
    return true;
  }

  draw() {
    const { edition } = this.figures;
    const WIDTH = this.width;
    const sheet = svg("g", { class: "sheet", "aria-hidden": "true" });
    sheet.append(
      svg("rect", { class: "paper", x: 0, y: 0, width: WIDTH, height: HEIGHT }),
      svg("clipPath", { id: `sheet-${this.number}` }, svg("rect", { x: 18, y: 18, width: WIDTH - 36, height: HEIGHT - 36 })),
      svg("g", { "clip-path": `url(#sheet-${this.number})` }, relief(this.spaces, [...this.places.values()], WIDTH, HEIGHT)),
      svg("rect", { class: "frame", x: 10, y: 10, width: WIDTH - 20, height: HEIGHT - 20 }),
      svg("rect", { class: "frame thin", x: 18, y: 18, width: WIDTH - 36, height: HEIGHT - 36 }),
    );
    const city = (/** @type {string} */ code) => this.figures.cityName(code, spoken());
    const title = freeCorner([...this.places.values()], this.spaces, WIDTH);
    if (title) {
      sheet.append(
        svg(
          "g",
          { class: "cartouche", transform: `translate(${title.x} ${title.y})` },
          svg("text", { class: "cartouche-name", "text-anchor": "middle" }, "The Last Spike"),
          svg(
            "text",
            { class: "cartouche-line", "text-anchor": "middle", y: 24 },
            say("{one}–{other}, {year}", { one: city(edition.start), other: city(edition.finish), year: 1869 }),
          ),
          svg("path", { class: "cartouche-rule", d: "M-110 38H110M-90 42H90" }),
        ),
      );
    }
    const lines = svg("g", { class: "survey" });
    const spaces = svg("g", { class: "spaces" });
    for (const space of this.spaces) {
      const part = this.drawSpace(space);
      this.spaceParts.set(space.tile, part);
      spaces.append(part);
    }
    const cities = svg("g", { class: "cities" });
    for (const city of edition.cities) cities.append(this.drawCity(city));
    this.element.append(sheet, lines, spaces, cities);
    const spiked = this.spaces.find((space) => space.tile === this.spiked);
    if (spiked) this.element.append(goldenSpike(spiked.at));
  }

  /** @param {Space} space */
  drawSpace(space) {
    const { length, breadth } = space;
    const [x, y] = [-length / 2, -breadth / 2];
    const turned = Math.abs(space.angle) > 90 ? 180 : 0;
    const rails = svg("g", { class: "rails" });
    const sleepers = Math.max(4, Math.round(length / 8));
    for (let n = 0; n < sleepers; n++) {
      const at = x + ((n + 0.5) * length) / sleepers;
      rails.append(svg("rect", { class: "sleeper", x: at - 1.9, y: -11, width: 3.8, height: 22, rx: 0.8 }));
    }
    for (const side of [-5.5, 5.5]) {
      rails.append(
        svg("path", { class: "rail-shade", d: `M${x - 1} ${side + 1}h${length + 2}` }),
        svg("path", { class: "rail", d: `M${x - 1} ${side}h${length + 2}` }),
      );
    }
    const size = Math.min(19, length * 0.36, breadth * 0.42);
    const label = svg(
      "g",
      { class: "label", transform: `rotate(${turned})` },
      svg("text", { class: "code", y: -breadth * 0.06, "font-size": size }, space.tile),
      svg(
        "text",
        { class: "cost", y: breadth * 0.33, "font-size": size * 0.8 },
        `${GLYPHS[space.terrain] ?? ""}${shortMoney(space.cost)}`,
      ),
    );
    return svg(
      "g",
      {
        class: `space ${space.terrain}`,
        transform: `translate(${space.at.x} ${space.at.y}) rotate(${space.angle})`,
        "data-tile": space.tile,
        onclick: () => this.listeners.onTile(space.tile),
      },
      svg("rect", { class: "plot", x, y, width: length, height: breadth, rx: 4 }),
      label,
      rails,
      svg("rect", { class: "mark", x: x - 2, y: y - 2, width: length + 4, height: breadth + 4, rx: 6 }),
    );
  }

  /** @param {import("../game/figures.js").City} city */
  drawCity(city) {
    const { x, y } = /** @type {Point} */ (this.places.get(city.code));
    const name = this.figures.cityName(city.code, spoken());
    const wide = Math.max(88, textWidth(name) + 24);
    const deeds = svg("g", { class: "deeds", transform: "translate(0 29)" });
    const pays = svg("text", { class: "pays", y: -21 });
    const plate = svg(
      "g",
      {
        class: `city${city.code === this.figures.edition.start || city.code === this.figures.edition.finish ? " tip" : ""}`,
        transform: `translate(${x} ${y})`,
        "data-city": city.code,
        onclick: () => this.listeners.onCity(city.code),
      },
      svg("circle", { class: "ring", r: PLATE }),
      svg("circle", { class: "ring inner", r: PLATE - 4.5 }),
      pays,
      deeds,
      svg("rect", { class: "plate", x: -wide / 2, y: -14, width: wide, height: 28, rx: 3 }),
      svg("rect", { class: "plate edge", x: -wide / 2 + 2.5, y: -11.5, width: wide - 5, height: 23, rx: 2 }),
      svg("text", { class: "name", y: 5.5 }, name),
    );
    this.cityParts.set(city.code, { plate, deeds, pays });
    return plate;
  }

  /**
   * @param {View} view
   * @param {{hand: string[], legal: Set<string>, ghost: string | null, last: string | null}} shown
   */
  update(view, shown) {
    const track = new Set(view.track);
    /** @type {SVGElement[]} */
    const fresh = [];
    for (const space of this.spaces) {
      const part = /** @type {SVGElement} */ (this.spaceParts.get(space.tile));
      const laid = track.has(space.tile);
      part.classList.toggle("laid", laid);
      part.classList.toggle("mine", !laid && shown.hand.includes(space.tile));
      part.classList.toggle("legal", !laid && shown.legal.has(space.tile));
      part.classList.toggle("ghost", !laid && shown.ghost === space.tile);
      part.classList.toggle("last", shown.last === space.tile);
      if (laid && !this.laid.has(space.tile)) fresh.push(part);
    }
    // Who jumps through the turns wants to see the board, not the work on it.
    if (!this.fresh && fresh.length < 3) for (const part of fresh) this.hammer(part);
    this.laid = track;
    this.fresh = false;
    this.element.classList.toggle("undriven", view.last_spike === null);
    for (const city of this.figures.edition.cities) this.updateCity(view, city);
    const missing = this.figures.toLastSpike(view);
    set(this.element, {
      "aria-label": say("Map: {laid} of {all} tiles laid, {missing} to the last spike", {
        laid: track.size,
        all: this.spaces.length,
        missing,
      }),
    });
  }

  /** On a small screen, come nearer to the route of a tile that is chosen. @param {string | null} tile */
  lookAt(tile) {
    if (tile === this.seen) return;
    this.seen = tile;
    if (this.element.clientWidth > 620) return;
    if (!tile) {
      this.zoom.all();
      return;
    }
    const route = this.spaces.filter((space) => space.tile[0] === tile[0]);
    const middle = {
      x: (route[1].at.x + route[2].at.x) / 2,
      y: (route[1].at.y + route[2].at.y) / 2,
    };
    const long = Math.hypot(route[3].at.x - route[0].at.x, route[3].at.y - route[0].at.y) + 200;
    this.zoom.to(middle, this.width / Math.max(long, 300));
  }

  /** @param {View} view @param {import("../game/figures.js").City} city */
  updateCity(view, city) {
    const parts = /** @type {{plate: SVGElement, deeds: SVGElement, pays: SVGElement}} */ (
      this.cityParts.get(city.code)
    );
    const cards = view.land[city.code];
    const key = cards.join();
    if (parts.deeds.dataset.key === key) return;
    parts.deeds.dataset.key = key;
    parts.deeds.replaceChildren(
      ...cards.map((holder, rank) => {
        const x = (rank - 2) * 14.5;
        if (typeof holder === "number")
          return svg(
            "g",
            { class: `deed seat-${holder}`, transform: `translate(${x} 0)` },
            svg("circle", { r: 7 }),
            svg("text", { y: 3.6 }, SYMBOLS[holder]),
          );
        return svg("circle", { class: holder === "out" ? "deed out" : "deed none", cx: x, r: 5.5 });
      }),
    );
    parts.pays.textContent = shortMoney(city.payouts[0]);
  }

  /** Lay the rails before everybody's eyes. @param {SVGElement} part */
  hammer(part) {
    if (lessMotion()) return;
    const sleepers = part.querySelectorAll(".sleeper");
    sleepers.forEach((sleeper, n) => {
      sleeper.animate(
        [
          { opacity: 0, transform: "translateY(-9px)" },
          { opacity: 1, transform: "translateY(0)" },
        ],
        { duration: 160, delay: n * 45, fill: "backwards", easing: "cubic-bezier(.2,1.6,.5,1)" },
      );
    });
    part.querySelectorAll(".rail, .rail-shade").forEach((rail) => {
      rail.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: 200,
        delay: sleepers.length * 45,
        fill: "backwards",
      });
    });
  }
}

/** @type {Record<string, string>} */
const GLYPHS = { hills: "⌒", mountain: "▲", bridge: "≍", tunnel: "◠" };

/** @param {string} text */
function textWidth(text) {
  return [...text].reduce((wide, letter) => wide + (letter > "\u2e80" ? 16 : 9.4), 0);
}
