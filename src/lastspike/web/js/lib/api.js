// Requests to the server over HTTP; a refused one throws `Refused` with the server's words.

export const base = new URL(document.baseURI).pathname;
/** What the page knows of its server when it is loaded: its name, whether it says more about itself, whether there is a
 * Daily Deal, what the operator announces. Where there is no `server`, `python` is the folder of what answers instead, and
 * `playAt` the address of a server to continue games on, if one is known.
 * @type {{name: string | null, about: boolean, daily: boolean, announcements: {id: string, text: string, ends: number}[], server: boolean, python: string, playAt: string}} */
export const site = { name: null, about: false, daily: false, announcements: [], server: true, python: "", playAt: "", ...JSON.parse(document.documentElement.dataset.site || "{}") };
export const version = document.documentElement.dataset.version ?? "";

/**
 * Who answers requests, and offers sockets to tables.
 * @typedef {object} Server
 * @property {(path: string, init: RequestInit) => Promise<Response>} request
 * @property {(table: string) => any} socket a WebSocket, or what `connection.js` uses of one
 */

/** @type {{server: Server}} */
const talking = { server: { request: (path, init) => fetch(base + path, init), socket: (table) => new WebSocket(socketAddress(table)) } };

/** From now on another answers than the server that the page came from. @param {Server} server */
export function talkTo(server) {
  talking.server = server;
}

/** A socket to a table. @param {string} table */
export const openSocket = (table) => talking.server.socket(table);

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
  const answer = await talking.server.request(path, {
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
function socketAddress(table) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${base}api/tables/${table}/live`;
}
