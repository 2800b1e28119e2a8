// The levels of computer players, from the easiest to the hardest, and their names.

import { site } from "../lib/api.js";
import { say } from "../lib/words.js";

export const LEVELS = ["greenhorn", "clerk", "surveyor", "speculator", "tycoon"];

/** The level that a page without a server doesn't have. */
const NEEDS_SERVER = "tycoon";

/** @param {string | null} level */
export function levelName(level) {
  switch (level) {
    case "greenhorn":
      return say("Greenhorn");
    case "clerk":
      return say("Clerk");
    case "surveyor":
      return say("Surveyor");
    case "speculator":
      return say("Speculator");
    case "tycoon":
      return say("Tycoon");
    default:
      return level ?? "";
  }
}

/** How hard a level is to beat, in a word. @param {string} level */
function levelEase(level) {
  switch (level) {
    case "greenhorn":
      return say("very easy");
    case "clerk":
      return say("easy");
    case "surveyor":
      return say("hard");
    case "speculator":
      return say("very hard");
    case "tycoon":
      return say("hardest");
    default:
      return "";
  }
}

/** The levels to choose from, each with how hard it is. */
export const levelChoices = () => LEVELS.filter((level) => site.server || level !== NEEDS_SERVER).map((level) => [level, say("{level} – {difficulty}", { level: levelName(level), difficulty: levelEase(level) })]);

/** How a level plays. @param {string} level */
export function levelStyle(level) {
  switch (level) {
    case "greenhorn":
      return say("plays random moves");
    case "clerk":
      return say("takes whatever pays most right now");
    case "surveyor":
      return say("estimates which routes will be finished");
    case "speculator":
      return say("plays the game out in its head");
    case "tycoon":
      return say("has learned from millions of games");
    default:
      return "";
  }
}
