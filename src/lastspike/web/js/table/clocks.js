// The clocks that a table can have: what each is called, and what happens when time runs out.

import { count, say, sayAs } from "../lib/words.js";

/** @typedef {{kind: string, [name: string]: unknown}} Clock */

/** The clocks on offer, by a short name. @type {Record<string, Clock>} */
export const CLOCKS = {
  none: { kind: "none" },
  "live-5": { kind: "live", bank: 300, increment: 10 },
  live: { kind: "live", bank: 900, increment: 20 },
  "live-30": { kind: "live", bank: 1800, increment: 30 },
  "days-1": { kind: "days", days: 1 },
  days: { kind: "days", days: 2 },
  "days-3": { kind: "days", days: 3 },
  "days-7": { kind: "days", days: 7 },
  hours: { kind: "hours", hours: 72, increment: 12, most: 120 },
};

/** @param {any} clock */
export function clockText(clock) {
  switch (clock.kind) {
    case "live": {
      const minutes = Math.round(clock.bank / 60);
      return say("{minutes} min each, plus {seconds} s per turn", { minutes, seconds: clock.increment });
    }
    case "days":
      return count("{n} day per turn", "{n} days per turn", clock.days);
    case "hours":
      return say("{hours} h + {more} h per turn (at most {most} h)", { hours: clock.hours, more: clock.increment, most: clock.most });
  }
  return sayAs("clock", "None");
}

/** Whether a game with it goes on for days. @param {any} clock */
export const isSlow = (clock) => clock.kind === "days" || clock.kind === "hours";

/** What happens at the deadline; nothing without a clock. @param {any} clock */
export function deadlineText(clock) {
  if (clock.kind === "none") return "";
  return say("If your time runs out, a computer plays for you until you come back.");
}
