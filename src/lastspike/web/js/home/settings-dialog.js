// The settings dialog: name, language, theme, sound, motion, announcements, alerts.

import { showError } from "../game/errors.js";
import { get, post, site } from "../lib/api.js";
import { change, settings } from "../lib/settings.js";
import { openDialog } from "../lib/ui/dialog.js";
import { choice } from "../lib/ui/choice.js";
import { el } from "../lib/ui/dom.js";
import { LANGUAGES, say, sayAs } from "../lib/words.js";

export function openSettings() {
  openDialog(say("Settings"), [
    name(),
    setting(say("Language"), "language", LANGUAGES.map(({ code, tag, name }) => [code, name, tag])),
    setting(say("Theme"), "theme", [["auto", say("System default")], ["light", sayAs("theme", "Light")], ["dark", sayAs("theme", "Dark")]]),
    setting(say("Sound"), "sound", [["on", say("On")], ["off", say("Off")]]),
    setting(say("Motion"), "motion", [["auto", say("System default")], ["less", say("Reduced")]]),
    setting(say("Speed of others’ turns"), "pace", [["slow", sayAs("pace", "Slow")], ["normal", sayAs("pace", "Normal")], ["fast", sayAs("pace", "Fast")], ["off", sayAs("pace", "All at once")]]),
    setting(say("Screen reader announcements"), "announce", [["full", sayAs("announcements", "Full")], ["short", sayAs("announcements", "Short")], ["off", say("Off")]]),
    setting(say("Text board"), "text", [["off", say("On request")], ["on", say("Always")]]),
    "Notification" in window && alerts(),
    site.server && el("p", { class: "option" }, el("a", { href: "alerts", "data-key": "alerts" }, say("More alerts: by e-mail, or while the page is closed"))),
  ]);
}

/** What others call me, from the next table on and in every chat. */
function name() {
  const input = /** @type {HTMLInputElement} */ (el("input", { id: "setting-name", maxlength: 24, autocomplete: "nickname", value: settings.name, onchange: () => rename(input.value.normalize("NFKC").trim()) }));
  return el("p", { class: "option" }, el("label", { for: "setting-name" }, say("Your name")), input);
}

/** @param {string} name */
async function rename(name) {
  change({ name });
  const known = name && (await get("api/me/tables").catch(() => null))?.tables.length; // nobody is made a person by it
  if (known) await post("api/me", { name }).catch(showError);
}

/** Alerts are on only if the browser lets the page show them. */
function alerts() {
  const title = say("Alert when it’s your turn");
  const blocked = el("span", { class: "why about", role: "status" });
  const show = () => {
    const { permission } = Notification;
    if (settings.alert === "on" && permission === "denied") change({ alert: "off" });
    select.value = settings.alert === "on" && permission === "granted" ? "on" : "off";
    blocked.textContent = permission === "denied" ? say("Your browser blocks alerts from this site. Allow notifications in its settings for this site, then turn them on here.") : "";
  };
  const onchange = async (/** @type {any} */ value) => {
    change({ alert: value });
    if (value === "on") await Notification.requestPermission();
    show();
  };
  const { select, row } = choice({ id: "setting-alert", title, value: settings.alert, values: [["off", say("Off")], ["on", say("On")]], onchange });
  row.append(blocked);
  show();
  return row;
}

/**
 * @param {string} title @param {keyof import("../lib/settings.js").Settings} name
 * @param {string[][]} values @param {(value: string) => void} [also]
 */
function setting(title, name, values, also) {
  const onchange = (/** @type {string} */ value) => {
    change({ [name]: value });
    also?.(value);
  };
  return choice({ id: `setting-${name}`, title, value: settings[name], values, onchange }).row;
}
