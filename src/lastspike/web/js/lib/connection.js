// The connection to a table: a WebSocket that reconnects by itself and asks for what it missed.

import { openSocket, Refused } from "./api.js";
import { newId } from "./bytes.js";

const PROTOCOL = 1;
const PING_MS = 15000;
const ANSWER_MS = 10000;
/** How long to wait for an answer when the device wakes up: the line may have died in its sleep. */
const WAKE_MS = 1500;
/** When somebody is shown that what they asked for is still on its way. */
const LATE_MS = 500;
const SLOWEST_MS = 8000;
/** The close code when this device's session has ended. */
export const LOGGED_OUT = 4008;
const FINAL = new Set([4004, 4005, 4006, 4007, LOGGED_OUT, 4009]);

/**
 * @typedef {object} Listeners
 * @property {(message: any) => void} onMessage every message of the server, in order
 * @property {(state: "open" | "lost" | "gone", code?: number) => void} onState
 * @property {() => number | null} have the last step that is known here
 * @property {() => string} language
 * @property {(late: boolean) => void} [onLate] whether something asked is still on its way, and kept until it is there
 */

export class Connection {
  /** @param {string | null} table null for a connection that is never opened @param {Listeners} listeners */
  constructor(table, listeners) {
    this.table = table;
    this.listeners = listeners;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, {message: any, resolve: (answer: any) => void, reject: (error: Error) => void, again: boolean}>} */
    this.waiting = new Map();
    this.closed = table === null;
    this.tries = 0;
    this.first = true;
    this.retry = 0;
    this.ping = 0;
    this.silence = 0;
    this.late = 0;
    this.began = 0;
    this.wake = () => {
      if (!this.socket) this.connect();
      else if (document.visibilityState === "visible") this.probe();
    };
    if (this.closed) return;
    window.addEventListener("online", this.wake);
    window.addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  connect() {
    clearTimeout(this.retry);
    /** @type {WebSocket} */
    const socket = openSocket(/** @type {string} */ (this.table));
    this.socket = socket;
    this.began = Date.now();
    socket.onopen = () => {
      const { have, language } = this.listeners;
      const sit = this.first || document.visibilityState === "visible";
      this.first = false;
      socket.send(
        JSON.stringify({ type: "hello", protocol: PROTOCOL, have: have(), sit, language: language() }),
      );
    };
    socket.onmessage = (event) => {
      clearTimeout(this.silence);
      const message = JSON.parse(event.data);
      if (message.type === "welcome") this.opened();
      this.receive(message);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  opened() {
    this.tries = 0;
    clearInterval(this.ping);
    this.ping = window.setInterval(() => this.check(), PING_MS);
    this.listeners.onState("open");
    for (const { message } of this.waiting.values()) this.socket?.send(JSON.stringify(message));
  }

  /** Ask whether the server is still there; a connection may break unnoticed. */
  check(patience = ANSWER_MS) {
    this.send({ type: "ping", id: newId() });
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.cut(), patience);
  }

  /** The same in a hurry. One that has long been trying to connect is given up. */
  probe() {
    if (this.socket?.readyState === WebSocket.OPEN) this.check(WAKE_MS);
    else if (Date.now() - this.began > WAKE_MS) this.cut();
  }

  cut() {
    const socket = this.socket;
    this.lost(1006);
    socket?.close();
  }

  /** @param {number} code */
  lost(code) {
    this.socket = null;
    clearInterval(this.ping);
    clearTimeout(this.silence);
    for (const [id, request] of this.waiting) {
      if (!request.again) {
        this.waiting.delete(id);
        request.reject(new Error("lost"));
      }
    }
    this.look();
    if (this.closed) return;
    if (FINAL.has(code)) {
      this.close();
      this.listeners.onState("gone", code);
      return;
    }
    this.listeners.onState("lost", code);
    const pause = Math.min(SLOWEST_MS, 300 * 2 ** this.tries++) * (0.5 + Math.random() / 2);
    this.retry = window.setTimeout(() => this.connect(), pause);
  }

  /** @param {any} message */
  receive(message) {
    const request = message.id && this.waiting.get(message.id);
    if (request) {
      this.waiting.delete(message.id);
      this.look();
      if (message.type === "refused") request.reject(new Refused(message.problem));
      else request.resolve(message);
    }
    this.listeners.onMessage(message);
  }

  /** Send without waiting for an answer. @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Ask, and wait for the answer. With `again` it is sent again after a reconnect, under the same
   * id, so that the server counts it once.
   * @param {any} message
   * @param {boolean} [again]
   * @returns {Promise<any>}
   */
  ask(message, again = true) {
    const id = newId();
    const whole = { ...message, id };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message: whole, resolve, reject, again });
      this.send(whole);
      this.look();
    });
  }

  /** Say whether something is late: advice takes its time, all else is quick. */
  look() {
    const kept = [...this.waiting.values()].some(({ again }) => again);
    if (kept && !this.late) this.late = window.setTimeout(() => this.listeners.onLate?.(true), LATE_MS);
    else if (!kept && this.late) {
      clearTimeout(this.late);
      this.late = 0;
      this.listeners.onLate?.(false);
    }
  }

  /** Reconnect, such as after a change of name or language. */
  reconnect() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    clearInterval(this.ping);
    clearTimeout(this.silence);
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.ping);
    clearTimeout(this.silence);
    clearTimeout(this.late);
    window.removeEventListener("online", this.wake);
    window.removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
  }
}
