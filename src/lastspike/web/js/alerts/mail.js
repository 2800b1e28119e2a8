// Alerts by e-mail: addresses, and the form for another.

import { showError } from "../game/errors.js";
import { ask, post } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { note } from "../lib/ui/announce.js";
import { button, el } from "../lib/ui/dom.js";
import { say, sayAs } from "../lib/words.js";

/** @param {import("./screen.js").MyAlerts} alerts @param {() => Promise<void>} again */
export function mailCard(alerts, again) {
  const mine = alerts.channels.filter(({ kind }) => kind === "mail");
  const field = /** @type {HTMLInputElement} */ (el("input", { id: "mail-address", type: "email", required: true, maxlength: 254, autocomplete: "email", "data-key": "mail-address" }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await post("api/me/alerts/mail", { address: field.value, language: settings.language });
    note(say("We’ve sent you an e-mail. Open the link in it to confirm your address."));
    await again();
  };
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("By e-mail")),
    mine.map(({ id, address, confirmed }) =>
      el(
        "p",
        { class: "acts" },
        el("bdi", {}, address),
        !confirmed && el("span", { class: "tag" }, say("not confirmed yet")),
        button(sayAs("from a list", "Remove"), () => void ask("DELETE", `api/me/alerts/${id}`).then(again).catch(showError), { class: "quiet", "data-key": `remove-${id}` }),
      ),
    ),
    alerts.mail
      ? el(
          "form",
          { class: "acts", onsubmit: (/** @type {Event} */ event) => void add(event).catch(showError) },
          el("label", { for: "mail-address" }, say("E-mail address")),
          field,
          el("button", { type: "submit", "data-key": "add-mail" }, say("Send confirmation e-mail")),
        )
      : el("p", { class: "why" }, say("This server doesn’t send e-mail.")),
    el("p", { class: "why" }, say("Other players never see your address. Every e-mail has an unsubscribe link.")),
  );
}
