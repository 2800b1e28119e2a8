// Making a new table on the server, with the host's token where it asks for one, also for a game from elsewhere.

import { ask, Refused } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { load, save } from "../lib/storage.js";
import { askText, openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { showError } from "./errors.js";

const TOKEN = "lastspike.token";

/** Make a table; where the host gives out a token for that, ask for it once and remember it. Null if
 * the person cancels. @param {string} path @param {any} wanted @returns {Promise<any>} */
export async function makeTable(path, wanted) {
  const token = load(TOKEN) ?? "";
  try {
    return await ask("POST", path, wanted, token ? { "x-create-token": token } : {});
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code !== "needs_token") throw error;
    const given = await askText({ title: say("Token required"), label: say("You need a token to create a table on this server. Ask whoever runs the server for it."), value: "", act: say("Create a table"), most: 200 });
    if (!given) return null;
    save(TOKEN, given);
    return makeTable(path, wanted);
  }
}

/** @typedef {import("./record.js").RunningGame} RunningGame */

/** Make a table that continues a running game, and go there. @param {RunningGame} game @param {(path: string) => void} go */
export async function continueGame({ record, turns, seat, level }, go) {
  const made = await makeTable("api/records/play-on", { name: settings.name || say("Newcomer"), record, turns, seat, level });
  if (made) go(`table/${made.table}`);
}

/** Ask whether to continue a game that came with an address. @param {RunningGame} game @param {(path: string) => void} go */
export function offerToContinue(game, go) {
  const close = openDialog(say("Continue your game here?"), [
    el("p", {}, say("You keep your seat, and computers play the others. The game you came from stays as it was.")),
    el(
      "div",
      { class: "acts" },
      button(say("Continue the game"), () => {
        close();
        continueGame(game, go).catch(showError);
      }, { class: "main", "data-key": "continue" }),
    ),
  ]);
}
