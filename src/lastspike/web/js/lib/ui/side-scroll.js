// Parts that scroll sideways, and show at which edge there is more.

import { el } from "./dom.js";

/** One that keys can scroll. @param {string} title @param {string} kind its class @param {...HTMLElement} content */
export function sideScroller(title, kind, ...content) {
  return markEdges(el("div", { class: kind, tabindex: "0", role: "group", "aria-label": title }, ...content));
}

/** The same part; its classes tell at which edge there is more. `fill` puts its successor of the same class where
 * this one was. @param {HTMLElement} part */
export function markEdges(part) {
  part.dataset.scroller = part.className;
  part.addEventListener("scroll", () => {
    part.dataset.scrolled = String(part.scrollLeft);
    look();
  });
  new ResizeObserver(look).observe(part);
  return part;

  function look() {
    const more = part.scrollWidth - part.clientWidth;
    part.classList.toggle("more-before", part.scrollLeft > 1);
    part.classList.toggle("more-after", part.scrollLeft < more - 1);
  }
}
