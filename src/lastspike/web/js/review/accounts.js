// What became of every player's money, from the events of a game; nothing else is needed for it.

/** Where a seat's money came from and went; what was spent is negative. `lost` went to the bank in a bankruptcy.
 * @typedef {{payouts: number, bonus: number, track: number, land: number, lost: number, cash: number}} Account */

/** @param {any[]} events @param {number} players @param {number} start the cash of each at the beginning @returns {Account[]} */
export function accountsOf(events, players, start) {
  const accounts = Array.from({ length: players }, () => ({ payouts: 0, bonus: 0, track: 0, land: 0, lost: 0, cash: start }));
  for (const event of events) enter(accounts, event);
  return accounts;
}

/** Every seat's cash after the deal and after each turn.
 * @param {any[]} dealt @param {{events: any[]}[]} turns @param {number} players @param {number} start @returns {number[][]} */
export function cashByTurn(dealt, turns, players, start) {
  const accounts = accountsOf(dealt, players, start);
  const cash = () => accounts.map((account) => account.cash);
  return [
    cash(),
    ...turns.map(({ events }) => {
      for (const event of events) enter(accounts, event);
      return cash();
    }),
  ];
}

/** @param {Account[]} accounts @param {any} event */
function enter(accounts, event) {
  const account = accounts[event.seat];
  const add = (/** @type {Exclude<keyof Account, "cash">} */ kind, /** @type {number} */ amount) => {
    account[kind] += amount;
    account.cash += amount;
  };
  if (event.event === "payout") add("payouts", event.amount);
  else if (event.event === "last_spike") add("bonus", event.bonus);
  else if (event.event === "track_laid") add("track", -event.cost);
  else if (event.event === "land_bought") add("land", -event.price);
  else if (event.event === "land_sold") add("land", event.amount);
  else if (event.event === "bankruptcy") add("lost", -account.cash);
}
