// Requests as the operator: the key lives in this tab's session storage, and travels in a header.

import { ask } from "../lib/api.js";

const KEY = "lastspike.operator";

/** @typedef {{person: string, name: string | null}} Somebody */
/** @typedef {{step: number, at: number, person: string, name: string, text: string}} Line */
/** @typedef {{table: string, status: string, created: number, changed: number, persons: Somebody[], connections: number}} TableKept */
/** @typedef {{person: string, name: string, created: number, tables: number, connections: number, banned: number | null}} PersonKept */

/** The key that this tab was given, or nothing. */
export function operatorKey() {
  return sessionStorage.getItem(KEY) ?? "";
}

/** @param {string} key */
export function keepKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

/** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export function asOperator(method, path, body) {
  return ask(method, `api/admin/${path}`, body, { authorization: `Bearer ${operatorKey()}` });
}

/** @param {string} path @param {Record<string, string | number | null>} [query] */
export function look(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, String(value)]]));
  const asked = new URLSearchParams(given).toString();
  return asOperator("GET", asked ? `${path}?${asked}` : path);
}
