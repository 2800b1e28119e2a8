// Dialogs before a new table: how many play, and who plays on one device.

import { levelChoices } from "../game/levels.js";
import { change, settings } from "../lib/settings.js";
import { choice } from "../lib/ui/choice.js";
import { openModal } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";

const MOST = 6;

/** How many players a table is for; 0 if the person cancels. @returns {Promise<number>} */
export async function askPlayers() {
  const { select, row } = choice({ id: "players", title: say("How many players?"), value: 4, values: [2, 3, 4, 5, MOST].map((n) => [n, n]) });
  const made = await asked(say("Create a table"), say("Create a table"), [row, el("p", { class: "why" }, say("At the table, each seat can go to a friend or a computer."))]);
  return made ? Number(select.value) : 0;
}

/** Who plays at one device: the names of the people, and the levels of the computers; null if they cancel.
 * @returns {Promise<{people: string[], computers: string[]} | null>} */
export async function askNames() {
  const title = (/** @type {number} */ n) => say("Player {number}", { number: n + 1 });
  const inputs = Array.from({ length: MOST }, (_, n) =>
    /** @type {HTMLInputElement} */ (el("input", { id: `name-${n}`, maxlength: 24, autocomplete: "off", value: n === 0 ? settings.name : "", placeholder: n < 2 ? title(n) : "", oninput: limit })),
  );
  const computers = choice({ id: "computers", title: say("Computer players"), value: 0, values: [0, 1, 2, 3, 4].map((n) => [n, n]), onchange: limit });
  const level = choice({ id: "their-level", title: say("Level"), value: settings.level, values: levelChoices() });
  const people = () => inputs.map((input, n) => input.value.normalize("NFKC").trim() || (n < 2 ? title(n) : "")).filter(Boolean);
  /** No more computers than there is room for. */
  function limit() {
    const most = MOST - people().length;
    for (const option of computers.select.options) option.disabled = Number(option.value) > most;
    if (Number(computers.select.value) > most) computers.select.value = String(most);
    level.row.hidden = computers.select.value === "0";
  }
  limit();
  const made = await asked(say("Who’s playing?"), say("Start the game"), [
    el("p", { class: "why" }, count("Enter up to {n} name. Leave the rest blank.", "Enter up to {n} names. Leave the rest blank.", MOST)),
    ...inputs.map((input, n) => el("p", { class: "option" }, el("label", { for: input.id }, title(n)), input)),
    computers.row,
    level.row,
  ]);
  if (!made) return null;
  if (!settings.name && inputs[0].value.trim()) change({ name: people()[0] });
  return { people: people(), computers: Array(Number(computers.select.value)).fill(level.select.value) };
}

/** A dialog with a form; whether the person went on. @param {string} title @param {string} act @param {HTMLElement[]} content
 * @returns {Promise<boolean>} */
function asked(title, act, content) {
  return new Promise((resolve) => {
    let made = false;
    const dialog = openModal(
      "asked-title",
      el(
        "form",
        {
          method: "dialog",
          class: "players-asked",
          onsubmit: () => {
            made = true; // after which the browser closes the dialog
          },
        },
        el("h2", { id: "asked-title" }, title),
        content,
        el("div", { class: "acts" }, el("button", { class: "main", type: "submit" }, act), button(say("Cancel"), () => dialog.close(), { "data-key": "cancel" })),
      ),
      () => resolve(made),
    );
  });
}
