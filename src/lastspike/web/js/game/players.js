// How players are told apart: a symbol for each seat, a name for each computer player.

import { el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

export const SYMBOLS = ["★", "◆", "●", "▲", "■", "✚"];

/** The symbol of a seat, which its name stands beside. @param {number} seat @param {string} [more] classes */
export function seatSymbol(seat, more = "") {
  return el("span", { class: `symbol ${more}`.trim(), "aria-hidden": "true" }, SYMBOLS[seat]);
}

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
