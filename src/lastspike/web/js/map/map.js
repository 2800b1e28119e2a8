// The map of any edition: cities, routes, the track laid so far, and what the turn being composed will do.

import { NEAR } from "../game/figures.js";
import { lessMotion } from "../lib/settings.js";
import { set, svg } from "../lib/ui/dom.js";
import { say, shortMoney, spoken } from "../lib/words.js";
import { CityPart, payoutBubbles } from "./city.js";
import { freeCorner, HEIGHT, layOut, placesOf, RING, WIDTH } from "./layout.js";
import { Pointing } from "./pointing.js";
import { cartouche, compassRose, drawNames, Frame, landNames, namePoints } from "./land/lettering.js";
import { relief } from "./land/relief.js";
import { citySizes, roomAt } from "./room.js";
import { bonusTag, chipWidths, drawSpace, fitChip, goldenSpike, spikeBadge } from "./space.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("../game/figures.js").Figures} Figures */
/** @typedef {import("../game/figures.js").View} View */
/** @typedef {import("./layout.js").Point} Point */
/** @typedef {import("./layout.js").Space} Space */

/**
 * What the map shows besides the table. All but the first four may be left out.
 * @typedef {object} Shown
 * @property {string[]} hand
 * @property {Set<string>} legal tiles that can be laid
 * @property {string | null} ghost the tile that is chosen
 * @property {string | null} last the tile laid last
 * @property {Set<string>} [fresh] tiles laid since the viewer's last turn
 * @property {Set<string>} [freshLand] land taken or bought since then
 * @property {View} [now] the table as it is, if the map is behind it
 * @property {boolean} [codes] whether codes are worth more than costs where only one of them has room
 * @property {Map<string, number>} [offers] cities where land can be bought, and its price
 * @property {Map<string, number>} [sales] cities where land can be sold, and what it brings
 * @property {Pick<View, "land" | "track" | "cash"> | null} [after] the table after the turn, as far as it is composed
 * @property {string | null} [bought] a city where land is bought; `after` shows it as well
 * @property {number | null} [seat] whose turn it is that is composed
 * @property {Map<string, {seat: number, amount: number}[]>} [paid] who is paid how much in which city
 * @property {string | null} [spike] the tile of the last spike
 */

/** What a map needs to answer: how to name things, whether the table has its aids on, down to where on the screen a
 * card may reach, the payouts that were made for a route, and whether land could be bought now (null: not the viewer's turn).
 * @typedef {{teller: () => import("../game/teller.js").Teller, aids: () => boolean, floor: () => number,
 *   paid?: (letter: string) => {seat: number, city: string, amount: number}[], canBuy?: () => boolean | null}} Answers */

const LIGHT_MS = 2600;
const CORNERS = ["northwest", "northeast", "southwest", "southeast"];

let drawn = 0;

export class BoardMap {
  /**
   * @param {Figures} figures
   * @param {{onTile: (tile: string) => void, onCity: (code: string) => void}} listeners
   * @param {Answers | null} [answers] without them it is a picture
   */
  constructor(figures, listeners, answers = null) {
    this.figures = figures;
    this.listeners = listeners;
    this.answers = answers;
    this.number = ++drawn; // a page can show several
    /** @type {View | null} */
    this.view = null;
    /** @type {Shown} */
    this.shown = { hand: [], legal: new Set(), ghost: null, last: null };
    /** @type {Map<string, SVGElement>} */
    this.spaceParts = new Map();
    /** @type {Map<string, CityPart>} */
    this.cityParts = new Map();
    /** @type {Map<string, SVGElement>} */
    this.ways = new Map();
    /** @type {Set<string>} */
    this.laid = new Set();
    /** The last spike, and the light around it. @type {SVGElement | null} */
    this.golden = null;
    /** @type {SVGElement | null} */
    this.halo = null;
    this.spiked = "";
    this.fresh = true;
    this.scale = 1;
    /** @type {string | null} */
    this.seen = null;
    this.element = /** @type {SVGSVGElement} */ (
      svg("svg", { class: "map", role: answers ? "group" : "img", preserveAspectRatio: "xMidYMid meet" })
    );
    /** @type {globalThis.Map<string, Point>} */
    this.places = new Map();
    /** @type {Space[]} */
    this.spaces = [];
    /** @type {Map<string, [number, number]>} */
    this.chips = new Map();
    this.bonuses = svg("g", { class: "bonuses", "aria-hidden": "true" });
    /** The spaces that bring the last spike nearer, when it is near. @type {string[]} */
    this.near = [];
    this.bubbles = svg("g", { class: "payouts", "aria-hidden": "true" });
    this.grow = 1;
    this.only = false;
    this.bonusKey = "";
    /** @type {Pointing | null} */
    this.pointing = null;
    this.frame = new Frame();
    this.draw(figures);
    this.zoom = new Zoom(this.element, { width: WIDTH, height: HEIGHT }, (scale) => this.rescale(scale), () => this.panned());
    this.zoom.all();
    this.pointing = new Pointing(this);
  }

