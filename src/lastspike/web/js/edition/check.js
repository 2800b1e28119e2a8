// Checking an edition on the server, as the command line does.

import { post } from "../lib/api.js";
import { Draft } from "./draft.js";

/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {{path: string, message: string}} Problem */
/** @typedef {{figures: Edition | null, toml: string | null, problem: Problem | null}} Checked */

/** @param {Edition} figures @returns {Promise<Checked>} */
export const checkFigures = (figures) => post("api/editions/check", { figures });

/** @param {string} toml @returns {Promise<Checked>} */
export const checkToml = (toml) => post("api/editions/check", { toml });

/** Everything that is wrong with a draft, and the edition without its wrong corrections. The server tells
 * of one figure at a time, so one after the other is put back until it finds no more.
 * @param {Draft} draft @returns {Promise<{problems: Problem[], figures: Edition | null}>} */
export async function checkDraft(draft) {
  const left = new Draft(draft.base, draft.mine);
  /** @type {Problem[]} */
  const problems = [];
  for (;;) {
    const { figures, problem } = await checkFigures(left.figures());
    if (!problem) return { problems, figures };
    problems.push(problem);
    if (!(problem.path in left.mine)) return { problems, figures: null };
    left.undo(problem.path);
  }
}
