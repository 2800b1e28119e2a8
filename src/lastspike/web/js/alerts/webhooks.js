// Webhooks: alerts to other programs, such as a channel of Discord or ntfy.

import { showError } from "../game/errors.js";
import { ask, post } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { choice } from "../lib/ui/choice.js";
import { button, el } from "../lib/ui/dom.js";
import { say, sayAs } from "../lib/words.js";

const FORMS = [["discord", "Discord"], ["slack", "Slack"], ["ntfy", "ntfy"], ["json", "JSON"]];

/** @param {{id: string, url: string, form: string, table: string | null}[]} webhooks @param {() => Promise<void>} again */
export function webhooksCard(webhooks, again) {
  const field = /** @type {HTMLInputElement} */ (el("input", { id: "webhook-url", type: "url", required: true, maxlength: 500, placeholder: "https://", "data-key": "webhook-url" }));
  const form = choice({ id: "webhook-form", title: say("App"), value: "discord", values: FORMS, key: "webhook-form" });
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await post("api/webhooks", { url: field.value, form: form.select.value, language: settings.language });
    await again();
  };
  return el(
    "details",
    { class: "card", open: webhooks.length > 0 },
    el("summary", { "data-key": "webhooks" }, say("In other apps")),
    el("p", {}, say("A webhook sends alerts to another app, such as a Discord or Slack channel. They’re sent right away, even during quiet hours.")),
    webhooks.map(({ id, url }) =>
      el("p", { class: "acts" }, el("bdi", { class: "address" }, url), button(sayAs("from a list", "Remove"), () => void ask("DELETE", `api/webhooks/${id}`).then(again).catch(showError), { class: "quiet", "data-key": `remove-${id}` })),
    ),
    el(
      "form",
      { onsubmit: (/** @type {Event} */ event) => void add(event).catch(showError) },
      el("div", { class: "options" }, el("p", { class: "option" }, el("label", { for: "webhook-url" }, say("Webhook URL")), field), form.row),
      el("div", { class: "acts" }, el("button", { type: "submit", "data-key": "add-webhook" }, say("Add"))),
    ),
  );
}