  /** Draw it, once; later only classes and sizes change. @param {Figures} figures */
  draw(figures) {
    const { edition } = figures;
    this.figures = figures;
    this.places = placesOf(figures);
    this.spaces = layOut(figures, this.places);
    this.cityParts.clear();
    this.fresh = true;
    this.golden = this.halo = null;
    const things = [...this.places.values(), ...this.spaces.map(({ at }) => at)];
    const city = (/** @type {string} */ code) => figures.cityName(code, spoken());
    const title = freeCorner(things, { x: 136, top: 44, bottom: 50 }, CORNERS);
    const rose = freeCorner(things, { x: 172, top: 84, bottom: 92 }, CORNERS.filter((name) => name !== title?.name).reverse());
    const names = landNames(this.places);
    const clear = [...namePoints(names), ...(title ? around(title.at, 110, 26) : []), ...(rose ? around(rose.at, 34, 40) : [])];
    const free = (/** @type {Point} */ at) =>
      at.x > 14 && at.x < WIDTH - 14 && at.y > 14 && at.y < HEIGHT - 52 && [...clear, ...this.spaces.map(({ at: space }) => space)].every((other) => Math.hypot(other.x - at.x, other.y - at.y) > 27) && [...this.places.values()].every((other) => Math.hypot(other.x - at.x, other.y + 12 - at.y) > 62);
    const [start, finish] = [edition.start, edition.finish].map((code) => /** @type {Point} */ (this.places.get(code)));
    const { land, courses } = relief(
      this.spaces,
      [...this.places.values()],
      edition.routes.map(({ ends }) => /** @type {[Point, Point]} */ (ends.map((code) => this.places.get(code)))),
      {
        number: this.number,
        shore: [...this.places.values()].every(({ x }) => x >= finish.x) && finish.x < start.x ? finish : null,
        clear,
      },
    );
    const sheet = svg("g", { class: "sheet", "aria-hidden": "true" }, land, drawNames(names, courses, free, this.number), title && cartouche(title.at, city(edition.start), city(edition.finish)), rose && compassRose(rose.at), this.frame.element);
    const named = (/** @type {Record<string, any>} */ attributes) => (this.answers ? { role: "button", tabindex: -1, ...attributes } : attributes);
    this.ways = new Map(
      edition.routes.map(({ letter }) => {
        const [first, , , last] = this.spaces.filter(({ tile }) => tile[0] === letter);
        return [letter, svg("path", named({ class: "way", "data-route": letter, d: `M${first.at.x} ${first.at.y}L${last.at.x} ${last.at.y}` }))];
      }),
    );
    this.chips = new Map(this.spaces.map((space) => [space.tile, chipWidths(space)]));
    this.spaceParts = new Map(this.spaces.map((space) => [space.tile, drawSpace(space)]));
    for (const each of edition.cities) {
      const part = new CityPart(each, /** @type {Point} */ (this.places.get(each.code)), [edition.start, edition.finish].includes(each.code));
      set(part.element, named({}));
      this.cityParts.set(each.code, part);
    }
    this.bubbles.replaceChildren();
    this.bonuses.replaceChildren();
    this.bonusKey = "";
    this.element.replaceChildren(
      sheet,
      svg("g", { class: "ways" }, [...this.ways.values()]),
      svg("g", { class: "spaces" }, [...this.spaceParts.values()]),
      svg("g", { class: "cities" }, [...this.cityParts.values()].map(({ element }) => element)),
      this.bonuses,
      this.bubbles,
    );
  }

  /** Draw another edition of the same cities and routes. @param {Figures} figures */
  redraw(figures) {
    this.draw(figures);
    this.rescale(this.scale);
  }

