// This browser's part of the verifiable shuffle: commit to 32 random bytes, reveal them when asked,
// and remember both with the server's commitment, to compare when the game is over.

import { hex } from "../lib/api.js";
import { keep, kept } from "../lib/settings.js";

/** @param {string} table */
const key = (table) => `lastspike.shuffle.${table}`;

/** @typedef {{round: number, commitment: string, secret: string, mine: string}} Part */

/** @param {string} table @returns {Part | undefined} */
export function part(table) {
  return kept(key(table));
}

/**
 * The commitment for a round; the same one if it was made before, in this tab or another.
 * @param {string} table @param {number} round @param {string} commitment the server's
 * @returns {Promise<Part>}
 */
export async function commit(table, round, commitment) {
  const before = part(table);
  if (before?.round === round && before.commitment === commitment) return before;
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const mine = await sha256(secret);
  const made = { round, commitment, secret: hex(secret), mine };
  keep(key(table), made);
  return made;
}

/** SHA-256, also where the page is not in a secure context and WebCrypto is missing.
 * @param {Uint8Array} bytes */
export async function sha256(bytes) {
  if (crypto.subtle) {
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {any} */ (bytes))));
  }
  const { sha256: plain } = await import("../lib/sha256-plain.js");
  return hex(plain(bytes));
}
