// Holidays: announced once, shown to everybody in games of days, where time stands still for them.

import { showError } from "../game/errors.js";
import { ask, post } from "../lib/api.js";
import { button, el } from "../lib/ui/dom.js";
import { dateOf, lastDayOf, number, say, sayAs } from "../lib/words.js";

/** @param {import("./screen.js").MyAlerts} alerts @param {() => Promise<void>} again */
export function holidaysCard(alerts, again) {
  const day = (/** @type {string} */ key) => /** @type {HTMLInputElement} */ (el("input", { id: `holiday-${key}`, type: "date", required: true, "data-key": `holiday-${key}` }));
  const [first, last] = [day("first"), day("last")];
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const begin = new Date(`${first.value}T00:00`);
    const end = new Date(`${last.value}T00:00`);
    end.setDate(end.getDate() + 1); // to the end of the last day
    await post("api/me/holidays", { begins: begin.getTime(), ends: end.getTime() });
    await again();
  };
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Vacation")),
    el("p", {}, say("In games played over several days, your clock stops while you’re on vacation. Everybody at your tables can see that you’re away. You get {days} days a year.", { days: number(alerts.holiday_days) })),
    alerts.holidays.map(({ id, begins, ends }) =>
      el(
        "p",
        { class: "acts" },
        el("span", {}, say("{first} to {last}", { first: dateOf(begins), last: lastDayOf(begins, ends) })),
        button(begins > Date.now() ? sayAs("from a list", "Remove") : say("I’m back"), () => void ask("DELETE", `api/me/holidays/${id}`).then(again).catch(showError), { class: "quiet", "data-key": `holiday-${id}` }),
      ),
    ),
    el(
      "form",
      { class: "acts", onsubmit: (/** @type {Event} */ event) => void add(event).catch(showError) },
      el("label", { for: "holiday-first" }, say("First day")),
      first,
      el("label", { for: "holiday-last" }, say("Last day")),
      last,
      el("button", { type: "submit", "data-key": "add-holiday" }, say("Add vacation")),
    ),
  );
}
