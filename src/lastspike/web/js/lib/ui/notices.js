// The operator's announcements, at the top of every screen until they end or are closed.

import { say } from "../words.js";
import { announce } from "./announce.js";
import { button, el, fill } from "./dom.js";

/** @typedef {{id: string, text: string, ends: number}} Announcement */

const CLOSED = "lastspike.closed-notices";

/** @type {Announcement[]} */
let shown = [];
/** @type {Set<string>} */
const told = new Set();

/** Show these announcements and no others. @param {Announcement[]} announcements */
export function showNotices(announcements) {
  const place = document.getElementById("notices");
  if (!place) return;
  const closed = (sessionStorage.getItem(CLOSED) ?? "").split(" ");
  shown = announcements.filter(({ id, ends }) => ends > Date.now() && !closed.includes(id));
  fill(
    place,
    shown.map(({ id, text }) =>
      el("p", { class: "notice" }, el("bdi", {}, text), button("✕", () => close(id), { class: "icon quiet", "aria-label": say("Close"), "data-key": `notice-${id}` })),
    ),
  );
  place.hidden = !shown.length;
  place.setAttribute("aria-label", say("Announcements"));
  for (const { id, text } of shown) {
    if (!told.has(id)) announce(text);
    told.add(id);
  }
}

/** @param {string} id */
function close(id) {
  sessionStorage.setItem(CLOSED, `${sessionStorage.getItem(CLOSED) ?? ""} ${id}`.trim());
  showNotices(shown.filter((each) => each.id !== id));
}
