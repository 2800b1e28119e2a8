// The shuffle of a finished game, computed again in the browser.

import { fromHex, join } from "../lib/bytes.js";
import { same } from "../lib/same.js";
import { sha256 } from "../lib/sha256.js";

/** @typedef {import("../game/figures.js").Figures} Figures */
/**
 * @typedef {{commitment: string, seed: string, contributions: [number, string][]}} Shuffle
 * @typedef {{committed: string, commitmentHolds: boolean, key: string, drawn: string[], first: number,
 *   aside: string[], hands: string[][], pool: string[], remixed: string[][],
 *   firstHolds: boolean, dealHolds: boolean, remixedHolds: boolean, holds: boolean}} Checked
 */

const WORD = 2 ** 32;

/** The words of one game, in order, eight from a block. */
class Stream {
  /** @param {string} key */
  constructor(key) {
    this.key = fromHex(key);
    /** @type {number[]} */
    this.words = [];
    this.block = 0;
  }

  async next() {
    if (!this.words.length) {
      const number = new Uint8Array(8);
      new DataView(number.buffer).setUint32(4, this.block++);
      const block = new DataView(fromHex(await sha256(join(this.key, number))).buffer);
      this.words = Array.from({ length: 8 }, (_, n) => block.getUint32(4 * n));
    }
    return /** @type {number} */ (this.words.shift());
  }

  /** A fair number from 0 to m - 1. @param {number} m */
  async below(m) {
    const limit = WORD - (WORD % m);
    for (;;) {
      const word = await this.next();
      if (word < limit) return word % m;
    }
  }

  /** @param {string[]} tiles */
  async shuffle(tiles) {
    const mixed = [...tiles];
    for (let i = mixed.length - 1; i >= 1; i--) {
      const other = await this.below(i + 1);
      [mixed[i], mixed[other]] = [mixed[other], mixed[i]];
    }
    return mixed;
  }
}

/**
 * @param {{shuffle: Shuffle, remixed?: string[][],
 *   deal: {first: number, hands: string[][], pool: string[], aside: string[]}}} record
 * @param {Figures} figures
 * @returns {Promise<Checked>}
 */
export async function verifyShuffle(record, figures) {
  const { shuffle, deal } = record;
  const { edition, tiles } = figures;
  const players = deal.hands.length;
  const committed = await sha256(fromHex(shuffle.seed));
  const given = [...shuffle.contributions].sort(([one], [other]) => one - other).map(([, c]) => fromHex(c));
  const key = await sha256(join(new TextEncoder().encode("lastspike/1"), fromHex(shuffle.seed), ...given));
  const stream = new Stream(key);
  const drawn = (await stream.shuffle(tiles)).slice(0, players);
  const first = drawn.indexOf([...drawn].sort()[0]);
  const mixed = await stream.shuffle(tiles);
  const set = edition.set_aside[players] ?? 0;
  const size = edition.hand_size;
  const aside = mixed.slice(0, set);
  const hands = deal.hands.map((_, seat) => mixed.slice(set + seat * size, set + (seat + 1) * size).sort());
  const pool = mixed.slice(set + players * size);
  /** @type {string[][]} */
  const remixed = [];
  for (const order of record.remixed ?? []) {
    remixed.push(await stream.shuffle(tiles.filter((tile) => order.includes(tile))));
  }
  const commitmentHolds = committed === shuffle.commitment;
  const firstHolds = first === deal.first;
  const dealHolds = same(hands, deal.hands.map((hand) => [...hand].sort())) && same(pool, deal.pool) && same(aside, deal.aside);
  const remixedHolds = same(remixed, record.remixed ?? []);
  const holds = commitmentHolds && firstHolds && dealHolds && remixedHolds;
  return { committed, commitmentHolds, key, drawn, first, aside, hands, pool, remixed, firstHolds, dealHolds, remixedHolds, holds };
}
