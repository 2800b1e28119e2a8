// One rule: number, title, text, example and illustration.

import { el } from "../lib/ui/dom.js";
import { FIGURES } from "./illustrations.js";
import { prose } from "./markup.js";
import { numbered } from "./rulebook.js";

/** @typedef {import("./rulebook.js").Rulebook} Rulebook */
/** @typedef {import("./rulebook.js").Rule} Rule */

/** The rule as a part of the whole. @param {Rulebook} book @param {Rule} rule */
export function ruleArticle(book, rule) {
  return el(
    "article",
    { class: "rule", id: rule.id, tabindex: "-1", "aria-labelledby": `${rule.id}-title` },
    el(
      "h3",
      { id: `${rule.id}-title` },
      numbered(rule.id) && el("a", { class: "rule-number", href: book.address(rule.id) }, rule.id),
      numbered(rule.id) && " ",
      rule.title,
    ),
    ...ruleBody(book, rule),
  );
}

/** What it says. @param {Rulebook} book @param {Rule} rule */
export function ruleBody(book, rule) {
  const told = (/** @type {string} */ text) => prose(text, book.facts, book.address);
  const example = rule.example ? told(rule.example) : null;
  return [
    ...rule.text.map(told).map((text) => text && el("p", {}, text)),
    example && el("div", { class: "example" }, el("b", {}, book.words.labels.example), el("p", {}, example)),
    rule.figure ? FIGURES[rule.figure](book) : null,
  ];
}
