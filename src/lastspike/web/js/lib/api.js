// Requests to the server over HTTP; a refused one throws `Refused` with the server's words.

export const base = new URL(document.baseURI).pathname;
/** What the page knows of its server when it is loaded: its name, whether it says more about itself, whether there is a
 * Daily Deal, what the operator announces. @type {{name: string | null, about: boolean, daily: boolean, announcements: {id: string, text: string, ends: number}[]}} */
export const site = { name: null, about: false, daily: false, announcements: [], ...JSON.parse(document.documentElement.dataset.site || "{}") };
export const version = document.documentElement.dataset.version ?? "";

/** The server refused a request or a message. */
export class Refused extends Error {
  /** @param {{message: string, template: string, rule?: string | null, code?: string | null}} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * @param {string} method
 * @param {string} path such as `api/tables/`
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, headers = {}) {
  const answer = await fetch(base + path, {
    method,
    credentials: "same-origin",
    headers: {
      "accept-language": document.documentElement.lang,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    let problem = { message: answer.statusText, template: "" };
    try {
      problem = JSON.parse(text);
    } catch {
      // Not one of the server's own answers: a proxy's, perhaps.
    }
    if (/** @type {any} */ (problem).code === "banned") document.dispatchEvent(new CustomEvent("banned", { detail: problem.message }));
    throw new Refused(problem);
  }
  return text ? JSON.parse(text) : null;
}

/** @param {string} path */
export const get = (path) => ask("GET", path);

/** @param {string} path @param {unknown} [body] */
export const post = (path, body) => ask("POST", path, body);

/** Where the live table is. @param {string} table */
export function socketAddress(table) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${base}api/tables/${table}/live`;
}
