// One city: a ring with a segment for each of its cards, its payout in the middle, its name below.

import { set, svg } from "../lib/ui/dom.js";
import { say, shortMoney } from "../lib/words.js";
import { WIDTH } from "./layout.js";
import { LEAST, widthOf } from "./room.js";

/** @typedef {import("../game/figures.js").City} City */
/** A holder of a card, and what the turn being composed makes of it.
 * @typedef {{holder: number | "out" | null, ghost?: "taken" | "sold" | "new"}} Card */
/** @typedef {ReturnType<typeof import("./room.js").citySizes>} Sizes */

/** The symbols of the seats. About ten units across, and the same in every font. */
const SHAPES = [
  "M0-5.2L1.4-1.7 5.1-1.5 2.2.9 3.2 4.5 0 2.4-3.2 4.5-2.2.9-5.1-1.5-1.4-1.7z",
  "M0-5L4.4 0 0 5-4.4 0z",
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M0-4.8L4.8 3.8H-4.8z",
  "M-3.8-3.8h7.6v7.6h-7.6z",
  "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
];

/** @param {number} seat @param {number} x @param {number} y @param {number} [size] */
export function symbolShape(seat, x, y, size = 1) {
  return svg("path", { class: "sign", d: SHAPES[seat], transform: `translate(${x} ${y}) scale(${size})` });
}

const RAD = Math.PI / 180;
const n = (/** @type {number} */ value) => Math.round(value * 100) / 100;

export class CityPart {
  /** @param {City} city @param {import("./layout.js").Point} at @param {boolean} tip */
  constructor(city, at, tip) {
    this.city = city;
    this.at = at;
    /** @type {Sizes | null} */
    this.sizes = null;
    this.key = "";
    /** @type {Card[]} */
    this.cards = [];
    /** Other text for segments and middle, where an edition is corrected. @type {{cards: string[], pays: string} | null} */
    this.labels = null;
    this.ring = svg("circle", { class: "ring" });
    this.deeds = svg("g", { class: "deeds" });
    this.hub = svg("circle", { class: "hub" });
    this.pays = svg("text", { class: "pays", y: 4.2 }, shortMoney(city.payouts[0]));
    this.plate = svg("rect", { class: "plate", rx: 3 });
    this.name = svg("text", { class: "name" });
    this.tag = svg("g", { class: "tag" });
    this.hit = svg("circle", { class: "hit" });
    this.element = svg("g", { class: `city${tip ? " tip" : ""}`, "data-city": city.code }, this.ring, this.hit, this.hub, this.deeds, this.pays, this.plate, this.name, this.tag);
  }

  /** @param {Sizes} sizes @param {number} grow @param {{text: string, wide: number, x: number}} plate */
  fit(sizes, grow, plate) {
    this.sizes = sizes;
    const { ring, hub, letters, plate: high } = sizes;
    set(this.element, { transform: `translate(${this.at.x} ${this.at.y}) scale(${n(grow)})` });
    set(this.ring, { r: n(ring) });
    set(this.hub, { r: n(Math.max(2, hub)) });
    set(this.hit, { r: Math.max(22, ring) });
    set(this.plate, { x: n(plate.x - plate.wide / 2), y: n(ring + 0.5), width: plate.wide, height: high - 0.5 });
    set(this.name, { x: n(plate.x), y: n(ring + high / 2 + letters * 0.35), "font-size": letters });
    if (this.name.textContent !== plate.text) this.name.textContent = plate.text;
    this.key = "";
    this.drawCards(this.cards);
    this.drawTag(this.tagged, this.tagKind);
  }

