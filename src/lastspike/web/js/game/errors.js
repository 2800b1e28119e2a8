// Errors shown to players: a note, with a link to the rule that a refused move breaks.

import { note } from "../lib/ui/announce.js";
import { el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** A lost connection has a banner of its own. @param {unknown} error */
export function showError(error) {
  const text = error instanceof Error ? error.message : String(error);
  const rule = ruleOf(error);
  if (text !== "lost") note(text, "error", rule ? ruleLink(rule) : null);
}

/** The rule that an error names, or nothing. @param {unknown} error @returns {string} */
export function ruleOf(error) {
  return /** @type {any} */ (error)?.problem?.rule ?? "";
}

/** A link to a rule; `main.js` opens those with `data-rule` in a dialog. @param {string} rule */
export function ruleLink(rule) {
  return el("a", { class: "rule-link", href: `rules#${rule}`, target: "_blank", "data-rule": rule }, say("Read rule {rule}", { rule }));
}
