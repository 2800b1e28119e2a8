// Zoom and pan of the map, by wheel, pinch and drag.

/** @typedef {import("./layout.js").Point} Point */

export class Zoom {
  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element;
    this.sheet = { width: 1, height: 1 };
    this.box = { x: 0, y: 0, scale: 1 };
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.moved = false;
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.box.scale === 1 && event.deltaY > 0) return;
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
  }

  /** @param {number} width @param {number} height */
  measure(width, height) {
    this.sheet = { width, height };
    this.all();
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
    } else if (this.box.scale > 1) {
      const unit = this.sheet.width / this.box.scale / this.element.clientWidth;
      this.box.x -= (now.x - before.x) * unit;
      this.box.y -= (now.y - before.y) * unit;
      if (Math.hypot(now.x - before.x, now.y - before.y) > 3) this.moved = true;
      this.show();
    }
    this.fingers.set(event.pointerId, now);
  }

  /** @param {number} factor @param {number} [clientX] @param {number} [clientY] */
  by(factor, clientX, clientY) {
    const seen = this.element.getBoundingClientRect();
    const x = ((clientX ?? seen.x + seen.width / 2) - seen.x) / seen.width;
    const y = ((clientY ?? seen.y + seen.height / 2) - seen.y) / seen.height;
    const scale = Math.min(5, Math.max(1, this.box.scale * factor));
    this.box.x += (this.sheet.width / this.box.scale - this.sheet.width / scale) * x;
    this.box.y += (this.sheet.height / this.box.scale - this.sheet.height / scale) * y;
    this.box.scale = scale;
    this.show();
  }

  /** @param {Point} middle @param {number} scale */
  to(middle, scale) {
    const { width, height } = this.sheet;
    this.box = { x: middle.x - width / scale / 2, y: middle.y - height / scale / 2, scale };
    this.show();
  }

  all() {
    this.box = { x: 0, y: 0, scale: 1 };
    this.show();
  }

  show() {
    const { box } = this;
    const { width, height } = this.sheet;
    const [wide, high] = [width / box.scale, height / box.scale];
    box.x = Math.min(width - wide, Math.max(0, box.x));
    box.y = Math.min(height - high, Math.max(0, box.y));
    this.element.setAttribute("viewBox", `${box.x} ${box.y} ${wide} ${high}`);
    this.element.classList.toggle("zoomed", box.scale > 1);
  }
}
