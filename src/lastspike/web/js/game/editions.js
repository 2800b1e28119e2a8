// The standard edition's id, and the person's own editions, which this browser stores.

import { load, save } from "../lib/storage.js";

/** @typedef {import("./figures.js").Edition} Edition */
/**
 * `base` is what was corrected, `mine` the corrections by their paths, and `figures` both together.
 * What has been played with or handed on is `used`, and never changes.
 * @typedef {{figures: Edition, base: Edition, mine: Record<string, unknown>, used: boolean}} Own
 */

export const STANDARD = "columbia-2015";
const KEY = "lastspike.editions";

/** @returns {Own[]} in the order in which they were saved */
export function ownEditions() {
  const found = load(KEY);
  return Array.isArray(found) ? found : [];
}

/** @param {string} id @returns {Own | undefined} */
export function ownEdition(id) {
  return ownEditions().find((own) => own.figures.id === id);
}

/** Save it, in place of one that has the same id. @param {Own} own */
export function saveOwn(own) {
  const others = ownEditions().filter((other) => other.figures.id !== own.figures.id);
  save(KEY, [...others, own]);
}

/** @param {string} id */
export function deleteOwn(id) {
  save(KEY, ownEditions().filter((own) => own.figures.id !== id));
}

/** It is played with from now on, so it never changes again. @param {string} id */
export function markUsed(id) {
  const own = ownEdition(id);
  if (own && !own.used) saveOwn({ ...own, used: true });
}

/** An id that no edition has, made from a name. @param {string} name @param {string[]} shipped */
export function newEditionId(name, shipped) {
  const taken = new Set([...shipped, ...ownEditions().map((own) => own.figures.id)]);
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const short = plain.replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-+|-+$/g, "") || "mine";
  let id = short;
  for (let number = 2; taken.has(id); number++) id = `${short}-${number}`;
  return id;
}
