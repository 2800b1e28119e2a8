// Dialogs before a new table: how many play, and who plays on one device.

import { settings } from "../lib/settings.js";
import { openDialog, openModal } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";

/** How many players a table is for; 0 if the person cancels. @returns {Promise<number>} */
export function askPlayers() {
  return new Promise((resolve) => {
    let players = 0;
    const close = openDialog(
      say("How many players?"),
      [
        el("p", { class: "why" }, say("At the table, each seat can go to a friend or a computer.")),
        el(
          "div",
          { class: "acts" },
          [2, 3, 4, 5, 6].map((n) =>
            button(String(n), () => {
              players = n;
              close();
            }, { "data-key": `players-${n}`, class: n === 4 ? "main" : "", "aria-label": count("{n} player", "{n} players", n) }),
          ),
        ),
      ],
      { onClose: () => resolve(players) },
    );
  });
}

/** The names of the people at one device; none if they cancel. @returns {Promise<string[]>} */
export function askNames() {
  return new Promise((resolve) => {
    const inputs = Array.from({ length: 6 }, (_, n) =>
      /** @type {HTMLInputElement} */ (
        el("input", { id: `name-${n}`, maxlength: 24, autocomplete: "off", value: n === 0 ? settings.name : "", placeholder: say("Player {number}", { number: n + 1 }) })
      ),
    );
    /** @type {string[]} */
    let names = [];
    const dialog = openModal(
      "names-title",
      el(
        "form",
        {
          method: "dialog",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            names = inputs.map((input, n) => input.value.normalize("NFKC").trim() || (n < 2 ? say("Player {number}", { number: n + 1 }) : "")).filter(Boolean);
            dialog.close();
          },
        },
        el("h2", { id: "names-title" }, say("Who’s playing?")),
        el("p", { class: "why" }, count("Enter up to {n} name. Leave the rest blank.", "Enter up to {n} names. Leave the rest blank.", 6)),
        inputs.map((input, n) => el("p", { class: "option" }, el("label", { for: `name-${n}` }, say("Player {number}", { number: n + 1 })), input)),
        el("div", { class: "acts" }, el("button", { class: "main", type: "submit" }, say("Start the game")), button(say("Cancel"), () => dialog.close(), { "data-key": "cancel" })),
      ),
      () => resolve(names),
    );
  });
}
