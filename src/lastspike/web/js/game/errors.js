// Errors shown to players: a note, with a link to the rule that a refused move breaks.

import { note } from "../lib/ui/announce.js";
import { el } from "../lib/ui/dom.js";
import { say, sentence } from "../lib/words.js";

/** A lost connection has a banner of its own. @param {unknown} error */
export function showError(error) {
  const rule = ruleOf(error);
  if (/** @type {any} */ (error)?.message !== "lost") note(errorText(error), "error", rule ? ruleLink(rule) : null);
}

/** An error as a sentence. @param {unknown} error */
export function errorText(error) {
  return sentence(error instanceof Error ? error.message : String(error));
}

/** The rule that an error names, or nothing. @param {unknown} error @returns {string} */
export function ruleOf(error) {
  return /** @type {any} */ (error)?.problem?.rule ?? "";
}

/** A link to a rule; `main.js` opens those with `data-rule` in a dialog. @param {string} rule */
export function ruleLink(rule) {
  return el("a", { class: "rule-link", href: `rules#${rule}`, target: "_blank", "data-rule": rule }, say("Read rule {rule}", { rule }));
}