  /** What has room is shown, and never smaller than one can read. @param {number} scale pixels for a unit of the drawing */
  rescale(scale) {
    this.scale = scale;
    const grow = Math.round(Math.max(1, 1 / scale) * 1000) / 1000;
    const cities = [...this.cityParts.values()].map(({ city, at }) => ({ code: city.code, name: this.figures.cityName(city.code, spoken()), at }));
    const { plates, levels, moved } = roomAt(scale, this.spaces, cities, this.chips);
    const sizes = citySizes(scale);
    for (const space of this.spaces) {
      const part = /** @type {SVGElement} */ (this.spaceParts.get(space.tile));
      fitChip(part, space, levels.get(space.tile) ?? "bare");
      const { x, y } = moved.get(space.tile) ?? { x: 0, y: 0 };
      part.querySelector(".chip")?.setAttribute("transform", `translate(${x} ${y}) scale(${grow})`);
      part.querySelector(".hit")?.setAttribute("r", String(Math.ceil(222 * grow) / 10));
    }
    for (const [code, part] of this.cityParts) part.fit(sizes, grow, /** @type {{text: string, wide: number, x: number}} */ (plates.get(code)));
    for (const way of this.ways.values()) way.setAttribute("stroke-width", String(Math.round(44 * grow)));
    this.element.classList.toggle("small", scale < 0.84);
    this.grow = grow;
    if (this.view) {
      for (const part of this.cityParts.values()) this.updateCity(this.view, this.shown, part);
      this.showPaid();
      this.showBonus();
    }
    if (this.golden) this.drive(this.spiked);
    this.panned();
  }

  /** Another part of the map is seen, or its place has another shape. */
  panned() {
    if (this.zoom) this.frame.fit(this.zoom.box, this.zoom.scale / this.zoom.at.near);
    this.pointing?.place();
  }

  /** @param {View} view @param {Shown} shown */
  update(view, shown) {
    this.view = view;
    this.shown = shown;
    this.element.classList.toggle("codes", Boolean(shown.codes));
    const track = new Set(view.track);
    const left = this.figures.toLastSpike(view);
    this.near = left > 0 && left <= NEAR ? this.figures.lastSpikeSpaces(view) : [];
    this.only = left === 1;
    /** @type {SVGElement[]} */
    const fresh = [];
    for (const { tile } of this.spaces) {
      const part = /** @type {SVGElement} */ (this.spaceParts.get(tile));
      const laid = track.has(tile);
      part.classList.toggle("laid", laid);
      part.classList.toggle("mine", !laid && shown.hand.includes(tile));
      part.classList.toggle("legal", !laid && shown.legal.has(tile));
      part.classList.toggle("ghost", !laid && shown.ghost === tile);
      part.classList.toggle("near", this.near.includes(tile));
      part.classList.toggle("last", shown.last === tile);
      part.classList.toggle("fresh", laid && Boolean(shown.fresh?.has(tile)));
      if (laid && !this.laid.has(tile)) fresh.push(part);
    }
    // Who jumps through the turns wants to see the board, not the work on it.
    if (!this.fresh && fresh.length < 3) for (const part of fresh) this.hammer(part);
    this.laid = track;
    this.fresh = false;
    for (const part of this.cityParts.values()) this.updateCity(view, shown, part);
    this.showPaid();
    this.showBonus();
    if (view.last_spike === null || view.last_spike === undefined) {
      this.golden?.remove();
      this.halo?.remove();
      this.golden = this.halo = null;
    } else this.drive(shown.spike ?? shown.last ?? "");
    set(this.element, {
      "aria-label": say("Map: {laid} of {all} tiles laid, {missing} to the last spike", {
        laid: track.size,
        all: this.spaces.length,
        missing: left,
      }),
    });
    this.pointing?.update();
  }

  /** @param {View} view @param {Shown} shown @param {CityPart} part */
  updateCity(view, shown, part) {
    const { code } = part.city;
    const after = shown.after?.land[code] ?? view.land[code];
    const next = shown.bought === code ? after.indexOf(null) : -1;
    const bought = next >= 0 && after.join() === view.land[code].join() ? next : -1; // `after` doesn't have it yet
    part.drawCards(
      view.land[code].map((holder, rank) => {
        if (rank === bought) return { holder: shown.seat ?? null, ghost: "taken" };
        if (after[rank] === holder) return shown.freshLand?.has(`${code}${rank}`) && holder !== null ? { holder, ghost: "new" } : { holder };
        return after[rank] === null ? { holder, ghost: "sold" } : { holder: after[rank], ghost: "taken" };
      }),
    );
    const [offer, sale] = [shown.offers?.get(code), shown.sales?.get(code)];
    if (sale !== undefined) part.drawTag(this.scale < 0.7 ? say("+{amount}", { amount: shortMoney(sale) }) : say("sell +{amount}", { amount: shortMoney(sale) }), "sale");
    else if (offer !== undefined) part.drawTag(this.scale < 0.7 ? shortMoney(offer) : say("buy {amount}", { amount: shortMoney(offer) }), shown.bought === code ? "chosen" : "");
    else part.drawTag("", "");
  }

