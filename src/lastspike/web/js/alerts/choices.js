// Which alerts come, and when: kinds, reminder, daily digest, quiet hours.

import { showError } from "../game/errors.js";
import { ask } from "../lib/api.js";
import { choice } from "../lib/ui/choice.js";
import { el } from "../lib/ui/dom.js";
import { hourOfDay, say } from "../lib/words.js";

/** @param {import("./screen.js").MyAlerts} alerts */
export function choicesCard({ choices }) {
  let now = { ...choices };
  const save = (/** @type {Record<string, unknown>} */ changed) => {
    now = { ...now, ...changed, zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
    ask("PUT", "api/me/alerts", now).catch(showError);
  };
  const onOff = (/** @type {string} */ key, /** @type {string} */ title) =>
    choice({ id: `alerts-${key}`, title, value: String(now[key]), values: [["true", say("On")], ["false", say("Off")]], key: `alerts-${key}`, onchange: (value) => save({ [key]: value === "true" }) }).row;
  const hours = Array.from({ length: 24 }, (_, hour) => [String(hour * 60), hourOfDay(hour)]);
  const hour = (/** @type {string} */ key, /** @type {string} */ title, /** @type {string | null} */ flag, /** @type {string} */ on) =>
    choice({
      id: `alerts-${key}`,
      title,
      value: !on || now[on] ? String(now[key]) : "off",
      values: [...(flag ? [["off", flag]] : []), ...hours],
      key: `alerts-${key}`,
      onchange: (value) => save(value === "off" ? { [on]: false } : { [key]: Number(value), ...(flag ? { [on]: true } : {}) }),
    }).row;
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Which alerts, and when")),
    el(
      "div",
      { class: "options" },
      onOff("turns", say("It’s your turn")),
      onOff("over", say("A game is over")),
      onOff("seats", say("Someone sits down at your table")),
      onOff("remind", say("Your time is running out")),
      hour("digest_at", say("Daily digest at"), say("Off"), "digest"),
      hour("quiet_from", say("Quiet hours from"), say("Off"), "quiet"),
      hour("quiet_to", say("Quiet hours until"), null, ""),
    ),
    el("p", { class: "why" }, say("These choices apply to alerts on your devices and by e-mail. You don’t get any while you have the table open.")),
  );
}
