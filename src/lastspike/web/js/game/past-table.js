// The table as it was after some of the turns, computed from their events.

/** @typedef {import("./figures.js").Figures} Figures */
/** @typedef {import("./figures.js").View} View */

/**
 * @param {Figures} figures
 * @param {View} now the table as it is, for who plays and whose cash is hidden
 * @param {any[]} dealt the events of the deal
 * @param {{seat: number, events: any[]}[]} turns those that have been made by then
 * @param {{deal: {hands: string[][], pool: string[]}, remixed?: string[][]} | null} [record] with it
 *   the hands are known
 * @returns {View}
 */
export function tableAfter(figures, now, dealt, turns, record = null) {
  const { edition } = figures;
  const players = now.tiles.length;
  const start = edition.starting_cash[players];
  const aside = edition.set_aside[players] ?? 0;
  /** @type {View} */
  const then = {
    ...now,
    seat: null,
    cash: now.cash.map((cash) => (cash === null ? null : start)),
    track: [],
    land: Object.fromEntries(edition.cities.map((city) => [city.code, city.land.map(() => null)])),
    phase: "lay",
    turn: null,
    chosen: null,
    bankrupt: [],
    last_spike: null,
    hands: now.hands.map((_, seat) => (record ? [...record.deal.hands[seat]] : null)),
    tiles: now.tiles.map(() => edition.hand_size),
    pool: figures.tiles.length - aside - players * edition.hand_size,
    legal: [],
    number: turns.length + 1,
  };
  const hidden = { pool: record ? [...record.deal.pool] : [], remixed: [...(record?.remixed ?? [])] };
  for (const event of [...dealt, ...turns.flatMap((turn) => turn.events)]) apply(then, event, hidden);
  for (const hand of then.hands) hand?.sort();
  return then;
}

/** @param {View} then @param {any} event @param {{pool: string[], remixed: string[][]}} hidden */
function apply(then, event, hidden) {
  const hand = event.seat === undefined ? null : then.hands[event.seat];
  const pay = (/** @type {number} */ amount) => {
    const cash = then.cash[event.seat];
    if (cash !== null) then.cash[event.seat] = cash + amount;
  };
  switch (event.event) {
    case "track_laid":
      pay(-event.cost);
      then.track.push(event.tile);
      then.tiles[event.seat] -= 1;
      if (hand) hand.splice(hand.indexOf(event.tile), 1);
      break;
    case "land_sold":
      pay(event.amount);
      then.land[event.city][event.rank] = null;
      break;
    case "grant_taken":
      then.land[event.city][0] = event.seat;
      break;
    case "land_bought":
      pay(-event.price);
      then.land[event.city][event.rank] = event.seat;
      break;
    case "payout":
      pay(event.amount);
      break;
    case "last_spike":
      pay(event.bonus);
      then.last_spike = event.seat;
      break;
    case "tile_drawn":
      then.tiles[event.seat] += 1;
      then.pool -= 1;
      if (hand) hand.push(/** @type {string} */ (hidden.pool.shift()));
      break;
    case "bankruptcy":
      bankrupt(then, event);
      if (hand) {
        hand.length = 0;
        hidden.pool = hidden.remixed.shift() ?? [];
      }
      break;
    case "game_over":
      then.cash = [...event.cash];
      break;
  }
}

/** K1: all land but the grants goes back to the bank, the tiles into the pool.
 * @param {View} then @param {any} event */
function bankrupt(then, event) {
  then.bankrupt.push(event.seat);
  for (const cards of Object.values(then.land)) {
    cards.forEach((holder, rank) => {
      if (holder === event.seat) cards[rank] = rank === 0 ? "out" : null;
    });
  }
  then.tiles[event.seat] = 0;
  then.pool += event.tiles;
  if (then.cash[event.seat] !== null) then.cash[event.seat] = 0;
}
