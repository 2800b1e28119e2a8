// The coach's sentences in the first lesson, for each of the learner's moves; turns count from 1.

import { money, say } from "../lib/words.js";

/**
 * @typedef {object} Words
 * @property {string} begin before anything is done
 * @property {Record<number, string[]>} turns of the learner
 * @property {Record<number, string>} after what deserves a word when a turn has been made
 * @property {string} end
 */

/** @param {import("../game/teller.js").Teller} teller @returns {Words} */
export function firstWords(teller) {
  const city = (/** @type {string} */ code) => teller.city(code);
  const [, second, third] = teller.names;
  const endTurn = say("End your turn.");
  return {
    begin: say("You and two others build one railway from {start} to {finish}. When the line is complete, the player with the most cash wins.", { start: city("STL"), finish: city("SAC") }),
    turns: {
      1: [
        say("These are your track tiles. Each belongs on one space of the map. Choose {tile}.", { tile: "A1" }),
        say("It costs {cost}. You’re the first to reach {city}, so you get the free land grant there. End your turn.", { cost: money(1000), city: city("STL") }),
      ],
      4: [
        say("{tile} extends the track. Lay it.", { tile: "A2" }),
        say("Now you can buy land. A finished route pays for land at both ends: buy another card in {city}.", { city: city("STL") }),
        say("Good. Now end your turn."),
      ],
      7: [
        say("None of your tiles is next to track or a city, so you pay double. Lay a cheap one: {tile}.", { tile: "E2" }),
        say("Buy land in {city}: three routes meet there.", { city: city("DEN") }),
        endTurn,
      ],
      10: [
        say("{tile} finishes a route. It costs {cost} and you have only {cash}. Choose it anyway.", { tile: "A3", cost: money(3000), cash: money(2000) }),
        say("Sell your {city} land to the bank for half its price.", { city: city("DEN") }),
        say("The route is finished: your two {city} cards pay you {amount}! Now buy your {other} land back.", { city: city("STL"), amount: money(18000), other: city("DEN") }),
        endTurn,
      ],
      13: [
        say("Two routes to go. Lay {tile} on one of them.", { tile: "Y3" }),
        say("{city} is on both: buy land there.", { city: city("OGD") }),
        endTurn,
      ],
      16: [
        say("Finish the next route: lay {tile}.", { tile: "V3" }),
        say("Paid again! The last route ends in {city}: buy land there.", { city: city("SAC") }),
        endTurn,
      ],
      19: [
        say("Only one tile is missing, and you have it. Lay {tile}!", { tile: "Y2" }),
        say("That’s the last spike. It earns you {bonus}, and the game is over. End your turn.", { bonus: money(20000) }),
      ],
    },
    after: {
      1: say("The star in {city} marks your land. Now watch the others.", { city: city("STL") }),
      10: say("Everybody with land at either end of the route gets paid, including {player}.", { player: second }),
      12: say("{player} finished a route, and your {city} land pays you {amount} too.", { player: third, city: city("DEN"), amount: money(5000) }),
    },
    end: say("You’ve played a whole game and won it. The most cash wins; land only breaks ties."),
  };
}

/** What is said when the learner tries something else. @param {string | undefined} move the one that
 * is due, none if the turn is to be ended @param {import("../game/teller.js").Teller} teller */
export function forNow(move, teller) {
  if (!move) return say("For now, just end your turn.");
  if (move.startsWith("+")) return say("For now, buy land in {city}.", { city: teller.city(move.slice(1)) });
  if (move.startsWith("-")) return say("For now, sell your {city} land.", { city: teller.city(move.slice(1, -1)) });
  return say("For now, try {tile}.", { tile: move });
}
