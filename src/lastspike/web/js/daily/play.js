// Playing the deal of a day, and what this browser knows of today's.

import { showError } from "../game/errors.js";
import { makeTable } from "../game/new-table.js";
import { get } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { load, save } from "../lib/storage.js";
import { say } from "../lib/words.js";

const KEY = "lastspike.daily";

/** @typedef {{day: string, number: number, ends: number, chain: {anchor: string, first: string, public: boolean, followed: string | null},
 *   commitment: string, mine: import("./scores.js").Try | null, streak: number, best_streak: number, finished: number}} Today */

/** Today's deal as this browser last saw it, unless that day is over. @returns {Today | null} */
export function knownToday() {
  const known = /** @type {Today | undefined} */ (load(KEY));
  return known && known.ends > Date.now() ? known : null;
}

/** @returns {Promise<Today>} */
export async function readToday() {
  const today = await get("api/daily");
  save(KEY, today);
  return today;
}

/** Play the deal of a day; today's for the list, or go on with it. @param {{go: (path: string) => void}} page @param {string} day */
export async function playDay(page, day) {
  try {
    const made = await makeTable(`api/daily/${day}`, { name: settings.name || say("Newcomer") });
    if (made) page.go(`table/${made.table}`);
  } catch (error) {
    showError(error);
  }
}
