// What the map answers: hover, tap and keyboard find a city, a route or a tile; a card tells of it.

import { el, fill, set } from "../lib/ui/dom.js";
import { count, money, say } from "../lib/words.js";
import { RING, WIDTH } from "./layout.js";

/** @typedef {{kind: "city" | "route" | "tile" | "player" | "spike", id: string}} Thing */
/** @typedef {import("./layout.js").Point} Point */

/** What a thumb hits, in pixels around a middle. */
const THUMB = 22;
const HOVER_MS = 140;
/** Maps narrower than this have no room for a card beside the thing. */
const NARROW = 620;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let made = 0;

export class Pointing {
  /** @param {import("./map.js").BoardMap} map */
  constructor(map) {
    this.map = map;
    const { element } = map;
    element.addEventListener("click", (event) => this.clicked(/** @type {PointerEvent} */ (event)));
    /** What the card tells of. @type {Thing | null} */
    this.thing = null;
    this.pinned = false;
    /** The only thing that Tab comes to. @type {Thing} */
    this.stop = { kind: "city", id: map.figures.edition.start };
    this.timer = 0;
    this.card = el("div", { class: "map-card", id: `map-card-${++made}`, role: "status", hidden: true });
    if (!map.answers) return;
    element.addEventListener("pointermove", (event) => this.hovered(event));
    element.addEventListener("pointerleave", () => this.wait(null));
    element.addEventListener("keydown", (event) => this.pressed(event));
    element.addEventListener("focusin", (event) => {
      const thing = thingOf(/** @type {Element} */ (event.target));
      if (!thing) return;
      this.stop = thing;
      this.rove();
      if (!(/** @type {Element} */ (event.target).matches(":focus-visible"))) return; // pressed, and in sight
      this.reveal(thing);
      void this.show(thing);
    });
    element.addEventListener("focusout", () => this.pinned || this.hide());
  }

  /** The things that keys go through: cities, routes, and tiles that can be laid. @returns {Thing[]} */
  get all() {
    const { map } = this;
    return [
      ...[...map.cityParts.keys()].map((id) => ({ kind: /** @type {const} */ ("city"), id })),
      ...[...map.ways.keys()].map((id) => ({ kind: /** @type {const} */ ("route"), id })),
      ...[...map.shown.legal].map((id) => ({ kind: /** @type {const} */ ("tile"), id })),
    ];
  }

  /** @param {Thing} thing */
  elementOf({ kind, id }) {
    const { map } = this;
    return kind === "city" ? map.cityParts.get(id)?.element : kind === "route" ? map.ways.get(id) : map.spaceParts.get(id);
  }

  /** @param {Thing} thing @returns {Point} */
  middleOf({ kind, id }) {
    const { map } = this;
    if (kind === "city") return /** @type {Point} */ (map.places.get(id));
    const all = map.spaces.filter(({ tile }) => (kind === "tile" ? tile === id : tile[0] === id)).map(({ at }) => at);
    return { x: (all[0].x + all[all.length - 1].x) / 2, y: (all[0].y + all[all.length - 1].y) / 2 };
  }

  /** Names and the one stop of Tab, after the table has changed. */
  update() {
    const { map } = this;
    const teller = map.answers?.teller();
    if (!teller || !map.view) return;
    const { offers, sales, legal } = map.shown;
    for (const [code, { element }] of map.cityParts) {
      const [offer, sale] = [offers?.get(code), sales?.get(code)];
      const city = teller.city(code);
      const name = sale !== undefined ? say("{city}: sell land for {amount}", { city, amount: money(sale) }) : offer !== undefined ? say("{city}: buy land for {amount}", { city, amount: money(offer) }) : city;
      set(element, { "aria-label": name });
    }
    for (const [letter, way] of map.ways) {
      const missing = map.figures.missing(map.view, letter).length;
      const facts = { route: teller.route(letter) };
      set(way, { "aria-label": missing ? count("{route}: {n} tile missing", "{route}: {n} tiles missing", missing, facts) : say("{route}: finished", facts) });
    }
    for (const [tile, part] of map.spaceParts) {
      const can = legal.has(tile);
      const facts = can && { tile, route: teller.route(tile[0]), cost: money(map.figures.cost(map.shown.now ?? map.view, tile).cost) };
      set(part, { role: can ? "button" : null, "aria-hidden": can ? null : "true", "aria-label": facts ? say("Lay {tile} on {route} for {cost}", facts) : null, tabindex: can ? -1 : null });
    }
    this.rove();
    if (this.thing) void this.fill();
  }

