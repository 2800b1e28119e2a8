// Making a new table on the server, with the host's token where it asks for one.

import { ask, Refused } from "../lib/api.js";
import { load, save } from "../lib/storage.js";
import { askText } from "../lib/ui/dialog.js";
import { say } from "../lib/words.js";

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
