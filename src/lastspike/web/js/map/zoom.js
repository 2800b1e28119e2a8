// Zoom and pan of the map, by wheel, pinch and drag.

/** @typedef {import("./layout.js").Point} Point */

/** The most that the map is brought nearer. */
const MOST = 6;

export class Zoom {
  /** @param {SVGSVGElement} element @param {{width: number, height: number}} sheet
   * @param {(scale: number) => void} rescaled told how many pixels a unit of the drawing takes
   * @param {() => void} panned */
  constructor(element, sheet, rescaled, panned) {
    this.element = element;
    this.sheet = sheet;
    this.rescaled = rescaled;
    this.panned = panned;
    /** The size of the map on the screen. */
    this.box = { width: sheet.width, height: sheet.height };
    /** What is in the middle, and how much nearer than the whole map. */
    this.at = { x: sheet.width / 2, y: sheet.height / 2, near: 1 };
    this.told = 0;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.moved = false;
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.at.near === 1 && event.deltaY > 0) return;
      event.preventDefault();
      this.by(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => {
      this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = false;
    });
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(end, (event) =>
        this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId),
      );
    }
    element.addEventListener("click", (event) => {
      if (this.moved) event.stopPropagation();
    }, { capture: true });
    element.addEventListener("dblclick", () => this.all());
    new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      if (width && height) this.measure(width, height);
    }).observe(element);
  }

  /** @param {number} width @param {number} height */
  measure(width, height) {
    this.box = { width, height };
    this.show();
  }

  /** Pixels for a unit of the drawing. */
  get scale() {
    return Math.min(this.box.width / this.sheet.width, this.box.height / this.sheet.height) * this.at.near;
  }

  /** Where a point of the drawing is on the map, in pixels from its corner. @param {Point} point */
  onScreen({ x, y }) {
    const { scale, box, at } = this;
    return { x: (x - at.x) * scale + box.width / 2, y: (y - at.y) * scale + box.height / 2 };
  }

  /** The point of the drawing under a point of the screen. @param {number} clientX @param {number} clientY @returns {Point} */
  under(clientX, clientY) {
    const seen = this.element.getBoundingClientRect();
    const { scale, box, at } = this;
    return { x: at.x + (clientX - seen.x - box.width / 2) / scale, y: at.y + (clientY - seen.y - box.height / 2) / scale };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const other = others[0][1];
      const old = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      const fresh = Math.hypot(now.x - other.x, now.y - other.y);
      this.by(fresh / old, (now.x + other.x) / 2, (now.y + other.y) / 2);
      this.moved = true;
    } else if (this.at.near > 1) {
      this.at.x -= (now.x - before.x) / this.scale;
      this.at.y -= (now.y - before.y) / this.scale;
      if (Math.hypot(now.x - before.x, now.y - before.y) > 3) this.moved = true;
      this.show();
    }
    this.fingers.set(event.pointerId, now);
  }

  /** @param {number} factor @param {number} [clientX] @param {number} [clientY] */
  by(factor, clientX, clientY) {
    const { at } = this;
    const fixed = clientX === undefined || clientY === undefined ? { x: at.x, y: at.y } : this.under(clientX, clientY);
    const near = Math.min(MOST, Math.max(1, at.near * factor));
    const part = at.near / near;
    this.at = { x: fixed.x + (at.x - fixed.x) * part, y: fixed.y + (at.y - fixed.y) * part, near };
    this.show();
  }

  /** @param {Point} middle @param {number} near */
  to({ x, y }, near) {
    this.at = { x, y, near: Math.min(MOST, Math.max(1, near)) };
    this.show();
  }

  all() {
    this.at.near = 1;
    this.show();
  }

  /** Only the drawing is looked at; what lies around it fills the place where that has another shape. */
  show() {
    const { at, sheet, box, scale } = this;
    /** @param {number} value @param {number} whole @param {number} seen */
    const within = (value, whole, seen) => (seen >= whole ? whole / 2 : Math.min(whole - seen / 2, Math.max(seen / 2, value)));
    at.x = within(at.x, sheet.width, box.width / scale);
    at.y = within(at.y, sheet.height, box.height / scale);
    const [wide, high] = [sheet.width / at.near, sheet.height / at.near];
    this.element.setAttribute("viewBox", `${at.x - wide / 2} ${at.y - high / 2} ${wide} ${high}`);
    this.element.classList.toggle("zoomed", at.near > 1);
    if (scale !== this.told) this.rescaled(scale);
    else this.panned();
    this.told = scale;
  }
}
