// Making elements, and replacing them without losing focus, scroll position or a click.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with attributes and children. `on…` takes a listener, `class` the classes,
 * true stands for an empty attribute, null, undefined and false for none.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...nodes(children));
  return made;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...nodes(children));
  return made;
}

/** @param {Element} element @param {Record<string, any>} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** What is being pressed just now. @type {Node | null} */
let pressed = null;
/** @type {Map<Element, (Child | Child[])[]>} */
const waiting = new Map();
const LONG_PRESS_MS = 1500;

document.addEventListener(
  "pointerdown",
  (event) => {
    pressed = /** @type {Node} */ (event.target);
    setTimeout(release, LONG_PRESS_MS, pressed);
  },
  true,
);
for (const end of ["pointerup", "pointercancel"]) {
  // The click comes right after; what has waited comes after that.
  document.addEventListener(end, () => setTimeout(release, 0, pressed), true);
}

/** @param {Node | null} what */
function release(what) {
  if (pressed !== what) return;
  pressed = null;
  for (const [part, children] of [...waiting]) fill(part, ...children);
}

/**
 * Puts new children into a part of the page. What had the focus and has a `data-key` hands it to
 * the new element of the same key; if there is none, the place around it with `data-rest` gets it. A part that is being pressed is filled when it is let go: news
 * that come between press and release must not swallow a click.
 * @param {Element} part
 * @param {...(Child | Child[])} children
 */
export function fill(part, ...children) {
  if (pressed && part.contains(pressed)) {
    waiting.set(part, children);
    return;
  }
  waiting.delete(part);
  const active = document.activeElement;
  const within = active instanceof HTMLElement && active !== part && part.contains(active) ? active : null;
  // What scrolls can be focused; of anything else the place is not asked, which costs a layout.
  const top = part.hasAttribute("tabindex") ? part.scrollTop : 0;
  // Parts that scroll sideways note themselves how far they are: see `side-scroll.js`.
  const aside = [...part.querySelectorAll("[data-scrolled]")].map((each) => /** @type {HTMLElement} */ (each).dataset);
  part.replaceChildren(...nodes(children));
  if (top) part.scrollTop = top;
  for (const { scroller, scrolled } of aside) part.querySelector(`[data-scroller="${scroller}"]`)?.scrollTo({ left: Number(scrolled), behavior: "instant" });
  if (!within) return;
  const again = within.dataset.key && part.querySelector(`[data-key="${CSS.escape(within.dataset.key)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  const rest = part.closest("[data-rest]");
  if (document.activeElement !== again && rest instanceof HTMLElement) rest.focus({ preventScroll: true });
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return /** @type {(Node | string)[]} */ (
    children.flat().filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/**
 * A button that says what it does: one with a sign for its text says so to a pointer that stays. Its `data-key` is the
 * same in every language; `fill` keeps the focus by it.
 * @param {string} text
 * @param {(event: Event) => void} act
 * @param {{"data-key": string, [name: string]: any}} attributes
 */
export function button(text, act, attributes) {
  return el("button", { type: "button", onclick: act, title: attributes["aria-label"], ...attributes }, text);
}

/**
 * A link to another screen, which is shown without loading the page again.
 * @param {string} address relative to the base
 * @param {(path: string) => void} go
 * @param {Record<string, any>} attributes
 * @param {...(Child | Child[])} children
 */
export function pageLink(address, go, attributes, ...children) {
  const onclick = (/** @type {Event} */ event) => {
    event.preventDefault();
    go(address);
  };
  return el("a", { href: address, onclick, ...attributes }, ...children);
}

/** The head of a table: one row of column titles. @param {(Child | Child[])[]} titles */
export function tableHead(titles) {
  return el("thead", {}, el("tr", {}, titles.map((title) => el("th", { scope: "col" }, title))));
}
