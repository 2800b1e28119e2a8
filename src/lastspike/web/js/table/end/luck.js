// How much was luck and how much was play, and the turn that decided the game, from a review.

import { seatSymbol } from "../../game/players.js";
import { button, el } from "../../lib/ui/dom.js";
import { decimal, say, sentences } from "../../lib/words.js";
import { movesTold, points } from "../../review/figures.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/teller.js").Teller} Teller */
/** @typedef {{look: (turns: number) => void, playOn: (seat: number, turns: number) => void, refine: () => void}} Ways */

/** What differs by no more than this part of the larger counts as equal. */
const ALIKE = 0.25;

/** @param {any} review @param {Model} model @param {Teller} teller @param {number} subject @param {Ways} ways */
export function luckAndPlay(review, model, teller, subject, ways) {
  const quick = !review.turns.length;
  const luck = review.luck[subject];
  const turning = turningPoint(review, model, subject);
  return [
    luck && el("h4", {}, say("Luck and play")),
    luck && el("p", {}, weighed(luck, subject === teller.own, quick)),
    luck && el("p", { class: "notes" }, quick ? say("A quick estimate; points are percentage points of the chance to win.") : say("A point is one percentage point of the chance to win.")),
    luck && bars(luck, subject === teller.own, quick),
    turning && decided(turning, model, teller, subject, ways, quick),
    quick && el("div", { class: "why-more" }, button(say("Work it out more precisely"), ways.refine, { class: "quiet", "data-key": "refine" })),
  ];
}

/** What mattered most: what is said is what the lengths of the bars show, unless a quick estimate is too rough for it.
 * @param {any} luck @param {boolean} [own] whether it is the viewer's @param {boolean} [quick] */
export function weighed({ deal, draws, own_play, others_play }, own = false, quick = false) {
  const parts = /** @type {[string, any[]][]} */ ([
    [say("Luck mattered most."), [deal, draws]],
    [own ? say("Your play mattered most.") : say("Own play mattered most."), [own_play]],
    [say("The others’ play mattered most."), [others_play]],
  ]);
  const [first, second] = parts.map(([text, each]) => ({ text, much: each.reduce((sum, { mean }) => sum + Math.abs(mean), 0), error: Math.hypot(...each.map(({ error }) => error)) })).sort((one, other) => other.much - one.much);
  const apart = first.much - second.much;
  if (quick && apart < 2 * Math.hypot(first.error, second.error)) return say("It’s too close to tell from a quick estimate.");
  return apart < ALIKE * first.much ? say("Luck and play mattered about equally.") : first.text;
}

/** The turn that brought a winner the most chance to win, or cost somebody else the most.
 * @param {any} review @param {Model} model @param {number} subject
 * @returns {{turn: number, change: number, byPlay: boolean} | null} */
export function turningPoint(review, model, subject) {
  const won = model.events.find(({ event }) => event === "game_over")?.winners.includes(subject) ? 1 : -1;
  const [best] = review.chances
    .slice(1)
    .map((/** @type {any} */ { turn, chances, moved }, /** @type {number} */ n) => {
      const before = review.chances[n].chances[subject];
      return { turn, change: chances[subject] - before, byPlay: won * (moved[subject] - before) > won * (chances[subject] - moved[subject]) };
    })
    .sort((/** @type {any} */ one, /** @type {any} */ other) => won * (other.change - one.change));
  return best && won * best.change > 0 ? best : null;
}

/** @param {any} luck @param {boolean} own whether it is the viewer's @param {boolean} quick */
function bars(luck, own, quick) {
  const rows = /** @type {[string, any][]} */ ([
    [say("The deal"), luck.deal],
    [say("Tiles drawn"), luck.draws],
    [own ? say("Your play") : say("Own play"), luck.own_play],
    [say("Others’ play"), luck.others_play],
  ]);
  const most = Math.max(0.2, ...rows.map(([, { mean }]) => Math.abs(mean)));
  return el(
    "ul",
    { class: "luck-bars", "aria-label": say("Luck and play") },
    rows.map(([name, { mean, error }]) =>
      el(
        "li",
        {},
        el("span", {}, name),
        el("span", { class: `luck-bar ${mean < 0 ? "minus" : "plus"}` }, bar((50 * Math.abs(mean)) / most)),
        el("span", {}, quick ? say("{mean} ± {margin}", { mean: signed(mean), margin: decimal(Math.round(200 * error)) }) : signed(mean)),
      ),
    ),
  );
}

/** @param {number} mean */
function signed(mean) {
  return mean > 0.005 ? say("+{points}", { points: points(mean) }) : points(mean);
}

/** @param {number} width in percent */
function bar(width) {
  const drawn = el("i");
  drawn.style.width = `${width}%`; // an attribute would break the content security policy
  return drawn;
}

/** @param {boolean} own whether the turn is the viewer's @param {{player: string, number: number}} facts @param {boolean} quick */
function title(own, facts, quick) {
  if (quick) return own ? say("Turn {number} (yours) probably decided it", facts) : say("Turn {number} ({player}’s) probably decided it", facts);
  return own ? say("Turn {number} (yours) decided it", facts) : say("Turn {number} ({player}’s) decided it", facts);
}

/** @param {NonNullable<ReturnType<typeof turningPoint>>} turning @param {Model} model @param {Teller} teller @param {number} subject @param {Ways} ways
 * @param {boolean} quick whether it is an estimate */
function decided({ turn: number, change, byPlay }, model, teller, subject, ways, quick) {
  const { seat, moves, events } = model.turns[number - 1];
  const drew = events.some(({ event }) => event === "tile_drawn");
  const player = teller.own === null ? seat : subject;
  const from = model.turns.slice(0, number).findLastIndex((turn) => turn.seat === player) + 1 || number;
  const facts = { points: points(Math.abs(change)), player: teller.names[subject] };
  const told = subject === teller.own ? [say("You gained {points}.", facts), say("You lost {points}.", facts)] : [say("{player} gained {points}.", facts), say("{player} lost {points}.", facts)];
  return el(
    "div",
    { class: `decided seat-${seat}` },
    el("h4", {}, seatSymbol(seat), " ", title(seat === teller.own, { player: teller.names[seat], number }, quick)),
    el(
      "p",
      {},
      sentences([
        say("Played: {moves}.", { moves: movesTold(teller, moves) }),
        told[change > 0 ? 0 : 1],
        ...(drew ? [byPlay ? say("Due more to the moves than to the tile drawn.") : say("Due more to the tile drawn than to the moves.")] : []),
      ]),
    ),
    el(
      "div",
      { class: "acts" },
      button(say("Show turn {number} on the map", { number }), () => ways.look(number), { "data-key": "decided" }),
      button(say("Play on from turn {number} as {player}", { number: from, player: teller.names[player] }), () => ways.playOn(player, from - 1), { class: "quiet", "data-key": "decided-on" }),
    ),
  );
}
