// How players are told apart: a colour and a symbol for each seat, a name for each computer.

import { say } from "../lib/words.js";

export const SYMBOLS = ["★", "◆", "●", "▲", "■", "✚"];

/** For each seat one, and others for where a person has it already. */
const COMPUTER_NAMES = [
  ["Otto", "Hugo", "Amos"],
  ["Mabel", "Edna", "Nell"],
  ["Jules", "Silas", "Émile"],
  ["Flora", "Ada", "Inês"],
  ["Theo", "Rufus", "Kenji"],
  ["Rosa", "Hazel", "Hana"],
];

/** What everybody at a table is called; no computer bears a person's name.
 * @param {any[]} seats as the server tells them @returns {string[]} */
export function namesOf(seats) {
  const taken = new Set(seats.map((seat) => (seat.name || "").toLowerCase()));
  return seats.map((seat, number) => {
    if (seat.name) return seat.name;
    const free = COMPUTER_NAMES[number].find((name) => !taken.has(name.toLowerCase()));
    return seat.level && free ? free : say("Seat {number}", { number: number + 1 });
  });
}

/** The same of a record, which calls its computers by their levels.
 * @param {{deal: {hands: unknown[]}, players?: {name?: string, level?: string | null}[]}} record */
export function namesInRecord(record) {
  return namesOf(
    record.deal.hands.map((_, seat) => {
      const { name = "", level = null } = record.players?.[seat] ?? {};
      return { name: level ? "" : name, level };
    }),
  );
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

/** How hard a level is to beat, in a word. @param {string} level */
export function levelEase(level) {
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
    case "tycoon":
      return say("has learned from millions of games");
    default:
      return "";
  }
}
