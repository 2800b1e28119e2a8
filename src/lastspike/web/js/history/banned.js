// What somebody sees who is banned from this server: why, until when, and their own data.

import { site } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { el, pageLink } from "../lib/ui/dom.js";
import { say, sentence } from "../lib/words.js";
import { myData } from "./personal-data.js";

/** @param {string} message the server's @param {(path: string) => void} go */
export function bannedScreen(message, go) {
  return el(
    "div",
    { class: "room history" },
    el("section", { class: "card", role: "alert" }, el("h1", {}, say("You’re banned")), el("p", {}, el("bdi", {}, sentence(message))), site.about && el("p", {}, pageLink("about", go, {}, say("About this server")))),
    settings.name && myData(settings.name, () => go("")),
  );
}
