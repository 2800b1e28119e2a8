// A recorded game, opened from a file: its end, its log, its scores.

import { post } from "../lib/api.js";
import { el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { failed } from "../table/waiting-room.js";

const KEY = "lastspike.record";

/** The record that was opened last in this tab and what the server told of it, which a reload shows
 * again. @returns {{record: any, told: any} | null} */
export function keptRecord() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

/** Let the person choose a file; `show` is called when it can be shown. @param {() => void} show */
export function openRecord(show) {
  const input = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "file",
      accept: ".json,.jsonl,application/json",
      class: "unseen",
      "aria-label": say("Open a record"),
      onchange: async () => {
        const file = input.files?.[0];
        input.remove();
        if (!file) return;
        try {
          const record = firstRecord(await file.text());
          const told = await post("api/records", record);
          sessionStorage.setItem(KEY, JSON.stringify({ record, told }));
          show();
        } catch (error) {
          failed(error);
        }
      },
      oncancel: () => input.remove(),
    })
  );
  document.body.append(input);
  input.click();
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
  throw new Error(say("This file holds no record of a game."));
}
