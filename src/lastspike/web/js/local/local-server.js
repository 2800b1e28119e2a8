// Where there is no server, Python in a worker of this page answers instead: the same requests, and sockets to tables.

import { base, site, version } from "../lib/api.js";
import { announce } from "../lib/ui/announce.js";
import { say } from "../lib/words.js";
import { saveForOffline } from "./offline.js";
import { StartStatus } from "./start-status.js";

/** What never changes is a file of the site, and needs no Python. */
const FILES = /^api\/(?:editions(?:\/[\w-]+)?|lessons\/\w+)$/;

/** See `Server` in `lib/api.js`. */
export class LocalServer {
  constructor() {
    this.numbers = 0;
    /** @type {Map<number, (answer: Response) => void>} */
    this.waiting = new Map();
    /** @type {Map<number, LocalSocket>} */
    this.sockets = new Map();
    this.started = false;
    this.status = new StartStatus();
    this.worker = new Worker(`${base}web/${version}/js/local/worker.js`, { type: "module" });
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.receive({ kind: "failed", reason: event.message ?? "" });
    this.worker.postMessage({ kind: "start", python: new URL(base + site.python, location.href).href, version });
  }

  /** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
  async request(path, init) {
    if (init.method === "GET" && (path.startsWith("web/") || FILES.test(path))) {
      const file = await fetch(path.startsWith("web/") ? base + path : `${base}web/${version}/${path}.json`);
      if (file.ok) return file;
    }
    if (init.method === "POST" && path === "api/tables/") void navigator.storage?.persist?.(); // or the browser may delete games when it needs room
    const id = ++this.numbers;
    const language = document.documentElement.lang;
    this.worker.postMessage({ kind: "ask", id, method: init.method, path, body: init.body ?? "null", language });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  /** @param {string} table */
  socket(table) {
    return new LocalSocket(this, ++this.numbers, table);
  }

  /** @param {any} data from the worker */
  receive(data) {
    const socket = this.sockets.get(data.socket);
    switch (data.kind) {
      case "progress":
        return this.status.progress(data.share);
      case "elsewhere":
        return this.status.elsewhere();
      case "memory":
        return this.status.onlyInMemory();
      case "failed":
        return this.status.failed(data.reason);
      case "started":
        this.started = true;
        this.status.done();
        for (const each of this.sockets.values()) each.opened();
        return void saveForOffline(() => announce(say("The Last Spike is saved on this device and now works offline, too.")));
      case "answer":
        this.waiting.get(data.id)?.(new Response(data.body, { status: data.status }));
        return this.waiting.delete(data.id);
      case "message":
        return socket?.onmessage?.(new MessageEvent("message", { data: data.text }));
      case "closed":
        return socket?.ended(data.code);
    }
  }
}

/** A socket to a table in the worker, as far as `lib/connection.js` uses a WebSocket. */
class LocalSocket {
  /** @param {LocalServer} server @param {number} number @param {string} table */
  constructor(server, number, table) {
    this.server = server;
    this.number = number;
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    /** @type {(() => void) | null} */
    this.onopen = null;
    /** @type {((event: MessageEvent) => void) | null} */
    this.onmessage = null;
    /** @type {((event: {code: number}) => void) | null} */
    this.onclose = null;
    server.sockets.set(number, this);
    server.worker.postMessage({ kind: "open", socket: number, table });
    if (server.started) queueMicrotask(() => this.opened());
  }

  opened() {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  /** @param {number} code */
  ended(code) {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.server.sockets.delete(this.number);
    this.onclose?.({ code });
  }

  /** @param {string} text */
  send(text) {
    this.server.worker.postMessage({ kind: "send", socket: this.number, text });
  }

  close(code = 1000) {
    this.server.worker.postMessage({ kind: "close", socket: this.number });
    this.ended(code);
  }
}
