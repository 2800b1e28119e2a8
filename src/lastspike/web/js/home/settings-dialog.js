// The settings dialog: language, theme, sound, motion, announcements, alerts.

import { show } from "../lib/ui/dialog.js";
import { el } from "../lib/ui/dom.js";
import { change, settings } from "../lib/settings.js";
import { LANGUAGES, say } from "../lib/words.js";

export function openPreferences() {
  show(say("Settings"), [
    choice(say("Language"), "language", Object.entries(LANGUAGES)),
    choice(say("Theme"), "theme", [["auto", say("as the system")], ["light", say("light")], ["dark", say("dark")]]),
    choice(say("Sound"), "sound", [["on", say("on")], ["off", say("off")]]),
    choice(say("Motion"), "motion", [["auto", say("as the system")], ["less", say("less")]]),
    choice(say("Announcements for screen readers"), "announce", [["full", say("full")], ["short", say("short")], ["off", say("off")]]),
    choice(say("Text board"), "text", [["off", say("when asked for")], ["on", say("always")]]),
    "Notification" in window && choice(say("Alert when it is my turn"), "alert", [["off", say("off")], ["on", say("on")]], askLeave),
  ]);
}

/** @param {string} value */
function askLeave(value) {
  if (value === "on") void Notification.requestPermission();
}

/**
 * @param {string} title @param {keyof import("../lib/settings.js").Settings} name
 * @param {string[][]} values @param {(value: string) => void} [also]
 */
function choice(title, name, values, also) {
  const select = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      {
        id: `setting-${name}`,
        onchange: () => {
          change({ [name]: select.value });
          also?.(select.value);
        },
      },
      values.map(([value, text]) => el("option", { value, selected: settings[name] === value }, text)),
    )
  );
  return el("p", { class: "option" }, el("label", { for: `setting-${name}` }, title), select);
}
