// A way from a refused move to the rule that forbids it, without leaving the game.

import { show } from "../lib/ui/dialog.js";
import { el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** The rule that an error names, or nothing. @param {unknown} error @returns {string} */
export function ruleOf(error) {
  return /** @type {any} */ (error)?.problem?.rule ?? "";
}

/** A link that shows the rule over the page; in a tab of its own for who wants that. @param {string} rule */
export function ruleLink(rule) {
  return el(
    "a",
    {
      class: "rule-link",
      href: `rules#${rule}`,
      target: "_blank",
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void open(rule);
      },
    },
    say("Read rule {rule}", { rule }),
  );
}

/** @param {string} id */
async function open(id) {
  try {
    const [{ openRulebook }, { ruleBody }] = await Promise.all([import("../rules/rulebook.js"), import("../rules/rule.js")]);
    const book = await openRulebook();
    const rule = book.rule(id);
    if (!rule) throw new Error(`no rule ${id}`);
    const body = el("div", { class: "rule-told" }, ruleBody(book, rule));
    const all = el("p", {}, el("a", { href: book.address(id) }, say("All the rules")));
    for (const link of [...body.querySelectorAll("a"), ...all.querySelectorAll("a")]) link.target = "_blank";
    show(say("{rule}: {title}", { rule: id, title: rule.title }), [body, all]);
  } catch {
    window.open(`rules#${id}`, "_blank");
  }
}
