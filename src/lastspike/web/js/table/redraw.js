// Which part of the table shows what, so that a change redraws only the parts that show it.

/** Besides what messages change: `draft` is the turn being composed, `past` the turn that the board
 * shows and through whose eyes, `played` how many turns have been played out, `record` the record of a finished game.
 * @typedef {import("../game/model.js").Change | "draft" | "past" | "played" | "record"} Shown */
/** @typedef {keyof typeof SHOWS} Part */

/** In the order of drawing: the board first, which others show; the composer before hand and map. */
const SHOWS = {
  board: ["info", "view", "turns", "past", "played", "record"],
  composer: ["info", "you", "view", "turns", "draft", "played"],
  hand: ["info", "you", "view", "draft"],
  pastHands: ["info", "view", "turns", "past", "record"],
  replay: ["info", "view", "turns", "past", "played"],
  map: ["info", "you", "view", "turns", "draft", "past", "played", "record"],
  players: ["info", "you", "view", "presence", "past", "played", "record"],
  clocks: ["view", "clock"],
  meanwhile: ["clock", "presence"],
  log: ["turns", "names", "past", "played"],
  land: ["info", "view", "turns", "past", "played", "record"],
  chat: ["chat", "names"],
  curtain: ["info", "you", "view"],
  status: ["info", "view", "past", "played"],
  caption: ["info", "turns", "names", "draft", "past", "played"],
  end: ["info", "turns", "names", "past", "played", "record"],
};

/** The waiting room is one part. */
export const WAITING_ROOM_SHOWS = /** @type {Shown[]} */ (["info", "you", "presence"]);

export const EVERYTHING = /** @type {Shown[]} */ ([...Object.values(SHOWS).flat(), ...WAITING_ROOM_SHOWS]);

/** Draw the parts that show something changed, each once. @param {Set<Shown>} changed
 * @param {Record<Part, () => void>} draw */
export function redraw(changed, draw) {
  for (const part of /** @type {Part[]} */ (Object.keys(SHOWS))) {
    if (SHOWS[part].some((each) => changed.has(/** @type {Shown} */ (each)))) draw[part]();
  }
}
