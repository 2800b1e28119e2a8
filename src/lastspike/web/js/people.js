// How players are told apart: a colour and a symbol for each seat, a name for each computer.

import { say } from "./words.js";

export const SYMBOLS = ["★", "◆", "●", "▲", "■", "✚"];

const COMPUTER_NAMES = ["Otto", "Mabel", "Jules", "Ada", "Theo", "Rosa"];

/** @param {any} seat as the server tells it @param {number} number */
export function nameOf(seat, number) {
  return seat.name || (seat.level ? COMPUTER_NAMES[number] : say("Seat {number}", { number: number + 1 }));
}

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

/** @param {string} level */
export function levelTold(level) {
  switch (level) {
    case "greenhorn":
      return say("plays anything that is allowed");
    case "clerk":
      return say("takes what pays at once");
    case "surveyor":
      return say("weighs which routes will be finished");
    case "speculator":
      return say("plays the game out in its head");
    default:
      return "";
  }
}
