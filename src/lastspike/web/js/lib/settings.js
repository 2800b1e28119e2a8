// A person's settings in this browser: language, theme, sound, motion, announcements, name.

import { load, save } from "./storage.js";

/**
 * @typedef {object} Settings
 * @property {string} language
 * @property {"auto" | "light" | "dark"} theme
 * @property {"on" | "off"} sound
 * @property {"auto" | "less"} motion
 * @property {"slow" | "normal" | "fast" | "off"} pace of the others' turns; `off`: all at once
 * @property {"short" | "full" | "off"} announce
 * @property {"on" | "off"} text
 * @property {string} name
 * @property {string} level of computers, where each has not its own
 * @property {string[]} levels of the opponents of "Play now", one by one; none: all have `level`
 * @property {number} opponents how many computers "Play now" is against
 * @property {"on" | "off"} alert
 */

const KEY = "lastspike.settings";

/** The first of the browser's languages that the page speaks: a page without a server doesn't come in one of them. */
function preferred() {
  const known = (document.documentElement.dataset.languages ?? "en").split(" ").map((each) => each.split("=")[0]);
  const wanted = navigator.languages.flatMap((tag) => [tag, tag.split("-")[0]]);
  return wanted.find((tag) => known.includes(tag)) ?? "en";
}

/** @type {Settings} */
const DEFAULTS = {
  language: document.documentElement.dataset.language || preferred(),
  theme: "auto",
  sound: "on",
  motion: "auto",
  pace: "normal",
  announce: "full",
  text: "off",
  name: "",
  level: "clerk",
  levels: [],
  opponents: 3,
  alert: "off",
};

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...load(KEY) };

/** @type {Set<(changed: Partial<Settings>) => void>} */
const listeners = new Set();

/** @param {Partial<Settings>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  save(KEY, settings);
  apply();
  for (const listener of listeners) listener(changed);
}

/** @param {(changed: Partial<Settings>) => void} listener */
export function onChange(listener) {
  listeners.add(listener);
}

const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", apply);

/** Tell the style sheets the theme and whether things may move. */
export function apply() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme === "auto" ? (systemIsDark.matches ? "dark" : "light") : settings.theme;
  root.dataset.motion = lessMotion() ? "less" : "full";
}

export function lessMotion() {
  return (
    settings.motion === "less" || window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
