// How much was luck and how much was play, and the turn that decided the game, from a review.

import { seatSymbol } from "../../game/players.js";
import { button, el } from "../../lib/ui/dom.js";
import { say, sentences } from "../../lib/words.js";
import { movesTold, points } from "../../review/figures.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/teller.js").Teller} Teller */
/** @typedef {{look: (turns: number) => void, playOn: (seat: number, turns: number) => void, refine: () => void}} Ways */

/** Luck and play that differ by no more than this part of the larger count as equal. */
const ALIKE = 0.25;

/** @param {any} review @param {Model} model @param {Teller} teller @param {number} subject @param {Ways} ways */
export function luckAndPlay(review, model, teller, subject, ways) {
  const quick = !review.turns.length;
  const luck = review.luck[subject];
  return [
    luck && el("h4", {}, say("Luck and play")),
    luck && el("p", {}, weighed(luck)),
    luck && bars(luck),
    review.deciding.length > 0 && decided(review, model, teller, subject, ways),
    el(
      "div",
      { class: "why-more" },
      luck && el("p", { class: "notes" }, quick ? say("A quick estimate; points are percentage points of the chance to win.") : say("A point is one percentage point of the chance to win.")),
      quick && button(say("Work it out more precisely"), ways.refine, { class: "quiet", "data-key": "refine" }),
    ),
  ];
}

/** Which of the two mattered more: what is said is what the lengths of the bars show. @param {any} luck */
export function weighed({ deal, draws, own_play, others_play }) {
  const [chance, skill] = [
    [deal, draws],
    [own_play, others_play],
  ].map((parts) => parts.reduce((sum, { mean }) => sum + Math.abs(mean), 0));
  if (Math.abs(chance - skill) < ALIKE * Math.max(chance, skill)) return say("Luck and play mattered about equally.");
  return chance > skill ? say("Luck mattered more than play.") : say("Play mattered more than luck.");
}

/** @param {any} luck */
function bars(luck) {
  const rows = /** @type {[string, any][]} */ ([
    [say("The deal"), luck.deal],
    [say("Tiles drawn"), luck.draws],
    [say("Own play"), luck.own_play],
    [say("Others’ play"), luck.others_play],
  ]);
  const most = Math.max(0.2, ...rows.map(([, { mean }]) => Math.abs(mean)));
  return el(
    "ul",
    { class: "luck-bars", "aria-label": say("Luck and play") },
    rows.map(([name, { mean }]) =>
      el(
        "li",
        {},
        el("span", {}, name),
        el("span", { class: `luck-bar ${mean < 0 ? "minus" : "plus"}` }, bar((50 * Math.abs(mean)) / most)),
        el("span", {}, mean > 0.005 ? say("+{points}", { points: points(mean) }) : points(mean)),
      ),
    ),
  );
}

/** @param {number} width in percent */
function bar(width) {
  const drawn = el("i");
  drawn.style.width = `${width}%`; // an attribute would break the content security policy
  return drawn;
}

/** @param {any} review @param {Model} model @param {Teller} teller @param {number} subject @param {Ways} ways */
function decided(review, model, teller, subject, ways) {
  const { turn: number, seat, change, by_play, by_luck } = review.deciding[0];
  const most = change.indexOf(Math.max(...change));
  const gain = points(change[most]);
  const player = teller.own === null ? seat : subject;
  return el(
    "div",
    { class: `decided seat-${seat}` },
    el("h4", {}, seatSymbol(seat), " ", seat === teller.own ? say("Turn {number} (yours) decided it", { number }) : say("Turn {number} ({player}’s) decided it", { player: teller.names[seat], number })),
    el(
      "p",
      {},
      sentences([
        say("Played: {moves}.", { moves: movesTold(teller, model.turns[number - 1].moves) }),
        most === teller.own ? say("You gained {points}.", { points: gain }) : say("{player} gained {points}.", { player: teller.names[most], points: gain }),
        by_play > by_luck ? say("Due more to the moves than to the tile drawn.") : say("Due more to the tile drawn than to the moves."),
      ]),
    ),
    el(
      "div",
      { class: "acts" },
      button(say("Show turn {number} on the map", { number }), () => ways.look(number), { "data-key": "decided" }),
      button(say("Play on from turn {number} as {player}", { number, player: teller.names[player] }), () => ways.playOn(player, number - 1), { class: "quiet", "data-key": "decided-on" }),
    ),
  );
}
