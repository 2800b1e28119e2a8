// The section in which a person agrees that their finished games are published, or no longer does.

import { showError } from "../game/errors.js";
import { post } from "../lib/api.js";
import { note } from "../lib/ui/announce.js";
import { button, el, fill } from "../lib/ui/dom.js";
import { dateOf, say } from "../lib/words.js";

/** @param {number | null} since when the person agreed */
export function publishing(since) {
  const state = el("div", { class: "acts" });
  draw(state, since);
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Games for research")),
    el("p", {}, say("Whoever runs this server may publish finished games, to study the game and to improve computer players. Yours are included only if everyone at the table agrees, and never with names, chat or times.")),
    el("p", { class: "why" }, say("You can change your mind at any time. Games that have already been published stay public.")),
    state,
  );
}

/** @param {HTMLElement} place @param {number | null} since */
function draw(place, since) {
  fill(
    place,
    since !== null && el("strong", {}, say("You agreed on {date}.", { date: dateOf(since) })),
    button(since === null ? say("Agree to publication") : say("Withdraw consent"), () => change(place, since === null).catch(showError), { "data-key": "publishing" }),
  );
}

/** @param {HTMLElement} place @param {boolean} agreed */
async function change(place, agreed) {
  await post("api/me/publishing", { agreed });
  draw(place, agreed ? Date.now() : null);
  note(agreed ? say("You have agreed to the publication of your games.") : say("Your games will no longer be published."));
}
