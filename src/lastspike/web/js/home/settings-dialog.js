// The settings dialog: language, theme, sound, motion, announcements, alerts.

import { change, settings } from "../lib/settings.js";
import { openDialog } from "../lib/ui/dialog.js";
import { choice } from "../lib/ui/choice.js";
import { say, LANGUAGES } from "../lib/words.js";

export function openSettings() {
  openDialog(say("Settings"), [
    setting(say("Language"), "language", Object.entries(LANGUAGES)),
    setting(say("Theme"), "theme", [["auto", say("as the system")], ["light", say("light")], ["dark", say("dark")]]),
    setting(say("Sound"), "sound", [["on", say("on")], ["off", say("off")]]),
    setting(say("Motion"), "motion", [["auto", say("as the system")], ["less", say("less")]]),
    setting(say("Announcements for screen readers"), "announce", [["full", say("full")], ["short", say("short")], ["off", say("off")]]),
    setting(say("Text board"), "text", [["off", say("when asked for")], ["on", say("always")]]),
    "Notification" in window && setting(say("Alert when it is my turn"), "alert", [["off", say("off")], ["on", say("on")]], askLeave),
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
function setting(title, name, values, also) {
  const onchange = (/** @type {string} */ value) => {
    change({ [name]: value });
    also?.(value);
  };
  return choice({ id: `setting-${name}`, title, value: settings[name], values, onchange }).row;
}
