// Making tables.

import { Refused, ask } from "../lib/api.js";
import { askText } from "../lib/ui/dialog.js";
import { keep, kept } from "../lib/settings.js";
import { say } from "../lib/words.js";

const TOKEN = "lastspike.token";

/** Make a table; where the host gives out a token for that, ask for it once and remember it. Null if
 * the person thought better of it. @param {string} path @param {any} wanted @returns {Promise<any>} */
export async function makeTable(path, wanted) {
  const token = kept(TOKEN) ?? "";
  try {
    return await ask("POST", path, wanted, token ? { "x-create-token": token } : {});
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.template !== NEEDS_TOKEN) throw error;
    const given = await askText({ title: say("Only for those with a token"), label: error.message, value: "", act: say("Make a table"), most: 200 });
    if (!given) return null;
    keep(TOKEN, given);
    return makeTable(path, wanted);
  }
}

const NEEDS_TOKEN = "this server makes tables only for those who have its token";
