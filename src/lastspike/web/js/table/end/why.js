// Why somebody won or lost, in words: the place, the margin, and what made the difference.

import { listed, money, say } from "../../lib/words.js";
import { accountsOf } from "../../review/accounts.js";
import { startOf } from "./scores.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/teller.js").Teller} Teller */

/** One difference; `seat` is whom it favoured, `amount` by how much. It speaks `against` the result if that one came out behind.
 * @typedef {{kind: "payouts" | "bonus" | "track" | "land" | "lost", seat: number, amount: number, against: boolean}} Difference */

/** The seat that the card is about: the viewer's; for who has none or several, the winner's. @param {Model} model @param {any} over */
export function subjectOf(model, over) {
  return model.own ?? over.ranks.indexOf(1);
}

/** Whom the subject is compared with: the winner, or for a winner the next best; null where nobody is left.
 * @param {any} over @param {number} subject @returns {number | null} */
export function rivalOf(over, subject) {
  /** @type {number[]} */
  const ranks = over.ranks;
  const others = ranks.map((_, seat) => seat).filter((seat) => seat !== subject);
  return others.sort((one, other) => ranks[one] - ranks[other])[0] ?? null;
}

/** What two players' results differ by: what explains who is ahead, the largest first, then what speaks against it. @param {Model} model @param {number} one @param {number} other @returns {Difference[]} */
export function differences(model, one, other) {
  const accounts = accountsOf(model.events, model.names.length, startOf(model));
  const ahead = accounts[one].cash >= accounts[other].cash;
  return /** @type {Difference["kind"][]} */ (["payouts", "bonus", "track", "land", "lost"])
    .map((kind) => ({ kind, amount: accounts[one][kind] - accounts[other][kind] }))
    .filter(({ amount }) => amount)
    .map(({ kind, amount }) => ({ kind, seat: amount > 0 ? one : other, amount: Math.abs(amount), against: amount > 0 !== ahead }))
    .sort((a, b) => Number(a.against) - Number(b.against) || b.amount - a.amount);
}

/** @param {Teller} teller @param {any} over @param {number} subject */
export function title(teller, over, subject) {
  const won = over.winners.includes(subject);
  if (subject === teller.own) return won ? say("Why you won") : say("Why you lost");
  return say("Why {player} won", { player: teller.names[subject] });
}

/** The place and the margin. @param {Model} model @param {Teller} teller @param {any} over @param {number} subject @returns {string} */
export function verdict(model, teller, over, subject) {
  const own = subject === teller.own;
  const player = teller.names[subject];
  const rival = rivalOf(over, subject);
  const out = (/** @type {number} */ seat) => Boolean(model.view?.bankrupt.includes(seat));
  if (out(subject)) {
    const number = 1 + model.turns.findIndex(({ events }) => events.some((/** @type {any} */ each) => each.event === "bankruptcy" && each.seat === subject));
    return number ? say("You went bankrupt after turn {number}.", { number }) : say("You were bankrupt from the start.");
  }
  if (over.winners.length > 1 && over.winners.includes(subject)) {
    const players = listed(over.winners.map((/** @type {number} */ seat) => teller.names[seat]));
    return say("{players} share the win: they have the same cash, and their land cost the same.", { players });
  }
  if (rival === null || out(rival)) return own ? say("You won: everybody else went bankrupt.") : say("{player} won: everybody else went bankrupt.", { player });
  const margin = over.cash[subject] - over.cash[rival];
  const other = teller.names[rival];
  const amount = money(Math.abs(margin));
  if (over.winners.includes(subject)) {
    if (!margin) return own ? say("You and {other} have the same cash, but your land cost more.", { other }) : say("{player} and {other} have the same cash, but {player}’s land cost more.", { player, other });
    return own ? say("You won, {amount} ahead of {other}.", { amount, other }) : say("{player} won, {amount} ahead of {other}.", { player, amount, other });
  }
  const place = placeTold(over.ranks[subject]);
  const n = over.ranks.length;
  return margin ? say("You finished {place} of {n}, {amount} behind {other}.", { place, n, amount, other }) : say("You finished {place} of {n}, with the same cash as {other}.", { place, n, other });
}

/** A difference as a sentence whose subject is the player whom it favoured. @param {Teller} teller @param {Difference} difference @param {number} less whom it did not favour */
export function differenceTold(teller, { kind, seat, amount: dollars }, less) {
  const [player, other, amount] = [teller.names[seat], teller.names[less], money(dollars)];
  const facts = { player, other, amount };
  /** Where the viewer is the favoured one, the other one, or neither. @param {string} mine @param {string} theirs @param {string} neither */
  const told = (mine, theirs, neither) => (seat === teller.own ? mine : less === teller.own ? theirs : neither);
  switch (kind) {
    case "payouts":
      return told(
        say("You collected {amount} more in payouts than {other}.", facts),
        say("{player} collected {amount} more in payouts than you.", facts),
        say("{player} collected {amount} more in payouts than {other}.", facts),
      );
    case "bonus":
      return told(
        say("You got the last-spike bonus of {amount}.", facts),
        say("{player} got the last-spike bonus of {amount}.", facts),
        say("{player} got the last-spike bonus of {amount}.", facts),
      );
    case "track":
      return told(
        say("You spent {amount} less on track than {other}.", facts),
        say("{player} spent {amount} less on track than you.", facts),
        say("{player} spent {amount} less on track than {other}.", facts),
      );
    case "land":
      return told(
        say("You spent {amount} less on land than {other}.", facts),
        say("{player} spent {amount} less on land than you.", facts),
        say("{player} spent {amount} less on land than {other}.", facts),
      );
    default:
      return less === teller.own ? say("You lost {amount} when you went bankrupt.", facts) : say("{other} lost {amount} by going bankrupt.", facts);
  }
}

/** @param {number} rank */
function placeTold(rank) {
  return [say("1st"), say("2nd"), say("3rd"), say("4th"), say("5th"), say("6th")][rank - 1];
}
