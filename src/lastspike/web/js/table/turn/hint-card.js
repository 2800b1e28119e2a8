// The hint: what the computer would do, why, and a button that sets it up.

import { button, el } from "../../lib/ui/dom.js";
import { say } from "../../lib/words.js";

/**
 * @param {string[]} told what it would do, then the reasons
 * @param {{follow: (() => void) | null, close: () => void, reasons: {open: boolean} | null}} ways `follow`: null where the
 *   turn is composed so already; `reasons`: they can be folded, and whether they are open is kept there
 */
export function hintCard([what, ...why], { follow, close, reasons }) {
  const list = why.length > 0 && el("ul", {}, why.map((text) => el("li", {}, text)));
  return el(
    "div",
    { class: "hint", role: "note", tabindex: "0", "data-key": "advice" },
    el("p", {}, what),
    button("×", close, { class: "quiet hint-close", "aria-label": say("Close"), "data-key": "hint-close" }),
    list && (reasons ? folded(list, reasons) : list),
    follow && button(say("Use this hint"), follow, { class: "hint-follow", "data-key": "follow" }),
  );
}

/** @param {HTMLElement} list @param {{open: boolean}} kept */
function folded(list, kept) {
  const all = /** @type {HTMLDetailsElement} */ (el("details", { open: kept.open }, el("summary", { "data-key": "hint-why" }, say("Why?")), list));
  all.addEventListener("toggle", () => (kept.open = all.open));
  return all;
}
