// Background jobs of the server: ask again until the result is there.

import { post } from "./api.js";

const POLL_MS = 500;

/** The result of a job, or null once nobody wants it; meanwhile the bar shows the progress.
 * @param {string} path @param {unknown} body @param {HTMLProgressElement} bar
 * @param {() => boolean} wanted @returns {Promise<any>} */
export async function waitForJob(path, body, bar, wanted) {
  for (;;) {
    const { progress, found } = await post(path, body);
    if (!wanted()) return null;
    if (found) return found;
    bar.value = progress;
    await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
  }
}
