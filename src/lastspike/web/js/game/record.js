// Games as files: a recorded game that is opened for this tab, and a running game that moves to a server.

import { get, post } from "../lib/api.js";
import { chooseFile, saveFile } from "../lib/files.js";
import { say } from "../lib/words.js";
import { showError } from "./errors.js";

const KEY = "lastspike.record";
const RUNNING = "last-spike-game.json";
const IN_ADDRESS = /^#continue=([\w-]+)$/;

/** What `api/records/play-on` needs to continue a game, but for a name.
 * @typedef {{record: any, turns: number, seat: number, level: string}} RunningGame */

/** The record that was opened last in this tab and what the server told of it, which a reload shows
 * again. @returns {{record: any, told: any} | null} */
export function openedRecord() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

/** Let the person choose a file; `show` is called when it can be shown. A running game is continued instead.
 * @param {() => void} show @param {(path: string) => void} go */
export function openRecord(show, go) {
  chooseFile(say("Open a record"), ".json,.jsonl,application/json", async (file) => {
    try {
      const found = firstRecord(await file.text());
      if (isRunning(found)) return await (await import("./new-table.js")).continueGame(found, go);
      await keepRecord(found);
      show();
    } catch (error) {
      showError(error);
    }
  });
}

/** Have the server read a record, and keep it for this tab: the address `record` shows it. @param {any} record */
export async function keepRecord(record) {
  const told = await post("api/records", record);
  sessionStorage.setItem(KEY, JSON.stringify({ record, told }));
}

/** A file holds one record, or many, one a line. @param {string} text */
function firstRecord(text) {
  for (const part of [text, text.trim().split("\n")[0]]) {
    try {
      return JSON.parse(part);
    } catch {
      // Then perhaps the first line alone is one.
    }
  }
  throw new Error(say("This file isn’t a game record. Choose another file."));
}

/** Save the running game of a table as a file. @param {string} table */
export async function saveGame(table) {
  saveFile(new Blob([JSON.stringify(await runningGame(table))], { type: "application/json" }), RUNNING);
}

/** The address at which a server offers to continue the game of a table. @param {string} server @param {string} table */
export async function addressOn(server, table) {
  const bytes = new TextEncoder().encode(JSON.stringify(await runningGame(table)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${server}#continue=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The game in the address of this page; null if there is none. @param {string} hash @returns {RunningGame | null} */
export function gameInAddress(hash) {
  const text = IN_ADDRESS.exec(hash)?.[1];
  if (!text) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(bytes));
    return isRunning(found) ? found : null;
  } catch {
    return null; // broken off on its way
  }
}

/** Whether a file holds a running game rather than a record. @param {any} found @returns {found is RunningGame} */
function isRunning(found) {
  return Boolean(found?.record) && Number.isInteger(found.turns);
}

/** @param {string} table @returns {Promise<RunningGame>} */
const runningGame = (table) => get(`api/tables/${table}/continue`);
