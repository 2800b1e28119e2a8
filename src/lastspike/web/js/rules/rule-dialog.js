// One rule in a dialog over the game.

import { openDialog } from "../lib/ui/dialog.js";
import { el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { ruleBody } from "./rule.js";
import { openRulebook } from "./rulebook.js";

/** Show a rule; the whole rules in a new tab if that fails. @param {string} id */
export async function openRule(id) {
  try {
    const book = await openRulebook();
    const rule = book.rule(id);
    if (!rule) throw new Error(`no rule ${id}`);
    const body = el("div", { class: "rule-told" }, ruleBody(book, rule));
    const all = el("p", {}, el("a", { href: book.address(id) }, say("Full rules")));
    for (const link of [...body.querySelectorAll("a"), ...all.querySelectorAll("a")]) link.target = "_blank";
    openDialog(say("{rule}: {title}", { rule: id, title: rule.title }), [body, all]);
  } catch {
    window.open(`rules#${id}`, "_blank");
  }
}
