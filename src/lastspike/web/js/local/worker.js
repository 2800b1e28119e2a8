// The page's worker: it starts Python with the rules, the tables and the computer players, and passes messages on.

import { openShelf } from "./shelf.js";

const PACKAGES = "/lib/python3.14/site-packages";
const LOCK = "lastspike";

const page = /** @type {any} */ (self);
/** What the page sent before Python was ready. @type {any[]} */
const early = [];
/** @type {any} */
let backend = null;

page.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.kind === "start") start(data).catch((error) => page.postMessage({ kind: "failed", reason: lastLine(error) }));
  else if (backend) handle(data);
  else early.push(data);
};

/** @param {{python: string, version: string}} told */
async function start({ python, version }) {
  await onlyTab();
  const progress = (/** @type {number} */ share) => page.postMessage({ kind: "progress", share });
  progress(0.05);
  const shelf = await openShelf();
  if (shelf.temporary) page.postMessage({ kind: "memory" });
  const ours = fetch(`${python}lastspike.zip`).then((answer) => answer.arrayBuffer());
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: python });
  progress(0.6);
  pyodide.unpackArchive(await ours, "zip", { extractDir: PACKAGES });
  progress(0.7);
  const { Backend } = pyodide.pyimport("lastspike.server.offline.backend");
  progress(0.95);
  const send = (/** @type {number} */ socket, /** @type {string} */ text) => page.postMessage({ kind: "message", socket, text });
  const closed = (/** @type {number} */ socket, /** @type {number} */ code) => page.postMessage({ kind: "closed", socket, code });
  const made = Backend(shelf, send, closed, version);
  await made.start();
  backend = made;
  page.postMessage({ kind: "started" });
  for (const data of early.splice(0)) handle(data);
}

/** Wait until no other tab plays: two would overwrite each other's games. */
function onlyTab() {
  const locks = navigator.locks;
  if (!locks) return Promise.resolve();
  return new Promise((resolve) => {
    const held = () => {
      resolve(undefined);
      return new Promise(() => {}); // until the tab is closed
    };
    void locks.request(LOCK, { ifAvailable: true }, (lock) => {
      if (lock) return held();
      page.postMessage({ kind: "elsewhere" });
      void locks.request(LOCK, held);
      return undefined;
    });
  });
}

/** @param {any} data */
function handle(data) {
  switch (data.kind) {
    case "ask":
      return void answer(data);
    case "open":
      return backend.open(data.socket, data.table);
    case "send":
      return backend.receive(data.socket, data.text);
    case "close":
      return backend.close(data.socket);
  }
}

/** @param {{id: number, method: string, path: string, body: string, language: string}} asked */
async function answer({ id, method, path, body, language }) {
  const found = await backend.ask(method, path, body, language);
  const [status, text] = found.toJs();
  found.destroy();
  page.postMessage({ kind: "answer", id, status, body: text });
}

/** The last line of a traceback says what happened. @param {any} error */
function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
