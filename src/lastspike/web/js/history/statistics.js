// Statistics of finished games: wins beside a fair share, by opponents, and what cities paid.

/**
 * @typedef {{name: string | null, level: string | null, rank: number, cash: number, left: boolean}} PastSeat
 * @typedef {{table: string, created: number, ended: number, edition: string, turns: number,
 *   seats: PastSeat[], mine: number[], winners: number[], last_spike: number | null,
 *   paid: Record<string, number>, teaching: boolean, played_on: boolean, left: boolean}} PastGame
 * @typedef {{games: number, wins: number, fair: number}} Tally `fair`: the wins of who is as good as the others
 */

/** Whether a game says something about how well its person plays: nobody else chose the tiles or saw them,
 * and there was one person in it to win. @param {PastGame} game */
export function counts(game) {
  return !game.teaching && !game.played_on && game.mine.length === 1;
}

/** @param {PastGame} game */
export function won(game) {
  return game.mine.some((seat) => game.winners.includes(seat));
}

/** @param {PastGame[]} games */
export function statisticsOf(games) {
  const counted = games.filter(counts);
  /** @type {Map<number, Tally>} */
  const byPlayers = new Map();
  /** The levels of computers at the table, "" where there was none. @type {Map<string, Tally>} */
  const byLevel = new Map();
  /** @type {Map<string, number>} */
  const paid = new Map();
  for (const game of counted) {
    add(byPlayers, game.seats.length, game);
    const levels = new Set(game.seats.map((seat) => seat.level ?? "").filter(Boolean));
    for (const level of levels.size ? levels : [""]) add(byLevel, level, game);
    for (const [city, dollars] of Object.entries(game.paid)) paid.set(city, (paid.get(city) ?? 0) + dollars);
  }
  /** @type {Tally} */
  const whole = { games: 0, wins: 0, fair: 0 };
  for (const game of counted) enter(whole, game);
  return {
    ...whole,
    leftOut: games.length - counted.length,
    spikes: counted.filter((game) => game.last_spike !== null && game.mine.includes(game.last_spike)).length,
    byPlayers: [...byPlayers].sort(([one], [other]) => one - other),
    byLevel: [...byLevel],
    cities: [...paid].sort(([, one], [, other]) => other - one),
  };
}

/** @template Key @param {Map<Key, Tally>} tallies @param {Key} key @param {PastGame} game */
function add(tallies, key, game) {
  const tally = tallies.get(key) ?? { games: 0, wins: 0, fair: 0 };
  tallies.set(key, tally);
  enter(tally, game);
}

/** @param {Tally} tally @param {PastGame} game */
function enter(tally, game) {
  tally.games += 1;
  tally.wins += Number(won(game));
  tally.fair += 1 / game.seats.length;
}