  rove() {
    if (!this.all.some((thing) => same(thing, this.stop))) this.stop = { kind: "route", id: this.stop.id[0] };
    for (const each of this.all) {
      const tabindex = same(each, this.stop) ? "0" : "-1";
      const element = this.elementOf(each);
      if (element?.getAttribute("tabindex") !== tabindex) element?.setAttribute("tabindex", tabindex);
    }
  }

  /** What is under a finger or a pointer: what can be done there comes first. @param {PointerEvent} event @returns {Thing | null} */
  under({ clientX, clientY, target }) {
    const { map } = this;
    const tag = /** @type {Element} */ (target).closest(".tag");
    if (tag) return this.named(tag);
    const { scale } = map;
    const at = map.zoom.under(clientX, clientY);
    const far = (/** @type {Point} */ { x, y }) => Math.hypot(x - at.x, y - at.y) * scale;
    const nearest = (/** @type {Thing[]} */ things) => {
      const [best] = things.map((thing) => ({ thing, far: far(this.middleOf(thing)) })).sort((one, other) => one.far - other.far);
      return best ?? { thing: null, far: Infinity };
    };
    const city = nearest([...map.places.keys()].map((id) => ({ kind: "city", id })));
    if (city.far <= Math.max(18, RING * scale)) return city.thing;
    const reach = Math.max(THUMB, (map.spaces[0].length / 2) * scale);
    const tiles = (/** @type {Iterable<string>} */ ids) => nearest([...ids].map((id) => ({ kind: "tile", id })));
    const legal = tiles(map.shown.legal);
    if (legal.far <= reach) return legal.thing;
    const tile = tiles(map.spaceParts.keys());
    if (tile.far <= reach && tile.far < city.far) return tile.thing;
    return city.far <= THUMB ? city.thing : null;
  }

  /** @param {PointerEvent} event */
  clicked(event) {
    // Who uses a screen reader presses a thing, not a place.
    const thing = event.detail ? this.under(event) : this.named(/** @type {Element} */ (event.target));
    if (!thing) return this.hide();
    if (event.pointerType === "touch" && this.crowded(thing, event)) return this.map.nearTo(thing.id[0]);
    this.act(thing);
  }

  /** @param {Element} target */
  named(target) {
    const named = target.closest("[data-city], [data-route], [data-tile]");
    return named && thingOf(named);
  }

  /** Whether a thumb covers more than one tile that can be laid. @param {Thing} thing @param {PointerEvent} event */
  crowded({ kind, id }, { clientX, clientY }) {
    const { map } = this;
    if (kind !== "tile" || !map.shown.legal.has(id) || map.scale > 0.9) return false;
    const at = map.zoom.under(clientX, clientY);
    const near = [...map.shown.legal].filter((tile) => {
      const { x, y } = this.middleOf({ kind, id: tile });
      return Math.hypot(x - at.x, y - at.y) * map.scale < THUMB;
    });
    return near.length > 1;
  }

  /** Lay, buy or sell there, or else tell of it. @param {Thing} thing */
  act(thing) {
    const { map } = this;
    const { kind, id } = thing;
    const { offers, sales, legal } = map.shown;
    if (!map.answers || (kind === "tile" && legal.has(id)) || (kind === "city" && (offers?.has(id) || sales?.has(id)))) {
      this.hide();
      if (kind === "city") map.listeners.onCity(id);
      else map.listeners.onTile(id);
      return;
    }
    // A tile of the hand that can't be laid: the table says why, as for the tile itself.
    if (kind === "tile" && legal.size && map.shown.hand.includes(id) && !map.view?.track.includes(id)) map.listeners.onTile(id);
    void this.show(kind === "tile" ? { kind: "route", id: id[0] } : thing, true);
  }