  /** @param {Card[]} cards */
  drawCards(cards) {
    this.cards = cards;
    const key = JSON.stringify([cards, this.labels]);
    if (!this.sizes || this.key === key) return;
    this.key = key;
    const { ring, band, hub, pays: letters } = this.sizes;
    const [outer, inner] = [ring - 1, ring - 1 - band];
    const pays = this.labels?.pays ?? shortMoney(this.city.payouts[0]);
    this.pays.textContent = pays;
    set(this.pays, { "font-size": letters });
    this.pays.toggleAttribute("hidden", widthOf(pays, letters, 700) / 2 > hub + 0.4); // its corners may touch the ring
    this.deeds.replaceChildren(
      ...cards.map(({ holder, ghost }, rank) => {
        const middle = (72 * rank - 90) * RAD;
        const gap = 1.1 / inner;
        const [from, to] = [middle - 36 * RAD, middle + 36 * RAD];
        const point = (/** @type {number} */ radius, /** @type {number} */ angle) => `${n(radius * Math.cos(angle))} ${n(radius * Math.sin(angle))}`;
        const thin = gap * (inner / outer);
        const d = `M${point(outer, from + thin)}A${n(outer)} ${n(outer)} 0 0 1 ${point(outer, to - thin)}L${point(inner, to - gap)}A${n(inner)} ${n(inner)} 0 0 0 ${point(inner, from + gap)}z`;
        const reach = (outer + inner) / 2;
        const [x, y] = [n(reach * Math.cos(middle)), n(reach * Math.sin(middle))];
        const label = this.labels?.cards[rank];
        const owned = typeof holder === "number";
        return svg(
          "g",
          { class: `deed ${owned ? `owned seat-${holder}` : holder === "out" ? "out" : "none"}${ghost ? ` ${ghost}` : ""}` },
          svg("path", { class: "segment", d }),
          owned && symbolShape(holder, x, y, band / 14.5),
          label && svg("text", { class: "deed-text", x: n(x * 0.88), y: n(y * 0.94 + 4) }, label),
        );
      }),
    );
  }

  /** What can be done here, above the ring. @param {string} text @param {string} kind */
  drawTag(text, kind) {
    this.tagged = text;
    this.tagKind = kind;
    if (!this.sizes) return;
    const { ring, tag, small } = this.sizes;
    const wide = Math.ceil(widthOf(text, 11.5, 700)) + 12;
    const [at, edge] = [this.at.x * small, wide / 2 + 2];
    const x = n(Math.max(edge, Math.min(WIDTH * small - edge, at)) - at);
    this.element.classList.toggle("offered", Boolean(text));
    this.tag.setAttribute("class", `tag ${kind}`);
    this.tag.replaceChildren(
      ...(text ? [svg("rect", { x: x - wide / 2, y: -ring - tag - 0.5, width: wide, height: tag, rx: tag / 2 }), svg("text", { x, y: -ring - tag / 2 + 3.6 }, text)] : []),
    );
  }

  tagged = "";
  tagKind = "";
}

/** Who is paid how much in a city, over its ring: from its top on where they are higher.
 * @param {import("./layout.js").Point} at @param {number} grow @param {Sizes} sizes @param {{seat: number, amount: number}[]} paid */
export function payoutBubbles(at, grow, { ring }, paid) {
  const [high, letters] = ring < 30 ? [13, LEAST] : [16, 12];
  const texts = paid.map(({ amount }) => say("+{amount}", { amount: shortMoney(amount) }));
  const wide = Math.ceil(Math.max(...texts.map((text) => widthOf(text, letters, 700)))) + 25;
  const top = Math.max(-ring, (-high * paid.length) / 2);
  const edge = (wide / 2 + 2) * grow;
  const x = Math.max(edge, Math.min(WIDTH - edge, at.x)); // by the edge, nothing of it is cut off
  return svg(
    "g",
    { class: "bubbles", transform: `translate(${n(x)} ${at.y}) scale(${n(grow)})` },
    paid.map(({ seat }, row) =>
      svg(
        "g",
        { class: `bubble seat-${seat}` },
        svg("rect", { x: -wide / 2, y: top + row * high, width: wide, height: high - 0.5, rx: high / 2 }),
        symbolShape(seat, -wide / 2 + 10, top + (row + 0.5) * high, high / 15.5),
        svg("text", { x: 8, y: top + (row + 0.5) * high + letters * 0.35, "font-size": letters }, texts[row]),
      ),
    ),
  );
}
