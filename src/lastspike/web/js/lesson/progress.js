// How far this browser has come in the lesson.

import { keep, kept } from "../lib/settings.js";

const KEY = "lastspike.lesson";

/** @returns {{made: number}} turns that have been made */
export function progress() {
  const made = kept(KEY)?.made;
  return { made: Number.isInteger(made) && made > 0 ? made : 0 };
}

/** @param {number} made */
export function keepProgress(made) {
  keep(KEY, { made });
}