  showPaid() {
    const { paid } = this.shown;
    if (!paid?.size && !this.bubbles.childElementCount) return;
    this.bubbles.replaceChildren(...[...(paid ?? [])].map(([code, each]) => payoutBubbles(/** @type {Point} */ (this.places.get(code)), this.grow, citySizes(this.scale), each)));
    for (const [code, part] of this.cityParts) part.element.classList.toggle("paying", (paid?.get(code)?.length ?? 0) * 13 > 2 * citySizes(this.scale).ring);
  }

  /** The way to the last spike when it is near, and what it brings when one tile is left. */
  showBonus() {
    const spaces = this.spaces.filter(({ tile }) => this.near.includes(tile) && this.shown.ghost !== tile);
    const bare = (/** @type {Space} */ { tile }) => this.spaceParts.get(tile)?.dataset.level === "bare";
    const own = (/** @type {Space} */ { tile }) => this.shown.hand.includes(tile);
    const key = JSON.stringify([spaces.map((space) => [space.tile, bare(space), own(space)]), this.only, this.grow]);
    if (key === this.bonusKey) return; // or it would begin to glow again
    this.bonusKey = key;
    const cities = [...this.places.values()];
    this.bonuses.replaceChildren(...spaces.map((space) => (this.only && !bare(space) ? bonusTag(space, this.figures.edition.last_spike_bonus, cities, this.grow) : spikeBadge(space, this.grow, bare(space), own(space)))));
  }

  /** The last spike stands in the tile that joined the two ends. @param {string} tile */
  drive(tile) {
    const space = this.spaces.find((each) => each.tile === tile);
    if (!space) return null;
    this.spiked = tile;
    this.golden ??= goldenSpike();
    this.halo ??= svg("g", { class: "halo", "aria-hidden": "true" }, this.golden.querySelector(".glow"));
    for (const part of [this.golden, this.halo]) set(part, { transform: `translate(${space.at.x} ${space.at.y}) scale(${Math.max(1, this.grow * 0.6)})` });
    this.element.querySelector(".cities")?.before(this.halo); // whose land is whose is seen above it
    this.element.append(this.golden);
    return this.golden;
  }

  /** Highlight a player's land, and tell what each open route would pay them; once more hides it. @param {number} seat */
  showPlayer(seat) {
    this.element.scrollIntoView({ block: "nearest" });
    this.pointing?.show({ kind: "player", id: String(seat) }, true);
  }

  /** On a small screen, come nearer to the route of a tile that is chosen; but where land can be bought or sold
   * next, all of the cities have to be in sight. @param {string | null} tile */
  lookAt(tile) {
    if (tile === this.seen) return;
    this.seen = tile;
    if (this.zoom.box.width > 620) return;
    const { offers, sales } = this.shown;
    if (tile && !offers?.size && !sales?.size) this.nearTo(tile[0]);
    else this.zoom.all();
  }

  /** Come as near to a route as shows all of it. @param {string} letter */
  nearTo(letter) {
    const [first, , , last] = this.spaces.filter((space) => space.tile[0] === letter);
    const [wide, high] = [Math.abs(last.at.x - first.at.x) + 4 * RING, Math.abs(last.at.y - first.at.y) + 4.2 * RING];
    const middle = { x: (first.at.x + last.at.x) / 2, y: (first.at.y + last.at.y) / 2 };
    const { box, scale, at } = this.zoom;
    this.zoom.to(middle, (Math.min(box.width / wide, box.height / high) / scale) * at.near);
  }

  /** A copy for a picture of that width: the whole map, with all that has room there. @param {number} wide */
  copy(wide) {
    const before = this.scale;
    this.rescale(wide / WIDTH);
    this.frame.fit({ width: wide, height: (wide * HEIGHT) / WIDTH }, wide / WIDTH);
    const whole = /** @type {SVGSVGElement} */ (this.element.cloneNode(true));
    this.rescale(before);
    set(whole, { viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
    return { whole, high: Math.round((wide * HEIGHT) / WIDTH) };
  }

  /** Light up a finished route from end to end. @param {string} letter */
  light(letter) {
    if (lessMotion()) return;
    const glow = { stroke: "rgb(255 196 46 / 80%)", strokeWidth: 26 * this.grow };
    this.ways.get(letter)?.animate([{ stroke: "transparent" }, { ...glow, offset: 0.15 }, { ...glow, offset: 0.7 }, { stroke: "transparent" }], LIGHT_MS);
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

/** Points around a place, which the drawing of the land keeps away from. @param {Point} at @param {number} wide @param {number} high */
function around({ x, y }, wide, high) {
  return [-1, -0.5, 0, 0.5, 1].flatMap((across) => [-1, -0.3, 0.4, 1].map((down) => ({ x: x + across * wide, y: y + down * high })));
}
