// The coach: shows one sentence at a time, and highlights what it is about.

import { button, el, set } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** @typedef {{text: string, marks: string[], goOn: boolean, again: boolean, done: number}} Said
 *   `marks` are selectors of what it is about, `done` is between 0 and 1 */

/** For buttons and for shapes on the map; each takes what concerns it. */
const GLOW = "outline: var(--coach-ring); outline-offset: var(--coach-offset, 2px); animation: var(--coach-glow); stroke: var(--coach); stroke-width: 6;";

export class Coach {
  /** @param {{goOn: () => void, again: () => void}} listeners */
  constructor(listeners) {
    this.again = button(say("Start over"), listeners.again, { class: "quiet", hidden: true, "data-key": "again" });
    this.goOn = button(say("Continue"), listeners.goOn, { class: "main", hidden: true, "data-key": "go-on" });
    this.text = el("p", { class: "coach-text", role: "status", tabindex: "-1" });
    this.progress = /** @type {HTMLProgressElement} */ (el("progress", { "aria-label": say("Your progress"), max: 1, value: 0 }));
    this.element = el("section", { class: "coach", "aria-label": say("Coach") }, this.text, el("div", { class: "acts" }, this.again, this.goOn), this.progress);
    this.glow = new CSSStyleSheet();
    document.adoptedStyleSheets.push(this.glow);
    this.marked = "";
    /** @type {string | undefined} */
    this.first = undefined;
    // What it points at is redrawn now and then, and only when nobody presses on it.
    this.watch = new MutationObserver(() => this.point());
  }

  /** Stand at the top of a part of the page, and point at what is below. @param {Element} part */
  stand(part) {
    part.prepend(this.element);
    this.watch.observe(part, { childList: true, subtree: true });
  }

  /** @param {Said} said */
  show(said) {
    set(this.progress, { value: said.done });
    this.mark(said.marks);
    const pressed = document.activeElement === this.goOn || document.activeElement === this.again;
    this.again.hidden = !said.again;
    this.goOn.hidden = !said.goOn;
    if (this.text.textContent !== said.text) this.text.textContent = said.text;
    if (pressed && document.activeElement === document.body) this.text.focus({ preventScroll: true }); // the button is gone
  }

  /** Selectors, not elements: parts are redrawn while it glows. @param {string[]} marks */
  mark(marks) {
    const rule = marks.length ? `:is(${marks.join()}) { ${GLOW} }` : "";
    if (rule === this.marked) return;
    this.marked = rule;
    this.first = marks[0];
    this.glow.replaceSync(rule);
    this.point();
  }

  point() {
    const { element, first } = this;
    const target = first && element.parentElement?.querySelector(first);
    element.classList.toggle("points", Boolean(target));
    if (!target) return;
    element.classList.toggle("near", Boolean(target.closest(".hand")));
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = target.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    const x = Math.min(own.width - 24, Math.max(24, box.x + box.width / 2 - own.x));
    element.style.setProperty("--tail", `${Math.round(x)}px`);
  }

  close() {
    this.watch.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.glow);
  }
}
