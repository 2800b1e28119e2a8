// Keyboard shortcuts, and the dialog that lists them.

import { say } from "../words.js";
import { openDialog } from "./dialog.js";
import { el } from "./dom.js";

/** @typedef {{keys: string, told: () => string, act: (key: string) => void}} Shortcut */

/** @param {() => Shortcut[]} shortcuts */
export function listen(shortcuts) {
  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input:not([type=range]), textarea, select, dialog[open]")) return;
    if (target.matches("[type=range]") && event.key.startsWith("Arrow")) return;
    if (event.key === "?") {
      event.preventDefault();
      help(shortcuts());
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = shortcuts().find(({ keys }) => keys.split(" ").includes(key));
    if (!found) return;
    if (key === "Enter" && target.closest("button, a, summary")) return;
    if (key.startsWith("Arrow") && target.closest("[role=tab]")) return;
    event.preventDefault();
    found.act(key);
  }
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

/** @param {Shortcut[]} shortcuts */
export function help(shortcuts) {
  openDialog(say("Keyboard shortcuts"), [
    el(
      "dl",
      { class: "keys" },
      [...shortcuts, { keys: "?", told: () => say("Show this list") }].flatMap(({ keys, told }) => [
        el("dt", {}, keys.split(" ").flatMap((key) => [el("kbd", {}, KEY_NAMES[key] ?? key), " "])),
        el("dd", {}, told()),
      ]),
    ),
  ]);
}

/** @type {Record<string, string>} */
const KEY_NAMES = { Backspace: "⌫", Escape: "Esc", Enter: "↵", ArrowLeft: "←", ArrowRight: "→" };
