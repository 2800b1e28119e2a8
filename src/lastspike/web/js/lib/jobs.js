// Background jobs of the server: the progress is pushed, then the result is fetched.
// Without a server, there is no job to follow: the worker computes a little whenever it is asked.

import { base, post } from "./api.js";

/** The result of a job, or null once nobody wants it; meanwhile the bar shows the progress.
 * @param {string} path @param {unknown} body @param {HTMLProgressElement} bar
 * @param {() => boolean} wanted @returns {Promise<any>} */
export async function waitForJob(path, body, bar, wanted) {
  for (;;) {
    const { progress, found, job } = await post(path, body);
    if (!wanted()) return null;
    if (found) return found;
    bar.value = progress;
    if (job) await follow(job, bar, wanted);
  }
}

/** Show the progress of a job until it ends, or nobody wants it any longer.
 * @param {string} job @param {HTMLProgressElement} bar @param {() => boolean} wanted @returns {Promise<void>} */
function follow(job, bar, wanted) {
  return new Promise((resolve) => {
    const events = new EventSource(`${base}api/jobs/${encodeURIComponent(job)}/progress`);
    const end = () => {
      events.close();
      resolve();
    };
    events.addEventListener("message", (event) => {
      if (wanted()) bar.value = Number(event.data);
      else end();
    });
    events.addEventListener("end", end);
    // A lost connection is opened again by the browser; a refused one is not.
    events.addEventListener("error", () => events.readyState === EventSource.CLOSED && end());
  });
}
