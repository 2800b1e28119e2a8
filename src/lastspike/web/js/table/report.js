// The dialog that tells the server's operator about a person, or a message, at a table.

import { showError } from "../game/errors.js";
import { post } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { askName } from "../lib/ui/ask-name.js";
import { choice } from "../lib/ui/choice.js";
import { openModal } from "../lib/ui/dialog.js";
import { note } from "../lib/ui/announce.js";
import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

const LATEST = 50;
const SHORT = 60;

/** Whoever only watches has to give a name first: the operator may have questions.
 * @param {import("../game/model.js").Model} model */
export async function openReport(model) {
  if (!model.you.person) {
    const name = settings.name || (await askName());
    if (!name) return;
    await post("api/me", { name });
  }

  const { id, info, you, chat, names } = model;
  const persons = info.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => ({ person: seat.person, name: names[number] })).filter((/** @type {any} */ { person }) => person && person !== you.person);
  const lines = chat.filter((line) => line.person !== you.person && line.text !== "…").slice(-LATEST).reverse();
  const about = choice({
    id: "report-about",
    title: say("About"),
    value: "",
    values: [
      ["", say("the whole table")],
      ...persons.map((/** @type {any} */ { person, name }) => [`person ${person}`, name]),
      ...lines.map((line) => [`step ${line.number}`, say("{name}: {text}", { name: line.name, text: line.text.length > SHORT ? `${line.text.slice(0, SHORT)}…` : line.text })]),
    ],
  });
  const reason = /** @type {HTMLInputElement} */ (el("input", { id: "report-reason", maxlength: 300, required: true, autocomplete: "off" }));
  const dialog = openModal(
    "report-title",
    el(
      "form",
      {
        method: "dialog",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          send().catch(showError);
        },
      },
      el("h2", { id: "report-title" }, say("Report to the operator")),
      el("p", {}, say("Whoever runs this server reads your report, with the messages around it. The others won’t know about it.")),
      about.row,
      el("p", { class: "option" }, el("label", { for: "report-reason" }, say("What happened?")), reason),
      el("div", { class: "acts" }, el("button", { class: "main", type: "submit" }, say("Send the report")), button(say("Cancel"), () => dialog.close(), { "data-key": "cancel" })),
    ),
  );

  async function send() {
    const [kind, which] = about.select.value.split(" ");
    const body = { reason: reason.value.trim(), person: kind === "person" ? which : null, step: kind === "step" ? Number(which) : null };
    await post(`api/tables/${id}/report`, body);
    dialog.close();
    note(say("The operator has your report. Thank you."));
  }
}
