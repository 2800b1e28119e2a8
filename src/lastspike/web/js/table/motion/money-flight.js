// Payouts that fly from the city to the player who is paid, the bonus from the last spike, and cash that counts up.

import { seatSymbol } from "../../game/players.js";
import { lessMotion, settings } from "../../lib/settings.js";
import { el } from "../../lib/ui/dom.js";
import { money, say, shortMoney } from "../../lib/words.js";

const FLIGHT_MS = 1100;
const APART_MS = 140;
const COUNT_MS = 900;
/** @type {Record<string, number>} */
const TEMPO = { slow: 1.4, fast: 0.6 };

/** @type {Set<Animation>} */
const flying = new Set();

/** What flies, from where. @param {any[]} events */
function flights(events) {
  return events.flatMap(({ event, seat, city, tile, amount, bonus }) =>
    event === "payout" ? [{ seat, amount, from: `[data-city="${city}"]` }] : event === "last_spike" ? [{ seat, amount: bonus, from: `[data-tile="${tile}"]` }] : [],
  );
}

/**
 * For the eye only: the log and the announcements say the same. Returns when all of it has landed.
 * @param {HTMLElement} table holds the map and the list of players
 * @param {any[]} events
 */
export function flyPayouts(table, events) {
  if (lessMotion() || document.hidden) return Promise.resolve();
  const tempo = TEMPO[settings.pace] ?? 1;
  const landed = flights(events).map(({ seat, amount, from: place }, n) => {
    const from = middle(table.querySelector(`.map ${place}`));
    const to = middle(table.querySelector(`[data-key="player-${seat}"] .cash`));
    if (!from || !to) return null;
    const part = el("span", { class: `flight seat-${seat}`, "aria-hidden": "true" }, seatSymbol(seat), say("+{amount}", { amount: shortMoney(amount) }));
    table.append(part);
    const at = ({ x = 0, y = 0 }) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    const flight = part.animate(
      [
        { transform: `${at(from)} scale(0.4)`, opacity: 0 },
        { transform: `${at(from)} scale(1.15)`, opacity: 1, offset: 0.2 },
        { transform: `${at(from)} scale(1)`, opacity: 1, offset: 0.4, easing: "cubic-bezier(.5,0,.3,1)" },
        { transform: `${at(to)} scale(0.8)`, opacity: 0.9 },
      ],
      { duration: FLIGHT_MS * tempo, delay: n * APART_MS * tempo, fill: "backwards" },
    );
    flying.add(flight);
    return flight.finished.finally(() => {
      flying.delete(flight);
      part.remove();
    });
  });
  return Promise.all(landed);
}

/** Whatever is in the air lands at once. */
export function landAll() {
  for (const flight of [...flying]) flight.finish();
}

/** Let a figure run from one amount to the next. @param {HTMLElement} part @param {number} from @param {number} to */
export function countTo(part, from, to) {
  if (from === to || lessMotion() || document.hidden) return;
  let begun = 0;
  // The part may not be in the page before the first frame; until then it says the right amount.
  const step = (/** @type {number} */ now) => {
    begun ||= now;
    const done = part.isConnected ? Math.min(1, (now - begun) / COUNT_MS) : 1;
    part.textContent = money(done < 1 ? Math.round((from + (to - from) * done) / 1000) * 1000 : to);
    if (done < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** The middle of what can be seen of a part. @param {Element | null} part */
function middle(part) {
  const box = part?.getBoundingClientRect();
  return box?.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}
