// The dialog before the operator acts: it says what will happen, and asks why.

import { showError } from "../game/errors.js";
import { note } from "../lib/ui/announce.js";
import { openModal } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { asOperator } from "./operator.js";

const HOUR_MS = 3600000;

/** A field of the dialog: a text, or a choice if it has values.
 * @typedef {{name: string, label: string, value?: string, most?: number, optional?: boolean, values?: [number, string][]}} Field */

/** Why something is done; it stays in the audit log. @returns {Field} */
export const reasonField = (label = say("Reason, for the audit log")) => ({ name: "reason", label, most: 300 });

/** When something ends. @param {number} hours the first choice @returns {Field} */
export function endsField(hours) {
  return {
    name: "ends",
    label: say("How long"),
    value: String(hours),
    values: [
      [1, say("1 hour")],
      [24, say("1 day")],
      [168, say("1 week")],
      [720, say("30 days")],
      [8760, say("1 year")],
    ],
  };
}

/**
 * @param {{title: string, about?: string, act: string, fields: Field[], path: string, more?: Record<string, unknown>,
 *   done: () => void}} action `more` is sent besides what the fields hold
 */
export function askAction({ title, about, act, fields, path, more = {}, done }) {
  const id = `action-${path.replace(/\W+/g, "-")}`;
  const made = fields.map((field) => ({ field, input: inputOf(field, `${id}-${field.name}`) }));
  const dialog = openModal(
    id,
    el(
      "form",
      {
        method: "dialog",
        class: "operator-action",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          send().catch(showError);
        },
      },
      el("h2", { id }, title),
      about && el("p", {}, about),
      made.map(({ field, input }) => el("p", { class: "asked" }, el("label", { for: input.id }, field.label), input)),
      el(
        "div",
        { class: "acts" },
        el("button", { class: "main", type: "submit" }, act),
        button(say("Cancel"), () => dialog.close(), { "data-key": "cancel" }),
      ),
    ),
  );

  async function send() {
    const given = made.map(({ field, input }) => [field.name, field.name === "ends" ? Date.now() + Number(input.value) * HOUR_MS : input.value.trim()]);
    await asOperator("POST", path, { ...Object.fromEntries(given), ...more });
    dialog.close();
    note(say("Done."));
    done();
  }
}

/** @param {Field} field @param {string} id @returns {HTMLInputElement | HTMLSelectElement} */
function inputOf(field, id) {
  const attributes = { id, "data-key": id };
  if (field.values) {
    const options = field.values.map(([value, text]) => el("option", { value, selected: String(value) === field.value }, text));
    return /** @type {HTMLSelectElement} */ (el("select", attributes, options));
  }
  return /** @type {HTMLInputElement} */ (el("input", { ...attributes, value: field.value ?? "", maxlength: field.most ?? 300, required: !field.optional, autocomplete: "off" }));
}
