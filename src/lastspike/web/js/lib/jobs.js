// Errands: what the server takes a while to find out, asked for again until it has.

import { post } from "./api.js";

const ASK_MS = 500;

/** What was found, or null if it is not wanted any more; meanwhile the bar says how far it is.
 * @param {string} path @param {unknown} body @param {HTMLProgressElement} bar
 * @param {() => boolean} wanted @returns {Promise<any>} */
export async function errand(path, body, bar, wanted) {
  for (;;) {
    const { progress, found } = await post(path, body);
    if (!wanted()) return null;
    if (found) return found;
    bar.value = progress;
    await new Promise((resolve) => window.setTimeout(resolve, ASK_MS));
  }
}
