// A recorded game that a person opens from a file, stored for this tab.

import { post } from "../lib/api.js";
import { chooseFile } from "../lib/files.js";
import { say } from "../lib/words.js";
import { showError } from "./errors.js";

const KEY = "lastspike.record";

/** The record that was opened last in this tab and what the server told of it, which a reload shows
 * again. @returns {{record: any, told: any} | null} */
export function openedRecord() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

/** Let the person choose a file; `show` is called when it can be shown. @param {() => void} show */
export function openRecord(show) {
  chooseFile(say("Open a record"), ".json,.jsonl,application/json", async (file) => {
    try {
      await keepRecord(firstRecord(await file.text()));
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
