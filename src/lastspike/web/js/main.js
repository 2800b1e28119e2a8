// The page: its bar, its settings, and which screen its address asks for.

import { base } from "./api.js";
import { button, el, fill } from "./dom.js";
import { openPreferences } from "./preferences.js";
import { apply, change, onChange, settings } from "./settings.js";
import { Home } from "./screens/home.js";
import { Learn } from "./screens/learn.js";
import { keptRecord, openRecord } from "./screens/record.js";
import { TableScreen } from "./screens/table.js";
import { ready } from "./sounds.js";
import { LANGUAGES, say, speak } from "./words.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));

/** @type {{element: HTMLElement, close?: () => void} | null} */
let screen = null;

/** @param {string} path relative to the base */
function go(path) {
  history.pushState(null, "", base + path);
  show();
  top();
}

/** Another screen begins at its top, also for who goes on by keys. */
function top() {
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

function show() {
  screen?.close?.();
  const path = location.pathname.slice(base.length);
  const table = /^table\/([A-Za-z0-9_-]{22})$/.exec(path);
  if (table) {
    const begin = location.search === "?begin";
    if (begin) history.replaceState(null, "", base + path);
    screen = new TableScreen(table[1], { go, begin });
  } else if (path === "record" && keptRecord()) {
    screen = new TableScreen("", { go, begin: false, told: keptRecord() });
  } else if (path === "learn") {
    screen = new Learn({ go });
  } else {
    screen = new Home({ go, openRecord: () => openRecord(() => go("record")) });
  }
  document.body.dataset.screen = screen instanceof TableScreen ? "table" : "home";
  fill(main, screen.element);
}

function drawBar() {
  const language = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id: "language", "aria-label": say("Language"), "data-key": "language", onchange: () => change({ language: language.value }) },
      Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code, selected: code === settings.language }, name)),
    )
  );
  fill(
    bar,
    el("a", { class: "brand", href: base, onclick: (/** @type {Event} */ event) => { event.preventDefault(); go(""); } }, "The Last Spike"),
    el("span", { class: "space-between" }),
    button("⚙", openPreferences, { "aria-label": say("Settings"), class: "quiet icon", "data-key": "settings" }),
    language,
  );
  const skip = document.getElementById("skip");
  if (skip) skip.textContent = say("Skip to the game");
}

async function begin() {
  apply();
  ready();
  await speak(settings.language);
  drawBar();
  onChange(async (changed) => {
    if (changed.language) {
      await speak(changed.language);
      show();
    }
    drawBar();
  });
  window.addEventListener("popstate", show);
  show();
}

void begin();
