// This browser's part of the verifiable shuffle: commit to a secret, reveal it, store both.

import { randomBytes, toHex } from "../lib/bytes.js";
import { sha256 } from "../lib/sha256.js";
import { load, removeAll, save } from "../lib/storage.js";
import { showError } from "./errors.js";
import { say } from "../lib/words.js";

const KEY = "lastspike.shuffle.";

/** @typedef {{round: number, commitment: string, secret: string, mine: string}} Contribution */

/** @param {string} table @returns {Contribution | undefined} */
export function contribution(table) {
  return load(KEY + table);
}

/**
 * The commitment for a round; the same one if it was made before, in this tab or another.
 * @param {string} table @param {number} round @param {string} commitment the server's
 * @returns {Promise<Contribution>}
 */
export async function commit(table, round, commitment) {
  const before = contribution(table);
  if (before?.round === round && before.commitment === commitment) return before;
  const secret = randomBytes(32);
  const mine = await sha256(secret);
  const made = { round, commitment, secret: toHex(secret), mine };
  save(KEY + table, made);
  return made;
}

/** Delete this browser's parts of all shuffles. */
export function deleteContributions() {
  removeAll(KEY);
}

/** Say that this person is ready, with the browser's part of the shuffle; whether that was accepted.
 * @param {import("./model.js").Model} model @param {import("../lib/connection.js").Connection} connection */
export async function sayReady(model, connection) {
  try {
    const { round, commitment } = model.info.shuffle;
    const part = await commit(model.id, round, commitment);
    await connection.ask({ type: "ready", round, commitment: part.mine });
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** What happened to rounds that gave no deal, a sentence each.
 * @param {{round: number, silent: number[], left: number[]}[]} rounds @param {string[]} names by seat */
export function stoppedRounds(rounds, names) {
  return rounds.flatMap(({ round, silent, left }) => [
    ...silent.map((seat) => say("Round {round} was stopped: {player}’s browser didn’t answer in time.", { round, player: names[seat] })),
    ...left.map((seat) => say("Round {round} was stopped: the player in seat {number} left.", { round, number: seat + 1 })),
  ]);
}
