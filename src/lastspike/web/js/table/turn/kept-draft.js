// The turn being composed, kept in this tab so that a reload does not lose it.

const KEY = "lastspike.draft";

/** @param {string} table @param {number} turn @param {string[]} moves */
export function keepDraft(table, turn, moves) {
  write(JSON.stringify({ table, turn, moves }));
}

export function forgetDraft() {
  write("");
}

/** The moves kept for this turn of this table. @param {string} table @param {number} turn @returns {string[]} */
export function keptDraft(table, turn) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) || "null");
    return kept?.table === table && kept.turn === turn ? kept.moves : [];
  } catch {
    return [];
  }
}

/** @param {string} text */
function write(text) {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
}
