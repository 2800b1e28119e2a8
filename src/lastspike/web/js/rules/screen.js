// The screen of the rules: contents, search, every rule, and a summary to print.

import { showError } from "../game/errors.js";
import { announce } from "../lib/ui/announce.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";
import { cashList, FIGURES } from "./illustrations.js";
import { folded, plain, prose } from "./markup.js";
import { ruleArticle } from "./rule.js";
import { numbered, openRulebook } from "./rulebook.js";

/** @typedef {import("./rulebook.js").Rulebook} Rulebook */
/** @typedef {import("./rulebook.js").Section} Section */
/** @typedef {import("./rulebook.js").Rule} Rule */

const SILENCE_MS = 600;
/** Room for the contents beside the rules. */
const WIDE = "(min-width: 60em)";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} rest the edition's id, or nothing */
  constructor(page, rest) {
    this.page = page;
    this.element = el("div", { class: "rules-page" }, el("p", { class: "loading" }, say("Loading the rules…")));
    /** What can be found: its text, its elements. @type {{text: string, parts: HTMLElement[], section: string}[]} */
    this.entries = [];
    this.found = el("p", { class: "found notes" });
    this.announcing = 0;
    this.seek = () => this.toAnchor();
    window.addEventListener("hashchange", this.seek);
    this.opened = this.open(rest);
  }

  close() {
    window.removeEventListener("hashchange", this.seek);
    clearTimeout(this.announcing);
  }

  /** @param {string} edition */
  async open(edition) {
    try {
      this.draw(await openRulebook(edition, this.page.go));
      this.toAnchor();
    } catch (error) {
      showError(error);
      fill(this.element, el("p", { class: "loading" }, say("Couldn’t load the rules. Reload the page to try again.")), this.acts());
    }
  }

  /** @param {Rulebook} book */
  draw(book) {
    const { words } = book;
    const search = /** @type {HTMLInputElement} */ (
      el("input", { id: "rules-search", type: "search", autocomplete: "off", spellcheck: "false", "data-key": "search", oninput: () => this.filter(search.value) })
    );
    this.search = search;
    this.nothing = el("p", { class: "empty", hidden: true }, say("No rule contains all these words. Try fewer."));
    this.summary = summary(book);
    const sections = book.sections.map((section) => this.section(book, section));
    fill(
      this.element,
      el(
        "div",
        { class: "rules-head" },
        el("h1", {}, say("Rules")),
        el("p", { class: "lead" }, prose(words.lead, book.facts, book.address)),
        el(
          "div",
          { class: "rules-tools" },
          el("search", {}, el("label", { for: "rules-search" }, say("Search the rules")), search),
          button(say("Print the summary"), () => window.print(), { "data-key": "print" }),
          this.found,
        ),
      ),
      this.contents(book),
      el("div", { class: "rules-body" }, sections, this.nothing, this.summary, this.acts()),
    );
  }

  acts() {
    return el(
      "div",
      { class: "acts rules-acts" },
      button(say("Play now"), () => this.page.go("?play"), { class: "main", "data-key": "play" }),
      button(say("Home"), () => this.page.go(""), { "data-key": "home" }),
    );
  }

  /** @param {Rulebook} book */
  contents(book) {
    const to = (/** @type {string} */ id, /** @type {string} */ title) => el("a", { href: book.address(id) }, title);
    return el(
      "nav",
      { class: "rules-contents card", "aria-label": say("Contents") },
      el(
        "details",
        { open: matchMedia(WIDE).matches },
        el("summary", {}, say("Contents")),
        el(
          "ol",
          {},
          book.sections.map((section) =>
            this.listed(section.id, el("li", {}, to(section.id, section.title), el("span", { class: "numbers" }, section.rules.filter(({ id }) => numbered(id)).map(({ id, title }) => el("a", { href: book.address(id), "aria-label": say("{rule}: {title}", { rule: id, title }), title }, id))))),
          ),
          el("li", {}, to("summary", book.words.summary.title)),
        ),
      ),
    );
  }

  /** An entry of the contents goes with its section. @param {string} section @param {HTMLElement} item */
  listed(section, item) {
    for (const entry of this.entries) if (entry.section === section) entry.parts.push(item);
    return item;
  }

  /** @param {Rulebook} book @param {Section} section */
  section(book, section) {
    const whole = el(
      "section",
      { class: "rules-section card", "aria-labelledby": section.id },
      el("h2", { id: section.id, tabindex: "-1" }, section.title),
      section.lead && el("p", {}, prose(section.lead, book.facts, book.address)),
    );
    for (const rule of section.rules) {
      const article = ruleArticle(book, rule);
      whole.append(article);
      const told = [numbered(rule.id) ? rule.id : "", rule.title, section.title, ...rule.text, rule.example ?? ""];
      this.entries.push({ text: folded(told.map((text) => plain(text, book.facts)).join("\n")), parts: [article, whole], section: section.id });
    }
    return whole;
  }

  /** Show the rules that have all words of what is typed. @param {string} typed */
  filter(typed) {
    const words = folded(typed).split(/\s+/).filter(Boolean);
    /** @type {Map<HTMLElement, boolean>} */
    const shown = new Map();
    let matching = 0;
    for (const { text, parts } of this.entries) {
      const matches = words.every((word) => text.includes(word));
      matching += matches ? 1 : 0;
      for (const part of parts) shown.set(part, matches || Boolean(shown.get(part)));
    }
    for (const [part, matches] of shown) part.hidden = !matches;
    if (this.summary) this.summary.hidden = words.length > 0;
    if (this.nothing) this.nothing.hidden = matching > 0;
    const told = words.length ? count("{n} rule found", "{n} rules found", matching) : "";
    this.found.textContent = told;
    clearTimeout(this.announcing);
    this.announcing = window.setTimeout(() => announce(told), SILENCE_MS);
  }

  /** Go to what the address names after its #, and mark it. */
  toAnchor() {
    const id = location.hash.slice(1);
    const target = id ? document.getElementById(id) : null;
    if (!target || !this.element.contains(target)) return;
    if (this.search && !target.checkVisibility()) {
      this.search.value = "";
      this.filter("");
    }
    for (const marked of this.element.querySelectorAll(".marked")) marked.classList.remove("marked");
    target.classList.add("marked");
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }
}

/** The whole game on one page of paper. @param {Rulebook} book */
function summary(book) {
  const { title, goal, parts } = book.words.summary;
  const told = (/** @type {string} */ text) => prose(text, book.facts, book.address);
  return el(
    "section",
    { class: "summary card", "aria-labelledby": "summary" },
    el("h2", { id: "summary", tabindex: "-1" }, title),
    el("p", { class: "summary-goal" }, told(goal)),
    el(
      "div",
      { class: "summary-parts" },
      parts.map((part) =>
        el(
          "div",
          {},
          el("h3", {}, part.title),
          el(part.ordered ? "ol" : "ul", {}, part.items.map(told).map((item) => item && el("li", {}, item))),
        ),
      ),
    ),
    el("div", { class: "summary-cash" }, el("b", {}, book.label("cash")), cashList(book.edition)),
    FIGURES.land(book),
    FIGURES.costs(book),
  );
}