  /** @param {PointerEvent} event */
  hovered(event) {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const thing = this.under(event);
    this.map.element.classList.toggle("pointing", Boolean(thing));
    this.wait(thing?.kind === "tile" ? { kind: "route", id: thing.id[0] } : thing);
  }

  /** A pointer that only passes by opens nothing. @param {Thing | null} thing */
  wait(thing) {
    if (this.pinned || same(thing, this.next)) return;
    this.next = thing;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.pinned) return;
      if (thing) void this.show(thing);
      else this.hide();
    }, HOVER_MS);
  }

  /** @type {Thing | null} */
  next = null;

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAYS) this.go(WAYS[/** @type {keyof typeof WAYS} */ (event.key)]);
    else if (event.key === "Enter" || event.key === " ") this.act(this.stop);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  escape = (event) => {
    if (event.key !== "Escape" || !this.card.isConnected || document.querySelector("dialog[open]")) return;
    event.stopPropagation();
    this.hide();
  };

  /** What has the focus is never out of sight. @param {Thing} thing */
  reveal(thing) {
    const { zoom } = this.map;
    const middle = this.middleOf(thing);
    const { x, y } = zoom.onScreen(middle);
    if (x < THUMB || y < THUMB || x > zoom.box.width - THUMB || y > zoom.box.height - THUMB) zoom.to(middle, zoom.at.near);
  }

  /** To the nearest thing that way. @param {number[]} way */
  go([x, y]) {
    const from = this.middleOf(this.stop);
    /** @type {{thing: Thing, ahead: number, far: number}[]} */
    const [best] = this.all
      .map((thing) => {
        const to = this.middleOf(thing);
        const [ahead, aside] = [(to.x - from.x) * x + (to.y - from.y) * y, Math.abs((to.x - from.x) * y + (to.y - from.y) * x)];
        return { thing, ahead, far: ahead + 2 * aside };
      })
      .filter(({ thing, ahead }) => ahead > 1 && !same(thing, this.stop))
      .sort((one, other) => one.far - other.far);
    if (!best) return;
    this.stop = best.thing;
    this.rove();
    /** @type {SVGElement} */ (this.elementOf(best.thing)).focus({ preventScroll: true });
  }

  /** Show the card of a thing; a pinned one stays until it is closed. @param {Thing} thing */
  async show(thing, pin = false) {
    if (pin && this.pinned && same(thing, this.thing)) return this.hide();
    window.clearTimeout(this.timer);
    this.thing = thing.kind === "tile" ? { kind: "route", id: thing.id[0] } : thing;
    this.pinned = pin;
    document.addEventListener("keydown", this.escape, true); // before it undoes a move
    await this.fill();
  }

  async fill() {
    const { map, thing } = this;
    const { cardOf, styled } = await import("./card.js");
    await styled();
    if (!thing || thing !== this.thing || !map.answers || !map.view) return;
    const { title, body } = cardOf(thing, map.figures, map.view, map.answers, map.shown.after ?? null);
    const close = el("button", { type: "button", class: "quiet card-close", "aria-label": say("Close"), "data-key": "close-card", onclick: () => this.hide() }, "×");
    const told = [el("div", { class: "card-head" }, title, this.pinned && close), el("div", { class: "card-body" }, body)];
    const text = told.map(({ textContent }) => textContent).join("");
    if (this.card.hidden || this.card.textContent !== text) fill(this.card, ...told); // or it would be read out again
    if (!this.card.parentNode) map.element.after(this.card);
    this.card.hidden = false;
    this.card.classList.toggle("pinned", this.pinned);
    this.light(thing);
    this.place();
  }

  /** @param {Thing | null} thing */
  light(thing) {
    const { map } = this;
    /** @type {string[]} */
    const ends = thing?.kind === "route" ? map.figures.route(thing.id).ends : [];
    for (const [code, { element }] of map.cityParts) element.classList.toggle("lit", (thing?.kind === "city" && thing.id === code) || ends.includes(code));
    const way = thing?.kind === "spike" && map.view ? map.figures.lastSpikeSpaces(map.view) : [];
    for (const [tile, part] of map.spaceParts) part.classList.toggle("lit", (thing?.kind === "route" && thing.id === tile[0]) || way.includes(tile));
    set(map.element, { "data-player": thing?.kind === "player" ? thing.id : null });
  }

  /** Beside the thing; on a small map over its lower half, and on as far as it may. */
  place() {
    const { map, card, thing } = this;
    if (!thing || card.hidden) return;
    const { width, height } = map.zoom.box;
    const sheet = width < NARROW;
    card.classList.toggle("sheet", sheet);
    if (sheet) {
      const top = Math.round(height * 0.45);
      const room = (map.answers?.floor() ?? 0) - map.element.getBoundingClientRect().top - top;
      card.style.cssText = `inset: auto 4px auto 4px; top: ${top}px; max-height: ${Math.round(Math.max(room, height - top)) - 4}px`;
      return;
    }
    const apart = thing.kind === "player" || thing.kind === "spike"; // of no place on the map
    const at = thing.kind === "player" ? { x: this.eastern(Number(thing.id)) ? 0 : width, y: 0 } : thing.kind === "spike" ? this.freeCorner() : map.zoom.onScreen(this.middleOf(thing));
    const aside = apart ? 10 : (RING + 14) * Math.max(1, map.scale);
    const [wide, high] = [card.offsetWidth, card.offsetHeight];
    const left = at.x < width / 2 ? at.x + aside : at.x - aside - wide;
    const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.round(Math.max(8, Math.min(most - 8, value)));
    card.style.cssText = `left: ${within(left, width - wide)}px; top: ${within(at.y - high / 2, height - high)}px; max-height: ${Math.round(height - 16)}px`;
  }

  /** The corner where the card hides the fewest of the tiles that are lit. */
  freeCorner() {
    const { map } = this;
    const { width, height } = map.zoom.box;
    const lit = map.spaces.filter(({ tile }) => map.spaceParts.get(tile)?.classList.contains("lit")).map(({ at }) => map.zoom.onScreen(at));
    const hides = (/** @type {Point} */ { x, y }) => lit.filter((at) => Math.abs(at.x - x) < width * 0.42 && Math.abs(at.y - y) < height * 0.55).length;
    const corners = [{ x: 0, y: height }, { x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }];
    return corners.sort((one, other) => hides(one) - hides(other))[0];
  }

  /** Whether most of a player's land lies in the east, so that a card in the west hides less of it. @param {number} seat */
  eastern(seat) {
    const { places, figures, view } = this.map;
    const all = view ? figures.holdings(view, seat) : [];
    return all.reduce((sum, { code, cards }) => sum + cards * (/** @type {Point} */ (places.get(code)).x - WIDTH / 2), 0) >= 0;
  }

  hide() {
    window.clearTimeout(this.timer);
    this.next = null;
    if (!this.thing) return;
    document.removeEventListener("keydown", this.escape, true);
    this.thing = null;
    this.pinned = false;
    const inside = this.card.contains(document.activeElement);
    this.card.hidden = true;
    this.light(null);
    if (inside) this.elementOf(this.stop)?.focus({ preventScroll: true });
  }
}

/** @param {Element} element @returns {Thing | null} */
function thingOf(element) {
  for (const kind of /** @type {("city" | "route" | "tile")[]} */ (["city", "route", "tile"])) {
    const id = element.getAttribute(`data-${kind}`);
    if (id) return { kind, id };
  }
  return null;
}

/** @param {Thing | null} one @param {Thing | null} other */
function same(one, other) {
  return one?.kind === other?.kind && one?.id === other?.id;
}
