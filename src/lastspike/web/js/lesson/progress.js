// How far this browser is in the lesson.

import { load, save } from "../lib/storage.js";

const KEY = "lastspike.lesson";

/** @returns {{made: number}} turns that have been made */
export function progress() {
  const made = load(KEY)?.made;
  return { made: Number.isInteger(made) && made > 0 ? made : 0 };
}

/** @param {number} made */
export function keepProgress(made) {
  save(KEY, { made });
}
