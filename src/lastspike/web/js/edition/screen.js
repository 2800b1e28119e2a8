// The screen of an edition: see its figures, correct, save, play and study it.

import { deleteOwn, markUsed, newEditionId, ownEdition, ownEditions, saveOwn, STANDARD } from "../game/editions.js";
import { showError } from "../game/errors.js";
import { makeTable } from "../game/new-table.js";
import { chooseFile, saveFile } from "../lib/files.js";
import { get, site } from "../lib/api.js";
import { same } from "../lib/same.js";
import { settings } from "../lib/settings.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { announce, note } from "../lib/ui/announce.js";
import { askText } from "../lib/ui/dialog.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";
import { checkDraft, checkFigures, checkToml } from "./check.js";
import { Draft } from "./draft.js";
import { EditionMap } from "./edition-map.js";
import { figureName, valueText, MARKS } from "./figure-field.js";
import { FigureSheets } from "./figure-sheets.js";
import { Study } from "./study.js";

/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {import("../game/editions.js").Own} Own */

/** What was being corrected in this tab, which a reload or another language shows again. */
const DRAFT = "lastspike.draft";
const LONGEST_NAME = 60;

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} rest the edition's id, or nothing */
  constructor(page, rest) {
    this.page = page;
    this.id = rest || STANDARD;
    /** The table whose edition it is, if nobody has kept it. */
    this.table = new URLSearchParams(location.search).get("table");
    this.element = el("div", { class: "edition-page" }, el("p", { class: "loading" }, say("Loading the edition…")));
    /** @type {{id: string, name: string}[]} */
    this.shipped = [];
    this.checks = 0;
    /** @type {import("./check.js").Problem[]} */
    this.problems = [];
    this.changes = el("section", { class: "card changes", "aria-labelledby": "changes" });
    this.trouble = el("div", { class: "trouble", role: "alert" });
    this.open().catch((error) => {
      showError(error);
      fill(this.element, el("p", { class: "loading" }, say("Couldn’t load this edition. Try again, or choose another.")), el("div", { class: "acts" }, button(say("Editions"), () => page.go("edition"), { "data-key": "editions" }), button(say("Home"), () => page.go(""), { "data-key": "home" })));
    });
  }

  async open() {
    const [list] = await Promise.all([get("api/editions"), loadStylesheet("edition.css")]);
    this.shipped = list.editions;
    this.own = this.table ? undefined : ownEdition(this.id);
    const base = this.own?.base ?? (await this.figures());
    const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
    const mine = draft?.id === this.key ? draft.mine : this.own?.mine;
    this.draft = new Draft(base, mine);
    this.draw();
    await this.check();
  }

  /** @returns {Promise<Edition>} */
  async figures() {
    if (!this.table) return get(`api/editions/${this.id}`);
    const { settings: chosen } = await get(`api/tables/${this.table}`);
    return chosen.figures ?? get(`api/editions/${chosen.edition}`);
  }

  get key() {
    return this.table ?? this.id;
  }

  /** What this edition is called. */
  get called() {
    return this.own?.figures ?? /** @type {Draft} */ (this.draft).base;
  }

  /** Whether there are corrections that nobody has kept. */
  get unkept() {
    const { mine } = /** @type {Draft} */ (this.draft);
    const kept = this.own?.mine ?? {};
    return !same(Object.entries(mine).sort(), Object.entries(kept).sort());
  }

  draw() {
    const draft = /** @type {Draft} */ (this.draft);
    this.map = new EditionMap(draft, this.called.name, (path) => this.focus(path));
    this.sheets = new FigureSheets(draft, {
      set: (path, value) => this.change(() => draft.set(path, value)),
      undo: (path) => this.change(() => draft.undo(path)),
      confirm: (paths) => this.change(() => draft.confirm(paths)),
      look: (path) => this.map?.look(path),
    });
    const now = () => (this.problems.length ? null : draft.figures());
    this.study = new Study(now, Object.keys(draft.base.starting_cash), showError);
    fill(
      this.element,
      el(
        "header",
        { class: "edition-head" },
        el("h1", {}, this.called.name),
        el("p", { class: "lead" }, say("Every figure in the game and where it comes from. If you own the board game, correct any figure that differs in your copy, save the result as your own edition, and play with it.")),
        el("div", { class: "edition-tools" }, this.picker(), button(say("Import TOML"), () => this.import(), { "data-key": "import" })),
      ),
      el(
        "div",
        { class: "edition-side" },
        el("figure", { class: "edition-map" }, this.map.element, this.legend()),
        this.trouble,
        this.changes,
        site.server && this.study.element,
      ),
      this.sheets.element,
      button(say("Your figures"), () => this.changes.scrollIntoView(), { class: "to-changes", "data-key": "to-changes" }),
    );
    this.drawChanges();
  }

  close() {
    this.study?.close();
  }

  picker() {
    const option = (/** @type {string} */ id, /** @type {string} */ name) => el("option", { value: id, selected: !this.table && id === this.id }, name);
    const own = ownEditions();
    const select = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { id: "edition", "data-key": "edition", onchange: () => this.page.go(`edition/${select.value}`) },
        this.table && el("option", { value: "", selected: true }, this.called.name),
        this.shipped.map(({ id, name }) => option(id, name)),
        own.length > 0 && el("optgroup", { label: say("Your editions") }, own.map(({ figures }) => option(figures.id, figures.name))),
      )
    );
    return el("p", { class: "option" }, el("label", { for: "edition" }, say("Edition")), select);
  }

  legend() {
    const entry = (/** @type {string} */ mark, /** @type {string} */ text) => el("span", {}, el("b", { "aria-hidden": "true" }, mark), " ", text);
    return el(
      "figcaption",
      { class: "legend notes" },
      entry(MARKS.printed, say("printed in a rulebook")),
      entry(MARKS.reconstructed, say("reconstructed: not in any rulebook we have")),
      entry(MARKS.yours, say("yours: from your copy")),
    );
  }

  /** @param {string} path */
  focus(path) {
    const input = this.sheets?.figures.get(path)?.input;
    input?.scrollIntoView({ block: "center" });
    input?.focus({ preventScroll: true });
  }

  /** @param {() => void} change */
  change(change) {
    change();
    const { mine } = /** @type {Draft} */ (this.draft);
    sessionStorage.setItem(DRAFT, JSON.stringify({ id: this.key, mine }));
    this.checked = this.check();
  }

  /** Ask whether it is good; the newest answer counts. Whether it is. */
  async check() {
    const draft = /** @type {Draft} */ (this.draft);
    const number = ++this.checks;
    this.sheets?.update(this.problems);
    this.drawChanges();
    try {
      const { problems, figures } = await checkDraft(draft);
      if (number !== this.checks) return false;
      const fresh = problems.filter((problem) => !this.problems.some((old) => old.path === problem.path && old.message === problem.message));
      this.problems = problems;
      this.sheets?.update(problems);
      if (figures) this.map?.update(figures);
      const elsewhere = problems.filter(({ path }) => !this.sheets?.figures.has(path));
      fill(this.trouble, elsewhere.map(({ message }) => el("p", { class: "problem" }, message)));
      for (const { path, message } of fresh) {
        if (this.sheets?.figures.has(path)) announce(say("{figure}: {problem}", { figure: figureName(draft.base, path), problem: message }));
      }
      this.drawChanges();
      return !problems.length;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  drawChanges() {
    const draft = /** @type {Draft} */ (this.draft);
    const paths = Object.keys(draft.mine);
    const line = (/** @type {string} */ path) => {
      const figure = figureName(draft.base, path);
      const [old, now] = [new Draft(draft.base).value(path), draft.value(path)].map((value) => valueText(draft.base, path, value));
      return el(
        "li",
        {},
        el("span", {}, draft.changed(path) ? say("{figure}: {old} → {now}", { figure, old, now }) : say("{figure}: {now} (unchanged)", { figure, now })),
        button(say("Undo"), () => this.change(() => draft.undo(path)), { class: "quiet", "aria-label": say("Undo: {figure}", { figure }), "data-key": `undo-${path}` }),
      );
    };
    const wrong = this.problems.length > 0;
    const here = this.changes.contains(document.activeElement);
    fill(
      this.changes,
      el("h2", { id: "changes", tabindex: "-1" }, say("Your figures")),
      wrong && el("p", { class: "problem" }, count("{n} figure is invalid. Fix it first.", "{n} figures are invalid. Fix them first.", this.problems.length)),
      el(
        "div",
        { class: "acts" },
        button(say("Play this edition"), () => this.play(), { class: "main", disabled: wrong, "data-key": "play" }),
        button(say("Save as your own edition"), () => this.keep(), { disabled: wrong || !this.unkept, "data-key": "keep" }),
        button(say("Export TOML"), () => this.export(), { disabled: wrong, "data-key": "export" }),
        this.own && button(say("Delete this edition"), () => this.forget(), { class: "quiet", "data-key": "delete" }),
      ),
      paths.length
        ? el("ul", { tabindex: paths.length > 4 ? "0" : null, "aria-labelledby": "changes" }, paths.map(line))
        : el("p", { class: "why" }, say("Change a figure, or confirm that it matches your copy.")),
    );
    // Who undid something by keys goes on from here.
    if (here && document.activeElement === document.body) this.changes.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** Keep the corrections under a name; the edition's figures, or null if the person cancels.
   * @returns {Promise<Edition | null>} */
  async keep() {
    const draft = /** @type {Draft} */ (this.draft);
    await this.checked;
    if (this.problems.length) return null;
    const name = await askText({
      title: say("Save as your own edition"),
      label: say("Edition name"),
      value: this.own?.figures.name ?? say("My copy"),
      act: say("Save"),
      most: LONGEST_NAME,
    });
    if (!name) return null;
    const again = this.own && !this.own.used && this.own.figures.name === name;
    const id = again ? this.id : newEditionId(name, this.shipped.map((each) => each.id));
    const figures = draft.figures({ id, name });
    this.remember({ figures, base: draft.base, mine: draft.mine, used: false });
    return figures;
  }

  /** Keep an edition and show it. @param {Own} own */
  remember(own) {
    saveOwn(own);
    sessionStorage.removeItem(DRAFT);
    if (!ownEdition(own.figures.id)) {
      note(say("This browser can’t store data, so the edition wasn’t saved. Export it as TOML instead."), "error");
      return;
    }
    this.page.go(`edition/${own.figures.id}`);
    note(say("Saved in this browser as {name}.", { name: own.figures.name }));
  }

  /** The edition as it is shown; corrections are kept first. @returns {Promise<Edition | null>} */
  async whole() {
    const draft = /** @type {Draft} */ (this.draft);
    if (this.unkept) return this.keep();
    return this.own?.figures ?? draft.base;
  }

  async play() {
    try {
      const figures = await this.whole();
      if (!figures) return;
      const counts = Object.keys(figures.starting_cash).map(Number);
      const players = counts.includes(4) ? 4 : counts[counts.length - 1];
      const seats = ["me", ...Array(players - 1).fill(settings.level)];
      const comes = this.shipped.some(({ id }) => id === figures.id);
      const made = await makeTable("api/tables/", { name: settings.name || say("Newcomer"), seats, settings: comes ? { edition: figures.id } : { figures } });
      if (!made) return;
      markUsed(figures.id);
      this.page.go(`table/${made.table}?begin`);
    } catch (error) {
      showError(error);
    }
  }

  async export() {
    try {
      const figures = await this.whole();
      if (!figures) return;
      const { toml } = await checkFigures(figures);
      markUsed(figures.id);
      saveFile(new Blob([toml ?? ""], { type: "application/toml" }), `${figures.id}.toml`);
    } catch (error) {
      showError(error);
    }
  }

  import() {
    chooseFile(say("Import TOML"), ".toml,application/toml", (file) => void this.read(file).catch(showError));
  }

  /** @param {File} file */
  async read(file) {
    const { figures, problem } = await checkToml(await file.text());
    if (!figures) {
      const where = problem?.path ? say("{file}, {path}: {problem}", { file: file.name, path: problem.path, problem: problem.message }) : say("{file}: {problem}", { file: file.name, problem: problem?.message });
      fill(this.trouble, el("p", { class: "problem" }, where));
      this.trouble.scrollIntoView({ block: "center" });
      return;
    }
    const known = ownEdition(figures.id);
    if (known && same(known.figures, figures)) {
      this.page.go(`edition/${figures.id}`);
      return;
    }
    const taken = known || this.shipped.some(({ id }) => id === figures.id);
    const own = taken ? { ...figures, id: newEditionId(figures.id, this.shipped.map(({ id }) => id)) } : figures;
    this.remember({ figures: own, base: own, mine: {}, used: false });
  }

  forget() {
    deleteOwn(this.id);
    sessionStorage.removeItem(DRAFT);
    note(say("Deleted {name} from this browser.", { name: this.called.name }));
    this.page.go("edition");
  }
}
