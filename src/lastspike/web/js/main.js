// The page: the bar on top, and the screen for the address.

import { gameInAddress, openedRecord, openRecord } from "./game/record.js";
import { Home } from "./home/screen.js";
import { base, site, talkTo } from "./lib/api.js";
import { apply, change, onChange, settings } from "./lib/settings.js";
import { button, el, fill, pageLink } from "./lib/ui/dom.js";
import { showNotices } from "./lib/ui/notices.js";
import { unlockSound } from "./lib/ui/sounds.js";
import { say, speak, LANGUAGES } from "./lib/words.js";
import { TableScreen } from "./table/screen.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));

/** @typedef {{element: HTMLElement, close?: () => void}} Screen */
/** @typedef {{go: (path: string) => void}} Page */

/** Screens that few begin with are fetched when they are asked for, by the first part of the address.
 * @type {Record<string, () => Promise<{Screen: new (page: Page, rest: string) => Screen}>>} */
const LATER = {
  about: () => import("./home/about-screen.js"),
  admin: () => import("./admin/screen.js"),
  alerts: () => import("./alerts/screen.js"),
  daily: () => import("./daily/screen.js"),
  edition: () => import("./edition/screen.js"),
  history: () => import("./history/screen.js"),
  learn: () => import("./rules/overview-screen.js"),
  lesson: () => import("./lesson/screen.js"),
  rules: () => import("./rules/screen.js"),
  review: () => import("./review/screen.js"),
  unsubscribe: () => import("./alerts/unsubscribe-screen.js"),
  verify: () => import("./review/verify-screen.js"),
};

/** What needs a server. */
if (!site.server) for (const screen of ["about", "admin", "alerts", "unsubscribe"]) delete LATER[screen];

/** Those of them whose address may go on, with a table's or an edition's id, or a token. */
const OF_ONE = new Set(["daily", "edition", "review", "rules", "unsubscribe", "verify"]);

/** @type {Screen | null} */
let screen = null;
/** The address that it was made for, without what comes after #. */
let shown = "";

/** What a screen may ask of the page. @type {Page} */
const page = { go: (path) => void go(path) };

/** @param {string} path relative to the base */
async function go(path) {
  history.pushState(null, "", base + path);
  await show();
  top();
}

/** Another screen begins at its top, also for who goes on by keys. */
function top() {
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

async function show() {
  const path = location.pathname.slice(base.length);
  const [first, ...rest] = path.split("/").filter(Boolean);
  const table = /^table\/([A-Za-z0-9_-]{22})\/?$/.exec(path);
  const known = table || !path || (rest.length <= (OF_ONE.has(first) ? 1 : 0) && (first === "record" || first in LATER));
  const missing = known ? null : await import("./lib/ui/missing.js");
  const later = known && LATER[first] && (await LATER[first]());
  if ((later || missing) && path !== location.pathname.slice(base.length)) return; // gone elsewhere meanwhile
  screen?.close?.();
  document.getElementById("announce")?.replaceChildren(); // what was said of another screen
  shown = location.pathname + location.search;
  if (missing) {
    screen = { element: first === "table" ? missing.missingTable(page.go) : missing.missingPage(page.go) };
  } else if (table) {
    const begin = location.search === "?begin";
    if (begin) history.replaceState(null, "", base + path);
    screen = new TableScreen(table[1], { ...page, begin });
  } else if (path === "record" && openedRecord()) {
    screen = new TableScreen("", { ...page, begin: false, ...openedRecord() });
  } else if (later) {
    screen = new later.Screen(page, rest.join("/"));
  } else {
    screen = new Home({ ...page, openRecord: () => openRecord(() => void go("record"), page.go) });
  }
  document.body.dataset.screen = screen instanceof TableScreen ? "table" : "home";
  fill(main, screen.element);
}

function drawBar() {
  const language = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id: "language", "aria-label": say("Language"), "data-key": "language", onchange: () => change({ language: language.value }) },
      LANGUAGES.map(({ code, tag, name }) => el("option", { value: code, lang: tag, selected: code === settings.language }, name)),
    )
  );
  fill(
    bar,
    pageLink("", page.go, { class: "brand", href: base }, "The Last Spike"),
    el("span", { class: "space-between" }),
    button("⚙", async () => (await import("./home/settings-dialog.js")).openSettings(), { "aria-label": say("Settings"), class: "quiet icon", "data-key": "settings" }),
    language,
  );
  const skip = document.getElementById("skip");
  if (!skip) return;
  skip.textContent = say("Skip to main content");
  skip.onclick = (event) => {
    event.preventDefault(); // the base would lead it home
    main.focus();
  };
}

/** Open a link to a rule in a dialog, unless the person wants a tab of its own. @param {MouseEvent} event */
async function openRuleLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a[data-rule]") : null;
  if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { openRule } = await import("./rules/rule-dialog.js");
  await openRule(link.dataset.rule ?? "");
}

/** A personal link was opened: its token is taken out of the address, and used if the person says so. */
async function linked() {
  const token = /^#link=([\w-]+)$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  (await import("./history/personal-link.js")).offerLink(token, page);
}

/** A game that was begun without a server came with the address: it is continued if the person says so. */
async function continued() {
  const game = gameInAddress(location.hash);
  if (!game) return;
  history.replaceState(null, "", location.pathname + location.search);
  (await import("./game/new-table.js")).offerToContinue(game, page.go);
}

/** The server wants nothing to do with this person or address; it says why. @param {string} message */
async function banned(message) {
  const { bannedScreen } = await import("./history/banned.js");
  screen?.close?.();
  screen = null;
  document.body.dataset.screen = "home";
  fill(main, bannedScreen(message, page.go));
}

async function begin() {
  history.scrollRestoration = "manual"; // screens come later than the browser would scroll
  apply();
  unlockSound();
  await speak(settings.language);
  drawBar();
  showNotices(site.announcements);
  if (!site.server) talkTo(new (await import("./local/local-server.js")).LocalServer());
  document.addEventListener("banned", (event) => void banned(/** @type {CustomEvent} */ (event).detail));
  onChange(async (changed) => {
    if (changed.language) {
      await speak(changed.language);
      await show();
    }
    drawBar();
  });
  document.addEventListener("click", (event) => void openRuleLink(event));
  window.addEventListener("popstate", () => {
    // Within a screen, to another place of it: that is the screen's own business.
    if (location.pathname + location.search !== shown) void show().then(top);
    void linked();
    void continued();
  });
  await show();
  await linked();
  await continued();
}

void begin();
