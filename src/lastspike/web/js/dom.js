// Making elements, and putting new ones in place of old without losing the focus.

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

/**
 * Puts new children into a part of the page. What had the focus and has a `data-key` hands it to
 * the new element of the same key.
 * @param {Element} part
 * @param {...(Child | Child[])} children
 */
export function fill(part, ...children) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && part.contains(active) ? active.dataset.key : null;
  const top = part.scrollTop;
  part.replaceChildren(...nodes(children));
  part.scrollTop = top;
  if (key) {
    const again = part.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return /** @type {(Node | string)[]} */ (
    children.flat().filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/**
 * A button that says what it does.
 * @param {string} text
 * @param {(event: Event) => void} act
 * @param {Record<string, any>} [attributes]
 */
export function button(text, act, attributes = {}) {
  return el("button", { type: "button", onclick: act, "data-key": text, ...attributes }, text);
}
